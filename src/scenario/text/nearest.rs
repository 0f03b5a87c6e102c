//! Suggestions for words that are not known.

/// A suggestion for a word, if one of the allowed words is similar, and all allowed words.
pub(crate) fn one_of(found: &str, known: &[&str]) -> String {
    let all = known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    match nearest(found, known.iter().copied()) {
        Some(word) => format!("did you mean `{word}`? Allowed: {all}"),
        None => format!("allowed: {all}"),
    }
}

/// Least similarity of a suggestion, after Jaro and Winkler. It accepts one or two typing errors, but no different
/// word.
const LIKENESS_MIN: f64 = 0.75;

/// The word most similar to `found`, if one is similar enough to have been meant.
pub(crate) fn nearest<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|word| (word, strsim::jaro_winkler(&found.to_lowercase(), &word.to_lowercase())))
        .filter(|&(_, likeness)| likeness > LIKENESS_MIN)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(word, _)| word)
}
