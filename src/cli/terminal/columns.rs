//! Text in columns.

use textwrap::core::display_width;

use super::Look;

/// Lines of cells as text in columns. Each column is as wide as its widest cell; lines of a single cell do not count.
pub(in crate::cli) fn aligned(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let several = || lines.iter().filter(|line| line.len() > 1);
    let width = |column: usize| {
        several().filter_map(|line| line.get(column)).map(|cell| display_width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |line: &Vec<String>| {
        let padded = line.iter().zip(&widths).map(|(cell, &width)| padded(cell, width));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A table with a heading. Where it is wider than the terminal, each row has a line for each cell instead, named by the
/// heading of its column.
pub(in crate::cli) fn table(lines: &[Vec<String>], look: Look) -> String {
    let table = aligned(lines);
    let fits = |width: usize| table.lines().all(|line| display_width(line) <= width);
    match (look.width, lines) {
        (Some(width), [heading, rows @ ..]) if !fits(width) => one_by_one(heading, rows),
        _ => table,
    }
}

fn one_by_one(heading: &[String], rows: &[Vec<String>]) -> String {
    let wide = heading.iter().skip(1).map(|label| display_width(label)).max().unwrap_or(0);
    let block = |row: &Vec<String>| {
        let mut cells = heading.iter().zip(row);
        let first = cells.next().map(|(label, cell)| format!("{label} {cell}"));
        let rest = cells.filter(|(_, cell)| !cell.is_empty());
        let rest = rest.map(|(label, cell)| format!("  {}  {cell}", padded(label, wide)));
        first.into_iter().chain(rest).collect::<Vec<_>>().join("\n")
    };
    rows.iter().map(block).collect::<Vec<_>>().join("\n")
}

/// A text with blanks behind it up to a width.
pub(in crate::cli) fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(display_width(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(lines: &[&[&str]]) -> Vec<Vec<String>> {
        lines.iter().map(|line| line.iter().map(|&cell| cell.to_owned()).collect()).collect()
    }

    #[test]
    fn columns_are_as_wide_as_they_need_to_be() {
        let lines = cells(&[&["long heading of all"], &["a", "bb", "c"], &["µµµ", "b"], &["漢", "b", "d"]]);
        assert_eq!(aligned(&lines), "long heading of all\na    bb  c\nµµµ  b\n漢   b   d");
    }

    #[test]
    fn a_table_that_is_too_wide_has_a_line_for_each_cell() {
        let lines = cells(&[&["query", "body", "t"], &["1", "rail/low", "0.25"], &["2", "pane", ""]]);
        let at = |width| table(&lines, Look { width, colours: false, marks: false });
        let wide = "query  body      t\n1      rail/low  0.25\n2      pane";
        assert_eq!([at(None), at(Some(21))], [wide, wide]);
        assert_eq!(at(Some(20)), "query 1\n  body  rail/low\n  t     0.25\nquery 2\n  body  pane");
    }
}
