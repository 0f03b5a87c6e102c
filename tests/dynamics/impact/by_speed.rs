//! Restitution by the approach speed: the laws to all digits, and what bounces by them.

use std::sync::Arc;

use carom::dynamics::{Body, Event, EventKind, Material, MaterialId, Materials, Restitution, Settings};
use carom::geometry::Mesh;
use carom::record::{sealed, unsealed};
use glam::DVec3;

use crate::common::scene::{Run, STUFF, View, assert_near, ball, cube, of_kind, plane, settings};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

const GRAVITY: f64 = 10.0;

fn falling() -> Restitution {
    Restitution::by_speed([(0.1, 0.95), (1.0, 0.9), (3.0, 0.8), (10.0, 0.5)]).unwrap()
}

fn rising() -> Restitution {
    Restitution::by_speed([(0.5, 0.25), (4.0, 0.75)]).unwrap()
}

/// Settings in which the bodies of the module `scene` have this restitution.
fn with(gravity: DVec3, restitution: &Restitution) -> Settings {
    let mut materials = Materials::default();
    assert_eq!(materials.add(restitution.clone()), STUFF);
    Settings { materials, ..settings(gravity, 1.0, 0.0) }
}

/// Every kind of law, and some numbers.
fn laws() -> Vec<Restitution> {
    let viscoelastic = [0.01, 0.25].map(|c| Restitution::viscoelastic(c).unwrap());
    let powers =
        [(0.1, 0.25, 0.9), (2.0, 1.75, 0.5)].map(|(v0, exponent, max)| Restitution::power(v0, exponent, max).unwrap());
    let numbers = [0.0, 0.7, 1.0].map(|e| Restitution::new(e).unwrap());
    [falling(), rising()].into_iter().chain(viscoelastic).chain(powers).chain(numbers).collect()
}

/// The values are computed with 50 digits from the binary numbers that the decimals stand for.
#[test]
fn laws_have_the_values_of_their_formulas() {
    let viscoelastic = [
        (0.1, 1e-9, 0.998_415_106_807_538_9),
        (0.1, 0.003, 0.968_708_653_554_681),
        (0.25, 1.0, 0.75),
        (0.25, 7.5, 0.625_930_532_565_288_8),
        (0.25, 900.0, 0.025_485_039_770_952_713),
        (0.01, 1e6, 0.841_510_680_753_888_6),
        (0.25, 1024.0, 0.0),
        (0.25, 1e9, 0.0),
        (0.25, 0.0, 1.0),
    ];
    for (c, speed, wanted) in viscoelastic {
        let found = Restitution::viscoelastic(c).unwrap().at(speed);
        assert!((found - wanted).abs() <= 2.0 * f64::EPSILON, "c {c}, {speed} m/s: {found} in place of {wanted}");
    }
    let powers = [
        (0.1, 0.25, 0.9, 0.0, 0.9),
        (0.1, 0.25, 0.9, 0.05, 0.9),
        (0.1, 0.25, 0.9, 0.1, 0.9),
        (0.1, 0.25, 0.9, 0.3, 0.683_852_117_086_433_3),
        (0.1, 0.25, 1.0, 40.0, 0.223_606_797_749_978_97),
        (2.0, 1.75, 0.5, 2.5, 0.338_358_804_300_980_5),
        (1e-3, 3.0, 1.0, 0.9, 1.371_742_112_482_853_2e-9),
    ];
    for (v0, exponent, max, speed, wanted) in powers {
        let found = Restitution::power(v0, exponent, max).unwrap().at(speed);
        // The bound of a power whose logarithm is not above 21.
        assert!((found - wanted).abs() <= 44.0 * f64::EPSILON * wanted, "{exponent}, {speed} m/s: {found}, {wanted}");
    }
    let table =
        [(0.0, 0.95), (0.1, 0.95), (0.55, 0.925), (1.0, 0.9), (2.0, 0.85), (6.5, 0.65), (10.0, 0.5), (1e9, 0.5)];
    for (speed, wanted) in table {
        assert!((falling().at(speed) - wanted).abs() <= f64::EPSILON, "{speed} m/s: {}", falling().at(speed));
    }
}

#[test]
fn laws_never_leave_their_range_and_never_turn() {
    for law in laws() {
        let speeds: Vec<f64> = (0..4000).map(|row| f64::from(row) * f64::from(row) * 1e-5).collect();
        let found: Vec<f64> = speeds.iter().map(|&speed| law.at(speed)).collect();
        assert!(found.iter().all(|e| (0.0..=1.0).contains(e)), "{law:?}");
        // A power may turn within its rounding.
        let (ups, downs): (Vec<f64>, Vec<f64>) =
            found.windows(2).map(|two| two[1] - two[0]).partition(|&change| change > 0.0);
        let size = |changes: &[f64]| changes.iter().fold(0.0_f64, |size, change| size.max(change.abs()));
        assert!(size(&ups).min(size(&downs)) <= 4.0 * f64::EPSILON, "{law:?}");
    }
}

#[test]
fn a_law_that_is_one_number_is_that_number() {
    let one = [
        (Restitution::by_speed([(0.0, 0.5), (2.0, 0.5)]).unwrap(), 0.5),
        (Restitution::viscoelastic(0.0).unwrap(), 1.0),
        (Restitution::power(1.0, 0.0, 0.25).unwrap(), 0.25),
    ];
    for (law, e) in one {
        assert_eq!((law.constant(), &law), (Some(e), &Restitution::new(e).unwrap()));
    }
    assert_eq!(falling().constant(), None);
}

#[test]
fn wrong_laws_are_refused() {
    type Knots<'a> = &'a [(f64, f64)];
    let tables: [(Knots<'_>, usize, usize); 10] = [
        (&[], 0, 0),
        (&[(-1.0, 0.5)], 0, 0),
        (&[(0.0, 0.5), (f64::NAN, 0.5)], 1, 0),
        (&[(0.0, 0.5), (f64::INFINITY, 0.5)], 1, 0),
        (&[(1.0, 0.5), (1.0, 0.4)], 1, 0),
        (&[(1.0, 0.5), (2.0, 0.4), (1.5, 0.3)], 2, 0),
        (&[(1.0, 1.5)], 0, 1),
        (&[(1.0, 0.5), (2.0, f64::NAN)], 1, 1),
        (&[(1.0, 0.5), (2.0, 0.4), (3.0, 0.6)], 2, 1),
        (&[(1.0, 0.5), (2.0, 0.5), (3.0, 0.6), (4.0, 0.5)], 3, 1),
    ];
    for (knots, knot, part) in tables {
        let bad = Restitution::by_speed(knots.iter().copied()).unwrap_err();
        assert_eq!((bad.knot, bad.part), (knot, part), "{knots:?}: {bad}");
    }
    for c in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(Restitution::viscoelastic(c).is_err(), "{c}");
    }
    for (v0, exponent, max, wrong) in [(0.0, 1.0, 1.0, "v0"), (1.0, -1.0, 1.0, "exponent"), (1.0, 1.0, 1.5, "max")] {
        assert_eq!(Restitution::power(v0, exponent, max).unwrap_err().quantity, wrong);
    }
}

/// The times and the approach speeds of a ball that falls on a floor at `speed` at the time 0.
fn bounces(law: impl Fn(f64) -> f64, speed: f64, count: usize) -> Vec<(f64, f64)> {
    let (mut time, mut speed) = (0.0, speed);
    let mut next = || {
        let now = (time, speed);
        speed *= law(speed);
        time += 2.0 * speed / GRAVITY;
        now
    };
    (0..count).map(|_| next()).collect()
}

/// The impacts of a body that was let go 5 m above the floor, 1 s before the first of them.
fn drop(body: Body, floor: Body, law: &Restitution, view: View, steps: &[f64]) -> Vec<Event> {
    let mut run = Run::seen(view, &with(Z * -GRAVITY, law), &[body.at(Z * 5.5), floor]);
    let mut events = Vec::new();
    let mut time = 0.0;
    for step in steps.iter().cycle() {
        time += step;
        events.extend(run.until(time.min(4.0)));
        if time >= 4.0 {
            break;
        }
    }
    run.check_books(1e-13, "a drop");
    of_kind(&events, EventKind::Impact)
}

/// The table once more, as a formula.
fn table_of(speed: f64) -> f64 {
    match speed {
        _ if speed < 1.0 => 0.95 - 0.05 * (speed - 0.1).max(0.0) / 0.9,
        _ if speed < 3.0 => 0.9 - 0.05 * (speed - 1.0),
        _ => 0.8 - 0.3 * (speed.min(10.0) - 3.0) / 7.0,
    }
}

#[test]
fn a_ball_bounces_by_the_recursion_of_its_law() {
    let viscoelastic = |speed: f64| 1.0 - 0.25 * speed.powf(0.2);
    let power = |speed: f64| 0.9 * (0.1 / speed).powf(0.25).min(1.0);
    let rows: [(Restitution, &dyn Fn(f64) -> f64); 3] = [
        (falling(), &table_of),
        (Restitution::viscoelastic(0.25).unwrap(), &viscoelastic),
        (Restitution::power(0.1, 0.25, 0.9).unwrap(), &power),
    ];
    for ((law, formula), view) in rows.iter().flat_map(|row| View::some().into_iter().map(move |view| (row, view))) {
        let impacts = drop(ball(0.5, 1.3), plane(Z, 0.0), law, view, &[4.0]);
        let count = impacts.len().min(12);
        assert!(count >= 4, "{law:?}: {count}");
        for (event, (time, speed)) in impacts.iter().zip(bounces(formula, 10.0, count)) {
            assert!((event.time.seconds() - (1.0 + time)).abs() <= 1e-14, "{law:?}: {event:?} for {}", 1.0 + time);
            assert!((event.approach_speed - speed).abs() <= 1e-14 * 10.0, "{law:?}: {event:?} for {speed}");
        }
    }
}

#[test]
fn boxes_and_meshes_bounce_by_it_and_steps_change_no_bit() {
    let corners = [X * 9.0, Y * 9.0, (X + Y) * -9.0];
    let mesh = || Body::mesh(Arc::new(Mesh::new(&corners, &[[0, 1, 2]]).unwrap())).made_of(STUFF);
    for (round, body) in [true, false].map(|round| (round, if round { ball(0.5, 1.0) } else { cube(0.5, 1.0) })) {
        for floor in [plane(Z, 0.0), cube(1.0, 1.0).at(-Z).fixed(), mesh()] {
            let run = |steps: &[f64]| drop(body.clone(), floor.clone(), &falling(), View::PLAIN, steps);
            let impacts = run(&[4.0]);
            for (event, (time, speed)) in impacts.iter().zip(bounces(table_of, 10.0, 4)) {
                let off = (event.time.seconds() - 1.0 - time).abs().max((event.approach_speed - speed).abs());
                assert!(off <= 1e-12, "{round}, {:?}: {event:?}", floor.shape);
            }
            assert!(impacts.len() >= 4);
            assert_eq!(run(&[1.0 / 240.0]), impacts, "{round}, {:?}", floor.shape);
            assert_eq!(run(&[0.37, 0.011]), impacts, "{round}, {:?}", floor.shape);
        }
    }
}

#[test]
fn each_of_several_impacts_at_one_instant_has_its_own_speed() {
    let law = falling();
    for body in [ball(0.5, 2.0), cube(0.5, 2.0)] {
        let bodies = [body.moving(-X * 6.0 - Y * 2.0), plane(X, -3.5), plane(Y, -1.5)];
        let mut run = Run::new(&with(DVec3::ZERO, &law), &bodies);
        let impacts = of_kind(&run.until(1.0), EventKind::Impact);
        assert_eq!(impacts.len(), 2, "{impacts:?}");
        assert_eq!(impacts[0].group, impacts[1].group);
        assert_near(run.velocity(0), X * 6.0 * law.at(6.0) + Y * 2.0 * law.at(2.0), 1e-14, "a corner");
    }
}

#[test]
fn a_pair_has_the_smaller_of_two_laws_or_its_own() {
    let mut materials = Materials::default();
    let [soft, hard, flat] =
        [falling(), rising(), Restitution::new(0.6).unwrap()].map(|restitution| materials.add(restitution));
    let speeds = (0..200).map(|row| 0.07 * f64::from(row));
    for speed in speeds.clone() {
        let wanted = [
            (soft, hard, falling().at(speed).min(rising().at(speed))),
            (flat, soft, falling().at(speed).min(0.6)),
            (hard, flat, rising().at(speed).min(0.6)),
            (hard, MaterialId::default(), rising().at(speed)),
        ];
        for (a, b, e) in wanted {
            assert_eq!((materials.restitution(a, b).at(speed), materials.restitution(b, a).at(speed)), (e, e));
        }
    }
    materials.set_pair(hard, soft, falling());
    assert!(speeds.clone().all(|speed| materials.restitution(soft, hard).at(speed) == falling().at(speed)));
    materials.set_pair(hard, soft, Restitution::new(0.3).unwrap());
    assert_eq!(materials.restitution(soft, hard).constant(), Some(0.3));
    // The law counts where the two really meet: slowly, the rising one; fast, the falling one.
    for speed in [0.6, 9.0] {
        let mut materials = Materials::default();
        let [soft, hard] = [falling(), rising()].map(|restitution| materials.add(restitution));
        let settings = Settings { materials, ..Settings::default() };
        let balls = [ball(0.5, 1.0).made_of(soft).moving(X * speed), ball(0.5, 1.0).made_of(hard).at(X * 2.0)];
        let mut run = Run::new(&settings, &balls);
        run.until(4.0 / speed);
        let e = falling().at(speed).min(rising().at(speed));
        assert_near(run.velocity(1), X * (0.5 * (1.0 + e) * speed), 1e-14, "two laws");
    }
}

/// In a format without names a number takes the eight bytes of a number.
#[test]
fn laws_are_saved_and_read_and_numbers_as_before() {
    for law in laws() {
        let material = Material { ..law.clone().into() };
        let text = serde_json::to_string(&material).unwrap();
        assert_eq!(serde_json::from_str::<Material>(&text).unwrap(), material, "{text}");
        let text_ron = ron::to_string(&material).unwrap();
        assert_eq!(ron::from_str::<Material>(&text_ron).unwrap(), material, "{text_ron}");
        let bytes = sealed(&(&material, 7_u8));
        assert_eq!(unsealed::<(Material, u8)>(&bytes).unwrap(), (material, 7), "{law:?}");
        if let Some(e) = law.constant() {
            assert_eq!((sealed(&law), text.contains(&format!("\"restitution\":{e:?}"))), (sealed(&e), true));
        }
    }
    let texts = [
        "{\"by_speed\":[[1.0,0.5],[0.5,0.4]]}",
        "{\"viscoelastic\":-1.0}",
        "{\"power\":[0.0,1.0,1.0]}",
        "{\"bouncy\":1.0}",
        "{}",
        "1.5",
        "\"x\"",
    ];
    for text in texts {
        assert!(serde_json::from_str::<Restitution>(text).is_err(), "{text}");
    }
    for wrong in [-1.0, -4.0, 1.5] {
        assert!(unsealed::<Restitution>(&sealed(&wrong)).is_err(), "{wrong}");
    }
}
