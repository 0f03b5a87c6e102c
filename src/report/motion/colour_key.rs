//! The key to the colours: which colour a body has, and under which words it stands in the legend.
//!
//! A few bodies stand each for itself. Many are grouped by what their names have in common, so that `gas-1` to
//! `gas-1000` become one entry, "gas (1000 spheres)".

use crate::geometry::Shape;
use crate::report::chart::legend::{Entry, Swatch};
use crate::report::chart::numbers::grouped;
use crate::report::chart::setup::Setup;
use crate::report::drawing::dash::Dash;
use crate::report::drawing::ink::{Color, PALETTE};
use crate::world::Named;

/// Most bodies that each have a colour of their own.
const SINGLE_MAX: usize = PALETTE.len();

/// Most groups, of which each has a pattern of its own. Further ones share the last.
const GROUPS_MAX: usize = Dash::COUNT;

/// Bodies that are drawn alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    /// What the legend calls them.
    pub(crate) label: String,
    /// Their colour.
    pub(crate) color: Color,
    /// The pattern of their lines.
    pub(crate) dash: Dash,
    /// Their ranks in the scenario.
    pub(crate) members: Vec<usize>,
}

/// All groups of a plot, in the order in which the scenario first names a member.
pub(crate) fn groups(bodies: &[Named], chosen: &[usize], setup: Setup<'_>) -> Vec<Group> {
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
    let group = |(index, (name, members))| group(bodies, index, name, members, setup);
    let mut groups: Vec<Group> = named.into_iter().enumerate().map(group).collect();
    if chosen.len() > Dash::COUNT {
        // In a crowd of lines dashes could not be told from each other.
        groups.iter_mut().for_each(|group| group.dash = Dash::SOLID);
    }
    groups
}

fn group(bodies: &[Named], index: usize, name: &str, members: Vec<usize>, setup: Setup<'_>) -> Group {
    let label = match members.as_slice() {
        [only] => setup.label(&bodies[*only].name).to_owned(),
        _ if setup.label(name) != name => setup.label(name).to_owned(),
        many => format!("{name} ({} {})", grouped(many.len() as u64), kind(bodies, many)),
    };
    let chosen = members.first().and_then(|&rank| setup.color(&bodies[rank].name));
    let color = chosen.unwrap_or(PALETTE[index % PALETTE.len()]);
    Group { label, color, dash: Dash::nth(index), members }
}

impl Group {
    /// Its line in the legend.
    pub(crate) fn entry(&self) -> Entry {
        Entry { swatch: Swatch::Line { color: self.color, dash: self.dash }, label: self.label.as_str().into() }
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
    use crate::scenario::PlotStyle;

    fn ball(name: String) -> Named {
        Named { name, body: Body::sphere(1.0, 1.0).unwrap().fixed() }
    }

    #[test]
    fn few_bodies_stand_alone_and_many_by_their_stem() {
        let mut bodies = vec![ball("cue".to_owned())];
        bodies.extend((1..=6).map(|n| ball(format!("ball-{n}"))));
        let all: Vec<_> = (0..bodies.len()).collect();
        assert_eq!(groups(&bodies, &all, Setup::new(&PlotStyle::default())).len(), 7);
        bodies.extend((7..=15).map(|n| ball(format!("ball-{n}"))));
        let all: Vec<_> = (0..bodies.len()).collect();
        let labels: Vec<_> =
            groups(&bodies, &all, Setup::new(&PlotStyle::default())).into_iter().map(|group| group.label).collect();
        assert_eq!(labels, ["cue", "ball (15 spheres)"]);
    }

    #[test]
    fn groups_never_outnumber_their_looks() {
        let bodies: Vec<_> = ('a'..='z').map(|letter| ball(letter.to_string())).collect();
        let all: Vec<_> = (0..bodies.len()).collect();
        let groups = groups(&bodies, &all, Setup::new(&PlotStyle::default()));
        assert_eq!(groups.len(), GROUPS_MAX);
        assert_eq!(groups[GROUPS_MAX - 1].label, "others (13 spheres)");
        assert_eq!(groups.iter().map(|group| group.members.len()).sum::<usize>(), 26);
    }
}
