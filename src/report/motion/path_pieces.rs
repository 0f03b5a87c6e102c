//! The lines of bodies in a picture of places.

use glam::{DVec2, DVec3};

use super::colour_key::Group;
use super::curve::{along, joined, wrapped};
use super::periodic::periods;
use super::scene::Scene;
use super::track::Leg;
use crate::dynamics::Period;
use crate::report::drawing::canvas::{Canvas, Mark, Stroke};
use crate::report::drawing::clip::line_inside;
use crate::report::drawing::dash::{Dash, patterned};
use crate::report::drawing::ink::faded;
use crate::report::solids::Stage;

/// Largest deviation of a chord from the true path, pixels.
const STRAY_MAX: f64 = 0.02;
/// Most legs drawn in one picture.
const LEGS_MAX: usize = 100_000;
/// Fraction of the frame that lines may cover at full opacity.
const COVER_MAX: f64 = 0.03;
/// Number of points of a translucent line drawn in one stroke, so that it is darker where it crosses itself.
const PIECE: usize = 16;

/// Draws the lines of all groups. If they would blacken the picture, they are thin and translucent.
pub(crate) fn lines(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas, groups: &[Group]) {
    let count: usize = groups.iter().map(|group| group.members.len()).sum();
    let legs_max = LEGS_MAX / count.max(1);
    let mut parts: Vec<(Vec<DVec2>, &Group)> = Vec::new();
    for group in groups {
        for &body in &group.members {
            for part in way(scene, stage, body, legs_max) {
                line_inside(&part, stage.frame.rect, |part| parts.push((part, group)));
            }
        }
    }
    let size = stage.frame.rect.size();
    let cover = parts.iter().map(|(part, _)| length(part)).sum::<f64>() / (size.x * size.y);
    let (width, alpha) = if cover < COVER_MAX {
        (canvas.style.curve(1.7), 1.0)
    } else {
        (canvas.style.fine(1.1), (0.14 / cover).clamp(0.12, 0.9))
    };
    let mut named = None;
    for (part, group) in parts {
        if named != Some(group) {
            canvas.begin(&group.label);
            named = Some(group);
        }
        stroke(canvas, part, Stroke { color: faded(group.color, alpha), width }, group.dash);
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
    let line = joined(legs, |leg| along(leg, grain, flat));
    let mut parts = Vec::new();
    wrapped(&line, periods, |part| {
        let mut placed: Vec<_> = part.iter().map(|point| stage.frame.place(point.x, point.y)).collect();
        placed.dedup();
        parts.push(placed);
    });
    parts
}

fn length(line: &[DVec2]) -> f64 {
    line.windows(2).map(|ends| ends[0].distance(ends[1])).sum()
}
