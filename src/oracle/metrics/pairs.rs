//! Which bodies are near each other: sweep and prune along x.

use glam::DVec3;

/// The pairs of boxes `(min, max)` that overlap, each with the lower number first, in order.
pub(super) fn near(bounds: &[(DVec3, DVec3)]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..bounds.len()).collect();
    order.sort_by(|&a, &b| bounds[a].0.x.total_cmp(&bounds[b].0.x).then(a.cmp(&b)));
    let mut pairs = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for one in order {
        open.retain(|&other| bounds[other].1.x >= bounds[one].0.x);
        for &other in &open {
            let (a, b) = (bounds[one], bounds[other]);
            if a.0.cmple(b.1).all() && b.0.cmple(a.1).all() {
                pairs.push((one.min(other), one.max(other)));
            }
        }
        open.push(one);
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_overlap_are_found_once() {
        let cube = |x: f64, y: f64| (DVec3::new(x, y, 0.0), DVec3::new(x + 1.0, y + 1.0, 1.0));
        let bounds = [cube(0.0, 0.0), cube(0.5, 0.5), cube(2.0, 0.0), cube(0.0, 3.0), cube(1.4, 0.2)];
        assert_eq!(near(&bounds), [(0, 1), (1, 4), (2, 4)]);
    }
}
