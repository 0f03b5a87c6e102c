//! Tests of the relaxation, on pyramids of discs.

use super::*;
use crate::dynamics::solver::{self, ContactConstraint, SolverBody};

/// m/s.
pub(super) const TOLERANCE: f64 = 1e-10;

/// The largest number of other contacts that share a disc with a contact: three for each of its two discs.
const NEIGHBOURS: f64 = 6.0;

pub(super) const SWEEPS: usize = 2000;

/// m.
const RADIUS: f64 = 0.1;

/// Velocity of the floor, m/s.
const DRIVE: DVec3 = DVec3::new(0.3, 0.0, 0.1);

/// The bodies and contacts of a pyramid of discs of unequal masses.
pub(super) struct Pyramid {
    bodies: Vec<SolverBody>,
    contacts: Vec<ContactConstraint>,
    /// Friction against rolling and spinning, m.
    lengths: [f64; 2],
}

impl Pyramid {
    /// The first body is a moving floor. Each layer falls onto the next, some discs spin, and the top disc flies
    /// away.
    pub(super) fn new(layers: usize) -> Self {
        let floor = SolverBody { linear: DRIVE, angular: DVec3::ZERO, inverse_mass: 0.0, inverse_inertia: 0.0 };
        let mut pyramid = Self { bodies: vec![floor], contacts: Vec::new(), lengths: [0.0; 2] };
        let mut below = Vec::new();
        for width in (1..=layers).rev() {
            let layer: Vec<usize> = (0..width).map(|n| pyramid.bodies.len() + n).collect();
            for n in 0..width {
                let mass = 1.0 + (7 * pyramid.bodies.len() % 5) as f64;
                let down = if width == 1 { -1.0 } else { 1.0 + 0.01 * (n * n) as f64 };
                pyramid.bodies.push(SolverBody {
                    linear: DVec3::new(0.1 * n as f64, 0.0, -down),
                    angular: DVec3::Y * (2.0 * (n % 3) as f64),
                    inverse_mass: 1.0 / mass,
                    inverse_inertia: 2.5 / (mass * RADIUS * RADIUS),
                });
            }
            for (n, &b) in layer.iter().enumerate() {
                if below.is_empty() {
                    pyramid.touch(0, b, DVec3::Z);
                } else {
                    pyramid.touch(below[n], b, DVec3::new(0.6, 0.0, 0.8));
                    pyramid.touch(below[n + 1], b, DVec3::new(-0.6, 0.0, 0.8));
                }
            }
            below = layer;
        }
        pyramid
    }

    fn touch(&mut self, a: usize, b: usize, normal: DVec3) {
        let arms = [if a == 0 { DVec3::ZERO } else { normal * RADIUS }, normal * -RADIUS];
        let bound = -0.01 * (self.contacts.len() % 4) as f64;
        self.contacts.push(ContactConstraint { bound, ..ContactConstraint::smooth(a, b, normal, arms) });
    }

    /// The velocity of b relative to a that comes from the floor, m/s.
    fn drive(&self, contact: &ContactConstraint) -> DVec3 {
        if contact.a == 0 { -self.bodies[0].linear } else { DVec3::ZERO }
    }

    /// The same problem as a relaxation. `start` has the initial impulses and `least` the smallest ones; missing
    /// entries are zero.
    pub(super) fn relaxation(&self, friction: f64, start: &[f64], least: &[f64]) -> Relaxation {
        let mover = |body: &SolverBody| match body.inverse_mass > 0.0 {
            true => Mover {
                linear: body.linear,
                inverse_mass: body.inverse_mass,
                turning: body.angular * RADIUS,
                inverse_inertia: body.inverse_inertia * RADIUS * RADIUS,
            },
            false => Mover::default(),
        };
        let mut relaxation = Relaxation::new(self.bodies.iter().map(mover).collect());
        for (place, contact) in self.contacts.iter().enumerate() {
            let (normal, drive) = (contact.normal, self.drive(contact));
            let [a, b] = [contact.a, contact.b].map(|end| relaxation.movers[end]);
            let compliance = a.inverse_mass + b.inverse_mass;
            let row = Row {
                normal,
                bound: contact.bound - normal.dot(drive),
                inverse_compliance: 1.0 / compliance,
                impulse: start.get(place).copied().unwrap_or(0.0),
                least: least.get(place).copied().unwrap_or(0.0),
                ends: [contact.a as u32, contact.b as u32],
            };
            let rough = FrictionRow {
                impulse: DVec3::ZERO,
                drive: drive - normal * normal.dot(drive),
                friction,
                inverse_compliance: 1.0 / (compliance + a.inverse_inertia + b.inverse_inertia),
            };
            let inverse_radii = [if contact.a == 0 { 0.0 } else { 1.0 / RADIUS }, 1.0 / RADIUS];
            let couple = CoupleRow {
                impulse: DVec3::ZERO,
                rolling: self.lengths[0],
                spinning: self.lengths[1],
                inverse_compliance: RADIUS * RADIUS / (a.inverse_inertia + b.inverse_inertia),
                inverse_radii,
            };
            let resists = self.lengths != [0.0; 2];
            relaxation.add(row, (friction > 0.0).then_some(rough), resists.then_some(couple));
        }
        relaxation
    }

    /// Solved without friction.
    fn solved(&self, start: &[f64], least: &[f64]) -> Relaxation {
        let mut relaxation = self.relaxation(0.0, start, least);
        assert!(relaxation.solve_normals(TOLERANCE, SWEEPS) > 0);
        relaxation
    }
}

pub(super) fn impulses(relaxation: &Relaxation) -> Vec<f64> {
    relaxation.rows.iter().map(|row| row.impulse).collect()
}

/// The energy that the normal impulses minimise: ½ v·Mv − Σ impulse × bound, J.
pub(super) fn energy(relaxation: &Relaxation) -> f64 {
    let kinetic: f64 = relaxation.movers.iter().map(|mover| 0.5 * mover.norm(mover.linear, DVec3::ZERO)).sum();
    kinetic - relaxation.rows.iter().map(|row| row.impulse * row.bound).sum::<f64>()
}

/// Checks the conditions of the normal impulses, and that some contacts are open and others closed.
fn check_complementarity(relaxation: &Relaxation) {
    // Each contact is exact when it is solved. After that, each of its neighbours may change it by the tolerance.
    let near = NEIGHBOURS * TOLERANCE;
    let (mut closed, mut open) = (0, 0);
    for (place, row) in relaxation.rows.iter().enumerate() {
        let excess = row.opening(&relaxation.movers) - row.bound;
        assert!(row.impulse >= row.least, "{place}: {} is less than {}", row.impulse, row.least);
        assert!(excess >= -near, "{place}: the contact closes by {excess:e}");
        assert!(row.impulse == row.least || excess <= near, "{place}: the contact opens by {excess:e} and impulses");
        *(if row.impulse > row.least { &mut closed } else { &mut open }) += 1;
    }
    assert!(closed > 0 && open > 0, "{closed} closed, {open} open");
}

/// Checks that the final velocities are the initial ones plus the changes due to the impulses.
fn check_momentum(before: &Relaxation, after: &Relaxation) {
    let mut movers = before.movers.clone();
    for (place, row) in after.rows.iter().enumerate() {
        let rubbing = after.frictions.get(place).map_or(DVec3::ZERO, |friction| friction.impulse);
        row.give(&mut movers, row.impulse, rubbing);
        if let Some(couple) = after.couples.get(place) {
            couple.give(row, &mut movers, couple.impulse);
        }
    }
    for (place, (found, expected)) in after.movers.iter().zip(&movers).enumerate() {
        let off = (found.linear - expected.linear).length() + (found.turning - expected.turning).length();
        // The rounding errors of some hundred sweeps with velocities of some m/s.
        assert!(off <= 1e-12, "{place}: {off:e}");
    }
    assert_eq!(after.movers[0], Mover::default(), "a body of prescribed motion is not moved");
}

#[test]
fn frictionless_impulses_are_those_of_the_exact_solver() {
    for layers in 2..=10 {
        let pyramid = Pyramid::new(layers);
        let exact = solver::solve(&pyramid.bodies, &pyramid.contacts).unwrap();
        let found = pyramid.solved(&[], &[]);
        // Two contacts below each disc determine its motion, so the impulses are unique too. The residuals of all
        // layers add up.
        let near = TOLERANCE * (layers * layers) as f64 * NEIGHBOURS;
        for (place, (mover, body)) in found.movers.iter().zip(&exact.members).enumerate().skip(1) {
            assert!((mover.linear - body.linear).length() <= near, "{layers} {place}: {mover:?} {body:?}");
            assert_eq!(mover.turning, body.angular * RADIUS);
        }
        for (place, (row, impulse)) in found.rows.iter().zip(&exact.impulses).enumerate() {
            let off = (row.impulse - impulse.normal).abs() * (pyramid.bodies[1].inverse_mass);
            assert!(off <= 10.0 * near, "{layers} {place}: {} {}", row.impulse, impulse.normal);
        }
    }
}

#[test]
fn contacts_push_only_where_they_do_not_open() {
    for layers in 2..=10 {
        let pyramid = Pyramid::new(layers);
        let found = pyramid.solved(&[], &[]);
        check_complementarity(&found);
        check_momentum(&pyramid.relaxation(0.0, &[], &[]), &found);
        // As after the first phase of a step: some impulses must not become smaller, and others must become larger.
        let least: Vec<f64> =
            impulses(&found).iter().enumerate().map(|(n, impulse)| impulse * (n % 3) as f64).collect();
        let again = pyramid.solved(&least, &least);
        check_complementarity(&again);
        check_momentum(&pyramid.relaxation(0.0, &[], &[]), &again);
    }
}

#[test]
fn a_warm_start_needs_fewer_sweeps() {
    let (mut nearly, mut from_nothing) = (0, 0);
    for layers in 6..=14 {
        let pyramid = Pyramid::new(layers);
        let cold = pyramid.solved(&[], &[]);
        let warm = pyramid.solved(&impulses(&cold), &[]);
        let weak: Vec<f64> = impulses(&cold).iter().map(|impulse| 0.999_999 * impulse).collect();
        let near = pyramid.solved(&weak, &[]);
        let sweeps = [&warm, &near, &cold].map(|relaxation| relaxation.sweeps);
        assert_eq!(sweeps[0], 2, "{layers}");
        (nearly, from_nothing) = (nearly + sweeps[1], from_nothing + sweeps[2]);
    }
    // Rounding decides when the last digits are right, so this holds only for the sum over all pyramids.
    assert!(4 * nearly < 3 * from_nothing, "{nearly} {from_nothing}");
}

#[test]
fn sweeps_are_counted_and_bounded() {
    let pyramid = Pyramid::new(8);
    for most in [1, 2, 5] {
        let mut relaxation = pyramid.relaxation(0.0, &[], &[]);
        assert_eq!((relaxation.solve_normals(0.0, most), relaxation.sweeps), (0, 2 * most as u64));
    }
    let mut relaxation = pyramid.relaxation(0.0, &[], &[]);
    let left = relaxation.solve_normals(TOLERANCE, SWEEPS);
    assert_eq!(relaxation.sweeps, 2 * (SWEEPS - left) as u64);
}

#[test]
fn the_energy_never_grows_from_round_to_round() {
    for layers in 2..=10 {
        let pyramid = Pyramid::new(layers);
        let mut last = energy(&pyramid.relaxation(0.0, &[], &[]));
        let rounding = 1e-14 * (layers * layers * layers) as f64;
        for rounds in 1..60 {
            let mut relaxation = pyramid.relaxation(0.0, &[], &[]);
            relaxation.solve_normals(0.0, rounds);
            let now = energy(&relaxation);
            assert!(now <= last + rounding, "{layers}, round {rounds}: {last} {now}, {:e}", now - last);
            last = now;
        }
    }
}

#[test]
fn friction_obeys_the_law_of_coulomb() {
    let (mut sticking, mut slipping) = (0, 0);
    for (layers, friction) in [(3, 0.05), (4, 0.2), (6, 0.4), (3, 1.0)] {
        let pyramid = Pyramid::new(layers);
        for sweeps in [1, 3, 2000] {
            let before = pyramid.relaxation(friction, &[], &[]);
            let mut relaxation = pyramid.relaxation(friction, &[], &[]);
            relaxation.sweep_together([sweeps; 2], 0.0);
            assert_eq!(relaxation.sweeps, 2 * sweeps as u64);
            check_momentum(&before, &relaxation);
            for (place, (row, rubbing)) in relaxation.rows.iter().zip(&relaxation.frictions).enumerate() {
                let (most, size) = (friction * row.impulse, rubbing.impulse.length());
                let name = format!("{layers} {friction} {sweeps}: {place}");
                // The limit holds at any time, and the rounding is that of a root and a product.
                assert!(size <= most * (1.0 + 8.0 * f64::EPSILON), "{name}: {size} of {most}");
                assert!(rubbing.impulse.dot(row.normal).abs() <= f64::EPSILON * (16 * sweeps) as f64, "{name}");
                // The following conditions hold only where the sweeps have nearly converged. With more friction and
                // more layers they may not converge.
                let slip = row.slip(&relaxation.movers) + rubbing.drive;
                if sweeps < 2000 || most == 0.0 {
                    continue;
                }
                if size < (1.0 - 1e-9) * most {
                    assert!(slip.length() <= 1e-3, "{name}: {slip} with {size} of {most}");
                    sticking += 1;
                } else if slip.length() > 1e-2 {
                    let along = rubbing.impulse.dot(slip);
                    assert!(along <= -(1.0 - 1e-6) * size * slip.length(), "{name}: {slip} {}", rubbing.impulse);
                    slipping += 1;
                }
            }
        }
    }
    assert!(sticking > 0 && slipping > 0, "{sticking} stick, {slipping} slip");
}

#[test]
fn tangential_impulses_are_held_while_the_normal_ones_are_solved() {
    let pyramid = Pyramid::new(6);
    let mut relaxation = pyramid.relaxation(0.4, &[], &[]);
    relaxation.sweep_together([3; 2], 0.0);
    let held = relaxation.frictions.clone();
    let turning: Vec<DVec3> = relaxation.movers.iter().map(|mover| mover.turning).collect();
    assert!(relaxation.solve_normals(TOLERANCE, SWEEPS) > 0);
    check_complementarity(&relaxation);
    check_momentum(&pyramid.relaxation(0.4, &[], &[]), &relaxation);
    assert_eq!(relaxation.frictions, held);
    assert!(relaxation.movers.iter().zip(turning).all(|(mover, turning)| mover.turning == turning));
}

#[test]
fn couples_resist_turning_within_their_bounds() {
    let (mut held, mut turning, mut spinning) = (0, 0, 0);
    for (layers, friction, lengths) in
        [(3, 0.2, [0.01, 0.002]), (4, 0.5, [0.002, 0.05]), (4, 1.0, [1.0, 1.0]), (3, 0.4, [0.0, 0.01])]
    {
        let mut pyramid = Pyramid { lengths, ..Pyramid::new(layers) };
        // Spins about all axes.
        let spins = |place: usize| DVec3::new(0.3, 1.0, -0.7) * (4.0 * (place % 4) as f64);
        pyramid.bodies.iter_mut().enumerate().skip(1).for_each(|(place, body)| body.angular = spins(place));
        let before = pyramid.relaxation(friction, &[], &[]);
        let mut relaxation = pyramid.relaxation(friction, &[], &[]);
        relaxation.sweep_together([2000; 2], 0.0);
        check_momentum(&before, &relaxation);
        for (row, couple) in relaxation.rows.iter().zip(&relaxation.couples) {
            let name = format!("{layers} {friction} {lengths:?}");
            let along = couple.impulse.dot(row.normal);
            let (rolling, most) =
                ((couple.impulse - row.normal * along).length(), lengths.map(|length| length * row.impulse));
            assert!(rolling <= most[0] * (1.0 + 1e-14) + 1e-17, "{name}: {rolling} of {}", most[0]);
            assert!(along.abs() <= most[1] * (1.0 + 1e-14) + 1e-17, "{name}: {along} of {}", most[1]);
            let motion = couple.turning(row, &relaxation.movers);
            let spin = motion.dot(row.normal);
            let roll = motion - row.normal * spin;
            if row.impulse > 0.0 && most[0] > 0.0 && rolling < 0.999 * most[0] {
                assert!(roll.length() * RADIUS <= 1e-3, "{name}: {roll}");
                held += 1;
            } else if roll.length() * RADIUS > 1e-2 && most[0] > 0.0 {
                assert!(couple.impulse.dot(roll) <= -(1.0 - 1e-6) * rolling * roll.length(), "{name}: {roll}");
                turning += 1;
            }
            if spin.abs() * RADIUS > 1e-2 && most[1] > 0.0 {
                assert!(along * spin <= -(1.0 - 1e-6) * most[1] * spin.abs(), "{name}: {along} {spin}");
                spinning += 1;
            }
        }
    }
    assert!(held > 0 && turning > 0 && spinning > 0, "{held} held, {turning} roll, {spinning} spin");
}
