//! The motion of a body in the file: what determines it, and the course of one that moves by a formula.

use glam::DVec3;

use super::colors::Beside;
use crate::motion::{Course, SimTime};
use crate::numeric::OutOfRange;
use crate::scenario::error_kinds::Fault;
use crate::scenario::limits::DURATION_MAX;
use crate::scenario::numbers::Vector;
use crate::scenario::problem::{Entry, Report};
use crate::scenario::schema::{self, BodyMotion};
use crate::world::{Command, Timed};

/// How a body moves by itself.
#[derive(Default)]
pub(super) struct Moves {
    pub(super) course: Option<Box<Course>>,
    /// Its first place and velocity, if knots give them.
    pub(super) first: Option<[DVec3; 2]>,
}

impl BodyMotion {
    /// The kind of motion, for which a course plays no role.
    pub(super) fn kind(&self) -> schema::Motion {
        match self {
            Self::Free => schema::Motion::Free,
            Self::Fixed => schema::Motion::Fixed,
            Self::Kinematic | Self::Along(_) => schema::Motion::Kinematic,
        }
    }
}

/// Reads the course of a body that comes into the world at the time `comes`, s, if it has one.
pub(super) fn moves(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    raw: &schema::Body,
    comes: f64,
    beside: &mut Beside,
) -> Option<Moves> {
    let Some(BodyMotion::Along(course)) = &raw.motion else { return Some(Moves::default()) };
    if raw.velocity.is_some() {
        return report.fail(entry, "velocity", Fault::OwnCourse { field: "velocity" });
    }
    let found = match course {
        schema::Course::Sine { axis, amplitude, frequency, phase } => {
            let axis = report.vector(entry, "motion", *axis)?;
            Course::sine(axis, *amplitude, *frequency, *phase)
        }
        schema::Course::Polynomial { axis, coefficients, until } => {
            let axis = report.vector(entry, "motion", *axis)?;
            Course::polynomial(axis, coefficients, *until)
        }
        schema::Course::Knots(knots) => return knotted(report, entry, raw, (knots, comes), beside),
    };
    let refuse = |OutOfRange { quantity, allowed, found }| {
        report.add(entry, "motion", Fault::Course { what: quantity, allowed, found });
    };
    let course = found.map_err(refuse).ok()?;
    Some(Moves { course: Some(Box::new(course)), first: None })
}

/// A course from knot to knot: a velocity for each stretch, which commands set at the knots.
fn knotted(
    report: &mut Report<'_>,
    entry: Entry<'_>,
    raw: &schema::Body,
    (knots, comes): (&[(f64, Vector)], f64),
    beside: &mut Beside,
) -> Option<Moves> {
    let Some(name) = &raw.name else { return report.fail(entry, "", Fault::MissingField { field: "name" }) };
    if raw.position.is_some() {
        return report.fail(entry, "position", Fault::OwnCourse { field: "position" });
    }
    let mut wrong = |what, allowed, found| report.fail(entry, "motion", Fault::Course { what, allowed, found });
    let Some(&(start, _)) = knots.first() else {
        return wrong("knots", "at least one, `(time, (x, y, z))`", 0.0);
    };
    let falls = knots.windows(2).find(|two| two[1].0 <= two[0].0).map(|two| two[1].0);
    let outside = knots.iter().map(|knot| knot.0).find(|time| !(0.0..=DURATION_MAX).contains(time));
    if let Some(found) = falls.or(outside) {
        return wrong("time of a knot", "not negative, and later than the one before", found);
    }
    if start < comes {
        return wrong("time of a knot", "not before the time at which the body comes", start);
    }
    let mut places = Vec::with_capacity(knots.len());
    for &(time, place) in knots {
        places.push((time, report.vector(entry, "motion", place)?));
    }
    let stretches = places.windows(2).map(|two| (two[0].0, (two[1].1 - two[0].1) / (two[1].0 - two[0].0)));
    let end = places.last().map(|knot| (knot.0, DVec3::ZERO));
    let velocities: Vec<(f64, DVec3)> = stretches.chain(end).collect();
    let is_begun = start == comes;
    let begins = if is_begun { velocities[0].1 } else { DVec3::ZERO };
    beside.knots.extend(velocities.into_iter().skip(usize::from(is_begun)).map(|(at, velocity)| Timed {
        at: SimTime::from_seconds(at),
        command: Command::SetVelocity { body: name.clone(), velocity },
        origin: format!("knots of `{name}`"),
    }));
    Some(Moves { course: None, first: Some([places[0].1, begins]) })
}
