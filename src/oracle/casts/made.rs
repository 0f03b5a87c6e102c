//! The casts: made from the contact backwards, so that none is near the border between a hit and a miss.

use glam::DVec3;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::{Cast, CastShape};
use crate::scenario::Draws;

/// What differs from group to group.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Family {
    /// The size of everything, m.
    Scale,
    /// The way to the contact, m.
    Distance,
    /// The distance of everything from the origin, m.
    Place,
    /// The size of the target, m.
    Ratio,
    /// The thickness of the target, m.
    Thin,
    /// The way to the contact, or the gap from which a cast leaves, m.
    Near,
}

/// The families, with their values.
const FAMILIES: [(&str, Family, [f64; 7]); 6] = [
    ("scale", Family::Scale, [1e-6, 1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6]),
    ("distance", Family::Distance, [1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6]),
    ("place", Family::Place, [1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6]),
    ("ratio", Family::Ratio, [1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6]),
    ("thin", Family::Thin, [1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]),
    ("near", Family::Near, [1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]),
];

/// The kinds of shape of a cast: what moves, and the target.
const PAIRS: [[&str; 2]; 6] =
    [["ray", "ball"], ["ray", "box"], ["ball", "ball"], ["ball", "box"], ["box", "ball"], ["box", "box"]];

/// Casts of each pair in a group: an even number, of which half hit.
const CASTS: usize = 6;
/// How far a cast passes beside its target, or stops before it, in sizes or in ways to the contact.
const MARGIN: f64 = 0.1;
/// The least cosine between the motion and the normal of the contact.
const STEEP: f64 = 0.3;

/// Random shapes, directions and contacts.
struct Draw(Draws);

impl Draw {
    fn sign(&mut self) -> f64 {
        if self.0.below(2) == 0 { 1.0 } else { -1.0 }
    }

    /// A unit vector.
    fn direction(&mut self) -> DVec3 {
        loop {
            let vector = DVec3::from_array([(); 3].map(|()| self.0.between(-1.0, 1.0)));
            if (0.01..=1.0).contains(&vector.length_squared()) {
                return vector.normalize();
            }
        }
    }

    /// A unit vector at right angles to another.
    fn beside(&mut self, normal: DVec3) -> DVec3 {
        loop {
            let across = normal.cross(self.direction());
            if across.length_squared() > 0.01 {
                return across.normalize();
            }
        }
    }

    fn shape(&mut self, kind: &str, size: f64) -> CastShape {
        match kind {
            "ray" => CastShape::Point,
            "ball" => CastShape::Ball(size * self.0.between(0.5, 1.0)),
            _ => CastShape::Cuboid(size * DVec3::from_array([(); 3].map(|()| self.0.between(0.5, 1.0)))),
        }
    }

    /// A place of the centre of `shape` at which it touches `target` at the origin, and the normal there. `face` is the
    /// axis of the face that is touched, where it is chosen.
    fn contact(&mut self, shape: CastShape, target: CastShape, face: Option<usize>) -> (DVec3, DVec3) {
        let (mut half, mut radius) = (DVec3::ZERO, 0.0);
        for one in [shape, target] {
            match one {
                CastShape::Point => {}
                CastShape::Ball(own) => radius += own,
                CastShape::Cuboid(own) => half += own,
            }
        }
        if half == DVec3::ZERO {
            let normal = self.direction();
            return (normal * radius, normal);
        }
        if radius == 0.0 || face.is_some() || self.0.below(2) == 0 {
            let axis = face.unwrap_or_else(|| self.0.below(3) as usize);
            let mut normal = DVec3::ZERO;
            normal[axis] = self.sign();
            let mut place = half * DVec3::from_array([(); 3].map(|()| self.0.between(-0.9, 0.9)));
            place[axis] = normal[axis] * (half[axis] + radius);
            return (place, normal);
        }
        // An edge along one axis, or a corner.
        let signs = DVec3::from_array([(); 3].map(|()| self.sign()));
        let mut normal = self.direction().abs() * signs;
        let mut place = half * signs;
        if self.0.below(2) == 0 {
            let axis = self.0.below(3) as usize;
            normal[axis] = 0.0;
            place[axis] = half[axis] * self.0.between(-0.9, 0.9);
        }
        let normal = normal.normalize();
        (place + normal * radius, normal)
    }
}

/// All casts, always the same, in groups.
pub fn casts() -> Vec<Cast> {
    let mut draw = Draw(Draws::of(ChaCha8Rng::seed_from_u64(1)));
    let mut casts = Vec::new();
    for (title, family, values) in FAMILIES {
        for value in values {
            let group = format!("{title} {value:e}");
            // The target of a thin cast is a box, and a ray has no size that could be compared.
            let suits = |[shape, target]: &[&str; 2]| match family {
                Family::Thin => *target == "box",
                Family::Ratio => *shape != "ray",
                _ => true,
            };
            for pair in PAIRS.into_iter().filter(suits) {
                for place in 0..CASTS {
                    let name = format!("{title}_{value:e}_{}_{}_{}", pair[0], pair[1], place + 1);
                    casts.push(cast(&mut draw, (family, value), pair, place, [name, group.clone()]));
                }
            }
        }
    }
    casts
}

/// The cast at a place in its group: those with even numbers hit.
fn cast(
    draw: &mut Draw,
    (family, value): (Family, f64),
    kinds: [&str; 2],
    number: usize,
    [name, group]: [String; 2],
) -> Cast {
    let size = if family == Family::Scale { value } else { 1.0 };
    let shape = draw.shape(kinds[0], size);
    let mut target = draw.shape(kinds[1], if family == Family::Ratio { value } else { size });
    let mut face = None;
    if let (Family::Thin, CastShape::Cuboid(half)) = (family, &mut target) {
        let axis = draw.0.below(3) as usize;
        half[axis] = 0.5 * value;
        face = Some(axis);
    }
    let (contact, normal) = draw.contact(shape, target, face);
    let way = match family {
        Family::Distance | Family::Near => value,
        Family::Ratio => value * draw.0.between(1.0, 3.0),
        _ => size * draw.0.between(1.0, 3.0),
    };
    let cosine = draw.0.between(STEEP, 1.0);
    let into = draw.beside(normal) * (1.0 - cosine * cosine).sqrt() - normal * cosine;
    let along = draw.beside(normal);
    let (from, motion) = match (number % 2, family) {
        (0, _) => (contact - into * way, into * (way * draw.0.between(1.1, 2.0))),
        (_, Family::Near) => (contact - into * way, -into * draw.0.between(1.0, 3.0)),
        // Every second of the others stops before the target; the rest pass it in the plane of a face or a tangent.
        _ if number % 4 == 1 => (contact - into * way, into * (way * (1.0 - MARGIN))),
        _ => (contact + normal * (MARGIN * size) - along * way, along * (2.0 * way)),
    };
    let at = if family == Family::Place { draw.direction() * value } else { DVec3::ZERO };
    Cast { name, group, shape, from: at + from, motion, target, at, size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_casts_of_each_group_hit_whatever_the_scale() {
        let casts = casts();
        for group in casts.chunk_by(|a, b| a.group == b.group) {
            let hits = group.iter().filter(|cast| cast.hit().is_some()).count();
            assert_eq!(2 * hits, group.len(), "{}", group[0].group);
            for (place, cast) in group.iter().enumerate() {
                assert_eq!(cast.hit().is_some(), place % 2 == 0, "{cast:?}");
            }
        }
    }
}
