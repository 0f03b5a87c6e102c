//! A gas measured while it runs: temperature, pressure, rate of impacts, compressibility, spread of speeds.
//!
//! All free bodies but sensors are the gas. Its temperature is kinetic: k_B T = Σ m |v − v̄|² / (d (N − 1)), with v̄
//! the velocity of the centre of mass and d the number of dimensions in which it moves. Where space repeats, impacts
//! carry momentum from centre to centre, and Clausius' virial theorem gives Z = p V / (N k_B T) = 1 + W / (t d (N − 1)
//! k_B T) with the collision virial W = Σ r·Δp over the time t (Erpenbeck & Wood, *Molecular dynamics techniques for
//! hard-core systems*, in Berne (ed.), Statistical Mechanics B, 1977; Allen & Tildesley, *Computer Simulation of
//! Liquids*, 2nd ed., 2017, §2.4). The N − 1 is that of the temperature: since the total momentum is kept, it makes the
//! second virial coefficient right for any N. Between walls p is their push over their area and the time. Both are
//! taken axis by axis, and p is the mean over the axes.

mod room;
mod speeds;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::dynamics::{BodyId, Event, EventKind, Settings};
use crate::motion::SimTime;
use crate::world::{Named, World};
use room::{Hold, Part, Room};

pub use room::{GasKind, Undefined};
pub use speeds::{Class, Speeds, maxwell_density};

/// Means of a gas over a span of time; `None` if a mean is not defined, or if nothing has happened that it could be
/// taken of.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Figures {
    /// k_B T, J, of the motion of the centres.
    pub temperature: Option<f64>,
    /// Pressure, N/m²; N/m in two dimensions, N in one.
    pub pressure: Option<f64>,
    /// Impacts of one body with others of the gas, 1/s.
    pub collision_rate: Option<f64>,
    /// Z = p V / (N k_B T).
    pub compressibility: Option<f64>,
}

/// The results of a run for its gas.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GasReport {
    /// The number of bodies in the gas.
    pub bodies: usize,
    /// The number of dimensions in which it moves.
    pub dimension: usize,
    /// Volume that the gas occupies, m³; area in two dimensions, m², length in one, m.
    pub volume: Option<f64>,
    /// Beginning of the span of time of the means, s.
    pub from: f64,
    /// End of that span, s.
    pub until: f64,
    /// Impacts between bodies of the gas in that span.
    pub impacts: u64,
    /// The means.
    #[serde(flatten)]
    pub figures: Figures,
    /// ⟨u⁴⟩/⟨u²⟩² of the components of the velocities, which is 3 for Maxwell's law; at the recorded steps of the span.
    pub kurtosis: Option<f64>,
    /// Why there is no pressure, if there is none.
    pub undefined: Option<String>,
}

/// Totals since the start.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Tally {
    impacts: u64,
    virial: DVec3,
    /// Sum of the impulses of both walls across each axis, N·s.
    walls: DVec3,
}

/// The values at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Look {
    time: SimTime,
    temperature: f64,
    tally: Tally,
}

/// Measures the gas of a world.
///
/// Call [`see`](Self::see) for every event, and [`look`](Self::look) at some instants. The means are over the span from
/// the last [`begin`](Self::begin), or else from the first look, to the last look.
#[derive(Debug, Clone)]
pub struct Meter {
    parts: Vec<Part>,
    count: usize,
    /// The room in which the gas begins.
    room: Result<Room, Undefined>,
    state: MeterState,
}

/// What a meter has found so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct MeterState {
    moves: [bool; 3],
    /// Why there is no pressure any more, if it was lost.
    lost: Option<Loss>,
    tally: Tally,
    base: Option<Look>,
    last: Option<Look>,
    /// Integral of k_B T over the time since the base, J·s.
    heat: f64,
    speeds: Speeds,
}

/// How a gas can lose its pressure during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Loss {
    Contacts,
    LeftPlane,
}

impl Meter {
    /// What it has found so far.
    pub(super) fn state(&self) -> &MeterState {
        &self.state
    }

    /// Continues from a state.
    pub(super) fn go_on(&mut self, state: &MeterState) {
        self.state = state.clone();
    }

    /// A meter for `bodies`, which are those of `world`.
    pub fn new(settings: &Settings, bodies: &[Named], world: &World) -> Self {
        let GasKind { parts: given, count, moves, room } = GasKind::of(settings, bodies);
        let mut parts = vec![Part::Other; bodies.len()];
        for (named, part) in bodies.iter().zip(given) {
            if let Some(id) = world.id(&named.name) {
                parts[id.index()] = part;
            }
        }
        Self { parts, count, room, state: MeterState { moves, ..MeterState::default() } }
    }

    /// Takes note of an event.
    pub fn see(&mut self, event: &Event) {
        let parts = [event.a, event.b].map(|id| self.parts[id.index()]);
        match (event.kind, parts) {
            (EventKind::Impact, [Part::Gas(_), Part::Gas(_)]) => self.state.tally.impacts += 1,
            (EventKind::Impact, [Part::Gas(_), Part::Wall(axis)] | [Part::Wall(axis), Part::Gas(_)]) => {
                self.state.tally.walls[axis] += event.impulse;
            }
            (EventKind::Rest | EventKind::Collapse | EventKind::Join, parts)
                if parts.iter().any(|part| matches!(part, Part::Gas(_))) =>
            {
                self.state.lost = Some(Loss::Contacts);
            }
            _ => {}
        }
    }

    /// Begins the means anew with the world as it is now.
    pub fn begin(&mut self, world: &World) {
        if self.count < 2 {
            return;
        }
        (self.state.speeds, self.state.heat) = (Speeds::default(), 0.0);
        self.state.base = Some(self.glance(world));
    }

    /// Looks at the world as it is now, and returns the figures since the last look. At the first look only the
    /// temperature is known; it is that of the instant.
    pub fn look(&mut self, world: &World) -> Figures {
        if self.count < 2 {
            return Figures::default();
        }
        let look = self.glance(world);
        let base = *self.state.base.get_or_insert(look);
        let before = self.state.last.replace(look).unwrap_or(look);
        let from = if base.time > before.time { base } else { before };
        self.state.heat += 0.5 * (from.temperature + look.temperature) * look.time.since(from.time);
        let mean = 0.5 * (before.temperature + look.temperature);
        Figures { temperature: Some(look.temperature), ..self.figures(&before, &look, mean) }
    }

    /// The values at the present instant.
    fn glance(&mut self, world: &World) -> Look {
        let tally = Tally { virial: world.audit().virial, ..self.state.tally };
        Look { time: world.now(), temperature: self.temperature(world), tally }
    }

    /// The results so far.
    pub fn report(&self) -> GasReport {
        let MeterState { base, last, heat, .. } = self.state;
        let [from, until] = [base, last].map(|look| look.map_or(0.0, |look| look.time.seconds()));
        let mut figures = Figures::default();
        let mut impacts = 0;
        if let (Some(base), Some(last)) = (base, last) {
            let span = last.time.since(base.time);
            let mean = if span > 0.0 { heat / span } else { last.temperature };
            figures = Figures { temperature: Some(mean), ..self.figures(&base, &last, mean) };
            impacts = last.tally.impacts - base.tally.impacts;
        }
        let room = self.room();
        GasReport {
            bodies: self.count,
            dimension: self.dimension(),
            volume: room.as_ref().ok().map(|room| room.volume()),
            from,
            until,
            impacts,
            figures,
            kurtosis: self.state.speeds.kurtosis(),
            undefined: room.err().map(|why| why.to_string()),
        }
    }

    /// The distribution of the speeds, at the looks since the means began.
    pub fn speeds(&self) -> &Speeds {
        &self.state.speeds
    }

    /// In how many dimensions the gas moves.
    pub fn dimension(&self) -> usize {
        self.state.moves.iter().filter(|&&moves| moves).count()
    }

    /// The room of the gas, or why it has no pressure.
    fn room(&self) -> Result<&Room, Undefined> {
        match self.state.lost {
            Some(Loss::Contacts) => Err(Undefined::Contacts),
            Some(Loss::LeftPlane) => Err(Undefined::LeftPlane),
            None => self.room.as_ref().map_err(Clone::clone),
        }
    }

    /// k_B T now, J. Also notes the speeds, and whether the gas left its plane or line.
    fn temperature(&mut self, world: &World) -> f64 {
        let gas = self.parts.iter().enumerate().filter_map(|(row, part)| match part {
            Part::Gas(mass) => Some((*mass, world.state(BodyId(row as u32)).velocity)),
            _ => None,
        });
        let gas: Vec<(f64, DVec3)> = gas.collect();
        let (mass, momentum) =
            gas.iter().fold((0.0, DVec3::ZERO), |(sum, momentum), &(mass, v)| (sum + mass, momentum + v * mass));
        let drift = momentum / mass;
        for axis in 0..3 {
            if !self.state.moves[axis] && gas.iter().any(|(_, velocity)| velocity[axis] != 0.0) {
                self.state.moves[axis] = true;
                self.state.lost = Some(Loss::LeftPlane);
            }
        }
        let twice_kinetic: f64 = gas.iter().map(|&(mass, velocity)| mass * (velocity - drift).length_squared()).sum();
        let temperature = twice_kinetic / (self.dimension() as f64 * (self.count as f64 - 1.0));
        if temperature > 0.0 {
            for (mass, velocity) in gas {
                self.state.speeds.add((velocity - drift) * (mass / temperature).sqrt(), self.state.moves);
            }
        }
        temperature
    }

    /// The figures between two looks, at the mean k_B T of that span.
    fn figures(&self, from: &Look, to: &Look, temperature: f64) -> Figures {
        let span = to.time.since(from.time);
        if span <= 0.0 {
            return Figures::default();
        }
        let count = self.count as f64;
        let impacts = (to.tally.impacts - from.tally.impacts) as f64;
        let collision_rate = Some(2.0 * impacts / (count * span));
        let Ok(room) = self.room() else { return Figures { collision_rate, ..Figures::default() } };
        let virial = (to.tally.virial - from.tally.virial) * (count / (count - 1.0));
        let walls = to.tally.walls - from.tally.walls;
        // p V of each axis, J: the kinetic part plus the virial of the impacts, or half the impulse of the two walls
        // times their distance over the time.
        let axis = |axis: usize| match room.holds[axis] {
            Some(Hold::Repeats) => count * temperature + virial[axis] / span,
            Some(Hold::Walls) => 0.5 * walls[axis] * room.lengths[axis] / span,
            None => 0.0,
        };
        let work = (axis(0) + axis(1) + axis(2)) / self.dimension() as f64;
        let compressibility = (temperature > 0.0).then(|| work / (count * temperature));
        Figures { temperature: None, pressure: Some(work / room.volume()), collision_rate, compressibility }
    }
}
