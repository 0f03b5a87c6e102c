//! A line of words, parts of which may stand lower and smaller, as in a symbol with an index.

use super::typeface::text_width;

/// Size of an index, over that of the words.
const INDEX_SIZE: f64 = 0.7;
/// How far an index stands below the line, ems of the words.
const INDEX_DROP: f64 = 0.22;

/// Words and the indices between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Words {
    /// What stands on the line and what stands below it, in turn.
    parts: Vec<String>,
}

/// A part of a line of words, in its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part<'a> {
    pub(crate) text: &'a str,
    /// From the beginning of the line, and below it, pixels.
    pub(crate) at: [f64; 2],
    /// Pixels an em.
    pub(crate) size: f64,
}

impl Words {
    /// A formula: `_` lowers the letter after it.
    pub(crate) fn formula(text: &str) -> Self {
        let mut parts = vec![String::new()];
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '_' => parts.extend([letters.next().map(String::from).unwrap_or_default(), String::new()]),
                letter => parts.last_mut().expect("there is one from the start").push(letter),
            }
        }
        Self { parts }
    }

    /// With more words behind.
    #[must_use]
    pub(crate) fn and(mut self, more: &str) -> Self {
        match self.parts.last_mut() {
            Some(last) => last.push_str(more),
            None => self.parts.push(more.to_owned()),
        }
        self
    }

    /// Without the indices' places.
    pub(crate) fn plain(&self) -> String {
        self.parts.concat()
    }

    /// The parts in their places, set in `size` pixels an em, and how wide all are.
    pub(crate) fn placed(&self, size: f64) -> (Vec<Part<'_>>, f64) {
        let (mut placed, mut right) = (Vec::new(), 0.0);
        for (index, text) in self.parts.iter().enumerate() {
            let (drop, size) = if index % 2 == 0 { (0.0, size) } else { (INDEX_DROP * size, INDEX_SIZE * size) };
            if !text.is_empty() {
                placed.push(Part { text, at: [right, drop], size });
                right += text_width(text, size);
            }
        }
        (placed, right)
    }

    /// How wide they are, pixels.
    pub(crate) fn width(&self, size: f64) -> f64 {
        self.placed(size).1
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Self { parts: vec![text.to_owned()] }
    }
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self { parts: vec![text] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_stands_lower_and_smaller() {
        let words = Words::formula("k_B T").and(" (J)");
        let (parts, width) = words.placed(10.0);
        assert_eq!(parts.iter().map(|part| part.text).collect::<Vec<_>>(), ["k", "B", " T (J)"]);
        assert!(parts[1].at[1] > 0.0 && parts[1].size < 10.0 && parts[2].at[0] < width);
        assert_eq!(words.plain(), "kB T (J)");
        assert_eq!(Words::from("a_b").placed(10.0).0.len(), 1, "a name stays as it is");
    }
}
