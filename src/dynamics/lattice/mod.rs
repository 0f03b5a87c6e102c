//! A lattice of cells for balls of like size in free flight: in a gas, who could meet whom is who lies in a cell beside.
//!
//! Linked cells are the oldest way to find neighbours in a fluid of hard spheres (Alder & Wainwright, *Studies in molecular
//! dynamics. I*, J. Chem. Phys. 31, 1959; Allen & Tildesley, *Computer Simulation of Liquids*, 2017, § 5.3.2). Here
//! the cell is the body's domain: the body stays in it, and may go a little over its borders, until it leaves it; and whom it
//! leaves and to whom it comes is then known without a measurement: who is in the cells at its back, and who in those ahead.
//!
//! Along an axis that repeats, a whole number of cells fills the period. Along one without end cells far apart share a place,
//! so space has no bounds; those who share one take more for neighbours than need be.

mod axis;
mod cells;
mod class;
mod fit;
mod lists;

use std::ops::Range;

use glam::DVec3;
use prefetch_index::prefetch_index;

use super::BodyId;
use super::rows::Rows;
use super::settings::Space;
use crate::geometry::Aabb;
use crate::numeric::tolerance::DOMAIN_SLACK;

use axis::Axis;
use cells::{Cells, Found};
use class::Class;
use lists::Lists;

/// Part of a cell by which its bodies may be beyond its border.
const OVER: f64 = 1.0 / 256.0;

/// The numbers of a cell along the axes.
pub(super) type Numbers = [i32; 3];

/// Who is in which cell, and who is beside whom.
#[derive(Debug, Clone)]
pub(super) struct Lattice {
    class: Class,
    axes: [Axis; 3],
    cells: Cells,
    /// Of each body; none if it is in no cell.
    numbers: Vec<Option<Numbers>>,
    /// Of each body, all that are in cells around its own.
    lists: Lists,
    /// Those whom a body leaves or to whom it comes, kept for their room in memory.
    found: Found,
}

impl Lattice {
    /// Empty cells for the largest class of balls; none if they are few, or space is too narrow for them.
    pub(super) fn new(rows: &Rows, space: &Space) -> Option<Self> {
        let class = Class::largest(rows)?;
        let axes = fit::axes(&class, rows, space)?;
        let places = axes.iter().map(|axis| axis.count as usize).product();
        let (cells, numbers) = (Cells::with_places(places), vec![None; rows.count()]);
        Some(Self { class, axes, cells, numbers, lists: Lists::with_bodies(rows.count()), found: Found::default() })
    }

    /// Room for one more body.
    pub(super) fn push_body(&mut self) {
        self.numbers.push(None);
        self.lists.push_body();
    }

    /// Whether a body could be in it.
    pub(super) fn suits(&self, id: BodyId, rows: &Rows) -> bool {
        self.class.holds(id, rows)
    }

    /// The cell that a body is in.
    #[inline]
    pub(super) fn cell(&self, id: BodyId) -> Option<Numbers> {
        self.numbers[id.index()]
    }

    /// Those beside a body: some, and the rest.
    #[inline]
    pub(super) fn beside(&self, id: BodyId) -> [&[BodyId]; 2] {
        self.lists.of(id)
    }

    /// How many there are beside a body.
    #[inline]
    pub(super) fn count(&self, id: BodyId) -> usize {
        self.lists.count(id)
    }

    /// Periods from a body's place in the periodic cell to its image that is beside another body.
    #[inline(always)]
    pub(super) fn offset(&self, id: BodyId, other: BodyId) -> [i8; 3] {
        let (Some(from), Some(to)) = (self.cell(id), self.cell(other)) else { return [0; 3] };
        std::array::from_fn(|axis| self.axes[axis].way(from[axis], to[axis]).1)
    }

    /// All bodies that are in cells, by id.
    pub(super) fn members(&self) -> impl Iterator<Item = BodyId> {
        let all = self.numbers.iter().enumerate();
        all.filter(|(_, numbers)| numbers.is_some()).map(|(row, _)| BodyId(row as u32))
    }

    /// The cell at a place in the periodic cell; none if it is too far out.
    #[inline]
    pub(super) fn at(&self, place: DVec3) -> Option<Numbers> {
        at(&self.axes, place)
    }

    /// The middle of a cell, m.
    #[inline]
    pub(super) fn center(&self, cell: Numbers) -> DVec3 {
        let [x, y, z] = &self.axes;
        DVec3::new(x.middle(cell[0]), y.middle(cell[1]), z.middle(cell[2]))
    }

    /// How far from the middle of its cell a body may be, m.
    #[inline]
    pub(super) fn half(&self) -> DVec3 {
        let [x, y, z] = &self.axes;
        DVec3::new(x.edge, y.edge, z.edge) * (0.5 + OVER)
    }

    /// The largest of these, m.
    #[inline]
    pub(super) fn margin(&self) -> f64 {
        self.half().max_element()
    }

    /// Whether a domain with this margin is about as wide as a cell.
    pub(super) fn is_as_wide_as(&self, margin: f64) -> bool {
        let own = self.margin();
        0.8 * own <= margin && margin <= 1.25 * own
    }

    /// How far a body's surface may be from the middle of its cell, m.
    pub(super) fn reach(&self) -> f64 {
        self.margin() + self.class.radius
    }

    /// Enters a body that is in no cell.
    pub(super) fn join(&mut self, id: BodyId, cell: Numbers) {
        let Self { axes, cells, lists, .. } = self;
        let [xs, ys, zs] = around(axes, cell);
        let places = zs.into_iter().flat_map(|z| ys.into_iter().flat_map(move |y| xs.map(|x| x + y + z)));
        places.for_each(|place| cells.visit(place, |other| lists.link(id, other)));
        cells.put(id, place(axes, cell));
        self.numbers[id.index()] = Some(cell);
    }

    /// Takes a body out of its cell, if it is in one.
    pub(super) fn leave(&mut self, id: BodyId) {
        if let Some(cell) = self.numbers[id.index()].take() {
            self.cells.take(id, place(&self.axes, cell));
            self.lists.cut_all(id);
        }
    }

    /// Moves a body from its cell to one beside it; returns the rows of its list with those to whom it comes. None if that is
    /// no other cell, or not beside.
    pub(super) fn go(&mut self, id: BodyId, to: Numbers) -> Option<Range<usize>> {
        let from = self.numbers[id.index()]?;
        let way = self.way(from, to);
        if !is_beside(way) {
            return None;
        }
        let Self { axes, cells, numbers, lists, found, .. } = self;
        cells.take(id, place(axes, from));
        found.clear();
        each_behind(around(axes, from), way, |place| cells.add_to(found, place));
        lists.cut_each(id, found.ids());
        let first = lists.count(id);
        found.clear();
        each_behind(around(axes, to), way.map(|way| -way), |place| cells.add_to(found, place));
        found.ids().iter().for_each(|&other| lists.link(id, other));
        cells.put(id, place(axes, to));
        numbers[id.index()] = Some(to);
        Some(first..lists.count(id))
    }

    /// Calls for the cell of a body, and for its list.
    #[inline]
    pub(super) fn call(&self, id: BodyId) {
        prefetch_index(&self.numbers, id.index());
        self.lists.call(id);
    }

    /// Calls for the cells that are behind and ahead of a body that leaves its own at this place.
    pub(super) fn call_cells(&self, id: BodyId, place: &DVec3) {
        self.each_on_way(id, place, |place| self.cells.call(place));
    }

    /// Calls for the lists of those in them.
    pub(super) fn call_lists(&self, id: BodyId, place: &DVec3) {
        self.each_on_way(id, place, |place| self.cells.visit(place, |other| self.lists.call(other)));
    }

    fn each_on_way(&self, id: BodyId, place: &DVec3, mut visit: impl FnMut(usize)) {
        let (Some(from), Some(to)) = (self.cell(id), self.at(*place)) else { return };
        let way = self.way(from, to);
        if is_beside(way) {
            each_behind(around(&self.axes, from), way, &mut visit);
            each_behind(around(&self.axes, to), way.map(|way| -way), &mut visit);
        }
    }

    /// How many cells it is from one to another.
    #[inline]
    fn way(&self, from: Numbers, to: Numbers) -> Numbers {
        std::array::from_fn(|axis| self.axes[axis].way(from[axis], to[axis]).0)
    }

    /// Calls `found` with every body whose cell, as far as the body may reach out of it, touches `bounds`, each once.
    pub(super) fn touching(&self, bounds: &Aabb, mut found: impl FnMut(BodyId)) {
        let reach = self.half() + self.class.radius;
        let touches = |id: BodyId| {
            let center = self.center(self.numbers[id.index()].unwrap_or_default());
            Aabb::around(center, reach + (center.abs() + reach) * DOMAIN_SLACK).touches(bounds)
        };
        // A body reaches out of its cell by its radius and a little more; half an edge is for rounding.
        let range = |axis: usize| {
            let out = self.class.radius + self.axes[axis].edge;
            self.axes[axis].range(bounds.min[axis] - out, bounds.max[axis] + out)
        };
        let [[x, x_last], [y, y_last], [z, z_last]] = [range(0), range(1), range(2)];
        let [along_x, along_y, along_z] = &self.axes;
        for z in (z..=z_last).map(|z| along_z.place_in_range(z)) {
            for y in (y..=y_last).map(|y| along_y.place_in_range(y)) {
                for x in (x..=x_last).map(|x| along_x.place_in_range(x)) {
                    self.cells.visit(x + y + z, |id| {
                        if touches(id) {
                            found(id);
                        }
                    });
                }
            }
        }
    }
}

#[inline]
fn at([x, y, z]: &[Axis; 3], place: DVec3) -> Option<Numbers> {
    Some([x.number(place.x)?, y.number(place.y)?, z.number(place.z)?])
}

#[inline]
fn place(axes: &[Axis; 3], cell: Numbers) -> usize {
    axes[0].place(cell[0]) + axes[1].place(cell[1]) + axes[2].place(cell[2])
}

/// Whether it is to another cell that one comes on such a way, and it is beside.
#[inline]
fn is_beside(way: Numbers) -> bool {
    way != [0; 3] && way.iter().all(|way| way.abs() <= 1)
}

/// The places around a cell, along each axis.
#[inline(always)]
fn around(axes: &[Axis; 3], cell: Numbers) -> [[usize; 3]; 3] {
    [axes[0].around(cell[0]), axes[1].around(cell[1]), axes[2].around(cell[2])]
}

/// Calls `visit` with the places around a cell that are not around the cell `way` beside it.
#[inline(always)]
fn each_behind(around: [[usize; 3]; 3], way: Numbers, mut visit: impl FnMut(usize)) {
    // One layer along each axis that one goes along, but for what is in the layers before.
    let mut known = around.map(|places| (places, 0, 3));
    for axis in 0..3 {
        let (places, first, end) = &mut known[axis];
        let layer = match way[axis] {
            0 => continue,
            1 => {
                *first = 1;
                places[0]
            }
            _ => {
                *end = 2;
                places[2]
            }
        };
        let [(ys, y_first, y_end), (zs, z_first, z_end)] = [known[(axis + 1) % 3], known[(axis + 2) % 3]];
        for z in &zs[z_first..z_end] {
            for y in &ys[y_first..y_end] {
                visit(layer + y + z);
            }
        }
    }
}
