//! Storage of the cells: each place has one part with a few bodies; further parts are stored after all places.
//!
//! A part is four words, 16 bytes, so most cells need one read.

use prefetch_index::prefetch_index;

use crate::dynamics::BodyId;
use crate::dynamics::few::reserve;

/// Most bodies in a part.
pub(super) const ROWS: usize = 3;

/// Words of a part: the ids, and one with their number and the next part.
pub(super) const WORDS: usize = ROWS + 1;

/// No next part.
pub(super) const NONE: u32 = u32::MAX >> 2;

/// A part of a cell: ids without gaps, and in the last word the number of ids and the next part.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(16))]
pub(super) struct Part(pub(super) [BodyId; WORDS]);

impl Part {
    const EMPTY: Self = Self([BodyId::NONE, BodyId::NONE, BodyId::NONE, BodyId(NONE << 2)]);

    /// Four times the number of the next part, plus the number of ids.
    #[inline(always)]
    pub(super) fn tail(&self) -> u32 {
        self.0[ROWS].0
    }

    #[inline(always)]
    fn ids(&self) -> &[BodyId] {
        &self.0[..self.count().min(ROWS)]
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        (self.tail() & 3) as usize
    }

    /// The next part.
    #[inline(always)]
    pub(super) fn next(&self) -> Option<usize> {
        let next = self.tail() >> 2;
        (next != NONE).then_some(next as usize)
    }

    fn set_next(&mut self, next: Option<usize>) {
        self.0[ROWS].0 = next.map_or(NONE, |next| next as u32) << 2 | self.count() as u32;
    }

    fn push(&mut self, id: BodyId) {
        self.0[self.count()] = id;
        self.0[ROWS].0 += 1;
    }

    /// Removes the id in a row; the last one takes its row.
    fn remove(&mut self, row: usize) {
        let last = self.count() - 1;
        self.0[row] = self.0[last];
        self.0[ROWS].0 -= 1;
    }
}

/// The ids of the bodies at each place.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// One part per place, and after them the further parts.
    parts: Vec<Part>,
    /// Further parts that are not in use.
    vacant: Vec<u32>,
}

impl Cells {
    pub(super) fn with_places(count: usize) -> Self {
        Self { parts: vec![Part::EMPTY; count], vacant: Vec::new() }
    }

    /// Adds a body to a place.
    #[inline(always)]
    pub(super) fn put(&mut self, id: BodyId, place: usize) {
        let mut place = place;
        loop {
            let part = &mut self.parts[place];
            if part.count() < ROWS {
                part.push(id);
                return;
            }
            match part.next() {
                Some(next) => place = next,
                None => break,
            }
        }
        let further = self.vacant.pop().unwrap_or_else(|| {
            reserve(&mut self.parts, 1);
            self.parts.push(Part::EMPTY);
            self.parts.len() as u32 - 1
        });
        self.parts[further as usize] = Part::EMPTY;
        self.parts[further as usize].push(id);
        self.parts[place].set_next(Some(further as usize));
    }

    /// Removes a body from its place.
    #[inline(always)]
    pub(super) fn take(&mut self, id: BodyId, place: usize) {
        let (mut place, mut before): (usize, Option<usize>) = (place, None);
        loop {
            let part = &mut self.parts[place];
            if let Some(row) = part.ids().iter().position(|&other| other == id) {
                part.remove(row);
                let (is_empty, next) = (part.count() == 0, part.next());
                if let Some(before) = before.filter(|_| is_empty) {
                    self.parts[before].set_next(next);
                    self.vacant.push(place as u32);
                }
                return;
            }
            let next = part.next().expect("the body is at this place");
            (before, place) = (Some(place), next);
        }
    }

    /// The bodies at a place.
    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> impl Iterator<Item = BodyId> {
        let parts = std::iter::successors(Some(&self.parts[place]), |part| Some(&self.parts[part.next()?]));
        parts.flat_map(|part| part.ids().iter().copied())
    }

    #[inline(always)]
    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Copies a place to its twin, which must have the same bodies.
    #[inline(always)]
    pub(super) fn copy(&mut self, place: usize, twin: usize) {
        self.parts[twin] = self.parts[place];
    }

    /// Prefetches a place.
    #[inline]
    pub(super) fn prefetch(&self, place: usize) {
        prefetch_index(&self.parts, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn cells_hold_what_was_put_and_not_taken() {
        const BODIES: usize = 60;
        let mut random = Random::from_state(6);
        let mut any = |below: usize| (random.unit() * below as f64) as usize;
        let (mut cells, mut places) = (Cells::with_places(7), vec![None; BODIES]);
        for step in 0..20_000 {
            let row = any(BODIES);
            let id = BodyId(row as u32);
            match places[row].take() {
                Some(place) => cells.take(id, place),
                // All bodies in one cell, or spread.
                None => {
                    let place = if step / 2_000 % 2 == 0 { 3 } else { any(7) };
                    cells.put(id, place);
                    places[row] = Some(place);
                }
            }
            let at = any(7);
            let mut found: Vec<usize> = cells.at(at).map(BodyId::index).collect();
            found.sort_unstable();
            assert!(found.into_iter().eq((0..BODIES).filter(|&row| places[row] == Some(at))), "step {step}");
        }
        assert!(cells.parts.len() <= 7 + BODIES / ROWS + 7, "parts are used again: {}", cells.parts.len());
    }
}
