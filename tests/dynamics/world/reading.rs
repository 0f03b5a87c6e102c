//! A world is read between steps, and refuses what it cannot do.

use carom::dynamics::{Body, BodyId, Settings};
use carom::motion::SimTime;
use carom::world::{RunError, SetupError, World};
use glam::DVec3;

#[test]
fn a_contact_is_told_while_it_lasts() {
    let settings = Settings { gravity: DVec3::NEG_Z, ..Settings::default() };
    let ball = Body::sphere(1.0, 1.0).unwrap().at(DVec3::Z);
    let bodies = [("ball", ball), ("floor", Body::plane(DVec3::Z, 0.0).unwrap())];
    let mut world = World::new(settings, bodies).unwrap();
    world.step(1.0).unwrap();
    let told: Vec<_> = world.contacts_of(BodyId(1)).iter().map(|told| (told.a, told.b, told.force)).collect();
    assert_eq!(told, [(BodyId(0), BodyId(1), DVec3::NEG_Z)]);
    assert_eq!(world.contacts_of(BodyId(0)), world.contacts());
    world.despawn(BodyId(1)).unwrap();
    assert_eq!(world.contacts(), []);
}

#[test]
fn a_step_of_no_duration_is_refused_and_changes_nothing() {
    let ball = Body::sphere(1.0, 1.0).unwrap().moving(DVec3::X);
    let mut world = World::new(Settings::default(), [("ball", ball)]).unwrap();
    for seconds in [-1.0, f64::NAN, f64::INFINITY, 1e13] {
        let error = world.step(seconds).unwrap_err();
        assert!(matches!(error, RunError::Duration { .. }), "{error}");
        assert_eq!(world.now(), SimTime::ZERO);
    }
    world.step(0.0).unwrap();
    world.step(2.0).unwrap();
    assert_eq!(world.position(BodyId(0)), DVec3::X * 2.0);
}

#[test]
fn a_spin_must_be_a_number() {
    let ball = Body::sphere(1.0, 1.0).unwrap().spinning(DVec3::Y * f64::NAN);
    let error = World::new(Settings::default(), [("ball", ball)]).err();
    assert_eq!(error, Some(SetupError::NotFinite { body: "ball".to_owned() }));
}
