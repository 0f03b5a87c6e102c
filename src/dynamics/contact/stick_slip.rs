//! Stick and slip: which contacts begin to slide, when slip ends, and when its direction has turned.
//!
//! Sliding friction is opposite to the slip, so it is constant as long as the direction of slip is. Where accelerations
//! turn that direction, they are computed again after a span in which it turns by little (Acary & Brogliato, *Numerical
//! Methods for Nonsmooth Dynamical Systems*, 2008, ch. 5).

use glam::DVec3;

use super::lifecycle::log_contact;
use super::settling::Settling;
use crate::dynamics::log::event::EventKind;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::SolverBody;
use crate::motion::SimTime;
use crate::numeric::tolerance::{GROUP_SLACK, TIME_MAX};

/// The largest turn of the slip direction, as a fraction of the slip, before friction is computed again.
const TURN_MAX: f64 = 1.0 / 64.0;

/// Determines which contacts begin to slide and when slip ends. Returns the span until friction has to be computed
/// again, s.
pub(in crate::dynamics) fn slide(
    parts: &mut Parts,
    settling: &Settling,
    accelerations: &[SolverBody],
    rounding: f64,
    mut span: f64,
) -> f64 {
    let mut halts: Vec<(u32, f64)> = Vec::new();
    for (constraint, &row) in settling.constraints.iter().zip(&settling.island.contacts) {
        let contact = parts.scene.contacts.get_mut(row);
        contact.halts = None;
        let contact = *contact;
        if parts.scene.friction(contact.pair) == 0.0 {
            continue;
        }
        let gained = constraint.slip(accelerations);
        match contact.slides {
            None if gained.length() > rounding => slip(parts, row, gained / gained.length()),
            None => {}
            Some(direction) => {
                let slip = constraint.slip(&settling.members).length();
                let along = direction.dot(gained);
                let across = (gained - direction * along).length();
                let left = if along < 0.0 { slip * across / -along } else { slip };
                let seen = left * left > 2.0 * TURN_MAX * TURN_MAX * gained.length() * parts.scene.settings.rest_length;
                if across > rounding && seen {
                    let halved = if along < 0.0 { 0.5 * slip / -along } else { f64::INFINITY };
                    span = span.min(TURN_MAX * slip / across).min(halved);
                } else if along < -rounding {
                    halts.push((row, slip / -along));
                }
            }
        }
    }
    let first = halts.iter().map(|halt| halt.1).fold(span, f64::min);
    for (row, time) in halts {
        let ends = time <= first * (1.0 + GROUP_SLACK);
        if ends {
            parts.scene.contacts.get_mut(row).halts = parts.scene.instant_after(first);
        }
    }
    first
}

/// A contact that stuck begins to slide.
fn slip(parts: &mut Parts, row: u32, direction: DVec3) {
    let contact = parts.scene.contacts.get_mut(row);
    contact.slides = Some(direction);
    let contact = *contact;
    if contact.met.is_none() {
        log_contact(parts, EventKind::Slip, &contact);
    }
}

impl Scene {
    /// The instant `span` seconds from now; `None` beyond the range of the clock.
    pub(in crate::dynamics) fn instant_after(&self, span: f64) -> Option<SimTime> {
        (span <= TIME_MAX).then(|| self.now.plus(span))
    }
}
