//! Changes to a simulation from Python: commands, at once or at a later time.

use carom::Layers;
use carom::glam::DVec3;
use carom::motion::SimTime;
use carom::world::{Command, Timed};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::origin::Origin;
use crate::text::{Fields, list, number, quoted, triple};

/// All changes from Python that are not in the text of the scenario.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Deeds {
    /// Whether anything was changed.
    pub(crate) is_touched: bool,
    /// What was done at once, and when.
    pub(crate) done: Vec<(SimTime, Order)>,
    /// Commands that were scheduled.
    pub(crate) scheduled: Vec<(SimTime, Order)>,
}

/// A command.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Order {
    Kick(String, [f64; 3]),
    SetVelocity(String, [f64; 3]),
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
}

impl Deeds {
    /// All of them until an instant as commands of a scenario, if they can be written.
    pub(crate) fn texts(&self, until: SimTime, origin: &Origin) -> Option<Vec<String>> {
        let mut all: Vec<_> = self.scheduled.iter().chain(&self.done).filter(|(at, _)| *at <= until).collect();
        all.sort_by_key(|(at, _)| *at);
        // The text of a body on a course has its knots, which are commands here already.
        let has_knots = |(at, order): &&(SimTime, Order)| order.knots(*at, origin).is_ok_and(|knots| !knots.is_empty());
        if all.iter().any(has_knots) { None } else { all.into_iter().map(|(at, order)| order.text(*at)).collect() }
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
            Self::Kick(body, impulse) => Command::Kick { body, impulse: vector(impulse) },
            Self::SetVelocity(body, velocity) => Command::SetVelocity { body, velocity: vector(velocity) },
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
        })
    }

    /// The command as it is written in a scenario, for a time that is a number of seconds.
    pub(crate) fn text(&self, at: SimTime) -> Option<String> {
        let seconds = at.seconds();
        if SimTime::from_seconds(seconds) != at {
            return None;
        }
        let (kind, of, more) = match self {
            Self::Kick(body, impulse) => ("Kick", Some(body), format!("impulse: {}", triple(*impulse))),
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
        };
        let body = of.map_or_else(String::new, |body| format!(", body: {}", quoted(body)));
        let comma = if more.is_empty() { "" } else { ", " };
        Some(format!("{kind}(at: {}{body}{comma}{more})", number(seconds)))
    }

    /// The same command with its time.
    pub(crate) fn timed(&self, at: SimTime, origin: &Origin) -> PyResult<Timed> {
        Ok(Timed { at, command: self.command(at, origin)?, origin: "a command given in Python".to_owned() })
    }

    /// The orders at the knots of the course of a body that it adds at the time `at`.
    pub(crate) fn knots(&self, at: SimTime, origin: &Origin) -> PyResult<Vec<(SimTime, Self)>> {
        let Self::Spawn(text) = self else { return Ok(Vec::new()) };
        let order = |timed: Timed| match timed.command {
            Command::SetVelocity { body, velocity } => Some((timed.at, Self::SetVelocity(body, velocity.to_array()))),
            _ => None,
        };
        Ok(origin.body(text, at)?.1.into_iter().filter_map(order).collect())
    }
}
