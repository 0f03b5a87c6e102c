//! The paths of bodies seen along an axis, with equal scales, and the scenery around them.
//!
//! How bodies are drawn depends on their number. A few are drawn with their paths, each solid outlined where it starts
//! and filled where it ends. A crowd is drawn where it ends, with a few of its paths. A mass of bodies is drawn as a
//! map of its places.

use glam::DVec2;

use super::bodies::{CROWD_FILL, Marks, crowd_at_end, solids_at_end, solids_at_start};
use super::path_pieces::{Cover, lines};
use super::periodic::{home, periods};
use crate::dynamics::Period;
use crate::report::chart::{Axis, Density, Entry, Frame, Frames, Page, Setup, Span, brief, counted};
use crate::report::coordinates::{axis_name, axis_symbol, plane_axes};
use crate::report::drawing::{
    Canvas, Color, Dash, Mark, PALETTE, PAPER, Rect, SCENERY_EDGE, Stroke, TEXT, dashes, faded, line_inside,
};
use crate::report::error::ReportError;
use crate::report::motion::colour_key::{self, Group};
use crate::report::motion::props::Prop;
use crate::report::motion::scene::{FEW_MAX, Scene};
use crate::report::motion::view::leaving;
use crate::report::motion::view::{self, View};
use crate::report::solids::{self, Stage};
use crate::scenario::Plane2;

/// Largest width and height of the frame, pixels.
const INNER_MAX: DVec2 = DVec2::new(720.0, 600.0);
/// Most bodies that are drawn one by one.
const CROWD_MAX: usize = 3000;
/// The length for which an upward axis has ticks, over its own: labels one above the other need less room.
pub(crate) const TALL: f64 = 1.3;
/// How many bodies of a crowd have their paths drawn.
const SAMPLES: usize = 6;

/// The number of bodies to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    Few,
    Crowd,
    Masses,
}

/// Draws the paths of the bodies called `names`, or of all.
///
/// # Errors
/// When the trajectory of masses cannot be read again.
pub(crate) fn draw(
    scene: &Scene<'_>,
    plane: Plane2,
    names: &[String],
    setup: Setup<'_>,
) -> Result<Canvas, ReportError> {
    let axes = plane_axes(plane);
    let chosen = scene.chosen(names, false);
    let number = Number::of(chosen.len());
    let view = view::choose(scene, &chosen, axes).asked(setup.asked);
    let groups = colour_key::groups(&scene.scenario.bodies, &chosen, setup);
    let mut lined = if number == Number::Few { groups.clone() } else { sampled(scene, &groups) };
    let scale = setup.style.planned(inner_size(&view)).x / view.spans[0].length();
    let cover = Cover::of(scene, &lined, (axes, &view), (scale, number == Number::Few));
    if cover.is_tangle {
        lined.iter_mut().for_each(|group| group.dash = Dash::SOLID);
    }
    let marks = Marks::choose(scene, &chosen, scale, setup.style);
    let page = page(scene, axes, &view, (number, cover.is_tangle), (&groups, &lined), &marks);
    let (mut canvas, stage) = staged(&page, (&view, axes), setup);
    canvas.begin_beside("bodies and scenery");
    if number == Number::Masses {
        density(scene, &stage, &chosen)?.draw(&mut canvas);
    }
    stage.scenery(&mut canvas, props_at_home(scene, &stage), &view);
    period_outline(scene, &stage, &mut canvas);
    match number {
        Number::Few => {
            solids_at_start(scene, &stage, &mut canvas, &groups);
            solids_at_end(scene, &stage, &mut canvas, &groups);
        }
        Number::Crowd => crowd_at_end(scene, &stage, &mut canvas, &groups),
        Number::Masses => {}
    }
    lines(scene, &stage, &mut canvas, (&lined, cover));
    marks.draw(scene, &stage, &mut canvas);
    leaving::arrows(&view.leavers, &stage.frame, &mut canvas);
    stage.frame.finish(&mut canvas);
    Ok(canvas)
}

impl Number {
    const fn of(bodies: usize) -> Self {
        match bodies {
            0..=FEW_MAX => Self::Few,
            _ if bodies <= CROWD_MAX => Self::Crowd,
            _ => Self::Masses,
        }
    }

    /// The description of how bodies are drawn.
    const fn words(self) -> &'static str {
        match self {
            Self::Few => "outlined at the start, filled at the end",
            Self::Crowd => "bodies where they are at the end",
            Self::Masses => "darker where bodies were more often",
        }
    }
}

fn page(
    scene: &Scene<'_>,
    axes: [usize; 2],
    view: &View,
    (number, is_tangle): (Number, bool),
    (groups, lined): (&[Group], &[Group]),
    marks: &Marks,
) -> Page {
    let mut legend: Vec<Entry> = match number {
        Number::Few => Vec::new(),
        Number::Crowd => groups
            .iter()
            .map(|group| Entry::patch(faded(group.color, CROWD_FILL), group.color, Dash::SOLID, group.label.as_str()))
            .collect(),
        Number::Masses => Density::entries(&colour_key::together(scene.scenario, groups)).to_vec(),
    };
    legend.extend(lined.iter().map(Group::entry));
    if number == Number::Few && !lined.is_empty() {
        legend.push(Entry::patch(faded(PAPER, 0.0), faded(TEXT, 0.45), Dash::SOLID, "at the start"));
        legend.push(Entry::patch(faded(TEXT, 0.3), TEXT, Dash::SOLID, "at the end"));
    }
    legend.extend(scenery_entries(scene, axes));
    legend.extend(marks.entry());
    let mut notes = leaving::notes(&view.leavers);
    notes.extend(solids::oblique(&scene.scenario.bodies, axes));
    notes.extend(solids::mapped(scene.still().count()));
    notes.extend(marks.note());
    let [right, up] = axes.map(axis_name);
    let seconds = match scene.window {
        Some(window) => format!("{} to {} s", brief(window.low), brief(window.high)),
        None => format!("{} s", brief(scene.end.seconds())),
    };
    let impacts = counted(scene.hits_total, "impact");
    let older = if is_tangle { ", older paths fainter" } else { "" };
    let subtitle = format!("Paths in the {right}{up} plane, {seconds}, {impacts}; {}{older}", number.words());
    Page::new(&scene.scenario.title, subtitle, legend, notes)
}

/// The largest frame in which both axes have equal scales.
pub(crate) fn inner_size(view: &View) -> DVec2 {
    let size = DVec2::new(view.spans[0].length(), view.spans[1].length());
    size * (INNER_MAX / size).min_element()
}

/// A picture of this page with the stage of a view, and its grid.
pub(crate) fn staged(page: &Page, (view, axes): (&View, [usize; 2]), setup: Setup<'_>) -> (Canvas, Stage) {
    let inner = inner_size(view);
    let labels = axis(view, axes, 1, TALL * setup.style.planned(inner).y, setup);
    let (mut canvas, rect) = page.compose(setup, Frames { rigid: true, ..Frames::new(inner, &[&labels]) });
    let stage = stage((view, axes), rect, setup);
    stage.frame.grid(&mut canvas);
    (canvas, stage)
}

/// The stage of a view in this rectangle.
pub(crate) fn stage((view, axes): (&View, [usize; 2]), rect: Rect, setup: Setup<'_>) -> Stage {
    let lengths = [(0, rect.size().x), (1, TALL * rect.size().y)];
    let [x, y] = lengths.map(|(side, long)| axis(view, axes, side, long, setup));
    Stage { frame: Frame { rect, x, y }, axes }
}

/// The axis on a side of the view with this length in pixels.
pub(crate) fn axis(view: &View, axes: [usize; 2], side: usize, pixels: f64, setup: Setup<'_>) -> Axis {
    let count = (setup.style.dense() * pixels / (7.1 * setup.style.small_size)).clamp(2.0, 8.0);
    Axis::linear(view.spans[side], count, axis_symbol(axes[side]), "m").taking_more()
}

/// A few bodies of a crowd whose exact paths were stored, from the first to the last of them.
pub(crate) fn sampled(scene: &Scene<'_>, groups: &[Group]) -> Vec<Group> {
    let exact = groups.iter().flat_map(|group| &group.members).copied().filter(|&body| scene.has_knots(body));
    let exact: Vec<usize> = exact.collect();
    let members: Vec<usize> = exact.iter().copied().step_by(exact.len().div_ceil(SAMPLES).max(1)).collect();
    if members.is_empty() {
        return Vec::new();
    }
    let label = format!("{} of their paths", members.len());
    // Other colours than those of the bodies, so that the paths can be seen over them.
    let taken = |color: &Color| groups.iter().any(|group| group.color == *color);
    let color = PALETTE.into_iter().skip(1).find(|color| !taken(color)).unwrap_or(PALETTE[1]);
    vec![Group { label, color, dash: Dash::SOLID, members }]
}

fn density(scene: &Scene<'_>, stage: &Stage, chosen: &[usize]) -> Result<Density, ReportError> {
    let mut density = Density::new(stage.frame.rect, scene.samples);
    let wanted = scene.membership(chosen);
    scene.each_sample(|body, _, [position, _]| {
        if wanted[body] {
            density.add(stage.place(position));
        }
    })?;
    Ok(density)
}

/// Everything that is not free, inside the periods in view.
pub(crate) fn props_at_home<'a>(scene: &Scene<'a>, stage: &Stage) -> Vec<Prop<'a>> {
    let place = |prop: &mut Prop<'a>| {
        prop.start = home(scene, stage, prop.start);
        prop.end = home(scene, stage, prop.end);
        prop.way.iter_mut().flatten().for_each(|corner| *corner = home(scene, stage, *corner));
    };
    let mut props = scene.scenery();
    props.iter_mut().for_each(place);
    props
}

/// The entries of the legend for the scenery: its kinds, and where space repeats.
pub(crate) fn scenery_entries(scene: &Scene<'_>, axes: [usize; 2]) -> Vec<Entry> {
    let scenery = scene.scenery();
    let has_moved = scenery.iter().any(|prop| prop.start != prop.end);
    let mut entries = solids::entries(&scenery.iter().map(|prop| prop.body).collect::<Vec<_>>(), has_moved);
    if periods(scene, axes) != [None, None] {
        entries.push(Entry::line(SCENERY_EDGE, Dash::DASHED, "periodic cell"));
    }
    entries
}

/// Draws where space repeats.
pub(crate) fn period_outline(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas) {
    outline_of(periods(scene, stage.axes), stage, canvas);
}

/// The same for the periods of the two axes in view.
pub(crate) fn outline_of(periods: [Option<Period>; 2], stage: &Stage, canvas: &mut Canvas) {
    let span = |side: usize, shown: Span| periods[side].map_or(shown, |period| Span::new(period.min, period.max));
    let (x, y) = (span(0, stage.frame.x.span), span(1, stage.frame.y.span));
    let mut walls = Vec::new();
    if periods[0].is_some() {
        walls.extend([x.low, x.high].map(|wall| [(wall, y.low), (wall, y.high)]));
    }
    if periods[1].is_some() {
        walls.extend([y.low, y.high].map(|wall| [(x.low, wall), (x.high, wall)]));
    }
    for wall in walls {
        let ends = wall.map(|(x, y)| stage.frame.place(x, y));
        line_inside(&ends, stage.frame.rect, |part| {
            for dash in dashes(&part, &[7.0, 4.0]) {
                canvas.push(Mark::Line(dash, Stroke { color: SCENERY_EDGE, width: 1.0 }));
            }
        });
    }
}
