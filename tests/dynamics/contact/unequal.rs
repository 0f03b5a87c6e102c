//! Bodies of very unequal masses, and bodies that friction wedges: no force may add energy, and nothing gets deeper.

use carom::dynamics::{Body, Settings};
use glam::DVec3;

use crate::common::scene::{Run, View, cuboid, plane, scene_files, scene_of, settings};
use crate::common::{Random, is_thorough};

const Z: DVec3 = DVec3::Z;
const G: f64 = 10.0;

/// A stack of boxes on a floor. One of them slides, or gravity is tilted.
fn stack(random: &mut Random, ratio: f64) -> (Settings, Vec<Body>) {
    let tilt = if random.below(2) == 0 { random.vector(0.3) } else { DVec3::ZERO };
    let gravity = DVec3::new(tilt.x, tilt.y, -1.0) * G;
    let friction = random.between(0.2, 1.0);
    let count = 2 + random.below(3);
    let sliding = random.below(count);
    let boxes = (0..count).map(|place| {
        let mass = if random.below(2) == 0 { 1.0 } else { ratio };
        let velocity = if place == sliding { DVec3::new(random.between(-1.0, 1.0), 0.5, 0.0) } else { DVec3::ZERO };
        cuboid(DVec3::new(2.0, 2.0, 0.5), mass).at(Z * (0.5 + place as f64)).moving(velocity)
    });
    let bodies = boxes.chain([plane(Z, 0.0)]).collect();
    (settings(gravity, 0.0, friction), bodies)
}

#[test]
fn a_stack_of_very_unequal_masses_gains_no_energy() {
    let mut random = Random::new(71);
    for round in 0..if is_thorough() { 2000 } else { 150 } {
        let ratio = [1e3, 1e5, 2e5, 1e6][round % 4];
        let (settings, bodies) = stack(&mut random, ratio);
        let context = format!("round {round}, {ratio}");
        let mut run = Run::seen(View::PLAIN, &settings, &bodies);
        let (mut energy, mut heat) = (run.energy(), 0.0);
        let size = energy.abs();
        for look in 1..=40 {
            run.until(0.02 * f64::from(look));
            let (now, contact_heat) = (run.energy(), run.stepper.audit().contact_heat);
            assert!(now <= energy + 1e-12 * size, "{context}: {now} J after {energy} J at look {look}");
            assert!(
                contact_heat >= heat - 1e-12 * size,
                "{context}: {contact_heat} J of heat after {heat} J at look {look}"
            );
            (energy, heat) = (now, contact_heat);
        }
        run.check_books(1e-12, &context);
    }
}

/// A heavy box rests on a light one that slides on a floor: friction on both its faces stops it at once.
#[test]
fn a_light_box_under_a_heavy_one_stops() {
    for view in View::some() {
        for (heavy, light) in [(1e6, 1.0), (1e7, 1e-2)] {
            let bodies = [
                cuboid(DVec3::splat(0.5), light).at(Z * 0.5).moving(DVec3::X),
                cuboid(DVec3::splat(0.5), heavy).at(Z * 1.5),
                plane(Z, 0.0),
            ];
            let mut run = Run::seen(view, &settings(Z * -G, 0.0, 0.5), &bodies);
            run.until(1.0);
            assert_eq!([run.velocity(0), run.velocity(1)], [DVec3::ZERO; 2], "{view:?}");
            let way = run.position(0).x;
            // It is slowed down by µ g (1 + 2 M/m), until it is as fast as the heavy one.
            let wanted = 0.5 / (0.5 * G * (1.0 + 2.0 * heavy / light));
            assert!((way - wanted).abs() <= 2.0 * light / heavy * wanted, "{view:?}: {way} for {wanted}");
        }
    }
}

#[test]
fn a_wedged_ball_gets_no_deeper() {
    let files = scene_files("wedge");
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        let (title, settings, bodies) = scene_of(&file);
        for view in View::some() {
            let mut run = Run::seen(view, &settings, &bodies);
            let mut energy = run.energy();
            for look in 1..=250 {
                run.until(0.01 * f64::from(look));
                let context = format!("{title}, {view:?}, look {look}");
                assert!(run.overlap() <= 1e-9, "{context}: {}", run.overlap());
                let now = run.energy();
                assert!(now <= energy + 1e-9 * energy.abs().max(1.0), "{context}: {now} J after {energy} J");
                energy = now;
            }
            run.check_books(1e-9, &title);
        }
    }
}
