//! The first difference between two states of one world: the body, the field, both values.
//!
//! The observable state comes first, body by body in the order of the ids: position, velocity, spin. Then come
//! contacts, balance and counts, field by field in the order of a snapshot.

use std::collections::BTreeMap;
use std::fmt;

use glam::DVec3;
use serde::Serialize;
use serde_json::Value;

use crate::dynamics::BodyId;
use crate::world::Snapshot;

/// Most ulps that are shown: more say nothing.
const ULPS_MAX: u64 = 1_000_000;

/// The components of a vector.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The first number in which two states differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The body, if the number belongs to one.
    pub body: Option<String>,
    /// The field, such as `velocity.z`.
    pub field: String,
    /// The recorded value.
    pub recorded: String,
    /// The value that was found.
    pub found: String,
    /// The distance between the two, counted in numbers of type `f64`: 1 for neighbours. `None` if they are not such
    /// numbers, or have not both the same sign: nothing is counted from or through zero.
    pub ulps: Option<u64>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body, field, recorded, found, ulps } = self;
        if let Some(body) = body {
            write!(f, "`{body}`: ")?;
        }
        write!(f, "{field} was recorded as {recorded} and is {found}")?;
        match ulps {
            Some(1) => write!(f, ", 1 ulp off"),
            Some(ulps) if *ulps <= ULPS_MAX => write!(f, ", {ulps} ulps off"),
            _ => Ok(()),
        }
    }
}

/// The first difference between two snapshots; `None` if they are the same to the bit. `name` gives the names of
/// bodies.
pub fn difference(recorded: &Snapshot, found: &Snapshot, name: impl Fn(BodyId) -> String) -> Option<Difference> {
    let [was, is] = [recorded, found].map(|snapshot| snapshot.motions().count());
    if was != is {
        // The ids of the others are not the same, so their numbers cannot be compared.
        let field = "number of bodies".to_owned();
        return Some(Difference { body: None, field, recorded: was.to_string(), found: is.to_string(), ulps: None });
    }
    // If other bodies are there, that is the difference, and is found below.
    let mut both = recorded.motions().zip(found.motions()).take_while(|((id, _), (other, _))| id == other);
    let seen = both.find_map(|((id, was), (_, is))| in_motion(was, is, || name(id)));
    seen.or_else(|| hidden(recorded, found, &name))
}

fn in_motion(recorded: [DVec3; 3], found: [DVec3; 3], name: impl Fn() -> String) -> Option<Difference> {
    let fields = ["position", "velocity", "spin"].into_iter().zip(recorded).zip(found);
    fields.into_iter().find_map(|((field, was), is)| {
        let (axis, was, is) = first_axis(was, is)?;
        let (recorded, found) = (was.to_string(), is.to_string());
        Some(Difference { body: Some(name()), field: format!("{field}.{axis}"), recorded, found, ulps: ulps(was, is) })
    })
}

fn first_axis(a: DVec3, b: DVec3) -> Option<(&'static str, f64, f64)> {
    let axes = AXES.into_iter().zip(a.to_array()).zip(b.to_array());
    axes.map(|((axis, a), b)| (axis, a, b)).find(|(_, a, b)| a.to_bits() != b.to_bits())
}

/// The first difference in any field of a snapshot.
fn hidden(recorded: &Snapshot, found: &Snapshot, name: impl Fn(BodyId) -> String) -> Option<Difference> {
    let [was, is] = [recorded, found].map(|snapshot| serde_json::to_value(snapshot).unwrap_or_default());
    if let Some(difference) = by_commands(&was["state"], &is["state"], &name) {
        return Some(difference);
    }
    let mut path = Vec::new();
    let (was, is) = first_leaf(&was, &is, &mut path)?;
    let (body, field) = place(&path, recorded, name);
    let ulps =
        was.as_f64().zip(is.as_f64()).filter(|_| was.is_f64() && is.is_f64()).and_then(|(was, is)| ulps(was, is));
    Some(Difference { body, field, recorded: was.to_string(), found: is.to_string(), ulps })
}

/// What commands change of bodies: the lists of it in a snapshot, each of pairs of an id and a value, and their names.
const CHANGED: [(&str, &str); 2] = [("altered", "material and layers"), ("turned", "cells")];

/// The first difference in what commands have changed.
fn by_commands(was: &Value, is: &Value, name: impl Fn(BodyId) -> String) -> Option<Difference> {
    CHANGED.into_iter().find_map(|(list, words)| {
        let [was, is] = [was, is].map(|state| -> BTreeMap<u64, &Value> {
            let rows = state[list].as_array().into_iter().flatten();
            rows.filter_map(|row| Some((row[0].as_u64()?, &row[1]))).collect()
        });
        let id = was.keys().chain(is.keys()).filter(|id| was.get(id) != is.get(id)).min()?;
        let (field, [recorded, found]) = match [&was, &is].map(|rows| rows.get(id)) {
            [Some(was), Some(is)] => {
                let mut path = Vec::new();
                let (was, is) = first_leaf(was, is, &mut path)?;
                (path.join("."), [was, is].map(|value| value.to_string()))
            }
            rows => {
                let word = |row: Option<_>| if row.is_some() { "changed by a command" } else { "unchanged" };
                (words.to_owned(), rows.map(|row| word(row).to_owned()))
            }
        };
        let body = Some(name(BodyId(u32::try_from(*id).ok()?)));
        Some(Difference { body, field, recorded, found, ulps: None })
    })
}

/// The first two values at the same place that differ. If one list is longer, the lengths of the lists.
fn first_leaf(a: &Value, b: &Value, path: &mut Vec<String>) -> Option<(Value, Value)> {
    let mut inside = |key: String, a: &Value, b: &Value| {
        path.push(key);
        let found = first_leaf(a, b, path);
        if found.is_none() {
            path.pop();
        }
        found
    };
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            let is_vector = a.len() == AXES.len() && a.iter().all(Value::is_f64);
            let key = |row: usize| if is_vector { AXES[row].to_owned() } else { row.to_string() };
            let mut both = a.iter().zip(b).enumerate();
            let found = both.find_map(|(row, (a, b))| inside(key(row), a, b));
            found.or_else(|| (a.len() != b.len()).then(|| (Value::from(a.len()), Value::from(b.len()))))
        }
        // Both are of one type, with the same fields.
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            let mut both = a.iter().zip(b.values());
            both.find_map(|((key, a), b)| inside(key.clone(), a, b))
        }
        (Value::Number(x), Value::Number(y)) if x.is_f64() && y.is_f64() => {
            let same = x.as_f64().map(f64::to_bits) == y.as_f64().map(f64::to_bits);
            (!same).then(|| (a.clone(), b.clone()))
        }
        _ => (a != b).then(|| (a.clone(), b.clone())),
    }
}

/// The fields of a snapshot with a row for each body that is present.
const COLUMNS: [&str; 7] = ["paths", "turns", "impact_counts", "spins", "rapid_impacts", "reactions", "due"];

fn place(path: &[String], snapshot: &Snapshot, name: impl Fn(BodyId) -> String) -> (Option<String>, String) {
    let inside = path.strip_prefix(&["state".to_owned()]).unwrap_or(path);
    if let [column, row, rest @ ..] = inside
        && COLUMNS.contains(&column.as_str())
        && let Some((id, _)) = row.parse().ok().and_then(|row| snapshot.motions().nth(row))
    {
        let field = std::iter::once(column).chain(rest).map(String::as_str).collect::<Vec<_>>().join(".");
        return (Some(name(id)), field);
    }
    (None, inside.join("."))
}

/// The distance of two numbers in representable numbers; `None` if one is zero, or they have different signs.
fn ulps(a: f64, b: f64) -> Option<u64> {
    (a * b.signum() > 0.0 && b != 0.0).then(|| a.to_bits().abs_diff(b.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ulps_are_counted_on_one_side_of_zero() {
        let tiny = f64::from_bits(1);
        let rows = [
            (1.0, 1.0, Some(0)),
            (1.0, 1.0_f64.next_up(), Some(1)),
            (-1.0, (-1.0_f64).next_up(), Some(1)),
            (0.0, -0.0, None),
            (0.0, 1.0, None),
            (tiny, -tiny, None),
            (-tiny, -2.0 * tiny, Some(1)),
            (1.0, 2.0, Some(1 << 52)),
        ];
        for (a, b, wanted) in rows {
            assert_eq!((ulps(a, b), ulps(b, a)), (wanted, wanted), "{a} {b}");
        }
    }
}
