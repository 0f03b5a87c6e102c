//! What is observed during a run, whether or not tables are written: counts of events, the energy book, the means of a
//! gas, and the expectations of the scenario.

use crate::dynamics::{Balance, Event, EventKind};
use crate::record::gas::{Figures, Meter};
use crate::record::hash::state_hash;
use crate::record::packing::Packing;
use crate::record::recording::checkpoint::Watchers;
use crate::record::run_balance::OpenBalance;
use crate::record::summary::Coarsest;
use crate::record::tables::write::Approaches;
use crate::record::verdict::{Found, Watch};
use crate::scenario::{Observation, Scenario};
use crate::world::World;

/// The observers of one run.
pub(crate) struct Observers<'a> {
    scenario: &'a Scenario,
    balance: OpenBalance,
    pub(crate) coarsest: Option<Coarsest>,
    pub(crate) gas: Option<Meter>,
    expectations: Vec<Watch<'a>>,
    /// Events so far, by kind.
    pub(crate) events: [u64; EventKind::ALL.len()],
    /// Impacts since the last look.
    pub(crate) approaches: Approaches,
}

impl<'a> Observers<'a> {
    /// The observers of a run of `scenario` that begins with `world`.
    pub(crate) fn new(scenario: &'a Scenario, world: &World) -> Self {
        let future_names = world.future_names();
        let Scenario { settings, bodies, expect, observe, .. } = scenario;
        let expectations = expect.iter().map(|expected| Watch::new(expected, scenario, &future_names)).collect();
        Self {
            scenario,
            balance: OpenBalance::open(world.balance()),
            coarsest: None,
            gas: observe.contains(&Observation::Gas).then(|| Meter::new(settings, bodies, world)),
            expectations,
            events: [0; EventKind::ALL.len()],
            approaches: Approaches::default(),
        }
    }

    /// Continues from what was seen before.
    pub(crate) fn take_up(&mut self, seen: &Watchers) {
        (self.balance, self.events, self.approaches) = (seen.balance, seen.events, seen.approaches);
        self.coarsest.clone_from(&seen.coarsest);
        if let (Some(gas), Some(state)) = (&mut self.gas, &seen.gas) {
            gas.go_on(state);
        }
        self.expectations.iter_mut().zip(&seen.expectations).for_each(|(watch, seen)| watch.go_on(*seen));
    }

    /// The state of the observers, with the last steps at which the tables got rows, and the table of energy.
    pub(crate) fn seen(&self, looked: Option<u64>, weighed: Option<u64>) -> Watchers {
        Watchers {
            balance: self.balance,
            coarsest: self.coarsest.clone(),
            gas: self.gas.as_ref().map(|gas| gas.state().clone()),
            expectations: self.expectations.iter().map(Watch::state).collect(),
            events: self.events,
            approaches: self.approaches,
            looked,
            weighed,
        }
    }

    /// Takes note of an event.
    pub(crate) fn see(&mut self, event: &Event) {
        self.events[event.kind as usize] += 1;
        if event.kind == EventKind::Impact {
            self.approaches.add(event.approach_speed);
        }
        self.expectations.iter_mut().for_each(|expectation| expectation.see(event));
        self.gas.iter_mut().for_each(|gas| gas.see(event));
    }

    /// Begins the means of a gas at the step where they are to begin.
    pub(crate) fn begin_means(&mut self, steps: u64, world: &World) {
        if self.scenario.is_halfway(steps)
            && let Some(gas) = &mut self.gas
        {
            gas.begin(world);
        }
    }

    /// Looks at the gas, where there is one.
    pub(crate) fn look(&mut self, world: &World) -> Option<Figures> {
        self.gas.as_mut().map(|gas| gas.look(world))
    }

    /// Computes the energy of all bodies, which takes a pass over them.
    pub(crate) fn weigh(&mut self, world: &World) -> Balance {
        let balance = world.balance();
        self.balance.note(&balance);
        self.note_coarseness(world);
        balance
    }

    /// Keeps the coarsest place of any body that was seen; of equal ones the first.
    fn note_coarseness(&mut self, world: &World) {
        let worst = self.coarsest.as_ref().map_or(0.0, Coarsest::ratio);
        if let Some(coarse) = world.coarsest().filter(|coarse| coarse.found.ratio() > worst) {
            self.coarsest = Some(Coarsest::of(coarse, world.now().seconds()));
        }
    }

    /// The findings at the end.
    pub(crate) fn close(&self, world: &World) -> Found {
        let reached = world.now().seconds();
        let packing = self.scenario.observe.iter().find_map(|observation| match observation {
            Observation::Packing(request) => Some(Packing::measure(world, request)),
            Observation::Gas => None,
        });
        let mut found = Found {
            reached,
            balance: self.balance.close(&world.balance(), &world.audit(), world.settings(), reached),
            gas: self.gas.as_ref().map(Meter::report),
            packing,
            state_hash: state_hash(world),
            expectations: Vec::new(),
        };
        found.expectations = self.expectations.iter().map(|watch| watch.judge(world, &found)).collect();
        found
    }
}
