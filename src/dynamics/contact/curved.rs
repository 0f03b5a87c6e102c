//! Contacts on curved surfaces: accelerations with which no gap closes while the normal turns.
//!
//! Forces along the normal of one instant would let a curved contact close, or do work, before the next contact update.
//! So they are computed for the normal in the middle of the span for which they stay constant.

use glam::DVec3;

use super::geometry::{Curve, Geometry, linear};
use super::update::{Turning, Update};
use crate::dynamics::body::friction::Mode;
use crate::dynamics::few::Few;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::problem::Solution;
use crate::dynamics::solver::{ContactConstraint, SolverBody};
use crate::geometry::gap;
use crate::numeric::tolerance::{CALM_SLACK, CORRECTIONS_MAX, HALVINGS_MAX, JAMMED_SPAN, RECOVERY_TIME};

impl Scene {
    /// Solves again for forces along the normals in the middle of the span, so that they do no work and no gap closes
    /// in the span. The bounds are corrected by their residuals; where that does not converge, the span is halved.
    /// `first` is the solution along the normals of the present.
    pub(in crate::dynamics) fn solve_curved(
        &self,
        update: &mut Update,
        geometry: &Geometry,
        (first, mut span): (&Solution, f64),
    ) -> (Solution, f64) {
        let Geometry { curves, constraints, scale, .. } = geometry;
        update.is_wedged = false;
        let shortest = JAMMED_SPAN * span;
        'spans: for _ in 0..HALVINGS_MAX {
            let mut bound = Few::from_elem(0.0, update.constraints.len());
            update.constraints.clone_from(constraints);
            // Where friction wedges bodies, the corrections may diverge. A shorter span starts without the corrections
            // of the longer one.
            let mut standing = first.clone();
            for curve in curves {
                let start = &constraints[curve.place];
                let wanted = self.demand(update, curve, &standing.members, span);
                update.constraints[curve.place] = self.turned(update, curve, &standing.members, 0.5 * span);
                let constraint = &update.constraints[curve.place];
                let turned = constraint.normal - start.normal;
                bound[curve.place] = wanted + turned.dot(linear(constraint, &standing.members));
            }
            for round in 0..CORRECTIONS_MAX {
                self.lean(update, geometry, &standing, span);
                for curve in curves {
                    update.turning[curve.place].drift = self.drift(update, geometry, curve, &standing.members, span);
                }
                let found = self.solve_accelerations(update, &bound, false).ok();
                let Some(solution) = found.filter(|solution| solution.meets(*scale)) else {
                    if span > shortest {
                        break;
                    }
                    // Where there is no space to remove overlaps, the first solution is used while no overlap gets
                    // deeper. Its forces are along the normals of the present, to which the slip is tangential.
                    let whole = span;
                    span = span_while_met(curves, first, *scale, span);
                    span = curves.iter().fold(span, |span, curve| self.span_while_open(update, curve, first, span));
                    update.is_wedged = span < whole;
                    break 'spans;
                };
                standing = solution;
                let mut is_missed = false;
                for curve in curves {
                    let found = constraints[curve.place].opening(&standing.members);
                    let miss = self.demand(update, curve, &standing.members, span) - found;
                    is_missed |= miss > 2.0 * curve.rounding / (span * span);
                    bound[curve.place] += miss;
                }
                let is_right = || {
                    !self.overshoots(update, curves, &standing, span)
                        && !self.slips_visibly(update, geometry, &standing, span)
                };
                if !is_missed && round > 0 && is_right() {
                    return (standing, span);
                }
            }
            span *= 0.5;
        }
        update.constraints.clone_from(constraints);
        update.turning.fill(Turning::default());
        (first.clone(), span)
    }

    /// Whether a contact has a force and yet opens visibly in the span. Where friction wedges bodies, a force far
    /// larger than the load may meet all bounds; it would add energy.
    fn overshoots(&self, update: &Update, curves: &[Curve], standing: &Solution, span: f64) -> bool {
        let rise = self.largest_rise();
        curves.iter().any(|curve| {
            let seen = 2.0 * rise.max(CALM_SLACK * curve.offset.length());
            let after = self.gap_after(update, curve, &standing.members, span);
            standing.impulses[curve.place].normal > 0.0 && after - update.gaps[curve.place].max(0.0) > seen
        })
    }

    /// Whether a contact that friction holds has a visible slip at the end of the span.
    fn slips_visibly(&self, update: &Update, geometry: &Geometry, standing: &Solution, span: f64) -> bool {
        let most = self.held_slip();
        most > 0.0
            && geometry.curves.iter().any(|curve| {
                let middle = &update.constraints[curve.place];
                let end = self.turned(update, curve, &standing.members, span);
                let row = update.island.contacts[curve.place];
                Mode::ALL.into_iter().any(|mode| {
                    let gained =
                        middle.motion(&standing.members, mode) + update.turning[curve.place].drift[mode as usize];
                    let slip = end.motion(&update.members, mode) + end.motion(&standing.members, mode) * span;
                    let lever = middle.lever(mode);
                    self.contacts.get(row).slip(mode).along.is_none()
                        && self.frictions_at(row).of(mode) > 0.0
                        && gained.length() * lever <= geometry.rounding()
                        && slip.length() * lever > most
                })
            })
    }

    /// The smallest acceleration along its first normal with which a contact does not get deeper in the span, m/s². A
    /// gap may close to zero; an overlap is removed.
    fn demand(&self, update: &Update, curve: &Curve, accelerations: &[SolverBody], span: f64) -> f64 {
        let before = update.gaps[curve.place];
        let time = if before > 0.0 { span } else { span.max(RECOVERY_TIME) };
        let demand = -self.centripetal_min(update, curve, accelerations, span) - 2.0 * before / (time * time);
        // Where one kind of surface ends and another begins, the gap does not change by the centripetal acceleration
        // alone.
        let after = self.gap_after(update, curve, accelerations, span);
        let deeper = before.min(0.0) - after;
        if deeper <= curve.rounding {
            return demand;
        }
        let constraint = &update.constraints[curve.place];
        let normal = self.contacts.get(update.island.contacts[curve.place]).normal;
        demand.max(normal.dot(linear(constraint, accelerations))) + 2.0 * deeper / (span * span)
    }

    /// A contact with the normal that it has after a span.
    pub(in crate::dynamics) fn turned(
        &self,
        update: &Update,
        curve: &Curve,
        accelerations: &[SolverBody],
        span: f64,
    ) -> ContactConstraint {
        let constraint = update.constraints[curve.place];
        let contact = self.contacts.get(update.island.contacts[curve.place]);
        let [a, b] = self.solids(contact.pair, contact.part);
        let offset = curve.offset + self.displacement(update, curve.place, accelerations, span);
        match gap(a, b, offset) {
            Some(found) => {
                let arms = self.arms([contact.pair.a, contact.pair.b], found.normal);
                ContactConstraint { normal: found.normal, arms, ..constraint }
            }
            None => constraint,
        }
    }

    /// How slip, rolling and spinning at a contact change because its normal turns in a span, m/s² and rad/s².
    fn drift(
        &self,
        update: &Update,
        geometry: &Geometry,
        curve: &Curve,
        accelerations: &[SolverBody],
        span: f64,
    ) -> [DVec3; 3] {
        let frictions = self.frictions_at(update.island.contacts[curve.place]);
        if Mode::ALL.iter().all(|&mode| frictions.of(mode) == 0.0) {
            return [DVec3::ZERO; 3];
        }
        let middle = &update.constraints[curve.place];
        let ends = [geometry.constraints[curve.place], self.turned(update, curve, accelerations, span)];
        Mode::ALL.map(|mode| {
            let drift = middle.drift(&ends, [&update.members, accelerations], mode, span);
            // A body at rest keeps a spin of exactly zero.
            if drift.length() * middle.lever(mode) <= geometry.rounding() { DVec3::ZERO } else { drift }
        })
    }

    /// The relative displacement of b seen from a in a span, m.
    fn displacement(&self, update: &Update, place: usize, accelerations: &[SolverBody], span: f64) -> DVec3 {
        let constraint = &update.constraints[place];
        (linear(constraint, &update.members) + linear(constraint, accelerations) * (0.5 * span)) * span
    }

    /// The smallest centripetal acceleration of the gap up to the middle of the span, m/s², approximated as a parabola
    /// in time.
    fn centripetal_min(&self, update: &Update, curve: &Curve, accelerations: &[SolverBody], span: f64) -> f64 {
        let [start, middle, end] =
            [0.0, 0.25, 0.5].map(|share| self.centripetal(update, curve, Some(accelerations), share * span));
        let (slope, curvature) = (4.0 * middle - 3.0 * start - end, 2.0 * (start - 2.0 * middle + end));
        let lowest = -slope / (2.0 * curvature);
        let ends = start.min(end);
        if curvature > 0.0 && lowest > 0.0 && lowest < 1.0 {
            let least = start + 0.5 * slope * lowest;
            if ends > 0.0 { least.clamp(0.0, ends) } else { least.clamp(2.0 * ends, ends) }
        } else {
            ends
        }
    }

    /// The gap of a contact at the end of a span, m.
    pub(in crate::dynamics) fn gap_after(
        &self,
        update: &Update,
        curve: &Curve,
        accelerations: &[SolverBody],
        span: f64,
    ) -> f64 {
        let contact = self.contacts.get(update.island.contacts[curve.place]);
        let [a, b] = self.solids(contact.pair, contact.part);
        gap(a, b, curve.offset + self.displacement(update, curve.place, accelerations, span))
            .map_or(0.0, |gap| gap.separation)
    }
}

/// The span in which a solution with a residual makes no contact deeper by more than the rounding, s.
fn span_while_met(curves: &[Curve], solution: &Solution, scale: f64, span: f64) -> f64 {
    if solution.meets(scale) {
        return span;
    }
    let rounding = curves.iter().map(|curve| curve.rounding).fold(f64::INFINITY, f64::min);
    span.min((2.0 * rounding / solution.residual).sqrt())
}
