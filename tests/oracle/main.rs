//! The oracle: carom judged by itself is perfect, each known fault is found, and closed forms agree with 60 digits.

mod closed_forms;
mod faults;
mod perfect;
mod program;
mod tables;

use carom::motion::SimTime;
use carom::oracle::{Exact, Judgement, Metric, Trajectory, Verdict, find, judge};
use carom::record::foreign::{ForeignError, ForeignRow, ForeignTable};
use carom::scenario::{Scenario, Thresholds};

pub(crate) fn scenario(name: &str) -> Scenario {
    find(name).unwrap().scenario().unwrap()
}

/// What carom writes of a scenario that it steps through with `timestep`.
pub(crate) fn stepped(scenario: &Scenario, timestep: f64) -> ForeignTable {
    let mut world = scenario.world().unwrap();
    let ids: Vec<_> = world.ids().filter(|&id| world.body(id).is_free()).collect();
    let bodies: Vec<String> = ids.iter().map(|&id| world.name(id).to_owned()).collect();
    let mut table = ForeignTable { file: "theirs.csv".into(), bodies, rows: Vec::new(), unit: "line" };
    for step in 0.. {
        let time = SimTime::from_seconds((step as f64 * timestep).min(scenario.duration));
        world.advance(time, usize::MAX).unwrap();
        world.take_events();
        for (body, &id) in ids.iter().enumerate() {
            let (place, state) = (table.rows.len() as u64 + 2, world.state(id));
            table.rows.push(ForeignRow { place, step, time, body, position: state.position, velocity: state.velocity });
        }
        if time.seconds() >= scenario.duration {
            return table;
        }
    }
    unreachable!()
}

pub(crate) fn judged(scenario: &Scenario, tables: &[ForeignTable]) -> Result<Judgement, ForeignError> {
    let exact = Exact::new(scenario).unwrap();
    let trajectories = tables.iter().map(|table| Trajectory::new(table, &exact)).collect::<Result<Vec<_>, _>>()?;
    Ok(judge(&exact, &trajectories, &Thresholds::default()))
}

/// The metrics beyond their limits.
pub(crate) fn guilty(judgement: &Judgement) -> Vec<Metric> {
    let of_one = judgement.judged[0].failures().map(|finding| finding.metric);
    of_one.chain((judgement.order.verdict == Verdict::Fail).then_some(Metric::Order)).collect()
}
