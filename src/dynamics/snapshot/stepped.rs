//! Checks of the islands of a snapshot that are advanced by time steps.

use super::check::{Checked, RestoreError, had_part, has_part, is_finite};
use crate::dynamics::BodyId;
use crate::dynamics::body::sparse_column::Column;
use crate::dynamics::body::table::BodyTable;
use crate::dynamics::solver::problem::ContactImpulse;
use crate::dynamics::time_stepping::TimeSteppingState;
use crate::dynamics::time_stepping::island::{ListedPair, NO_CONTACT, Step, StepImpact, SteppedIsland};
use crate::dynamics::time_stepping::state::UpdateCount;
use crate::motion::SimTime;
use crate::numeric::tolerance::TIME_MAX;

impl TimeSteppingState {
    /// Refuses a state that no time stepping of these bodies, with these due times, could have written.
    pub(in crate::dynamics) fn check(
        &self,
        rows: &BodyTable,
        now: SimTime,
        due: &Column<Option<SimTime>>,
    ) -> Result<(), RestoreError> {
        let mut member = vec![false; rows.count()];
        for island in &self.islands {
            for &id in &island.members {
                let is_new =
                    id.index() < rows.count() && rows.is_free(id) && !std::mem::replace(&mut member[id.index()], true);
                Checked::that(is_new, "members of the time stepping")?;
            }
            island.check(rows)?;
            island.check_times(now, due)?;
        }
        let sleeps = |&id: &BodyId| id.index() < rows.count() && rows.is_free(id) && !member[id.index()];
        let sorted = self.asleep.windows(2).all(|two| two[0] < two[1]);
        Checked::that(sorted && self.asleep.iter().all(sleeps), "bodies asleep")?;
        Checked::column(self.updates.len(), rows.present_count(), "rows of contact updates")?;
        let past = |time: SimTime| time <= now;
        let sound = |updates: &UpdateCount| {
            updates.count < u32::MAX / 2 && past(updates.since) && updates.last.is_none_or(past)
        };
        Checked::that(self.updates.iter().all(sound), "numbers of the time stepping")
    }
}

impl SteppedIsland {
    fn check(&self, rows: &BodyTable) -> Result<(), RestoreError> {
        let (count, list) = (self.members.len(), &self.list);
        let sorted = |ids: &[BodyId]| ids.windows(2).all(|two| two[0] < two[1]);
        Checked::that(count > 0 && sorted(&self.members), "members of the time stepping")?;
        if let Some(step) = &self.step {
            step.check(count, rows)?;
        }
        Checked::all(list.reaches.len(), count, "reaches of the time stepping")?;
        Checked::all(list.moved.len(), list.reaches.len(), "displacements of the time stepping")?;
        let outside = |&id: &BodyId| id.index() < rows.count() && self.place(id).is_none();
        Checked::that(sorted(&list.outside) && list.outside.iter().all(outside), "bodies near the time stepping")?;
        let is_made = list.reaches.iter().all(|&reach| reach > 0.0);
        let bodies = count + list.outside.len();
        let pair = |listed: &ListedPair| {
            let ends = || listed.ends.iter().all(|&end| (end as usize) < bodies);
            let named = || listed.ends.map(|end| self.body(end as usize)) == [listed.pair.a, listed.pair.b];
            has_part(listed.pair, listed.part, rows)
                && (!is_made || (ends() && named()))
                && (listed.force == NO_CONTACT || (listed.force as usize) < list.forces.len())
                && listed.height.is_finite()
        };
        Checked::that(list.pairs.iter().all(pair), "contacts of the time stepping")?;
        let force = |force: &ContactImpulse| is_finite(&[force.normal], &[force.tangential, force.couple]);
        Checked::that(list.forces.iter().all(force), "contact forces of the time stepping")?;
        let numbers =
            is_finite(&[self.length, self.target_gap, self.lost], &list.moved) && is_finite(&list.reaches, &[]);
        Checked::that(
            numbers && self.length >= 0.0 && self.target_gap >= 0.0 && self.blocked < u32::MAX / 2,
            "numbers of the time stepping",
        )
    }

    /// Checks that the present step is not over, that it ends within its length from now, and that no member is due
    /// later. The tolerance is one tick, since the sum of a time and a span is rounded.
    fn check_times(&self, now: SimTime, due: &Column<Option<SimTime>>) -> Result<(), RestoreError> {
        let waits = |id: &BodyId| {
            let is_over = |due: SimTime| self.step.as_ref().is_none_or(|step| due.since(step.end) <= SimTime::TICK);
            due.get(*id).is_some_and(is_over)
        };
        let is_present = |step: &Step| (-SimTime::TICK..=step.length + SimTime::TICK).contains(&step.end.since(now));
        let sound = self.length <= TIME_MAX
            && self.step.as_ref().is_none_or(is_present)
            && (SimTime::ZERO..=now).contains(&self.parted)
            && self.slow_since.is_none_or(|since| (SimTime::ZERO..=now).contains(&since));
        Checked::that(sound && self.members.iter().all(waits), "times of the time stepping")
    }
}

impl Step {
    fn check(&self, members: usize, rows: &BodyTable) -> Result<(), RestoreError> {
        Checked::all(self.changes.len(), members, "changes of steps")?;
        let changes = self.changes.iter().all(|change| is_finite(&[], &[change.linear, change.angular]));
        let numbers = is_finite(&[self.length, self.work], &[self.impulse]) && self.length > 0.0;
        Checked::that(changes && numbers && self.length <= TIME_MAX, "numbers of the time stepping")?;
        let sound = |impact: &StepImpact| {
            had_part(impact.pair, impact.part, rows)
                && is_finite(&[impact.approach_speed, impact.impulse, impact.share], &[impact.normal])
        };
        Checked::that(self.impacts.iter().all(sound), "impacts of the time stepping")
    }
}
