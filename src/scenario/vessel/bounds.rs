//! A region with bounds along the axes: where generated bodies may be put, and a vessel that is a box.

use crate::dynamics::{Period, Space};
use crate::scenario::error_kinds::Fault;
use crate::scenario::numbers::{Triple, Vector};
use crate::scenario::problem::check::{AXES, ends};
use crate::scenario::problem::{At, Report};

/// The range along z in a planar world.
const FLAT: Period = Period { min: 0.0, max: 0.0 };

/// Where bodies may be put.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::scenario) struct Region {
    /// Bounds along each axis, m.
    pub(in crate::scenario) ranges: [Period; 3],
    /// Axes along which the region is a whole period, so that solids may lie across its border.
    pub(in crate::scenario) endless: [bool; 3],
    /// Whether it is in a planar world.
    pub(in crate::scenario) is_planar: bool,
}

impl Region {
    /// Checks the bounds in the fields `min` and `max` below `path`: the given ones, or those of the periodic space.
    pub(in crate::scenario) fn check(
        report: &mut Report<'_>,
        (entry, path): At<'_>,
        [min, max]: [Option<Vector>; 2],
        space: &Space,
    ) -> Option<Self> {
        let mut written = |bound: Option<Vector>, field: &str| {
            bound.map_or(Some(None), |bound| report.numbers(entry, &format!("{path}{field}"), bound).map(Some))
        };
        let (min, max) = (written(min, "min"), written(max, "max"));
        let bounds = [min?, max?];
        let ranges = [0, 1, 2].map(|axis| range(report, (entry, path), bounds, space, axis));
        let [Some(x), Some(y), Some(z)] = ranges else { return None };
        let ranges = [x, y, z];
        let endless = [0, 1, 2].map(|axis| space.periods[axis] == Some(ranges[axis]) || ranges[axis] == FLAT);
        Some(Self { ranges, endless, is_planar: space.is_planar })
    }

    /// The widths along the axes, m.
    pub(in crate::scenario) fn widths(&self) -> [f64; 3] {
        self.ranges.map(|range| range.max - range.min)
    }
}

/// The bounds along one axis: the given ones, or those of the period there.
fn range(
    report: &mut Report<'_>,
    (entry, path): At<'_>,
    bounds: [Option<Triple>; 2],
    space: &Space,
    axis: usize,
) -> Option<Period> {
    if space.is_planar && axis == 2 {
        return Some(FLAT);
    }
    let period = space.periods[axis];
    let [min, max] = bounds.map(|bound| bound.map(|bound| bound[axis]));
    let min = min.or(period.map(|period| period.min));
    let max = max.or(period.map(|period| period.max));
    match (min, max) {
        (Some(min), Some(max)) => report.range(entry, &ends(path, axis), axis, [min, max]),
        _ => report.fail(entry, "", Fault::UnboundedRegion { axis: AXES[axis] }),
    }
}
