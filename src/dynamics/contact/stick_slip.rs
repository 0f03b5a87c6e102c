//! Stick and slip: which contacts begin to slide or to turn, when that ends, and when its direction has turned.
//!
//! Friction is opposite to slip, rolling and spinning, so it is constant as long as their directions are. Where
//! accelerations turn a direction, they are computed again after a span in which it turns by little (Acary & Brogliato,
//! *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, ch. 5). Until then the motion has a positive component
//! along that direction, so friction takes energy.

use glam::DVec3;

use super::lifecycle::log_contact;
use super::present::Present;
use super::settling::Settling;
use crate::dynamics::body::friction::Mode;
use crate::dynamics::log::event::EventKind;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::SolverBody;
use crate::motion::SimTime;
use crate::numeric::tolerance::{GROUP_SLACK, TIME_MAX, TURN_MAX};

/// What accelerations do to one mode of a contact.
enum Change {
    None,
    /// It begins along this direction.
    Begins(DVec3),
    /// It turns its direction: friction has to be computed again after this time, s.
    Turns(f64),
    /// It ends after this time, s.
    Ends(f64),
}

/// Determines which contacts begin to slide or to turn and when that ends. Returns the span until friction has to be
/// computed again, s.
pub(in crate::dynamics) fn slide(
    parts: &mut Parts,
    settling: &Settling,
    present: &Present,
    accelerations: &[SolverBody],
    span: f64,
) -> f64 {
    let first = parts.scene.friction_span(settling, present, accelerations, span);
    for (place, mode) in modes(settling) {
        let row = settling.island.contacts[place];
        let change = parts.scene.change(settling, present, place, mode, accelerations);
        let ends = match change {
            Change::Ends(time) if time <= first * (1.0 + GROUP_SLACK) => parts.scene.instant_after(first),
            _ => None,
        };
        parts.scene.contacts.get_mut(row).rubbing_mut(mode).ends = ends;
        if let Change::Begins(direction) = change {
            begin(parts, row, mode, direction);
        }
    }
    first
}

/// All places and modes of an island's contacts.
fn modes(settling: &Settling) -> impl Iterator<Item = (usize, Mode)> + use<> {
    (0..settling.constraints.len()).flat_map(|place| Mode::ALL.map(|mode| (place, mode)))
}

/// A contact that friction held begins to slide or to turn.
fn begin(parts: &mut Parts, row: u32, mode: Mode, direction: DVec3) {
    let contact = parts.scene.contacts.get_mut(row);
    contact.rubbing_mut(mode).along = Some(direction);
    let contact = *contact;
    if mode == Mode::Slip && contact.met.is_none() {
        log_contact(parts, EventKind::Slip, &contact);
    }
}

impl Scene {
    /// The part of a span in which friction is constant, s.
    pub(in crate::dynamics) fn friction_span(
        &self,
        settling: &Settling,
        present: &Present,
        accelerations: &[SolverBody],
        span: f64,
    ) -> f64 {
        let constant = |(place, mode)| match self.change(settling, present, place, mode, accelerations) {
            Change::Turns(time) | Change::Ends(time) => time,
            Change::None | Change::Begins(_) => f64::INFINITY,
        };
        modes(settling).map(constant).fold(span, f64::min)
    }

    /// What accelerations do to one mode of a contact.
    fn change(
        &self,
        settling: &Settling,
        present: &Present,
        place: usize,
        mode: Mode,
        accelerations: &[SolverBody],
    ) -> Change {
        let row = settling.island.contacts[place];
        if self.frictions_at(row).of(mode) == 0.0 {
            return Change::None;
        }
        // As motions of the surface, m/s and m/s².
        let constraint = &settling.constraints[place];
        let (lever, rounding) = (constraint.lever(mode), present.rounding());
        let gained = (constraint.motion(accelerations, mode) + settling.drifts[place][mode as usize]) * lever;
        let Some(direction) = self.contacts.get(row).rubbing(mode).along else {
            let size = gained.length();
            return if size > rounding { Change::Begins(gained / size) } else { Change::None };
        };
        let slip = present.constraints[place].motion(&settling.members, mode).length() * lever;
        let along = direction.dot(gained);
        let across = (gained - direction * along).length();
        let left = if along < 0.0 { slip * across / -along } else { slip };
        let seen = left * left > 2.0 * TURN_MAX * TURN_MAX * gained.length() * self.settings.rest_length;
        if across > rounding && seen {
            let halved = if along < 0.0 { 0.5 * slip / -along } else { f64::INFINITY };
            Change::Turns((TURN_MAX * slip / across).min(halved))
        } else if along < -rounding {
            Change::Ends(slip / -along)
        } else {
            Change::None
        }
    }

    /// The instant `span` seconds from now; `None` beyond the range of the clock.
    pub(in crate::dynamics) fn instant_after(&self, span: f64) -> Option<SimTime> {
        (span <= TIME_MAX).then(|| self.now.plus(span))
    }
}
