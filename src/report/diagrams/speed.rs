//! Speeds over time: a step at each impact, and between impacts the square root of a parabola.

use glam::DVec2;

use super::few::chords;
use super::speed_bands;
use crate::report::chart::{Page, Setup, Shown, Span, counted};
use crate::report::drawing::{Canvas, Stroke};
use crate::report::error::ReportError;
use crate::report::motion::colour_key::{self, Group};
use crate::report::motion::curve::thinned;
use crate::report::motion::scene::{FEW_MAX, Scene};
use crate::report::motion::track::Leg;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 400.0);
/// Width of a column of the picture in which only the envelope of a line is kept, pixels.
const COLUMN: f64 = 0.5;
/// Most pieces of one leg, and the number of pieces over the whole width.
const PIECES_MAX: f64 = 400.0;

/// Draws the speeds of the bodies called `names`, or of all that move.
///
/// # Errors
/// When the trajectory of many bodies cannot be read again.
pub(crate) fn draw(scene: &Scene<'_>, names: &[String], setup: Setup<'_>) -> Result<Canvas, ReportError> {
    let chosen = scene.chosen(names, true);
    if chosen.len() > FEW_MAX {
        return speed_bands::draw(scene, &chosen, setup);
    }
    let mut groups = colour_key::groups(&scene.scenario.bodies, &chosen, setup);
    let column = colour_key::column(&mut groups, INNER, setup);
    let whole = Span::new(0.0, scene.end.seconds());
    let time = setup.time(whole);
    let curves: Vec<Vec<Vec<DVec2>>> =
        groups.iter().map(|group| group.members.iter().map(|&body| curve(scene, body, time)).collect()).collect();
    let speeds = || curves.iter().flatten().flatten().map(|point| point.y);
    let (positive, highest) = (Span::of_positive(speeds()), speeds().fold(0.0, f64::max));
    let top = if highest > 0.0 { 1.05 * highest } else { 1.0 };
    let shown = Shown { span: Span::new(0.0, top), positive, count: setup.ticks_up(6.0, INNER) };
    let y = setup.y_axis(shown, "speed", "m/s");
    let notes = chords(scene, &chosen).into_iter().collect();
    let page = Page { column, ..page(scene, if column > 0.0 { &[] } else { &groups }, notes) };
    let (mut canvas, frame) = page.framed(setup, (INNER, y), |width| setup.time_axis(whole, width));
    let width = canvas.style.curve(1.7);
    for (group, curves) in groups.iter().zip(&curves) {
        canvas.begin(&group.label);
        for curve in curves {
            let placed: Vec<DVec2> = curve.iter().map(|point| frame.place(point.x, point.y)).collect();
            frame.curve(&mut canvas, &thinned(&placed, COLUMN), Stroke { color: group.color, width }, group.dash);
        }
    }
    frame.finish(&mut canvas);
    if column > 0.0 {
        let ends = curves.iter().map(|curves| curves.first()?.last().map(|end| frame.place(end.x, end.y)));
        let ends: Vec<Option<DVec2>> = ends.collect();
        colour_key::name_ends(&mut canvas, frame.rect, &groups, |place| ends[place]);
    }
    Ok(canvas)
}

/// Time and speed of a body in the shown span.
fn curve(scene: &Scene<'_>, body: usize, time: Span) -> Vec<DVec2> {
    let legs = scene.legs(body).into_iter().filter_map(|leg| leg.within(time));
    legs.flat_map(|leg| along(&leg, time.length())).collect()
}

/// Time and speed along a leg, with the point of least speed.
fn along(leg: &Leg, whole: f64) -> Vec<DVec2> {
    let (velocity, acceleration) = (leg.path.velocity, leg.path.acceleration);
    let turn = -velocity.dot(acceleration) / acceleration.length_squared();
    let pieces = (PIECES_MAX * leg.seconds / whole).ceil().clamp(2.0, PIECES_MAX);
    let count = if turn.is_nan() { 1.0 } else { pieces };
    let mut times: Vec<f64> = (0..=count as usize).map(|place| leg.seconds * (place as f64 / count)).collect();
    if turn > 0.0 && turn < leg.seconds {
        times.push(turn);
        times.sort_by(f64::total_cmp);
    }
    let begin = leg.path.epoch.seconds();
    times.into_iter().map(|time| DVec2::new(begin + time, (velocity + acceleration * time).length())).collect()
}

fn page(scene: &Scene<'_>, groups: &[Group], notes: Vec<String>) -> Page {
    let legend = groups.iter().map(Group::entry).collect();
    let subtitle = format!("Speed of the centre over time, {}", counted(scene.hits_total, "impact"));
    Page::new(&scene.scenario.title, subtitle, legend, notes)
}
