//! The problem of one time step: the gaps of all listed pairs, and the contacts that the solver keeps open.
//!
//! Gaps are those at the beginning of the step. The distance of two convex bodies in straight motion is a convex
//! function of time, so a gap that is kept to first order is kept all the time.

use glam::DVec3;

use super::island::{NO_CONTACT, PairList, SteppedIsland};
use super::relaxation::Relaxation;
use super::relaxation::row::{CoupleRow, FrictionRow, Mover, Row};
use crate::dynamics::BodyId;
use crate::dynamics::body::friction::Frictions;
use crate::dynamics::scene::Scene;
use crate::dynamics::solver::problem::{ContactImpulse, Solution};
use crate::dynamics::solver::{self, ContactConstraint, SolverBody};
use crate::geometry::Shape;
use crate::numeric::tolerance::{
    GAP_LEFT, GAP_RECOVERED, JAMMED_MAX, OVERLAP_ALLOWED, RECOVERY_SHARE, START_OVERLAP_SLACK, STEP_SLOWEST,
    SWEEPS_MAX, SWEEPS_MAX_FEW,
};

/// The data of a listed pair in this step. It has the same place as the pair in the list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) ends: [u32; 2],
    /// From a to b.
    pub(super) normal: DVec3,
    /// The gap plus the overlap that is allowed, m.
    pub(super) gap: f64,
    /// By how much courses move into the gap faster at the start of the step than in its mean, m/s.
    lead: f64,
    /// How fast an arc comes towards a body that moves along it, per square of its way, 1/m.
    bend: f64,
    /// The row of its contact; [`NO_CONTACT`] if it has none.
    pub(super) row: u32,
}

/// The members, the bodies near them, and the contacts of a step.
pub(super) struct StepProblem {
    /// Number of members: the first bodies.
    pub(super) free: usize,
    /// Length of the step, s.
    pub(super) length: f64,
    /// The gap that is kept, m.
    pub(super) target_gap: f64,
    /// m/s².
    pub(super) gravity: DVec3,
    /// Velocities before the step, of members and bodies outside.
    pub(super) before: Vec<SolverBody>,
    /// The radius of each member that is a sphere; otherwise zero, m.
    pub(super) radii: Vec<f64>,
    pub(super) candidates: Vec<Candidate>,
    /// The candidate of each row.
    pub(super) listed: Vec<u32>,
    pub(super) relaxation: Relaxation,
    /// Whether any contact has friction.
    pub(super) is_rough: bool,
    /// Whether any contact has friction against rolling or spinning.
    resists_turning: bool,
    /// The overlap that is allowed, m: bodies that come to touch by an impact have no gap.
    pub(super) overlap: f64,
    /// Whether the exact solver was used.
    is_exact: bool,
    /// Whether gaps that are nearly used up grow in this step.
    pub(super) recovers: bool,
}

impl StepProblem {
    /// The problem of an island's next step.
    pub(super) fn new(scene: &Scene, island: &SteppedIsland, length: f64) -> Self {
        let free = island.members.len();
        let outside = island.list.outside.iter();
        let members = island.members.iter().map(|&id| scene.member(id, scene.now));
        let wall = |&id: &BodyId| SolverBody { linear: scene.mean_velocity(id, length), ..scene.member(id, scene.now) };
        let before: Vec<SolverBody> = members.chain(outside.map(wall)).collect();
        let radius = |&id: &BodyId| match scene.rows.shape(id) {
            Shape::Sphere(radius) => radius.get(),
            _ => 0.0,
        };
        let radii: Vec<f64> = island.members.iter().map(radius).collect();
        let gravity = scene.settings.gravity;
        let mover = |(place, member): (usize, &SolverBody)| match radii.get(place) {
            Some(&radius) => Mover {
                linear: member.linear + gravity * length,
                inverse_mass: member.inverse_mass,
                turning: member.angular * radius,
                inverse_inertia: member.inverse_inertia * radius * radius,
            },
            None => Mover::default(),
        };
        let movers = before.iter().enumerate().map(mover).collect();
        let frictions = || island.list.pairs.iter().map(|listed| scene.frictions(listed.pair));
        let mut problem = Self {
            free,
            length,
            target_gap: island.target_gap,
            gravity,
            before,
            radii,
            candidates: Vec::with_capacity(island.list.pairs.len()),
            listed: Vec::new(),
            relaxation: Relaxation::new(movers),
            is_rough: frictions().any(|frictions| frictions.act()),
            resists_turning: frictions().any(|frictions| frictions.resist_turning()),
            overlap: scene.overlap_allowed(island),
            is_exact: false,
            recovers: true,
        };
        problem.look(scene, island);
        problem
    }

    /// Computes the gaps, and adds contacts for the pairs that may come too close in this step.
    fn look(&mut self, scene: &Scene, island: &SteppedIsland) {
        let outside = island.list.outside.iter();
        let positions: Vec<DVec3> =
            island.members.iter().chain(outside).map(|&id| scene.rows.path(id).position_at(scene.now)).collect();
        let is_periodic = scene.settings.space.periods.iter().any(Option::is_some);
        for listed in &island.list.pairs {
            let pair = if is_periodic { listed.pair.as_seen_from_path(&scene.rows) } else { listed.pair };
            let [a, b] = listed.ends.map(|end| end as usize);
            let offset = pair.image_offset(positions[b] - positions[a], &scene.settings.space);
            let displacement = (self.before[b].linear - self.before[a].linear) * self.length;
            let found = scene.gap_of(pair, listed.part, offset, displacement);
            let (gap, normal) = found.map_or((f64::INFINITY, DVec3::X), |(gap, normal)| (gap + self.overlap, normal));
            let lead = scene.lead(pair, normal, self.length);
            let bend = if scene.rows.arcs.is_empty() { 0.0 } else { scene.bend(pair, offset) };
            self.candidates.push(Candidate { ends: listed.ends, normal, gap, lead, bend, row: NO_CONTACT });
        }
        let work = self.candidates.iter().zip(&island.list.pairs).map(|(candidate, listed)| {
            island.list.force(listed).normal * self.change_allowed(candidate.gap, candidate.bend).max(0.0)
        });
        self.recovers = work.sum::<f64>() <= RECOVERY_SHARE * island.lost;
        let fall = scene.pull() * self.length;
        for (place, listed) in island.list.pairs.iter().enumerate() {
            let gap = self.candidates[place].gap;
            let closing = self.approach_speed(place);
            let most = (closing + STEP_SLOWEST * fall).max(0.0) + fall;
            let impulse = island.list.force(listed);
            if self.is_kept(place) && (gap - self.target_gap < most * self.length || impulse.normal > 0.0) {
                self.add_contact(&scene.frictions(listed.pair), place, &impulse.scaled(self.length));
            }
        }
    }

    /// The mean gap of the contacts, each weighted by its impulse, m. It is at most the gap that is kept and at least
    /// the part of it that must be left. Inexact impulses use up gaps, and widening a gap again takes energy.
    pub(super) fn gap_under_load(&self) -> f64 {
        let (mut gaps, mut impulses) = (0.0, 0.0);
        for (row, &place) in self.relaxation.rows.iter().zip(&self.listed) {
            let gap = self.candidates[place as usize].gap;
            gaps += row.impulse * gap.max(0.0);
            impulses += row.impulse;
        }
        let mean = if impulses > 0.0 { gaps / impulses } else { self.target_gap };
        mean.clamp(GAP_LEFT * self.target_gap, self.target_gap)
    }

    /// Most sweeps for the normal impulses.
    pub(super) fn sweeps_max(&self) -> usize {
        if self.listed.len() > JAMMED_MAX { SWEEPS_MAX } else { SWEEPS_MAX_FEW }
    }

    /// Removes all tangential impulses. Couples stay, since they cannot wedge bodies. Returns whether there were any
    /// impulses.
    pub(super) fn release_friction(&mut self) -> bool {
        let Relaxation { movers, rows, frictions, .. } = &mut self.relaxation;
        let mut is_released = false;
        for (row, friction) in rows.iter().zip(frictions) {
            let impulse = std::mem::take(&mut friction.impulse);
            is_released |= impulse != DVec3::ZERO;
            row.give(movers, 0.0, -impulse);
        }
        is_released
    }

    /// Solves for the normal impulses with the solver for few contacts, once per problem; the tangential impulses stay.
    /// Returns whether a solution was found. If not, nothing changes.
    pub(super) fn solve_exactly(&mut self) -> bool {
        let Relaxation { movers, rows, .. } = &mut self.relaxation;
        if rows.len() > JAMMED_MAX || std::mem::replace(&mut self.is_exact, true) {
            return false;
        }
        let mut without = movers.clone();
        rows.iter().for_each(|row| row.give(&mut without, -row.impulse, DVec3::ZERO));
        let body = |mover: &Mover| SolverBody {
            linear: mover.linear,
            angular: DVec3::ZERO,
            inverse_mass: mover.inverse_mass,
            inverse_inertia: 0.0,
        };
        let bodies: Vec<SolverBody> = without.iter().map(body).collect();
        let constraint = |row: &Row| {
            let [a, b] = row.ends.map(|end| end as usize);
            ContactConstraint { bound: row.bound, ..ContactConstraint::smooth(a, b, row.normal, [DVec3::ZERO; 2]) }
        };
        let constraints: Vec<ContactConstraint> = rows.iter().map(constraint).collect();
        let found = solver::solve_from(&bodies, &constraints, &[], false);
        let Some(Solution { impulses, .. }) = found.ok().filter(|found| found.is_solved) else { return false };
        *movers = without;
        for (row, impulse) in rows.iter_mut().zip(&impulses) {
            row.impulse = impulse.normal.max(row.least);
            row.give(movers, row.impulse, DVec3::ZERO);
        }
        true
    }

    /// Whether the step keeps a pair apart: neither of its bodies is a free body outside.
    pub(super) fn is_kept(&self, place: usize) -> bool {
        self.candidates[place]
            .ends
            .iter()
            .all(|&end| (end as usize) < self.free || self.before[end as usize].inverse_mass == 0.0)
    }

    /// Adds a contact for a candidate, with this initial impulse.
    fn add_contact(&mut self, frictions: &Frictions, place: usize, start: &ContactImpulse) {
        let Candidate { ends, normal, gap, bend, .. } = self.candidates[place];
        let movers = ends.map(|end| self.relaxation.movers[end as usize]);
        let drive = self.drive(place);
        let mass = |mover: &Mover| mover.inverse_mass;
        let compliance = mass(&movers[0]) + mass(&movers[1]);
        let row = Row {
            normal,
            bound: self.change_allowed(gap, bend) / self.length - normal.dot(drive),
            inverse_compliance: 1.0 / compliance,
            impulse: start.normal,
            least: 0.0,
            ends,
        };
        let friction = self.is_rough.then(|| FrictionRow {
            impulse: start.tangential.reject_from_normalized(normal),
            drive: drive.reject_from_normalized(normal),
            friction: frictions.sliding,
            inverse_compliance: 1.0 / (compliance + movers[0].inverse_inertia + movers[1].inverse_inertia),
        });
        let couple = self.resists_turning.then(|| self.couple_row(place, frictions, start.couple));
        self.candidates[place].row = self.listed.len() as u32;
        self.listed.push(place as u32);
        self.relaxation.add(row, friction, couple);
    }

    /// Friction of a candidate against rolling and spinning. A pair of bodies that do not rotate has none.
    fn couple_row(&self, place: usize, frictions: &Frictions, impulse: DVec3) -> CoupleRow {
        let ends = self.candidates[place].ends.map(|end| end as usize);
        let inverse = |end: usize| match self.radii.get(end) {
            Some(&radius) if radius > 0.0 => 1.0 / radius,
            _ => 0.0,
        };
        let inverse_radii = ends.map(inverse);
        let turning =
            |end: usize| self.relaxation.movers[ends[end]].inverse_inertia * inverse_radii[end] * inverse_radii[end];
        let compliance = turning(0) + turning(1);
        if compliance == 0.0 {
            return CoupleRow { inverse_radii, ..CoupleRow::default() };
        }
        let Frictions { rolling, spinning, .. } = *frictions;
        CoupleRow { impulse, rolling, spinning, inverse_compliance: 1.0 / compliance, inverse_radii }
    }

    /// Sets new bounds: from now on, gaps that are nearly used up no longer have to grow.
    pub(super) fn stop_recovering(&mut self) {
        self.recovers = false;
        (0..self.listed.len()).for_each(|row| self.set_bound(row));
    }

    /// Sets the bound of a row by the gap that its candidate has.
    fn set_bound(&mut self, row: usize) {
        let place = self.listed[row] as usize;
        let Candidate { normal, gap, bend, .. } = self.candidates[place];
        self.relaxation.rows[row].bound = self.change_allowed(gap, bend) / self.length - normal.dot(self.drive(place));
    }

    /// The velocity of a member after the step, or the mean velocity of a body outside in it, m/s.
    pub(super) fn velocity(&self, end: u32) -> DVec3 {
        match (end as usize) < self.free {
            true => self.relaxation.movers[end as usize].linear,
            false => self.before[end as usize].linear,
        }
    }

    /// The velocity with which walls move into a gap, m/s, and an arc towards a body that moves along it as it does
    /// now.
    fn drive(&self, place: usize) -> DVec3 {
        let Candidate { ends, normal, bend, .. } = self.candidates[place];
        let drive = self.wall_velocity(place);
        if bend == 0.0 {
            return drive;
        }
        let along = (self.velocity(ends[1]) - self.velocity(ends[0])).reject_from_normalized(normal);
        // The solver tries larger velocities than any. In a step no body goes as far as it is from the middle.
        let way = (along.length() * self.length).min(0.5 / bend);
        drive - normal * (bend * way * way / self.length)
    }

    /// The smallest allowed change of a gap in the step, m. A gap wider than the one that is kept may shrink to it. A
    /// gap that is nearly used up has to grow a little, but not from an arc: that would take work against what turns
    /// it.
    fn change_allowed(&self, gap: f64, bend: f64) -> f64 {
        let least = GAP_RECOVERED * self.target_gap;
        if gap < least && self.recovers && (bend == 0.0 || gap < 0.0) {
            0.5 * (least - gap)
        } else {
            -(gap - self.target_gap).max(0.0)
        }
    }

    /// The velocity of b relative to a that comes from prescribed motion, m/s: the mean velocity in the step. A course
    /// that slows down counts with its velocity at the start, so that straight motion does not cut its way.
    pub(super) fn wall_velocity(&self, place: usize) -> DVec3 {
        let Candidate { ends, normal, lead, .. } = self.candidates[place];
        let [a, b] = ends.map(|end| match (end as usize) < self.free {
            true => DVec3::ZERO,
            false => self.before[end as usize].linear,
        });
        b - a - normal * lead
    }

    /// The rate at which the gap of a candidate opens with walls that move into it like this, m/s.
    pub(super) fn opening_with(&self, place: usize, drive: DVec3) -> f64 {
        let Candidate { ends, normal, .. } = self.candidates[place];
        let [a, b] = ends.map(|end| self.relaxation.movers[end as usize].linear);
        normal.dot(b - a + drive)
    }

    /// Approach speed of a candidate before the step, m/s; negative if the two separate.
    pub(super) fn approach_speed(&self, place: usize) -> f64 {
        let Candidate { ends, normal, .. } = self.candidates[place];
        let [a, b] = ends.map(|end| self.before[end as usize].linear);
        normal.dot(a - b)
    }

    /// Checks all gaps at the end of the step. A pair whose gap would be too small gets a contact if it has none.
    /// Returns the number of new contacts as an error, otherwise the share of the step in which all gaps remain.
    pub(super) fn verify(&mut self, scene: &Scene, list: &PairList) -> Result<f64, usize> {
        let (mut added, mut share): (usize, f64) = (0, 1.0);
        for place in 0..self.candidates.len() {
            let Candidate { gap, bend, row, .. } = self.candidates[place];
            let end = gap + self.length * self.opening_with(place, self.drive(place));
            let least = if gap > 0.0 { GAP_LEFT * gap.min(self.target_gap) } else { gap };
            if end >= least || !self.is_kept(place) {
                continue;
            }
            if row == NO_CONTACT {
                let frictions = scene.frictions(list.pairs[place].pair);
                self.add_contact(&frictions, place, &ContactImpulse::default());
                added += 1;
            } else {
                if bend > 0.0 {
                    self.set_bound(row as usize);
                }
                share = share.min((1.0 - GAP_LEFT) * gap.max(0.0) / (gap - end));
            }
        }
        if added == 0 { Ok(share.max(0.0)) } else { Err(added) }
    }

    /// The share of the step in which all gaps remain, with contacts for all pairs that need one.
    pub(super) fn share_left(&mut self, scene: &Scene, list: &PairList) -> f64 {
        self.verify(scene, list).or_else(|_| self.verify(scene, list)).unwrap_or(0.0)
    }

    /// The velocity of a member after the step.
    pub(super) fn after(&self, place: usize) -> SolverBody {
        let (mover, radius) = (&self.relaxation.movers[place], self.radii[place]);
        let angular = if radius > 0.0 { mover.turning / radius } else { DVec3::ZERO };
        SolverBody { linear: mover.linear, angular, ..self.before[place] }
    }

    /// The impulses at the contact of a row.
    pub(super) fn contact_impulse(&self, row: usize) -> ContactImpulse {
        let Relaxation { rows, frictions, couples, .. } = &self.relaxation;
        let tangential = frictions.get(row).map_or(DVec3::ZERO, |friction| friction.impulse);
        let couple = couples.get(row).map_or(DVec3::ZERO, |couple| couple.impulse);
        ContactImpulse { normal: rows[row].impulse, tangential, couple }
    }

    /// The impulse at the contact of a row, N·s.
    pub(super) fn impulse(&self, row: usize) -> DVec3 {
        self.contact_impulse(row).vector(self.relaxation.rows[row].normal)
    }
}

impl Scene {
    /// The overlap that time steps allow between members, m: a part of the smallest body, or the rounding of positions
    /// if that is larger.
    fn overlap_allowed(&self, island: &SteppedIsland) -> f64 {
        let farthest = island.members.iter().map(|&id| self.rows.extent(id)).fold(0.0, f64::max);
        (OVERLAP_ALLOWED * self.smallest_half(island)).max(START_OVERLAP_SLACK * farthest)
    }
}
