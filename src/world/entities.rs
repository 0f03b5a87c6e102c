//! The entities of bodies: positions, velocities and spins as components.
//!
//! A step writes them only for bodies that have moved. Bodies that are still leave the list of those to write, until they
//! begin a new path.

use super::{Position, Spin, Velocity, World};
use crate::dynamics::BodyId;

impl World {
    /// Writes positions, velocities and spins of the present into the entities of the bodies that have moved.
    pub fn sync(&mut self) {
        let mut moving = std::mem::take(&mut self.moving);
        let stirred = self.stepper.take_stirred();
        if !stirred.is_empty() {
            moving.extend(stirred);
            moving.sort_unstable();
        }
        moving.retain(|&id| {
            let present = self.stepper.is_present(id);
            if present {
                self.write(id);
            }
            present && !self.stepper.note_still(id)
        });
        self.moving = moving;
    }

    /// Writes the state of a body into its entity.
    fn write(&mut self, id: BodyId) {
        let entity = self.entities[id.index()];
        let state = self.stepper.state(id);
        let components = (Position(state.position), Velocity(state.velocity), Spin(state.spin));
        match self.ecs.query_one_mut::<(&mut Position, &mut Velocity, &mut Spin)>(entity) {
            Ok(found) => (*found.0, *found.1, *found.2) = components,
            // A user may have removed a component, or despawned the entity; the body goes on without it.
            Err(_) => drop(self.ecs.insert(entity, components)),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::dynamics::{Body, Settings, State};
    use crate::random::Random;

    #[test]
    fn entities_follow_the_state_when_a_step_ends() {
        let settings = Settings { gravity: DVec3::NEG_Z, ..Settings::default() };
        let ball = Body::sphere(1.0, 1.0).unwrap().at(DVec3::Y).moving(DVec3::X).spinning(DVec3::Z * 7.0);
        let mut world = World::new(settings, [("ball", ball)]).unwrap();
        let entity = world.entity(BodyId(0));
        let components = |world: &World| {
            let mut query = world.ecs().query_one::<(&Position, &Velocity, &Spin)>(entity);
            let (position, velocity, spin) = query.get().unwrap();
            (position.0, velocity.0, spin.0)
        };
        assert_eq!(components(&world), (DVec3::Y, DVec3::X, DVec3::Z * 7.0));
        world.step(2.0).unwrap();
        let (position, velocity) = (DVec3::new(2.0, 1.0, -2.0), DVec3::new(1.0, 0.0, -2.0));
        assert_eq!(components(&world), (position, velocity, DVec3::Z * 7.0));
        world.ecs_mut().insert_one(entity, Spin(DVec3::X)).unwrap();
        world.step(0.0).unwrap();
        assert_eq!(components(&world).2, DVec3::Z * 7.0, "what is written into a component does not count");
    }

    /// Bodies that fly, fall, land, slide, sleep, are kicked, come, go and come again with a snapshot.
    #[test]
    fn entities_have_the_state_of_their_bodies_whatever_happens() {
        let settings = Settings { gravity: DVec3::NEG_Z * 9.81, ..Settings::default() };
        let mut random = Random::from_state(9);
        let floor = Body::plane(DVec3::Z, 0.0).unwrap();
        let lift = Body::plane(DVec3::X, -20.0).unwrap().kinematic();
        let ball = |x: f64, z: f64| Body::sphere(0.2, 1.0).unwrap().at(DVec3::new(x, 0.0, z));
        let mut bodies = vec![("floor".to_owned(), floor), ("lift".to_owned(), lift)];
        bodies.extend((0..12).map(|n| (format!("ball/{n}"), ball(f64::from(n), 0.2 + 0.1 * f64::from(n % 4)))));
        let mut world = World::new(settings, bodies).unwrap();
        let mut kept = world.snapshot();
        let mut still = 0;
        for round in 0..400 {
            let ids: Vec<BodyId> = world.ids().filter(|&id| world.name(id).contains('/')).collect();
            let one = ids[random.below(ids.len())];
            match random.below(24) {
                0 => world.kick(one, DVec3::new(0.0, random.unit(), random.unit())).unwrap(),
                1 => world.set_velocity(world.id("lift").unwrap(), DVec3::X * (random.unit() - 0.5)).unwrap(),
                2 if ids.len() > 4 => world.despawn(one).unwrap(),
                3 => _ = world.spawn(format!("new/{round}"), &ball(-2.0, 1.0 + f64::from(round))).unwrap(),
                4 => kept = world.snapshot(),
                5 if world.restore(&kept).is_err() => unreachable!("it is a snapshot of this world"),
                _ => {}
            }
            world.step(0.05).unwrap();
            still += world.ids().count() - world.moving.len();
            for id in world.ids() {
                let found = world
                    .ecs()
                    .query_one::<(&Position, &Velocity, &Spin)>(world.entity(id))
                    .get()
                    .map(|it| (it.0.0, it.1.0, it.2.0));
                let State { position, velocity, spin } = world.state(id);
                assert_eq!(found, Ok((position, velocity, spin)), "{} in round {round}", world.name(id));
            }
        }
        assert!(still > 900, "{still} states were not written again");
    }
}
