//! The pushes of a tick: one contact after the other, until none is missed by more than it may be.
//!
//! Block projected Gauss–Seidel with conjugate directions, as for large islands ([`coupled`](super::super::coupled)), but
//! each contact has a goal of its own that depends on its gap, and rows are small. Mostly only a few bodies do what they
//! did not do in the last tick. So it begins with the contacts that are missed and goes on to their neighbours, and
//! takes all of them only where that does not come to an end.

use glam::DVec3;

use super::super::coupled::{Joint, Member, Push, Rub};

/// After so many times as many steps from neighbour to neighbour as there are contacts, all are taken in turn.
const LOCAL_MAX: usize = 4;

/// Rounds after which the contacts are left as they are.
const ROUNDS_MAX: u32 = 2000;

/// Rounds without a change half as large as before, after which more of them would not help.
const ROUNDS_IDLE: u32 = 200;

/// Rounds between two checks of whether all goals are met.
const ROUNDS_PER_CHECK: u32 = 4;

/// Part of its goal by which a contact may be off when its neighbours are looked at.
const LOCAL_GOAL: f64 = 0.5;

/// A contact in few bytes.
#[derive(Debug, Clone, Copy)]
struct Row {
    ends: [u32; 2],
    normal: DVec3,
    least: f64,
    /// Zero where nothing can be done.
    inverse_compliance: f64,
    compliance: f64,
    goal: f64,
    friction: f64,
    /// From the centres to the contact along the normal, m; zero for what does not turn.
    arms: [f64; 2],
}

/// Bodies, contacts, and pushes on their way to the solution.
pub(super) struct Relaxation {
    members: Vec<Member>,
    rows: Vec<Row>,
    normals: Vec<f64>,
    tangentials: Vec<DVec3>,
    rough: bool,
}

impl Relaxation {
    /// The problem of `members` and `joints` with the pushes `start`. A joint's goal is by how much it may be missed, m/s.
    pub(super) fn new(members: &[Member], joints: &[Joint], start: &[Push], goals: &[f64]) -> Self {
        let row = |(joint, &goal): (&Joint, &f64)| {
            let compliance = members[joint.a].inverse_mass + members[joint.b].inverse_mass;
            let friction = match joint.rub {
                Rub::Sticks { friction, .. } => friction,
                Rub::Smooth | Rub::Grips | Rub::Slides { .. } => 0.0,
            };
            Row {
                ends: [joint.a as u32, joint.b as u32],
                normal: joint.normal,
                least: joint.least,
                compliance,
                inverse_compliance: if compliance > 0.0 { 1.0 / compliance } else { 0.0 },
                goal,
                friction,
                arms: [joint.arms[0].dot(joint.normal), joint.arms[1].dot(joint.normal)],
            }
        };
        let rows: Vec<Row> = joints.iter().zip(goals).map(row).collect();
        let rough = rows.iter().any(|row| row.friction > 0.0);
        let count = rows.len();
        let tangentials = if rough { vec![DVec3::ZERO; count] } else { Vec::new() };
        let mut relaxation = Self { members: members.to_vec(), rows, normals: vec![0.0; count], tangentials, rough };
        for (row, push) in start.iter().enumerate() {
            relaxation.push(row, push.normal);
            if rough && relaxation.rows[row].friction > 0.0 {
                relaxation.rub(row, push.tangential);
            }
        }
        relaxation
    }

    /// Relaxes until every goal is met; whether they are.
    pub(super) fn solve(&mut self) -> bool {
        self.relax_where_needed() || self.relax_all()
    }

    /// The motions, and the pushes that made them.
    pub(super) fn into_solution(self) -> (Vec<Member>, Vec<Push>) {
        let tangential = |row: usize| if self.rough { self.tangentials[row] } else { DVec3::ZERO };
        let push = |(row, &normal): (usize, &f64)| Push { normal, tangential: tangential(row) };
        let pushes = self.normals.iter().enumerate().map(push).collect();
        (self.members, pushes)
    }

    /// The contacts whose pushes still grow most: where there is no solution, they are those that contradict each other.
    pub(super) fn growing(&mut self, count: usize) -> Vec<usize> {
        let before = self.normals.clone();
        (0..ROUNDS_IDLE).for_each(|_| self.there_and_back());
        let gained = |row: usize| (self.normals[row] - before[row]).abs();
        let mut rows: Vec<usize> = (0..before.len()).filter(|&row| gained(row) > 0.0).collect();
        rows.sort_by(|&p, &q| gained(q).total_cmp(&gained(p)).then(p.cmp(&q)));
        rows.truncate(count);
        rows
    }

    fn meets_goals(&self) -> bool {
        (0..self.rows.len()).all(|row| self.miss(row) <= self.rows[row].goal)
    }

    /// Goes from what is missed to its neighbours; whether that came to an end.
    fn relax_where_needed(&mut self) -> bool {
        let lists = Lists::new(self.members.len(), &self.rows);
        let mut wanted: Vec<u32> = (0..self.rows.len() as u32).collect();
        let mut waits = vec![true; self.rows.len()];
        let mut left = LOCAL_MAX * self.rows.len();
        while !wanted.is_empty() {
            let mut next = Vec::new();
            for &row in &wanted {
                waits[row as usize] = false;
                if self.miss(row as usize) <= LOCAL_GOAL * self.rows[row as usize].goal {
                    continue;
                }
                if left == 0 {
                    return false;
                }
                left -= 1;
                self.relax(row as usize);
                for end in self.rows[row as usize].ends {
                    for &other in lists.of(end, &self.members) {
                        if other != row && !std::mem::replace(&mut waits[other as usize], true) {
                            next.push(other);
                        }
                    }
                }
            }
            next.sort_unstable();
            wanted = next;
        }
        true
    }

    /// Takes all contacts in turn, there and back, with conjugate directions in between; whether every goal is met.
    fn relax_all(&mut self) -> bool {
        let mut way = Way::new(self);
        let (mut least, mut idle) = (f64::INFINITY, 0);
        for round in 0..ROUNDS_MAX {
            way.begin(self);
            self.there_and_back();
            let size = way.change(self);
            if round % ROUNDS_PER_CHECK == 0 && self.meets_goals() {
                return true;
            }
            idle += 1;
            if size < 0.5 * least {
                (least, idle) = (size, 0);
            }
            if idle == ROUNDS_IDLE {
                break;
            }
            way.go_on(self, size);
        }
        self.meets_goals()
    }

    fn there_and_back(&mut self) {
        (0..self.rows.len()).for_each(|row| self.relax(row));
        (0..self.rows.len()).rev().for_each(|row| self.relax(row));
    }

    /// Satisfies one contact.
    #[inline]
    fn relax(&mut self, row: usize) {
        let Row { inverse_compliance, friction, .. } = self.rows[row];
        let before = self.normals[row];
        let after = (before - self.excess(row) * inverse_compliance).max(0.0);
        if after != before {
            self.push(row, after - before);
            self.normals[row] = after;
        }
        if friction > 0.0 && inverse_compliance > 0.0 {
            let change = self.stopping(row) - self.tangentials[row];
            self.rub(row, change);
        }
    }

    /// How much the normal part of b − a exceeds the least.
    #[inline]
    fn excess(&self, row: usize) -> f64 {
        let Row { ends: [a, b], normal, least, .. } = self.rows[row];
        normal.dot(self.members[b as usize].linear - self.members[a as usize].linear) - least
    }

    /// By how much a contact is missed: 0 where a push of the right sign and size meets it, m/s.
    fn miss(&self, row: usize) -> f64 {
        let Row { compliance, friction, .. } = self.rows[row];
        if compliance == 0.0 {
            return 0.0;
        }
        let normal = self.excess(row).min(self.normals[row] * compliance).abs();
        if friction == 0.0 {
            return normal;
        }
        normal.max((self.stopping(row) - self.tangentials[row]).length() * self.slip_compliance(row))
    }

    /// The tangential push that stops the slip, shortened to what friction allows.
    fn stopping(&self, row: usize) -> DVec3 {
        let Row { ends: [a, b], normal, friction, arms, .. } = self.rows[row];
        let (a, b) = (&self.members[a as usize], &self.members[b as usize]);
        let relative = b.at(normal * arms[1]) - a.at(normal * arms[0]);
        let slip = relative - normal * normal.dot(relative);
        let wanted = self.tangentials[row] - slip / self.slip_compliance(row);
        let most = friction * self.normals[row].max(0.0);
        let squared = wanted.length_squared();
        if squared <= most * most { wanted } else { wanted * (most / squared.sqrt()) }
    }

    fn slip_compliance(&self, row: usize) -> f64 {
        let Row { ends, arms, compliance, .. } = self.rows[row];
        let turning = |end: usize| self.members[ends[end] as usize].inverse_inertia * arms[end] * arms[end];
        compliance + turning(0) + turning(1)
    }

    #[inline]
    fn push(&mut self, row: usize, size: f64) {
        let Row { ends: [a, b], normal, .. } = self.rows[row];
        self.normals[row] += size;
        let push = normal * size;
        let a = &mut self.members[a as usize];
        a.linear -= push * a.inverse_mass;
        let b = &mut self.members[b as usize];
        b.linear += push * b.inverse_mass;
    }

    fn rub(&mut self, row: usize, push: DVec3) {
        let Row { ends, normal, arms, .. } = self.rows[row];
        self.tangentials[row] += push;
        for (end, arm, push) in [(ends[0], arms[0], -push), (ends[1], arms[1], push)] {
            let member = &mut self.members[end as usize];
            member.linear += push * member.inverse_mass;
            member.angular += (normal * arm).cross(push) * member.inverse_inertia;
        }
    }
}

/// The conjugate direction, and the size of the last round's change.
struct Way {
    normals: Vec<f64>,
    tangentials: Vec<DVec3>,
    start: Vec<f64>,
    start_tangentials: Vec<DVec3>,
    size: f64,
}

impl Way {
    fn new(of: &Relaxation) -> Self {
        Self {
            normals: vec![0.0; of.normals.len()],
            tangentials: vec![DVec3::ZERO; of.tangentials.len()],
            start: Vec::new(),
            start_tangentials: Vec::new(),
            size: f64::INFINITY,
        }
    }

    fn begin(&mut self, of: &Relaxation) {
        self.start.clone_from(&of.normals);
        self.start_tangentials.clone_from(&of.tangentials);
    }

    /// How much a round has changed, as energy.
    fn change(&self, of: &Relaxation) -> f64 {
        let mut sum = 0.0;
        for (row, start) in self.start.iter().enumerate() {
            let change = of.normals[row] - start;
            sum += change * change * of.rows[row].compliance;
        }
        for (row, start) in self.start_tangentials.iter().enumerate() {
            sum += (of.tangentials[row] - start).length_squared() * of.rows[row].compliance;
        }
        sum
    }

    /// Adds the direction to what a round has changed; a round that changed more than the last one begins anew.
    fn go_on(&mut self, of: &mut Relaxation, size: f64) {
        let share = size / self.size;
        // Nothing over nothing is no share.
        if share.is_nan() || share > 1.0 {
            self.normals.fill(0.0);
            self.tangentials.fill(DVec3::ZERO);
            self.size = f64::INFINITY;
            return;
        }
        self.size = size;
        for row in 0..self.normals.len() {
            let now = of.normals[row];
            let more = self.normals[row] * share;
            self.normals[row] = now - self.start[row] + more;
            let more = more.max(-now);
            if more != 0.0 {
                of.push(row, more);
            }
            if of.rough {
                let more = self.tangentials[row] * share;
                self.tangentials[row] = of.tangentials[row] - self.start_tangentials[row] + more;
                if more != DVec3::ZERO {
                    of.rub(row, more);
                }
            }
        }
    }
}

/// The contacts of each body.
struct Lists {
    first: Vec<u32>,
    rows: Vec<u32>,
}

impl Lists {
    fn new(bodies: usize, rows: &[Row]) -> Self {
        let mut first = vec![0; bodies + 1];
        rows.iter().flat_map(|row| row.ends).for_each(|end| first[end as usize + 1] += 1);
        for end in 0..bodies {
            first[end + 1] += first[end];
        }
        let mut next = first.clone();
        let mut filled = vec![0; 2 * rows.len()];
        for (row, end) in rows.iter().enumerate().flat_map(|(row, ends)| ends.ends.map(|end| (row, end))) {
            filled[next[end as usize] as usize] = row as u32;
            next[end as usize] += 1;
        }
        Self { first, rows: filled }
    }

    /// The contacts of a body that a push moves.
    fn of(&self, end: u32, members: &[Member]) -> &[u32] {
        if members[end as usize].inverse_mass == 0.0 {
            return &[];
        }
        let end = end as usize;
        &self.rows[self.first[end] as usize..self.first[end + 1] as usize]
    }
}
