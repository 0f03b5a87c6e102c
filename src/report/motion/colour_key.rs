//! The colours of bodies, and their labels in the legend.
//!
//! If there are few bodies, each has its own entry. Many are grouped by what their names have in common, so that
//! `gas-1` to `gas-1000` become one entry, "gas (1000 spheres)". A body or a group has the same colour in all plots of
//! a run, as long as there are not more moving bodies than colours. A body whose name contains the name of a colour
//! gets this colour.

use std::collections::BTreeMap;

use crate::dynamics::{Motion, Response};
use crate::geometry::Shape;
use glam::DVec2;

use crate::report::chart::ends;
use crate::report::chart::{Entry, Setup, grouped, round};
use crate::report::drawing::{Canvas, Color, DRIVEN, Dash, PALETTE, Rect};
use crate::scenario::{PlotStyle, Scenario, Theme};
use crate::world::Named;

/// Most bodies that each have a colour of their own.
const SINGLE_MAX: usize = PALETTE.len();

/// Most groups; each has its own dash pattern. Further ones share the last.
const GROUPS_MAX: usize = Dash::COUNT;

/// Bodies that are drawn alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    /// Their label in the legend.
    pub(crate) label: String,
    /// Their colour.
    pub(crate) color: Color,
    /// The dash pattern of their lines.
    pub(crate) dash: Dash,
    /// Their ranks in the scenario.
    pub(crate) members: Vec<usize>,
}

/// The colours of bodies in plots on a white page by name, as red, green and blue of sRGB: of all that move and of
/// sensors. Bodies whose names begin alike share one if there are many.
pub fn colors(scenario: &Scenario) -> BTreeMap<String, [u8; 3]> {
    let whole = scenario.with_all_bodies();
    let (asked, bodies) = (PlotStyle::default(), &whole.bodies);
    let is_drawn = |rank: &usize| bodies[*rank].motion != Motion::Fixed && bodies[*rank].response != Response::Sense;
    let chosen: Vec<usize> = (0..bodies.len()).filter(is_drawn).collect();
    let setup = Setup::new(&asked).of_scenario(&whole);
    let mut colors = BTreeMap::new();
    for group in groups(bodies, &chosen, setup) {
        for body in group.members.iter().map(|&rank| &bodies[rank]) {
            let is_driven = body.motion == Motion::Kinematic && !matches!(body.shape, Shape::Sphere(_));
            let color = if is_driven && setup.color(&body.name).is_none() { DRIVEN } else { group.color };
            colors.insert(body.name.clone(), color.ink.rgb(Theme::Screen));
        }
    }
    colors
}

/// The column that names at the ends of curves need, pixels; 0 if a legend names them. Where the colours repeat, names
/// at the ends are the default, and no dashes are needed.
pub(crate) fn column(groups: &mut [Group], inner: DVec2, setup: Setup<'_>) -> f64 {
    if groups.iter().any(|group| group.members.len() > 1) {
        return 0.0;
    }
    let names: Vec<ends::Name<'_>> = groups.iter().map(|group| (group.label.as_str(), group.color)).collect();
    let column = ends::column(&names, SINGLE_MAX, inner, setup);
    if column > 0.0 {
        groups.iter_mut().for_each(|group| group.dash = Dash::SOLID);
    }
    column
}

/// Writes the names of groups at the ends of their curves; `end` is that of the group with this index.
pub(crate) fn name_ends(canvas: &mut Canvas, rect: Rect, groups: &[Group], end: impl Fn(usize) -> Option<DVec2>) {
    let mut found = Vec::new();
    for (place, group) in groups.iter().enumerate() {
        let end = end(place).map(|end| end.clamp(rect.min, rect.max));
        found.extend(end.map(|end| ((group.label.as_str(), group.color), end)));
    }
    ends::draw(canvas, rect, &found);
}

/// All groups of a plot, in the order in which the scenario first names a member.
pub(crate) fn groups(bodies: &[Named], chosen: &[usize], setup: Setup<'_>) -> Vec<Group> {
    let single = chosen.len() <= SINGLE_MAX;
    let mut named: Vec<(&str, Vec<usize>)> = Vec::new();
    let own = |rank: usize| setup.color(&bodies[rank].name);
    for &rank in chosen {
        let name = bodies[rank].name.as_str();
        let key = if single { name } else { stem(name) };
        match named.iter().position(|(known, members)| *known == key && own(members[0]) == own(rank)) {
            Some(index) => named[index].1.push(rank),
            None if named.len() == GROUPS_MAX => {
                let last = &mut named[GROUPS_MAX - 1];
                last.0 = "others";
                last.1.push(rank);
            }
            None => named.push((key, vec![rank])),
        }
    }
    let movers: Vec<&str> =
        bodies.iter().filter(|body| body.motion != Motion::Fixed).map(|b| b.name.as_str()).collect();
    let own_names = single && movers.len() > SINGLE_MAX;
    let mut keys: Vec<&str> = Vec::new();
    let known = movers.into_iter().map(|name| if single { name } else { stem(name) });
    for key in known.filter(|_| !own_names).chain(named.iter().map(|(key, _)| *key)) {
        if !keys.contains(&key) && keys.len() < GROUPS_MAX.max(named.len()) {
            keys.push(key);
        }
    }
    let places = places(&keys);
    let group = |(name, members): (&str, Vec<usize>)| {
        let rank = keys.iter().position(|&key| key == name);
        let place = rank.map_or(0, |rank| places[rank]);
        group(bodies, (place, Dash::nth(rank.unwrap_or(0))), name, members, setup)
    };
    let mut groups: Vec<Group> = named.into_iter().map(group).collect();
    if chosen.len() > Dash::COUNT {
        // In a crowd of lines dashes could not be distinguished.
        groups.iter_mut().for_each(|group| group.dash = Dash::SOLID);
    }
    groups
}

/// The indices in the palette of bodies or groups. Names with a colour get that colour; the others get the remaining
/// ones in turn.
fn places(keys: &[&str]) -> Vec<usize> {
    let spoken: Vec<Option<usize>> = keys.iter().map(|key| spoken(key)).collect();
    let free: Vec<usize> = (0..PALETTE.len()).filter(|place| !spoken.contains(&Some(*place))).collect();
    let free = if free.is_empty() { (0..PALETTE.len()).collect() } else { free };
    let mut rest = free.iter().cycle();
    spoken.into_iter().map(|place| place.unwrap_or_else(|| *rest.next().expect("a cycle has no end"))).collect()
}

/// The index of the colour that a name contains as a word, if there is one.
fn spoken(name: &str) -> Option<usize> {
    let words = name.split(|letter: char| !letter.is_alphabetic());
    let mut places = words.filter_map(|word| match word.to_lowercase().as_str() {
        "blue" => Some(0),
        "red" => Some(1),
        "green" => Some(2),
        "pink" | "purple" | "violet" => Some(3),
        "orange" | "yellow" | "amber" => Some(4),
        "cyan" => Some(5),
        "grey" | "gray" | "black" => Some(6),
        _ => None,
    });
    places.next()
}

fn group(bodies: &[Named], (place, dash): (usize, Dash), name: &str, members: Vec<usize>, setup: Setup<'_>) -> Group {
    let label = match members.as_slice() {
        [only] => setup.label(&bodies[*only].name).to_owned(),
        _ if setup.label(name) != name => setup.label(name).to_owned(),
        many => format!("{name} ({} {})", grouped(many.len() as u64), kind(bodies, many, setup.round)),
    };
    let chosen = members.first().and_then(|&rank| setup.color(&bodies[rank].name));
    Group { label, color: chosen.unwrap_or(PALETTE[place]), dash, members }
}

/// The label of a map of all `groups` together.
pub(crate) fn together(scenario: &Scenario, groups: &[Group]) -> String {
    match groups {
        [only] => only.label.clone(),
        many => {
            let members: Vec<usize> = many.iter().flat_map(|group| group.members.iter().copied()).collect();
            format!("{} {}", grouped(members.len() as u64), kind(&scenario.bodies, &members, round(scenario)))
        }
    }
}

/// For each of so many bodies of the scenario, the group that it is in.
pub(crate) fn group_of(groups: &[Group], bodies: usize) -> Vec<Option<usize>> {
    let mut group_of = vec![None; bodies];
    for (row, group) in groups.iter().enumerate() {
        group.members.iter().for_each(|&body| group_of[body] = Some(row));
    }
    group_of
}

impl Group {
    /// Its line in the legend.
    pub(crate) fn entry(&self) -> Entry {
        Entry::line(self.color, self.dash, self.label.as_str())
    }
}

/// A name without the number that sets it apart.
pub(crate) fn stem(name: &str) -> &str {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || "_-./ #[]()".contains(letter));
    if stem.is_empty() { "bodies" } else { stem }
}

fn kind(bodies: &[Named], members: &[usize], round: &'static str) -> &'static str {
    let all = |test: fn(&Shape) -> bool| members.iter().all(|&rank| test(&bodies[rank].shape));
    if all(|shape| matches!(shape, Shape::Sphere(_))) {
        round
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
        Named { name, body: Body::sphere(1.0, 1.0).unwrap() }
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
    fn a_body_has_one_color_in_every_plot_and_that_of_its_name() {
        let bodies: Vec<_> = ["a", "red", "b", "the blue ball", "c"].map(|name| ball(name.to_owned())).into();
        let style = PlotStyle::default();
        let all = groups(&bodies, &[0, 1, 2, 3, 4], Setup::new(&style));
        assert_eq!(
            all.iter().map(|group| group.color).collect::<Vec<_>>(),
            [2, 1, 3, 0, 4].map(|place| PALETTE[place])
        );
        for part in [vec![1, 4], vec![2], vec![3, 4]] {
            for (group, &body) in groups(&bodies, &part, Setup::new(&style)).iter().zip(&part) {
                assert_eq!((group.color, group.dash), (all[body].color, all[body].dash), "{}", group.label);
            }
        }
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
