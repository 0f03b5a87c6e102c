//! The expectations of a scenario, and what was found.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::gas::GasReport;
use super::packing::Packing;
use super::run_balance::RunBalance;
use crate::dynamics::{BodyId, Event, EventKind, State};
use crate::numeric::{rounded, shown};
use crate::scenario::{Count, Expectation, GasFigure, PackingFigure, Scenario};
use crate::world::{FutureNames, World};

/// One expectation and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// What was expected, in words.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// Whether the expectation is met.
    pub met: bool,
}

/// The findings about a run when it is over.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The instant up to which it came, s.
    pub reached: f64,
    /// Energy, momentum and overlap.
    pub balance: RunBalance,
    /// The means of its gas, where the scenario observes one.
    pub gas: Option<GasReport>,
    /// Its packing, where the scenario observes one.
    pub packing: Option<Packing>,
    /// Hash of the final state.
    pub state_hash: String,
    /// What the scenario expected, and how that came out.
    pub expectations: Vec<Verdict>,
}

/// Events of one kind, of some bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFilter {
    /// Which kind.
    pub kind: EventKind,
    /// The bodies that such an event must have, none of them twice; empty for any.
    pub bodies: Vec<BodyId>,
}

impl EventFilter {
    /// Whether `event` passes this filter.
    pub fn accepts(&self, event: &Event) -> bool {
        accepts(event, self.kind, &self.bodies)
    }
}

/// Whether an event is of this kind, and has all these bodies.
fn accepts(event: &Event, kind: EventKind, bodies: &[BodyId]) -> bool {
    event.kind == kind && bodies.iter().all(|&body| event.a == body || event.b == body)
}

/// An expectation while the run goes on.
#[derive(Debug, Clone)]
pub(super) struct Watch<'a> {
    expectation: &'a Expectation,
    bodies: Vec<BodyId>,
    count: u64,
    last: Option<f64>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(expectation: &'a Expectation, scenario: &Scenario, future_names: &FutureNames<'_>) -> Self {
        let names: Vec<&String> = match expectation {
            Expectation::AtRest { bodies } if bodies.is_empty() => {
                scenario.all_bodies().filter(|named| named.is_free()).map(|named| &named.name).collect()
            }
            Expectation::Events { bodies, .. } | Expectation::AtRest { bodies } => bodies.iter().collect(),
            Expectation::Position { body, .. }
            | Expectation::Velocity { body, .. }
            | Expectation::LastEvent { body, .. } => vec![body],
            _ => Vec::new(),
        };
        let bodies = names.into_iter().filter_map(|name| future_names.id(name)).collect();
        Self { expectation, bodies, count: 0, last: None }
    }

    /// The number of events so far, and the time of the last one.
    pub(super) fn state(&self) -> (u64, Option<f64>) {
        (self.count, self.last)
    }

    /// Continues from that.
    pub(super) fn go_on(&mut self, (count, last): (u64, Option<f64>)) {
        (self.count, self.last) = (count, last);
    }

    pub(super) fn see(&mut self, event: &Event) {
        match *self.expectation {
            Expectation::Events { kind, .. } if accepts(event, kind, &self.bodies) => self.count += 1,
            Expectation::LastEvent { kind, .. } if accepts(event, kind, &self.bodies) => {
                self.last = Some(event.time.seconds());
            }
            _ => {}
        }
    }

    /// Compares what was found with the expectation; verdicts need not be there yet.
    pub(super) fn judge(&self, world: &World, found: &Found) -> Verdict {
        let Found { balance, state_hash, .. } = found;
        let place = || self.bodies.first().filter(|&&body| world.is_present(body)).map(|&body| world.state(body));
        match self.expectation {
            Expectation::Events { kind, bodies, count } => self.judge_count(*kind, bodies, count),
            Expectation::EnergyDrift { below } => judge_bound("energy drift", balance.energy_drift, *below, ""),
            Expectation::MomentumDrift { below } => judge_bound("momentum drift", balance.momentum_drift, *below, ""),
            Expectation::Deepest { below } => judge_bound("deepest overlap", balance.deepest_overlap, *below, " m"),
            Expectation::Position { body, near, within } => {
                judge_vector(body, place().map(|state| state.position), near, *within, "m")
            }
            Expectation::Velocity { body, near, within } => {
                judge_vector(body, place().map(|state| state.velocity), near, *within, "m/s")
            }
            Expectation::AtRest { bodies } => self.judge_rest(bodies, world),
            Expectation::LastEvent { kind, body, near, within } => self.judge_last(*kind, body, *near, *within),
            Expectation::Gas { figure, near, within } => judge_gas(*figure, found.gas.as_ref(), *near, *within),
            Expectation::Packing { figure, near, within } => {
                judge_packing(*figure, found.packing.as_ref(), *near, *within)
            }
            Expectation::Hash(wanted) => {
                let expected = format!("state hash {wanted}");
                Verdict { expected, found: state_hash.clone(), met: state_hash == wanted }
            }
        }
    }

    fn judge_count(&self, kind: EventKind, bodies: &[String], count: &Count) -> Verdict {
        let bounds = [("exactly", count.exactly), ("at least", count.at_least), ("at most", count.at_most)];
        let words: Vec<_> = bounds.iter().filter_map(|(word, n)| n.map(|n| format!("{word} {n}"))).collect();
        let whose = if bodies.is_empty() { String::new() } else { format!(" of {}", bodies.join(" and ")) };
        let met = count.exactly.is_none_or(|n| self.count == n)
            && count.at_least.is_none_or(|n| self.count >= n)
            && count.at_most.is_none_or(|n| self.count <= n);
        Verdict { expected: format!("{} {kind} events{whose}", words.join(", ")), found: self.count.to_string(), met }
    }

    fn judge_rest(&self, names: &[String], world: &World) -> Verdict {
        let subject = match names {
            [] => "all free bodies end".to_owned(),
            [name] => format!("`{name}` ends"),
            [name, others @ ..] => format!("`{name}` and {} more end", others.len()),
        };
        let stirs = |id: &BodyId| world.is_present(*id) && is_moving(&world.state(*id));
        let stirring: Vec<BodyId> = self.bodies.iter().copied().filter(stirs).collect();
        let found = match stirring[..] {
            [] => "at rest".to_owned(),
            [first, ref others @ ..] => {
                let state = world.state(first);
                let [speed, spin] = [state.velocity, state.spin].map(|vector| short(vector.length()));
                let more = if others.is_empty() { String::new() } else { format!(", and {} more", others.len()) };
                format!("`{}` at {speed} m/s and {spin} rad/s{more}", world.name(first))
            }
        };
        Verdict { expected: format!("{subject} at rest"), found, met: stirring.is_empty() }
    }

    fn judge_last(&self, kind: EventKind, body: &str, near: f64, within: f64) -> Verdict {
        let expected = format!("last {kind} of `{body}` within {} s of {near} s", short(within));
        match self.last {
            Some(time) => Verdict { expected, found: format!("{time} s"), met: (time - near).abs() <= within },
            None => Verdict { expected, found: "never".to_owned(), met: false },
        }
    }
}

fn is_moving(state: &State) -> bool {
    state.velocity != DVec3::ZERO || state.spin != DVec3::ZERO
}

fn judge_bound(what: &str, found: f64, below: f64, unit: &str) -> Verdict {
    let expected = format!("{what} below {}{unit}", shown(below));
    Verdict { expected, found: format!("{}{unit}", short(found)), met: found < below }
}

fn judge_vector(body: &str, found: Option<DVec3>, near: &[f64; 3], within: f64, unit: &str) -> Verdict {
    let expected = format!("`{body}` ends within {} {unit} of {}", short(within), triple(near));
    let Some(found) = found else {
        return Verdict { expected, found: "no such body".to_owned(), met: false };
    };
    let distance = (found - DVec3::from_array(*near)).length();
    let words = format!("{} {unit} off, at {}", short(distance), triple(&found.to_array()));
    Verdict { expected, found: words, met: distance <= within }
}

fn judge_gas(figure: GasFigure, gas: Option<&GasReport>, near: f64, within: f64) -> Verdict {
    let figures = gas.map(|gas| gas.figures).unwrap_or_default();
    let (name, found, unit) = match figure {
        GasFigure::Temperature => ("temperature", figures.temperature, " J"),
        // Its unit depends on the number of dimensions.
        GasFigure::Pressure => ("pressure", figures.pressure, ""),
        GasFigure::CollisionRate => ("collision rate", figures.collision_rate, " /s"),
        GasFigure::Compressibility => ("compressibility", figures.compressibility, ""),
    };
    let expected = format!("mean {name} within {} of {}{unit}", short(within), short(near));
    let reason = || gas.and_then(|gas| gas.undefined.clone()).unwrap_or_else(|| "nothing to measure".to_owned());
    let met = found.is_some_and(|found| (found - near).abs() <= within);
    Verdict { expected, found: found.map_or_else(reason, |found| format!("{}{unit}", short(found))), met }
}

fn judge_packing(figure: PackingFigure, packing: Option<&Packing>, near: f64, within: f64) -> Verdict {
    let name = match figure {
        PackingFigure::Fraction => "fraction",
        PackingFigure::Coordination => "coordination number",
        PackingFigure::Rattlers => "part of rattlers",
    };
    let found = packing.and_then(|packing| packing.report.figure(figure));
    let expected = format!("{name} within {} of {}", short(within), short(near));
    let met = found.is_some_and(|found| (found - near).abs() <= within);
    Verdict { expected, found: found.map_or_else(|| "no ball is held".to_owned(), short), met }
}

fn triple(numbers: &[f64; 3]) -> String {
    let [x, y, z] = numbers.map(short);
    format!("({x}, {y}, {z})")
}

/// A number in at most six digits.
fn short(number: f64) -> String {
    rounded(number, 6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::gas::Figures;
    use crate::record::run_balance::OpenBalance;
    use crate::scenario::{Source, parse};

    /// A ball that lies, one that turns, one that moves, and a wall that nothing stops.
    const STIRRING: &str = r#"
        bodies: [
            (name: "wall", shape: Box(half_extents: (1, 1, 1)), motion: Kinematic, position: (99, 0, 0), velocity: (0, 1, 0)),
            (name: "b/lies", shape: Sphere(radius: 1), mass: 1),
            (name: "b/turns", shape: Sphere(radius: 1), mass: 1, position: (9, 0, 0), spin: (0, 3, -4)),
            (name: "moves", shape: Sphere(radius: 1), mass: 1, position: (0, 0, 9), velocity: (0, 1e-100, 0)),
        ]"#;

    #[test]
    fn rest_is_neither_moving_nor_turning() {
        let rows = [
            ("bodies: [\"b/lies\"]", "`b/lies` ends at rest", "at rest"),
            ("bodies: [\"b/turns\"]", "`b/turns` ends at rest", "`b/turns` at 0 m/s and 5 rad/s"),
            ("bodies: [\"moves\"]", "`moves` ends at rest", "`moves` at 1e-100 m/s and 0 rad/s"),
            ("bodies: [\"b/*\"]", "`b/lies` and 1 more end at rest", "`b/turns` at 0 m/s and 5 rad/s"),
            ("", "all free bodies end at rest", "`b/turns` at 0 m/s and 5 rad/s, and 1 more"),
        ];
        for (bodies, expected, found) in rows {
            let text = format!("(timestep: 1, duration: 1, expect: [AtRest({bodies})], {STIRRING})");
            let scenario = parse(&Source::new("x.ron", text.as_str())).unwrap().scenario;
            let named = scenario.bodies.iter().map(|named| (named.name.clone(), named.body.clone()));
            let world = World::new(scenario.settings.clone(), named).unwrap();
            let balance =
                OpenBalance::open(world.balance()).close(&world.balance(), &world.audit(), world.settings(), 0.0);
            let (state_hash, expectations) = (String::new(), Vec::new());
            let run = Found { reached: 0.0, balance, gas: None, packing: None, state_hash, expectations };
            let verdict = Watch::new(&scenario.expect[0], &scenario, &world.future_names()).judge(&world, &run);
            assert_eq!((verdict.expected.as_str(), verdict.found.as_str()), (expected, found));
            assert_eq!(verdict.met, found == "at rest");
        }
    }

    #[test]
    fn a_gas_is_judged_by_its_means() {
        let figures = Figures { compressibility: Some(2.4), ..Figures::default() };
        let report = GasReport {
            bodies: 2,
            dimension: 3,
            volume: None,
            from: 0.0,
            until: 1.0,
            impacts: 0,
            figures,
            kurtosis: None,
            undefined: Some("no walls".to_owned()),
        };
        let judge = |figure, near| judge_gas(figure, Some(&report), near, 0.5);
        let verdict = judge(GasFigure::Compressibility, 2.0);
        assert_eq!(
            (verdict.expected.as_str(), verdict.found.as_str()),
            ("mean compressibility within 0.5 of 2", "2.4")
        );
        assert!(verdict.met && !judge(GasFigure::Compressibility, 1.8).met);
        let verdict = judge(GasFigure::Pressure, 2.0);
        assert_eq!((verdict.found.as_str(), verdict.met), ("no walls", false));
    }
}
