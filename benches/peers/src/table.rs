//! Numbers and rows of Markdown tables.

/// The median of some numbers. For an even count it is the upper of the two middle numbers; for no numbers it is NaN.
pub(crate) fn median(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A number with about two digits.
pub(crate) fn number(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-3..1e5).contains(&size) => format!("{number:.1e}"),
        size if size < 10.0 => {
            let digits = 1 - size.log10().floor() as i32;
            format!("{number:.0$}", digits.max(0) as usize)
        }
        _ => format!("{number:.0}"),
    }
}

/// Writes a row of a table.
pub(crate) fn row<T: AsRef<str>>(cells: &[T]) {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    println!("| {} |", cells.join(" | "));
}

/// Writes the head of a table.
pub(crate) fn head(names: &[&str]) {
    println!();
    row(names);
    println!("|{}", "---|".repeat(names.len()));
}
