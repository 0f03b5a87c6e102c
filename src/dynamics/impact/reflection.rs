//! Generalised reflection: one group of simultaneous impacts.
//!
//! First the velocities are projected onto those without approach, in the metric of kinetic energy. With one
//! restitution e for all pairs, the velocities then continue beyond the projection by e times the change so far. The
//! energy falls by 1 − e² of the loss without rebound: the projection is the nearest point, so the two parts of the
//! velocity are orthogonal (Smith et al. 2012, §4). With several restitutions, each impulse gets the factor 1 + e of
//! its own pair. If that would increase the energy, the smallest e is used for all pairs.

use glam::DVec3;

use super::constraint::{ImpactConstraint, ImpulseResult, apply_friction, constraint, outside_work};
use crate::dynamics::body::friction::Frictions;
use crate::dynamics::few::{Few, each_once};
use crate::dynamics::solver;
use crate::dynamics::solver::problem::distribute;
use crate::dynamics::solver::{ContactConstraint, SolverBody};
use crate::numeric::tolerance::PROJECTION_SLACK;

/// Impacts that are connected by free bodies.
pub(super) struct Group<'a> {
    /// The places of its bodies in the list of all solver bodies, in ascending order.
    names: Few<usize>,
    members: Few<SolverBody>,
    constraints: Few<ContactConstraint>,
    rows: &'a [usize],
    restitutions: Few<f64>,
    frictions: Few<Frictions>,
}

impl<'a> Group<'a> {
    pub(super) fn new(members: &[SolverBody], impacts: &[ImpactConstraint], rows: &'a [usize]) -> Self {
        let names = each_once(rows.iter().flat_map(|&row| [impacts[row].a, impacts[row].b]));
        let place = |name: usize| names.partition_point(|&other| other < name);
        let own = || rows.iter().map(|&row| &impacts[row]);
        Self {
            members: names.iter().map(|&name| members[name]).collect(),
            constraints: own().map(|impact| constraint(impact, place(impact.a), place(impact.b))).collect(),
            rows,
            restitutions: own().map(|impact| impact.restitution).collect(),
            frictions: own().map(|impact| impact.frictions).collect(),
            names,
        }
    }

    /// Resolves the group. If there are no velocities without approach, returns the row of one impact, which is then
    /// resolved alone.
    pub(super) fn reflect(&self, members: &mut [SolverBody], results: &mut [ImpulseResult]) -> Option<usize> {
        let (mut after, impulses) = match self.rebound() {
            Ok(rebound) => rebound,
            Err(constraint) => return Some(self.rows[constraint]),
        };
        let result = |(constraint, &impulse): (&ContactConstraint, &f64)| {
            let approach_speed = -constraint.slack(&self.members);
            let mean = 0.5 * (approach_speed - constraint.slack(&after));
            ImpulseResult {
                approach_speed,
                impulse,
                normal_impulse: impulse,
                tangential: DVec3::ZERO,
                loss: impulse * mean,
                work: outside_work(&self.members, constraint, constraint.normal, impulse),
            }
        };
        let mut own: Few<ImpulseResult> = self.constraints.iter().zip(&impulses).map(result).collect();
        apply_friction(&mut after, &self.constraints, &self.frictions, &mut own);
        let mut losses: Few<f64> = own.iter().map(|result| result.loss).collect();
        let all = losses.iter().sum();
        distribute(&mut losses, all);
        own.iter_mut().zip(losses).for_each(|(result, loss)| result.loss = loss);
        self.rows.iter().zip(own).for_each(|(&row, result)| results[row] = result);
        self.names.iter().zip(after).for_each(|(&name, member)| members[name] = member);
        None
    }

    /// The solver bodies after the normal impulses, and these impulses, N·s.
    fn rebound(&self) -> Result<(Few<SolverBody>, Few<f64>), usize> {
        let solution = solver::solve(&self.members, &self.constraints).map_err(|squeezed| squeezed.constraint)?;
        let impulses = || solution.impulses.iter().map(|impulse| impulse.normal);
        let least = self.restitutions.iter().copied().fold(1.0, f64::min);
        if self.restitutions.iter().any(|&restitution| restitution != least) {
            let impulses: Few<f64> =
                impulses().zip(&self.restitutions).map(|(impulse, e)| (1.0 + e) * impulse).collect();
            let after = self.after_impulses(&impulses);
            if !self.gains(&after, &impulses) {
                return Ok((after, impulses));
            }
        }
        let mut after = self.members.clone();
        for (member, still) in after.iter_mut().zip(&solution.members).filter(|(member, _)| member.inverse_mass > 0.0) {
            member.linear += (still.linear - member.linear) * (1.0 + least);
        }
        Ok((after, impulses().map(|impulse| (1.0 + least) * impulse).collect()))
    }

    /// The solver bodies after these normal impulses, N·s.
    fn after_impulses(&self, impulses: &[f64]) -> Few<SolverBody> {
        let mut after = self.members.clone();
        for (constraint, impulse) in self.constraints.iter().zip(impulses) {
            for (member, impulse) in [(constraint.a, -impulse), (constraint.b, *impulse)] {
                let gained = impulse * after[member].inverse_mass;
                after[member].linear += constraint.normal * gained;
            }
        }
        after
    }

    /// Whether the impulses increase the energy by more than rounding.
    fn gains(&self, after: &[SolverBody], impulses: &[f64]) -> bool {
        let (mut work, mut size) = (0.0, 0.0);
        for (constraint, impulse) in self.constraints.iter().zip(impulses) {
            let (before, after) = (constraint.slack(&self.members), constraint.slack(after));
            work += impulse * (before + after);
            size += impulse * (before.abs() + after.abs());
        }
        work > PROJECTION_SLACK * size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::impact::simultaneous::tests::{after, ball, rough};
    use crate::random::Random;

    /// Two to eight impacts among up to six bodies with masses that differ by up to a million; one of them is fixed.
    fn random_group(random: &mut Random, is_rough: bool) -> (Vec<SolverBody>, Vec<ImpactConstraint>) {
        let count = 3 + (random.unit() * 4.0) as usize;
        let mass = |random: &mut Random| [1e-3, 0.1, 1.0, 3.0, 1e3][(random.unit() * 5.0) as usize];
        let mut members: Vec<SolverBody> =
            (0..count).map(|_| ball(random.vector(0.5), random.vector(0.5), mass(random))).collect();
        members[0].inverse_mass = 0.0;
        members[0].inverse_inertia = 0.0;
        let mut impacts = Vec::new();
        let wanted = 2 + (random.unit() * 7.0) as usize;
        for _ in 0..100 {
            let [a, b] = [random.unit(), random.unit()].map(|u| (u * count as f64) as usize);
            let normal = random.vector(0.5);
            let normal = normal / normal.length();
            if a != b && normal.dot(members[b].linear - members[a].linear) < 0.0 && impacts.len() < wanted {
                let friction = if is_rough { random.unit() } else { 0.0 };
                impacts.push(rough(a, b, normal, random.unit(), friction));
            }
        }
        (members, impacts)
    }

    #[test]
    fn random_groups_keep_their_balance() {
        let mut random = Random::from_state(20_261_121);
        for round in 0..2000 {
            let (members, mut impacts) = random_group(&mut random, round % 2 == 1);
            if round % 3 == 0 {
                let first = impacts[0].restitution;
                impacts.iter_mut().for_each(|impact| impact.restitution = first);
            }
            let (found, results) = after(members.clone(), &impacts);
            if round % 6 == 0 {
                let scale = members.iter().chain(&found).map(|m| m.linear.length()).fold(0.0, f64::max);
                let closes =
                    |c: &ImpactConstraint| -constraint(c, c.a, c.b).slack(&found) > 128.0 * f64::EPSILON * scale;
                assert!(!impacts.iter().any(closes), "{round}: smooth and of one restitution, but approaching");
            }
            // The impulses and their moments about the centres account for every change of velocity.
            for (row, (old, new)) in members.iter().zip(&found).enumerate() {
                let (mut linear, mut angular, mut size) = (old.linear, old.angular, 1.0);
                for (impact, result) in impacts.iter().zip(&results) {
                    let impulse = impact.normal * result.normal_impulse + result.tangential;
                    let sides = [(impact.a, impact.arms[0], -impulse), (impact.b, impact.arms[1], impulse)];
                    for (_, arm, impulse) in sides.into_iter().filter(|side| side.0 == row) {
                        linear += impulse * old.inverse_mass;
                        angular += arm.cross(impulse) * old.inverse_inertia;
                        size += impulse.length() * old.inverse_mass.max(old.inverse_inertia);
                    }
                    assert!(
                        result.tangential.length() <= impact.frictions.sliding * result.normal_impulse * (1.0 + 1e-15)
                    );
                    assert!(result.normal_impulse >= 0.0);
                }
                // Light bodies among heavy ones carry the roundings of the heavy ones' velocities.
                assert!((linear - new.linear).length() <= 1e-9 * size, "{round}: {linear} {}", new.linear);
                assert!((angular - new.angular).length() <= 1e-13 * size, "{round}");
            }
        }
    }

    #[test]
    fn couples_keep_the_balance_too() {
        let mut random = Random::from_state(11);
        for round in 0..1000 {
            let (mut members, mut impacts) = random_group(&mut random, round % 2 == 1);
            // Bodies of prescribed motion never rotate.
            members.iter_mut().filter(|body| body.inverse_mass == 0.0).for_each(|body| body.angular = DVec3::ZERO);
            for impact in &mut impacts {
                (impact.frictions.rolling, impact.frictions.spinning) = (random.unit(), random.unit());
            }
            let (found, _) = after(members.clone(), &impacts);
            // Couples alone change no momentum.
            let without: Vec<ImpactConstraint> = impacts
                .iter()
                .map(|impact| ImpactConstraint { frictions: Frictions::sliding(0.0), ..*impact })
                .collect();
            if round % 2 == 0 {
                let (smooth, _) = after(members, &without);
                assert!(found.iter().zip(&smooth).all(|(one, other)| one.linear == other.linear), "{round}");
            }
        }
    }

    #[test]
    fn mirrored_groups_have_mirrored_answers() {
        let mut random = Random::from_state(7);
        let mirror = |v: DVec3| DVec3::new(-v.x, v.y, v.z);
        for round in 0..300 {
            let (members, impacts) = random_group(&mut random, true);
            let turned = |m: &SolverBody| SolverBody { linear: mirror(m.linear), angular: -mirror(m.angular), ..*m };
            let mirrored: Vec<SolverBody> = members.iter().map(turned).collect();
            let reflected =
                |c: &ImpactConstraint| ImpactConstraint { normal: mirror(c.normal), arms: c.arms.map(mirror), ..*c };
            let (found, _) = after(members, &impacts);
            let (other, _) = after(mirrored, &impacts.iter().map(reflected).collect::<Vec<_>>());
            for (found, other) in found.iter().zip(&other) {
                assert_eq!(mirror(found.linear), other.linear, "{round}");
                assert_eq!(-mirror(found.angular), other.angular, "{round}");
            }
        }
    }
}
