//! For how long the contact forces of an island are taken as constant: until the path departs from a curved surface, a
//! contact opens, or the direction of friction turns.

use glam::DVec3;

use super::Contact;
use super::geometry::{Curve, Geometry, linear};
use super::update::Update;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::SolverBody;
use crate::dynamics::solver::problem::Solution;
use crate::motion::Relative;
use crate::numeric::tolerance::{CALM_SLACK, HALVINGS_MAX, SPAN_MAX};
use crate::sweep;

/// Whether the bodies of a contact neither move relative to each other nor accelerate, to rounding.
fn stands(update: &Update, geometry: &Geometry, curve: &Curve, standing: &Solution) -> bool {
    let constraint = &update.constraints[curve.place];
    let is_steady = |end: usize| standing.members[end].linear.abs().max_element() <= geometry.rounding();
    linear(constraint, &update.members) == DVec3::ZERO && is_steady(constraint.a) && is_steady(constraint.b)
}

/// The time in which a body at this speed (m/s) that accelerates along its way (m/s²) goes so far, s; infinite at rest.
fn time_of_way(way: f64, speed: f64, acceleration: f64) -> f64 {
    2.0 * way / (speed + (speed * speed + 2.0 * acceleration * way).sqrt())
}

impl Scene {
    /// The span for which the forces are taken as constant, s; infinite if no contact is on a curved surface.
    ///
    /// The path rises above its chord by an eighth of the centripetal acceleration times the square of the span. If
    /// that is at most the rest height, the path departs from the surface by less. A force that does not turn with the
    /// normal then changes the energy by no more than its work over a rest height. Where a force is larger than the
    /// weight of all bodies, the path departs by less, so that this work is no larger either. Bodies at rest do not
    /// need new forces.
    pub(in crate::dynamics) fn span(&self, update: &Update, geometry: &Geometry, standing: &Solution) -> f64 {
        let rise = self.largest_rise();
        let curves = geometry.curves.iter().filter(|curve| !stands(update, geometry, curve, standing));
        let pressed = curves.filter(|curve| standing.impulses[curve.place].normal > 0.0);
        let mass: f64 = update.members[..update.island.free].iter().map(|member| 1.0 / member.inverse_mass).sum();
        let weight = mass * self.settings.gravity.length();
        let span_of = |curve: &Curve| {
            let constraint = &update.constraints[curve.place];
            let force = standing.impulses[curve.place].normal;
            let share = if force > weight && weight > 0.0 { weight / force } else { 1.0 };
            // Along a wall that is met from inside it presses.
            let centripetal = |after: f64| self.centripetal(update, curve, Some(&standing.members), after).abs();
            let start = centripetal(0.0);
            let slips_visibly = |span: f64| {
                let end = centripetal(span);
                let velocity = linear(constraint, &update.members) + linear(constraint, &standing.members) * span;
                let radius = velocity.length_squared() / start.max(end);
                let allowed = (rise * share).max(CALM_SLACK * radius);
                0.5 * start.max(end) * (0.5 * span) * (0.5 * span) > allowed
            };
            if centripetal(SPAN_MAX) == 0.0 && start == 0.0 {
                return f64::INFINITY;
            }
            let mut span = SPAN_MAX;
            for _ in 0..HALVINGS_MAX {
                if !slips_visibly(span) {
                    break;
                }
                span *= 0.5;
            }
            span
        };
        pressed.map(span_of).fold(f64::INFINITY, f64::min)
    }

    /// In which time the bodies of a contact surely move relative to each other by more than the rounding of their
    /// positions, s; infinite if they do not move.
    fn shortest(update: &Update, curve: &Curve, standing: &Solution) -> f64 {
        let constraint = &update.constraints[curve.place];
        let most = |members: &[SolverBody]| linear(constraint, members).abs().max_element();
        time_of_way(4.0 * curve.rounding, most(&update.members), most(&standing.members))
    }

    /// When the nearest features of the two bodies of a contact change, s from now. Up to then the centripetal
    /// acceleration has no jump. At the latest when the smaller body has moved by its own half extent.
    fn next_bend(&self, update: &Update, curve: &Curve, standing: &Solution) -> f64 {
        let constraint = &update.constraints[curve.place];
        let contact = self.contacts.get(update.island.contacts[curve.place]);
        let [a, b] = self.solids(contact.pair, contact.part);
        let (velocity, acceleration) = (linear(constraint, &update.members), linear(constraint, &standing.members));
        let motion = Relative { position: curve.offset, velocity, acceleration };
        let half = [contact.pair.a, contact.pair.b].map(|id| self.rows.shape(id).half_extents().max_element());
        let far = time_of_way(half[0].min(half[1]), velocity.length(), acceleration.length());
        sweep::next_bend(a, b, &motion, Self::shortest(update, curve, standing)).min(far)
    }

    /// When the normal of a pressed contact has turned so far that its force would have to pull, s from now; `span` if
    /// it has not by then.
    fn time_of_leaving(
        &self,
        update: &Update,
        geometry: &Geometry,
        curve: &Curve,
        standing: &Solution,
        span: f64,
    ) -> f64 {
        let (constraint, force) = (&update.constraints[curve.place], &standing.impulses[curve.place]);
        let Contact { pair, force: held, .. } = *self.contacts.get(update.island.contacts[curve.place]);
        let free = linear(constraint, &standing.members) - force.vector(constraint.normal) * self.pressing(pair, 1.0);
        let leaves = |after: f64| {
            let normal = self.turned(update, curve, &standing.members, after).normal;
            let centripetal = self.centripetal(update, curve, Some(&standing.members), after);
            normal.dot(free) + centripetal > 2.0 * geometry.rounding()
        };
        if held.normal.max(force.normal) <= 0.0 || leaves(0.0) || !leaves(span) {
            return span;
        }
        let (mut before, mut after) = (0.0, span);
        for _ in 0..HALVINGS_MAX {
            let middle = 0.5 * (before + after);
            *if leaves(middle) { &mut after } else { &mut before } = middle;
        }
        after.max(Self::shortest(update, curve, standing)).min(span)
    }

    /// The time until the gap of a contact that opens with `acceleration` is as wide as the rest height, s.
    fn parting(&self, update: &Update, place: usize, acceleration: f64) -> f64 {
        let pair = self.contacts.get(update.island.contacts[place]).pair;
        // Without a rest height: until the gap exceeds rounding.
        let rest_height = self.settings.rest_height.max(self.rounding(pair).depth);
        let speed = update.constraints[place].opening(&update.members).max(0.0);
        time_of_way(rest_height, speed, acceleration)
    }

    /// The part of the span in which a contact that begins to open stays open, s. On a curved surface it may close
    /// again, and open once more before the end of the span. So the gap is computed at increasing times, beginning with
    /// the shortest.
    pub(in crate::dynamics) fn span_while_open(
        &self,
        update: &Update,
        curve: &Curve,
        standing: &Solution,
        span: f64,
    ) -> f64 {
        let bound = update.gaps[curve.place].min(0.0) - curve.rounding;
        let is_open = |time: f64| self.gap_after(update, curve, &standing.members, time) >= bound;
        let shortest = span / (1_u64 << HALVINGS_MAX) as f64;
        let mut open = shortest;
        while open < span && is_open(2.0 * open) {
            open *= 2.0;
        }
        let stays = |span: f64| [1.0, 2.0, 3.0, 4.0].iter().all(|quarter| is_open(quarter / 4.0 * span));
        while open > shortest && !stays(open) {
            open *= 0.5;
        }
        open
    }

    /// The part of a span at the end of which the forces have to be computed again, s.
    pub(in crate::dynamics) fn cut(
        &self,
        update: &Update,
        geometry: &Geometry,
        standing: &Solution,
        mut span: f64,
    ) -> f64 {
        let begins_to_open = |place: usize| geometry.is_loose(place, standing) && !self.lasts(update, place);
        for place in (0..geometry.constraints.len()).filter(|&place| begins_to_open(place)) {
            span = span.min(self.parting(update, place, geometry.opening(place, &standing.members)));
        }
        for curve in geometry.curves.iter().filter(|curve| begins_to_open(curve.place)) {
            span = self.span_while_open(update, curve, standing, span);
        }
        for curve in geometry.curves.iter().filter(|curve| !stands(update, geometry, curve, standing)) {
            span = span.min(self.next_bend(update, curve, standing));
            span = self.time_of_leaving(update, geometry, curve, standing, span);
        }
        span
    }

    /// Whether a contact began before this instant. One that began now lasts until the next update: if it ended at
    /// once, the same impact would be found again and again.
    pub(in crate::dynamics) fn lasts(&self, update: &Update, place: usize) -> bool {
        self.contacts.get(update.island.contacts[place]).since < self.now
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::dynamics::contact::tests::rough;
    use crate::dynamics::{Body, BodyId};
    use crate::motion::SimTime;

    /// Bodies at rest need no work, even where contacts are curved and solved by iteration.
    #[test]
    fn bodies_at_rest_on_curved_surfaces_need_no_contact_updates() {
        let hill = |x: f64| Body::sphere(1.0, 1.0).unwrap().fixed().at(DVec3::new(x, 0.3, 0.0));
        let ball = |x: f64, z: f64| Body::sphere(0.4, 1.0).unwrap().at(DVec3::new(x, 0.3, z));
        let cube = |x: f64, z: f64| Body::cuboid(DVec3::splat(0.4), 1.0).unwrap().at(DVec3::new(x, 0.2, z));
        let groove = vec![hill(-0.8), hill(0.9), ball(0.05, 1.2)];
        let tower = vec![hill(0.0), cube(0.1, 1.45), cube(-0.1, 2.3), cube(0.1, 3.15)];
        let wall = vec![hill(-0.8), hill(0.9), cube(-0.78, 1.45), cube(0.05, 1.45), cube(0.88, 1.45)];
        for (title, bodies) in [("groove", groove), ("tower", tower), ("wall", wall)] {
            let mut stepper = rough(0.6, &bodies);
            stepper.advance(SimTime::from_seconds(10.0), usize::MAX).unwrap();
            for id in (0..bodies.len() as u32).map(BodyId).filter(|id| bodies[id.index()].is_free()) {
                assert_eq!(stepper.state(id).velocity, DVec3::ZERO, "{title}: {id:?}");
                assert_eq!(*stepper.sim.scene.due.get(id), None, "{title}: {id:?}");
            }
        }
    }
}
