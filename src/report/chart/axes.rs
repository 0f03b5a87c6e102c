//! Axes: the span that is shown, its ticks and their labels.
//!
//! Ticks stand at 1, 2 or 5 times a power of ten. Long numbers are shortened by a prefix of their unit, such as µm or
//! kJ, or by a power of ten in the caption. Values that differ only in their last digits are shown as differences from
//! a round number in the caption. A span without length, such as that of a body which never moves, is widened so that
//! it can be drawn.

use super::numbers::{exact, power_of_ten, signed};
use crate::report::drawing::{Face, Words, fraction, text_width};

/// The smallest span that holds some values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    /// Its lower end; above the upper end if it holds nothing.
    pub(crate) low: f64,
    /// Its upper end.
    pub(crate) high: f64,
}

/// Holds nothing.
impl Default for Span {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Span {
    /// Holds nothing.
    pub(crate) const EMPTY: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    /// Holds both ends.
    pub(crate) const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// The smallest one that holds all of some values.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut span = Self::EMPTY;
        values.into_iter().for_each(|value| span.include(value));
        span
    }

    /// The smallest one that holds those of some values that are positive.
    pub(crate) fn of_positive(values: impl IntoIterator<Item = f64>) -> Self {
        Self::of(values.into_iter().filter(|&value| value > 0.0))
    }

    /// Grows to hold `value`.
    pub(crate) fn include(&mut self, value: f64) {
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }

    /// The smallest span that holds both.
    pub(crate) fn joined(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether it holds nothing.
    pub(crate) fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// Whether it holds `value`.
    pub(crate) fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Its length; 0 when it holds nothing.
    pub(crate) fn length(self) -> f64 {
        (self.high - self.low).max(0.0)
    }

    /// Its middle.
    pub(crate) fn middle(self) -> f64 {
        self.low + 0.5 * (self.high - self.low)
    }

    /// The span, longer at both ends by `by`.
    pub(crate) fn widened(self, by: f64) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    /// Whether a picture around here can show so short a `length`: one of more than a thousand neighbouring floats.
    pub(crate) fn resolves(self, length: f64) -> bool {
        length > (1000.0 * f64::EPSILON * self.size()).max(SIZE_MIN)
    }

    /// The larger size of its ends.
    fn size(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// A span that can be drawn: one without length becomes one around its value, and an empty one becomes that from 0
    /// to 1.
    pub(crate) fn drawable(self) -> Self {
        if self.is_empty() {
            return Self::new(0.0, 1.0);
        }
        if self.resolves(self.length()) {
            return self;
        }
        let size = self.size();
        self.widened(if size > SIZE_MIN { 0.5 * size } else { 0.5 })
    }
}

/// Smaller values count as zero: fractions of them would leave the range of floats.
const SIZE_MIN: f64 = 1e-280;

/// A tick: its value and its label; the small ticks of a logarithmic axis have no label.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    /// Where it stands.
    pub(crate) value: f64,
    /// Its label.
    pub(crate) label: Option<String>,
}

/// An axis: a span, its ticks and its caption.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Axis {
    /// What is shown.
    pub(crate) span: Span,
    /// Whether the axis is logarithmic.
    pub(crate) logarithmic: bool,
    /// From low to high.
    pub(crate) ticks: Vec<Tick>,
    /// The places of small ticks between these, which only print has.
    pub(crate) minor: Vec<f64>,
    /// Quantity and unit.
    pub(crate) caption: Words,
    /// The quantity alone, and the unit of its values.
    pub(crate) measure: [String; 2],
    /// Whether measured points and curves from elsewhere are laid over the frame of which it is the vertical axis.
    pub(crate) takes_more: bool,
}

impl Axis {
    /// A linear axis with about `count` ticks, and never fewer than two: a single tick gives no scale.
    pub(crate) fn linear(span: Span, count: f64, quantity: &str, unit: &str) -> Self {
        let span = span.drawable();
        let mut step = nice_step(span.length() / count);
        if (span.high / step).floor() - (span.low / step).ceil() < 1.0 {
            step = nice_step(0.35 * step);
        }
        let (offset, words) = common_part(span, step);
        let shown = Span::new(span.low - offset, span.high - offset);
        let (power, decimals) = shortening(shown.low.abs().max(shown.high.abs()), step, unit);
        let scale = 10_f64.powi(power);
        let first = (shown.low / step - 1e-9).ceil();
        let number = ((shown.high / step - first + 1e-9).floor() as usize).min(100);
        let tick = |index: usize| {
            let value = (first + index as f64) * step;
            Tick { value: offset + value, label: Some(signed(value / scale, decimals)) }
        };
        let caption = caption(quantity, &words, &scaled_unit(unit, power));
        let minor = minor(step, first, number).map(|value| offset + value).filter(|&value| span.contains(value));
        let (ticks, measure) = ((0..=number).map(tick).collect(), measure(quantity, unit));
        Self { span, logarithmic: false, ticks, minor: minor.collect(), caption, measure, takes_more: false }
    }

    /// A linear or logarithmic axis. A logarithmic axis shows only positive values. It begins at `least` if the span
    /// begins at zero or below.
    pub(crate) fn of(logarithmic: bool, span: Span, least: f64, count: f64, quantity: &str, unit: &str) -> Self {
        let low = if span.low > 0.0 { span.low } else { least };
        if logarithmic && low > 0.0 && low < span.high {
            return Self::logarithmic(Span::new(low, span.high), quantity, unit);
        }
        Self::linear(span, count, quantity, unit)
    }

    /// An axis without ticks or words.
    pub(crate) fn mute() -> Self {
        Self { span: Span::new(0.0, 1.0), ..Self::default() }
    }

    /// A logarithmic axis. The span must be positive. Ticks stand at its powers of ten, and, if these are few, also at
    /// twice and five times these.
    pub(crate) fn logarithmic(span: Span, quantity: &str, unit: &str) -> Self {
        let (low, high) = (span.low.log10().floor() as i32, span.high.log10().ceil() as i32);
        let stride = (high - low) / 8 + 1;
        let powers = (low..=high).filter(|&power| span.contains(10_f64.powi(power))).count();
        let mut ticks = Vec::new();
        for power in low..=high {
            let value = 10_f64.powi(power);
            let label = || if powers < 2 { exact(value) } else { power_of_ten(power) };
            ticks.push(Tick { value, label: ((power - low) % stride == 0).then(label) });
            if stride == 1 {
                let between = |n: i32| {
                    let label = || format!("{n}e{power}").parse().map_or(String::new(), exact);
                    Tick { value: f64::from(n) * value, label: (powers < 2 && (n == 2 || n == 5)).then(label) }
                };
                ticks.extend((2..10).map(between));
            }
        }
        ticks.retain(|tick| span.contains(tick.value));
        // One label gives no scale: so short an axis has round numbers at equal distances.
        if ticks.iter().filter(|tick| tick.label.is_some()).count() < 2 {
            return Self { logarithmic: true, minor: Vec::new(), ..Self::linear(span, 4.0, quantity, unit) };
        }
        let (caption, measure) = (caption(quantity, "", unit), measure(quantity, unit));
        Self { span, logarithmic: true, ticks, minor: Vec::new(), caption, measure, takes_more: false }
    }

    /// The same axis, in whose frame what is laid over a plot is drawn.
    pub(crate) const fn taking_more(mut self) -> Self {
        self.takes_more = true;
        self
    }

    /// The width of the widest label of a tick, set in `size` pixels per em.
    pub(crate) fn widest(&self, size: f64) -> f64 {
        let labels = self.ticks.iter().filter_map(|tick| tick.label.as_deref());
        labels.map(|label| text_width(label, Face::Upright, size)).fold(0.0, f64::max)
    }

    /// The place of `value` along the axis: 0 at its low end, 1 at its high end. A logarithmic axis has no place for
    /// values of zero or less: not a number.
    pub(crate) fn fraction(&self, value: f64) -> f64 {
        fraction(self.ends(), value)
    }

    /// Its ends, and whether it is logarithmic.
    pub(crate) const fn ends(&self) -> ([f64; 2], bool) {
        ([self.span.low, self.span.high], self.logarithmic)
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `least`.
fn nice_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// The common part of all values of `span` if they differ only in their last digits, and the words that take it off;
/// otherwise 0.
fn common_part(span: Span, step: f64) -> (f64, String) {
    let size = span.low.abs().max(span.high.abs());
    // Ticks of more than five digits are read as differences more easily.
    if step > 1e-5 * size {
        return (0.0, String::new());
    }
    let power = (step * 10.0).log10().ceil();
    let grain = 10_f64.powf(power);
    let offset = (span.middle() / grain).round() * grain;
    // Its last digit is that of the grain; what comes after it is rounding.
    let text = format!("{:.*}", (-power).max(0.0) as usize, offset.abs());
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    (offset, format!(" {} {text}", if offset < 0.0 { '+' } else { '−' }))
}

/// The power of ten by which numbers up to `size` are shortened, 0 if they are short enough; and the number of decimals
/// that multiples of `step` then have.
fn shortening(size: f64, step: f64, unit: &str) -> (i32, usize) {
    let decimals = |power: i32| (-(step / 10_f64.powi(power)).log10().floor()).clamp(0.0, 17.0) as usize;
    // A number without a unit cannot take a prefix, so it takes the power that leaves one digit before the point.
    let (longest, grain) = if unit.is_empty() { (100_000.0, 1) } else { (10_000.0, 3) };
    if size == 0.0 || (0.01..longest).contains(&size) {
        return (0, decimals(0));
    }
    let power = (size.log10() / f64::from(grain) + 1e-9).floor() as i32 * grain;
    // A shortening that only moves the point saves nothing.
    if power > 0 && decimals(power) > 2 { (0, decimals(0)) } else { (power, decimals(power)) }
}

/// `unit` with the prefix for a power of a thousand, or with the power itself where a prefix is unusual.
fn scaled_unit(unit: &str, power: i32) -> String {
    let prefix = match power {
        0 => Some(""),
        -3 => Some("m"),
        -6 => Some("µ"),
        -9 => Some("n"),
        -12 => Some("p"),
        3 if unit != "s" => Some("k"),
        6 if unit == "J" => Some("M"),
        9 if unit == "J" => Some("G"),
        _ => None,
    };
    match prefix {
        Some(prefix) if !unit.is_empty() || power == 0 => format!("{prefix}{unit}"),
        _ => format!("{} {unit}", power_of_ten(power)).trim_end().to_owned(),
    }
}

fn caption(quantity: &str, offset: &str, unit: &str) -> Words {
    let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
    Words::formula(quantity).and(offset).and(&unit)
}

fn measure(quantity: &str, unit: &str) -> [String; 2] {
    [Words::formula(quantity).plain(), unit.to_owned()]
}

/// Ticks between the multiples of `step`, so many that they are at round numbers, too.
fn minor(step: f64, first: f64, number: usize) -> impl Iterator<Item = f64> {
    let leading = step / 10_f64.powf(step.log10().floor());
    let parts = if (1.5..3.5).contains(&leading) { 4 } else { 5 };
    let all = (0..(number + 2) * parts).filter(move |place| !place.is_multiple_of(parts));
    all.map(move |place| (first - 1.0 + place as f64 / parts as f64) * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, unit: &str) -> (String, String) {
        let axis = Axis::linear(Span::new(low, high), 5.0, "x", unit);
        let labels: Vec<_> = axis.ticks.into_iter().filter_map(|tick| tick.label).collect();
        (labels.join(" "), axis.caption.plain())
    }

    #[test]
    fn ticks_are_round_and_short() {
        let rows = [
            (0.0, 5.0, "m", "0 1 2 3 4 5", "x (m)"),
            (-1.0, 1.0, "m", "−1.0 −0.5 0.0 0.5 1.0", "x (m)"),
            (0.0, 1e6, "m", "0.0 0.2 0.4 0.6 0.8 1.0", "x (10⁶ m)"),
            (0.0, 4e-6, "m", "0 1 2 3 4", "x (µm)"),
            (0.0, 3e-15, "", "0 1 2 3", "x (10⁻¹⁵)"),
            (0.0, 2e9, "m", "0.0 0.5 1.0 1.5 2.0", "x (10⁹ m)"),
            (0.0, 5e4, "s", "0 10 20 30 40 50", "x (10³ s)"),
            (1e6, 1e6 + 4.5e-3, "m", "0 1 2 3 4", "x − 1000000 (mm)"),
            (-12_345.678_000_1, -12_345.677_995_1, "m", "0 1 2 3 4", "x + 12345.678 (µm)"),
            (12_440.0, 12_450.0, "s", "12440 12442 12444 12446 12448 12450", "x (s)"),
            (7.0, 7.0, "m", "4 6 8 10", "x (m)"),
            (0.0, 0.0, "m", "−0.4 −0.2 0.0 0.2 0.4", "x (m)"),
        ];
        for (low, high, unit, wanted, caption) in rows {
            assert_eq!(labels(low, high, unit), (wanted.to_owned(), caption.to_owned()), "{low} to {high} {unit}");
        }
    }

    #[test]
    fn a_short_axis_has_two_labels_at_least() {
        for (low, high) in [(-0.35, 0.35), (-0.18, 0.18), (0.1, 0.9), (-1.9, 0.9), (3.0, 3.9)] {
            let axis = Axis::linear(Span::new(low, high), 2.0, "$x$", "m");
            assert!((2..6).contains(&axis.ticks.len()), "{low} to {high}: {axis:?}");
        }
    }

    #[test]
    fn a_logarithmic_axis_has_a_label_a_decade() {
        let axis = Axis::logarithmic(Span::new(0.02, 30.0), "v", "m/s");
        let labels: Vec<_> = axis.ticks.iter().filter_map(|tick| tick.label.as_deref()).collect();
        assert_eq!(labels, ["10⁻¹", "1", "10"]);
        assert_eq!((axis.fraction(0.02), axis.fraction(30.0)), (0.0, 1.0));
        assert!(axis.fraction(0.0).is_nan(), "zero has no place");
        let short = Axis::logarithmic(Span::new(1.5, 8.0), "v", "m/s");
        let labels: Vec<_> = short.ticks.iter().filter_map(|tick| tick.label.as_deref()).collect();
        assert_eq!(labels, ["2", "5"], "less than a decade has labels between");
        let around = Axis::logarithmic(Span::new(0.015, 0.9), "v", "m/s");
        let labels: Vec<_> = around.ticks.iter().filter_map(|tick| tick.label.as_deref()).collect();
        assert_eq!(labels, ["0.02", "0.05", "0.1", "0.2", "0.5"], "all in one style");
        let shorter = Axis::logarithmic(Span::new(0.8, 1.5), "v", "m/s");
        let labels: Vec<_> = shorter.ticks.iter().filter_map(|tick| tick.label.as_deref()).collect();
        assert_eq!(labels, ["0.8", "1.0", "1.2", "1.4"]);
        assert!(shorter.logarithmic && shorter.fraction(1.0) > 0.3);
    }

    #[test]
    fn ticks_between_are_round_too() {
        let rows = [(0.0, 5.0, 20), (0.0, 10.0, 15), (0.0, 25.0, 20)];
        for (low, high, count) in rows {
            let axis = Axis::linear(Span::new(low, high), 5.0, "x", "m");
            assert_eq!(axis.minor.len(), count, "{axis:?}");
            assert!(axis.minor.iter().all(|minor| axis.ticks.iter().all(|tick| tick.value != *minor)));
        }
    }

    #[test]
    fn any_span_can_be_drawn() {
        for size in [5e-324, 1e-300, 1e-9, 1.0, 1e9, 1e100] {
            for span in [Span::EMPTY, Span::new(0.0, size), Span::new(-size, size), Span::new(size, size)] {
                let axis = Axis::linear(span, 5.0, "x", "m");
                assert!(axis.ticks.len() < 102 && axis.fraction(axis.span.high) == 1.0, "{span:?} {axis:?}");
            }
        }
    }
}
