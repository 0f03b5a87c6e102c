//! A lattice of cells for balls of like size in free flight: in a gas, who could meet whom is who lies in a cell beside.
//!
//! Linked cells are the oldest way to find neighbours in a fluid of hard spheres (Alder & Wainwright, *Studies in molecular
//! dynamics. I*, J. Chem. Phys. 31, 1959; Allen & Tildesley, *Computer Simulation of Liquids*, 2017, § 5.3.2). Here
//! the cell is the body's domain: the body stays in it, and may go a little over its borders, until it leaves it; and to
//! whom it comes is then known without a measurement: who is in the cells ahead. Nobody has a list of neighbours: to look into
//! the cells around when one is wanted costs less than to keep the lists of all who stay behind.
//!
//! Along an axis that repeats, a whole number of cells fills the period. Along one without end cells far apart share a place,
//! so space has no bounds; those who share one take more for neighbours than need be.

pub(super) mod axis;
mod cells;
mod gather;
mod sizing;
mod species;
mod stencil;

use glam::DVec3;
use prefetch_index::prefetch_index;

use crate::dynamics::BodyId;
use crate::dynamics::body::table::BodyTable;
use crate::dynamics::prediction::simd::NeighbourBlocks;
use crate::dynamics::settings::Space;
use crate::geometry::Aabb;
use crate::numeric::tolerance::DOMAIN_SLACK;
use axis::{Axis, Numbers};
use cells::Cells;
use gather::Gathered;
use species::Species;
use stencil::{RUN, Stencil, StencilAhead};

/// Part of a diameter by which two balls whose cells are not beside each other are apart, at least.
const APART: f64 = 1.0 / 256.0;

/// Part of its edge by which the bodies of a cell may be beyond its border: at least, and at most.
const OVER_MIN: f64 = 1.0 / 64.0;
const OVER_MAX: f64 = 1.0 / 16.0;

/// With fewer bodies than this beside it, or with more than so many, a ball does not go on from its cell to the next one.
pub(in crate::dynamics) const FEW: usize = 4;
pub(in crate::dynamics) const MANY: usize = 64;

/// The cells that one comes to are a third of those around. With nobody in them, or with more than so many, all are counted.
const MANY_AHEAD: usize = MANY / 4;

/// Who is in which cell, and who is beside whom.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct CellList {
    species: Species,
    axes: [Axis; 3],
    /// How far from the middle of its cell a body may be, m.
    half: DVec3,
    cells: Cells,
    /// Of each body; none if it is in no cell.
    numbers: Vec<Option<Numbers>>,
    /// Those beside the last body that got a new domain, to whom it came with it.
    new: Gathered,
    /// Those beside some bodies, kept for their room in memory.
    beside: [Gathered; 2],
}

impl CellList {
    /// Empty cells for the largest class of balls; none if they are few, or space is too narrow for them.
    pub(in crate::dynamics) fn new(rows: &BodyTable, space: &Space) -> Option<Self> {
        let species = Species::largest(rows)?;
        let axes = sizing::axes(&species, rows, space)?;
        let half = DVec3::from_array(axes.map(|axis| half(axis.edge, species.radius)));
        let (cells, numbers) = (Cells::with_places(places(&axes)), vec![None; rows.count()]);
        Some(Self { species, axes, half, cells, numbers, new: Gathered::default(), beside: Default::default() })
    }

    /// Domain for one more body.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.numbers.push(None);
    }

    /// Whether a body could be in it.
    pub(in crate::dynamics) fn suits(&self, id: BodyId, rows: &BodyTable) -> bool {
        self.species.holds(id, rows)
    }

    /// The cell that a body is in.
    #[inline]
    pub(in crate::dynamics) fn cell(&self, id: BodyId) -> Option<Numbers> {
        self.numbers[id.index()]
    }

    /// Looks who is beside a body; they are known [by the `rank`](Self::beside) until it looks for another one.
    #[inline(never)]
    pub(in crate::dynamics) fn look_beside(&mut self, rank: usize, id: BodyId) {
        look_around(&self.axes, &self.cells, id, self.numbers[id.index()], &mut self.beside[rank]);
    }

    /// Those who were found beside a body.
    #[inline(always)]
    pub(in crate::dynamics) fn beside(&self, rank: usize) -> NeighbourBlocks<'_> {
        self.beside[rank].others()
    }

    /// All beside a body, which was in no cell, or in another one far away, are new to it.
    pub(in crate::dynamics) fn come_to_all(&mut self, id: BodyId) {
        look_around(&self.axes, &self.cells, id, self.numbers[id.index()], &mut self.new);
    }

    /// Those beside the last body that [went on](Self::go) or [came](Self::come_to_all), to whom it is new.
    #[inline]
    pub(in crate::dynamics) fn new_ones(&self) -> NeighbourBlocks<'_> {
        self.new.others()
    }

    /// Calls `found` with everybody beside a body.
    pub(in crate::dynamics) fn visit_beside(&self, id: BodyId, mut found: impl FnMut(BodyId)) {
        let Some(cell) = self.cell(id) else { return };
        Stencil::new(&self.axes, cell).places().for_each(|place| {
            self.cells.visit(place, |other| {
                if other != id {
                    found(other);
                }
            });
        });
    }

    /// How many there are beside a body.
    pub(in crate::dynamics) fn count(&self, id: BodyId) -> usize {
        let mut count = 0;
        self.visit_beside(id, |_| count += 1);
        count
    }

    /// Periods from a body's place in the periodic cell to its image that is beside another body.
    pub(in crate::dynamics) fn offset(&self, id: BodyId, other: BodyId) -> [i8; 3] {
        let (Some(from), Some(to)) = (self.cell(id), self.cell(other)) else { return [0; 3] };
        std::array::from_fn(|axis| self.axes[axis].way(from[axis], to[axis]).1)
    }

    /// All bodies that are in cells, by id.
    pub(in crate::dynamics) fn members(&self) -> impl Iterator<Item = BodyId> {
        let all = self.numbers.iter().enumerate();
        all.filter(|(_, numbers)| numbers.is_some()).map(|(row, _)| BodyId(row as u32))
    }

    /// The cell at a place in the periodic cell; none if it is too far out.
    #[inline]
    pub(in crate::dynamics) fn at(&self, place: DVec3) -> Option<Numbers> {
        at(&self.axes, place)
    }

    /// The middle of a cell, m.
    #[inline]
    pub(in crate::dynamics) fn center(&self, cell: Numbers) -> DVec3 {
        let [x, y, z] = &self.axes;
        DVec3::new(x.middle(cell[0]), y.middle(cell[1]), z.middle(cell[2]))
    }

    /// How far from the middle of its cell a body may be, m.
    #[inline]
    pub(in crate::dynamics) fn half(&self) -> DVec3 {
        self.half
    }

    /// The largest of these, m.
    #[inline]
    pub(in crate::dynamics) fn margin(&self) -> f64 {
        self.half.max_element()
    }

    /// Whether a domain with this margin is about as wide as a cell.
    pub(in crate::dynamics) fn is_as_wide_as(&self, margin: f64) -> bool {
        let own = self.margin();
        0.8 * own <= margin && margin <= 1.25 * own
    }

    /// How far a body's surface may be from the middle of its cell, m.
    pub(in crate::dynamics) fn reach(&self) -> f64 {
        self.margin() + self.species.radius
    }

    /// Enters a body that is in no cell.
    pub(in crate::dynamics) fn join(&mut self, id: BodyId, cell: Numbers) {
        put(&self.axes, &mut self.cells, id, cell);
        self.numbers[id.index()] = Some(cell);
    }

    /// Takes a body out of its cell, if it is in one.
    pub(in crate::dynamics) fn leave(&mut self, id: BodyId) {
        if let Some(cell) = self.numbers[id.index()].take() {
            take(&self.axes, &mut self.cells, id, cell);
        }
    }

    /// Moves a body from its cell to one beside it. Does nothing, and says so, if that is no other cell, or not beside, or if
    /// too few are around, or too many.
    pub(in crate::dynamics) fn go(&mut self, id: BodyId, to: Numbers) -> bool {
        let Some(from) = self.cell(id) else { return false };
        let way = self.way(from, to);
        if !is_beside(way) {
            return false;
        }
        let Self { axes, cells, new, .. } = self;
        new.gather_new_cells(cells, &StencilAhead { around: Stencil::new(axes, to), way }, id);
        let is_usual = (1..=MANY_AHEAD).contains(&new.ids().len()) || (FEW..=MANY).contains(&self.count(id));
        if is_usual {
            let Self { axes, cells, numbers, .. } = self;
            take(axes, cells, id, from);
            put(axes, cells, id, to);
            numbers[id.index()] = Some(to);
        }
        is_usual
    }

    /// Prefetches what says where a body is.
    #[inline]
    pub(in crate::dynamics) fn prefetch(&self, id: BodyId) {
        prefetch_index(&self.numbers, id.index());
    }

    /// Prefetches the cells around that of a body.
    #[inline]
    pub(in crate::dynamics) fn prefetch_around(&self, id: BodyId) {
        if let Some(cell) = self.cell(id) {
            for first in Stencil::new(&self.axes, cell).runs() {
                self.cells.prefetch(first);
                self.cells.prefetch(first + RUN - 1);
            }
        }
    }

    /// Prefetches the cells that come to be around that of a body when it leaves it at this place.
    pub(in crate::dynamics) fn prefetch_ahead(&self, id: BodyId, at: &DVec3) {
        if let Some(ahead) = self.ahead(id, at) {
            ahead.each(|place| self.cells.prefetch(place));
        }
    }

    /// Who is in them.
    pub(in crate::dynamics) fn gather_ahead(&mut self, id: BodyId, at: &DVec3) -> &[BodyId] {
        match self.ahead(id, at) {
            Some(ahead) => self.new.gather_new_cells(&self.cells, &ahead, id),
            None => self.new.clear(),
        }
        self.new.ids()
    }

    fn ahead(&self, id: BodyId, at: &DVec3) -> Option<StencilAhead> {
        let (from, to) = (self.cell(id)?, self.at(*at)?);
        let way = self.way(from, to);
        is_beside(way).then(|| StencilAhead { around: Stencil::new(&self.axes, to), way })
    }

    /// How many cells it is from one to another.
    #[inline]
    fn way(&self, from: Numbers, to: Numbers) -> Numbers {
        std::array::from_fn(|axis| self.axes[axis].way(from[axis], to[axis]).0)
    }

    /// Calls `found` with every body whose cell, as far as the body may reach out of it, touches `bounds`, each once.
    pub(in crate::dynamics) fn touching(&self, bounds: &Aabb, mut found: impl FnMut(BodyId)) {
        let reach = self.half + self.species.radius;
        let touches = |id: BodyId| {
            let center = self.center(self.numbers[id.index()].unwrap_or_default());
            Aabb::around(center, reach + (center.abs() + reach) * DOMAIN_SLACK).touches(bounds)
        };
        // A body reaches out of its cell by its radius and a little more; half an edge is for rounding.
        let range = |axis: usize| {
            let out = self.species.radius + self.axes[axis].edge;
            self.axes[axis].range(bounds.min[axis] - out, bounds.max[axis] + out)
        };
        let [[x, x_last], [y, y_last], [z, z_last]] = [range(0), range(1), range(2)];
        let [along_x, along_y, along_z] = &self.axes;
        for z in (z..=z_last).map(|z| along_z.place_in_range(z)) {
            for y in (y..=y_last).map(|y| along_y.place_in_range(y)) {
                for x in (x..=x_last).map(|x| along_x.place_in_range(x)) {
                    self.cells.visit(FIRST + x + y + z, |id| {
                        if touches(id) {
                            found(id);
                        }
                    });
                }
            }
        }
    }
}

/// How far from the middle of a cell with this edge balls of this radius may be, m: as far as those in cells that are not
/// beside it are still out of reach, so that a ball thrown back from near a border need not change its cell twice.
fn half(edge: f64, radius: f64) -> f64 {
    let over = 0.5 * (edge - 2.0 * radius * (1.0 + APART));
    0.5 * edge + over.clamp(OVER_MIN * edge, OVER_MAX * edge)
}

#[inline]
fn at([x, y, z]: &[Axis; 3], place: DVec3) -> Option<Numbers> {
    Some([x.number(place.x)?, y.number(place.y)?, z.number(place.z)?])
}

/// Of a row of cells along the first axis; before it stands the twin of the last one, and behind that one the twin of the
/// first, so that those around a cell are runs of three.
const FIRST: usize = 1;

#[inline]
fn place(axes: &[Axis; 3], cell: Numbers) -> usize {
    FIRST + axes[0].place(cell[0]) + axes[1].place(cell[1]) + axes[2].place(cell[2])
}

/// The places of a row, with those of twins.
fn row([x, ..]: &[Axis; 3]) -> usize {
    x.count as usize + 2 * FIRST
}

/// Row stands behind row, and layer behind layer.
fn lay_out(axes: &mut [Axis; 3]) {
    let row = row(axes);
    [axes[0].stride, axes[1].stride, axes[2].stride] = [1, row, row * axes[1].count as usize];
}

/// How many places there are, those of twins among them.
fn places(axes: &[Axis; 3]) -> usize {
    row(axes) * axes[1].count as usize * axes[2].count as usize
}

/// The twin of a cell at an end of its row.
#[inline]
fn twin(axes: &[Axis; 3], cell: Numbers) -> Option<usize> {
    let (row, count) = (axes[0].place(cell[0]), axes[0].count as usize);
    match row {
        0 => Some(place(axes, cell) + count),
        last if last + 1 == count => Some(place(axes, cell) - count),
        _ => None,
    }
}

/// A body comes to a cell.
#[inline]
fn put(axes: &[Axis; 3], cells: &mut Cells, id: BodyId, cell: Numbers) {
    let place = place(axes, cell);
    cells.put(id, place);
    twin(axes, cell).into_iter().for_each(|twin| cells.copy(place, twin));
}

/// A body leaves its cell.
#[inline]
fn take(axes: &[Axis; 3], cells: &mut Cells, id: BodyId, cell: Numbers) {
    let place = place(axes, cell);
    cells.take(id, place);
    twin(axes, cell).into_iter().for_each(|twin| cells.copy(place, twin));
}

/// Whether it is to another cell that one comes on such a way, and it is beside.
#[inline]
fn is_beside(way: Numbers) -> bool {
    way != [0; 3] && way.iter().all(|way| way.abs() <= 1)
}

/// Puts down everybody around the cell of a body but the body; nobody if it is in none.
#[inline(always)]
fn look_around(axes: &[Axis; 3], cells: &Cells, id: BodyId, cell: Option<Numbers>, found: &mut Gathered) {
    match cell {
        Some(cell) => found.look_around(cells, &Stencil::new(axes, cell), id),
        None => found.clear(),
    }
}
