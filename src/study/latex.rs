//! The results of a study as a table in LaTeX: a row for each set of values, means over the seeds.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::statistics::mean;
use super::table::Row;
use crate::scenario::sweep_file::{Factor, Sweep};

/// A `tabular` of the package booktabs: the factors but for seeds, and the mean of each result. The standard error of
/// the mean stands in brackets, in units of the last digit. A result that no member has is a dash.
pub fn latex(sweep: &Sweep, rows: &[Row]) -> String {
    let shown: Vec<usize> = (0..sweep.vary.len()).filter(|&place| !sweep.vary[place].is_seed).collect();
    let mut order: Vec<Vec<&str>> = Vec::new();
    let mut groups: BTreeMap<Vec<&str>, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        let values: Vec<&str> = shown.iter().map(|&place| row.parameters[place].as_str()).collect();
        let group = groups.entry(values.clone()).or_default();
        if group.is_empty() {
            order.push(values);
        }
        group.push(row);
    }
    let factors: Vec<&Factor> = shown.iter().map(|&place| &sweep.vary[place]).collect();
    let is_number = |factor: &&Factor| factor.numbers().is_some();
    let places = factors.iter().map(|factor| if is_number(factor) { 'r' } else { 'l' });
    let places: String = places.chain(sweep.collect.iter().map(|_| 'r')).collect();
    let names = factors.iter().map(|factor| escaped(&factor.path));
    let names: Vec<String> = names.chain(sweep.collect.iter().map(|result| escaped(&result.name))).collect();
    let mut text = format!("% {}\n", sweep.title);
    let seeds: u64 = groups.values().map(|group| group.len() as u64).max().unwrap_or(0);
    if seeds > 1 {
        _ = writeln!(
            text,
            "% Means over up to {seeds} runs; in brackets the standard error in units of the last digit."
        );
    }
    _ = write!(text, "% Needs \\usepackage{{booktabs}}.\n\\begin{{tabular}}{{{places}}}\n\\toprule\n");
    _ = write!(text, "{} \\\\\n\\midrule\n", names.join(" & "));
    for values in &order {
        let group = &groups[values];
        let given =
            values.iter().map(|value| if value.parse::<f64>().is_ok() { (*value).to_owned() } else { escaped(value) });
        let results = (0..sweep.collect.len()).map(|place| {
            let found = group.iter().filter_map(|row| row.result.as_ref()?.values[place]);
            let found: Vec<f64> = found.filter(|value| value.is_finite()).collect();
            if found.is_empty() { "--".to_owned() } else { number(mean(&found)) }
        });
        _ = writeln!(text, "{} \\\\", given.chain(results).collect::<Vec<_>>().join(" & "));
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

/// A mean with two digits of its error, such as `$0.1234(56)$`; six digits without an error.
fn number((mean, error): (f64, Option<f64>)) -> String {
    let exponent = |text: &str| text.split_once('e').map_or(0, |(_, power)| power.parse::<i32>().unwrap_or(0));
    let size = exponent(&format!("{mean:e}"));
    let error = error.filter(|error| *error > 0.0).map(|error| format!("{error:.1e}"));
    // The power of ten of the last digit.
    let last = error.as_deref().map_or(size - 5, |error| exponent(error) - 1);
    let digits: String = error.iter().flat_map(|error| error.split('e').next()).flat_map(|text| text.chars()).collect();
    let bracket = if digits.is_empty() { digits } else { format!("({})", digits.replace('.', "")) };
    let kept = |count: i32| usize::try_from(count).unwrap_or(0);
    if (-4..6).contains(&size.max(last + 1)) && last <= 0 || mean == 0.0 && bracket.is_empty() {
        let text = format!("{mean:.*}", kept(-last));
        let text = if bracket.is_empty() { without_zeros(&text) } else { &text };
        return format!("${text}{bracket}$");
    }
    let text = match format!("1e{last}").parse::<f64>() {
        // The error is larger than the mean by so much that no digit of the mean is left, or one.
        Ok(unit) if size < last => format!("{:.0}e{last}", (mean / unit).round() + 0.0),
        _ => format!("{mean:.*e}", kept(size - last)),
    };
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = if bracket.is_empty() { without_zeros(mantissa) } else { mantissa };
    format!("${mantissa}{bracket}\\times10^{{{power}}}$")
}

/// The same number without zeros at its end.
fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Text for LaTeX.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_their_errors_leave() {
        for (mean, error, expected) in [
            (0.123456789, Some(0.0056), "$0.1235(56)$"),
            (12.0, Some(3.4), "$12.0(34)$"),
            (-0.5, Some(0.25), "$-0.50(25)$"),
            (0.001, Some(0.05), "$0.001(50)$"),
            (9.9999, Some(0.1), "$10.00(10)$"),
            (1.23456789e-7, Some(4.5e-9), "$1.235(45)\\times10^{-7}$"),
            (6.5e8, Some(1.2e6), "$6.500(12)\\times10^{8}$"),
            (0.0, Some(0.02), "$0.000(20)$"),
            (-1e-9, Some(5e-6), "$0(50)\\times10^{-7}$"),
            (12345.0, Some(1500.0), "$1.23(15)\\times10^{4}$"),
            (2.0, None, "$2$"),
            (2.5, Some(0.0), "$2.5$"),
            (1.0 / 3.0, None, "$0.333333$"),
            (0.0, None, "$0$"),
            (1234567.0, None, "$1.23457\\times10^{6}$"),
            (123456.0, None, "$123456$"),
            (-2.5e-9, None, "$-2.5\\times10^{-9}$"),
        ] {
            assert_eq!(number((mean, error)), expected, "{mean} ± {error:?}");
        }
    }

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(escaped("a_b & 5 %"), "a\\_b \\& 5 \\%");
        assert_eq!(escaped("\\{x}^~#$"), "\\textbackslash{}\\{x\\}\\textasciicircum{}\\textasciitilde{}\\#\\$");
    }
}
