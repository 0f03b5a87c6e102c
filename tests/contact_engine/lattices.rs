//! Random bodies exactly on a lattice, with speeds along the axes, so that many touch, and many meet edge to edge and
//! at one instant. No run stalls, nothing overlaps, no energy is gained, and elastic bodies lose none but what has no
//! room. The result does not depend on what the axes are called.
//!
//! `CAROM_SCENE=lattice_017` runs only this scene; `CAROM_SCENES=6000` runs that many.

use carom::dynamics::{Body, Event, EventKind, Settings};
use glam::DVec3;

use crate::common::scene::{Run, View, ball, cuboid, plane, settings};
use crate::common::{Random, is_thorough};
use crate::scene::{X, Y, Z, choose, written};

const SECONDS: f64 = 2.0;

/// Edge of the cells, m. Every body fills one.
const PITCH: f64 = 0.5;

/// More events than any of these scenes has without a stall. An elastic ball that runs into a gap of exactly its width
/// has more than 30,000 impacts before it comes out again.
const EVENTS_MAX: usize = 2_000_000;

/// When the views are compared, s, without and with gravity. Bodies that bounce again and again on round ones make
/// rounding grow, and with gravity they do so at once.
const COMPARED: [f64; 2] = [0.3, 0.03];

/// Rounding of energies, relative to all of them, and deepest overlap, relative to the smaller body.
const ROUNDING: f64 = 1e-12;
const OVERLAP_MAX: f64 = 1e-9;

struct Scene {
    title: String,
    settings: Settings,
    bodies: Vec<Body>,
}

fn scene(random: &mut Random) -> Scene {
    let restitution = choose(random, &[0.0, 0.5, 1.0, 1.0]);
    let gravity = choose(random, &[DVec3::ZERO, Z * -10.0]);
    let wide = [2 + random.below(4), 1 + random.below(3), 2 + random.below(4)];
    // The first body is free.
    let mut bodies = Vec::new();
    for cell in 0..wide.iter().product() {
        if !bodies.is_empty() && random.below(12) < 5 {
            continue;
        }
        let numbers = [cell % wide[0], cell / wide[0] % wide[1], cell / wide[0] / wide[1]];
        let at = DVec3::from_array(numbers.map(|number| number as f64)) * PITCH;
        let velocity = DVec3::from_array([(); 3].map(|()| choose(random, &[-1.0, 0.0, 0.0, 1.0])));
        let (half, mass) = (0.5 * PITCH, choose(random, &[1.0, 1.0, 2.0]));
        let body = if random.below(2) == 0 { ball(half, mass) } else { cuboid(DVec3::splat(half), mass) };
        let is_fixed = !bodies.is_empty() && random.below(4) == 0;
        bodies.push(if is_fixed { body.at(at).fixed() } else { body.at(at).moving(velocity) });
    }
    let middle = DVec3::from_array(wide.map(|count| 0.5 * (count - 1) as f64 * PITCH)) * (X + Y);
    match random.below(3) {
        0 => bodies.push(plane(Z, -0.5 * PITCH)),
        1 => bodies.push(cuboid(DVec3::new(9.0, 9.0, 0.5), 1.0).at(middle - Z * (0.5 + 0.5 * PITCH)).fixed()),
        _ => {}
    }
    let title = format!("{} bodies on {wide:?}, e {restitution}, gravity {gravity}", bodies.len());
    Scene { title, settings: settings(gravity, restitution, 0.0), bodies }
}

/// The places and velocities of the free bodies when the views are compared, or the fault of a run. Time steps are
/// solved to a part of the gaps that they keep, so they are not compared.
fn states_of(scene: &Scene, view: View) -> Result<Option<Vec<[DVec3; 2]>>, String> {
    let Scene { settings, bodies, .. } = scene;
    let mut run = Run::seen(view, settings, bodies);
    let (start, before) = (run.stepper.balance(), run.energy());
    run.advance(COMPARED[usize::from(settings.gravity != DVec3::ZERO)], EVENTS_MAX)?;
    let states = || run.free().iter().map(|&row| [run.position(row), run.velocity(row)]).collect();
    let states = (run.stepper.stepping_totals().time_steps == 0).then(states);
    let mut events = run.stepper.take_events();
    run.advance(SECONDS, EVENTS_MAX)?;
    events.extend(run.stepper.take_events());
    let (end, audit) = (run.stepper.balance(), run.stepper.audit());
    let scale = start.kinetic + start.potential.abs() + end.kinetic + end.potential.abs();
    // The work of the weights over a rest height.
    let trifle = start.mass * settings.gravity.length() * settings.rest_height;
    let (gain, deepest) = (run.energy() - before, run.overlap());
    if gain > ROUNDING * scale + trifle {
        return Err(format!("{gain:e} J gained"));
    }
    if deepest > OVERLAP_MAX {
        return Err(format!("an overlap of {deepest:e}"));
    }
    // Time steps resolve what bounces within one step together, and lose some of its energy.
    let is_stepped = events.iter().any(|event| event.kind == EventKind::Join);
    let is_elastic = settings.materials.restitution(bodies[0].material, bodies[0].material).is_elastic();
    // Bodies without room stop together with what touches them, in one group of impacts. What strikes them later has no
    // room at the same pairs.
    let collapses = || events.iter().filter(|event| event.kind == EventKind::Collapse);
    let stopped: Vec<u64> = collapses().map(|event| event.group).collect();
    let pair = |event: &Event| (event.a.min(event.b), event.a.max(event.b));
    let wedged: Vec<_> = collapses().map(pair).collect();
    let has_room = |event: &&Event| !stopped.contains(&event.group) && !wedged.contains(&pair(event));
    // A bounce that is not seen loses less than the work of the weights over a rest height.
    let most = events.iter().filter(has_room).map(|event| event.loss.abs()).fold(audit.contact_heat.abs(), f64::max);
    if is_elastic && !is_stepped && most > ROUNDING * scale + trifle {
        return Err(format!("elastic bodies with room lost {most:e} J of {scale} J"));
    }
    Ok(states)
}

/// The faults of a scene in three views, and whether the views could be compared.
fn faults_of(scene: &Scene, random: &mut Random) -> (Vec<String>, bool) {
    let all = View::all();
    let views = [View::PLAIN, choose(random, &all), choose(random, &all)];
    let seen = views.map(|view| states_of(scene, view));
    let mut faults: Vec<String> = seen.iter().filter_map(|found| found.as_ref().err().cloned()).collect();
    let mut compared = false;
    if let [Ok(Some(plain)), others @ ..] = &seen {
        for (view, other) in
            views[1..].iter().zip(others).filter_map(|(view, other)| Some((view, other.as_ref().ok()?.as_ref()?)))
        {
            compared = true;
            let apart = |(x, y): (&[DVec3; 2], &[DVec3; 2])| (x[0] - y[0]).length().max((x[1] - y[1]).length());
            let off = plain.iter().zip(other).map(apart).fold(0.0, f64::max);
            // A body may come to rest one bounce sooner.
            if off > scene.settings.rest_height {
                faults.push(format!("{view:?} differs by {off:e}"));
            }
        }
    }
    (faults, compared)
}

fn count() -> u64 {
    let usual = if is_thorough() { 2000 } else { 200 };
    std::env::var("CAROM_SCENES").map_or(usual, |count| count.parse().expect("CAROM_SCENES is a number"))
}

#[test]
fn bodies_on_a_lattice_go_well_in_every_view() {
    let only = std::env::var("CAROM_SCENE").ok();
    let (mut faults, mut all, mut compared) = (Vec::new(), 0, 0);
    for seed in 0..count() {
        let name = format!("lattice_{seed:03}");
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let mut random = Random::new(seed * 104_729 + 1);
        let scene = scene(&mut random);
        let (said, is_compared) = faults_of(&scene, &mut random);
        (all, compared) = (all + 1, compared + u64::from(is_compared));
        if !said.is_empty() {
            let file = written(&name, &scene.title, &scene.settings, &scene.bodies, SECONDS);
            faults.push(format!("{name}: {}: {}\n  {}", scene.title, said.join("; "), file.display()));
        }
    }
    assert!(faults.is_empty(), "{} of {all}:\n{}", faults.len(), faults.join("\n"));
    assert!(all < 100 || 10 * compared > 8 * all, "only {compared} of {all} are compared");
}
