//! Tests of sweeps in batches, against contacts one after another.

use pulp::{Simd, WithSimd};

use super::*;
use crate::dynamics::time_stepping::relaxation::relax;
use crate::dynamics::time_stepping::relaxation::tests::{Pyramid, SWEEPS, TOLERANCE, energy, impulses};
use crate::numeric::lane::{machine, machines};

/// One sweep there and back.
struct Sweep<'a>(&'a mut Normals);

impl WithSimd for Sweep<'_> {
    type Output = f64;

    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        self.0.sweep(simd)
    }
}

#[test]
fn batches_have_the_bits_of_one_contact_after_another() {
    for layers in 2..=12 {
        let pyramid = Pyramid::new(layers);
        let mut alone = pyramid.relaxation(0.0, &[], &[]);
        let mut all: Vec<(pulp::Arch, Normals)> = machines().into_iter().map(|of| (of, Normals::default())).collect();
        all.iter_mut().for_each(|(_, normals)| normals.load(&alone.movers, &alone.rows));
        for round in 0..5 {
            for row in &mut alone.rows {
                relax(row, &mut alone.movers);
            }
            let mut most: f64 = 0.0;
            for row in alone.rows.iter_mut().rev() {
                let before = row.impulse;
                relax(row, &mut alone.movers);
                most = most.max((row.impulse - before).abs() * (1.0 / row.inverse_compliance));
            }
            for (machine, normals) in &mut all {
                let (found, name) = (machine.dispatch(Sweep(normals)), format!("{layers}, round {round}, {machine:?}"));
                assert_eq!(found.to_bits(), most.to_bits(), "{name}");
                let mut together = pyramid.relaxation(0.0, &[], &[]);
                normals.store(&mut together.movers, &mut together.rows);
                assert_eq!((&together.movers, &together.rows), (&alone.movers, &alone.rows), "{name}");
            }
        }
        let count = all[0].1.contacts.batches.len();
        assert!(layers < 8 || 3 * count < alone.rows.len(), "{layers}: {count}");
    }
}

#[test]
fn every_width_solves_to_the_same_bits() {
    let pyramid = Pyramid::new(9);
    let all = machines().into_iter().map(|machine| {
        let (mut found, mut normals) = (pyramid.relaxation(0.0, &[], &[]), Normals::default());
        normals.load(&found.movers, &found.rows);
        let left = machine.dispatch(Solve { normals: &mut normals, tolerance: TOLERANCE, sweeps_max: SWEEPS });
        normals.store(&mut found.movers, &mut found.rows);
        (left, found.movers, found.rows)
    });
    let all: Vec<_> = all.collect();
    assert!(all.iter().all(|one| *one == all[0]) && all[0].0 > 0);
}

#[test]
fn a_direction_has_its_exact_length() {
    for layers in 2..=10 {
        let pyramid = Pyramid::new(layers);
        let mut relaxation = pyramid.relaxation(0.0, &[], &[]);
        let (mut direction, mut normals) = (ConjugateDirection::default(), Normals::default());
        normals.load(&relaxation.movers, &relaxation.rows);
        direction.reset(&normals.velocities, &normals.contacts.batches);
        for round in 0..10 {
            direction.begin(&normals.velocities, &normals.contacts.batches);
            let start = (relaxation.movers.clone(), impulses(&relaxation));
            machine().dispatch(Sweep(&mut normals));
            direction.go_on(&mut normals.velocities, &mut normals.contacts.batches);
            normals.store(&mut relaxation.movers, &mut relaxation.rows);
            let least = energy(&relaxation);
            let goes = |share: f64| {
                let mut other = pyramid.relaxation(0.0, &[], &[]);
                other.movers.clone_from(&relaxation.movers);
                for (mover, from) in other.movers.iter_mut().zip(&start.0) {
                    mover.linear = from.linear + (mover.linear - from.linear) * share;
                }
                for ((row, from), to) in other.rows.iter_mut().zip(&start.1).zip(&relaxation.rows) {
                    row.impulse = from + (to.impulse - from) * share;
                }
                energy(&other)
            };
            for share in [0.0, 0.5, 0.9, 1.1, 1.5] {
                let rounding = 1e-14 * (layers * layers * layers) as f64;
                assert!(least <= goes(share) + rounding, "{layers}, round {round}, share {share}");
            }
        }
    }
}

#[test]
fn impulses_below_the_least_are_raised_with_their_bodies() {
    let pyramid = Pyramid::new(5);
    let mut alone = pyramid.relaxation(0.0, &[], &[]);
    alone.rows.iter_mut().step_by(3).for_each(|row| row.impulse = row.least - 0.5);
    let mut normals = Normals::default();
    normals.load(&alone.movers, &alone.rows);
    let mut together = pyramid.relaxation(0.0, &[], &[]);
    let Normals { velocities, contacts, .. } = &mut normals;
    contacts.batches.iter_mut().for_each(|batch| batch.raise(velocities));
    normals.store(&mut together.movers, &mut together.rows);
    let before = alone.movers.clone();
    for row in alone.rows.iter_mut().step_by(3) {
        row.impulse = row.least;
        row.give(&mut alone.movers, 0.5, DVec3::ZERO);
    }
    assert_ne!(alone.movers, before);
    assert_eq!(together.rows, alone.rows);
    for (found, expected) in together.movers.iter().zip(&alone.movers) {
        assert!((found.linear - expected.linear).length() <= 1e-14, "{found:?} {expected:?}");
    }
}
