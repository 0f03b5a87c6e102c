//! The oracle: its judgement of carom itself finds no errors, it detects each known fault, and its closed forms agree
//! with values of 60 digits.

mod casts;
mod closed_forms;
mod events;
mod faults;
mod perfect;
mod program;
mod statics;
mod tables;

use carom::dynamics::BodyId;
use carom::motion::SimTime;
use carom::oracle::{Exact, Judgement, Metric, Trajectory, Verdict, find, judge};
use carom::record::foreign::{ForeignError, ForeignEvent, ForeignEvents, ForeignRow, ForeignTable, Origin};
use carom::scenario::{Scenario, Thresholds};

pub(crate) fn scenario(name: &str) -> Scenario {
    find(name).unwrap().scenario().unwrap()
}

/// The output of an engine: a trajectory and an event log.
#[derive(Clone, PartialEq)]
pub(crate) struct Written {
    pub(crate) table: ForeignTable,
    pub(crate) events: ForeignEvents,
}

/// The output of carom for a scenario with this `timestep`, with spins and events.
pub(crate) fn written(scenario: &Scenario, timestep: f64) -> Written {
    let mut world = scenario.world().unwrap();
    let all: Vec<_> = world.ids().collect();
    let ids: Vec<_> = all.iter().copied().filter(|&id| world.body(id).is_free()).collect();
    let names = |ids: &[BodyId]| -> Vec<String> { ids.iter().map(|&id| world.name(id).to_owned()).collect() };
    let origin = |file: &str| Origin { file: file.into(), unit: "line", rules: "" };
    let mut events = ForeignEvents { origin: origin("theirs_events.csv"), bodies: names(&all), rows: Vec::new() };
    let (origin, bodies) = (origin("theirs.csv"), names(&ids));
    let mut table = ForeignTable { origin, bodies, has_velocities: true, has_spins: true, rows: Vec::new() };
    for step in 0.. {
        let time = SimTime::from_seconds((step as f64 * timestep).min(scenario.duration));
        world.advance(time, usize::MAX).unwrap();
        for event in world.take_events() {
            let place = events.rows.len() as u64 + 2;
            let rank = |body: BodyId| all.iter().position(|&id| id == body).unwrap();
            let (a, b) = (rank(event.a), event.partner().map(rank));
            events.rows.push(ForeignEvent { place, time: event.time, kind: event.kind, a, b });
        }
        for (body, &id) in ids.iter().enumerate() {
            let (place, state) = (table.rows.len() as u64 + 2, world.state(id));
            let (position, velocity, spin) = (state.position, state.velocity, state.spin);
            table.rows.push(ForeignRow { place, step, time, body, position, velocity, spin });
        }
        if time.seconds() >= scenario.duration {
            return Written { table, events };
        }
    }
    unreachable!()
}

/// The trajectory alone, without spins.
pub(crate) fn stepped(scenario: &Scenario, timestep: f64) -> ForeignTable {
    ForeignTable { has_spins: false, ..written(scenario, timestep).table }
}

pub(crate) fn judged(scenario: &Scenario, tables: &[ForeignTable]) -> Result<Judgement, ForeignError> {
    let exact = Exact::new(scenario).unwrap();
    let trajectories = tables.iter().map(|table| Trajectory::new(table, &exact)).collect::<Result<Vec<_>, _>>()?;
    Ok(judge(&exact, &trajectories, &Thresholds::default()))
}

/// Judges the trajectory together with the event log.
pub(crate) fn judged_with_events(scenario: &Scenario, written: &Written) -> Result<Judgement, ForeignError> {
    let exact = Exact::new(scenario).unwrap();
    let trajectory = Trajectory::new(&written.table, &exact)?.with_events(&written.events, &exact)?;
    Ok(judge(&exact, &[trajectory], &Thresholds::default()))
}

/// The metrics that exceed their limits.
pub(crate) fn guilty(judgement: &Judgement) -> Vec<Metric> {
    let of_one = judgement.judged[0].failures().map(|finding| finding.metric);
    of_one.chain((judgement.order.verdict == Verdict::Fail).then_some(Metric::Order)).collect()
}
