//! Whether a ring of edges crosses or touches itself.
//!
//! A sweep line moves over the plane from left to right. The edges that it cuts are kept in order from bottom to top.
//! Before the line comes to the first common point of two edges, these are neighbours in this order. So only edges that
//! become neighbours are tested (Shamos & Hoey, *Geometric intersection problems*, FOCS 1976). Of points one above the
//! other the lower one comes first, as if the line were slightly tilted, so vertical edges need no special case. The
//! side of a line on which a point lies is decided without rounding, and so is the order.

use std::cmp::Ordering;

use super::convex::Polygon;

impl Polygon<'_> {
    /// The places in the ring of two edges that have a point in common and are not neighbours, the smaller first;
    /// `None` if there are no such edges.
    ///
    /// No three consecutive points of the ring may lie on one line.
    pub(super) fn crossing(&self, ring: &[usize]) -> Option<[usize; 2]> {
        let mut order: Vec<usize> = (0..ring.len()).collect();
        order.sort_by(|&i, &j| self.sweep_order(ring[i], ring[j]));
        let mut line = Line { polygon: self, ring, cut: Vec::new() };
        for (n, &place) in order.iter().enumerate() {
            let twin = order.get(n + 1).filter(|&&next| self.points[ring[next]] == self.points[ring[place]]);
            // The edges that end at two points in the same place meet there. Consecutive points of the ring are never
            // in the same place.
            let met = twin.map(|&twin| [place, twin].map(|end| line.before(end))).or_else(|| line.go_to(place));
            if let Some([i, j]) = met {
                return Some([i.min(j), i.max(j)]);
            }
        }
        None
    }

    /// The order in which the line reaches two points.
    pub(super) fn sweep_order(&self, i: usize, j: usize) -> Ordering {
        let [a, b] = [self.points[i], self.points[j]];
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
    }
}

/// The sweep line.
struct Line<'a> {
    polygon: &'a Polygon<'a>,
    ring: &'a [usize],
    /// The edges that it cuts, from bottom to top.
    cut: Vec<usize>,
}

impl Line<'_> {
    /// Moves to the next point: removes the edges that end there and inserts those that begin there. Returns two edges
    /// that meet, if it finds any.
    fn go_to(&mut self, place: usize) -> Option<[usize; 2]> {
        let at = self.ring[place];
        let side = |&edge: &usize| {
            let [left, right] = self.ends(edge);
            self.polygon.turn([left, right, at])
        };
        let low = self.cut.partition_point(|edge| side(edge) == Ordering::Greater);
        let through = self.cut[low..].iter().take_while(|edge| side(edge) == Ordering::Equal).count();
        let own = [self.before(place), place];
        if let Some(&other) = self.cut[low..low + through].iter().find(|edge| !own.contains(edge)) {
            return Some([other, self.before(place)]);
        }
        let mut begun: Vec<usize> = own.into_iter().filter(|&edge| self.ends(edge)[0] == at).collect();
        if let [one, other] = begun[..]
            && self.polygon.turn([at, self.ends(one)[1], self.ends(other)[1]]) == Ordering::Less
        {
            begun.swap(0, 1);
        }
        let high = low + begun.len();
        self.cut.splice(low..low + through, begun);
        [low, high].into_iter().find_map(|upper| self.meeting(upper))
    }

    /// The edge in this row of the line and the one below it, if they meet and are not neighbours in the ring.
    fn meeting(&self, upper: usize) -> Option<[usize; 2]> {
        let (&one, &other) = (self.cut.get(upper.checked_sub(1)?)?, self.cut.get(upper)?);
        let count = self.ring.len();
        let are_neighbours = (one + 1) % count == other || (other + 1) % count == one;
        let met = !are_neighbours && self.polygon.meet(self.ends(one), self.ends(other));
        met.then_some([one, other])
    }

    /// The edge that ends at the point in this place of the ring.
    fn before(&self, place: usize) -> usize {
        place.checked_sub(1).unwrap_or(self.ring.len() - 1)
    }

    /// The left end of an edge and the right one.
    fn ends(&self, edge: usize) -> [usize; 2] {
        let [a, b] = [self.ring[edge], self.ring[(edge + 1) % self.ring.len()]];
        if self.polygon.sweep_order(a, b).is_lt() { [a, b] } else { [b, a] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use glam::DVec2;

    /// Rings of few points on a small grid touch themselves in every possible way.
    #[test]
    fn edges_meet_if_some_pair_of_them_does() {
        let mut random = Random::from_state(1);
        let mut below = |count: usize| random.below(count);
        let mut found = [0; 2];
        for _ in 0..200_000 {
            let (count, size) = (3 + below(8), 2 + below(6));
            let points: Vec<DVec2> = (0..count).map(|_| DVec2::new(below(size) as f64, below(size) as f64)).collect();
            let polygon = Polygon { points: &points };
            let Ok(ring) = polygon.without_straight_points() else { continue };
            let edge = |k: usize| [ring[k], ring[(k + 1) % ring.len()]];
            let meet =
                |i: usize, j: usize| j > i + 1 && (i, j) != (0, ring.len() - 1) && polygon.meet(edge(i), edge(j));
            let any = (0..ring.len()).any(|i| (0..ring.len()).any(|j| meet(i, j)));
            let crossing = polygon.crossing(&ring);
            assert_eq!(crossing.is_some(), any, "{points:?}: {crossing:?}");
            assert!(crossing.is_none_or(|[i, j]| meet(i, j)), "{points:?}: {crossing:?}");
            found[usize::from(any)] += 1;
        }
        assert!(found.iter().all(|&found| found > 10_000), "{found:?}");
    }
}
