//! The distance from the exact path over time, one line for each trajectory.

use glam::DVec2;
use maud::{Markup, html};

use crate::numeric::rounded;
use crate::oracle::{Judged, Judgement};
use crate::report::chart::{Axis, Setup, Shown, Span};
use crate::report::drawing::Canvas;
use crate::report::page::compared::overlay::{Curve, lines};
use crate::report::page::pictures::address;
use crate::report::page::words::outside;
use crate::scenario::PlotStyle;
use crate::scenario::plot::style::Theme;

/// Width and height of the frame, pixels.
const INNER: DVec2 = DVec2::new(720.0, 360.0);
/// Most lines; more could not be distinguished.
const LINES_MAX: usize = 8;
/// Smallest error that is drawn, m: a logarithmic axis has no zero.
const LEAST: f64 = 1e-18;

pub(super) fn figure(judgement: &Judgement) -> Markup {
    let drawn: Vec<&Judged> =
        judgement.judged.iter().filter(|judged| points(judged).len() > 1).take(LINES_MAX).collect();
    if drawn.is_empty() {
        return html! { p { "There is no error that could be drawn: all bodies are on their exact paths." } };
    }
    let [light, dark] = [Theme::Screen, Theme::Dark].map(|theme| picture(judgement, &drawn, theme));
    let caption = "Distance from the exact path, of the body that is farthest from it, up to the horizon.";
    html! {
        figure {
            picture {
                source media="screen and (prefers-color-scheme: dark)" srcset=(address("image/svg+xml", dark.svg().as_bytes()));
                img src=(address("image/svg+xml", light.svg().as_bytes())) alt="Plot: error over time" width=(light.size.x.round()) height=(light.size.y.round());
            }
            figcaption { (outside(caption)) }
        }
    }
}

/// The points that can be drawn of a trajectory: the greatest of the errors within half a pixel.
fn points(judged: &Judged) -> Vec<(f64, f64)> {
    let end = judged.errors.last().map_or(0.0, |&(time, _)| time);
    let column = |time: f64| (time / end * 2.0 * INNER.x) as u64;
    let mut points: Vec<(f64, f64)> = Vec::new();
    for &(time, error) in judged.errors.iter().filter(|&&(_, error)| error > LEAST) {
        match points.last_mut().filter(|last| column(last.0) == column(time)) {
            Some(last) if last.1 >= error => {}
            Some(last) => *last = (time, error),
            None => points.push((time, error)),
        }
    }
    points
}

fn picture(judgement: &Judgement, drawn: &[&Judged], theme: Theme) -> Canvas {
    let asked = PlotStyle { theme: Some(theme), title: Some(false), log_y: Some(true), ..PlotStyle::default() };
    let setup = Setup::new(&asked);
    let positive = Span::of(drawn.iter().flat_map(|judged| points(judged)).map(|(_, error)| error));
    let shown = Shown { span: positive, positive, count: setup.style.ticks_up(6.0, INNER.y, INNER.y) };
    let time = Span::new(0.0, judgement.horizon.max(f64::MIN_POSITIVE));
    let axes = [
        Axis::of(false, time, 0.0, setup.style.ticks_along(INNER.x), "time", "s"),
        setup.y_axis(shown, "distance", "m"),
    ];
    let is_told_apart = drawn
        .iter()
        .enumerate()
        .all(|(rank, judged)| drawn[..rank].iter().all(|other| other.timestep != judged.timestep));
    let curves: Vec<Curve> = drawn.iter().map(|judged| curve(judged, is_told_apart)).collect();
    lines(setup, (INNER, axes), "", &curves)
}

fn curve(judged: &Judged, is_told_apart: bool) -> Curve {
    let name = if is_told_apart { format!("h = {} s", rounded(judged.timestep, 4)) } else { judged.name.clone() };
    Curve { name, points: points(judged).into_iter().map(DVec2::from).collect() }
}
