//! The units that are known of what varies and of what is collected.

use super::{AuditFigure, Collected, EventQuantity, Measure, Quantity};

/// The units of a plot of the result `y` over the value at the path `x`; empty where they are not known.
pub(super) fn units(x: &str, y: &str, collect: &[Collected]) -> (String, String) {
    let found = collect.iter().find(|result| result.is_called(y));
    (of_path(x).to_owned(), found.map_or("", |result| of_measure(&result.measure)).to_owned())
}

/// The unit of a value of a scenario: that of the last part of its path that is no coordinate.
fn of_path(path: &str) -> &'static str {
    let field = path.rsplit('.').find(|part| !matches!(*part, "x" | "y" | "z" | "0" | "1" | "2"));
    match field.unwrap_or_default() {
        "position" | "radius" | "half_extents" => "m",
        "velocity" => "m/s",
        "gravity" => "m/s²",
        "mass" => "kg",
        "spin" => "rad/s",
        "timestep" | "duration" => "s",
        _ => "",
    }
}

const fn of_measure(measure: &Measure) -> &'static str {
    use AuditFigure::{ContactHeat, Deepest, Dissipated, EnergyEnd, EnergyStart, Work};
    use Quantity::{Speed, SpinX, SpinY, SpinZ, VelocityX, VelocityY, VelocityZ, X, Y, Z};
    match measure {
        Measure::Nth { quantity: EventQuantity::Time, .. } => "s",
        Measure::Nth { quantity: EventQuantity::ApproachSpeed, .. } => "m/s",
        Measure::Final { quantity, .. } => match quantity {
            X | Y | Z => "m",
            VelocityX | VelocityY | VelocityZ | Speed => "m/s",
            SpinX | SpinY | SpinZ => "rad/s",
        },
        Measure::Audit(EnergyStart | EnergyEnd | Dissipated | ContactHeat | Work) => "J",
        Measure::Audit(Deepest) => "m",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::EventKind;

    #[test]
    fn what_is_known_has_its_unit() {
        let time = Measure::Nth { quantity: EventQuantity::Time, kind: EventKind::Rest, nth: 1, bodies: Vec::new() };
        let collect = [
            Collected { name: "end_1".to_owned(), series: Some("end".to_owned()), measure: time },
            Collected { name: "heat".to_owned(), series: None, measure: Measure::Audit(AuditFigure::Dissipated) },
            Collected { name: "met".to_owned(), series: None, measure: Measure::Met },
        ];
        for (x, y, wanted) in [
            ("bodies.ball.velocity.x", "end", ("m/s", "s")),
            ("materials.ball.restitution", "heat", ("", "J")),
            ("bodies.ball.shape.radius", "met", ("m", "")),
            ("gravity.2", "end_1", ("m/s²", "s")),
        ] {
            assert_eq!(units(x, y, &collect), (wanted.0.to_owned(), wanted.1.to_owned()), "{x} {y}");
        }
    }
}
