//! The event of a single body: it begins or ends to be advanced by time steps, falls asleep or wakes.

use glam::DVec3;

use super::event::{Event, EventKind};
use crate::dynamics::BodyId;
use crate::dynamics::scene::Scene;

impl Scene {
    /// An event of one body at the present, at the position of that body within the periodic cell.
    pub(in crate::dynamics) fn event_of_body(&self, id: BodyId, kind: EventKind) -> Event {
        let point = self.settings.space.within(self.rows.path(id).position_at(self.now));
        let (time, normal) = (self.now, DVec3::ZERO);
        Event { time, kind, a: id, b: id, point, normal, approach_speed: 0.0, impulse: 0.0, loss: 0.0, group: 0 }
    }
}
