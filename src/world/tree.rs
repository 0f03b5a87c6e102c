//! Names as paths: `convoy/truck1/wheel` is a part of `convoy/truck1`, which is a part of `convoy`.
//!
//! Names are sorted, so all names below a path are neighbours. A subtree is the path itself and one range, found by
//! bisection. A path need not be a body: `convoy` may be only the common beginning of its bodies.

use std::ops::Range;

use super::World;
use crate::dynamics::BodyId;

/// The separator between the parts of a path.
const SEPARATOR: char = '/';

/// The path that contains `path`, or `None` for one at the top.
pub fn parent(path: &str) -> Option<&str> {
    path.rsplit_once(SEPARATOR).map(|(parent, _)| parent)
}

impl World {
    /// The bodies of a subtree, in the order of their names: the one called `path`, if there is one, and all whose
    /// names begin with it and a slash. The empty path is the root: all bodies. Removed bodies are left out.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let names = ["car", "car/wheel", "cart", "road"];
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let bodies = names.into_iter().zip([0.0, 1.0, 2.0, 3.0].map(ball));
    /// let world = World::new(Settings::default(), bodies).unwrap();
    /// assert_eq!(world.under("car").map(|id| world.name(id)).collect::<Vec<_>>(), ["car", "car/wheel"]);
    /// assert_eq!(world.under("").count(), 4);
    /// ```
    pub fn under(&self, path: &str) -> impl Iterator<Item = BodyId> + use<'_> {
        let mut ids: Vec<u32> = self.subtree(path).into_iter().flatten().collect();
        if !self.names.later().is_empty() {
            ids.sort_unstable_by_key(|&row| (self.names.of(BodyId(row)) != path, self.names.of(BodyId(row))));
        }
        ids.into_iter().map(BodyId).filter(|&id| self.is_present(id))
    }

    /// The paths one level below `path`, in order, each once, whether they are bodies or not. For the empty path these
    /// are the paths at the top. An empty part, as in `a//b`, is not a child.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let names = ["convoy/truck1/wheel", "convoy/truck2", "road"];
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let bodies = names.into_iter().zip([0.0, 1.0, 2.0, 3.0].map(ball));
    /// let world = World::new(Settings::default(), bodies).unwrap();
    /// assert_eq!(world.children(""), ["convoy", "road"]);
    /// assert_eq!(world.children("convoy"), ["convoy/truck1", "convoy/truck2"]);
    /// ```
    pub fn children(&self, path: &str) -> Vec<&str> {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}{SEPARATOR}") };
        let (mut rows, later) = self.names.starting_with(&prefix);
        let mut children: Vec<&str> = later.filter_map(|id| self.child(id, prefix.len())).collect();
        while let Some(row) = rows.next() {
            let Some(child) = self.child(BodyId(row), prefix.len()) else { continue };
            children.push(child);
            if self.names.of(BodyId(row)).len() > child.len() {
                rows.start = self.names.starting_with(&format!("{child}{SEPARATOR}")).0.end;
            }
        }
        // `b` without a body is found where `b/…` is, after `b-c`.
        children.sort_unstable();
        children.dedup();
        children
    }

    /// The part of a body's name up to the end of the level that begins at `length`.
    fn child(&self, id: BodyId, length: usize) -> Option<&str> {
        let name = self.names.of(id);
        let end = name[length..].find(SEPARATOR).map_or(name.len(), |more| length + more);
        (end > length && self.is_present(id)).then(|| &name[..end])
    }

    /// The ids of a subtree: of the path itself, then of those below it. Removed bodies are among them.
    pub(super) fn subtree(&self, path: &str) -> Vec<Range<u32>> {
        if path.is_empty() {
            let all = 0..self.names.all().len() as u32;
            return vec![all];
        }
        let one = |id: BodyId| id.0..id.0 + 1;
        let prefix = format!("{path}{SEPARATOR}");
        let (first, later) = self.names.starting_with(&prefix);
        self.names.find(path).map(one).into_iter().chain([first]).chain(later.map(one)).collect()
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
