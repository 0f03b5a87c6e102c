//! The results that are collected during a run, and at its end.

use crate::dynamics::{BodyId, Event};
use crate::record::{EventFilter, Found};
use crate::scenario::GasFigure;
use crate::scenario::sweep_file::{AuditFigure, Collected, EventQuantity, Measure, Quantity};
use crate::world::World;

/// The collectors of one run, one for each result.
pub(super) struct Collector<'a> {
    parts: Vec<Part<'a>>,
}

struct Part<'a> {
    measure: &'a Measure,
    /// The filter of the events that count, if any count.
    filter: Option<EventFilter>,
    /// The number of these events.
    count: u64,
    /// The number of the event that is wanted.
    value: Option<f64>,
    body: Option<BodyId>,
}

impl<'a> Collector<'a> {
    /// The collector of a run that begins with `world`. A body that does not exist has no events and no state.
    pub(super) fn new(collect: &'a [Collected], world: &World) -> Self {
        let future_names = world.future_names();
        let part = |collected: &'a Collected| {
            let measure = &collected.measure;
            let ids = |names: &[String]| names.iter().map(|name| future_names.id(name)).collect::<Option<Vec<_>>>();
            let filter = match measure {
                Measure::Count { kind, bodies } | Measure::Nth { kind, bodies, .. } => {
                    ids(bodies).map(|bodies| EventFilter { kind: *kind, bodies })
                }
                _ => None,
            };
            let body = if let Measure::Final { body, .. } = measure { future_names.id(body) } else { None };
            Part { measure, filter, count: 0, value: None, body }
        };
        Self { parts: collect.iter().map(part).collect() }
    }

    /// Takes note of an event.
    pub(super) fn see(&mut self, event: &Event) {
        for part in &mut self.parts {
            if part.filter.as_ref().is_some_and(|filter| filter.accepts(event)) {
                part.count += 1;
                if let Measure::Nth { quantity, nth, .. } = part.measure
                    && *nth == part.count
                {
                    part.value = Some(match quantity {
                        EventQuantity::Time => event.time.seconds(),
                        EventQuantity::ApproachSpeed => event.approach_speed,
                    });
                }
            }
        }
    }

    /// The results of a run that is over; `None` for a result that does not exist.
    pub(super) fn results(&self, world: &World, found: &Found) -> Vec<Option<f64>> {
        self.parts.iter().map(|part| part.result(world, found)).collect()
    }
}

impl Part<'_> {
    fn result(&self, world: &World, found: &Found) -> Option<f64> {
        match *self.measure {
            Measure::Count { .. } => Some(self.count as f64),
            Measure::Nth { .. } => self.value,
            Measure::Final { quantity, .. } => {
                let body = self.body.filter(|&body| world.is_present(body))?;
                Some(number(quantity, world, body))
            }
            Measure::Audit(figure) => Some(audited(figure, found)),
            Measure::Gas(figure) => {
                let figures = found.gas.as_ref()?.figures;
                match figure {
                    GasFigure::Temperature => figures.temperature,
                    GasFigure::Pressure => figures.pressure,
                    GasFigure::CollisionRate => figures.collision_rate,
                    GasFigure::Compressibility => figures.compressibility,
                }
            }
            Measure::Packing(figure) => found.packing.as_ref()?.report.figure(figure),
            Measure::Met => Some(f64::from(u8::from(found.expectations.iter().all(|verdict| verdict.met)))),
        }
    }
}

fn number(quantity: Quantity, world: &World, body: BodyId) -> f64 {
    let state = world.state(body);
    match quantity {
        Quantity::X => state.position.x,
        Quantity::Y => state.position.y,
        Quantity::Z => state.position.z,
        Quantity::VelocityX => state.velocity.x,
        Quantity::VelocityY => state.velocity.y,
        Quantity::VelocityZ => state.velocity.z,
        Quantity::SpinX => state.spin.x,
        Quantity::SpinY => state.spin.y,
        Quantity::SpinZ => state.spin.z,
        Quantity::Speed => state.velocity.length(),
    }
}

fn audited(figure: AuditFigure, found: &Found) -> f64 {
    let balance = &found.balance;
    match figure {
        AuditFigure::EnergyStart => balance.energy_start,
        AuditFigure::EnergyEnd => balance.energy_end,
        AuditFigure::Dissipated => balance.dissipated,
        AuditFigure::ContactHeat => balance.contact_heat,
        AuditFigure::Work => balance.work,
        AuditFigure::EnergyDrift => balance.energy_drift,
        AuditFigure::MomentumDrift => balance.momentum_drift,
        AuditFigure::Deepest => balance.deepest_overlap,
    }
}
