//! The lines of bodies in a picture of places.

use glam::{DVec2, DVec3};

use super::periodic::periods;
use crate::dynamics::Period;
use crate::report::chart::Span;
use crate::report::drawing::{Canvas, Dash, Mark, Stroke, faded, line_inside, patterned};
use crate::report::motion::colour_key::Group;
use crate::report::motion::curve::{along, joined, wrapped};
use crate::report::motion::scene::Scene;
use crate::report::motion::track::Leg;
use crate::report::motion::view::View;
use crate::report::solids::Stage;

/// Largest deviation of a chord from the true path, pixels.
const STRAY_MAX: f64 = 0.02;
/// Most legs drawn in one picture.
const LEGS_MAX: usize = 100_000;
/// Fraction of the frame that lines may cover at full opacity.
const COVER_MAX: f64 = 0.03;
/// How often the longest path of a tangle crosses the frame at least.
const CROSSINGS: f64 = 2.0;
/// The part of it that the last legs of a tangle cover, where older ones are faint.
const RECENT: f64 = 0.4;
/// Opacity of the older legs of a tangle, at most.
const OLD: f64 = 0.5;
/// Number of points of a translucent line drawn in one stroke, so that it is darker where it crosses itself.
const PIECE: usize = 16;

/// How much of a picture the lines of bodies cover.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cover {
    /// The length of all lines over the area of the frame, per pixel.
    share: f64,
    /// Whether bodies are few and go to and fro so often that no pattern of dashes could be followed.
    pub(crate) is_tangle: bool,
}

impl Cover {
    /// That of a frame at `scale` pixels per metre; whether the bodies are few.
    pub(crate) fn of(
        scene: &Scene<'_>,
        groups: &[Group],
        (axes, view): ([usize; 2], &View),
        (scale, few): (f64, bool),
    ) -> Self {
        let members = groups.iter().flat_map(|group| &group.members);
        let long = |&body: &usize| scene.legs(body).iter().map(|leg| length(leg, axes)).sum::<f64>();
        let lengths: Vec<f64> = members.map(long).collect();
        let size = DVec2::from(view.spans.map(Span::length));
        let share = lengths.iter().sum::<f64>() / (size.x * size.y * scale);
        let longest = lengths.into_iter().fold(0.0, f64::max);
        Self { share, is_tangle: few && share >= COVER_MAX && longest > CROSSINGS * size.length() }
    }
}

/// The length of a leg seen along the third axis, m: that of its chord.
fn length(leg: &Leg, axes: [usize; 2]) -> f64 {
    let flat = |position: DVec3| DVec2::new(position[axes[0]], position[axes[1]]);
    flat(leg.end()).distance(flat(leg.path.position))
}

/// How many of these legs come before the last ones, which are together no longer than `recent`, m.
fn old(legs: &[Leg], axes: [usize; 2], recent: f64) -> usize {
    let mut left = recent;
    let is_recent = |leg: &&Leg| {
        left -= length(leg, axes);
        left > 0.0
    };
    legs.len() - legs.iter().rev().take_while(is_recent).count()
}

/// Draws the lines of all groups. If they would blacken the picture, they are thin and translucent; in a tangle, not
/// the last few legs.
pub(crate) fn lines(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas, (groups, cover): (&[Group], Cover)) {
    let count: usize = groups.iter().map(|group| group.members.len()).sum();
    let legs_max = LEGS_MAX / count.max(1);
    let size = stage.frame.rect.size();
    let recent = RECENT * COVER_MAX * size.x * size.y / (stage.scale() * count.max(1) as f64);
    let strong = (canvas.style.curve(1.7), 1.0);
    let faint = (canvas.style.fine(1.1), (0.14 / cover.share).clamp(0.12, if cover.is_tangle { OLD } else { 0.9 }));
    for group in groups {
        canvas.begin(&group.label);
        for &body in &group.members {
            let legs = scene.legs(body);
            let legs = &legs[..legs.len().min(legs_max)];
            let old = if cover.is_tangle {
                old(legs, stage.axes, recent)
            } else if cover.share < COVER_MAX {
                0
            } else {
                legs.len()
            };
            for (legs, (width, alpha)) in [(&legs[..old], faint), (&legs[old..], strong)] {
                for part in along_legs(stage, legs, periods(scene, stage.axes), STRAY_MAX) {
                    line_inside(&part, stage.frame.rect, |part| {
                        stroke(canvas, part, Stroke { color: faded(group.color, alpha), width }, group.dash);
                    });
                }
            }
        }
    }
}

fn stroke(canvas: &mut Canvas, line: Vec<DVec2>, stroke: Stroke, dash: Dash) {
    if !dash.is_solid() {
        patterned(canvas, &line, stroke, dash);
    } else if stroke.color.alpha < 1.0 {
        for start in (0..line.len() - 1).step_by(PIECE) {
            let end = line.len().min(start + PIECE + 1);
            canvas.push(Mark::Line(line[start..end].to_vec(), stroke));
        }
    } else {
        canvas.push(Mark::Line(line, stroke));
    }
}

/// The path of a body in the picture, cut where it wraps.
pub(crate) fn way(scene: &Scene<'_>, stage: &Stage, body: usize, legs_max: usize) -> Vec<Vec<DVec2>> {
    let legs = scene.legs(body);
    along_legs(stage, &legs[..legs.len().min(legs_max)], periods(scene, stage.axes), STRAY_MAX)
}

/// The lines along legs in the picture, cut where they wrap. No chord deviates by more than `stray` pixels.
pub(crate) fn along_legs(stage: &Stage, legs: &[Leg], periods: [Option<Period>; 2], stray: f64) -> Vec<Vec<DVec2>> {
    let grain = stray / stage.scale();
    let flat = |position: DVec3, _| DVec2::new(position[stage.axes[0]], position[stage.axes[1]]);
    let mut parts = Vec::new();
    for line in joined(legs, |leg| along(leg, grain, flat)) {
        wrapped(&line, periods, |part| {
            let mut placed: Vec<_> = part.iter().map(|point| stage.frame.place(point.x, point.y)).collect();
            placed.dedup();
            parts.push(placed);
        });
    }
    parts
}
