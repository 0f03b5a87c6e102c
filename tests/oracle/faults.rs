//! A trajectory with a known fault fails exactly the metrics for that fault.

use carom::glam::DVec3;
use carom::oracle::Metric::{self, *};
use carom::record::foreign::{ForeignRow, ForeignTable};

use super::{guilty, judged, scenario, stepped};

/// Changes a row. The arguments are the row, its time (s) and the name of its body.
type Fault = fn(&mut ForeignRow, f64, &str);

/// The scene, the fault in words, the metrics that must detect it, and the fault itself.
type Case = (&'static str, &'static str, &'static [Metric], Fault);

/// Uniform straight motion from the start, through any obstacle.
fn straight(row: &mut ForeignRow, time: f64, place: DVec3, velocity: DVec3) {
    (row.position, row.velocity) = (place + velocity * time, velocity);
}

/// `bounce_oblique` with its impact at `at` seconds in place of 0.5 s, and a restitution of `e` in place of 0.6.
fn slanted(row: &mut ForeignRow, time: f64, at: f64, e: f64) {
    let up = if time <= at { 1.6 - 3.0 * time } else { 1.6 - 3.0 * at + 3.0 * e * (time - at) };
    row.position.z = up;
    row.velocity.z = if time < at { -3.0 } else { 3.0 * e };
}

const CASES: &[Case] = &[
    (
        "pair_head_on",
        "an impact is lost",
        &[FirstImpactMissed, PassedThrough, Overlap, PathError],
        |row, time, body| {
            let (x, v) = if body == "a" { (-1.0, 3.0) } else { (0.5, -1.0) };
            straight(row, time, DVec3::X * x, DVec3::X * v);
        },
    ),
    ("bullet_1mm", "a wall is tunnelled", &[FirstImpactMissed, PassedThrough, PathError], |row, time, _| {
        straight(row, time, DVec3::X * -1.7, DVec3::X * 300.0);
    }),
    (
        "bullet_head_on",
        "bullets pass through each other",
        &[FirstImpactMissed, PassedThrough, PathError],
        |row, time, body| {
            let side = if body == "a" { -1.0 } else { 1.0 };
            straight(row, time, DVec3::X * 7.0 * side, DVec3::X * -300.0 * side);
        },
    ),
    ("bounce_oblique", "an impact is late", &[FirstImpactTime, TimeLost, PathError], |row, time, _| {
        slanted(row, time, 0.503, 0.6);
    }),
    ("bounce_oblique", "an impact is early", &[FirstImpactTime, TimeLost, PathError], |row, time, _| {
        slanted(row, time, 0.497, 0.6);
    }),
    (
        "bounce_oblique",
        "the restitution is off by 0.01",
        &[TimeLost, EnergyGained, Restitution, PathError],
        |row, time, _| {
            slanted(row, time, 0.5, 0.61);
        },
    ),
    ("bounce_elastic", "1 % of energy is gained", &[EnergyGained], |row, time, _| {
        row.velocity *= if time > 5.0 { 1.01_f64.sqrt() } else { 1.0 };
    }),
    ("bounce_elastic", "1 % of energy is lost", &[EnergyLost], |row, time, _| {
        row.velocity *= if time > 5.0 { 0.99_f64.sqrt() } else { 1.0 };
    }),
    ("bounce_elastic", "the place drifts", &[PathError], |row, time, _| row.position.x += 0.002 * time),
    ("flight_straight", "a body is frozen", &[EnergyLost, Momentum, PathError], |row, time, body| {
        if body == "box" && time > 5.0 {
            (row.position, row.velocity) = (DVec3::new(-7.5, 0.0, 3.25), DVec3::ZERO);
        }
    }),
    ("flight_straight", "time goes by a hundredth too slowly", &[TimeLost, PathError], |row, time, _| {
        row.position -= 0.01 * time * row.velocity;
    }),
    ("flight_parabola", "gravity is 2 % stronger", &[TimeLost, EnergyLost, Momentum, PathError], |row, time, _| {
        row.position.z -= 0.5 * 0.02 * 9.81 * time * time;
        row.velocity.z -= 0.02 * 9.81 * time;
    }),
    ("pair_head_on", "momentum comes from nowhere", &[Momentum], |row, time, body| {
        row.velocity.x += if body == "b" && time > 0.5 { 0.006 } else { 0.0 };
    }),
    ("pair_head_on", "bodies overlap for an instant", &[Overlap, PathError], |row, time, body| {
        row.position.x += if body == "a" && (time - 0.34).abs() < 1e-9 { 0.08 } else { 0.0 };
    }),
    ("friction_stick", "a body creeps", &[Creep], |row, time, _| row.position.x += 2e-4 * time),
    ("friction_slide", "a body rests elsewhere", &[RestPlace, PathError], |row, time, _| {
        row.position.y += if time > 0.7 { 0.002 } else { 0.0 };
    }),
    ("friction_slide", "a body comes to rest late", &[RestTime], |row, time, _| {
        row.velocity.x = row.velocity.x.max(if time < 1.2 { 0.002 } else { 0.0 });
    }),
    ("stack_two", "a stack sinks in", &[Overlap, EnergyLost, RestPlace, PathError], |row, _, body| {
        row.position.z -= if body == "box 2" { 0.002 } else { 0.0 };
    }),
    ("stack_100", "the topmost box sinks in", &[Overlap, EnergyLost, RestPlace, PathError], |row, _, body| {
        row.position.z -= if body == "box/99" { 0.002 } else { 0.0 };
    }),
    ("seam_ball", "a ball hops at a seam", &[EnergyGained, PathError], |row, time, _| {
        let since = time - 1.0;
        if (0.0..0.2).contains(&since) {
            row.position.z += 0.5 * 9.81 * since * (0.2 - since);
            row.velocity.z = 0.5 * 9.81 * (0.2 - 2.0 * since);
        }
    }),
    ("seam_box", "a box stops at a seam", &[EnergyLost, RestPlace, RestTime, PathError], |row, time, _| {
        if time > 0.5 {
            (row.position.x, row.velocity.x) = (1.5, 0.0);
        }
    }),
    (
        "gap_jump",
        "the normal at an edge is that of the face",
        &[PassedThrough, Overlap, EnergyGained, PathError],
        |row, time, _| {
            let since = time - 0.3;
            if since > 0.0 {
                row.position = DVec3::new(3.0 * since, 0.0, 0.2 + 0.5 * since - 5.0 * since * since);
                row.velocity = DVec3::new(3.0, 0.0, 0.5 - 10.0 * since);
            }
        },
    ),
    ("edge_slide", "a ball leaves an edge at once", &[TimeLost, Overlap, PathError], |row, time, _| {
        let since = (time - 0.5).max(0.0);
        row.position = DVec3::new(time - 0.5, 0.0, 0.25 - 5.0 * since * since);
        row.velocity = DVec3::new(1.0, 0.0, -10.0 * since);
    }),
    ("spin_throw", "friction throws no ball", &[TimeLost, PathError], |row, _, body| {
        (row.position.z, row.velocity.z) = (if body.starts_with("slides") { 1.0 } else { -1.0 }, 0.0);
    }),
    ("belt_box", "a box has the speed of its belt at once", &[TimeLost, EnergyGained, PathError], |row, time, _| {
        (row.position.x, row.velocity.x) = (1.5 * time, 1.5);
    }),
    (
        "copies_grid",
        "one of the copies has a higher restitution",
        &[TimeLost, EnergyGained, PathError],
        |row, time, body| {
            let since = time - 1.0;
            if body == "ball 1024" && since > 0.0 {
                (row.position.x, row.velocity.x) = (1025.5 - 1.2 * since, -1.2);
            }
        },
    ),
    ("gas_elastic", "a gas is hotter beyond the horizon", &[EnergyGained, Statistics], |row, time, _| {
        row.velocity *= if time > 2.0 { 1.05 } else { 1.0 };
    }),
    ("gas_elastic", "a ball leaves its box", &[PassedThrough, Overlap], |row, time, body| {
        row.position.x += if body == "ball/01" && (time - 5.0).abs() < 1e-9 { 1.2 } else { 0.0 };
    }),
];

fn spoiled(table: &ForeignTable, fault: Fault) -> ForeignTable {
    let mut spoiled = table.clone();
    for row in &mut spoiled.rows {
        let time = row.time.seconds();
        fault(row, time, &table.bodies[row.body]);
    }
    assert_ne!(&spoiled, table, "the fault does something");
    spoiled
}

#[test]
fn each_fault_is_found_and_no_other() {
    let mut wrong = Vec::new();
    for &(scene, fault, wanted, change) in CASES {
        let scenario = scenario(scene);
        let table = spoiled(&stepped(&scenario, scenario.timestep), change);
        let found = guilty(&judged(&scenario, &[table]).unwrap());
        if found != wanted {
            wrong.push(format!("{scene}, {fault}: found {found:?}, wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bodies_that_are_swapped_pass_through_each_other() {
    let scenario = scenario("pair_oblique");
    let mut table = stepped(&scenario, scenario.timestep);
    table.rows.iter_mut().filter(|row| row.time.seconds() > 0.8).for_each(|row| row.body = 1 - row.body);
    assert_eq!(guilty(&judged(&scenario, &[table]).unwrap()), [PassedThrough, PathError]);
}

/// The report of the first deviation from the exact path names the last event of the body.
#[test]
fn a_departure_names_the_last_event() {
    let scenario = scenario("bullet_1mm");
    let straight: Fault = |row, time, _| straight(row, time, DVec3::X * -1.7, DVec3::X * 300.0);
    let judgement = judged(&scenario, &[spoiled(&stepped(&scenario, 0.01), straight)]).unwrap();
    let left = judgement.judged[0].departure.clone().unwrap();
    assert_eq!((left.time, left.body.as_str()), (0.01, "bullet"));
    assert_eq!(left.since, "after impact with `wall` at 0.00563167 s");
}

/// Semi-implicit Euler falls g h t/2 too far, so its error is of first order. A method of second order is distinguished
/// from it.
#[test]
fn the_order_of_convergence_is_measured() {
    let scenario = scenario("flight_parabola");
    for order in [1, 2] {
        let euler = |timestep: f64| {
            let mut table = stepped(&scenario, timestep);
            table
                .rows
                .iter_mut()
                .for_each(|row| row.position.z -= 0.5 * 9.81 * timestep.powi(order) * row.time.seconds());
            table
        };
        let judgement = judged(&scenario, &[0.02, 0.01, 0.005, 0.0025].map(euler)).unwrap();
        let found = judgement.order.value.unwrap();
        assert!((found - f64::from(order)).abs() < 1e-9, "{found}");
    }
    let exact = judged(&scenario, &[0.02, 0.01].map(|timestep| stepped(&scenario, timestep))).unwrap();
    assert_eq!((exact.order.value, exact.order.note.as_str()), (None, "all errors are rounding"));
}
