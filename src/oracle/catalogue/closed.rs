//! Closed forms: quantities of a scene from a formula, to compare with the exact course.

use std::fmt;

use crate::dynamics::EventKind;
use crate::motion::SimTime;
use crate::numeric::shown;
use crate::oracle::exact::Exact;
use crate::scenario::Axis;

/// The quantity of a formula.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names of bodies, axes and times say it")]
pub enum Quantity {
    /// The time of an impact of a body, with or without a rebound, s; `number` counts from 1.
    Impact { body: &'static str, number: usize },
    /// The number of impacts of a body.
    Impacts { body: &'static str },
    /// A coordinate at a time, m.
    Place { body: &'static str, axis: Axis, time: f64 },
    /// A component of the velocity at a time, m/s.
    Speed { body: &'static str, axis: Axis, time: f64 },
    /// A component of the spin at a time, rad/s.
    Spin { body: &'static str, axis: Axis, time: f64 },
    /// The time at which a body stops sliding, s.
    Stick { body: &'static str },
}

/// A formula and its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosedForm {
    /// Its quantity.
    pub quantity: Quantity,
    /// The formula.
    pub formula: &'static str,
    /// Its value.
    pub value: f64,
}

impl Quantity {
    /// Its unit.
    pub const fn unit(&self) -> &'static str {
        match self {
            Self::Impact { .. } | Self::Stick { .. } => "s",
            Self::Impacts { .. } => "",
            Self::Place { .. } => "m",
            Self::Speed { .. } => "m/s",
            Self::Spin { .. } => "rad/s",
        }
    }

    /// The value of the quantity in the exact course.
    pub fn of(&self, exact: &Exact) -> Option<f64> {
        let find = |name: &str| exact.names.iter().position(|known| known == name);
        let times = |name: &str, kinds: &[EventKind]| -> Option<Vec<f64>> {
            let body = find(name)?;
            let events = exact.events.iter().filter(|event| kinds.contains(&event.kind));
            let own = events.filter(|event| [event.a.index(), event.b.index()].contains(&body));
            Some(own.map(|event| event.time.seconds()).collect())
        };
        const IMPACTS: [EventKind; 3] = [EventKind::Impact, EventKind::Rest, EventKind::Collapse];
        let moment = |name: &str, time: f64| Some(exact.at(find(name)?, SimTime::from_seconds(time)));
        match *self {
            Self::Impact { body, number } => times(body, &IMPACTS)?.get(number - 1).copied(),
            Self::Impacts { body } => Some(times(body, &IMPACTS)?.len() as f64),
            Self::Place { body, axis, time } => Some(moment(body, time)?.position[axis as usize]),
            Self::Speed { body, axis, time } => Some(moment(body, time)?.velocity[axis as usize]),
            Self::Spin { body, axis, time } => Some(moment(body, time)?.spin[axis as usize]),
            Self::Stick { body } => times(body, &[EventKind::Stick])?.first().copied(),
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |axis: Axis| ['x', 'y', 'z'][axis as usize];
        match *self {
            Self::Impact { body, number } => write!(f, "time of impact {number} of {body}"),
            Self::Impacts { body } => write!(f, "impacts of {body}"),
            Self::Place { body, axis, time } => write!(f, "{} of {body} at {} s", letter(axis), shown(time)),
            Self::Speed { body, axis, time } => write!(f, "v{} of {body} at {} s", letter(axis), shown(time)),
            Self::Spin { body, axis, time } => write!(f, "w{} of {body} at {} s", letter(axis), shown(time)),
            Self::Stick { body } => write!(f, "time at which {body} no longer slides"),
        }
    }
}
