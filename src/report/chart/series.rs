//! A quantity over time in bounded memory, for any number of rows.
//!
//! Rows are collected in bins. If there are too many bins, neighbours are joined. A bin stores its first and last value
//! and its extremes, so a drawn line keeps its envelope: a spike of one row is never lost.

use glam::DVec2;

use super::axes::Span;

/// Most bins: several for each column of a picture.
const BINS_MAX: usize = 4096;

/// Neighbouring rows.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bin {
    /// Time and value of the first row.
    first: DVec2,
    /// Time and value of the last row.
    last: DVec2,
    range: Span,
}

/// A thinned series of rows in order of time.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    bins: Vec<Bin>,
    rows_in_last: usize,
    rows_a_bin: usize,
}

/// A series without rows.
impl Default for Series {
    fn default() -> Self {
        Self { bins: Vec::new(), rows_in_last: 0, rows_a_bin: 1 }
    }
}

impl Series {
    /// Adds the next row.
    pub(crate) fn add(&mut self, time: f64, value: f64) {
        let at = DVec2::new(time, value);
        let bin = Bin { first: at, last: at, range: Span::new(value, value) };
        match self.bins.last_mut() {
            Some(last) if self.rows_in_last < self.rows_a_bin => {
                *last = last.joined(bin);
                self.rows_in_last += 1;
            }
            _ => {
                self.halve_when_full();
                self.bins.push(bin);
                self.rows_in_last = 1;
            }
        }
    }

    /// The smallest span that holds all values.
    pub(crate) fn span(&self) -> Span {
        self.bins.iter().fold(Span::EMPTY, |span, bin| span.joined(bin.range))
    }

    /// The smallest span that holds all positive values, to a bin.
    pub(crate) fn positive(&self) -> Span {
        Span::of_positive(self.points().into_iter().map(|point| point.y))
    }

    /// The time before which this fraction of the rows lies, to a bin; `None` without rows.
    pub(crate) fn time_at(&self, share: f64) -> Option<f64> {
        let index = (share * (self.bins.len() as f64 - 1.0)).round() as usize;
        self.bins.get(index).map(|bin| bin.first.x)
    }

    /// Whether every value is exactly 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.bins.iter().all(|bin| bin.range == Span::new(0.0, 0.0))
    }

    /// The points of a line through the series; time is horizontal.
    pub(crate) fn points(&self) -> Vec<DVec2> {
        let mut points = Vec::with_capacity(self.bins.len());
        for bin in &self.bins {
            points.push(bin.first);
            if bin.first != bin.last {
                let middle = 0.5 * (bin.first.x + bin.last.x);
                points.extend([DVec2::new(middle, bin.range.low), DVec2::new(middle, bin.range.high), bin.last]);
            }
        }
        points
    }

    fn halve_when_full(&mut self) {
        if self.bins.len() == BINS_MAX {
            self.bins = self.bins.chunks(2).map(|pair| pair[0].joined(pair[pair.len() - 1])).collect();
            self.rows_a_bin *= 2;
        }
    }
}

impl Bin {
    fn joined(self, later: Self) -> Self {
        Self { first: self.first, last: later.last, range: self.range.joined(later.range) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_stay_as_they_are() {
        let mut series = Series::default();
        let rows: Vec<_> = (0..100).map(|i| DVec2::new(f64::from(i), f64::from(i * i % 7))).collect();
        rows.iter().for_each(|row| series.add(row.x, row.y));
        assert_eq!(series.points(), rows);
        assert_eq!([0.0, 0.5, 1.0].map(|share| series.time_at(share)), [Some(0.0), Some(50.0), Some(99.0)]);
        assert_eq!(Series::default().time_at(0.5), None);
    }

    #[test]
    fn a_spike_outlives_any_thinning() {
        let mut series = Series::default();
        for row in 0..1_000_000 {
            series.add(f64::from(row), if row == 345_678 { 9.0 } else { 1.0 });
        }
        let points = series.points();
        assert!(points.len() <= 4 * BINS_MAX);
        let spike = points.iter().find(|point| point.y == 9.0).expect("the spike is there");
        assert!((spike.x - 345_678.0).abs() < 512.0);
        assert_eq!(points.last(), Some(&DVec2::new(999_999.0, 1.0)));
    }
}
