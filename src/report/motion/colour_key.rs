//! The key to the colours: which colour a body has, and under which words it stands in the legend.
//!
//! A few bodies stand each for itself. Many are grouped by what their names have in common, so that `gas-1` to
//! `gas-1000` become one entry, "gas (1000 spheres)".

use crate::geometry::Shape;
use crate::report::chart::legend::{Entry, Swatch};
use crate::report::chart::numbers::grouped;
use crate::report::drawing::style::{Color, PALETTE};
use crate::world::Named;

/// Most bodies that each have a colour of their own.
const SINGLE_MAX: usize = PALETTE.len();

/// Most groups; the second round of colours is dashed. Further ones share the last.
const GROUPS_MAX: usize = 2 * PALETTE.len();

/// Bodies that are drawn alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    /// What the legend calls them.
    pub(crate) label: String,
    /// Their colour.
    pub(crate) color: Color,
    /// Whether their lines are dashed.
    pub(crate) dashed: bool,
    /// Their ranks in the scenario.
    pub(crate) members: Vec<usize>,
}

/// All groups of a plot, in the order in which the scenario first names a member.
pub(crate) fn groups(bodies: &[Named], chosen: &[usize]) -> Vec<Group> {
    let single = chosen.len() <= SINGLE_MAX;
    let mut named: Vec<(&str, Vec<usize>)> = Vec::new();
    for &rank in chosen {
        let name = bodies[rank].name.as_str();
        let key = if single { name } else { stem(name) };
        match named.iter().position(|(known, _)| *known == key) {
            Some(index) => named[index].1.push(rank),
            None if named.len() == GROUPS_MAX => {
                let last = &mut named[GROUPS_MAX - 1];
                last.0 = "others";
                last.1.push(rank);
            }
            None => named.push((key, vec![rank])),
        }
    }
    named.into_iter().enumerate().map(|(index, (name, members))| group(bodies, index, name, members)).collect()
}

fn group(bodies: &[Named], index: usize, name: &str, members: Vec<usize>) -> Group {
    let label = match members.as_slice() {
        [only] => bodies[*only].name.clone(),
        many => format!("{name} ({} {})", grouped(many.len() as u64), kind(bodies, many)),
    };
    Group { label, color: PALETTE[index % PALETTE.len()], dashed: index >= PALETTE.len(), members }
}

impl Group {
    /// Its line in the legend.
    pub(crate) fn entry(&self) -> Entry {
        Entry { swatch: Swatch::Line { color: self.color, dashed: self.dashed }, label: self.label.clone() }
    }
}

/// A name without the number that sets it apart.
fn stem(name: &str) -> &str {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || "_-./ #[]()".contains(letter));
    if stem.is_empty() { "bodies" } else { stem }
}

fn kind(bodies: &[Named], members: &[usize]) -> &'static str {
    let all = |test: fn(&Shape) -> bool| members.iter().all(|&rank| test(&bodies[rank].shape));
    if all(|shape| matches!(shape, Shape::Sphere(_))) {
        "spheres"
    } else if all(|shape| matches!(shape, Shape::Box(_))) {
        "boxes"
    } else {
        "bodies"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::Body;

    fn ball(name: String) -> Named {
        Named { name, body: Body::sphere(1.0, 1.0).unwrap().fixed() }
    }

    #[test]
    fn few_bodies_stand_alone_and_many_by_their_stem() {
        let mut bodies = vec![ball("cue".to_owned())];
        bodies.extend((1..=6).map(|n| ball(format!("ball-{n}"))));
        let all: Vec<_> = (0..bodies.len()).collect();
        assert_eq!(groups(&bodies, &all).len(), 7);
        bodies.extend((7..=15).map(|n| ball(format!("ball-{n}"))));
        let all: Vec<_> = (0..bodies.len()).collect();
        let labels: Vec<_> = groups(&bodies, &all).into_iter().map(|group| group.label).collect();
        assert_eq!(labels, ["cue", "ball (15 spheres)"]);
    }

    #[test]
    fn groups_never_outnumber_their_looks() {
        let bodies: Vec<_> = ('a'..='z').map(|letter| ball(letter.to_string())).collect();
        let all: Vec<_> = (0..bodies.len()).collect();
        let groups = groups(&bodies, &all);
        assert_eq!(groups.len(), GROUPS_MAX);
        assert_eq!(groups[GROUPS_MAX - 1].label, "others (13 spheres)");
        assert_eq!(groups.iter().map(|group| group.members.len()).sum::<usize>(), 26);
    }
}
