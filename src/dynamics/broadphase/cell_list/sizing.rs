//! The size of the cells: as small as the balls permit, or large enough for some neighbours per ball.
//!
//! In a dense gas the cells are as small as possible. In a dilute gas a ball crosses many cells between two impacts, so
//! there the cells are as large as the space of a ball. Where balls are clustered in a part of space, the cells are
//! smaller again.

use super::axis::{APART, Axis, OVER_MIN, PLACES_MIN, at, lay_out, place, places};
use super::species::Species;
use crate::dynamics::BodyId;
use crate::dynamics::body::table::BodyTable;
use crate::dynamics::settings::{Period, Space};
use crate::geometry::Shape;

/// Largest number of places per ball at the start, and of places in addition to these.
const PLACES_EACH: usize = 4;
const PLACES_ALL: usize = 512;

/// Mean number of evenly spread bodies in a cell that is larger than they need. With more, each search has more
/// neighbours; with fewer, more moves from cell to cell.
const IN_CELL: f64 = 0.7;

/// Mean occupancy of a body's own cell, relative to that of evenly spread bodies, above which bodies count as
/// clustered.
const CLUSTERED: f64 = 2.0;

/// Largest number of neighbours in the cells around a body at which boxes are included in a species. The neighbour list
/// of a box outside the cells is about as long.
const NEIGHBOURS_OF_BOXES: f64 = 32.0;

/// Number of cells around a cell, with itself.
const AROUND: f64 = 27.0;

/// Widest cells, relative to the shortest period of space, and to the longest edge.
const WIDEST: f64 = 1.0 / 7.0;

/// Factor by which the edge grows per step of the search.
const STRIDE: f64 = 1.0625;

/// The species that the cells are for.
pub(super) fn species(rows: &BodyTable, space: &Space) -> Option<Species> {
    if rows.records.has_boxes() {
        let with_boxes = Species::largest(rows, |_| true)?;
        let least = least_edge(&with_boxes);
        if neighbours(&with_boxes, lengths(&with_boxes, space, least), least) <= NEIGHBOURS_OF_BOXES {
            return Some(with_boxes);
        }
    }
    Species::largest(rows, |shape| matches!(shape, Shape::Sphere(_)))
}

/// Cells for little work, and the number of neighbours of a ball to expect; `None` if space is too narrow.
pub(super) fn axes(species: &Species, rows: &BodyTable, space: &Space) -> Option<([Axis; 3], f64)> {
    let least = least_edge(species);
    let lengths = lengths(species, space, least);
    let (widest, mut edge) = (WIDEST * widest_room(lengths, space), least);
    let wanted = IN_CELL * lengths.into_iter().product::<f64>() / species.count as f64;
    while edge * edge * edge < wanted && STRIDE * edge < widest {
        edge *= STRIDE;
    }
    loop {
        let spread = neighbours(species, lengths, edge);
        match axes_with(edge, species, space) {
            axes if edge <= least => return Some((axes?, spread)),
            Some(axes) if occupancy(&axes, species, rows, space) <= CLUSTERED * (1.0 + spread / AROUND) => {
                return Some((axes, spread));
            }
            // Most of space is empty, or it is shorter than seven cells.
            _ => edge = (0.5 * edge).max(least),
        }
    }
}

/// The shortest edge of cells for a species, m.
fn least_edge(species: &Species) -> f64 {
    2.0 * species.radius * (1.0 + APART) / (1.0 - 2.0 * OVER_MIN)
}

/// Lengths of the space of the balls, m: periods, or the extent of their positions and `more`.
fn lengths(species: &Species, space: &Space, more: f64) -> [f64; 3] {
    std::array::from_fn(|axis| space.periods[axis].map_or(species.extent[axis] + more, |period| period.length()))
}

/// The shortest period of space, or the longest edge if that is shorter, m. Along an open axis, one layer of cells is
/// enough.
fn widest_room(lengths: [f64; 3], space: &Space) -> f64 {
    let longest = lengths.into_iter().fold(0.0, f64::max);
    space.periods.iter().flatten().map(Period::length).fold(longest, f64::min)
}

/// Number of evenly spread balls in the cells around one.
fn neighbours(species: &Species, lengths: [f64; 3], edge: f64) -> f64 {
    lengths.into_iter().map(|length| (3.0 * edge / length).min(1.0)).product::<f64>() * species.count as f64
}

/// Cells with this edge, or a slightly larger one.
fn axes_with(edge: f64, species: &Species, space: &Space) -> Option<[Axis; 3]> {
    let axes = [0, 1, 2].map(|axis| Axis::new(edge, space.periods[axis], species.extent[axis]));
    let [Some(x), Some(y), Some(z)] = axes else { return None };
    let mut axes = [x, y, z];
    let count = |axes: &[Axis; 3]| axes.iter().map(|axis| f64::from(axis.count)).product::<f64>();
    while count(&axes) > (PLACES_EACH * species.count + PLACES_ALL) as f64 {
        // More cells share a place along the longest open axis.
        let open = axes.iter_mut().filter(|axis| !axis.repeats && i64::from(axis.count) > PLACES_MIN);
        open.max_by_key(|axis| axis.count)?.count /= 2;
    }
    lay_out(&mut axes);
    Some(axes)
}

/// Mean number of balls in the cell of a ball.
fn occupancy(axes: &[Axis; 3], species: &Species, rows: &BodyTable, space: &Space) -> f64 {
    let mut counts = vec![0u32; places(axes)];
    let of_class = |id: &BodyId| species.holds(*id, rows);
    let mut pairs = 0.0;
    for id in rows.ids().filter(of_class) {
        if let Some(cell) = at(axes, space.wrap(rows.path(id).position).0) {
            let count = &mut counts[place(axes, cell)];
            pairs += 2.0 * f64::from(*count) + 1.0;
            *count += 1;
        }
    }
    pairs / species.count as f64
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::dynamics::{Body, Settings};
    use crate::motion::SimTime;

    /// The edge of the cells along the first axis for balls of diameter 1 at these positions.
    fn edge(places: impl Iterator<Item = DVec3>, space: Space) -> Option<f64> {
        let bodies: Vec<Body> = places.map(|place| Body::sphere(0.5, 1.0).unwrap().at(place)).collect();
        let rows = BodyTable::new(&bodies, &Settings { space, ..Settings::default() }, SimTime::ZERO);
        axes(&species(&rows, &space)?, &rows, &space).map(|(axes, _)| axes[0].edge)
    }

    #[test]
    fn cells_fit_the_balls_and_not_the_room() {
        let cube = |spacing: f64| {
            (0..1000).map(move |n| DVec3::new(f64::from(n % 10), f64::from(n / 10 % 10), f64::from(n / 100)) * spacing)
        };
        let far = [DVec3::splat(1e9), DVec3::splat(-3e15)];
        let open = Space::default();
        let [packed, thin] = [1.0, 5.0].map(|spacing| edge(cube(spacing), open).unwrap());
        assert!((1.0..1.04).contains(&packed), "{packed}");
        assert!((4.0..9.0).contains(&thin), "{thin}");
        // Two distant balls do not make all others neighbours of each other.
        for spacing in [1.0, 5.0] {
            let occupancy = edge(cube(spacing).chain(far), open).unwrap();
            assert!(occupancy < 2.0 * spacing, "{occupancy}");
        }
        assert_eq!(edge(cube(1.0).take(7), open), None);
    }

    #[test]
    fn boxes_have_cells_where_they_are_few() {
        let radius_in_cells = |spacing: f64, balls: usize| {
            let place = |n: usize| DVec3::new((n % 10) as f64, (n / 10 % 10) as f64, (n / 100) as f64) * spacing;
            let body = |n: usize| match n % 10 {
                rank if rank < balls => Body::sphere(0.5, 1.0),
                _ => Body::cuboid(DVec3::splat(0.5), 1.0),
            };
            let bodies: Vec<Body> = (0..1000).map(|n| body(n).unwrap().at(place(n))).collect();
            let rows = BodyTable::new(&bodies, &Settings::default(), SimTime::ZERO);
            species(&rows, &Space::default()).map(|species| species.radius)
        };
        for balls in [0, 5] {
            assert!(radius_in_cells(2.0, balls).is_some_and(|radius| radius > 0.86), "{balls}");
        }
        assert_eq!(radius_in_cells(1.2, 0), None);
        assert_eq!(radius_in_cells(1.2, 5), Some(0.5));
    }
}
