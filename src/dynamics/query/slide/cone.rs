//! The motion that is left where planes block it: the nearest one that enters none of them.

use glam::{DMat3, DVec3};

use crate::numeric::tolerance::PROJECTION_SLACK;

/// A plane that is met: its unit normal, and the least way along it, m. The way is not 0 where the plane moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Facing {
    pub(super) normal: DVec3,
    pub(super) least: f64,
}

impl Facing {
    fn lacks(&self, motion: DVec3) -> f64 {
        self.least - self.normal.dot(motion)
    }

    /// Whether this is its normal, to rounding.
    fn is_along(&self, normal: DVec3) -> bool {
        (self.normal - normal).abs().max_element() <= PROJECTION_SLACK
    }

    /// Whether the motion does not enter the plane, to rounding of motions of this size.
    fn permits(&self, motion: DVec3, size: f64) -> bool {
        self.lacks(motion) <= PROJECTION_SLACK * (size + motion.length())
    }
}

/// The planes that are met at one place.
#[derive(Debug, Clone, Default)]
pub(super) struct Cone(Vec<Facing>);

impl Cone {
    /// Adds a plane, unless it is there.
    pub(super) fn add(&mut self, facing: Facing) {
        match self.0.iter_mut().find(|known| known.is_along(facing.normal)) {
            Some(known) => known.least = known.least.max(facing.least),
            None => self.0.push(facing),
        }
    }

    /// These planes and one more.
    pub(super) fn with(&self, facing: Facing) -> Self {
        let mut planes = self.clone();
        planes.add(facing);
        planes
    }

    /// Whether a plane with this normal is among them, and the motion that came of `wish` does not enter it.
    pub(super) fn keeps_out(&self, facing: &Facing, motion: DVec3, wish: DVec3) -> bool {
        let is_known = self.0.iter().any(|known| known.is_along(facing.normal));
        is_known && facing.permits(motion, self.size(wish))
    }

    /// The planes as they block motions on a floor, seen along `up`: the rise on the floor follows from the rest.
    pub(super) fn along(&self, floor: &Facing, up: DVec3) -> Self {
        let seen = |facing: &Facing| {
            let share = facing.normal.dot(up) / floor.normal.dot(up);
            let across = facing.normal.reject_from_normalized(up) - floor.normal.reject_from_normalized(up) * share;
            let length = across.length();
            let least = (facing.least - share * floor.least) / length;
            (length > PROJECTION_SLACK).then(|| Facing { normal: across / length, least })
        };
        let mut planes = Self::default();
        self.0.iter().filter_map(seen).for_each(|facing| planes.add(facing));
        planes
    }

    /// The motion nearest to `wish` that enters none of the planes: the projection of `wish` on one plane, on the edge
    /// of two, or their corner. `None` if the planes leave no motion.
    pub(super) fn nearest(&self, wish: DVec3) -> Option<DVec3> {
        let size = self.size(wish);
        let permitted = |motion: &DVec3| self.0.iter().all(|facing| facing.permits(*motion, size));
        let planes = || self.0.iter().enumerate();
        let singles = planes().map(|(_, one)| wish + one.normal * one.lacks(wish));
        let pairs = planes().flat_map(|(row, one)| self.0[..row].iter().filter_map(|two| on_edge(wish, one, two)));
        let corners = planes().flat_map(|(row, one)| {
            let before = self.0[..row].iter().enumerate();
            before.flat_map(move |(row, two)| self.0[..row].iter().filter_map(move |three| in_corner(one, two, three)))
        });
        let found = std::iter::once(wish).chain(singles).chain(pairs).chain(corners).filter(permitted);
        found.min_by(|x, y| x.distance_squared(wish).total_cmp(&y.distance_squared(wish)))
    }

    /// The size of the motions that are compared, m.
    fn size(&self, wish: DVec3) -> f64 {
        self.0.iter().map(|facing| facing.least.abs()).fold(wish.length(), f64::max)
    }
}

/// The motion along the edge of two planes that is nearest to `wish`.
fn on_edge(wish: DVec3, one: &Facing, two: &Facing) -> Option<DVec3> {
    let common = one.normal.dot(two.normal);
    let rest = 1.0 - common * common;
    let (a, b) = (one.lacks(wish), two.lacks(wish));
    let parts = [(a - common * b) / rest, (b - common * a) / rest];
    (rest > PROJECTION_SLACK).then(|| wish + one.normal * parts[0] + two.normal * parts[1])
}

/// The motion with three planes.
fn in_corner(one: &Facing, two: &Facing, three: &Facing) -> Option<DVec3> {
    let rows = DMat3::from_cols(one.normal, two.normal, three.normal).transpose();
    let least = DVec3::new(one.least, two.least, three.least);
    (rows.determinant().abs() > PROJECTION_SLACK)
        .then(|| if least == DVec3::ZERO { least } else { rows.inverse() * least })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nearest(wish: DVec3, planes: &[(DVec3, f64)]) -> Option<DVec3> {
        let mut cone = Cone::default();
        planes.iter().for_each(|&(normal, least)| cone.add(Facing { normal, least }));
        cone.nearest(wish)
    }

    #[test]
    fn motions_on_planes_edges_and_in_corners() {
        let (x, y, z, at) = (DVec3::X, DVec3::Y, DVec3::Z, DVec3::new);
        let slope = at(-0.6, 0.0, 0.8);
        type Row<'a> = (DVec3, &'a [(DVec3, f64)], Option<DVec3>);
        let rows: [Row<'_>; 9] = [
            (x, &[], Some(x)),
            (at(1.0, 2.0, -3.0), &[(z, 0.0)], Some(at(1.0, 2.0, 0.0))),
            (at(1.0, 2.0, 3.0), &[(z, 0.0)], Some(at(1.0, 2.0, 3.0))),
            (at(1.0, 2.0, -3.0), &[(z, 0.0), (-x, 0.0)], Some(at(0.0, 2.0, 0.0))),
            (at(1.0, 2.0, -3.0), &[(z, 0.0), (-x, 0.0), (-y, 0.0)], Some(DVec3::ZERO)),
            // Along a slope of 3 to 4.
            (x, &[(slope, 0.0)], Some(at(0.64, 0.0, 0.48))),
            // The plane moves towards the body.
            (at(1.0, 0.0, 0.0), &[(z, 0.5)], Some(at(1.0, 0.0, 0.5))),
            (at(1.0, 0.0, 0.0), &[(z, 0.5), (-x, 0.25)], Some(at(-0.25, 0.0, 0.5))),
            // Two planes that close on the body.
            (y, &[(x, 0.1), (-x, 0.1)], None),
        ];
        for (wish, planes, wanted) in rows {
            let found = nearest(wish, planes);
            assert_eq!(found.is_some(), wanted.is_some(), "{wish} {planes:?}");
            let near = found.zip(wanted).is_none_or(|(found, wanted)| (found - wanted).length() < 1e-15);
            assert!(near, "{wish} {planes:?}: {found:?}");
        }
    }

    /// Where the motion on one plane enters the other, it goes along their edge, whatever their order.
    #[test]
    fn an_acute_wedge_leaves_its_edge() {
        let (floor, roof) = ((DVec3::Z, 0.0), (DVec3::new(-0.6, 0.0, -0.8), 0.0));
        for planes in [[floor, roof], [roof, floor]] {
            let found = nearest(DVec3::new(1.0, 0.5, -0.25), &planes).unwrap();
            assert!((found - DVec3::Y * 0.5).length() < 1e-15, "{found}");
        }
    }
}
