//! Stick and slip: which contacts begin to slide or to turn, when that ends, and when its direction has turned.
//!
//! Friction is opposite to slip, rolling and spinning, so it is constant as long as their directions are. Where
//! accelerations turn a direction, they are computed again after a span in which it turns by little (Acary & Brogliato,
//! *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, ch. 5). In the span friction is opposite to the motion in
//! the middle of it, as in the midpoint rule: its error is of the second order. The motion keeps a positive component
//! along that direction, so friction takes energy.

use glam::DVec3;

use super::Surface;
use super::geometry::Geometry;
use super::lifecycle::log_contact;
use super::update::Update;
use crate::dynamics::body::friction::Mode;
use crate::dynamics::few::Few;
use crate::dynamics::log::event::EventKind;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver::SolverBody;
use crate::dynamics::solver::problem::Solution;
use crate::motion::SimTime;
use crate::numeric::tolerance::{GROUP_SLACK, HELD_SLIP, TIME_MAX, TURN_MAX};

/// The effect of accelerations on one mode of a contact.
pub(super) enum Change {
    None,
    /// It begins along this direction.
    Begins(DVec3),
    /// It turns its direction: friction has to be computed again after `time`, s. `slip` is the present motion, m/s.
    Turns {
        slip: f64,
        time: f64,
    },
    /// It ends after `time`, s. From `earliest` on, the remaining motion is too small to be seen.
    Ends {
        earliest: f64,
        time: f64,
    },
}

/// Determines which contacts begin to slide or to turn and when that ends. Returns the span until friction has to be
/// computed again, s.
pub(in crate::dynamics) fn slide(
    sim: &mut Simulation,
    update: &Update,
    geometry: &Geometry,
    accelerations: &[SolverBody],
    span: f64,
) -> f64 {
    let changes = sim.scene.changes(update, geometry, accelerations);
    let first = constant_span(&changes, span);
    for ((place, mode), change) in modes(update).zip(changes) {
        let row = update.island.contacts[place];
        let ends = match change {
            Change::Ends { earliest, .. } if earliest <= first * (1.0 + GROUP_SLACK) => sim.scene.instant_after(first),
            _ => None,
        };
        sim.scene.contacts.get_mut(row).slip_mut(mode).ends = ends;
        if let Change::Begins(direction) = change {
            begin(sim, row, mode, direction);
        }
    }
    first
}

/// All places and modes of an island's contacts.
fn modes(update: &Update) -> impl Iterator<Item = (usize, Mode)> + use<> {
    (0..update.constraints.len()).flat_map(|place| Mode::ALL.map(|mode| (place, mode)))
}

/// The part of a span in which friction is constant, s.
pub(super) fn constant_span(changes: &[Change], span: f64) -> f64 {
    let constant = |change: &Change| match *change {
        Change::Turns { time, .. } | Change::Ends { time, .. } => time,
        Change::None | Change::Begins(_) => f64::INFINITY,
    };
    changes.iter().map(constant).fold(span, f64::min)
}

/// A contact that friction held begins to slide or to turn.
fn begin(sim: &mut Simulation, row: u32, mode: Mode, direction: DVec3) {
    let contact = sim.scene.contacts.get_mut(row);
    contact.slip_mut(mode).along = Some(direction);
    let contact = *contact;
    if mode == Mode::Slip && contact.met.is_none() {
        log_contact(sim, EventKind::Slip, &contact);
    }
}

impl Scene {
    /// Makes friction opposite to the motions in the middle of the part of a span in which it is constant. Returns
    /// whether a direction turns.
    ///
    /// As friction is along the motion in the middle, that has the direction that it would have without this friction.
    /// So the rule is implicit, and stable however small the motion is (Hairer & Wanner, *Solving Ordinary Differential
    /// Equations II*, 1996, ch. IV.3).
    pub(in crate::dynamics) fn lean(
        &self,
        update: &mut Update,
        geometry: &Geometry,
        standing: &Solution,
        span: f64,
    ) -> bool {
        let changes = self.changes(update, geometry, &standing.members);
        let half = 0.5 * constant_span(&changes, span);
        let mut turns = false;
        for ((place, mode), change) in modes(update).zip(changes) {
            let lean = if let Change::Turns { slip, .. } = change {
                let (constraint, force) = (&update.constraints[place], &standing.impulses[place]);
                let still = |member: &SolverBody| member.moving([DVec3::ZERO; 2]);
                let mut own: Few<SolverBody> = standing.members.iter().map(still).collect();
                constraint.give_against(&mut own, constraint.impulse_against(force, mode), mode);
                let gained = constraint.motion(&standing.members, mode) - constraint.motion(&own, mode);
                (gained + update.turning[place].drift[mode as usize]) * (constraint.lever(mode) * half / slip)
            } else {
                DVec3::ZERO
            };
            update.turning[place].lean[mode as usize] = lean;
            turns |= lean != DVec3::ZERO;
        }
        turns
    }

    /// The effects of accelerations on all modes of all contacts.
    pub(super) fn changes(&self, update: &Update, geometry: &Geometry, accelerations: &[SolverBody]) -> Few<Change> {
        modes(update).map(|(place, mode)| self.change(update, geometry, place, mode, accelerations)).collect()
    }

    /// The effect of accelerations on one mode of a contact.
    fn change(
        &self,
        update: &Update,
        geometry: &Geometry,
        place: usize,
        mode: Mode,
        accelerations: &[SolverBody],
    ) -> Change {
        let row = update.island.contacts[place];
        if self.frictions_at(row).of(mode) == 0.0 {
            return Change::None;
        }
        // As motions of the surface, m/s and m/s².
        let constraint = &update.constraints[place];
        let (lever, rounding) = (constraint.lever(mode), geometry.rounding());
        let gained = (constraint.motion(accelerations, mode) + update.turning[place].drift[mode as usize]) * lever;
        let Some(direction) = self.contacts.get(row).slip(mode).along else {
            let size = gained.length();
            return if size > rounding { Change::Begins(gained / size) } else { Change::None };
        };
        let slip = geometry.constraints[place].motion(&update.members, mode).length() * lever;
        let along = direction.dot(gained);
        let across = (gained - direction * along).length();
        let left = if along < 0.0 { slip * across / -along } else { slip };
        // Up to this slip its direction is not seen to turn, and its end not to be early.
        let unseen = TURN_MAX * HELD_SLIP * (2.0 * gained.length() * self.settings.rest_height).sqrt();
        if across > rounding && left > unseen {
            let halved = if along < 0.0 { 0.5 * slip / -along } else { f64::INFINITY };
            let mut time = (TURN_MAX * slip / across).min(halved);
            // A constant force takes the place of one that turns. Until its end it moves the body by a twelfth of the
            // first number too far, m, and until the slip is over by a 24th of the second. Both are kept below an
            // eighth of the rest height.
            let slips_visibly = |time: f64| {
                let turned = across * time;
                let (chord, mean) = (geometry.scale * turned / slip * time * time, turned * turned / geometry.scale);
                (2.0 * chord).max(mean) > 3.0 * self.largest_rise()
            };
            while slips_visibly(time) {
                time *= 0.5;
            }
            Change::Turns { slip, time }
        } else if along < -rounding {
            // On a curved surface, the forces are solved again for the span up to this end, which shifts the end a
            // little.
            let is_curved = self.contacts.get(row).surface == Surface::Curved;
            let time = slip / -along;
            Change::Ends { earliest: if is_curved { time - unseen / -along } else { time }, time }
        } else if across > rounding && slip > 0.0 {
            // It grows, and turns until its direction can be seen.
            Change::Turns { slip, time: unseen / gained.length() }
        } else {
            Change::None
        }
    }

    /// The instant `span` seconds from now; `None` beyond the range of the clock.
    pub(in crate::dynamics) fn instant_after(&self, span: f64) -> Option<SimTime> {
        (span <= TIME_MAX).then(|| self.now.plus(span))
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::dynamics::contact::tests::rough;
    use crate::dynamics::{Body, BodyId};
    use crate::motion::SimTime;

    /// A box has a corner on a ball, and the friction is slightly more than the slope there. It first slips across the
    /// slope; the slip changes its direction at once, and then it ends.
    #[test]
    fn slip_on_a_curved_surface_ends() {
        let normal = DVec3::new(0.2, 0.55, 0.81).normalize();
        let half = DVec3::new(0.06, 0.04, 0.08);
        for across in [normal.cross(DVec3::Z), normal.cross(DVec3::Z) + normal.cross(DVec3::X) * 0.3] {
            for speed in [1e-4, 1e-3, 1e-2] {
                let ball = Body::sphere(0.5, 1.0).unwrap().fixed();
                let cuboid = Body::cuboid(half, 1.0).unwrap().at(normal * 0.5 + half);
                let mut stepper = rough(0.75, &[ball, cuboid.moving(across.normalize() * speed)]);
                stepper.advance(SimTime::from_seconds(2.0), usize::MAX).unwrap();
                assert_eq!(stepper.state(BodyId(1)).velocity, DVec3::ZERO, "{across} {speed}");
                assert_eq!(*stepper.sim.scene.due.get(BodyId(1)), None, "{across} {speed}");
            }
        }
    }
}
