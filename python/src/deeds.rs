//! Changes to a simulation from Python: commands, at once or at a later time.

use std::fmt;

use carom::Layers;
use carom::glam::DVec3;
use carom::motion::SimTime;
use carom::world::{Command, Timed, World};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::errors::{Raised, refused};
use crate::origin::Origin;
use crate::text::{Fields, list, number, quoted, triple};

/// All changes from Python that are not in the text of the scenario.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Deeds {
    /// What was done at once, and when.
    pub(crate) done: Vec<(SimTime, Order)>,
    /// Commands that were scheduled.
    pub(crate) scheduled: Vec<(SimTime, Order)>,
    /// Whether more was done at once.
    pub(crate) are_some_forgotten: bool,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Order {
    /// The impulse, and where it acts from the centre.
    Kick(String, [f64; 3], [f64; 3]),
    SetVelocity(String, [f64; 3]),
    SetSpin(String, [f64; 3]),
    /// The text of the body.
    Spawn(String),
    Despawn(String),
    SetPosition(String, [f64; 3]),
    /// The name of the material.
    SetMaterial(String, String),
    /// The names of its layer, and of those that it collides with.
    SetLayers(String, Option<String>, Option<Vec<String>>),
    SetGravity([f64; 3]),
    SetCell(String, [u32; 3], bool),
    /// The velocity from a knot of the course of a body on. The text of the body has it.
    Knot(String, [f64; 3]),
    Reverse,
}

/// An order with the instant at which it was given, and the time for which it was given if that is another.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Given {
    pub(crate) now: SimTime,
    pub(crate) at: Option<SimTime>,
    pub(crate) order: Order,
}

/// Why what was done cannot be written as commands of a scenario.
#[derive(Debug, Clone)]
pub(crate) enum Unwritten {
    /// The time of a command is no float.
    Instant(SimTime),
    Reversed,
    /// The scenario has commands, to which others cannot be added.
    OwnCommands,
    /// What is wrong with the scenario that has the commands.
    Wrong(String),
    Forgotten,
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Instant(at) => write!(
                f,
                "the times in a scenario are floats, and no float is exactly {at} s, the time of a command: give at= and \
                 until= as floats, such as {:?}, not as texts or Fractions; a command that is given at once at an event has \
                 such a time, too",
                at.seconds()
            ),
            Self::Reversed => f.write_str("it was reversed, which no command of a scenario does"),
            Self::OwnCommands => f.write_str(
                "the scenario that was loaded has commands of its own, to which none can be added: write yours into its file",
            ),
            Self::Wrong(problem) => write!(f, "the scenario with them is refused: {problem}"),
            Self::Forgotten => f.write_str(
                "with keep_events=False the commands that are given at once are not kept: leave keep_events=True",
            ),
        }
    }
}

impl Deeds {
    /// All of them until an instant as commands of a scenario.
    pub(crate) fn texts(&self, until: SimTime) -> Result<Vec<String>, Unwritten> {
        if self.are_some_forgotten {
            return Err(Unwritten::Forgotten);
        }
        let mut all: Vec<_> = self.scheduled.iter().chain(&self.done).filter(|(at, _)| *at <= until).collect();
        all.sort_by_key(|(at, _)| *at);
        all.into_iter()
            .filter(|(_, order)| !matches!(order, Order::Knot(..)))
            .map(|(at, order)| order.text(*at))
            .collect()
    }

    /// Those that were scheduled.
    pub(crate) fn to_come(&self) -> Self {
        Self { scheduled: self.scheduled.clone(), ..Self::default() }
    }

    /// Whether these come from `earlier` by commands that were carried out at once.
    pub(crate) fn go_on_from(&self, earlier: &Self) -> bool {
        self.scheduled == earlier.scheduled && self.done.starts_with(&earlier.done)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.scheduled.is_empty() && !self.has_done()
    }

    /// Whether anything was done at once.
    pub(crate) fn has_done(&self) -> bool {
        self.are_some_forgotten || !self.done.is_empty()
    }

    /// Adds an order with the knots that come with it. If not `keeps`, one that was carried out at once is forgotten,
    /// but a body that came.
    pub(crate) fn add(&mut self, Given { now, at, order }: Given, knots: Vec<(SimTime, Order)>, keeps: bool) {
        match at {
            Some(at) => self.scheduled.push((at, order)),
            None if keeps || matches!(order, Order::Spawn(_)) => self.done.push((now, order)),
            None => self.are_some_forgotten = true,
        }
        self.scheduled.extend(knots);
    }

    /// The commands that were scheduled.
    pub(crate) fn commands(&self, origin: &Origin) -> PyResult<Vec<Timed>> {
        self.scheduled.iter().map(|(at, order)| order.timed(*at, origin)).collect()
    }

    /// The texts of bodies that were added at once.
    pub(crate) fn spawned(&self) -> impl Iterator<Item = &String> {
        self.done.iter().filter_map(|(_, order)| if let Order::Spawn(text) = order { Some(text) } else { None })
    }
}

impl Order {
    /// The command at the time `at` in a simulation with this origin.
    pub(crate) fn command(&self, at: SimTime, origin: &Origin) -> PyResult<Command> {
        let vector = DVec3::from_array;
        Ok(match self.clone() {
            Self::Kick(body, impulse, offset) => {
                Command::Kick { body, impulse: vector(impulse), offset: vector(offset) }
            }
            Self::SetSpin(body, spin) => Command::SetSpin { body, spin: vector(spin) },
            Self::SetVelocity(body, velocity) | Self::Knot(body, velocity) => {
                Command::SetVelocity { body, velocity: vector(velocity) }
            }
            Self::Spawn(text) => Command::Spawn(origin.body(&text, at)?.0),
            Self::Despawn(body) => Command::Despawn { body },
            Self::SetPosition(body, position) => Command::SetPosition { body, position: vector(position) },
            Self::SetMaterial(body, name) => Command::SetMaterial { body, material: origin.material(&name)? },
            Self::SetLayers(body, layer, others) => Command::SetLayers {
                body,
                layers: layer.map_or(Ok(Layers::FIRST), |name| origin.layer(&name))?,
                collides_with: match others {
                    None => Layers::ALL,
                    Some(names) => {
                        names.iter().try_fold(Layers::NONE, |all, name| PyResult::Ok(all.and(origin.layer(name)?)))?
                    }
                },
            },
            Self::SetGravity(gravity) => Command::SetGravity { gravity: vector(gravity) },
            Self::SetCell(body, cell, solid) => Command::SetCell { body, cell, solid },
            Self::Reverse => {
                return Err(refused(&format!("it cannot be run again from its start: {}", Unwritten::Reversed)));
            }
        })
    }

    /// Carries it out in `world`, and returns it as a command if it is one.
    pub(crate) fn carry_out(&self, world: &mut World, origin: &Origin) -> PyResult<Option<Timed>> {
        if matches!(self, Self::Reverse) {
            return world.reverse().map(|()| None).map_err(Raised::raised);
        }
        let timed = self.timed(world.now(), origin)?;
        world.carry_out(&timed.command).map_err(Raised::raised)?;
        Ok(Some(timed))
    }

    /// The command as it is written in a scenario, for a time that is a number of seconds.
    fn text(&self, at: SimTime) -> Result<String, Unwritten> {
        let seconds = at.seconds();
        if SimTime::from_seconds(seconds) != at {
            return Err(Unwritten::Instant(at));
        }
        let (kind, of, more) = match self {
            Self::Kick(body, impulse, offset) => {
                let offset = if *offset == [0.0; 3] { String::new() } else { format!(", offset: {}", triple(*offset)) };
                ("Kick", Some(body), format!("impulse: {}{offset}", triple(*impulse)))
            }
            Self::SetSpin(body, spin) => ("SetSpin", Some(body), format!("spin: {}", triple(*spin))),
            Self::SetVelocity(body, velocity) => {
                ("SetVelocity", Some(body), format!("velocity: {}", triple(*velocity)))
            }
            Self::Spawn(text) => ("Spawn", None, format!("body: {text}")),
            Self::Despawn(body) => ("Despawn", Some(body), String::new()),
            Self::SetPosition(body, position) => {
                ("SetPosition", Some(body), format!("position: {}", triple(*position)))
            }
            Self::SetMaterial(body, name) => ("SetMaterial", Some(body), format!("material: {}", quoted(name))),
            Self::SetLayers(body, layer, others) => {
                let mut fields = Fields::default();
                fields.add("layer", layer.as_ref().map(|name| quoted(name)));
                fields.add("collides_with", others.as_ref().map(|names| list(names, |name| quoted(name))));
                ("SetLayers", Some(body), fields.text().to_owned())
            }
            Self::SetGravity(gravity) => ("SetGravity", None, format!("gravity: {}", triple(*gravity))),
            Self::SetCell(body, [x, y, z], solid) => {
                ("SetCell", Some(body), format!("cell: ({x}, {y}, {z}), solid: {solid}"))
            }
            Self::Knot(..) | Self::Reverse => return Err(Unwritten::Reversed),
        };
        let body = of.map_or_else(String::new, |body| format!(", body: {}", quoted(body)));
        let comma = if more.is_empty() { "" } else { ", " };
        Ok(format!("{kind}(at: {}{body}{comma}{more})", number(seconds)))
    }

    /// The same command with its time.
    pub(crate) fn timed(&self, at: SimTime, origin: &Origin) -> PyResult<Timed> {
        Ok(Timed { at, command: self.command(at, origin)?, origin: "a command given in Python".to_owned() })
    }

    /// The orders at the knots of the course of a body that it adds at the time `at`.
    pub(crate) fn knots(&self, at: SimTime, origin: &Origin) -> PyResult<Vec<(SimTime, Self)>> {
        let Self::Spawn(text) = self else { return Ok(Vec::new()) };
        let order = |timed: Timed| match timed.command {
            Command::SetVelocity { body, velocity } => Some((timed.at, Self::Knot(body, velocity.to_array()))),
            _ => None,
        };
        Ok(origin.body(text, at)?.1.into_iter().filter_map(order).collect())
    }
}
