//! Contacts: bodies that touch for longer than an instant.
//!
//! A contact belongs to two bodies of which at least one is free; each free body has a list of its contacts. At the end
//! of an instant in which a contact changed, its island is updated: first velocities (in [`velocities`]), then forces
//! (in [`forces`]). Both hold until the next event.

pub(super) mod curved;
pub(super) mod forces;
mod geometry;
pub(super) mod island;
pub(super) mod lifecycle;
mod ride;
mod span;
pub(super) mod stabilise;
pub(super) mod stick_slip;
pub(super) mod update;
pub(super) mod velocities;

use super::BodyId;
use super::body::friction::Mode;
use super::body::pair::Pair;
use super::body::sparse_column::Column;
use super::body::table::BodyTable;
use super::solver::problem::ContactImpulse;
use crate::motion::SimTime;
use glam::DVec3;

/// Two bodies in contact.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Contact {
    /// The pair, with the image counted through all periods ([`Pair::absolute`]).
    pub(super) pair: Pair,
    /// The part of an outline at the contact; 0 for other bodies.
    pub(super) part: u32,
    /// Unit vector from `a` to `b`.
    pub(super) normal: DVec3,
    pub(super) surface: Surface,
    /// When the contact began.
    pub(super) since: SimTime,
    /// The contact force and couple on `b`.
    pub(super) force: ContactImpulse,
    /// Whether a force was computed.
    pub(super) has_force: bool,
    /// When an impact made its bodies approach so fast that they bounce, until that is resolved.
    pub(super) struck: Option<SimTime>,
    /// Slip, rolling and spinning, in the order of [`Mode::ALL`].
    pub(super) slips: [Slip; 3],
    /// The impact that the contact began with, until it is logged.
    pub(super) met: Option<Met>,
}

/// A lasting contact, in the form of the public interface.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Settings, World};
///
/// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
/// let ball = Body::sphere(0.5, 2.0).unwrap().at(DVec3::Z * 0.5);
/// let mut world = World::new(settings, [("ball", ball), ("floor", Body::plane(DVec3::Z, 0.0).unwrap())]).unwrap();
/// world.step(1.0).unwrap();
/// let contacts = world.contacts_of(world.id("ball").unwrap());
/// assert_eq!((contacts.len(), contacts[0].since.seconds()), (1, 0.0));
/// // The floor is `b`: it bears the weight of the ball.
/// assert_eq!((contacts[0].normal, contacts[0].force), (-DVec3::Z, DVec3::Z * -20.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactInfo {
    /// The first of the two bodies.
    pub a: BodyId,
    /// The second one.
    pub b: BodyId,
    /// Unit vector from `a` to `b`.
    pub normal: DVec3,
    /// When the contact began.
    pub since: SimTime,
    /// The force on `b`, with friction, N. On `a` it is the opposite. On one body that rides on a [`Course`] it is that
    /// of the present; else it is constant from one update of the contact to the next. So after `World::set_gravity` it
    /// is still the old one, until the world goes on.
    ///
    /// [`Course`]: crate::Course
    pub force: DVec3,
}

/// A mode of relative motion that friction resists, at one contact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Slip {
    /// The direction in which `b` slides over `a`, or the axis about which it turns relative to `a`; `None` while
    /// friction holds them.
    pub(super) along: Option<DVec3>,
    /// When the motion will end.
    pub(super) ends: Option<SimTime>,
}

/// How a contact ends if no impact changes its bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Surface {
    /// The contact holds for ever: a half-space has no edge.
    Endless,
    /// The contact holds while the centres differ by less than `reach` along every axis.
    Flat { reach: DVec3 },
    /// The contact holds while the body is on the facet that its part belongs to.
    Facet,
    /// One body moves around the other, and the normal turns.
    Curved,
}

/// An impact without rebound, before its contact has settled.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Met {
    /// Approach speed, m/s.
    pub(super) approach_speed: f64,
    /// Magnitude of the impulse, N·s.
    pub(super) impulse: f64,
    /// Energy turned into heat, J.
    pub(super) loss: f64,
    /// The group of impacts that it belongs to.
    pub(super) group: u64,
    /// Whether it has no rebound only because too many impacts followed one another (inelastic collapse).
    pub(super) collapse: bool,
    /// Whether the two bodies were in contact before.
    pub(super) again: bool,
}

impl Contact {
    /// A contact at the instant of its beginning.
    pub(super) fn new(
        pair: Pair,
        part: u32,
        normal: DVec3,
        surface: Surface,
        since: SimTime,
        met: Option<Met>,
    ) -> Self {
        let (force, slips) = (ContactImpulse::default(), [Slip::default(); 3]);
        Self { pair, part, normal, surface, since, force, has_force: false, struck: None, slips, met }
    }

    /// The normal, from one of its bodies to the other.
    pub(super) fn outward(&self, id: BodyId) -> DVec3 {
        if self.pair.a == id { self.normal } else { -self.normal }
    }

    pub(super) fn slip(&self, mode: Mode) -> Slip {
        self.slips[mode as usize]
    }

    pub(super) fn slip_mut(&mut self, mode: Mode) -> &mut Slip {
        &mut self.slips[mode as usize]
    }

    /// The key by which contacts are sorted. Two contacts with the same part of one outline differ by their beginning.
    pub(super) fn key(&self) -> (Pair, u32, SimTime) {
        (self.pair, self.part, self.since)
    }
}

/// All contacts. A row keeps its number as long as the contact lasts.
#[derive(Debug, Clone)]
pub(super) struct Contacts {
    rows: Vec<Option<Contact>>,
    vacant: Vec<u32>,
    /// The rows of each free body's contacts, in the order of their keys, independent of the order in which they began.
    of: Column<Vec<u32>>,
}

impl Contacts {
    pub(super) fn with_bodies(count: usize) -> Self {
        Self { rows: Vec::new(), vacant: Vec::new(), of: Column::new(Vec::new(), count) }
    }

    /// Adds a body without contacts.
    pub(super) fn push_body(&mut self) {
        self.of.push_row();
    }

    /// All contacts, in the order of their keys.
    pub(super) fn sorted(&self) -> Vec<Contact> {
        let mut all: Vec<Contact> = self.rows.iter().flatten().copied().collect();
        all.sort_by_key(Contact::key);
        all
    }

    /// The rows of a free body's contacts.
    #[inline]
    pub(super) fn of(&self, id: BodyId) -> &[u32] {
        self.of.get(id)
    }

    /// The contact in a row that is in use.
    #[inline]
    pub(super) fn get(&self, row: u32) -> &Contact {
        self.rows[row as usize].as_ref().expect("a row in use")
    }

    #[inline]
    pub(super) fn get_mut(&mut self, row: u32) -> &mut Contact {
        self.rows[row as usize].as_mut().expect("a row in use")
    }

    /// The contacts of a pair, given as its paths see it. Only a pair with an outline has more than one.
    #[inline]
    pub(super) fn between(&self, pair: Pair, rows: &BodyTable) -> impl Iterator<Item = u32> {
        let body = if rows.is_free(pair.a) { pair.a } else { pair.b };
        let is_between = move |row: &u32| {
            let lasting = self.get(*row).pair;
            (lasting.a, lasting.b) == (pair.a, pair.b) && lasting == pair.absolute(rows)
        };
        self.of.get(body).iter().copied().filter(is_between)
    }

    pub(super) fn add(&mut self, contact: Contact, rows: &BodyTable) -> u32 {
        let row = self.vacant.pop().unwrap_or_else(|| {
            self.rows.push(None);
            (self.rows.len() - 1) as u32
        });
        self.rows[row as usize] = Some(contact);
        for id in [contact.pair.a, contact.pair.b].into_iter().filter(|&id| rows.is_free(id)) {
            let own = self.of.get(id);
            let place = own.partition_point(|&other| self.get(other).key() < contact.key());
            self.of.get_mut(id).insert(place, row);
        }
        row
    }

    pub(super) fn remove(&mut self, row: u32) -> Contact {
        let contact = self.rows[row as usize].take().expect("a row in use");
        self.vacant.push(row);
        for id in [contact.pair.a, contact.pair.b] {
            self.of.get_mut(id).retain(|&own| own != row);
        }
        contact
    }
}

/// The sum of the contact forces on a body along its path.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Reaction {
    /// Since when these forces act.
    pub(super) since: SimTime,
    /// Force of all contacts, N.
    pub(super) force: DVec3,
    /// Torque of all contacts, N·m.
    pub(super) torque: DVec3,
    /// The part of the force that comes from bodies that are not free, N.
    pub(super) outside: DVec3,
    /// Power supplied by such bodies, W.
    pub(super) power: f64,
}

impl Reaction {
    /// The reaction of a body without contacts.
    pub(super) fn none(since: SimTime) -> Self {
        Self { since, force: DVec3::ZERO, torque: DVec3::ZERO, outside: DVec3::ZERO, power: 0.0 }
    }

    /// Whether any force acts.
    #[inline]
    pub(super) fn is_nonzero(&self) -> bool {
        *self != Self::none(self.since)
    }
}

/// Whether a rebound at `speed` (m/s) against an acceleration `inward` (m/s², towards the support) would rise no higher
/// than `rest_height`.
#[inline]
pub(super) fn is_rest(speed: f64, inward: f64, rest_height: f64) -> bool {
    inward >= 0.0 && speed * speed <= 2.0 * inward * rest_height
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Body, Friction, Material, Materials, Restitution, Settings, Stepper};

    /// A world of these bodies under gravity, in which they do not bounce and have this friction.
    pub(super) fn rough(friction: f64, bodies: &[Body]) -> Stepper {
        let mut materials = Materials::default();
        let friction = Friction::new(friction).unwrap();
        let stuff = materials.add(Material { friction, ..Restitution::new(0.0).unwrap().into() });
        let settings = Settings { gravity: DVec3::NEG_Z * 10.0, materials, rest_height: 1e-6, ..Settings::default() };
        let bodies: Vec<Body> = bodies.iter().map(|body| body.clone().made_of(stuff)).collect();
        Stepper::new(settings, &bodies).unwrap()
    }

    #[test]
    fn rest_is_a_question_of_height() {
        // 1 m/s against 10 m/s² rises 0.05 m.
        assert!(is_rest(1.0, 10.0, 0.0501));
        assert!(!is_rest(1.0, 10.0, 0.0499));
        assert!(!is_rest(1.0, 0.0, 1.0), "without gravity any rebound gets away");
        assert!(is_rest(0.0, 0.0, 0.0));
        assert!(!is_rest(0.0, -1.0, 1.0), "what is pulled away does not rest");
    }
}
