//! Cutting a ballistic path into stretches at the planes between the features of a solid.
//!
//! In one stretch the nearest feature is of one kind, so any time inside the stretch shows which one it is.

use crate::numeric::quadratic::Roots;
use crate::numeric::{Interval, Quadratic};

/// Up to eighteen times at which a path crosses a plane: two for each of the six planes of a box, or of the nine
/// between the face, the edges and the vertices of a triangle.
pub(super) struct Cuts {
    items: [f64; 18],
    count: usize,
}

impl Cuts {
    pub(super) fn new() -> Self {
        Self { items: [0.0; 18], count: 0 }
    }

    /// Adds the roots that lie strictly inside `range`.
    pub(super) fn add_roots(&mut self, height: &Quadratic, range: Interval) {
        let roots = match height.roots() {
            Roots::Two(first, second) => [first, second],
            // A path that only touches the plane is cut there, too. Otherwise that instant might be used to find the
            // nearest feature of a stretch.
            Roots::One { at, .. } => [at, f64::NAN],
            Roots::None | Roots::Everywhere => return,
        };
        for root in roots {
            if range.enter < root && root < range.leave {
                self.items[self.count] = root;
                self.count += 1;
            }
        }
    }

    /// The first time; infinite if there is none.
    pub(super) fn first(&mut self) -> f64 {
        self.sorted().first().copied().unwrap_or(f64::INFINITY)
    }

    /// The stretches between the times, and from the last one to `end`.
    pub(super) fn stretches(&mut self, end: f64) -> impl Iterator<Item = Interval> {
        let times = self.sorted();
        let ends = times.iter().copied().skip(1).chain([end]);
        times.iter().zip(ends).map(|(&enter, leave)| Interval { enter, leave })
    }

    /// Calls `visit` with each stretch that does not end where it begins: from `start` to the first time, between the
    /// times, and from the last one to `end`.
    pub(super) fn each(&mut self, mut start: f64, end: f64, mut visit: impl FnMut(Interval)) {
        for &end in self.sorted().iter().chain([&end]) {
            if start < end {
                visit(Interval { enter: start, leave: end });
            }
            start = end;
        }
    }

    /// The times in order.
    fn sorted(&mut self) -> &[f64] {
        let items = &mut self.items[..self.count];
        items.sort_unstable_by(f64::total_cmp);
        items
    }
}

/// The part of an interval from 0 on.
///
/// A path is cut only at times in this part, and its first stretch keeps its beginning before 0. If that stretch began
/// at 0, the pair would seem to touch at the start.
pub(super) fn ahead(interval: Interval) -> Interval {
    Interval { enter: interval.enter.max(0.0), ..interval }
}

/// A time in the stretch that is not one of its ends, if a float lies between them.
pub(crate) fn inner_time(stretch: Interval) -> f64 {
    match (stretch.enter.is_finite(), stretch.leave.is_finite()) {
        (true, true) => stretch.enter + 0.5 * (stretch.leave - stretch.enter),
        (true, false) => stretch.enter + 1.0,
        (false, true) => stretch.leave - 1.0,
        (false, false) => 0.0,
    }
}
