//! Contact forces: the accelerations with which no contact closes, and how long they stay constant.
//!
//! No contact accelerates inwards, none pulls, and a contact that opens has no force: complementarity at the level of
//! accelerations (Acary & Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, ch. 5). On flat
//! supports the solution holds until the next event. On a curved surface the normal turns with the body. There the
//! solution is taken to hold for a span in which the path departs from the surface by no more than the rest length,
//! always outwards; then it is computed again. The same holds where the direction of slip turns.

use glam::DVec3;

use super::settling::Settling;
use super::stick_slip::slide;
use super::{Contact, Surface};
use crate::dynamics::body::friction::Mode;
use crate::dynamics::error::RunError;
use crate::dynamics::few::Few;
use crate::dynamics::parts::Parts;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver;
use crate::dynamics::solver::problem::{ContactImpulse, Solution};
use crate::dynamics::solver::{ContactConstraint, FrictionModel, SolverBody};
use crate::dynamics::time_stepping::count_as_wedged;
use crate::motion::{Relative, SimTime};
use crate::numeric::tolerance::{CALM_SLACK, FADING_MIN, HALVINGS_MAX, SPAN_MAX};
use crate::sweep::rates_along;

/// A contact on a curved surface.
pub(in crate::dynamics) struct Curve {
    /// Its place among the contacts of its island.
    pub(in crate::dynamics) place: usize,
    /// From the centre of a to the centre of b, m.
    pub(in crate::dynamics) offset: DVec3,
    /// Rounding of the gap, m.
    pub(in crate::dynamics) rounding: f64,
}

/// The accelerations of an island's bodies, and the time of the next contact update.
pub(in crate::dynamics) fn solve_forces(
    parts: &mut Parts,
    settling: &mut Settling,
) -> Result<(Few<SolverBody>, Option<SimTime>), RunError> {
    let curves = parts.scene.curves(settling);
    let bound = parts.scene.bound(settling, &curves);
    let centripetals: Few<f64> = bound.iter().map(|bound| -bound).collect();
    let starts: Few<DVec3> = settling.constraints.iter().map(|constraint| constraint.normal).collect();
    let mut standing = parts.scene.solve_accelerations(settling, &bound)?;
    let mut span = parts.scene.span(settling, &curves, &standing);
    let scale = acceleration_scale(settling, &centripetals, parts.scene.settings.gravity);
    if span < f64::INFINITY {
        (standing, span) = parts.scene.solve_curved(settling, &curves, (standing, span), scale);
    }
    if settling.is_jammed {
        count_as_wedged(parts, &settling.island.bodies[..settling.island.free]);
    }
    let opening_of =
        |place: usize| starts[place].dot(linear(&settling.constraints[place], &standing.members)) + centripetals[place];
    let loose = |place: usize| standing.impulses[place].normal <= 0.0 && opening_of(place) > CALM_SLACK * scale;
    // A contact that began at this instant lasts until the next update. If it ended at once, the same impact would be
    // found again and again.
    let lasts = |place: usize| parts.scene.contacts.get(settling.island.contacts[place]).since < parts.scene.now;
    let opens = |place: usize| loose(place) && lasts(place);
    for place in (0..settling.constraints.len()).filter(|&place| loose(place) && !lasts(place)) {
        span = span.min(parts.scene.parting(settling, place, opening_of(place)));
    }
    let is_parting = |curve: &&Curve| loose(curve.place) && !lasts(curve.place);
    span = curves
        .iter()
        .filter(is_parting)
        .fold(span, |span, curve| parts.scene.span_while_open(settling, curve, &standing, span));
    // A contact without a gap does not end, even if it is pressed for a very short time only: the next prediction would
    // find the impact at this instant again.
    let rises = |curve: &&Curve| {
        let (before, after) =
            (settling.gaps[curve.place], parts.scene.gap_after(settling, curve, &standing.members, span));
        standing.impulses[curve.place].normal <= 0.0 && before > curve.rounding && after > before
    };
    let rising = curves.iter().filter(|_| span < f64::INFINITY).filter(rises).map(|curve| curve.place);
    let mut opening: Few<usize> = (0..settling.constraints.len()).filter(|&place| opens(place)).chain(rising).collect();
    opening.sort_unstable();
    opening.dedup();
    if !opening.is_empty() && parts.scene.holds_what_slides(settling) {
        // Without the contacts that open, sliding may be possible.
        parts.scene.end(settling, &opening);
        settling.constraints = parts.scene.constraints(&settling.island);
        return solve_forces(parts, settling);
    }
    let fadings = curves.iter().map(|curve| parts.scene.fading(settling, curve, &standing, span));
    span = fadings.fold(span, f64::min);
    for (place, &row) in settling.island.contacts.iter().enumerate() {
        let contact = parts.scene.contacts.get_mut(row);
        if standing.impulses[place].normal > 0.0 {
            contact.normal = settling.constraints[place].normal;
        }
        (contact.push, contact.pushed) = (standing.impulses[place], Some(parts.scene.now));
    }
    parts.scene.end(settling, &opening);
    let mut members = standing.members;
    drop_rounding(&mut members, &settling.constraints, CALM_SLACK * scale);
    let span = slide(parts, settling, &members, CALM_SLACK * scale, span);
    Ok((members, parts.scene.instant_after(span)))
}

impl Scene {
    /// Whether friction holds a contact that was sliding, since sliding friction would wedge its bodies.
    fn holds_what_slides(&self, settling: &Settling) -> bool {
        let mut contacts = settling.constraints.iter().zip(&settling.island.contacts);
        contacts.any(|(constraint, &row)| {
            let mut modes = constraint.friction.iter().zip(self.contacts.get(row).rubbing);
            modes.any(|(model, rubbing)| matches!(model, FrictionModel::Coulomb { .. }) && rubbing.along.is_some())
        })
    }

    /// The contact forces at this instant.
    pub(in crate::dynamics) fn contact_forces(&self, settling: &mut Settling) -> Result<Few<ContactImpulse>, RunError> {
        let bound = self.bound(settling, &self.curves(settling));
        Ok(self.solve_accelerations(settling, &bound)?.impulses)
    }

    /// The accelerations along the normals with which gaps neither open nor close, m/s².
    fn bound(&self, settling: &Settling, curves: &[Curve]) -> Few<f64> {
        let mut bound = Few::from_elem(0.0, settling.constraints.len());
        for curve in curves {
            bound[curve.place] = -self.centripetal(settling, curve, None, 0.0);
        }
        bound
    }

    /// The contacts of an island on curved surfaces.
    fn curves(&self, settling: &Settling) -> Few<Curve> {
        let rows = settling.island.contacts.iter().enumerate();
        let curved = rows.filter(|&(_, &row)| self.contacts.get(row).surface == Surface::Curved);
        let curve = |(place, &row): (usize, &u32)| {
            let Contact { pair, .. } = *self.contacts.get(row);
            let seen = pair.as_seen_from_path(&self.rows);
            let offset = seen.motion(&self.rows, &self.settings.space, self.now).position;
            Curve { place, offset, rounding: self.gap_rounding(pair, offset) }
        };
        curved.map(curve).collect()
    }

    /// The part of a gap's acceleration that comes from the turning of the normal, `after` seconds from now, m/s².
    pub(in crate::dynamics) fn centripetal(
        &self,
        settling: &Settling,
        curve: &Curve,
        accelerations: Option<&[SolverBody]>,
        after: f64,
    ) -> f64 {
        let constraint = &settling.constraints[curve.place];
        let contact = self.contacts.get(settling.island.contacts[curve.place]);
        let gained = accelerations.map_or(DVec3::ZERO, |members| linear(constraint, members) * after);
        let velocity = linear(constraint, &settling.members) + gained;
        // A ball exactly above the edge of a face counts as beyond it, whatever the rounding of its position.
        let ahead = velocity * (4.0 * curve.rounding / velocity.abs().max_element().max(f64::MIN_POSITIVE));
        let position = curve.offset + (velocity - gained * 0.5) * after + ahead;
        let motion = Relative { position, velocity, acceleration: DVec3::ZERO };
        let [a, b] = self.solids(contact.pair, contact.part);
        rates_along(a, b, &motion, contact.normal).acceleration
    }

    /// Solves for accelerations of which no contact is below its bound, m/s².
    pub(in crate::dynamics) fn solve_accelerations(
        &self,
        settling: &mut Settling,
        bound: &[f64],
    ) -> Result<Solution, RunError> {
        let gravity = self.settings.gravity;
        let free = |(place, member): (usize, &SolverBody)| SolverBody {
            linear: if place < settling.island.free { gravity } else { DVec3::ZERO },
            angular: DVec3::ZERO,
            ..*member
        };
        let members: Few<SolverBody> = settling.members.iter().enumerate().map(free).collect();
        let mut start = Few::with_capacity(bound.len());
        for ((constraint, &row), &bound) in settling.constraints.iter_mut().zip(&settling.island.contacts).zip(bound) {
            let (contact, frictions) = (self.contacts.get(row), self.frictions_at(row));
            constraint.bound = bound;
            constraint.friction = Mode::ALL.map(|mode| match (frictions.of(mode), contact.rubbing(mode).along) {
                (friction, Some(direction)) if friction > 0.0 => FrictionModel::Kinetic { friction, direction },
                (friction, _) => FrictionModel::holding(friction),
            });
            start.push(contact.push);
        }
        let solution = solver::solve(&members, &settling.constraints, &start);
        let finite = |member: &SolverBody| member.linear.is_finite() && member.angular.is_finite();
        let sound = |solution: &Solution| solution.is_sound(gravity.length()) && solution.members.iter().all(finite);
        if solution.as_ref().is_ok_and(sound) || settling.constraints.iter().all(ContactConstraint::is_smooth) {
            return solution.map_err(|error| self.squeezed(&settling.island, error.constraint));
        }
        // Sliding friction may wedge bodies so that no finite force is a solution (Painlevé 1895). Then friction holds
        // them instead.
        for model in settling.constraints.iter_mut().flat_map(|constraint| &mut constraint.friction) {
            if let FrictionModel::Kinetic { friction, .. } = *model {
                *model = FrictionModel::holding(friction);
            }
        }
        let solution = solver::solve(&members, &settling.constraints, &[]);
        solution.map_err(|error| self.squeezed(&settling.island, error.constraint))
    }

    /// The span for which the forces are taken as constant, s; infinite if no contact is on a curved surface.
    ///
    /// The path rises above its chord by an eighth of the centripetal acceleration times the square of the span. If
    /// that is at most the rest length, the path departs from the surface by less. A force that does not turn with the
    /// normal then changes the energy by no more than its work over a rest length.
    fn span(&self, settling: &Settling, curves: &[Curve], standing: &Solution) -> f64 {
        let rest_length = self.settings.rest_length;
        let pressed = curves.iter().filter(|curve| standing.impulses[curve.place].normal > 0.0);
        let span_of = |curve: &Curve| {
            let constraint = &settling.constraints[curve.place];
            let centripetal = |after: f64| self.centripetal(settling, curve, Some(&standing.members), after);
            let start = centripetal(0.0);
            let strays = |span: f64| {
                let end = centripetal(span);
                let velocity = linear(constraint, &settling.members) + linear(constraint, &standing.members) * span;
                let radius = velocity.length_squared() / start.max(end);
                let allowed = rest_length.max(CALM_SLACK * radius);
                start.max(end) * span * span > 8.0 * allowed
            };
            if centripetal(SPAN_MAX) <= 0.0 && start <= 0.0 {
                return f64::INFINITY;
            }
            let mut span = SPAN_MAX;
            for _ in 0..HALVINGS_MAX {
                if !strays(span) {
                    break;
                }
                span *= 0.5;
            }
            span
        };
        pressed.map(span_of).fold(f64::INFINITY, f64::min)
    }

    /// When the force of a contact vanishes, if it goes on decreasing as it has since the last contact update, s; not
    /// much less than the span.
    fn fading(&self, settling: &Settling, curve: &Curve, standing: &Solution, span: f64) -> f64 {
        let contact = self.contacts.get(settling.island.contacts[curve.place]);
        let push = standing.impulses[curve.place].normal;
        let before = contact.push.normal;
        match contact.pushed {
            Some(when) if push > 0.0 && before > push && span < f64::INFINITY => {
                (push * self.now.since(when) / (before - push)).max(FADING_MIN * span)
            }
            _ => span,
        }
    }

    /// The time until the gap of a contact that opens with `acceleration` is as wide as the rest length, s.
    fn parting(&self, settling: &Settling, place: usize, acceleration: f64) -> f64 {
        let pair = self.contacts.get(settling.island.contacts[place]).pair;
        // Without a rest length: until the gap exceeds rounding.
        let rest_length = self.settings.rest_length.max(self.rounding(pair).depth);
        let speed = settling.constraints[place].opening(&settling.members).max(0.0);
        2.0 * rest_length / (speed + (speed * speed + 2.0 * acceleration * rest_length).sqrt())
    }

    /// The part of the span in which a contact that begins to open stays open: on a curved surface it may close again.
    pub(in crate::dynamics) fn span_while_open(
        &self,
        settling: &Settling,
        curve: &Curve,
        standing: &Solution,
        mut span: f64,
    ) -> f64 {
        let bound = settling.gaps[curve.place].min(0.0) - curve.rounding;
        for _ in 0..HALVINGS_MAX {
            if self.lowest_gap(settling, curve, &standing.members, span) >= bound {
                break;
            }
            span *= 0.5;
        }
        span
    }
}

/// The linear velocity or acceleration of b relative to a.
pub(in crate::dynamics) fn linear(constraint: &ContactConstraint, members: &[SolverBody]) -> DVec3 {
    members[constraint.b].linear - members[constraint.a].linear
}

/// The largest acceleration in the island, m/s².
fn acceleration_scale(settling: &Settling, centripetals: &[f64], gravity: DVec3) -> f64 {
    let largest = centripetals.iter().fold(0.0, |most: f64, centripetal| most.max(centripetal.abs()));
    let free = if settling.island.free > 0 { gravity.abs().max_element() } else { 0.0 };
    free.max(largest)
}

/// Sets accelerations below rounding to zero, m/s²: angular ones where friction resists turning.
fn drop_rounding(members: &mut [SolverBody], constraints: &[ContactConstraint], rounding: f64) {
    let drop = |vector: &mut DVec3, lever: f64| {
        for axis in 0..3 {
            if vector[axis].abs() * lever <= rounding {
                vector[axis] = 0.0;
            }
        }
    };
    members.iter_mut().for_each(|member| drop(&mut member.linear, 1.0));
    for constraint in constraints.iter().filter(|constraint| constraint.resists_turning()) {
        let radius = constraint.lever(Mode::Rolling);
        for end in [constraint.a, constraint.b] {
            drop(&mut members[end].angular, radius);
        }
    }
}
