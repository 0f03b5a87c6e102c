//! The result of a measurement: a value, and where and when it was found.

/// A value, and where and when it was found.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::oracle) struct Measured {
    pub(in crate::oracle) value: f64,
    pub(in crate::oracle) note: String,
}

impl Measured {
    pub(in crate::oracle) fn new(value: f64, note: impl Into<String>) -> Self {
        Self { value, note: note.into() }
    }

    /// The number of impacts that are missed, `of` all, with some of them in words.
    pub(in crate::oracle) fn missed(count: usize, of: usize, names: &str) -> Self {
        let note = if names.is_empty() { format!("of {of}") } else { format!("of {of}: {names}") };
        Self { value: count as f64, note }
    }
}

/// The greatest value so far.
#[derive(Debug, Clone, Copy)]
pub(in crate::oracle) struct Worst<T> {
    pub(in crate::oracle) value: f64,
    pub(in crate::oracle) of: Option<T>,
}

impl<T> Worst<T> {
    pub(in crate::oracle) const fn new() -> Self {
        Self { value: 0.0, of: None }
    }

    /// Keeps `value` if its magnitude is the greatest so far.
    pub(in crate::oracle) fn see(&mut self, value: f64, of: T) {
        if self.of.is_none() || value.abs() > self.value.abs() {
            *self = Self { value, of: Some(of) };
        }
    }

    /// Where and when it was found, in words; empty if it is zero.
    pub(in crate::oracle) fn note(self, words: impl FnOnce(T) -> String) -> String {
        self.of.filter(|_| self.value != 0.0).map(words).unwrap_or_default()
    }
}

/// The measured value, or why nothing can be measured.
pub(in crate::oracle) type Outcome = Result<Measured, &'static str>;
