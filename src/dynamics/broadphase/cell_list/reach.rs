//! Which domains are in reach of another, several in a register.
//!
//! The result is a superset: balls with domains that are apart by no more than rounding count as in reach.

use glam::DVec3;
use pulp::{Simd, WithSimd};

use crate::dynamics::BodyId;
use crate::dynamics::body::path_record::Turn;
use crate::dynamics::prediction::simd::{LANES, NeighbourBlocks};
use crate::numeric::lane::{Lane, Mask};
use crate::numeric::tolerance::DOMAIN_SLACK;

/// The centre of a ball's domain, m, and the radius of the ball, m: a row of four numbers, as it is read into a
/// register.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct DomainBall([f64; 4]);

impl DomainBall {
    pub(super) fn new(center: DVec3, radius: f64) -> Self {
        Self([center.x, center.y, center.z, radius])
    }
}

/// A search for the balls with domains that a ball in its own domain may meet.
pub(super) struct InReach<'a> {
    pub(super) id: BodyId,
    pub(super) domains: &'a [DomainBall],
    pub(super) turns: &'a [Turn; 3],
    /// Radius of a domain, m.
    pub(super) margin: f64,
    /// Other balls, followed by copies of the ball itself.
    pub(super) candidates: NeighbourBlocks<'a>,
    /// Those in reach.
    pub(super) near: &'a mut Vec<BodyId>,
}

impl WithSimd for InReach<'_> {
    type Output = ();

    /// It is unpredictable which balls are in reach, so the code has no branch.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { id, domains, candidates, .. } = self;
        let (own, mut count) = (&domains[id.index()], 0);
        self.near.resize(candidates.ids().len() + LANES, id);
        for block in candidates.blocks() {
            for (part, others) in block.chunks(S::F64_LANES).enumerate() {
                let bits =
                    self.in_reach(simd, own, Lane::columns(simd, |row| &domains[block[row].index()].0, part)).bits();
                for (lane, &other) in others.iter().enumerate() {
                    self.near[count] = other;
                    count += usize::from((bits >> lane & 1 != 0) & (other != id));
                }
            }
        }
        self.near.truncate(count);
    }
}

impl InReach<'_> {
    #[inline(always)]
    fn in_reach<S: Simd>(&self, simd: S, own: &DomainBall, others: [Lane<S>; 4]) -> Mask<S> {
        let all = |number: f64| Lane::splat(simd, number);
        let (mut squared, mut extent) = (all(0.0), all(0.0));
        for ((&other, own), &Turn { length, half, .. }) in others.iter().zip(own.0).zip(self.turns) {
            let offset = (other - all(own)).abs();
            let nearest = offset.up_to(all(half)).choose(offset, all(length) - offset);
            squared = squared + nearest * nearest;
            extent = extent + (other.abs() + all(own.abs()));
        }
        let reach = others[3] + all(own.0[3] + 2.0 * self.margin);
        let widest = reach + (extent + reach) * all(DOMAIN_SLACK);
        squared.up_to(widest * widest)
    }
}
