//! Bodies at equal intervals of time, to scale, as in a stroboscopic picture.

use glam::DVec3;

use super::few::few;
use crate::report::chart::{Entry, Page, Setup, exact};
use crate::report::coordinates::{axis_name, plane_axes};
use crate::report::drawing::{Canvas, Mark, Stroke, faded, line_inside};
use crate::report::motion::colour_key::{self, Group};
use crate::report::motion::scene::Scene;
use crate::report::motion::view::leaving;
use crate::report::motion::view::{self, View};
use crate::report::paths::path::{period_outline, props_at_home, scenery_entries, staged};
use crate::report::paths::path_pieces::way;
use crate::report::paths::periodic::home;
use crate::report::solids::{self, Look, Stage};
use crate::scenario::Plane2;

/// Opacity of bodies at the first and at the last flash.
const FILL: [f64; 2] = [0.08, 0.42];

/// Draws the bodies called `names`, or all, every `every` seconds.
pub(crate) fn draw(scene: &Scene<'_>, (plane, every): (Plane2, f64), names: &[String], setup: Setup<'_>) -> Canvas {
    let axes = plane_axes(plane);
    let (chosen, note) = few(scene, names, false);
    let view = view::choose(scene, &chosen, axes).asked(setup.asked);
    let groups = colour_key::groups(&scene.scenario.bodies, &chosen, setup);
    let page = page(scene, axes, every, &groups, notes(scene, axes, &view, note));
    let (mut canvas, stage) = staged(&page, (&view, axes), setup);
    canvas.begin_beside("scenery");
    stage.scenery(&mut canvas, props_at_home(scene, &stage), &view);
    period_outline(scene, &stage, &mut canvas);
    for group in &groups {
        canvas.begin(&group.label);
        for &body in &group.members {
            flashes(scene, &stage, &mut canvas, group, (body, every));
        }
    }
    leaving::arrows(&view.leavers, &stage.frame, &mut canvas);
    stage.frame.finish(&mut canvas);
    canvas
}

/// The whole path of a body as a thin line, and the body on it at each flash; later ones are stronger.
fn flashes(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas, group: &Group, (body, every): (usize, f64)) {
    let style = canvas.style;
    let thin = Stroke { color: faded(group.color, 0.6), width: 0.5 * style.curve(1.7) };
    for part in way(scene, stage, body, usize::MAX) {
        line_inside(&part, stage.frame.rect, |part| canvas.push(Mark::Line(part, thin)));
    }
    let places = places(scene, body, every);
    let last = places.len().saturating_sub(1).max(1) as f64;
    for (flash, &place) in places.iter().enumerate() {
        // A body at rest is drawn once, as dark as at its last flash.
        if places.get(flash + 1) == Some(&place) {
            continue;
        }
        let fill = faded(group.color, FILL[0] + (FILL[1] - FILL[0]) * flash as f64 / last);
        let edge = Stroke { color: group.color, width: style.fine(1.1) };
        let look = Look { fill: Some(fill), edge, dash: group.dash };
        stage.solid(canvas, &scene.scenario.bodies[body].shape, home(scene, stage, place), look);
    }
}

/// The places of a body at whole multiples of a time, m.
pub(crate) fn places(scene: &Scene<'_>, body: usize, every: f64) -> Vec<DVec3> {
    let mut places = Vec::new();
    let mut flash: Option<u64> = None;
    for leg in scene.legs(body) {
        let begin = leg.path.epoch.seconds();
        let first = flash.map_or((begin / every).ceil() as u64, |last| last + 1);
        // Multiples, not sums, so that rounding errors do not add up.
        for count in first.. {
            let since = count as f64 * every - begin;
            if since > leg.seconds {
                break;
            }
            places.push(leg.path.position_at(leg.path.epoch.plus(since.max(0.0))));
            flash = Some(count);
        }
    }
    places
}

fn notes(scene: &Scene<'_>, axes: [usize; 2], view: &View, few: Option<String>) -> Vec<String> {
    let mut notes = leaving::notes(&view.leavers);
    notes.extend(few);
    notes.extend(solids::oblique(&scene.scenario.bodies, axes));
    notes.extend(solids::mapped(scene.still().count()));
    notes
}

fn page(scene: &Scene<'_>, axes: [usize; 2], every: f64, groups: &[Group], notes: Vec<String>) -> Page {
    let entry =
        |group: &Group| Entry::patch(faded(group.color, FILL[1]), group.color, group.dash, group.label.as_str());
    let mut legend: Vec<Entry> = groups.iter().map(entry).collect();
    legend.extend(scenery_entries(scene, axes));
    let [right, up] = axes.map(axis_name);
    let every = exact(every);
    let subtitle = format!("Positions in the {right}{up} plane every {every} s, the later the darker");
    Page::new(&scene.scenario.title, subtitle, legend, notes)
}
