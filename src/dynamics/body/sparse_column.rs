//! A sparse column: one value per body, allocated with the first value that is not the default.
//!
//! In a gas no ball is in contact, none rotates and none waits for a contact update; in a heap all do. A property that
//! only some worlds need costs the others one empty array.

use prefetch_index::prefetch_index;

use crate::dynamics::BodyId;

/// One value per body.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct Column<T> {
    /// Empty as long as all values are the default.
    rows: Vec<T>,
    nothing: T,
    count: usize,
}

impl<T: Clone + PartialEq> Column<T> {
    /// `count` rows with the default value `nothing`.
    pub(in crate::dynamics) fn new(nothing: T, count: usize) -> Self {
        Self { rows: Vec::new(), nothing, count }
    }

    /// All rows, or none if all are at the default.
    pub(in crate::dynamics) fn rows(&self) -> &[T] {
        &self.rows
    }

    /// The same, mutable.
    pub(in crate::dynamics) fn rows_mut(&mut self) -> &mut [T] {
        &mut self.rows
    }

    /// Prefetches a row, if there are rows.
    #[inline]
    pub(in crate::dynamics) fn prefetch(&self, id: BodyId) {
        if !self.rows.is_empty() {
            prefetch_index(&self.rows, id.index());
        }
    }

    /// The column with these rows in place of its own: all rows, or none.
    pub(in crate::dynamics) fn with_rows(self, rows: &[T]) -> Self {
        debug_assert!(rows.is_empty() || rows.len() == self.count, "{} rows of {}", rows.len(), self.count);
        Self { rows: rows.to_vec(), ..self }
    }

    /// Adds a row at the default.
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

    /// A row, to be changed; allocates all rows.
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
