//! The room of a gas: along which axes it moves, and what holds it there.
//!
//! A pressure needs a volume. Along each axis in which the gas moves, there are two cases. Either space repeats, and
//! the pressure follows from the virial; or two fixed planes across the axis are walls, and it follows from their
//! impulses. Any other obstacle makes a room whose volume or surface is not known here. Then there is no pressure, and
//! [`Undefined`] says why.

use glam::DVec3;
use thiserror::Error;

use crate::dynamics::{Body, Layers, Motion, Response, Settings};
use crate::geometry::Shape;
use crate::world::Named;

/// The names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Why a gas has no pressure, or not even a temperature.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Undefined {
    /// Fewer than two free bodies that are no sensors.
    #[error("a temperature takes two free bodies that are no sensors, or more")]
    TooFew,
    /// Gravity acts.
    #[error("under gravity the pressure differs from height to height")]
    Gravity,
    /// Nothing holds the gas along an axis.
    #[error("space is open along {axis}: it neither repeats there nor lies between two fixed planes across the axis")]
    Open {
        /// `x`, `y` or `z`.
        axis: &'static str,
    },
    /// The gas hits an obstacle that does not count as a wall.
    #[error(
        "`{name}` is an obstacle in the gas and not a wall: walls are one fixed plane on each side, across an axis"
    )]
    Obstacle {
        /// Which body.
        name: String,
    },
    /// A wall for some bodies of the gas and not for others.
    #[error("`{name}` is a wall for only a part of the gas")]
    PartialWall {
        /// Which body.
        name: String,
    },
    /// A wall that also exerts tangential impulses.
    #[error("`{name}` has friction with the gas, so the part of its force that is pressure is unknown")]
    RoughWall {
        /// Which body.
        name: String,
    },
    /// Bodies stayed in contact.
    #[error("bodies stayed in contact, and the forces of lasting contacts are not in the virial")]
    Contacts,
    /// A gas that moved in a plane or on a line has left it.
    #[error("the gas left the plane or the line in which it began")]
    LeftPlane,
}

/// The role of a body for the gas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Part {
    /// A body of the gas, with its mass, kg.
    Gas(f64),
    /// A wall across this axis.
    Wall(usize),
    Other,
}

/// How the gas is enclosed along an axis in which it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Hold {
    Repeats,
    Walls,
}

/// A room of known volume.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Room {
    /// `None` along an axis in which nothing moves.
    pub(super) holds: [Option<Hold>; 3],
    /// Length along each axis in which the gas moves, m; 1 along the others.
    pub(super) lengths: [f64; 3],
}

/// The properties of a gas that are known before it runs.
#[derive(Debug, Clone, PartialEq)]
pub struct GasKind {
    /// The role of each body, in the order in which they were given.
    pub(super) parts: Vec<Part>,
    /// The number of bodies in the gas.
    pub(super) count: usize,
    /// The axes along which it moves.
    pub(super) moves: [bool; 3],
    pub(super) room: Result<Room, Undefined>,
}

impl GasKind {
    /// The gas that `bodies` make.
    pub fn of(settings: &Settings, bodies: &[Named]) -> Self {
        let part = |named: &Named| match named.motion {
            Motion::Free(mass) if is_gas(named) => Part::Gas(mass.get()),
            _ => Part::Other,
        };
        let mut parts: Vec<Part> = bodies.iter().map(part).collect();
        let count = parts.iter().filter(|&&part| part != Part::Other).count();
        let moves = axes_of_motion(settings, bodies);
        let room = Room::find(settings, bodies, moves, &mut parts);
        Self { parts, count, moves, room: if count < 2 { Err(Undefined::TooFew) } else { room } }
    }

    /// The number of dimensions in which the gas moves.
    pub fn dimension(&self) -> usize {
        self.moves.iter().filter(|&&moves| moves).count()
    }

    /// Its volume in three dimensions, m³, its area in two, m², or its length in one, m, if that is defined.
    pub fn volume(&self) -> Option<f64> {
        self.room.as_ref().ok().map(Room::volume)
    }

    /// Why it has no pressure, if it has none.
    pub fn undefined(&self) -> Option<&Undefined> {
        self.room.as_ref().err()
    }
}

impl Room {
    /// Volume in three dimensions, m³; area in two, m²; length in one, m.
    pub(super) fn volume(&self) -> f64 {
        self.lengths.iter().product()
    }

    /// The room of all bodies of the gas. The walls are marked in `parts`.
    fn find(settings: &Settings, bodies: &[Named], moves: [bool; 3], parts: &mut [Part]) -> Result<Self, Undefined> {
        if settings.gravity != DVec3::ZERO {
            return Err(Undefined::Gravity);
        }
        let mut sides = [[None; 2]; 3];
        for (row, named) in bodies.iter().enumerate().filter(|(_, named)| !named.is_free()) {
            let gas = || bodies.iter().filter(|named| is_gas(named));
            if named.response == Response::Sense || !gas().any(|body| deal(named, body)) {
                continue;
            }
            let name = || named.name.clone();
            let (axis, side, place) = wall(named).ok_or_else(|| Undefined::Obstacle { name: name() })?;
            if !moves[axis] {
                continue;
            }
            if sides[axis][side].replace(place).is_some() {
                return Err(Undefined::Obstacle { name: name() });
            }
            if !gas().all(|body| deal(named, body)) {
                return Err(Undefined::PartialWall { name: name() });
            }
            if gas().any(|body| settings.materials.friction(named.material, body.material) > 0.0) {
                return Err(Undefined::RoughWall { name: name() });
            }
            parts[row] = Part::Wall(axis);
        }
        let mut room = Self { holds: [None; 3], lengths: [1.0; 3] };
        for axis in (0..3).filter(|&axis| moves[axis]) {
            let (hold, length) = match (settings.space.periods[axis], sides[axis]) {
                (Some(period), _) => (Hold::Repeats, period.length()),
                (None, [Some(low), Some(high)]) => (Hold::Walls, high - low),
                (None, _) => return Err(Undefined::Open { axis: AXES[axis] }),
            };
            (room.holds[axis], room.lengths[axis]) = (Some(hold), length);
        }
        Ok(room)
    }
}

/// Whether a body is one of the gas: free, and no sensor.
fn is_gas(body: &Body) -> bool {
    body.is_free() && body.response == Response::Collide
}

/// The axes along which the gas can move. Along such an axis there is a velocity or an acceleration, or the centres
/// have different coordinates. A gas of disks in a plane has two such axes, a gas of rods on a line has one.
fn axes_of_motion(settings: &Settings, bodies: &[Named]) -> [bool; 3] {
    let mut gas = bodies.iter().filter(|named| is_gas(named));
    let Some(first) = gas.next() else { return [true; 3] };
    let mut moves = (0..3).map(|axis| settings.gravity[axis] != 0.0 || first.velocity[axis] != 0.0).collect::<Vec<_>>();
    for body in gas {
        for (axis, moves) in moves.iter_mut().enumerate() {
            *moves |= body.velocity[axis] != 0.0 || body.position[axis] != first.position[axis];
        }
    }
    if moves.contains(&true) { [moves[0], moves[1], moves[2]] } else { [true; 3] }
}

fn deal(one: &Body, other: &Body) -> bool {
    Layers::collide([one.layers, one.collides_with], [other.layers, other.collides_with])
}

/// The axis normal to a fixed plane, its side (0 is the lower), and its position, m.
fn wall(body: &Body) -> Option<(usize, usize, f64)> {
    let Shape::Plane(plane) = body.shape else { return None };
    let normal = plane.normal();
    let axis = (0..3).find(|&axis| normal.abs() == DVec3::AXES[axis])?;
    let place = (plane.offset() + normal.dot(body.position)) * normal[axis];
    (body.motion == Motion::Fixed).then_some((axis, usize::from(normal[axis] < 0.0), place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Friction, Material, MaterialId, Materials, Pairing, Period, Space};

    fn named(name: &str, body: Body) -> Named {
        Named { name: name.to_owned(), body }
    }

    fn ball(position: DVec3, velocity: DVec3) -> Body {
        Body::sphere(0.5, 1.0).unwrap().at(position).moving(velocity)
    }

    fn plane(normal: DVec3, offset: f64) -> Body {
        Body::plane(normal, offset).unwrap()
    }

    /// Two balls that fly along x and y, in a room from −2 to 4 there, with more bodies.
    fn room(settings: &Settings, more: &[Named]) -> Result<Room, Undefined> {
        let mut bodies = vec![
            named("a", ball(DVec3::ZERO, DVec3::new(1.0, 0.0, 0.0))),
            named("b", ball(DVec3::Y * 2.0, DVec3::new(0.0, 1.0, 0.0))),
            named("west", plane(DVec3::X, -2.0)),
            named("east", plane(DVec3::NEG_X, -4.0)),
            named("south", plane(DVec3::Y * 2.0, -6.0).at(DVec3::Y)),
            named("north", plane(DVec3::NEG_Y, -4.0)),
        ];
        bodies.extend_from_slice(more);
        let mut parts = vec![Part::Other; bodies.len()];
        Room::find(settings, &bodies, axes_of_motion(settings, &bodies), &mut parts)
    }

    #[test]
    fn a_room_has_its_volume() {
        let floor = named("floor", plane(DVec3::Z, -1.0));
        let gate = named("gate", Body::cuboid(DVec3::ONE, 1.0).unwrap().fixed().sensor());
        let found = room(&Settings::default(), &[floor, gate]).unwrap();
        assert_eq!(found.holds, [Some(Hold::Walls), Some(Hold::Walls), None]);
        assert_eq!((found.lengths, found.volume()), ([6.0, 6.0, 1.0], 36.0));
        let high = named("c", ball(DVec3::Z * 9.0, DVec3::ZERO));
        let space = Space { periods: [None, None, Some(Period { min: -1.0, max: 9.5 })], ..Space::default() };
        let found = room(&Settings { space, ..Settings::default() }, &[high]).unwrap();
        assert_eq!((found.holds[2], found.volume()), (Some(Hold::Repeats), 6.0 * 6.0 * 10.5));
    }

    #[test]
    fn what_has_no_pressure_says_why() {
        let plain = Settings::default();
        let mut materials = Materials::default();
        let rough = materials.add(Material::default());
        let friction = Some(Friction::new(0.5).unwrap());
        materials.set_pair(rough, MaterialId(0), Pairing { friction, ..Pairing::default() });
        let rubbing = Settings { materials, ..Settings::default() };
        let wall = |body: Body| named("wall", body);
        let name = || "wall".to_owned();
        let cube = || Body::cuboid(DVec3::ONE, 1.0).unwrap();
        let (floor, roof) = (plane(DVec3::Z, -9.0), named("roof", plane(DVec3::NEG_Z, -9.0)));
        let up = named("c", ball(DVec3::Z * 3.0, DVec3::ZERO));
        let rows = [
            (&Settings { gravity: DVec3::Z, ..plain.clone() }, vec![], Undefined::Gravity),
            (&plain, vec![wall(cube().fixed())], Undefined::Obstacle { name: name() }),
            (&plain, vec![wall(plane(DVec3::X, -3.0))], Undefined::Obstacle { name: name() }),
            (&plain, vec![wall(plane(DVec3::new(0.6, 0.8, 0.0), -9.0))], Undefined::Obstacle { name: name() }),
            (&plain, vec![wall(floor.clone().kinematic())], Undefined::Obstacle { name: name() }),
            (&plain, vec![up.clone()], Undefined::Open { axis: "z" }),
            (&plain, vec![up.clone(), wall(floor.clone())], Undefined::Open { axis: "z" }),
            (
                &plain,
                vec![
                    up.clone(),
                    wall(floor.clone().colliding_with(Layers::one(1))),
                    named("d", cube().in_layers(Layers::one(1))),
                ],
                Undefined::PartialWall { name: name() },
            ),
            (&rubbing, vec![up, roof, wall(floor.made_of(rough))], Undefined::RoughWall { name: name() }),
        ];
        for (settings, more, wanted) in rows {
            assert_eq!(room(settings, &more), Err(wanted), "{more:?}");
        }
    }
}
