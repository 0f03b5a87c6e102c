//! A column of a table whose rows mostly hold nothing: it takes memory when the first of them gets something.
//!
//! In a gas no ball is pressed against another, none turns, none is due to be looked at; in a heap all are. What only some
//! worlds need costs the others one empty array.

use prefetch_index::prefetch_index;

use crate::dynamics::BodyId;

/// One value a body.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct Column<T> {
    /// None as long as all rows hold nothing.
    rows: Vec<T>,
    nothing: T,
    count: usize,
}

impl<T: Clone + PartialEq> Column<T> {
    /// So many rows that hold `nothing`.
    pub(in crate::dynamics) fn new(nothing: T, count: usize) -> Self {
        Self { rows: Vec::new(), nothing, count }
    }

    /// The rows that were written down: of all bodies, or none.
    pub(in crate::dynamics) fn rows(&self) -> &[T] {
        &self.rows
    }

    /// The same, to be changed.
    pub(in crate::dynamics) fn rows_mut(&mut self) -> &mut [T] {
        &mut self.rows
    }

    /// Prefetches a row, if it was written down.
    #[inline]
    pub(in crate::dynamics) fn prefetch(&self, id: BodyId) {
        if !self.rows.is_empty() {
            prefetch_index(&self.rows, id.index());
        }
    }

    /// The column with these rows in place of its own: so many, or none.
    pub(in crate::dynamics) fn with_rows(self, rows: &[T]) -> Self {
        debug_assert!(rows.is_empty() || rows.len() == self.count, "{} rows of {}", rows.len(), self.count);
        Self { rows: rows.to_vec(), ..self }
    }

    /// One more row, with nothing in it.
    pub(in crate::dynamics) fn push_row(&mut self) {
        self.count += 1;
        if !self.rows.is_empty() {
            self.rows.push(self.nothing.clone());
        }
    }

    #[inline]
    pub(in crate::dynamics) fn get(&self, id: BodyId) -> &T {
        self.rows.get(id.index()).unwrap_or(&self.nothing)
    }

    /// A row that is to hold something.
    #[inline]
    pub(in crate::dynamics) fn get_mut(&mut self, id: BodyId) -> &mut T {
        if self.rows.is_empty() {
            self.rows = vec![self.nothing.clone(); self.count];
        }
        &mut self.rows[id.index()]
    }

    #[inline(always)]
    pub(in crate::dynamics) fn set(&mut self, id: BodyId, value: T) {
        if !self.rows.is_empty() || value != self.nothing {
            *self.get_mut(id) = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_taken_with_the_first_value() {
        let mut column = Column::new(0, 3);
        column.set(BodyId(1), 0);
        assert_eq!((column.rows.capacity(), *column.get(BodyId(2))), (0, 0));
        column.set(BodyId(1), 7);
        *column.get_mut(BodyId(2)) += 2;
        assert_eq!([0, 1, 2].map(|row| *column.get(BodyId(row))), [0, 7, 2]);
        column.set(BodyId(1), 0);
        assert_eq!([0, 1, 2].map(|row| *column.get(BodyId(row))), [0, 0, 2]);
    }
}
