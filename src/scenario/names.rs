//! Names: the rules for them, the entry that has each, and the bodies that a list of names selects.
//!
//! The rank of a body is the rank of its name, so a name must not depend on the place of the body in the file. Names
//! given in the file do not depend on it, nor do the names made here.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::error_kinds::Fault;
use super::limits::{NAME_BYTES_MAX, TITLE_CHARS_MAX};
use super::problem::{Entry, Report};
use super::text::nearest::nearest;
use super::text::printable::{HIDDEN, is_hidden};
use crate::dynamics::Motion;
use crate::geometry::Shape;
use crate::world::Named;

/// How many names are compared to suggest the one that was meant.
pub(super) const NEAREST_MAX: usize = 10_000;

// The rules below state these numbers.
const _: () = assert!(NAME_BYTES_MAX == 255 && TITLE_CHARS_MAX == 500);

/// The rule that `name` breaks, as the end of a sentence that begins with "a name".
///
/// Slashes divide a name like a path, and results may be stored under it, so no part may lead to another folder.
pub(super) fn unfit(name: &str) -> Option<&'static str> {
    let rules: [(bool, &'static str); 2] = [
        (name.contains(['\\', ':', '*']), "must not hold `\\`, `:` or `*`"),
        (
            name.split('/').any(|part| matches!(part, "" | "." | "..")),
            "must not begin or end with `/`, and no part of it may be empty, `.` or `..`",
        ),
    ];
    unfit_word(name).or_else(|| rules.into_iter().find(|(broken, _)| *broken).map(|(_, must)| must))
}

/// The same for names that no file has, such as the name of a material.
pub(super) fn unfit_word(name: &str) -> Option<&'static str> {
    let rules: [(bool, &'static str); 4] = [
        (name.is_empty(), "must not be empty"),
        (name.len() > NAME_BYTES_MAX, "must not be longer than 255 bytes"),
        (name.chars().any(is_hidden), HIDDEN),
        (name.trim() != name, "must not begin or end with a blank"),
    ];
    rules.into_iter().find(|(broken, _)| *broken).map(|(_, must)| must)
}

/// The rule that a title breaks.
pub(super) fn unfit_title(title: &str) -> Option<&'static str> {
    let rules: [(bool, &'static str); 2] = [
        (title.chars().count() > TITLE_CHARS_MAX, "must not be longer than 500 characters"),
        (title.chars().any(is_hidden), HIDDEN),
    ];
    rules.into_iter().find(|(broken, _)| *broken).map(|(_, must)| must)
}

/// Checks the name in the field `name` of `entry`.
pub(super) fn check(report: &mut Report<'_>, entry: Entry<'_>, name: &str) -> Option<()> {
    match unfit(name) {
        Some(must) => report.fail(entry, "name", Fault::UnfitName { what: "name", must }),
        None => Some(()),
    }
}

/// The entry that has each name.
pub(super) struct Registry<'a> {
    owners: HashMap<String, Entry<'a>>,
}

impl<'a> Registry<'a> {
    pub(super) fn new() -> Self {
        Self { owners: HashMap::new() }
    }

    /// Notes that `entry` makes a body called `name`; a name that is taken is reported.
    pub(super) fn take(&mut self, report: &mut Report<'_>, entry: Entry<'a>, name: &str) {
        if let Some(&earlier) = self.owners.get(name) {
            let fault = Fault::NameTaken { name: name.to_owned(), owner: earlier.field("") };
            report.add_clash((entry, "name"), (earlier, "name"), fault);
            return;
        }
        self.owners.insert(name.to_owned(), entry);
    }
}

/// Gives names to the bodies that have none: `sphere/1`, `sphere/2`, `box/1`, `plane/1`; in a planar world `disc/1`.
///
/// They are numbered by position (x, then y, then z), then by all else that distinguishes them, and not by their order
/// in the file.
pub(super) fn generate(bodies: &mut [Named], is_planar: bool) {
    for kind in ["sphere", "box", "plane", "arc", "mesh", "grid"] {
        let is_it = |body: &Named| body.name.is_empty() && shape_noun(&body.shape).ends_with(kind);
        let mut rows: Vec<usize> = (0..bodies.len()).filter(|&row| is_it(&bodies[row])).collect();
        rows.sort_by(|&a, &b| order(&bodies[a], &bodies[b]));
        let width = rows.len().to_string().len();
        for (place, row) in rows.into_iter().enumerate() {
            let kind = if is_planar && kind == "sphere" { "disc" } else { kind };
            bodies[row].name = format!("{kind}/{:0width$}", place + 1);
        }
    }
}

/// What a shape is, with the article.
pub(crate) fn shape_noun(shape: &Shape) -> &'static str {
    match shape {
        Shape::Sphere(_) => "a sphere",
        Shape::Box(_) => "a box",
        Shape::Plane(_) => "a plane",
        Shape::Mesh(_) => "a mesh",
        Shape::Arc(_) => "an arc",
        Shape::Grid(_) => "a grid",
    }
}

fn order(a: &Named, b: &Named) -> Ordering {
    let (a, b) = (content(a), content(b));
    let differing = a.iter().zip(&b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
    differing.unwrap_or(Ordering::Equal)
}

/// All properties that distinguish two bodies of one kind, as numbers.
fn content(body: &Named) -> [f64; 16] {
    let [x, y, z] = body.position.to_array();
    let [u, v, w] = body.velocity.to_array();
    let [l, m, n] = body.spin.to_array();
    let [p, q, r, s] = match &body.shape {
        Shape::Sphere(radius) => [radius.get(), 0.0, 0.0, 0.0],
        Shape::Box(half) => [half.get().x, half.get().y, half.get().z, 0.0],
        Shape::Plane(plane) => [plane.normal().x, plane.normal().y, plane.normal().z, plane.offset()],
        Shape::Arc(arc) => [arc.radius(), arc.ends()[0].x, arc.ends()[0].y, arc.ends()[1].x],
        Shape::Mesh(mesh) => {
            let (low, high) = (mesh.bounds().min, mesh.bounds().max);
            [low.x + high.x, low.y + high.y, low.z + high.z, mesh.triangles().len() as f64]
        }
        Shape::Grid(grid) => {
            let max = grid.bounds().max;
            [max.x, max.y, max.z, grid.solid_count() as f64]
        }
    };
    let mass = match body.motion {
        Motion::Free(mass) => mass.get(),
        Motion::Fixed => 0.0,
        Motion::Kinematic => -1.0,
    };
    let rest = [mass, f64::from(body.material.0), f64::from(body.response as u8)];
    [x, y, z, u, v, w, p, q, r, s, rest[0], rest[1], rest[2], l, m, n]
}

/// The bodies of a scenario, to look up names in lists.
pub(super) struct NameTable<'a> {
    names: Vec<&'a str>,
    known: HashSet<&'a str>,
    /// False if bodies are missing because something is wrong with them. Then no name is reported as unknown.
    complete: bool,
}

impl<'a> NameTable<'a> {
    pub(super) fn new(names: impl IntoIterator<Item = &'a str>, complete: bool) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        Self { known: names.iter().copied().collect(), names, complete }
    }

    /// The body that the field `path` of `entry` names.
    pub(super) fn one(&self, report: &mut Report<'_>, entry: Entry<'_>, path: &str, name: &str) -> Option<String> {
        if self.known.contains(name) {
            return Some(name.to_owned());
        }
        if self.complete {
            let known = self.names.iter().take(NEAREST_MAX).copied();
            let nearest = if report.is_full() { None } else { nearest(name, known).map(str::to_owned) };
            report.add(entry, path, Fault::UnknownBody { found: name.to_owned(), nearest });
        }
        None
    }

    /// The bodies that the list in the field `path` of `entry` names. A name that ends in `*` selects all names with
    /// this beginning.
    pub(super) fn many(&self, report: &mut Report<'_>, entry: Entry<'_>, path: &str, names: &[String]) -> Vec<String> {
        let mut found = Vec::new();
        for (place, name) in names.iter().enumerate() {
            found.extend(self.named(report, entry, &format!("{path}[{place}]"), name));
        }
        found
    }

    /// The bodies that one such name selects. The name of a whole `fill` gets the advice to add `/*`.
    pub(super) fn named(&self, report: &mut Report<'_>, entry: Entry<'_>, path: &str, name: &str) -> Vec<String> {
        if let Some(prefix) = name.strip_suffix('*') {
            return self.prefixed(report, entry, path, prefix);
        }
        let group = format!("{name}/");
        if self.complete && !self.known.contains(name) && self.names.iter().any(|known| known.starts_with(&group)) {
            report.add(entry, path, Fault::UnknownBody { found: name.to_owned(), nearest: Some(group + "*") });
            return Vec::new();
        }
        Vec::from_iter(self.one(report, entry, path, name))
    }

    fn prefixed(&self, report: &mut Report<'_>, entry: Entry<'_>, path: &str, prefix: &str) -> Vec<String> {
        let found = self.names.iter().filter(|name| name.starts_with(prefix));
        let found: Vec<String> = found.map(|&name| name.to_owned()).collect();
        if found.is_empty() && self.complete {
            report.add(entry, path, Fault::EmptyPrefix { prefix: prefix.to_owned() });
        }
        found
    }
}
