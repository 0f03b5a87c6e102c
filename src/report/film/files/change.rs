//! The part of a picture that differs from the one before.

/// A rectangle of a picture, pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Part {
    /// The part of a picture that has to be shown after another one; the whole of it after none, which is empty.
    pub(super) fn to_show(before: &[u8], after: &[u8], [width, height]: [usize; 2]) -> Self {
        if before.is_empty() {
            return Self { left: 0, top: 0, width, height };
        }
        Self::changed(before, after, width)
    }

    /// The smallest rectangle that holds all pixels in which two pictures of `wide` pixels differ; the first pixel if
    /// there is none.
    fn changed(before: &[u8], after: &[u8], wide: usize) -> Self {
        let (mut left, mut right, mut top, mut bottom) = (wide, 0, None, 0);
        for (row, (old, new)) in before.chunks_exact(3 * wide).zip(after.chunks_exact(3 * wide)).enumerate() {
            if old == new {
                continue;
            }
            let differs = |column: &usize| old[3 * column..3 * column + 3] != new[3 * column..3 * column + 3];
            left = (0..left).find(differs).unwrap_or(left);
            right = (right..wide).rev().find(differs).unwrap_or(right);
            top = top.or(Some(row));
            bottom = row;
        }
        match top {
            Some(top) => Self { left, top, width: right + 1 - left, height: bottom + 1 - top },
            None => Self { left: 0, top: 0, width: 1, height: 1 },
        }
    }

    /// The rows of the part in a picture of `wide` pixels, as ranges of its bytes.
    pub(super) fn rows(self, wide: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
        (self.top..self.top + self.height).map(move |row| {
            let begin = 3 * (row * wide + self.left);
            begin..begin + 3 * self.width
        })
    }

    /// Its pixels.
    pub(super) fn cut(self, picture: &[u8], wide: usize) -> Vec<u8> {
        self.rows(wide).flat_map(|row| &picture[row]).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_change_is_the_smallest_rectangle() {
        let before = vec![7; 3 * 5 * 4];
        for (pixels, [left, top, width, height]) in [
            (&[(3, 1)][..], [3, 1, 1, 1]),
            (&[(4, 0), (1, 3)], [1, 0, 4, 4]),
            (&[(0, 2), (4, 2), (2, 3)], [0, 2, 5, 2]),
            (&[], [0, 0, 1, 1]),
        ] {
            let mut after = before.clone();
            pixels.iter().for_each(|(column, row): &(usize, usize)| after[3 * (row * 5 + column) + 2] = 8);
            let part = Part::changed(&before, &after, 5);
            assert_eq!(part, Part { left, top, width, height }, "{pixels:?}");
            assert_eq!(part.cut(&after, 5).iter().filter(|&&value| value == 8).count(), pixels.len());
        }
    }
}
