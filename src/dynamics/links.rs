//! Neighbour lists, with what is predicted for each pair of neighbours.
//!
//! A link stands in the lists of both its bodies, and each side knows where the other one stands; so a link is
//! cut in constant time, even if one of the two has a hundred thousand. The prediction of a pair is kept on one side, that of
//! its *owner*. It is a function of the two paths, so it holds until one of them changes, whatever the
//! broadphase does in the meantime.

use super::BodyId;
use super::pair::Pair;
use super::queue::{Kind, Prediction};
use super::rows::Rows;
use crate::motion::SimTime;

/// One side of a link.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    id: BodyId,
    /// Where the list's owner stands in this neighbour's list.
    back: u32,
    /// Periods from the neighbour's place in the periodic cell to the image that is near the list's owner.
    offset: [i8; 3],
    /// What the two will do next, on the side of the pair's owner.
    next: Option<(SimTime, Kind)>,
}

/// The neighbours of all bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct Links {
    lists: Vec<Vec<Neighbour>>,
}

impl Links {
    pub(super) fn with_bodies(count: usize) -> Self {
        Self { lists: vec![Vec::new(); count] }
    }

    /// How many neighbours a body has.
    #[inline]
    pub(super) fn count(&self, id: BodyId) -> usize {
        self.lists[id.index()].len()
    }

    /// The pair that a body makes with the neighbour in a row of its list, with the image that is near.
    #[inline]
    pub(super) fn pair(&self, id: BodyId, row: usize, rows: &Rows) -> Pair {
        let neighbour = &self.lists[id.index()][row];
        let (own, other) = (rows.images[id.index()], rows.images[neighbour.id.index()]);
        let image = std::array::from_fn(|axis| own[axis] - other[axis] + i32::from(neighbour.offset[axis]));
        Pair::new(id, neighbour.id, image)
    }

    /// All pairs of a body.
    pub(super) fn pairs<'a>(&'a self, id: BodyId, rows: &'a Rows) -> impl Iterator<Item = Pair> + 'a {
        (0..self.count(id)).map(move |row| self.pair(id, row, rows))
    }

    /// Makes two bodies neighbours; each stands last in the other's list.
    pub(super) fn link(&mut self, id: BodyId, other: BodyId, offset: [i8; 3]) {
        let (row, back) = (self.count(id), self.count(other));
        self.lists[id.index()].push(Neighbour { id: other, back: back as u32, offset, next: None });
        let reverse = Neighbour { id, back: row as u32, offset: offset.map(|periods| -periods), next: None };
        self.lists[other.index()].push(reverse);
    }

    /// Cuts the link in a row of a body's list; the last row takes its place.
    pub(super) fn cut(&mut self, id: BodyId, row: usize) {
        let Neighbour { id: other, back, .. } = self.lists[id.index()][row];
        self.remove(other, back as usize);
        self.remove(id, row);
    }

    fn remove(&mut self, id: BodyId, row: usize) {
        let list = &mut self.lists[id.index()];
        list.swap_remove(row);
        if let Some(&moved) = list.get(row) {
            self.lists[moved.id.index()][moved.back as usize].back = row as u32;
        }
    }

    /// The row of a pair in the list of one of its bodies, if the two are neighbours.
    pub(super) fn row(&self, id: BodyId, pair: Pair, rows: &Rows) -> Option<usize> {
        (0..self.count(id)).find(|&row| self.pair(id, row, rows) == pair)
    }

    /// A body's place in the periodic cell is now counted from `moved` periods farther on, and so are its images.
    pub(super) fn move_to_image(&mut self, id: BodyId, moved: [i8; 3]) {
        if moved == [0; 3] {
            return;
        }
        for row in 0..self.count(id) {
            let neighbour = &mut self.lists[id.index()][row];
            neighbour.offset = std::array::from_fn(|axis| neighbour.offset[axis] - moved[axis]);
            let Neighbour { id: other, back, offset, .. } = *neighbour;
            self.lists[other.index()][back as usize].offset = offset.map(|periods| -periods);
        }
    }

    /// The rows in a body's list of the neighbours `found`, or nothing for those that are not in it.
    pub(super) fn rows_of(&self, id: BodyId, found: &[(BodyId, [i8; 3])]) -> Vec<Option<usize>> {
        let rows = self.lists[id.index()].iter().enumerate();
        let mut rows: Vec<_> = rows.map(|(row, neighbour)| ((neighbour.id, neighbour.offset), row)).collect();
        rows.sort_unstable();
        let row_of = |wanted| rows.binary_search_by_key(wanted, |entry| entry.0).ok().map(|place| rows[place].1);
        found.iter().map(row_of).collect()
    }

    /// Keeps a prediction with its owner, and says who that is.
    #[inline]
    pub(super) fn keep(&mut self, id: BodyId, row: usize, next: Option<(SimTime, Kind)>, rows: &Rows) -> BodyId {
        let Neighbour { id: other, back, .. } = self.lists[id.index()][row];
        if rows.owns(id, other) {
            self.lists[id.index()][row].next = next;
            id
        } else {
            self.lists[other.index()][back as usize].next = next;
            other
        }
    }

    /// What is kept on a body's side for the neighbour in a row of its list.
    #[inline]
    pub(super) fn own(&self, id: BodyId, row: usize) -> Option<(SimTime, Kind)> {
        self.lists[id.index()][row].next
    }

    /// The earliest of all predictions that a body owns.
    pub(super) fn earliest(&self, id: BodyId, rows: &Rows) -> Option<Prediction> {
        let mut earliest: Option<Prediction> = None;
        for (row, neighbour) in self.lists[id.index()].iter().enumerate() {
            let Some((time, kind)) = neighbour.next else { continue };
            if earliest.is_none_or(|earliest| time <= earliest.time) {
                let prediction = Prediction { time, kind, pair: self.pair(id, row, rows) };
                earliest = if prediction.precedes(&earliest) { Some(prediction) } else { earliest };
            }
        }
        earliest
    }
}
