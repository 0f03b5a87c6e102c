//! The ids of names, with those of bodies that come later.

use std::collections::HashMap;

use super::World;
use crate::dynamics::BodyId;

/// Names and ids of a world, according to the commands that are scheduled at present.
pub struct FutureNames<'a> {
    world: &'a World,
    /// The ids of bodies that scheduled commands will add. It is only searched by name, so its order does not matter.
    to_come: HashMap<&'a str, BodyId>,
}

impl World {
    /// The ids of names, with those of bodies that scheduled commands will add. It takes one pass over all these
    /// commands; each name then takes almost no time.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, BodyId, Command, Named, Settings, SimTime, Timed, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let mut world = World::new(Settings::default(), [("a", ball(0.0))]).unwrap();
    /// let command = Command::Spawn(Named { name: "b".to_owned(), body: ball(2.0) });
    /// world.schedule(Timed { at: SimTime::from_seconds(1.0), command, origin: String::new() }).unwrap();
    /// let foreseen = world.future_names().id("b");
    /// assert_eq!((foreseen, world.id("b")), (Some(BodyId(1)), None));
    /// world.step(1.0).unwrap();
    /// assert_eq!(world.id("b"), foreseen);
    /// ```
    #[doc(hidden)]
    pub fn future_names(&self) -> FutureNames<'_> {
        let coming = self.schedule[self.done..].iter().filter_map(|timed| timed.command.spawned());
        let mut to_come = HashMap::new();
        for (row, named) in (self.stepper.count() as u32..).zip(coming) {
            to_come.entry(named.name.as_str()).or_insert(BodyId(row));
        }
        FutureNames { world: self, to_come }
    }
}

impl FutureNames<'_> {
    /// The body called `name`, if there is or was one. Otherwise the id that it will have when a scheduled command adds
    /// it, if no other body is spawned before.
    pub fn id(&self, name: &str) -> Option<BodyId> {
        self.world.names.find(name).or_else(|| self.to_come.get(name).copied())
    }
}
