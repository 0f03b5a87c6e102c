//! The part of the world that a plot of paths shows.
//!
//! It contains all motion of the bodies, and the scenery close to it. If a body flies so far away that everything else
//! would shrink to a speck, the view stays where most happens, and a note names the bodies that leave it.

pub(crate) mod leaving;
pub(crate) mod sizes;
pub(crate) mod walls;

use glam::DVec3;

use self::leaving::{Leaver, core, leavers};
use self::sizes::bounds;
use crate::geometry::Shape;
use crate::report::chart::Span;
use crate::report::motion::props::Prop;
use crate::report::motion::scene::Scene;
use crate::scenario::PlotStyle;

/// Least height of a view over its width, and least width over its height.
const ASPECT_MIN: f64 = 0.24;

/// The range that is seen, and the bodies that leave it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct View {
    /// The horizontal and the vertical range, m.
    pub(crate) spans: [Span; 2],
    /// The range of the moving bodies, m.
    pub(crate) motion: [Span; 2],
    /// The bodies that leave the view.
    pub(crate) leavers: Vec<Leaver>,
}

impl View {
    /// The same with the ranges that were requested.
    pub(crate) fn asked(mut self, asked: &PlotStyle) -> Self {
        for (span, range) in self.spans.iter_mut().zip([asked.x, asked.y]) {
            if let Some([low, high]) = range {
                *span = Span::new(low, high);
                // Where a range is asked for, nothing is said of what lies beyond.
                self.leavers.clear();
            }
        }
        self
    }
}

/// Chooses the view along the coordinates `axes` in which the `chosen` bodies are seen.
pub(crate) fn choose(scene: &Scene<'_>, chosen: &[usize], axes: [usize; 2]) -> View {
    let ways: Vec<_> = chosen.iter().map(|&body| way(scene, body, axes)).collect();
    let all = ways.iter().fold([Span::EMPTY; 2], |sum, way| joined(sum, *way));
    let core = core(scene, chosen, (all, axes));
    let motion = core.unwrap_or(all);
    let seen = framed(with_scenery(scene, motion, axes), scene, axes);
    let leavers = if core.is_some() { leavers(scene, chosen, &ways, (seen, axes)) } else { Vec::new() };
    View { spans: seen, motion, leavers }
}

/// The range of a body from start to end, m. On a periodic axis that is the period.
fn way(scene: &Scene<'_>, body: usize, axes: [usize; 2]) -> [Span; 2] {
    let around = bounds(&scene.scenario.bodies[body].shape, DVec3::ZERO);
    axes.map(|axis| {
        let covered = scene.covered(body, axis);
        Span::new(covered.low + around.min[axis], covered.high + around.max[axis])
    })
}

/// `motion` with the scenery around it: solids that reach no farther than a good part of the motion, and planes that
/// are close.
fn with_scenery(scene: &Scene<'_>, motion: [Span; 2], axes: [usize; 2]) -> [Span; 2] {
    let reach = motion.map(|span| span.widened(0.6 * extent(motion)));
    let mut seen = motion;
    for Prop { shape, start, end, .. } in scene.scenery() {
        for position in [start, end] {
            let around = bounds(&shape, position);
            let spans = axes.map(|axis| Span::new(around.min[axis], around.max[axis]));
            for side in 0..2 {
                let span = match &shape {
                    Shape::Plane(plane) if plane.normal()[axes[side]].abs() == 1.0 => {
                        let edge = plane.normal()[axes[side]] * (plane.offset() + plane.normal().dot(position));
                        Span::new(edge, edge)
                    }
                    Shape::Plane(_) => continue,
                    Shape::Sphere(_) | Shape::Box(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => spans[side],
                };
                let cut = Span::new(span.low.max(reach[side].low), span.high.min(reach[side].high));
                if !cut.is_empty() {
                    seen[side] = seen[side].joined(cut);
                }
            }
        }
    }
    seen
}

/// `seen` with a margin, and not too flat.
fn framed(seen: [Span; 2], scene: &Scene<'_>, axes: [usize; 2]) -> [Span; 2] {
    let mut spans = [0, 1].map(|side| match scene.scenario.settings.space.periods[axes[side]] {
        Some(period) => Span::new(period.min, period.max),
        None => seen[side],
    });
    if spans.iter().any(|span| span.is_empty() || !span.resolves(extent(spans))) {
        spans = spans.map(Span::drawable);
    }
    let largest = extent(spans);
    let margin = 0.05 * largest;
    spans.map(|span| {
        let least = ASPECT_MIN * largest;
        span.widened(margin + 0.5 * (least - span.length() - 2.0 * margin).max(0.0))
    })
}

fn joined(a: [Span; 2], b: [Span; 2]) -> [Span; 2] {
    [a[0].joined(b[0]), a[1].joined(b[1])]
}

/// The larger length, m.
fn extent(spans: [Span; 2]) -> f64 {
    spans[0].length().max(spans[1].length())
}
