//! A cell list for balls and boxes of similar size in free flight, also under gravity: the neighbours of a body are the
//! bodies in the cells around its own.
//!
//! Cell lists are the oldest method to find neighbours in a fluid of hard spheres (Alder & Wainwright, *Studies in
//! molecular dynamics. I*, J. Chem. Phys. 31, 1959; Allen & Tildesley, *Computer Simulation of Liquids*, 2017, §
//! 5.3.2). Here the cell is the domain of its bodies until the domain exit. A body may move beyond the borders of its
//! cell as long as bodies in cells that are not adjacent stay out of reach. A ball that enters the next cell gets the
//! balls in the cells ahead as new neighbours, without computing distances. There are no neighbour lists: reading the
//! surrounding cells when needed costs less than updating lists.
//!
//! A periodic axis has a whole number of cells per period. Along an open axis, cells far apart share a place, so space
//! has no bounds; bodies that share a place have more neighbours than necessary.

pub(super) mod axis;
mod cells;
mod gather;
mod members;
mod near;
mod prefetch;
mod sizing;
pub(super) mod species;
mod stencil;

use glam::DVec3;

use super::domain::clear_margin;
use super::hash_grid::level::cells_between;
use crate::dynamics::BodyId;
use crate::dynamics::body::table::BodyTable;
use crate::dynamics::broadphase::neighbour_blocks::NeighbourBlocks;
use crate::dynamics::settings::Space;
use crate::geometry::Aabb;
use crate::numeric::tolerance::DOMAIN_SLACK;
use axis::{Axis, FIRST, Numbers, OVER_MIN, are_near, at, over, place, places};
use cells::Cells;
use gather::Gathered;
use members::Members;
use species::Species;
use stencil::{Stencil, StencilAhead};

/// A ball with fewer neighbours than `FEW`, or with too many, does not move to the next cell: it gets a domain of
/// another size. The largest number is `MANY`, or in large cells `MANY_RELATIVE` times the expected number if that is
/// more.
const FEW: usize = 4;
const MANY: usize = 64;
const MANY_RELATIVE: usize = 4;

/// The cells ahead are a third of the surrounding cells. If they have no body, or more than this part of the largest
/// number of neighbours, all neighbours are counted.
const AHEAD: usize = 4;

/// The cells, and the cell of each body.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct CellList {
    species: Species,
    axes: [Axis; 3],
    /// Largest distance of a body from the centre of its cell, per axis, m.
    half: DVec3,
    cells: Cells,
    /// The cell of each body; `None` if it is in none.
    numbers: Vec<Option<Numbers>>,
    members: Members,
    /// With more neighbours than this, a body leaves the cells.
    many: usize,
    /// The new neighbours of the body that got a new domain last.
    new: Gathered,
    /// The neighbours found for a body. The memory is kept for the next search.
    cell_neighbours: Gathered,
}

impl CellList {
    /// Empty cells for the most numerous species; `None` if it has too few bodies, or if space is too narrow.
    pub(in crate::dynamics) fn new(rows: &BodyTable, space: &Space) -> Option<Self> {
        let species = sizing::species(rows, space)?;
        let (axes, spread) = sizing::axes(&species, rows, space)?;
        let half = DVec3::from_array(axes.map(|axis| half(axis.edge, species.radius, space)));
        let (cells, numbers) = (Cells::with_places(places(&axes)), vec![None; rows.count()]);
        Some(Self {
            species,
            axes,
            half,
            cells,
            numbers,
            members: Members::with_bodies(rows.count()),
            many: MANY.max(MANY_RELATIVE * spread as usize),
            new: Gathered::default(),
            cell_neighbours: Gathered::default(),
        })
    }

    /// With more neighbours than this, a body leaves the cells.
    pub(in crate::dynamics) fn many(&self) -> usize {
        self.many
    }

    /// Adds a body that is in no cell.
    pub(in crate::dynamics) fn push_body(&mut self) {
        self.numbers.push(None);
        self.members.push_body();
    }

    /// Largest radius of a body, or of the ball around a box, m.
    #[inline]
    pub(in crate::dynamics) fn radius(&self) -> f64 {
        self.species.radius
    }

    /// Whether a body may be in a cell.
    pub(in crate::dynamics) fn suits(&self, id: BodyId, rows: &BodyTable) -> bool {
        self.species.holds(id, rows)
    }

    /// The cell of a body.
    #[inline]
    pub(in crate::dynamics) fn cell(&self, id: BodyId) -> Option<Numbers> {
        self.numbers[id.index()]
    }

    /// Gathers the neighbours of a body. [`cell_neighbours`](Self::cell_neighbours) has them until the next call.
    #[inline(never)]
    pub(in crate::dynamics) fn gather_neighbours(&mut self, id: BodyId) {
        look_around(&self.axes, &self.cells, id, self.numbers[id.index()], &mut self.cell_neighbours);
    }

    /// The neighbours that were gathered.
    #[inline(always)]
    pub(in crate::dynamics) fn cell_neighbours(&self) -> NeighbourBlocks<'_> {
        self.cell_neighbours.others()
    }

    /// Makes all neighbours new ones, for a body that was in no cell or in a distant one.
    pub(in crate::dynamics) fn gather_all_as_new(&mut self, id: BodyId) {
        look_around(&self.axes, &self.cells, id, self.numbers[id.index()], &mut self.new);
    }

    /// The new neighbours of the body that last [moved on](Self::go) or [came](Self::gather_all_as_new).
    #[inline]
    pub(in crate::dynamics) fn new_ones(&self) -> NeighbourBlocks<'_> {
        self.new.others()
    }

    /// The neighbours of a body.
    pub(in crate::dynamics) fn neighbours(&self, id: BodyId) -> impl Iterator<Item = BodyId> {
        let places = self.cell(id).into_iter().flat_map(|cell| Stencil::new(&self.axes, cell).places());
        places.flat_map(|place| self.cells.at(place)).filter(move |&other| other != id)
    }

    /// Number of neighbours of a body.
    pub(in crate::dynamics) fn count(&self, id: BodyId) -> usize {
        self.neighbours(id).count()
    }

    /// Periods from the position of `other` in the periodic cell to its image near `id`.
    pub(in crate::dynamics) fn offset(&self, id: BodyId, other: BodyId) -> [i8; 3] {
        let (Some(from), Some(to)) = (self.cell(id), self.cell(other)) else { return [0; 3] };
        std::array::from_fn(|axis| self.axes[axis].steps(from[axis], to[axis]).1)
    }

    /// All bodies in cells, in no particular order.
    pub(in crate::dynamics) fn members(&self) -> impl Iterator<Item = BodyId> {
        self.members.all().iter().copied()
    }

    /// The cell at a position in the periodic cell; `None` if it is too far out.
    #[inline]
    pub(in crate::dynamics) fn at(&self, place: DVec3) -> Option<Numbers> {
        at(&self.axes, place)
    }

    /// The centre of a cell, m.
    #[inline]
    pub(in crate::dynamics) fn center(&self, cell: Numbers) -> DVec3 {
        let [x, y, z] = &self.axes;
        DVec3::new(x.middle(cell[0]), y.middle(cell[1]), z.middle(cell[2]))
    }

    /// Largest distance of a body from the centre of its cell, per axis, m.
    #[inline]
    pub(in crate::dynamics) fn half(&self) -> DVec3 {
        self.half
    }

    /// The margin of a domain, m: the largest component of [`half`](Self::half).
    #[inline]
    pub(in crate::dynamics) fn margin(&self) -> f64 {
        self.half.max_element()
    }

    /// Whether a domain with this margin is about as wide as a cell.
    pub(in crate::dynamics) fn is_as_wide_as(&self, margin: f64) -> bool {
        let own = self.margin();
        0.8 * own <= margin && margin <= 1.25 * own
    }

    /// Largest distance of a body's surface from the centre of its cell, m.
    pub(in crate::dynamics) fn reach(&self) -> f64 {
        self.half.max_element() + self.species.radius
    }

    /// Adds a body that is in no cell.
    pub(in crate::dynamics) fn join(&mut self, id: BodyId, cell: Numbers) {
        put(&self.axes, &mut self.cells, id, cell);
        self.numbers[id.index()] = Some(cell);
        self.members.add(id);
    }

    /// Removes a body from its cell, if it is in one.
    pub(in crate::dynamics) fn leave(&mut self, id: BodyId) {
        if let Some(cell) = self.numbers[id.index()].take() {
            take(&self.axes, &mut self.cells, id, cell);
            self.members.remove(id);
        }
    }

    /// Moves a body from its cell to an adjacent one. Does nothing and returns false if the cell is the same or not
    /// adjacent, or if the body has too few neighbours or too many.
    pub(in crate::dynamics) fn go(&mut self, id: BodyId, to: Numbers) -> bool {
        let Some(from) = self.cell(id) else { return false };
        let steps = self.steps(from, to);
        if !is_adjacent(steps) {
            return false;
        }
        let Self { axes, cells, new, .. } = self;
        new.gather_new_cells(cells, &StencilAhead { around: Stencil::new(axes, to), steps }, id);
        let is_usual =
            self.new_ones_are_usual(to) || (self.count_near(id, from, FEW) == FEW && self.count(id) <= self.many);
        if is_usual {
            let Self { axes, cells, numbers, .. } = self;
            take(axes, cells, id, from);
            put(axes, cells, id, to);
            numbers[id.index()] = Some(to);
        }
        is_usual
    }

    /// Number of cells from one cell to another, per axis.
    #[inline]
    fn steps(&self, from: Numbers, to: Numbers) -> Numbers {
        std::array::from_fn(|axis| self.axes[axis].steps(from[axis], to[axis]).0)
    }

    /// Calls `found` once with every body in a cell that overlaps `bounds` when it is enlarged by the reach of its
    /// bodies. It visits the bodies of the cells in `bounds`, or all bodies in cells if these are fewer than the cells.
    pub(in crate::dynamics) fn touching(&self, bounds: &Aabb, mut found: impl FnMut(BodyId)) {
        let reach = self.half + self.species.radius;
        let touches = |id: BodyId| {
            let center = self.center(self.numbers[id.index()].unwrap_or_default());
            Aabb::around(center, reach + (center.abs() + reach) * DOMAIN_SLACK).touches(bounds)
        };
        // A body extends beyond its cell by its radius and a little more; half an edge is for rounding.
        let range = |axis: usize| {
            let out = self.species.radius + self.axes[axis].edge;
            self.axes[axis].range(bounds.min[axis] - out, bounds.max[axis] + out)
        };
        let [[x, x_last], [y, y_last], [z, z_last]] = [range(0), range(1), range(2)];
        if cells_between([x, y, z], [x_last, y_last, z_last]) > self.members.all().len() as f64 {
            self.members().filter(|&id| touches(id)).for_each(found);
            return;
        }
        let [along_x, along_y, along_z] = &self.axes;
        for z in (z..=z_last).map(|z| along_z.place_in_range(z)) {
            for y in (y..=y_last).map(|y| along_y.place_in_range(y)) {
                for x in (x..=x_last).map(|x| along_x.place_in_range(x)) {
                    self.cells.at(FIRST + x + y + z).filter(|&id| touches(id)).for_each(&mut found);
                }
            }
        }
    }
}

/// Largest distance, per axis, of balls of this radius from the centre of a cell with this edge, m. It is the largest
/// distance at which balls in cells that are not adjacent are out of reach of each other. So a ball that is reflected
/// near a border need not change its cell twice, and a ball that soon crosses borders along two axes changes its cell
/// once. It is smaller where the nearest image of a neighbour would otherwise be ambiguous.
fn half(edge: f64, radius: f64, space: &Space) -> f64 {
    let least = (0.5 + OVER_MIN) * edge;
    clear_margin(0.5 * edge + over(edge, radius), radius, space).max(least)
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

/// Adds a body to a cell.
#[inline]
fn put(axes: &[Axis; 3], cells: &mut Cells, id: BodyId, cell: Numbers) {
    let place = place(axes, cell);
    cells.put(id, place);
    twin(axes, cell).into_iter().for_each(|twin| cells.copy(place, twin));
}

/// Removes a body from its cell.
#[inline]
fn take(axes: &[Axis; 3], cells: &mut Cells, id: BodyId, cell: Numbers) {
    let place = place(axes, cell);
    cells.take(id, place);
    twin(axes, cell).into_iter().for_each(|twin| cells.copy(place, twin));
}

/// Whether these steps lead to an adjacent cell.
#[inline]
fn is_adjacent(steps: Numbers) -> bool {
    steps != [0; 3] && are_near(steps)
}

/// Gathers the neighbours of a body; none if it is in no cell.
#[inline(always)]
fn look_around(axes: &[Axis; 3], cells: &Cells, id: BodyId, cell: Option<Numbers>, found: &mut Gathered) {
    match cell {
        Some(cell) => found.look_around(cells, &Stencil::new(axes, cell), id),
        None => found.clear(),
    }
}
