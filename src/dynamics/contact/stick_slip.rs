//! Stick and slip: which contacts begin to slide or to turn, when that ends, and when its direction has turned.
//!
//! Friction is opposite to slip, rolling and spinning, so it is constant as long as their directions are. Where
//! accelerations turn a direction, they are computed again after a span in which it turns by little (Acary & Brogliato,
//! *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, ch. 5). Until then the motion has a positive component
//! along that direction, so friction takes energy.

use glam::DVec3;

use super::lifecycle::log_contact;
use super::settling::Settling;
use crate::dynamics::body::friction::Mode;
use crate::dynamics::few::Few;
use crate::dynamics::log::event::EventKind;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::SolverBody;
use crate::motion::SimTime;
use crate::numeric::tolerance::{GROUP_SLACK, TIME_MAX, TURN_MAX};

/// Determines which contacts begin to slide or to turn and when that ends. Returns the span until friction has to be
/// computed again, s.
pub(in crate::dynamics) fn slide(
    parts: &mut Parts,
    settling: &Settling,
    accelerations: &[SolverBody],
    rounding: f64,
    mut span: f64,
) -> f64 {
    let mut ends: Few<(u32, Mode, f64)> = Few::new();
    let contacts = settling.constraints.iter().zip(&settling.island.contacts);
    for ((constraint, &row), mode) in contacts.flat_map(|contact| Mode::ALL.map(|mode| (contact, mode))) {
        let rubbing = parts.scene.contacts.get_mut(row).rubbing_mut(mode);
        rubbing.ends = None;
        let rubbing = *rubbing;
        if parts.scene.frictions_at(row).of(mode) == 0.0 {
            continue;
        }
        // As motions of the surface, m/s and m/s².
        let lever = constraint.lever(mode);
        let gained = constraint.motion(accelerations, mode) * lever;
        match rubbing.along {
            None if gained.length() > rounding => begin(parts, row, mode, gained / gained.length()),
            None => {}
            Some(direction) => {
                let slip = constraint.motion(&settling.members, mode).length() * lever;
                let along = direction.dot(gained);
                let across = (gained - direction * along).length();
                let left = if along < 0.0 { slip * across / -along } else { slip };
                let seen = left * left > 2.0 * TURN_MAX * TURN_MAX * gained.length() * parts.scene.settings.rest_length;
                if across > rounding && seen {
                    let halved = if along < 0.0 { 0.5 * slip / -along } else { f64::INFINITY };
                    span = span.min(TURN_MAX * slip / across).min(halved);
                } else if along < -rounding {
                    ends.push((row, mode, slip / -along));
                }
            }
        }
    }
    let first = ends.iter().map(|end| end.2).fold(span, f64::min);
    for (row, mode, time) in ends {
        if time <= first * (1.0 + GROUP_SLACK) {
            parts.scene.contacts.get_mut(row).rubbing_mut(mode).ends = parts.scene.instant_after(first);
        }
    }
    first
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
    /// The instant `span` seconds from now; `None` beyond the range of the clock.
    pub(in crate::dynamics) fn instant_after(&self, span: f64) -> Option<SimTime> {
        (span <= TIME_MAX).then(|| self.now.plus(span))
    }
}
