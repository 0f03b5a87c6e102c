//! What contacts make of accelerations: pushes that keep what touches from closing, and how long they stay the same.
//!
//! No contact accelerates inwards, none pulls, and one that opens does not push: complementarity at the level of
//! accelerations (Acary & Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, 2008, ch. 5). On flat supports
//! the answer holds until something happens. Where a body goes round another one the normal turns with it; then the
//! answer is taken to hold for a span in which the path strays from the surface by no more than the rest length, always
//! outwards, and is looked for again. So it is where the direction of slip turns.

use glam::DVec3;

use super::velocities::Settling;
use super::{Contact, Surface};
use crate::dynamics::solver;
use crate::dynamics::solver::{Joint, Member, Push, Rub, Solution};
use crate::dynamics::state::{RunError, Stepper};
use crate::motion::{Relative, SimTime};
use crate::numeric::tolerance::CALM_SLACK;
use crate::sweep::rates_along;

/// Longest span for which the pushes of a moving contact are taken to stay the same, s.
const SPAN_MAX: f64 = 0.25;

/// Least part of the span that is looked at when a push comes to an end in it.
const FADING_MIN: f64 = 1.0 / 32.0;

/// Most halvings of a span: down to a few femtoseconds.
pub(in crate::dynamics) const HALVINGS_MAX: u32 = 48;

/// A contact on a curved surface: b seen from a.
pub(in crate::dynamics) struct Curve {
    /// Of the contact in its island.
    pub(in crate::dynamics) place: usize,
    pub(in crate::dynamics) offset: DVec3,
    /// What rounding may make of the gap, m.
    pub(in crate::dynamics) grain: f64,
}

impl Stepper {
    /// The accelerations of an island's bodies, and when they have to be looked at again.
    pub(in crate::dynamics) fn stand(
        &mut self,
        settling: &mut Settling,
    ) -> Result<(Vec<Member>, Option<SimTime>), RunError> {
        let curves = self.curves(settling);
        let least = self.least(settling, &curves);
        let bends: Vec<f64> = least.iter().map(|least| -least).collect();
        let starts: Vec<DVec3> = settling.joints.iter().map(|joint| joint.normal).collect();
        let mut standing = self.push_apart(settling, &least)?;
        let mut span = self.span(settling, &curves, &standing);
        let scale = acceleration_scale(settling, &bends, self.scene.settings.gravity);
        if span < f64::INFINITY {
            (standing, span) = self.follow(settling, &curves, (standing, span), scale);
        }
        let opening_of =
            |place: usize| starts[place].dot(linear(&settling.joints[place], &standing.members)) + bends[place];
        let loose = |place: usize| standing.pushes[place].normal <= 0.0 && opening_of(place) > CALM_SLACK * scale;
        // What has met at this instant stays in touch for it, or it might meet again and again.
        let lasts = |place: usize| self.scene.contacts.get(settling.island.contacts[place]).since < self.now;
        let opens = |place: usize| loose(place) && lasts(place);
        for place in (0..settling.joints.len()).filter(|&place| loose(place) && !lasts(place)) {
            span = span.min(self.parting(settling, place, opening_of(place)));
        }
        let parts = |curve: &&Curve| loose(curve.place) && !lasts(curve.place);
        span = curves.iter().filter(parts).fold(span, |span, curve| self.open_for(settling, curve, &standing, span));
        // One that touches and is pressed, be it for ever so short, would be met again at this very instant.
        let rises = |curve: &&Curve| {
            let (before, after) =
                (settling.gaps[curve.place], self.gap_after(settling, curve, &standing.members, span));
            standing.pushes[curve.place].normal <= 0.0 && before > curve.grain && after > before
        };
        let rising = curves.iter().filter(|_| span < f64::INFINITY).filter(rises).map(|curve| curve.place);
        let mut opening: Vec<usize> = (0..settling.joints.len()).filter(|&place| opens(place)).chain(rising).collect();
        opening.sort_unstable();
        opening.dedup();
        if !opening.is_empty() && self.holds_what_slides(settling) {
            // Without those that open it may slide.
            self.end(settling, &opening);
            settling.joints = self.scene.joints(&settling.island);
            return self.stand(settling);
        }
        let fadings = curves.iter().map(|curve| self.fading(settling, curve, &standing, span));
        span = fadings.fold(span, f64::min);
        for (place, &row) in settling.island.contacts.iter().enumerate() {
            let contact = self.scene.contacts.get_mut(row);
            if standing.pushes[place].normal > 0.0 {
                contact.normal = settling.joints[place].normal;
            }
            (contact.push, contact.pushed) = (standing.pushes[place], Some(self.now));
        }
        self.end(settling, &opening);
        let mut members = standing.members;
        calm(&mut members, CALM_SLACK * scale);
        let span = self.slide(settling, &members, CALM_SLACK * scale, span);
        Ok((members, self.instant_after(span)))
    }

    /// Whether friction holds a contact that slides, because sliding friction would wedge bodies.
    fn holds_what_slides(&self, settling: &Settling) -> bool {
        let mut contacts = settling.joints.iter().zip(&settling.island.contacts);
        contacts.any(|(joint, &row)| {
            matches!(joint.rub, Rub::Sticks { .. }) && self.scene.contacts.get(row).slides.is_some()
        })
    }

    /// The pushes at this instant.
    pub(in crate::dynamics) fn pushes(&self, settling: &mut Settling) -> Result<Vec<Push>, RunError> {
        let least = self.least(settling, &self.curves(settling));
        Ok(self.push_apart(settling, &least)?.pushes)
    }

    /// The accelerations along the normals with which gaps neither open nor close, m/s².
    fn least(&self, settling: &Settling, curves: &[Curve]) -> Vec<f64> {
        let mut least = vec![0.0; settling.joints.len()];
        for curve in curves {
            least[curve.place] = -self.bend(settling, curve, None, 0.0);
        }
        least
    }

    fn curves(&self, settling: &Settling) -> Vec<Curve> {
        let rows = settling.island.contacts.iter().enumerate();
        let curved = rows.filter(|&(_, &row)| self.scene.contacts.get(row).surface == Surface::Curved);
        let curve = |(place, &row): (usize, &u32)| {
            let Contact { pair, .. } = *self.scene.contacts.get(row);
            let seen = pair.as_seen_from_path(&self.scene.rows);
            let offset = seen.motion(&self.scene.rows, &self.scene.settings.space, self.now).position;
            Curve { place, offset, grain: self.scene.gap_grain(pair, offset) }
        };
        curved.map(curve).collect()
    }

    /// The part of a gap's acceleration that comes from going round, `after` seconds from now, m/s².
    pub(in crate::dynamics) fn bend(
        &self,
        settling: &Settling,
        curve: &Curve,
        accelerations: Option<&[Member]>,
        after: f64,
    ) -> f64 {
        let joint = &settling.joints[curve.place];
        let contact = self.scene.contacts.get(settling.island.contacts[curve.place]);
        let gained = accelerations.map_or(DVec3::ZERO, |members| linear(joint, members) * after);
        let velocity = linear(joint, &settling.members) + gained;
        // A ball at the very edge of a face is beyond it, however its place is rounded.
        let ahead = velocity * (4.0 * curve.grain / velocity.abs().max_element().max(f64::MIN_POSITIVE));
        let position = curve.offset + (velocity - gained * 0.5) * after + ahead;
        let motion = Relative { position, velocity, acceleration: DVec3::ZERO };
        let [a, b] = self.scene.solids(contact.pair, contact.part);
        rates_along(a, b, &motion, contact.normal).acceleration
    }

    /// Solves for accelerations no contact of which is below what is demanded of it, m/s².
    pub(in crate::dynamics) fn push_apart(&self, settling: &mut Settling, least: &[f64]) -> Result<Solution, RunError> {
        let gravity = self.scene.settings.gravity;
        let free = |(place, member): (usize, &Member)| Member {
            linear: if place < settling.island.free { gravity } else { DVec3::ZERO },
            angular: DVec3::ZERO,
            ..*member
        };
        let members: Vec<Member> = settling.members.iter().enumerate().map(free).collect();
        let mut start = Vec::with_capacity(least.len());
        for ((joint, &row), &least) in settling.joints.iter_mut().zip(&settling.island.contacts).zip(least) {
            let contact = self.scene.contacts.get(row);
            let friction = self.scene.friction(contact.pair);
            joint.least = least;
            joint.rub = match contact.slides {
                _ if friction == 0.0 => Rub::Smooth,
                Some(direction) => Rub::Slides { friction, direction },
                None => Rub::Sticks { friction, wanted: DVec3::ZERO },
            };
            start.push(contact.push);
        }
        let solution = solver::solve(&members, &settling.joints, &start);
        let finite = |member: &Member| member.linear.is_finite() && member.angular.is_finite();
        let sound = |solution: &Solution| solution.is_sound(gravity.length()) && solution.members.iter().all(finite);
        if solution.as_ref().is_ok_and(sound) || settling.joints.iter().all(|joint| joint.rub == Rub::Smooth) {
            return solution.map_err(|error| self.squeezed(&settling.island, error.joint));
        }
        // Sliding friction may wedge bodies so that no push does (Painlevé 1895): then it holds them instead.
        for joint in &mut settling.joints {
            if let Rub::Slides { friction, .. } = joint.rub {
                joint.rub = Rub::Sticks { friction, wanted: DVec3::ZERO };
            }
        }
        let solution = solver::solve(&members, &settling.joints, &[]);
        solution.map_err(|error| self.squeezed(&settling.island, error.joint))
    }

    /// For how long the pushes may be taken to stay the same, s; infinite if nothing goes round anything.
    ///
    /// The way round rises above its chord by an eighth of the bend times the square of the span. As long as that is no more
    /// than the rest length, the path strays from the surface by less, and a push that does not turn with the normal moves
    /// its bodies' energy to and fro by no more than its work over a rest length.
    fn span(&self, settling: &Settling, curves: &[Curve], standing: &Solution) -> f64 {
        let rest_length = self.scene.settings.rest_length;
        let pressed = curves.iter().filter(|curve| standing.pushes[curve.place].normal > 0.0);
        let span_of = |curve: &Curve| {
            let joint = &settling.joints[curve.place];
            let bend = |after: f64| self.bend(settling, curve, Some(&standing.members), after);
            let start = bend(0.0);
            let strays = |span: f64| {
                let end = bend(span);
                let velocity = linear(joint, &settling.members) + linear(joint, &standing.members) * span;
                let radius = velocity.length_squared() / start.max(end);
                let allowed = rest_length.max(CALM_SLACK * radius);
                start.max(end) * span * span > 8.0 * allowed
            };
            if bend(SPAN_MAX) <= 0.0 && start <= 0.0 {
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

    /// When the push of a contact comes to an end, if it goes on falling as it has since it was last looked at, s; not much
    /// less than the span.
    fn fading(&self, settling: &Settling, curve: &Curve, standing: &Solution, span: f64) -> f64 {
        let contact = self.scene.contacts.get(settling.island.contacts[curve.place]);
        let push = standing.pushes[curve.place].normal;
        let before = contact.push.normal;
        match contact.pushed {
            Some(when) if push > 0.0 && before > push && span < f64::INFINITY => {
                (push * self.now.since(when) / (before - push)).max(FADING_MIN * span)
            }
            _ => span,
        }
    }

    /// When the gap of a contact that opens with `acceleration` will be as wide as the rest length, s.
    fn parting(&self, settling: &Settling, place: usize, acceleration: f64) -> f64 {
        let pair = self.scene.contacts.get(settling.island.contacts[place]).pair;
        // Without a rest length, when it is more than rounding.
        let rest_length = self.scene.settings.rest_length.max(self.scene.grain(pair).depth);
        let speed = settling.joints[place].opening(&settling.members).max(0.0);
        2.0 * rest_length / (speed + (speed * speed + 2.0 * acceleration * rest_length).sqrt())
    }

    /// The span, or as much of it as a contact that begins to open stays open: on its way round it may come back.
    pub(in crate::dynamics) fn open_for(
        &self,
        settling: &Settling,
        curve: &Curve,
        standing: &Solution,
        mut span: f64,
    ) -> f64 {
        let least = settling.gaps[curve.place].min(0.0) - curve.grain;
        for _ in 0..HALVINGS_MAX {
            if self.gap_after(settling, curve, &standing.members, span) >= least {
                break;
            }
            span *= 0.5;
        }
        span
    }
}

/// The linear part of b seen from a.
pub(in crate::dynamics) fn linear(joint: &Joint, members: &[Member]) -> DVec3 {
    members[joint.b].linear - members[joint.a].linear
}

/// The largest acceleration in play, m/s².
fn acceleration_scale(settling: &Settling, bends: &[f64], gravity: DVec3) -> f64 {
    let bent = bends.iter().fold(0.0, |most: f64, bend| most.max(bend.abs()));
    let free = if settling.island.free > 0 { gravity.abs().max_element() } else { 0.0 };
    free.max(bent)
}

/// Takes off what rounding leaves of accelerations, m/s².
fn calm(members: &mut [Member], grain: f64) {
    for member in members {
        for axis in 0..3 {
            if member.linear[axis].abs() <= grain {
                member.linear[axis] = 0.0;
            }
        }
    }
}
