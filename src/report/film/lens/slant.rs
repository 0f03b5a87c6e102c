//! Pictures seen obliquely from afar, drawn as oblique plots are.

use glam::{DVec2, DVec3};

use super::Lens;
use super::shot::{Shot, Solid, centred};
use crate::dynamics::Period;
use crate::report::chart::Axis;
use crate::report::drawing::{Canvas, Mark, Rect, Stroke, Style, TEXT_FAINT, faded};
use crate::report::oblique::camera::{Camera, Sight};
use crate::report::oblique::room::{self, Room};
use crate::report::oblique::solids::{Paint, Solids};
use crate::report::oblique::{lines, paint, shift};

/// A picture seen obliquely.
pub(in crate::report::film) struct Slant {
    camera: Camera,
    room: Room,
    rect: Rect,
    sight: Sight,
    axes: [Axis; 3],
    /// The periods of the world, and those around the view.
    cell: [Option<Period>; 3],
    periods: [Option<Period>; 3],
    style: Style,
}

impl Slant {
    pub(in crate::report::film) fn new(
        (camera, room, rect): (Camera, Room, Rect),
        cell: [Option<Period>; 3],
        style: Style,
    ) -> Self {
        let sight = Sight::new(camera, &room.corners(), rect);
        let axes = [0, 1, 2].map(|axis| room::axis(room, axis, (camera, sight.scale), style));
        Self { camera, room, rect, sight, axes, cell, periods: cell, style }
    }

    /// The paths seen from above, on the floor.
    fn shadows(&self, canvas: &mut Canvas, shot: &Shot<'_>) {
        let floor = self.room.end(2, self.camera.towards[2] < 0.0);
        let stroke = Stroke { color: faded(TEXT_FAINT, 0.45), width: canvas.style.fine(0.7) };
        for (legs, _) in &shot.trails {
            for line in lines(self.periods, &self.sight, self.room, legs) {
                let shadow = line.into_iter().map(|point| self.sight.place(point.with_z(floor))).collect();
                canvas.push(Mark::Line(shadow, stroke));
            }
        }
    }

    /// The image of a point that is in view.
    fn home(&self, point: DVec3) -> DVec3 {
        point - shift(self.periods, point)
    }
}

impl Lens for Slant {
    fn behind(&self, canvas: &mut Canvas) {
        room::far_faces(canvas, self.room, &self.sight, &self.axes);
    }

    fn shot(&self, canvas: &mut Canvas, shot: Shot<'_>) {
        let style = canvas.style;
        self.shadows(canvas, &shot);
        for (legs, color) in &shot.trails {
            let stroke = Stroke { color: *color, width: style.curve(1.5) };
            for line in lines(self.periods, &self.sight, self.room, legs) {
                canvas.push(Mark::Line(line.into_iter().map(|point| self.sight.place(point)).collect(), stroke));
            }
        }
        let mut solids = Solids::new(&self.sight, self.room, style.theme);
        for prop in &shot.props {
            solids.add(&prop.shape, self.home(prop.start), paint(prop.body, style));
        }
        for Solid { shape, place, color } in shot.solids {
            let place = self.home(place);
            let edge = Stroke { color, width: style.fine(1.1) };
            if self.room.holds(place) {
                solids.add(shape, place, Paint { color, edge, strength: 0.9, cover: 1.0 });
            }
        }
        solids.draw(canvas);
    }

    fn before(&self, canvas: &mut Canvas, with_axes: bool) {
        if with_axes {
            room::edges(canvas, self.room, &self.sight, &self.axes);
        }
    }

    fn place(&self, point: DVec3) -> Option<DVec2> {
        let home = self.home(point);
        self.room.holds(home).then(|| self.sight.place(home))
    }

    fn around(&self, place: DVec3) -> Box<dyn Lens + '_> {
        let middle = place - shift(self.cell, place);
        let half = 0.5 * (self.room.max - self.room.min);
        let room = Room { min: middle - half, max: middle + half };
        let slant = Self::new((self.camera, room, self.rect), self.cell, self.style);
        Box::new(Self { periods: centred(self.cell, middle.to_array()), ..slant })
    }
}
