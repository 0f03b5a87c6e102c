//! Free bodies as solids where they start and end, and the marks of their impacts.

use glam::DVec2;

use super::periodic::home;
use crate::motion::SimTime;
use crate::report::chart::{Entry, counted};
use crate::report::drawing::{Canvas, Color, Dash, IMPACT, Mark, PAPER, Stroke, Style, faded, pale};
use crate::report::motion::colour_key::Group;
use crate::report::motion::scene::{FEW_MAX, Hit, Scene};
use crate::report::motion::view::sizes::half_size;
use crate::report::solids::{Look, Stage};
use crate::scenario::EventLog;

/// Most impacts marked in a picture of a few bodies, and in one of a crowd.
const MARKS_MAX: u64 = 3000;
const CROWD_MARKS_MAX: u64 = 300;

/// Opacity of a body of a crowd, over that of its edge.
pub(crate) const CROWD_FILL: f64 = 0.35;

/// Outlines every member where it starts.
pub(crate) fn solids_at_start(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas, groups: &[Group]) {
    let strength = strength(scene, stage, groups);
    each_member(groups, |body, color| {
        let Some(first) = scene.tracks[body].first else { return };
        let edge = Stroke { color: faded(color, 0.2 + 0.25 * strength), width: 1.0 };
        let look = Look { fill: None, edge, dash: Dash::SOLID };
        stage.solid(canvas, &scene.scenario.bodies[body].shape, home(scene, stage, first), look);
    });
}

/// Draws every member that is still there, filled, at its place at the end.
pub(crate) fn solids_at_end(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas, groups: &[Group]) {
    let strength = strength(scene, stage, groups);
    each_member(groups, |body, color| {
        let Some(last) = scene.remaining(body) else { return };
        let edge = Stroke { color: faded(color, 0.35 + 0.65 * strength), width: 0.7 + 0.5 * strength };
        let fill = Some(faded(color, 0.05 + 0.25 * strength));
        let shape = &scene.scenario.bodies[body].shape;
        stage.solid(canvas, shape, home(scene, stage, last), Look { fill, edge, dash: Dash::SOLID });
    });
}

/// Draws every member of a crowd at its place at the end; near ones hide far ones.
pub(crate) fn crowd_at_end(scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas, groups: &[Group]) {
    let mut there = Vec::new();
    each_member(groups, |body, color| {
        there.extend(scene.remaining(body).map(|last| (body, last, color)));
    });
    there.sort_by(|a, b| stage.nearness(a.1).total_cmp(&stage.nearness(b.1)));
    let (style, theme) = (canvas.style, canvas.style.theme);
    for (body, last, color) in there {
        let edge = Stroke { color, width: style.fine(0.9) };
        let look = Look { fill: Some(pale(color, CROWD_FILL, theme)), edge, dash: Dash::SOLID };
        stage.solid(canvas, &scene.scenario.bodies[body].shape, home(scene, stage, last), look);
    }
}

/// The opacity of solids, from 0 to 1. The more of them overlap, the lower it is.
fn strength(scene: &Scene<'_>, stage: &Stage, groups: &[Group]) -> f64 {
    let mut area = 0.0;
    each_member(groups, |body, _| {
        let size = 2.0 * half_size(&scene.scenario.bodies[body].shape);
        area += size[stage.axes[0]] * size[stage.axes[1]];
    });
    let seen = stage.frame.x.span.length() * stage.frame.y.span.length();
    (0.5 * seen / area).min(1.0)
}

fn each_member(groups: &[Group], mut take: impl FnMut(usize, Color)) {
    for group in groups {
        group.members.iter().for_each(|&body| take(body, group.color));
    }
}

/// Which impacts are marked, and how large.
#[derive(Debug)]
pub(crate) struct Marks {
    hits: Vec<Hit>,
    /// Their radius, pixels.
    radius: f64,
    total: u64,
    /// Most impacts that are marked.
    most: u64,
    /// Whether their places are known.
    logged: bool,
}

impl Marks {
    /// The impacts in which a chosen body takes part, unless they are too many to be distinguished. On small bodies, at
    /// `scale` pixels per metre, marks are small.
    pub(crate) fn choose(scene: &Scene<'_>, chosen: &[usize], scale: f64, style: Style) -> Self {
        let mut hits: Vec<Hit> = scene.hits_of(chosen).copied().collect();
        let sizes = chosen.iter().map(|&body| half_size(&scene.scenario.bodies[body].shape).max_element() * scale);
        let smallest = sizes.fold(f64::INFINITY, f64::min);
        let radius: f64 = match hits.len() {
            0..=60 => 2.6,
            61..=400 => 1.9,
            _ => 1.3,
        };
        let radius = style.fine(radius);
        let most = if chosen.len() > FEW_MAX { CROWD_MARKS_MAX } else { MARKS_MAX };
        if scene.hits_total > most {
            hits.clear();
        }
        // A body smaller than a mark is itself a dot, and its marks must stay visible.
        let radius = if smallest > 3.0 { radius.min((0.25 * smallest).max(style.fine(1.2))) } else { radius };
        let logged = scene.scenario.record.events == EventLog::All;
        Self { hits, radius, total: scene.hits_total, most, logged }
    }

    /// Draws them, each with a white rim for contrast.
    pub(crate) fn draw(&self, scene: &Scene<'_>, stage: &Stage, canvas: &mut Canvas) {
        canvas.begin_beside("impacts");
        for hit in &self.hits {
            let at = stage.place(home(scene, stage, hit.point));
            if stage.frame.rect.holds(at, 0.0) {
                self.dot(canvas, at);
            }
        }
    }

    /// Draws one of them.
    pub(crate) fn dot(&self, canvas: &mut Canvas, at: DVec2) {
        canvas.push(Mark::Disc(at, self.radius + canvas.style.fine(0.8), faded(PAPER, 0.9)));
        canvas.push(Mark::Disc(at, self.radius, IMPACT));
    }

    /// The marked impacts after one instant and until another one.
    pub(crate) fn between(&self, after: SimTime, until: SimTime) -> &[Hit] {
        let count = |time: SimTime| self.hits.partition_point(|hit| hit.time <= time);
        &self.hits[count(after)..count(until)]
    }

    /// Their line in the legend.
    pub(crate) fn entry(&self) -> Option<Entry> {
        (!self.hits.is_empty()).then(|| Entry::dot(IMPACT, self.radius.max(2.0), "impact"))
    }

    /// A note if there are too many.
    pub(crate) fn note(&self) -> Option<String> {
        let impacts = counted(self.total, "impact");
        if self.total > self.most {
            Some(format!("{impacts} are too many to be marked."))
        } else {
            (!self.logged && self.total > 0).then(|| format!("{impacts}, only counted and not marked."))
        }
    }
}
