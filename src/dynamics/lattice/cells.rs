//! Who is at which place: a cell holds a few bodies itself, and further parts of it stand behind all cells.

use prefetch_index::prefetch_index;

use super::area::{Area, Around};
use crate::dynamics::BodyId;

/// Bodies in a part of a cell.
const ROWS: usize = 3;

/// The words of a part: its rows, and what says how many are filled and where it goes on.
const WORDS: usize = ROWS + 1;

/// Places around a cell, itself among them.
const PLACES: usize = 27;

/// No further part.
const NONE: u32 = u32::MAX >> 2;

/// A part of a cell: those that are there, without gaps, and last, in place of one more, how many they are and the next part.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(16))]
struct Part([BodyId; WORDS]);

impl Part {
    const EMPTY: Self = Self([BodyId::NOBODY, BodyId::NOBODY, BodyId::NOBODY, BodyId(NONE << 2)]);

    #[inline(always)]
    fn ids(&self) -> &[BodyId] {
        &self.0[..self.count().min(ROWS)]
    }

    #[inline(always)]
    fn count(&self) -> usize {
        (self.0[ROWS].0 & 3) as usize
    }

    /// The part that it goes on with.
    #[inline(always)]
    fn next(&self) -> Option<usize> {
        let next = self.0[ROWS].0 >> 2;
        (next != NONE).then_some(next as usize)
    }

    fn set_next(&mut self, next: Option<usize>) {
        self.0[ROWS].0 = next.map_or(NONE, |next| next as u32) << 2 | self.count() as u32;
    }

    fn push(&mut self, id: BodyId) {
        self.0[self.count()] = id;
        self.0[ROWS].0 += 1;
    }

    /// Takes out whoever is in a row; the last one takes that.
    fn remove(&mut self, row: usize) {
        let last = self.count() - 1;
        self.0[row] = self.0[last];
        self.0[ROWS].0 -= 1;
    }
}

/// Bodies found at some places.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// Those found, and whatever is behind them.
    ids: Vec<BodyId>,
    count: usize,
}

impl Found {
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub(super) fn ids(&self) -> &[BodyId] {
        &self.ids[..self.count]
    }

    /// Puts down everybody around a body's cell but the body.
    #[inline(always)]
    pub(super) fn look_around(&mut self, cells: &Cells, around: &Around, id: BodyId) {
        self.look(cells, around);
        self.remove(id);
    }

    /// Puts down everybody in an area. How many there are in a part cannot be guessed, so all its words are put down, and only if
    /// some part goes on, which is rare, the further ones are looked for.
    #[inline(always)]
    pub(super) fn look(&mut self, cells: &Cells, area: &impl Area) {
        let (parts, mut count, mut tails) = (cells.parts.as_slice(), 0, NONE << 2);
        let ids = self.room();
        area.each(|place| {
            let part = &parts[place];
            ids[count..count + WORDS].copy_from_slice(&part.0);
            count += part.count();
            tails &= part.0[ROWS].0;
        });
        self.count = count;
        if tails < NONE << 2 {
            area.each(|place| self.look_further(cells, place));
        }
    }

    /// Room for one part of each place in an area.
    #[inline(always)]
    fn room(&mut self) -> &mut [BodyId; PLACES * WORDS] {
        if self.ids.len() < PLACES * WORDS {
            self.grow(PLACES * WORDS);
        }
        self.ids.first_chunk_mut().expect("there is room")
    }

    /// Adds those who are in further parts of a place.
    #[cold]
    fn look_further(&mut self, cells: &Cells, place: usize) {
        let mut part = &cells.parts[place];
        while let Some(next) = part.next() {
            part = &cells.parts[next];
            let end = self.count + WORDS;
            if end > self.ids.len() {
                self.grow(end);
            }
            self.ids[self.count..end].copy_from_slice(&part.0);
            self.count += part.count();
        }
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.ids.resize(2 * end, BodyId::NOBODY);
    }

    /// Takes out a body that is there; the last one takes its row. Mostly it is one of the first, and which one cannot be
    /// guessed.
    #[inline(always)]
    fn remove(&mut self, id: BodyId) {
        let [first, second, third, ..] = self.room();
        let [first, second, third] = [*first != id, *second != id, *third != id].map(usize::from);
        let row = first + (first & second) + (first & second & third);
        let row = if row < ROWS { row } else { self.row(id) };
        self.count -= 1;
        self.ids[row] = self.ids[self.count];
    }

    /// Where a body is that is there.
    #[cold]
    fn row(&self, id: BodyId) -> usize {
        self.ids().iter().position(|&other| other == id).expect("the body is in its own cell")
    }
}

/// The bodies at each place.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// One a place, and behind them further ones.
    parts: Vec<Part>,
    /// Further ones that nobody uses.
    vacant: Vec<u32>,
}

impl Cells {
    pub(super) fn with_places(count: usize) -> Self {
        Self { parts: vec![Part::EMPTY; count], vacant: Vec::new() }
    }

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
            self.parts.push(Part::EMPTY);
            self.parts.len() as u32 - 1
        });
        self.parts[further as usize] = Part::EMPTY;
        self.parts[further as usize].push(id);
        self.parts[place].set_next(Some(further as usize));
    }

    /// Takes a body out that is at a place.
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

    /// Calls `found` with everybody at a place.
    #[inline(always)]
    pub(super) fn visit(&self, place: usize, mut found: impl FnMut(BodyId)) {
        let mut part = &self.parts[place];
        loop {
            part.ids().iter().for_each(|&id| found(id));
            let Some(next) = part.next() else { return };
            part = &self.parts[next];
        }
    }

    /// Calls for a place.
    #[inline]
    pub(super) fn call(&self, place: usize) {
        prefetch_index(&self.parts, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::random::Random;

    struct Both([usize; 2]);

    impl Area for Both {
        fn each(&self, visit: impl FnMut(usize)) {
            self.0.into_iter().for_each(visit);
        }
    }

    #[test]
    fn whoever_was_put_and_not_taken_is_there() {
        const BODIES: usize = 60;
        let mut random = Random::from_state(6);
        let mut any = |below: usize| (random.unit() * below as f64) as usize;
        let (mut cells, mut places) = (Cells::with_places(7), vec![None; BODIES]);
        let mut gathered = Found::default();
        for step in 0..20_000 {
            let row = any(BODIES);
            let id = BodyId(row as u32);
            match places[row].take() {
                Some(place) => cells.take(id, place),
                // All crowd together, or spread.
                None => {
                    let place = if step / 2_000 % 2 == 0 { 3 } else { any(7) };
                    cells.put(id, place);
                    places[row] = Some(place);
                }
            }
            let at = any(7);
            let mut found = Vec::new();
            cells.visit(at, |id| found.push(id.index()));
            found.sort_unstable();
            // Of two places at once.
            let (other, mut wanted) = ((at + 1) % 7, found.clone());
            cells.visit(other, |id| wanted.push(id.index()));
            gathered.look(&cells, &Both([at, other]));
            if let Some(&but) = found.get(step % 8) {
                wanted.retain(|&row| row != but);
                gathered.remove(BodyId(but as u32));
            }
            let mut all: Vec<usize> = gathered.ids().iter().map(|id| id.index()).collect();
            all.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(all, wanted, "step {step}");
            assert!(found.into_iter().eq((0..BODIES).filter(|&row| places[row] == Some(at))), "step {step}");
        }
        assert!(cells.parts.len() <= 7 + BODIES / ROWS + 7, "parts are used again: {}", cells.parts.len());
    }
}
