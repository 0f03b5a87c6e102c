//! Who is at which place: a cell holds a few bodies itself, and further parts of it stand behind all cells.

use super::lists::NOBODY;
use crate::dynamics::BodyId;

/// Bodies in a part of a cell.
const ROWS: usize = 3;

/// No further part.
const NONE: u32 = u32::MAX;

/// A part of a cell.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(16))]
struct Part {
    /// Those that are there come first.
    ids: [BodyId; ROWS],
    next: u32,
}

impl Part {
    const EMPTY: Self = Self { ids: [NOBODY; ROWS], next: NONE };
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

    /// Adds those of a part. How many there are cannot be guessed, so all its rows are put down.
    #[inline(always)]
    fn add(&mut self, part: &Part) {
        let end = self.count + ROWS;
        if end > self.ids.len() {
            self.ids.resize(2 * end, NOBODY);
        }
        self.ids[self.count..end].copy_from_slice(&part.ids);
        self.count += part.ids.iter().map(|&id| usize::from(id != NOBODY)).sum::<usize>();
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
            let Part { ids, next } = &mut self.parts[place];
            if let Some(row) = ids.iter_mut().find(|id| **id == NOBODY) {
                *row = id;
                return;
            }
            if *next == NONE {
                break;
            }
            place = *next as usize;
        }
        let further = self.vacant.pop().unwrap_or_else(|| {
            self.parts.push(Part::EMPTY);
            self.parts.len() as u32 - 1
        });
        self.parts[further as usize] = Part { ids: [id, NOBODY, NOBODY], next: NONE };
        self.parts[place].next = further;
    }

    /// Takes a body out that is at a place.
    #[inline(always)]
    pub(super) fn take(&mut self, id: BodyId, place: usize) {
        let (mut place, mut before) = (place, None);
        loop {
            let Part { ids, next } = &mut self.parts[place];
            if let Some(row) = ids.iter().position(|&other| other == id) {
                ids.copy_within(row + 1.., row);
                ids[ROWS - 1] = NOBODY;
                let (is_empty, next) = (ids[0] == NOBODY, *next);
                if let Some(before) = before.filter(|_| is_empty) {
                    let before: usize = before;
                    self.parts[before].next = next;
                    self.vacant.push(place as u32);
                }
                return;
            }
            (before, place) = (Some(place), *next as usize);
        }
    }

    /// Calls `found` with everybody at a place.
    #[inline(always)]
    pub(super) fn visit(&self, place: usize, mut found: impl FnMut(BodyId)) {
        let mut part = &self.parts[place];
        loop {
            part.ids.iter().take_while(|&&id| id != NOBODY).for_each(|&id| found(id));
            if part.next == NONE {
                return;
            }
            part = &self.parts[part.next as usize];
        }
    }

    /// Adds everybody at a place to those `found`.
    #[inline(always)]
    pub(super) fn add_to(&self, found: &mut Found, place: usize) {
        let mut part = &self.parts[place];
        found.add(part);
        while part.next != NONE {
            part = &self.parts[part.next as usize];
            found.add(part);
        }
    }

    /// Calls for a place.
    #[inline]
    pub(super) fn call(&self, place: usize) {
        prefetch_index::prefetch_index(&self.parts, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::random::Random;

    #[test]
    fn whoever_was_put_and_not_taken_is_there() {
        const BODIES: usize = 60;
        let mut random = Random::from_state(6);
        let mut any = |below: usize| (random.unit() * below as f64) as usize;
        let (mut cells, mut places) = (Cells::with_places(7), vec![None; BODIES]);
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
            let mut gathered = Found::default();
            (0..2).for_each(|_| cells.add_to(&mut gathered, at));
            assert!(gathered.ids().iter().all(|id| found.contains(&id.index())) && gathered.count == 2 * found.len());
            assert!(found.into_iter().eq((0..BODIES).filter(|&row| places[row] == Some(at))), "step {step}");
        }
        assert!(cells.parts.len() <= 7 + BODIES / ROWS + 7, "parts are used again: {}", cells.parts.len());
    }
}
