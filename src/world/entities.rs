//! The bodies of a world as entities of an ECS.

use glam::DVec3;
use hecs::Entity;

use super::World;
use crate::dynamics::{BodyId, State};

/// The name of a body, as a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(pub String);

/// The position of a body, m, as a component; in a periodic space within the cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position(pub DVec3);

/// The velocity of a body, m/s, as a component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Velocity(pub DVec3);

/// The angular velocity of a body, rad/s, as a component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spin(pub DVec3);

/// The entities of the bodies of one world, in a hecs world of the user's own. Each has the components [`BodyId`],
/// [`Name`], [`Position`], [`Velocity`] and [`Spin`], and any others that the user adds.
///
/// ```
/// use carom::ecs::{Entities, Name, Position};
/// use carom::glam::DVec3;
/// use carom::{Body, Settings, World};
///
/// struct Colour(&'static str);
///
/// let ball = Body::sphere(0.5, 1.0).unwrap().moving(DVec3::X);
/// let mut world = World::new(Settings::default(), [("ball", ball)]).unwrap();
/// let mut ecs = carom::hecs::World::new();
/// let mut entities = Entities::default();
/// entities.update(&world, &mut ecs);
/// ecs.insert_one(entities.of(world.id("ball").unwrap()).unwrap(), Colour("red")).unwrap();
///
/// world.step(2.0).unwrap();
/// entities.update(&world, &mut ecs);
/// let mut found = ecs.query::<(&Name, &Position, &Colour)>();
/// let (name, position, colour) = found.iter().next().unwrap();
/// assert_eq!((name.0.as_str(), position.0, colour.0), ("ball", DVec3::X * 2.0, "red"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Entities {
    /// The bodies that have one, by id.
    rows: Vec<Row>,
}

#[derive(Debug, Clone)]
struct Row {
    id: BodyId,
    name: String,
    entity: Entity,
    /// Where the body was at rest when its components were written.
    at_rest: Option<DVec3>,
}

impl Entities {
    /// The entity of a body, if it has one.
    pub fn of(&self, id: BodyId) -> Option<Entity> {
        self.rows.binary_search_by_key(&id, |row| row.id).ok().map(|place| self.rows[place].entity)
    }

    /// Brings the entities to the present of `world`: bodies that came get one, those of removed bodies are despawned,
    /// and all that moved get their state. A body that is there before and after [`World::restore`], by id and name,
    /// keeps its entity with all components.
    ///
    /// What a user writes into these components does not reach the body, and is overwritten when the body moves. An
    /// entity that a user has despawned is not made again.
    pub fn update(&mut self, world: &World, ecs: &mut hecs::World) {
        self.rows.retain(|row| {
            let stays = world.is_present(row.id) && world.name(row.id) == row.name;
            if !stays {
                // A user may have despawned it already.
                let _ = ecs.despawn(row.entity);
            }
            stays
        });
        for (place, id) in world.ids().enumerate() {
            if self.rows.get(place).is_none_or(|row| row.id != id) {
                let name = world.name(id).to_owned();
                let entity = ecs.spawn((id, Name(name.clone())));
                self.rows.insert(place, Row { id, name, entity, at_rest: None });
            }
            self.rows[place].write(world, ecs);
        }
    }
}

impl Row {
    /// Writes the state of its body, if that is not what it has.
    fn write(&mut self, world: &World, ecs: &mut hecs::World) {
        let State { position, velocity, spin } = world.state(self.id);
        let at_rest = ([velocity, spin] == [DVec3::ZERO; 2]).then_some(position);
        if at_rest.is_some() && at_rest == self.at_rest {
            return;
        }
        self.at_rest = at_rest;
        let components = (Position(position), Velocity(velocity), Spin(spin));
        match ecs.query_one_mut::<(&mut Position, &mut Velocity, &mut Spin)>(self.entity) {
            Ok(found) => (*found.0, *found.1, *found.2) = components,
            // The entity is new, or a user has removed a component or the entity.
            Err(_) => drop(ecs.insert(self.entity, components)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Body, Settings};
    use crate::random::Random;

    /// What the entity of a body has.
    fn state(entities: &Entities, ecs: &hecs::World, id: BodyId) -> State {
        let mut query = ecs.query_one::<(&Position, &Velocity, &Spin)>(entities.of(id).unwrap());
        let (position, velocity, spin) = query.get().unwrap();
        State { position: position.0, velocity: velocity.0, spin: spin.0 }
    }

    #[test]
    fn what_a_user_writes_into_a_component_does_not_reach_the_body() {
        let ball = Body::sphere(1.0, 1.0).unwrap().at(DVec3::Y).moving(DVec3::X).spinning(DVec3::Z * 7.0);
        let mut world = World::new(Settings::default(), [("ball", ball)]).unwrap();
        let (mut entities, mut ecs) = (Entities::default(), hecs::World::new());
        entities.update(&world, &mut ecs);
        let entity = entities.of(BodyId(0)).unwrap();
        ecs.insert_one(entity, Spin(DVec3::X)).unwrap();
        ecs.remove_one::<Velocity>(entity).unwrap();
        world.step(0.0).unwrap();
        entities.update(&world, &mut ecs);
        assert_eq!(state(&entities, &ecs, BodyId(0)), world.state(BodyId(0)));
        ecs.despawn(entity).unwrap();
        entities.update(&world, &mut ecs);
        assert_eq!((entities.of(BodyId(0)), ecs.len()), (Some(entity), 0));
    }

    /// Bodies that fly, fall, land, slide, sleep, are kicked, come, go and come again with a snapshot.
    #[test]
    fn they_have_the_state_of_their_bodies_whatever_happens() {
        let settings = Settings { gravity: DVec3::NEG_Z * 9.81, ..Settings::default() };
        let mut random = Random::from_state(9);
        let floor = Body::plane(DVec3::Z, 0.0).unwrap();
        let lift = Body::plane(DVec3::X, -20.0).unwrap().kinematic();
        let ball = |x: f64, z: f64| Body::sphere(0.2, 1.0).unwrap().at(DVec3::new(x, 0.0, z));
        let mut bodies = vec![("floor".to_owned(), floor), ("lift".to_owned(), lift)];
        bodies.extend((0..12).map(|n| (format!("ball/{n}"), ball(f64::from(n), 0.2 + 0.1 * f64::from(n % 4)))));
        let mut world = World::new(settings, bodies).unwrap();
        let (mut entities, mut ecs) = (Entities::default(), hecs::World::new());
        let (mut kept, mut resting) = (world.snapshot(), 0);
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
            let before = entities.rows.clone();
            entities.update(&world, &mut ecs);
            assert_eq!(ecs.len() as usize, world.count(), "round {round}");
            for id in world.ids() {
                assert_eq!(state(&entities, &ecs, id), world.state(id), "{} in round {round}", world.name(id));
            }
            let is_there = |row: &Row| world.is_present(row.id) && world.name(row.id) == row.name;
            let kept = |row: &Row| (entities.of(row.id) == Some(row.entity)) == is_there(row);
            assert!(before.iter().all(kept), "round {round}");
            assert!(entities.rows.iter().all(|row| *ecs.get::<&Name>(row.entity).unwrap().0 == row.name));
            resting += entities.rows.iter().filter(|row| row.at_rest.is_some()).count();
        }
        assert!(resting > 900, "{resting} states of bodies at rest");
    }
}
