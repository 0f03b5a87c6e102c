//! What was meant by a word that is not known.

/// The word that was meant, if one is like it, and all that are allowed.
pub(crate) fn one_of(found: &str, known: &[&str]) -> String {
    let all = known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    match nearest(found, known.iter().copied()) {
        Some(word) => format!("did you mean `{word}`? Allowed: {all}"),
        None => format!("allowed: {all}"),
    }
}

/// Least likeness, after Jaro and Winkler, of a word that may have been meant: it admits a slip of the finger or two and no
/// other word.
const LIKENESS_MIN: f64 = 0.75;

/// The word most like `found`, if one is like enough to have been meant.
pub(crate) fn nearest<'a>(found: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|word| (word, strsim::jaro_winkler(&found.to_lowercase(), &word.to_lowercase())))
        .filter(|&(_, likeness)| likeness > LIKENESS_MIN)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(word, _)| word)
}
