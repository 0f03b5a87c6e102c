//! Candidates of queries: the bodies in domains that a query overlaps, and in a periodic space their images.
//!
//! Every body is stored in the grid at its position in the periodic cell when its domain began. A path through several
//! images of the cell is cut at the borders. Each part is followed in the coordinates of its cell, as the grid has
//! them. Near a border the images beyond it are searched too, since domains extend over it.

use glam::DVec3;

use super::{Candidate, Sight, moderate};
use crate::dynamics::broadphase::hash_grid::{CarriedBox, HashGrid};
use crate::dynamics::broadphase::{combinations, offsets};
use crate::dynamics::{BodyId, Period, Stepper};
use crate::geometry::Aabb;

/// Most borders of the periodic cell that a ray or a moving shape crosses.
pub const BORDERS_MAX: u32 = 1000;

/// Largest extent of a moving shape from its centre, in periods; a larger one meets nothing.
pub const ASIDE_MAX: f64 = 100.0;

impl Stepper {
    /// Calls `found` with every visible body, and every image of it, that may be touched on the way, roughly in order.
    /// The same image may occur several times. `found` gets the present bound of the parameter and returns the new
    /// bound.
    pub(super) fn along(&self, carried: &CarriedBox, sight: &Sight<'_>, mut found: impl FnMut(Candidate, f64) -> f64) {
        let mut carried = *carried;
        for found_plane in self.planes(sight) {
            carried.until = found(found_plane, carried.until);
        }
        if self.is_open() {
            self.walk_image(&carried, [0; 3], sight, &mut found);
        } else if let Some(cell) = self.cell(carried.ray.origin)
            && self.reaches_few(carried.half)
        {
            carried.until = carried.until.min(self.end_of_bodies(&carried));
            self.cross(carried, cell, sight, &mut found);
        }
    }

    /// Follows the way through the images of the periodic cell.
    fn cross(
        &self,
        mut carried: CarriedBox,
        mut cell: [i32; 3],
        sight: &Sight<'_>,
        found: &mut impl FnMut(Candidate, f64) -> f64,
    ) {
        let (space, reach, last) = (&self.sim.scene.settings.space, self.broadphase().reach(), carried.until);
        let mut until = last;
        for _ in 0..=BORDERS_MAX {
            let borders: [f64; 3] = std::array::from_fn(|axis| self.next_border(&carried, cell, axis));
            let axis = (1..3).fold(0, |first, axis| if borders[axis] < borders[first] { axis } else { first });
            let border = borders[axis].max(carried.from);
            carried.until = until.min(border);
            // Without a border ahead, the way is parallel to the cell.
            let ends = [carried.from, if carried.until.is_finite() { carried.until } else { carried.from }]
                .map(|t| carried.ray.at(t));
            let home = space.shift(cell);
            let bounds = Aabb {
                min: ends[0].min(ends[1]) - carried.half - home,
                max: ends[0].max(ends[1]) + carried.half - home,
            };
            for offset in offsets(&bounds, reach, space) {
                let image = std::array::from_fn(|axis| cell[axis] + i32::from(offset[axis]));
                let end = self.walk_image(&carried, image, sight, found);
                if end < carried.until {
                    (carried.until, until) = (end, end);
                }
            }
            if !(border <= until && border < f64::INFINITY) {
                return;
            }
            carried.from = border;
            cell[axis] += if carried.ray.direction[axis] > 0.0 { 1 } else { -1 };
        }
    }

    /// Searches the grid in the coordinates of the image `image` periods away.
    fn walk_image(
        &self,
        carried: &CarriedBox,
        image: [i32; 3],
        sight: &Sight<'_>,
        found: &mut impl FnMut(Candidate, f64) -> f64,
    ) -> f64 {
        let mut carried = *carried;
        carried.ray.origin -= self.sim.scene.settings.space.shift(image);
        let rows = &self.sim.scene.rows;
        self.broadphase().grids(rows).fold(carried.until, |until, grid| {
            grid.walk(&CarriedBox { until, ..carried }, |id, until| {
                if sight.sees(id, rows) { found(self.standing(id, image), until) } else { until }
            })
        })
    }

    /// The parameter at which the cell ends along an axis; infinite along an open axis.
    fn next_border(&self, carried: &CarriedBox, cell: [i32; 3], axis: usize) -> f64 {
        let Some(period) = self.sim.scene.settings.space.periods[axis] else { return f64::INFINITY };
        let begin = period.min + f64::from(cell[axis]) * period.length();
        let (origin, speed) = (carried.ray.origin[axis], carried.ray.direction[axis]);
        if speed > 0.0 {
            (begin + period.length() - origin) / speed
        } else if speed < 0.0 {
            (begin - origin) / speed
        } else {
            f64::INFINITY
        }
    }

    /// A parameter beyond which no body lies along the open axes.
    fn end_of_bodies(&self, carried: &CarriedBox) -> f64 {
        let all = self.broadphase().grids(&self.sim.scene.rows).filter_map(HashGrid::bounds);
        let Some(bounds) = all.reduce(|x, y| x.union(&y)) else { return 0.0 };
        let extent = carried.half + self.broadphase().reach();
        let axes = (0..3).filter(|&axis| self.sim.scene.settings.space.periods[axis].is_none());
        let ends = axes.map(|axis| match carried.ray.direction[axis] {
            0.0 => f64::INFINITY,
            speed if speed > 0.0 => (bounds.max[axis] + extent[axis] - carried.ray.origin[axis]) / speed,
            speed => (bounds.min[axis] - extent[axis] - carried.ray.origin[axis]) / speed,
        });
        ends.fold(f64::INFINITY, f64::min)
    }

    /// Calls `found` with every visible body, and every image of it, that may overlap `bounds`. The same image may
    /// occur several times.
    ///
    /// Along a periodic axis the box is shortened. Every body with an image in the whole box still has an image in the
    /// shorter box. Of a box that begins too far from the periodic cell, the part near that cell is searched.
    pub(super) fn touching(&self, bounds: &Aabb, sight: &Sight<'_>, mut found: impl FnMut(Candidate)) {
        self.planes(sight).for_each(&mut found);
        if !moderate(bounds.min) || !moderate(bounds.max) {
            return;
        }
        let (space, reach) = (&self.sim.scene.settings.space, self.broadphase().reach());
        // Twice a period and the widest body; the integers of the offsets have space for that.
        let lengths = space
            .periods
            .map(|period| period.map_or(f64::INFINITY, |period| 2.0 * (period.length() + reach) + 2.0 * reach));
        let begin = DVec3::from_array(std::array::from_fn(|axis| match space.periods[axis] {
            Some(period) if !period.counts(bounds.min[axis]) => {
                bounds.min[axis].max(period.min.min(bounds.max[axis] - lengths[axis]))
            }
            _ => bounds.min[axis],
        }));
        let Some(cell) = self.cell(begin) else { return };
        let home = space.shift(cell);
        let min = begin - home;
        let max = (bounds.max - home).min(min + DVec3::from_array(lengths));
        self.broadphase().around(&Aabb { min, max }, false, space, |id, offset| {
            if sight.sees(id, &self.sim.scene.rows) {
                found(self.standing(id, std::array::from_fn(|axis| cell[axis] + i32::from(offset[axis]))));
            }
        });
    }

    /// The visible half-spaces.
    pub(super) fn planes(&self, sight: &Sight<'_>) -> impl Iterator<Item = Candidate> {
        let seen = self.broadphase().planes.iter().filter(|&&id| sight.sees(id, &self.sim.scene.rows));
        seen.map(|&id| {
            let position = self.sim.scene.rows.path(id).position_at(self.sim.scene.now);
            Candidate { id, image: [0; 3], position }
        })
    }

    /// The position of a body in a domain `image` periods from the one in the grid.
    #[inline]
    pub(super) fn standing(&self, id: BodyId, image: [i32; 3]) -> Candidate {
        let (rows, space) = (&self.sim.scene.rows, &self.sim.scene.settings.space);
        let position = rows.path(id).position_at(self.sim.scene.now);
        if self.is_open() {
            return Candidate { id, image: [0; 3], position };
        }
        let ((home, cell), entered) = (space.wrap(position), self.broadphase().images(id));
        let image = std::array::from_fn(|axis| image[axis] + (cell[axis] - entered[axis]));
        Candidate { id, image, position: home + space.shift(image) }
    }

    /// The images, relative to the grid, of bodies that are in the periodic cell at the present: they may have crossed
    /// one border since their domain began.
    pub(super) fn images_at_home(&self) -> impl Iterator<Item = [i32; 3]> + use<> {
        let periods = self.sim.scene.settings.space.periods;
        combinations(periods.map(|period| if period.is_some() { -1..=1 } else { 0..=0 }))
    }

    /// Whether a box may contain the position of a body in the periodic cell.
    pub(super) fn is_near_home(&self, bounds: &Aabb) -> bool {
        let near = |axis: usize, period: &Period| bounds.min[axis] <= period.max && bounds.max[axis] >= period.min;
        let periods = self.sim.scene.settings.space.periods.iter().enumerate();
        periods.fold(true, |all, (axis, period)| all && period.as_ref().is_none_or(|period| near(axis, period)))
    }

    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.sim.scene.settings.space.periods == [None; 3]
    }

    /// The periodic cell of a point, if it is not too far away.
    pub(super) fn cell(&self, point: DVec3) -> Option<[i32; 3]> {
        let space = &self.sim.scene.settings.space;
        space.is_countable(point).then(|| space.cell_of(point))
    }

    fn reaches_few(&self, half: DVec3) -> bool {
        let axes = self.sim.scene.settings.space.periods.iter().zip(half.to_array());
        axes.fold(true, |few, (period, half)| few && period.is_none_or(|period| half <= ASIDE_MAX * period.length()))
    }
}
