//! A line of words, parts of which are symbols: slanted, or lower and smaller as an index.

use super::typeface::{Face, text_width};

/// Size of an index, over that of the words.
const INDEX_SIZE: f64 = 0.7;
/// Distance of an index below the line, ems of the words.
const INDEX_DROP: f64 = 0.22;

/// Words with symbols between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Words {
    runs: Vec<Run>,
}

/// Letters in one style.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Run {
    text: String,
    face: Face,
    is_index: bool,
}

/// A part of a line of words, with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    pub(crate) face: Face,
    /// Distance from the beginning of the line, and below it, pixels.
    pub(crate) at: [f64; 2],
    /// Pixels per em.
    pub(crate) size: f64,
}

impl Words {
    /// A formula: letters between two `$` are slanted, as symbols of quantities are (ISO 80000-1, 7.1), and `_` lowers
    /// the letter after it. A `$` without a second one stands for itself.
    pub(crate) fn formula(text: &str) -> Self {
        let mut words = Self::default();
        let paired = text.matches('$').count() / 2 * 2;
        let (mut seen, mut face, mut is_index) = (0, Face::Upright, false);
        for letter in text.chars() {
            match letter {
                '$' if seen < paired => {
                    seen += 1;
                    face = if seen % 2 == 1 { Face::Italic } else { Face::Upright };
                }
                '_' if !is_index => is_index = true,
                letter => {
                    words.add(letter, face, is_index);
                    is_index = false;
                }
            }
        }
        words
    }

    /// A label: a [`formula`](Self::formula) if it has two `$`, else the text as it is.
    pub(crate) fn label(text: &str) -> Self {
        if text.matches('$').count() > 1 { Self::formula(text) } else { text.into() }
    }

    /// A formula of as many of the parts, from the first on, as fit into `widest` pixels; the first one in any case.
    pub(crate) fn fitting(parts: &[String], size: f64, widest: f64) -> Self {
        let first = |count: usize| Self::formula(&parts[..count].concat());
        let fits = |words: &Self| words.width(size) <= widest;
        (2..=parts.len()).rev().map(first).find(fits).unwrap_or_else(|| first(1))
    }

    fn add(&mut self, letter: char, face: Face, is_index: bool) {
        match self.runs.last_mut() {
            Some(last) if last.face == face && last.is_index == is_index => last.text.push(letter),
            _ => self.runs.push(Run { text: letter.to_string(), face, is_index }),
        }
    }

    /// The same with more words at the end.
    #[must_use]
    pub(crate) fn and(mut self, more: &str) -> Self {
        more.chars().for_each(|letter| self.add(letter, Face::Upright, false));
        self
    }

    /// The plain text, without the places and the styles of symbols.
    pub(crate) fn plain(&self) -> String {
        self.runs.iter().map(|run| run.text.as_str()).collect()
    }

    /// The parts in their places, set in `size` pixels per em, and the width of all.
    pub(crate) fn placed(&self, size: f64) -> (Vec<Part<'_>>, f64) {
        let (mut placed, mut right) = (Vec::new(), 0.0);
        for Run { text, face, is_index } in self.runs.iter().filter(|run| !run.text.is_empty()) {
            let (drop, size) = if *is_index { (INDEX_DROP * size, INDEX_SIZE * size) } else { (0.0, size) };
            let inked = text.trim_start_matches(' ');
            // Viewers of an SVG ignore leading spaces.
            let spaces = text_width(" ", *face, size) * (text.len() - inked.len()) as f64;
            if !inked.is_empty() {
                placed.push(Part { text: inked, face: *face, at: [right + spaces, drop], size });
            }
            right += spaces + text_width(inked, *face, size);
        }
        (placed, right)
    }

    /// Names no wider than `widest` pixels, set in `size` pixels per em. What is too wide loses its middle, because
    /// names of a kind differ at their ends.
    pub(crate) fn fitted(text: &str, size: f64, widest: f64) -> String {
        let wide = |text: &str| text_width(text, Face::Upright, size);
        if wide(text) <= widest {
            return text.to_owned();
        }
        let letters: Vec<char> = text.chars().collect();
        let kept = |count: usize| {
            let (head, tail) = (count - count / 2, letters.len() - count / 2);
            format!("{}…{}", letters[..head].iter().collect::<String>(), letters[tail..].iter().collect::<String>())
        };
        let fitting = (1..letters.len()).rev().map(kept).find(|text| wide(text) <= widest);
        fitting.unwrap_or_else(|| "…".to_owned())
    }

    /// Their width, pixels.
    pub(crate) fn width(&self, size: f64) -> f64 {
        self.placed(size).1
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self { runs: vec![Run { text, ..Run::default() }] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_stands_lower_and_smaller() {
        let words = Words::formula("$k$_B $T$").and(" (J)");
        let (parts, width) = words.placed(10.0);
        assert_eq!(parts.iter().map(|part| part.text).collect::<Vec<_>>(), ["k", "B", "T", "(J)"]);
        assert_eq!(parts.iter().map(|part| part.face == Face::Italic).collect::<Vec<_>>(), [true, false, true, false]);
        assert!(parts[1].at[1] > 0.0 && parts[1].size < 10.0 && parts[2].at[0] < width);
        let end = parts[2].at[0] + text_width("T", Face::Italic, 10.0);
        assert!(parts[3].at[0] > end + 2.0, "a space stands between");
        assert_eq!(words.plain(), "kB T (J)");
        assert_eq!(Words::from("a_b").placed(10.0).0.len(), 1, "a name stays as it is");
    }

    #[test]
    fn a_name_that_is_too_wide_keeps_its_ends() {
        let widest = text_width("ball…17", Face::Upright, 10.0);
        assert_eq!(Words::fitted("ball17", 10.0, widest), "ball17");
        let cut = Words::fitted("balls of a long name 17", 10.0, widest);
        assert!(cut.starts_with('b') && cut.ends_with("17") && cut.contains('…'), "{cut}");
        assert!(text_width(&cut, Face::Upright, 10.0) <= widest);
        assert_eq!(Words::fitted("balls", 10.0, 0.0), "…");
    }

    #[test]
    fn parts_that_do_not_fit_are_left_out_from_the_last_on() {
        let parts = ["mean 3", ", $t$ ≥ 2 s", "; theory 4"].map(str::to_owned);
        let all = Words::formula(&parts.concat()).width(10.0);
        let fitting = |widest: f64| Words::fitting(&parts, 10.0, widest).plain();
        assert_eq!(fitting(all), "mean 3, t ≥ 2 s; theory 4");
        assert_eq!(fitting(all - 1.0), "mean 3, t ≥ 2 s");
        assert_eq!(fitting(0.0), "mean 3");
    }

    #[test]
    fn a_sign_alone_is_no_mark_of_a_symbol() {
        assert_eq!(Words::formula("price ($)"), Words::from("price ($)"));
        assert_eq!(Words::formula("$a$ in $").plain(), "a in $");
        assert_eq!(Words::formula("$v_z$").plain(), "vz");
        assert_eq!(Words::label("my_run ($)"), Words::from("my_run ($)"));
        assert_eq!(Words::label("$v_z$ of a"), Words::formula("$v_z$ of a"));
    }
}
