//! The event of a pair: its contact point and normal at the present.
//!
//! An event has the point and the normal at which the two bodies touch, in the world frame, and in a periodic space
//! within the cell, next to body `a`.

use glam::DVec3;

use super::event::{Event, EventKind};
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::scene::Scene;
use crate::geometry::{Shape, touch_point};

impl Scene {
    /// An event of `pair` at the present, as seen from `pair.a`.
    pub(in crate::dynamics) fn event(
        &self,
        pair: Pair,
        kind: EventKind,
        met: &Meeting,
        approach_speed: f64,
        impulse: f64,
    ) -> Event {
        let (normal, [a, b]) = (met.normal, self.solids(pair, met.part));
        let pair = self.next_to_cell(pair);
        let position_a = self.rows.wrapped_position(pair.a, &self.settings.space, self.now);
        let position_b = position_a + pair.motion(&self.rows, &self.settings.space, self.now).position;
        let point = touch_point(a, position_a, b, position_b, normal);
        Event { approach_speed, impulse, ..self.event_at(pair, kind, met, point) }
    }

    /// An event of `pair` at the present and at `point`.
    #[inline]
    pub(in crate::dynamics) fn event_at(&self, pair: Pair, kind: EventKind, met: &Meeting, point: DVec3) -> Event {
        let Pair { a, b, .. } = pair;
        let (time, normal) = (self.now, met.normal);
        Event { time, kind, a, b, point, normal, approach_speed: 0.0, impulse: 0.0, loss: 0.0, group: 0 }
    }

    /// A pair with a half-space as first body, with the image of the second body that is in the periodic cell now. A
    /// half-space has one image only, and the image in `pair` would depend on domains.
    fn next_to_cell(&self, pair: Pair) -> Pair {
        let Self { rows, settings, .. } = self;
        match rows.shape(pair.a) {
            Shape::Plane(_) => {
                let place = rows.path(pair.b).position_at(self.now);
                Pair { image: settings.space.cell_of(place).map(|periods| -periods), ..pair }
            }
            _ => pair,
        }
    }
}
