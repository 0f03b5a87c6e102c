//! Text in columns.

/// Lines of cells as text in columns. Each column is as wide as its widest cell; lines of a single cell do not count.
pub(in crate::cli) fn aligned(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let several = || lines.iter().filter(|line| line.len() > 1);
    let width = |column: usize| {
        several().filter_map(|line| line.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |line: &Vec<String>| {
        let padded = line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_they_need_to_be() {
        let lines = [vec!["long heading of all"], vec!["a", "bb", "c"], vec!["µµµ", "b"]];
        let lines: Vec<Vec<String>> =
            lines.iter().map(|line| line.iter().map(|&cell| cell.to_owned()).collect()).collect();
        assert_eq!(aligned(&lines), "long heading of all\na    bb  c\nµµµ  b");
    }
}
