//! A whole world as serde writes and reads it.

use std::collections::BTreeSet;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Snapshot;
use crate::dynamics::{BodyId, Settings};
use crate::world::World;
use crate::world::command::{Named, Timed};

/// What [`World::resume`] takes.
#[derive(Serialize, Deserialize)]
struct Saved {
    settings: Settings,
    /// All that were there but those of scheduled commands.
    bodies: Vec<Named>,
    schedule: Vec<Timed>,
    snapshot: Snapshot,
}

impl Serialize for World {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scheduled = self.carried_out().iter().filter_map(|timed| timed.command.spawned());
        let scheduled: BTreeSet<&String> = scheduled.map(|named| &named.name).collect();
        let bodies = self.names.all().iter().zip(0..).filter(|(name, _)| !scheduled.contains(name));
        let bodies = bodies.map(|(name, row)| Named { name: name.clone(), body: self.stepper.given(BodyId(row)) });
        let (settings, schedule, snapshot) = (self.settings().clone(), self.schedule.clone(), self.snapshot());
        Saved { settings, bodies: bodies.collect(), schedule, snapshot }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for World {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Saved { settings, bodies, schedule, snapshot } = Saved::deserialize(deserializer)?;
        let bodies = bodies.into_iter().map(|named| (named.name, named.body));
        Self::resume(settings, bodies, schedule, &snapshot).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;

    use super::*;
    use crate::dynamics::{Body, Friction, Layers, Material, Materials, Period, Restitution, Space};
    use crate::geometry::Mesh;
    use crate::motion::{Course, SimTime};
    use crate::random::Random;
    use crate::world::Command;

    /// All kinds of bodies, with commands of all kinds before and after the instant at which the world is saved.
    fn world(random: &mut Random) -> World {
        let mut materials = Materials::default();
        let rubber =
            materials.add(Material { friction: Friction::new(0.4).unwrap(), ..Restitution::new(0.5).unwrap().into() });
        let glass = materials.add(Restitution::new(0.9).unwrap());
        materials.set_pair(glass, glass, Restitution::by_speed([(0.5, 0.9), (2.0, 0.6)]).unwrap());
        materials.set_pair(glass, rubber, Restitution::new(0.7).unwrap());
        let periods = [Some(Period { min: -8.0, max: 8.0 }), None, None];
        let settings = Settings {
            gravity: DVec3::Z * -9.8,
            materials,
            space: Space { periods, ..Space::default() },
            ..Settings::default()
        };
        let corners = [(-3.0, -3.0), (3.0, -3.0), (0.0, 3.0)].map(|(x, y)| DVec3::new(x, y, 0.5));
        let ramp = Arc::new(Mesh::new(&corners, &[[0, 1, 2]]).unwrap());
        let swing = Course::sine(DVec3::Y, 0.1, 2.0, 0.3).unwrap();
        let mut bodies = vec![
            ("floor".to_owned(), Body::plane(DVec3::Z, 0.0).unwrap().made_of(rubber)),
            ("ramp".to_owned(), Body::mesh(ramp)),
            ("gate".to_owned(), Body::cuboid(DVec3::ONE, 1.0).unwrap().at(DVec3::new(0.0, 5.0, 1.0)).fixed().sensor()),
            ("plate".to_owned(), Body::plane(DVec3::Y, -7.0).unwrap().along(swing)),
            ("lift".to_owned(), Body::plane(DVec3::Y, -6.0).unwrap().kinematic().moving(DVec3::Y * 0.1)),
        ];
        for n in 0..10 {
            let place = DVec3::new(1.2 * f64::from(n) - 6.0, 3.0 * random.unit(), 2.0 + random.unit());
            let body = if n % 3 == 0 {
                Body::cuboid(DVec3::splat(0.3), 2.0).unwrap()
            } else {
                Body::sphere(0.3, 1.0).unwrap().spinning(random.vector(3.0))
            };
            let body = body.at(place).moving(random.vector(2.0)).made_of(if n % 2 == 0 { rubber } else { glass });
            bodies.push((format!("free/{n}"), body.colliding_with(Layers::FIRST)));
        }
        let mut world = World::new(settings, bodies).unwrap();
        let comes =
            |n: u32| Named { name: format!("new/{n}"), body: Body::sphere(0.2, 1.0).unwrap().at(DVec3::Z * 30.0) };
        let commands = [
            (0.3, Command::kick("free/1", DVec3::Y)),
            (0.4, Command::Spawn(comes(1))),
            (0.5, Command::Despawn { body: "free/2".to_owned() }),
            (1.4, Command::SetVelocity { body: "new/1".to_owned(), velocity: DVec3::X }),
            (1.6, Command::Spawn(comes(2))),
        ];
        let timed = |(at, command)| Timed { at: SimTime::from_seconds(at), command, origin: "test".to_owned() };
        world.schedule_all(commands.map(timed)).unwrap();
        world.spawn("by hand", &comes(0).body.at(DVec3::Z * 20.0)).unwrap();
        world
    }

    #[test]
    fn a_world_goes_on_with_the_same_bits_after_it_was_saved_or_cloned() {
        let mut random = Random::from_state(47);
        for round in 0..20 {
            let mut original = world(&mut random);
            original.step(random.unit() * 1.5 + 0.1).unwrap();
            original.take_events();
            let mut read: World = serde_json::from_str(&serde_json::to_string(&original).unwrap()).unwrap();
            let mut cloned = original.clone();
            for other in [&mut read, &mut cloned] {
                assert_eq!(other.snapshot(), original.snapshot(), "round {round}");
                assert_eq!(other.scheduled(), original.scheduled());
                assert!(
                    original.ids().all(|id| other.name(id) == original.name(id) && other.body(id) == original.body(id))
                );
            }
            [&mut original, &mut read, &mut cloned].into_iter().for_each(|world| world.step(1.5).unwrap());
            let events = original.take_events();
            assert_eq!([read.take_events(), cloned.take_events()], [events.clone(), events], "round {round}");
            assert_eq!(
                [read.snapshot(), cloned.snapshot()],
                [original.snapshot(), original.snapshot()],
                "round {round}"
            );
        }
    }

    /// What a world tells is read as it was written, all bits of it.
    #[test]
    fn events_states_contacts_and_knots_can_be_saved() {
        fn same<T: Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(what: &T) {
            assert_eq!(serde_json::from_str::<T>(&serde_json::to_string(what).unwrap()).unwrap(), *what);
        }
        let mut world = world(&mut Random::from_state(2));
        world.ids().collect::<Vec<_>>().into_iter().for_each(|id| world.track(id));
        world.step(2.0).unwrap();
        let (events, knots, contacts) = (world.take_events(), world.take_knots(), world.contacts());
        assert!(events.len() > 20 && knots.len() > 20 && !contacts.is_empty());
        same(&(events, knots, contacts));
        world.ids().for_each(|id| same(&world.state(id)));
    }

    #[test]
    fn a_damaged_world_is_refused() {
        let good = serde_json::to_string(&world(&mut Random::from_state(1))).unwrap();
        assert!(serde_json::from_str::<World>(&good).is_ok());
        let damages = [
            ("two bodies are called", "\"name\":\"gate\"", "\"name\":\"floor\""),
            ("radius must be", "\"Sphere\":0.3", "\"Sphere\":-0.3"),
            ("the setting `rest_height` must be", "\"rest_height\":1e-6", "\"rest_height\":-1.0"),
            ("restitution must be", "\"restitution\":0.9", "\"restitution\":1.9"),
            ("knot 1 of a restitution by speed must have a speed above", "[2.0,0.6]", "[0.5,0.6]"),
            ("of a material that is not in the table", "\"material\":2", "\"material\":9"),
        ];
        for (message, from, to) in damages {
            let bad = good.replacen(from, to, 1);
            assert_ne!(bad, good, "{from}");
            let error = serde_json::from_str::<World>(&bad).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
