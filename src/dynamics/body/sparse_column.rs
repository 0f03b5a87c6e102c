//! A sparse column: one value per body, in pages that are allocated with the first value that is not the default.
//!
//! In a gas no ball is in contact, rotates or waits for a contact update. In a heap all balls do. Among balls that land
//! on a floor only some do. A property that few bodies have needs hardly any memory for the others.

use prefetch_index::prefetch_index;

use crate::dynamics::BodyId;

/// Rows per page.
const PAGE: usize = 32;

/// One value per body.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct Column<T> {
    /// The pages with values that are not the default; no pages at all as long as there was no such value.
    pages: Vec<Option<Box<[T]>>>,
    nothing: T,
    count: usize,
}

impl<T: Clone + PartialEq> Column<T> {
    /// `count` rows with the default value `nothing`.
    pub(in crate::dynamics) fn new(nothing: T, count: usize) -> Self {
        Self { pages: Vec::new(), nothing, count }
    }

    /// The rows of these bodies, or none if there was never a value that is not the default.
    pub(in crate::dynamics) fn rows_of(&self, ids: impl Iterator<Item = BodyId>) -> Vec<T> {
        if self.pages.is_empty() { Vec::new() } else { ids.map(|id| self.get(id).clone()).collect() }
    }

    /// The rows of all pages, with their bodies. All others are at the default.
    pub(in crate::dynamics) fn stored(&self) -> impl Iterator<Item = (BodyId, &T)> {
        let ids = (0..self.count as u32).map(BodyId);
        let pages = self.pages.iter().enumerate().filter_map(|(rank, page)| Some((rank, page.as_ref()?)));
        pages.flat_map(move |(rank, page)| ids.clone().skip(rank * PAGE).zip(page))
    }

    /// The same rows, mutable and without the bodies.
    pub(in crate::dynamics) fn stored_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.pages.iter_mut().flatten().flat_map(|page| page.iter_mut())
    }

    /// Prefetches a row, if it is in a page.
    #[inline]
    pub(in crate::dynamics) fn prefetch(&self, id: BodyId) {
        if let Some(Some(page)) = self.pages.get(id.index() / PAGE) {
            prefetch_index(page, id.index() % PAGE);
        }
    }

    /// The column with these rows instead of its own: one for each of these bodies, or none.
    pub(in crate::dynamics) fn with_rows(self, ids: impl Iterator<Item = BodyId>, rows: &[T]) -> Self {
        let mut column = Self::new(self.nothing, self.count);
        if !rows.is_empty() {
            column.pages = vec![None; self.count.div_ceil(PAGE)];
        }
        ids.zip(rows).for_each(|(id, row)| column.set(id, row.clone()));
        column
    }

    /// Sets all rows to the default.
    pub(in crate::dynamics) fn clear(&mut self) {
        self.pages.clear();
    }

    /// Adds a row at the default.
    pub(in crate::dynamics) fn push_row(&mut self) {
        self.count += 1;
        if !self.pages.is_empty() {
            self.pages.resize(self.count.div_ceil(PAGE), None);
        }
    }

    /// Whether there is memory for a value that is not the default.
    #[inline(always)]
    pub(in crate::dynamics) fn has_rows(&self) -> bool {
        !self.pages.is_empty()
    }

    #[inline]
    pub(in crate::dynamics) fn get(&self, id: BodyId) -> &T {
        match self.pages.get(id.index() / PAGE) {
            Some(Some(page)) => &page[id.index() % PAGE],
            _ => &self.nothing,
        }
    }

    /// A mutable row. Its page is allocated.
    #[inline]
    pub(in crate::dynamics) fn get_mut(&mut self, id: BodyId) -> &mut T {
        let Self { pages, nothing, count } = self;
        if pages.is_empty() {
            *pages = vec![None; count.div_ceil(PAGE)];
        }
        let page = pages[id.index() / PAGE].get_or_insert_with(|| vec![nothing.clone(); PAGE].into());
        &mut page[id.index() % PAGE]
    }

    #[inline(always)]
    pub(in crate::dynamics) fn set(&mut self, id: BodyId, value: T) {
        if value != self.nothing || matches!(self.pages.get(id.index() / PAGE), Some(Some(_))) {
            *self.get_mut(id) = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn memory_is_taken_with_the_first_value_of_a_page() {
        let mut column = Column::new(0, 3 * PAGE + 1);
        let id = |page: usize, row: usize| BodyId((page * PAGE + row) as u32);
        column.set(id(0, 1), 0);
        assert_eq!((column.pages.len(), *column.get(id(3, 0)), column.rows_of([id(3, 0)].into_iter())), (0, 0, vec![]));
        column.set(id(1, 1), 7);
        *column.get_mut(id(1, 2)) += 2;
        column.set(id(2, 2), 0);
        assert_eq!([id(1, 0), id(1, 1), id(1, 2), id(3, 0)].map(|id| *column.get(id)), [0, 7, 2, 0]);
        assert_eq!(column.pages.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false, false]);
        column.set(id(1, 1), 0);
        assert_eq!(column.stored_mut().map(|row| *row).sum::<i32>(), 2);
    }

    #[test]
    fn a_column_holds_what_was_set_and_is_restored_from_its_rows() {
        let mut random = Random::from_state(4);
        let (mut column, mut wanted) = (Column::new(0, 0), Vec::new());
        for step in 0..2_000 {
            if step % 7 == 0 {
                column.push_row();
                wanted.push(0);
            }
            let (row, value) = (random.below(wanted.len()), random.below(3));
            column.set(BodyId(row as u32), value);
            wanted[row] = value;
            assert!((0..).map(BodyId).zip(&wanted).all(|(id, row)| column.get(id) == row), "step {step}");
        }
        let ids = || (0..wanted.len() as u32).map(BodyId);
        let rows = column.rows_of(ids());
        assert_eq!(rows, wanted);
        assert_eq!(column.rows_of(ids().skip(3).take(2)), wanted[3..5]);
        let zeros = vec![0; rows.len()];
        for rows in [rows, zeros, Vec::new()] {
            assert_eq!(Column::new(0, wanted.len()).with_rows(ids(), &rows).rows_of(ids()), rows);
        }
    }
}
