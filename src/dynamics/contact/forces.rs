//! Contact forces: the accelerations with which no contact closes, and how long they stay constant.
//!
//! No contact accelerates inwards, none pulls, and a contact that opens has no force: complementarity at the level of
//! accelerations (Acary & Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, ch. 5). On flat
//! supports the solution holds until the next event. On a curved surface the normal turns with the body. There the
//! solution is taken to hold for a span in which the path departs from the surface by no more than the rest height,
//! always outwards; then it is computed again. The same holds where the direction of slip turns.

use glam::DVec3;

use super::geometry::{Curve, Geometry};
use super::stick_slip::{constant_span, slide};
use super::update::{Turning, Update};
use crate::dynamics::BodyId;
use crate::dynamics::body::friction::Mode;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::Interaction;
use crate::dynamics::error::RunError;
use crate::dynamics::few::{Few, each_once};
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver;
use crate::dynamics::solver::problem::Solution;
use crate::dynamics::solver::{ContactConstraint, FrictionModel, SolverBody};
use crate::geometry::{Aabb, gap};
use crate::motion::{Path, Relative, SimTime};
use crate::numeric::tolerance::{CUTS_MAX, MEETING_MIN};

/// The accelerations of an island's bodies, and the time of the next contact update.
pub(in crate::dynamics) fn solve_forces(
    sim: &mut Simulation,
    update: &mut Update,
) -> Result<(Few<SolverBody>, Option<SimTime>), RunError> {
    let mut geometry = sim.scene.present(update);
    let (standing, span) = solve_span(sim, update, &geometry)?;
    let opens = |place: usize| geometry.is_loose(place, &standing) && sim.scene.lasts(update, place);
    // A contact without a gap does not end, even if it is pressed only for a very short time: otherwise the next
    // prediction would find the same impact at this instant again.
    let rises = |curve: &&Curve| {
        let (before, after) = (update.gaps[curve.place], sim.scene.gap_after(update, curve, &standing.members, span));
        standing.impulses[curve.place].normal <= 0.0 && before > curve.rounding && after > before
    };
    let rising = geometry.curves.iter().filter(|_| span < f64::INFINITY).filter(rises).map(|curve| curve.place);
    let mut opening = each_once((0..update.constraints.len()).filter(|&place| opens(place)).chain(rising));
    // Where no forces were found that meet all contacts, they say nothing about which contacts open.
    let is_unsound = !standing.is_sound(geometry.scale);
    if is_unsound {
        opening.clear();
    }
    let sticks_though_sliding = sim.scene.sticks_though_sliding(update);
    if !opening.is_empty() && sticks_though_sliding {
        // Without the contacts that open, sliding may be possible.
        return solve_without(sim, update, &opening);
    }
    let is_wedged = (sticks_though_sliding || is_unsound) && sim.scene.can_step();
    update.is_wedged |= is_wedged;
    for (place, &row) in update.island.contacts.iter().enumerate() {
        let contact = sim.scene.contacts.get_mut(row);
        if standing.impulses[place].normal > 0.0 {
            contact.normal = update.constraints[place].normal;
        }
        (contact.force, contact.has_force) = (standing.impulses[place], true);
    }
    sim.scene.end(update, &opening);
    opening.iter().rev().for_each(|&place| _ = geometry.constraints.remove(place));
    let mut members = standing.members;
    drop_rounding(&mut members, &update.constraints, geometry.rounding());
    let span = slide(sim, update, &geometry, &members, span);
    // A force that holds sliding bodies may add energy, so the island is advanced by time steps at once.
    let due = if is_wedged { Some(sim.scene.now) } else { sim.scene.instant_after(span) };
    Ok((members, due))
}

/// Ends these contacts, given by their places in the island, and solves for the others.
fn solve_without(
    sim: &mut Simulation,
    update: &mut Update,
    ended: &[usize],
) -> Result<(Few<SolverBody>, Option<SimTime>), RunError> {
    sim.scene.end(update, ended);
    update.constraints = sim.scene.constraints(&update.island);
    update.turning.fill(Turning::default());
    solve_forces(sim, update)
}

impl Scene {
    /// Whether friction holds a contact that was sliding, since sliding friction would wedge its bodies.
    fn sticks_though_sliding(&self, update: &Update) -> bool {
        let mut contacts = update.constraints.iter().zip(&update.island.contacts);
        contacts.any(|(constraint, &row)| {
            let mut modes = constraint.friction.iter().zip(self.contacts.get(row).slips);
            modes.any(|(model, slip)| matches!(model, FrictionModel::Coulomb { .. }) && slip.along.is_some())
        })
    }

    /// The acceleration of a body of an island without contact forces, m/s².
    fn fall(&self, update: &Update, place: usize) -> DVec3 {
        let driven = || self.rows.driven(update.island.bodies[place]);
        if place < update.island.free {
            self.settings.gravity
        } else {
            driven().map_or(DVec3::ZERO, |driven| driven.path_at(self.now).acceleration)
        }
    }

    /// Solves for accelerations with which no contact is below its bound, m/s².
    pub(in crate::dynamics) fn solve_accelerations(
        &self,
        update: &mut Update,
        bound: &[f64],
        is_needed: bool,
    ) -> Result<Solution, RunError> {
        let gravity = self.settings.gravity;
        let free = |(place, member): (usize, &SolverBody)| SolverBody {
            linear: self.fall(update, place),
            angular: DVec3::ZERO,
            ..*member
        };
        let members: Few<SolverBody> = update.members.iter().enumerate().map(free).collect();
        let mut start = Few::with_capacity(bound.len());
        for (place, &row) in update.island.contacts.iter().enumerate() {
            let (contact, frictions) = (self.contacts.get(row), self.frictions_at(row));
            let constraint = &mut update.constraints[place];
            constraint.bound = bound[place];
            constraint.friction = Mode::ALL.map(|mode| match (frictions.of(mode), contact.slip(mode).along) {
                (friction, Some(direction)) if friction > 0.0 => {
                    constraint.kinetic(friction, direction + update.turning[place].lean[mode as usize], mode)
                }
                (friction, _) => FrictionModel::with(friction, -update.turning[place].drift[mode as usize]),
            });
            start.push(contact.force);
        }
        let solution = solver::solve_from(&members, &update.constraints, &start, is_needed);
        let finite = |member: &SolverBody| member.linear.is_finite() && member.angular.is_finite();
        let sound = |solution: &Solution| solution.is_sound(gravity.length()) && solution.members.iter().all(finite);
        let slides = |constraint: &ContactConstraint| {
            constraint.friction.iter().any(|model| matches!(model, FrictionModel::Kinetic { .. }))
        };
        if solution.as_ref().is_ok_and(sound) || !update.constraints.iter().any(slides) {
            return solution.map_err(|error| self.squeezed(&update.island, error.constraint));
        }
        // Sliding friction may wedge bodies so that no finite force is a solution (Painlevé 1895). Then friction holds
        // them instead.
        for (constraint, turning) in update.constraints.iter_mut().zip(&update.turning) {
            for (model, drift) in constraint.friction.iter_mut().zip(&turning.drift) {
                if let FrictionModel::Kinetic { friction, .. } = *model {
                    *model = FrictionModel::with(friction, -*drift);
                }
            }
        }
        let solution = solver::solve_from(&members, &update.constraints, &[], is_needed);
        solution.map_err(|error| self.squeezed(&update.island, error.constraint))
    }
}

/// The forces, and the span for which they are taken as constant, s.
fn solve_span(sim: &Simulation, update: &mut Update, geometry: &Geometry) -> Result<(Solution, f64), RunError> {
    let scene = &sim.scene;
    let bound: Few<f64> = geometry.centripetals.iter().map(|centripetal| -centripetal).collect();
    let first = scene.solve_accelerations(update, &bound, true)?;
    let longest = scene.span(update, geometry, &first);
    if longest == f64::INFINITY {
        let span = scene.cut(update, geometry, &first, longest);
        if !scene.lean(update, geometry, &first, span) {
            return Ok((first, span));
        }
        let standing = scene.solve_accelerations(update, &bound, true)?;
        let span = scene.cut(update, geometry, &standing, span);
        return Ok((standing, span));
    }
    // The forces are along the normals in the middle of the span. In the first part of a longer span they would do
    // work that only its second part takes back. So it ends where another body is met, too.
    let (mut standing, mut span) = scene.solve_curved(update, geometry, (&first, longest));
    let pairs = pairs_ahead(sim, update, &standing.members, span);
    for _ in 0..CUTS_MAX {
        let met = meeting_ahead(scene, update, &standing.members, span, &pairs);
        let until = scene.cut(update, geometry, &standing, span);
        let until = constant_span(&scene.changes(update, geometry, &standing.members), until).min(met);
        if until >= span {
            break;
        }
        (standing, span) = scene.solve_curved(update, geometry, (&first, until));
    }
    let span = scene.cut(update, geometry, &standing, span);
    Ok((standing, span))
}

/// The motion of a pair, seen from its first body, where the free bodies of the island have these accelerations.
fn motion_of(scene: &Scene, update: &Update, accelerations: &[SolverBody], pair: Pair) -> Relative {
    let free = &update.island.bodies[..update.island.free];
    let path = |id: BodyId| {
        let before = scene.rows.path(id);
        let Ok(place) = free.binary_search(&id) else { return before };
        Path {
            position: before.position_at(scene.now),
            velocity: update.members[place].linear,
            acceleration: accelerations[place].linear,
            epoch: scene.now,
        }
    };
    pair.motion_of([&path(pair.a), &path(pair.b)], &scene.settings.space, scene.now)
}

/// When one of `pairs` meets with these accelerations, s from now: no later than `span`, and no sooner than a fixed
/// part of it.
fn meeting_ahead(scene: &Scene, update: &Update, accelerations: &[SolverBody], span: f64, pairs: &Few<Pair>) -> f64 {
    let time = |&pair: &Pair| {
        let motion = motion_of(scene, update, accelerations, pair);
        scene.meeting_on(pair, scene.solids(pair, 0), &motion).map(|met| met.time)
    };
    pairs.iter().filter_map(time).fold(span, f64::min).max(MEETING_MIN * span)
}

/// The pairs of a free body of the island and a body that it may meet in `span` s, and does not touch.
///
/// Other bodies are searched around the place of the free one, as far as it is wide or twice as far as it goes, and not
/// among its neighbours: domains change no result.
fn pairs_ahead(sim: &Simulation, update: &Update, accelerations: &[SolverBody], span: f64) -> Few<Pair> {
    let (scene, broadphase, island) = (&sim.scene, &sim.broadphase, &update.island);
    let space = &scene.settings.space;
    let mut pairs = Few::new();
    for (place, &id) in island.bodies[..island.free].iter().enumerate() {
        let half = scene.rows.shape(id).half_extents();
        let (velocity, acceleration) = (update.members[place].linear, accelerations[place].linear);
        let way = (velocity.length() + 0.5 * span * acceleration.length()) * span;
        let reach = half.max_element().max(2.0 * way);
        let is_ahead = |pair: Pair| {
            let collides = scene.rows.interaction(pair.a, pair.b) == Some(Interaction::Collide);
            if !collides || scene.has_outline(pair) || scene.contacts.between(pair, &scene.rows).next().is_some() {
                return false;
            }
            let motion = motion_of(scene, update, accelerations, pair);
            let [a, b] = scene.solids(pair, 0);
            gap(a, b, motion.position).is_none_or(|gap| gap.separation <= reach.min(2.0 * motion.way(span)))
        };
        let mut offer = |other: BodyId, offset: [i8; 3]| {
            let pair = broadphase.pair(id, other, offset);
            pairs.extend((other != id && is_ahead(pair)).then_some(pair));
        };
        let position = scene.rows.path(id).position_at(scene.now) - space.shift(broadphase.images(id));
        broadphase.around(&Aabb::around(position, half + reach), false, space, &mut offer);
        broadphase.planes.iter().for_each(|&plane| offer(plane, [0; 3]));
    }
    pairs
}

/// Sets accelerations below rounding to zero, m/s²: angular ones where there is friction.
fn drop_rounding(members: &mut [SolverBody], constraints: &[ContactConstraint], rounding: f64) {
    let drop = |vector: &mut DVec3, lever: f64| {
        for axis in 0..3 {
            if vector[axis].abs() * lever <= rounding {
                vector[axis] = 0.0;
            }
        }
    };
    members.iter_mut().for_each(|member| drop(&mut member.linear, 1.0));
    for constraint in constraints.iter().filter(|constraint| !constraint.is_smooth()) {
        let radius = constraint.lever(Mode::Rolling);
        for end in [constraint.a, constraint.b] {
            drop(&mut members[end].angular, radius);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::solver::problem::ContactImpulse;
    use crate::dynamics::{Body, Friction, FrictionLength, Material, Restitution, Settings, Stepper};
    use crate::random::Random;

    /// A world in which some balls and boxes are thrown onto a hill of a ball and two boxes, with all kinds of
    /// friction.
    fn hill(random: &mut Random) -> Stepper {
        let mut coefficient = |most: f64| if random.below(3) == 0 { 0.0 } else { random.between(0.0, most) };
        let friction = Friction::new(coefficient(1.5)).unwrap();
        let [rolling_friction, spinning_friction] =
            [0.05, 0.05].map(|of| FrictionLength::new(coefficient(of)).unwrap());
        let restitution = Restitution::new(0.0).unwrap();
        let material = Material { friction, rolling_friction, spinning_friction, ..restitution.into() };
        let mut settings = Settings { gravity: DVec3::NEG_Z * 10.0, rest_height: 1e-6, ..Settings::default() };
        let stuff = settings.materials.add(material);
        let slab = Body::cuboid(DVec3::new(1.0, 1.0, 0.5), 1.0).unwrap().fixed();
        let mut bodies =
            vec![Body::sphere(1.0, 1.0).unwrap().fixed(), slab.clone().at(DVec3::X * 1.6), slab.at(DVec3::X * -1.6)];
        for place in 0..1 + random.below(3) {
            let above = DVec3::new(0.0, 0.0, 1.35 + 0.65 * place as f64) + random.vector(0.1);
            let body = match random.below(3) {
                0 => Body::cuboid(random.vector(0.05).abs() + 0.15, 0.5 + random.unit()),
                _ => Body::sphere(0.15 + 0.1 * random.unit(), 0.5 + random.unit()),
            };
            bodies.push(body.unwrap().at(above).moving(random.vector(1.0)).spinning(random.vector(20.0)));
        }
        let bodies: Vec<Body> = bodies.into_iter().map(|body| body.made_of(stuff)).collect();
        Stepper::new(settings, &bodies).unwrap()
    }

    #[test]
    fn forces_are_inside_coulombs_cone() {
        let mut random = Random::new(45);
        let (mut seen, mut full) = (0, 0);
        for round in 0..150 {
            let mut stepper = hill(&mut random);
            for look in 1..=200 {
                stepper.advance(SimTime::from_seconds(0.01 * f64::from(look)), usize::MAX).unwrap();
                let scene = &stepper.sim.scene;
                let rows = scene.rows.ids().flat_map(|id| scene.contacts.of(id).to_vec());
                for row in rows {
                    let (contact, frictions) = (scene.contacts.get(row), scene.frictions_at(row));
                    // The force of a time step belongs to the beginning of the step.
                    if !contact.has_force {
                        continue;
                    }
                    let ContactImpulse { normal: size, tangential, couple } = contact.force;
                    let along = contact.normal.dot(couple);
                    let rolling = couple - contact.normal * along;
                    let context = format!("round {round}, look {look}: {contact:?}");
                    assert!(size >= 0.0, "{context} pulls");
                    let slack = 1e-12 * size;
                    assert!(contact.normal.dot(tangential).abs() <= slack, "{context} has friction along its normal");
                    for (found, most) in [
                        (tangential.length(), frictions.sliding * size),
                        (rolling.length(), frictions.rolling * size),
                        (along.abs(), frictions.spinning * size),
                    ] {
                        assert!(found <= most + slack, "{context}: {found} for {most}");
                        full += usize::from(found > 0.999 * most && most > 0.0);
                    }
                    seen += usize::from(size > 0.0);
                }
            }
        }
        assert!(seen > 3000 && full > 500, "{seen} forces, {full} at their limit");
    }
}
