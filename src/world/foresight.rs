//! The ids that names stand for, those of bodies that are yet to come included.

use std::collections::HashMap;

use super::{Command, World};
use crate::dynamics::BodyId;

/// Names and ids of a world as it is scheduled at the present.
pub struct Foresight<'a> {
    world: &'a World,
    /// Of bodies that scheduled commands will make. Only looked up, never gone through.
    to_come: HashMap<&'a str, BodyId>,
}

impl World {
    /// Which id a name stands for, bodies that scheduled commands will make included. It costs a look at all of these
    /// commands, and each name then next to nothing.
    pub fn foresight(&self) -> Foresight<'_> {
        let names = self.schedule[self.done..].iter().filter_map(|timed| match &timed.command {
            Command::Spawn(named) => Some(named.name.as_str()),
            _ => None,
        });
        let mut to_come = HashMap::new();
        for (row, name) in (self.stepper.count() as u32..).zip(names) {
            to_come.entry(name).or_insert(BodyId(row));
        }
        Foresight { world: self, to_come }
    }
}

impl Foresight<'_> {
    /// The body called `name` if there is one or was one; else the id that it will have when a scheduled command makes it, if
    /// no other body is spawned before.
    pub fn id(&self, name: &str) -> Option<BodyId> {
        self.world.names.find(name).or_else(|| self.to_come.get(name).copied())
    }
}
