//! Numbers as text: short, with a true minus sign, with raised exponents.

use crate::numeric::shown;

/// A number with a true minus sign; zero has no sign.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|digit| matches!(digit, b'0' | b'.')) => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// 10 with a raised exponent; 1 and 10 themselves for the powers 0 and 1.
pub(crate) fn power_of_ten(power: i32) -> String {
    match power {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", power.to_string().chars().map(raised).collect::<String>()),
    }
}

fn raised(digit: char) -> char {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digit.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize])
}

/// A number to three significant digits, for notes.
pub(crate) fn brief(value: f64) -> String {
    // Rust rounds before it chooses the exponent, so 999999 becomes 1.00e6.
    let scientific = format!("{value:.2e}");
    let (digits, power) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    match power {
        _ if value == 0.0 => "0".to_owned(),
        -3..5 => signed(value, usize::try_from(2 - power).unwrap_or(0)),
        _ => format!("{}·{}", digits.replace('-', "−"), power_of_ten(power)),
    }
}

/// A number with all its digits, for what somebody asked for.
pub(crate) fn exact(value: f64) -> String {
    let text = shown(value);
    match text.split_once('e') {
        Some((digits, power)) => {
            let power = power_of_ten(power.parse().unwrap_or(0));
            if digits == "1" { power } else { format!("{}·{power}", digits.replace('-', "−")) }
        }
        None => text.replace('-', "−"),
    }
}

/// A number to one significant digit, as for errors.
pub(crate) fn single(value: f64) -> String {
    let text = format!("{value:.0e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    match power.parse::<i32>().unwrap_or(0) {
        power @ -4..0 => signed(value, power.unsigned_abs() as usize),
        power @ 0..4 => signed(digits.parse::<f64>().unwrap_or(0.0) * 10_f64.powi(power), 0),
        power => format!("{digits}·{}", power_of_ten(power)),
    }
}

/// A count of things, in the singular where there is one.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(count))
}

/// A count with its thousands set apart.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let rows =
            [(0.0, "0"), (-999_999.0, "−1.00·10⁶"), (-12.345, "−12.3"), (12_448.0, "12448"), (2e-15, "2.00·10⁻¹⁵")];
        for (value, wanted) in rows {
            assert_eq!(brief(value), wanted);
        }
        let rows = [(0.0123, "0.01"), (0.00096, "0.001"), (3.4, "3"), (128.0, "100"), (2.2e-7, "2·10⁻⁷"), (0.0, "0")];
        rows.into_iter().for_each(|(value, wanted)| assert_eq!(single(value), wanted));
        let rows = [(0.1, "0.1"), (1e11, "10¹¹"), (2.5e-10, "2.5·10⁻¹⁰"), (0.015_625, "0.015625")];
        rows.into_iter().for_each(|(value, wanted)| assert_eq!(exact(value), wanted));
        assert_eq!(signed(-0.001, 1), "0.0", "no sign before zero");
        assert_eq!([power_of_ten(0), power_of_ten(1), power_of_ten(-12)], ["1", "10", "10⁻¹²"]);
    }

    #[test]
    fn counts_are_grouped_and_agree_with_their_noun() {
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!([0, 1, 5000].map(|n| counted(n, "impact")), ["0 impacts", "1 impact", "5,000 impacts"]);
    }
}
