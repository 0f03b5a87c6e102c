//! What the pictures of a film show: the page, the bodies and their paths at each instant.

use glam::DVec2;

use super::actor::Actor;
use super::clock::Clock;
use super::dial::Dial;
use super::error::FilmError;
use super::lens::{Lens, Shot, Solid};
use super::page::{Laid, lay_out};
use super::request::FilmRequest;
use crate::dynamics::Motion;
use crate::motion::SimTime;
use crate::record::RunPaths;
use crate::report::chart::{Setup, Span};
use crate::report::drawing::{Canvas, Color, Mark, Style, pale};
use crate::report::motion::colour_key;
use crate::report::motion::props::Prop;
use crate::report::motion::scene::{FEW_MAX, Scene};
use crate::report::motion::track::Leg;
use crate::report::paths::bodies::Marks;
use crate::scenario::Scenario;

/// Most frames of a film.
const FRAMES_MAX: usize = 100_000;

/// How long the mark of an impact is seen, s of the film.
const MARK_SECONDS: f64 = 0.25;

/// The parts of a path behind a body, and the shares of its colour in the oldest and the latest.
const FADES: usize = 5;
const FADE: [f64; 2] = [0.12, 0.8];

/// The pictures of a film over their backdrop.
pub(super) struct Play<'a> {
    pub(super) clock: Clock,
    pub(super) size: [usize; 2],
    /// The number of impacts of the bodies that are shown.
    pub(super) impacts: usize,
    from: SimTime,
    /// The length of the paths behind bodies, s of the run.
    trail: f64,
    style: Style,
    lens: Box<dyn Lens + 'a>,
    /// Width of the tick labels at the left, pixels.
    labels: f64,
    /// The body in the middle of the picture.
    followed: Option<Actor<'a>>,
    /// Bodies that are not free, without those in the backdrop.
    props: Vec<Actor<'a>>,
    solids: Vec<(Actor<'a>, Color)>,
    marks: Marks,
    dial: Option<Dial>,
}

impl<'a> Play<'a> {
    /// The pictures of a film, and their backdrop.
    pub(super) fn new(
        scenario: &'a Scenario,
        paths: &RunPaths,
        request: &'a FilmRequest,
    ) -> Result<(Self, Canvas), FilmError> {
        let [from, until] = [paths.from, paths.until].map(SimTime::seconds);
        if from >= until {
            return Err(FilmError::NoSpan { at: from });
        }
        let scene = Scene::of_paths(scenario, paths);
        let chosen = scene.chosen(&request.bodies, false);
        if chosen.is_empty() {
            return Err(FilmError::NoBodies);
        }
        let impacts = impacts(&scene, &chosen);
        let clock = Clock::new([from, until], &impacts, request.slow, request.speed, request.fps);
        if clock.frames() > FRAMES_MAX as f64 {
            return Err(FilmError::TooLong { frames: clock.frames(), most: FRAMES_MAX });
        }
        let actor = |rank: usize| Actor::new(&scene, rank, Span::new(from, until));
        let followed = request.follow.as_ref().map(|name| {
            let rank = scenario.bodies.iter().position(|body| body.name == *name);
            let rank = rank.filter(|&rank| scene.tracks[rank].first.is_some());
            rank.map(actor).ok_or_else(|| FilmError::NotThere { body: name.clone() })
        });
        let followed = followed.transpose()?;
        let setup = Setup::new(&request.style).of_scenario(scenario);
        let groups = colour_key::groups(&scenario.bodies, &chosen, setup);
        let few = if chosen.len() <= FEW_MAX { clock.speed } else { 0.0 };
        let trail = request.trail.unwrap_or(few);
        let middle = followed.as_ref().map(|actor| actor.body);
        let laid = lay_out(&scene, (&chosen, &groups), (middle, trail > 0.0), request, setup)?;
        let Laid { canvas, lens, size, marks } = laid;
        let colored = groups.iter().flat_map(|group| group.members.iter().map(|&rank| (actor(rank), group.color)));
        let member = scene.membership(&chosen);
        let is_prop = |rank: &usize| !matches!(scenario.bodies[*rank].motion, Motion::Free(_)) && !member[*rank];
        let mut play = Self {
            size,
            impacts: impacts.len(),
            from: paths.from,
            trail,
            style: canvas.style,
            lens,
            labels: canvas.labels,
            followed,
            props: (0..scenario.bodies.len()).filter(is_prop).map(actor).collect(),
            solids: colored.collect(),
            marks,
            dial: request.clock.then(|| Dial::new(&canvas, &clock, request.fps)),
            clock,
        };
        let backdrop = play.backdrop(canvas, &impacts);
        Ok((play, backdrop))
    }

    /// The instant that a frame shows.
    pub(super) fn instant(&self, frame: usize) -> SimTime {
        let seconds = self.clock.instant(self.clock.film_time(frame));
        SimTime::from_seconds(seconds).max(self.from)
    }

    /// The page with all that is the same in all pictures.
    fn backdrop(&mut self, mut canvas: Canvas, impacts: &[f64]) -> Canvas {
        if self.followed.is_none() {
            let (still, moving) = std::mem::take(&mut self.props).into_iter().partition::<Vec<_>, _>(Actor::is_still);
            self.props = moving;
            let props = still.iter().filter_map(|actor| prop(actor, self.from)).collect();
            self.lens.behind(&mut canvas);
            self.lens.shot(&mut canvas, Shot { props, ..Shot::default() });
            self.lens.before(&mut canvas, true);
        }
        if let Some(dial) = &self.dial {
            dial.behind(&mut canvas, impacts.iter().map(|&impact| self.clock.film_at(impact)));
        }
        canvas
    }

    /// What a frame has over the backdrop, and what of the backdrop is above that.
    pub(super) fn drawn(&self, frame: usize) -> (Vec<Mark>, Vec<Mark>) {
        let (film, time) = (self.clock.film_time(frame), self.instant(frame));
        let mut canvas = Canvas::new(self.style, DVec2::ZERO);
        canvas.labels = self.labels;
        let middle = self.followed.as_ref().and_then(|actor| actor.place_or_end(time));
        let around = middle.map(|middle| self.lens.around(middle));
        let lens = around.as_deref().unwrap_or(&*self.lens);
        if around.is_some() {
            lens.behind(&mut canvas);
        }
        let solid = |(actor, color): &(Actor<'a>, Color)| {
            Some(Solid { shape: &actor.body.shape, place: actor.place(time)?, color: *color })
        };
        let props = self.props.iter().filter_map(|actor| prop(actor, time)).collect();
        let solids = self.solids.iter().filter_map(solid).collect();
        lens.shot(&mut canvas, Shot { props, trails: self.trails(time), solids });
        // The first picture has the marks of its own instant.
        let since = SimTime::from_seconds(self.clock.instant((film - MARK_SECONDS).max(0.0)));
        let since = if film > MARK_SECONDS { since } else { self.from.plus(-SimTime::TICK) };
        for at in self.marks.between(since, time).iter().filter_map(|hit| lens.place(hit.point)) {
            self.marks.dot(&mut canvas, at);
        }
        let mut again = Canvas::new(self.style, DVec2::ZERO);
        lens.before(if around.is_some() { &mut canvas } else { &mut again }, around.is_some());
        if let Some(dial) = &self.dial {
            dial.hand(&mut canvas, &self.clock, film);
        }
        (canvas.marks, again.marks)
    }

    /// The paths behind bodies, the oldest parts first.
    fn trails(&self, time: SimTime) -> Vec<(Vec<Leg>, Color)> {
        let mut trails = Vec::new();
        let parts = if self.trail > 0.0 { FADES } else { 0 };
        for part in 0..parts {
            let ago = |part: usize| time.seconds() - self.trail * (1.0 - part as f64 / FADES as f64);
            let share = FADE[0] + (FADE[1] - FADE[0]) * (part as f64 / (FADES - 1) as f64);
            for (actor, color) in self.solids.iter().filter(|(actor, _)| actor.place(time).is_some()) {
                trails.push((actor.path(ago(part), ago(part + 1)), pale(*color, share, self.style.theme)));
            }
        }
        trails.retain(|(legs, _)| !legs.is_empty());
        trails
    }
}

/// The instants of the impacts in which a chosen body takes part, s.
fn impacts(scene: &Scene<'_>, chosen: &[usize]) -> Vec<f64> {
    scene.hits_of(chosen).map(|hit| hit.time.seconds()).collect()
}

/// A body that is not free, at an instant.
fn prop<'a>(actor: &Actor<'a>, time: SimTime) -> Option<Prop<'a>> {
    let place = actor.place(time)?;
    Some(Prop { body: actor.body, shape: actor.body.shape.clone(), start: place, end: place, way: Vec::new() })
}
