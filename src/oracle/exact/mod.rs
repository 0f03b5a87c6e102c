//! The exact course of a scene: the path of every body, every event, and how far it can be predicted.

mod course;
mod horizon;

pub(super) use course::{Course, Moment};
use horizon::{Horizon, touch};

use glam::DVec3;

use super::error::OracleError;
use crate::dynamics::{Body, Event, EventKind, Motion, Response};
use crate::motion::SimTime;
use crate::scenario::Scenario;

/// The exact course of a scene.
#[derive(Debug, Clone)]
pub struct Exact {
    /// The scene.
    pub scenario: Scenario,
    /// The names of all bodies, in order; a body is identified by its index in this list.
    pub names: Vec<String>,
    /// The bodies at their beginning.
    pub bodies: Vec<Body>,
    /// Which of them are free.
    pub free: Vec<usize>,
    /// All impacts and other events.
    pub events: Vec<Event>,
    /// Half the width of the smallest free body, m: the unit of distances.
    pub size: f64,
    /// The horizon up to which it can be predicted.
    pub horizon: Horizon,
    course: Course,
    twins: Vec<Course>,
}

impl Exact {
    /// Computes the exact course of a scenario and the courses of its twins.
    ///
    /// # Errors
    /// [`OracleError`] when the scenario cannot be judged, or cannot be run.
    pub fn new(scenario: &Scenario) -> Result<Self, OracleError> {
        check(scenario)?;
        let (course, events) = Course::run(scenario)?;
        let mut named: Vec<_> = scenario.bodies.iter().collect();
        named.sort_by(|a, b| a.name.cmp(&b.name));
        let (names, bodies): (Vec<_>, Vec<_>) =
            named.iter().map(|named| (named.name.clone(), named.body.clone())).unzip();
        let free: Vec<usize> = (0..bodies.len()).filter(|&body| bodies[body].is_free()).collect();
        let size =
            free.iter().map(|&body| bodies[body].shape.half_extents().min_element()).fold(f64::INFINITY, f64::min);
        let twins = horizon::twins(scenario)?;
        let mut exact = Self {
            scenario: scenario.clone(),
            names,
            bodies,
            free,
            events,
            size,
            horizon: Horizon::whole(scenario.duration),
            course,
            twins,
        };
        let courses: Vec<&Course> = exact.courses().collect();
        exact.horizon = Horizon::of(scenario, &exact.events, &courses, &exact.free, exact.size);
        Ok(exact)
    }

    /// The state of a body at an instant, after the events of that instant.
    pub fn at(&self, body: usize, time: SimTime) -> Moment {
        self.course.at(body, time)
    }

    /// The index of the body with this name; the error says that there is none.
    pub(super) fn named(&self, name: &str) -> Result<usize, String> {
        self.names.iter().position(|known| known == name).ok_or_else(|| {
            let free: Vec<&str> = self.free.iter().take(8).map(|&body| self.names[body].as_str()).collect();
            let more = if self.free.len() > free.len() { ", …" } else { "" };
            format!("the scene has no body `{name}`; its free bodies are {}{more}", free.join(", "))
        })
    }

    /// Refuses a time after the end.
    pub(super) fn check_time(&self, time: SimTime) -> Result<(), String> {
        let duration = self.scenario.duration;
        if time.seconds() > duration * (1.0 + 1e-9) {
            return Err(format!("{time} s is after the end of the scene at {duration} s"));
        }
        Ok(())
    }

    /// The change of a body's velocity at an instant, m/s.
    pub(super) fn jump(&self, body: usize, time: SimTime) -> DVec3 {
        self.course.jump(body, time)
    }

    /// Whether a body begins a new path within an open span of time.
    pub(super) fn is_bent(&self, body: usize, from: SimTime, until: SimTime) -> bool {
        self.course.knots(body).any(|knot| knot > from && knot < until)
    }

    /// The instants at which a body begins a new path.
    pub(super) fn knots(&self, body: usize) -> impl Iterator<Item = SimTime> + '_ {
        self.course.knots(body)
    }

    /// The span around an instant in which neither of two bodies begins another path; bodies that are not free are
    /// ignored.
    pub(super) fn span_around(&self, bodies: [usize; 2], time: SimTime) -> [SimTime; 2] {
        let mut span = [SimTime::ZERO, SimTime::from_seconds(self.scenario.duration)];
        for body in bodies.into_iter().filter(|&body| self.bodies[body].is_free()) {
            let [before, after] = self.course.knots_around(body, time);
            span = [before.map_or(span[0], |knot| span[0].max(knot)), after.map_or(span[1], |knot| span[1].min(knot))];
        }
        span
    }

    /// Whether a body is in free fall just before and just after an instant.
    pub(super) fn falls_around(&self, body: usize, time: SimTime) -> bool {
        self.course.accelerations_around(body, time).iter().all(|&found| found == self.gravity_of(body))
    }

    /// The acceleration of a body by gravity; zero if the body is not free.
    pub(super) fn gravity_of(&self, body: usize) -> DVec3 {
        if self.bodies[body].is_free() { self.scenario.settings.gravity } else { DVec3::ZERO }
    }

    /// Mass, kg; 0 for a body that is not free.
    pub(super) fn mass(&self, body: usize) -> f64 {
        match self.bodies[body].motion {
            Motion::Free(mass) => mass.get(),
            _ => 0.0,
        }
    }

    /// The restitution of the materials of an impact.
    pub(super) fn restitution(&self, event: &Event) -> f64 {
        let [a, b] = [event.a, event.b].map(|body| self.bodies[body.index()].material);
        self.scenario.settings.materials.restitution(a, b).at(event.approach_speed)
    }

    /// Whether two bodies can collide.
    pub(super) fn meets(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.bodies[a], &self.bodies[b]);
        a.collides_with.meets(b.layers) && b.collides_with.meets(a.layers)
    }

    /// The pairs of bodies that touch when the scene begins and of which at least one is free.
    pub(super) fn touching_at_first(&self) -> Vec<[usize; 2]> {
        let pairs = (0..self.bodies.len()).flat_map(|a| (a + 1..self.bodies.len()).map(move |b| [a, b]));
        let is_joined = |&[a, b]: &[usize; 2]| {
            let (one, other) = (&self.bodies[a], &self.bodies[b]);
            (one.is_free() || other.is_free()) && self.meets(a, b) && touch(one, other)
        };
        pairs.filter(is_joined).collect()
    }

    /// All courses: the exact one and those of its twins.
    pub(super) fn courses(&self) -> impl Iterator<Item = &Course> {
        std::iter::once(&self.course).chain(&self.twins)
    }

    /// Impacts up to the horizon, with or without a rebound.
    pub(super) fn impacts(&self) -> impl Iterator<Item = &Event> {
        let until = self.horizon.until;
        self.events.iter().filter(|event| is_impact(event.kind)).filter(move |event| event.time.seconds() <= until)
    }
}

/// Whether an event of this kind is an impact, with or without a rebound.
pub(super) const fn is_impact(kind: EventKind) -> bool {
    matches!(kind, EventKind::Impact | EventKind::Rest | EventKind::Collapse)
}

fn check(scenario: &Scenario) -> Result<(), OracleError> {
    let is_periodic = scenario.settings.space.periods.iter().any(Option::is_some);
    let is_sensor = scenario.bodies.iter().any(|named| named.body.response == Response::Sense);
    let is_free = scenario.bodies.iter().any(|named| named.body.is_free());
    let why = if is_periodic {
        "its space is periodic"
    } else if is_sensor {
        "it has sensors"
    } else if scenario.commands.iter().any(|timed| !timed.command.moves_one_body()) {
        "bodies come, go or change during the run, or gravity does"
    } else if !is_free {
        "it has no free body"
    } else {
        return Ok(());
    };
    Err(OracleError::Unsuited { why })
}
