//! Words with which Python values are given and refused.

use std::fmt::Display;

use pyo3::prelude::*;

/// A word without its case and its separators, so that `SpaceTime` is the same as `space_time`, and `XZ` as `xz`.
pub(crate) fn plain(word: &str) -> String {
    word.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The one of the `known` words that is meant, in any case and with any separators.
pub(crate) fn meant<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let wanted = plain(word);
    known.iter().copied().find(|known| plain(known) == wanted)
}

/// A word of a scenario as one writes it in Python: `SpaceTime` is `space_time`.
pub(crate) fn snake(word: &str) -> String {
    let mut text = String::new();
    let mut before = None;
    for letter in word.chars() {
        if letter.is_uppercase() && before.is_some_and(char::is_lowercase) {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
        before = Some(letter);
    }
    text
}

/// Words as alternatives: `"a", "b" or "c"`.
pub(crate) fn either(words: &[impl Display]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// A question for a word that is similar to one of these, or nothing.
pub(crate) fn did_you_mean(word: &str, known: &[String]) -> String {
    let nearest = Python::attach(|py| {
        let found =
            py.import("difflib")?.call_method1("get_close_matches", (word.to_lowercase(), known.to_vec(), 1))?;
        found.extract::<Vec<String>>()
    });
    match nearest.unwrap_or_default().first() {
        Some(nearest) => format!("; did you mean \"{nearest}\"?"),
        None => String::new(),
    }
}

/// A value as Python shows it, and its class: `'wide' (a str)`.
pub(crate) fn shown(given: &Bound<'_, PyAny>) -> String {
    /// Most characters that are shown.
    const SHOWN_MAX: usize = 60;
    let text = given.repr().map_or_else(|_| "a value".to_owned(), |text| text.to_string());
    let class = given.get_type().name().map_or_else(|_| "value".to_owned(), |name| name.to_string());
    let short: String = text.chars().take(SHOWN_MAX).collect();
    let more = if short.len() < text.len() { "..." } else { "" };
    let article = if class.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O']) { "an" } else { "a" };
    format!("{short}{more} ({article} {class})")
}

/// A message of the command line for Python: an option such as `--from` becomes the argument of this name, and `--to
/// gif` the ending or the word for it.
pub(crate) fn of_python(message: &str) -> String {
    let message = message.replace("--to gif", "a .gif").replace("--to apng", "a .apng").replace("--to xyz", "\"xyz\"");
    let mut text = String::new();
    let mut rest = message.as_str();
    while let Some((before, after)) = rest.split_once("--") {
        let end = after.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(after.len());
        let (option, later) = after.split_at(end);
        let name = if option == "from" { "from_".to_owned() } else { option.replace('-', "_") };
        let value =
            later.strip_prefix(' ').and_then(|later| ["false", "true"].iter().find(|word| later.starts_with(**word)));
        text.push_str(&format!("{before}{name}"));
        rest = later;
        if let Some(word) = value {
            text.push_str(if *word == "true" { "=True" } else { "=False" });
            rest = &later[1 + word.len()..];
        }
    }
    text + rest
}
