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
    fn a_sign_alone_is_no_mark_of_a_symbol() {
        assert_eq!(Words::formula("price ($)"), Words::from("price ($)"));
        assert_eq!(Words::formula("$a$ in $").plain(), "a in $");
        assert_eq!(Words::formula("$v_z$").plain(), "vz");
        assert_eq!(Words::label("my_run ($)"), Words::from("my_run ($)"));
        assert_eq!(Words::label("$v_z$ of a"), Words::formula("$v_z$ of a"));
    }
}
