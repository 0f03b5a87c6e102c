//! Names as paths: `convoy/truck1/wheel` is a part of `convoy/truck1`, and that of `convoy`.
//!
//! Names are sorted, so everything below a path stands side by side: a subtree is the path itself and one range, found
//! by bisection. A path need not be a body: `convoy` may be no more than what its bodies have in common.

use std::ops::Range;

use super::World;
use crate::dynamics::BodyId;

/// What stands between the parts of a path.
const SEPARATOR: char = '/';

/// The path of which `path` is a part, or `None` for one at the top.
pub fn parent(path: &str) -> Option<&str> {
    path.rsplit_once(SEPARATOR).map(|(parent, _)| parent)
}

impl World {
    /// The bodies of a subtree, in the order of their names: the one called `path`, if there is one, and all whose names
    /// begin with it and a slash. The empty path is the root: all bodies.
    pub fn under(&self, path: &str) -> impl Iterator<Item = BodyId> + use<> {
        self.subtree(path).into_iter().flatten().map(BodyId)
    }

    /// The paths one level below `path`, in order, each once, whether they are bodies or not. Those of the empty path
    /// are the tops. A part without a letter, as in `a//b`, is no child.
    pub fn children(&self, path: &str) -> Vec<&str> {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}{SEPARATOR}") };
        let mut rows = self.starting_with(&prefix);
        let mut children = Vec::new();
        while let Some(row) = rows.next() {
            let name = self.names[row as usize].as_str();
            let Some(length) = name[prefix.len()..].find(SEPARATOR) else {
                children.push(name);
                continue;
            };
            let child = &name[..prefix.len() + length];
            if length > 0 && self.id(child).is_none() {
                children.push(child);
            }
            rows.start = self.starting_with(&name[..=prefix.len() + length]).end;
        }
        // `b` without a body stands where `b/…` does, after `b-c`.
        children.sort_unstable();
        children
    }

    /// The rows of a subtree: those of the path itself, then those below it.
    pub(super) fn subtree(&self, path: &str) -> [Range<u32>; 2] {
        if path.is_empty() {
            return [0..self.names.len() as u32, 0..0];
        }
        let own = self.id(path).map_or(0..0, |id| id.0..id.0 + 1);
        [own, self.starting_with(&format!("{path}{SEPARATOR}"))]
    }

    /// The rows of all names that begin with `prefix`.
    fn starting_with(&self, prefix: &str) -> Range<u32> {
        let first = self.names.partition_point(|name| name.as_str() < prefix);
        let count = self.names[first..].partition_point(|name| name.starts_with(prefix));
        first as u32..(first + count) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Body, Settings};
    use glam::DVec3;

    fn world(names: &[&str]) -> World {
        let bodies = names
            .iter()
            .enumerate()
            .map(|(row, &name)| (name, Body::sphere(0.25, 1.0).unwrap().at(DVec3::X * row as f64).fixed()));
        World::new(Settings::default(), bodies).unwrap()
    }

    #[test]
    fn subtrees_and_children() {
        let world = world(&[
            "convoy/truck1",
            "convoy/truck1/wheel",
            "convoy/truck1/wheel/nut",
            "convoy/truck1-b",
            "convoy/truck1.old/wheel",
            "convoy/truck10",
            "convoys",
            "a//b",
            "/top",
            "road",
            "höhe/ö",
        ]);
        type Row = (&'static str, &'static [&'static str], &'static [&'static str]);
        let rows: [Row; 8] = [
            (
                "convoy",
                &[
                    "convoy/truck1",
                    "convoy/truck1-b",
                    "convoy/truck1.old/wheel",
                    "convoy/truck1/wheel",
                    "convoy/truck1/wheel/nut",
                    "convoy/truck10",
                ],
                &["convoy/truck1", "convoy/truck1-b", "convoy/truck1.old", "convoy/truck10"],
            ),
            (
                "convoy/truck1",
                &["convoy/truck1", "convoy/truck1/wheel", "convoy/truck1/wheel/nut"],
                &["convoy/truck1/wheel"],
            ),
            ("convoy/truck1.old", &["convoy/truck1.old/wheel"], &["convoy/truck1.old/wheel"]),
            ("convoy/truck", &[], &[]),
            ("road", &["road"], &[]),
            ("convoys/", &[], &[]),
            ("höhe", &["höhe/ö"], &["höhe/ö"]),
            ("a", &["a//b"], &[]),
        ];
        for (path, under, children) in rows {
            let found: Vec<_> = world.under(path).map(|id| world.name(id)).collect();
            assert_eq!(found, under, "under {path}");
            assert_eq!(world.children(path), children, "children of {path}");
        }
        assert_eq!(world.under("").count(), world.count());
        assert_eq!(world.children(""), ["a", "convoy", "convoys", "höhe", "road"]);
    }

    #[test]
    fn parents() {
        let rows = [("a/b/c", Some("a/b")), ("a/b", Some("a")), ("a", None), ("", None), ("a/", Some("a"))];
        rows.iter().for_each(|&(path, expected)| assert_eq!(parent(path), expected, "{path}"));
    }
}
