//! Paths to a value of a scenario, as a user writes them.
//!
//! `materials.steel.restitution`, `bodies.ball.velocity.x`, `fill[0].seed`: a path is a sequence of names of fields,
//! keys of maps, names or indices of entries of lists, and `x`, `y`, `z` of a triple. A name with a dot, a bracket or
//! an equals sign, and one that could be taken for an index or an axis, stands in brackets and quotation marks:
//! `materials["soft.steel"].restitution`, `bodies["7"].mass`. In it, a quotation mark is written `\"`, and a backslash
//! `\\`.

/// A part of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A field, a key, a name, an index or an axis.
    Word(String),
    /// A key or a name, in quotation marks.
    Name(String),
}

impl Step {
    /// What it says, however it is written.
    pub(super) fn text(&self) -> &str {
        let (Self::Word(text) | Self::Name(text)) = self;
        text
    }

    /// The index that it is.
    pub(super) fn index(&self) -> Option<usize> {
        if let Self::Word(word) = self { word.parse().ok() } else { None }
    }

    /// The number of the axis that it is.
    pub(super) fn axis(&self) -> Option<usize> {
        if let Self::Word(word) = self { AXES.iter().position(|axis| axis == word) } else { None }
    }
}

/// The parts of a triple.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// The parts of a path, from the top, and how many bytes of the text they take: up to an equals sign or the end.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn steps(text: &str) -> Result<(Vec<Step>, usize), &'static str> {
    let mut steps = Vec::new();
    let mut rest = text;
    loop {
        let (step, after) = step(rest)?;
        steps.push(step);
        rest = match after.as_bytes().first() {
            None | Some(b'=') => return Ok((steps, text.len() - after.len())),
            Some(b'.') => &after[1..],
            Some(b'[') => after,
            Some(_) => return Err("after a bracket comes a dot, another bracket or the end"),
        };
    }
}

/// The first part of a path, and what comes after it.
fn step(text: &str) -> Result<(Step, &str), &'static str> {
    const UNENDED: &str = "a bracket or a quotation mark is opened and not closed";
    if let Some(quoted) = text.strip_prefix("[\"") {
        let (name, after) = unquoted(quoted).ok_or(UNENDED)?;
        return Ok((Step::Name(name), after.strip_prefix(']').ok_or(UNENDED)?));
    }
    let (step, after) = match text.strip_prefix('[') {
        Some(place) => place.split_once(']').ok_or(UNENDED)?,
        None => text.split_at(text.find(['.', '[', '=']).unwrap_or(text.len())),
    };
    let step = step.trim();
    if step.is_empty() { Err("a part of it is empty") } else { Ok((Step::Word(step.to_owned()), after)) }
}

/// The path `path` with one more part, a name.
pub(in crate::scenario) fn path_with(path: &str, name: &str) -> String {
    let is_clear = !name.is_empty() && name.trim() == name && !name.contains(['.', '[', '=', '"', '\\']);
    let is_word = is_clear && name.parse::<usize>().is_err() && !AXES.contains(&name);
    let dot = if path.is_empty() { "" } else { "." };
    if is_word { format!("{path}{dot}{name}") } else { format!("{path}[{name:?}]") }
}

/// The name up to a quotation mark, and what comes after it.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut characters = text.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => return Some((name, &text[place + 1..])),
            '\\' => name.push(characters.next()?.1),
            _ => name.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_names_places_and_quoted_names() {
        let rows: [(&str, &[&str], &str); 7] = [
            ("timestep", &["timestep"], ""),
            (r#"bodies["a\"b\\"].mass=1"#, &["bodies", r#"a"b\"#, "mass"], "=1"),
            ("bodies.ball.velocity.x=3", &["bodies", "ball", "velocity", "x"], "=3"),
            ("bodies[0].mass", &["bodies", "0", "mass"], ""),
            ("fill.0[\"gas/1\"].seed", &["fill", "0", "gas/1", "seed"], ""),
            ("materials[\"a.b=c\"].friction=\"=\"", &["materials", "a.b=c", "friction"], "=\"=\""),
            ("a = b", &["a"], "= b"),
        ];
        for (text, wanted, rest) in rows {
            let (found, bytes) = steps(text).unwrap();
            let found: Vec<&str> = found.iter().map(Step::text).collect();
            assert_eq!((&found[..], &text[bytes..]), (wanted, rest), "{text}");
        }
        for name in ["ball", "soft.steel", "7", "x", "a\"b\\", " b", "gas/1"] {
            let path = path_with("bodies", name);
            let (found, bytes) = steps(&path).unwrap();
            assert_eq!((found[1].text(), found[1].index(), bytes), (name, None, path.len()), "{path}");
        }
        for text in ["", ".", "a..b", "a[", "a[0", "a[\"b]", "a[0]b", "[]", "=3"] {
            assert!(steps(text).is_err(), "{text}");
        }
    }
}
