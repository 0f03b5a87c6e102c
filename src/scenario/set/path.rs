//! Paths to a value of a scenario, as a user writes them.
//!
//! `materials.steel.restitution`, `bodies.ball.velocity.x`, `fill[0].seed`: a path is a sequence of names of fields,
//! keys of maps, names or indices of entries of lists, and `x`, `y`, `z` of a triple. A name with a dot, a bracket or
//! an equals sign stands in brackets and quotation marks: `materials["soft.steel"].restitution`.

/// The parts of a path, from the top, and how many bytes of the text they take: up to an equals sign or the end.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn steps(text: &str) -> Result<(Vec<String>, usize), &'static str> {
    let mut steps = Vec::new();
    let mut rest = text;
    loop {
        let (step, after) = step(rest)?;
        steps.push(step.to_owned());
        rest = match after.as_bytes().first() {
            None | Some(b'=') => return Ok((steps, text.len() - after.len())),
            Some(b'.') => &after[1..],
            Some(b'[') => after,
            Some(_) => return Err("after a bracket comes a dot, another bracket or the end"),
        };
    }
}

/// The first part of a path, and what comes after it.
fn step(text: &str) -> Result<(&str, &str), &'static str> {
    const UNENDED: &str = "a bracket or a quotation mark is opened and not closed";
    if let Some(quoted) = text.strip_prefix("[\"") {
        return quoted.split_once("\"]").ok_or(UNENDED);
    }
    let (step, after) = match text.strip_prefix('[') {
        Some(place) => place.split_once(']').ok_or(UNENDED)?,
        None => text.split_at(text.find(['.', '[', '=']).unwrap_or(text.len())),
    };
    let step = step.trim();
    if step.is_empty() { Err("a part of it is empty") } else { Ok((step, after)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_names_places_and_quoted_names() {
        let rows: [(&str, &[&str], &str); 6] = [
            ("timestep", &["timestep"], ""),
            ("bodies.ball.velocity.x=3", &["bodies", "ball", "velocity", "x"], "=3"),
            ("bodies[0].mass", &["bodies", "0", "mass"], ""),
            ("fill.0[\"gas/1\"].seed", &["fill", "0", "gas/1", "seed"], ""),
            ("materials[\"a.b=c\"].friction=\"=\"", &["materials", "a.b=c", "friction"], "=\"=\""),
            ("a = b", &["a"], "= b"),
        ];
        for (text, wanted, rest) in rows {
            let (found, bytes) = steps(text).unwrap();
            assert_eq!((found, &text[bytes..]), (wanted.iter().map(ToString::to_string).collect(), rest), "{text}");
        }
        for text in ["", ".", "a..b", "a[", "a[0", "a[\"b]", "a[0]b", "[]", "=3"] {
            assert!(steps(text).is_err(), "{text}");
        }
    }
}
