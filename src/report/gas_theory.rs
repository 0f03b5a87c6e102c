//! Theory of a gas of equal elastic spheres in a periodic space, or of equal discs in a periodic plane.
//!
//! Compressibility: of spheres Carnahan and Starling, *Equation of state for nonattracting rigid spheres*, J. Chem.
//! Phys. 51, 1969; of discs Henderson, *A simple equation of state for hard discs*, Mol. Phys. 30, 1975. Rate of
//! impacts and diffusion: Enskog's theory, with the pair distribution at contact that follows from that equation;
//! Chapman and Cowling, *The Mathematical Theory of Non-Uniform Gases*, 1970, chapter 16, and for discs Gass, *Enskog
//! theory for a rigid disk fluid*, J. Chem. Phys. 54, 1971. For other gases there is no value.

use std::f64::consts::PI;
use std::path::Path;

use crate::dynamics::{Layers, Motion, Response};
use crate::geometry::Shape;
use crate::motion::SimTime;
use crate::record::gas::GasKind;
use crate::record::tables::Gas;
use crate::report::error::ReportError;
use crate::report::rows::every_row;
use crate::scenario::{Observation, Scenario};
use crate::world::Timed;

/// A gas of equal spheres, or of equal discs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spheres {
    /// Whether they are discs.
    is_flat: bool,
    /// Spheres per volume, 1/m³; discs per area, 1/m².
    density: f64,
    /// Diameter, m.
    diameter: f64,
    /// Mass, kg.
    mass: f64,
}

impl Spheres {
    /// The spheres of a scenario, if the theory applies to its gas: all collide with all, elastically and without
    /// friction, and no command changes more than velocities.
    pub(super) fn of(scenario: &Scenario, kind: &GasKind) -> Option<Self> {
        let space = &scenario.settings.space;
        let axes = if space.is_planar { 2 } else { 3 };
        let volume = kind.volume().filter(|_| kind.dimension() == axes)?;
        if space.periods[..axes].contains(&None) {
            return None;
        }
        let changes = |timed: &Timed| !timed.command.moves_one_body();
        if scenario.commands.iter().any(changes) {
            return None;
        }
        let mut found: Option<(f64, f64)> = None;
        let mut kinds = Vec::new();
        for body in &scenario.bodies {
            let (Shape::Sphere(radius), Motion::Free(mass), Response::Collide) =
                (&body.shape, body.motion, body.response)
            else {
                return None;
            };
            let sphere = (2.0 * radius.get(), mass.get());
            if *found.get_or_insert(sphere) != sphere {
                return None;
            }
            let kind = (body.material, [body.layers, body.collides_with]);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let materials = &scenario.settings.materials;
        let is_perfect = |(one, layers), (other, others)| {
            let is_smooth = materials.friction(one, other) == 0.0;
            Layers::collide(layers, others) && materials.restitution(one, other).is_elastic() && is_smooth
        };
        if !kinds.iter().all(|&one| kinds.iter().all(|&other| is_perfect(one, other))) {
            return None;
        }
        let (diameter, mass) = found?;
        Some(Self { is_flat: space.is_planar, density: scenario.bodies.len() as f64 / volume, diameter, mass })
    }

    /// p V / (N k_B T).
    pub(super) fn compressibility(self) -> f64 {
        let filled = self.filled();
        if self.is_flat {
            (1.0 + filled * filled / 8.0) / (1.0 - filled).powi(2)
        } else {
            (1.0 + filled + filled * filled - filled.powi(3)) / (1.0 - filled).powi(3)
        }
    }

    /// Pressure at this k_B T, N/m², or N/m of discs; `temperature` in J.
    pub(super) fn pressure(self, temperature: f64) -> f64 {
        self.compressibility() * self.density * temperature
    }

    /// Impacts of one sphere at this k_B T, 1/s; `temperature` in J.
    pub(super) fn collision_rate(self, temperature: f64) -> f64 {
        let section = if self.is_flat { 2.0 * self.diameter } else { 4.0 * self.diameter.powi(2) };
        section * self.density * self.contact_value() * (PI * temperature / self.mass).sqrt()
    }

    /// The radial distribution where spheres touch.
    pub(super) fn contact_value(self) -> f64 {
        let filled = self.filled();
        if self.is_flat {
            (1.0 - 7.0 / 16.0 * filled) / (1.0 - filled).powi(2)
        } else {
            (1.0 - 0.5 * filled) / (1.0 - filled).powi(3)
        }
    }

    /// Whose equation of state it is.
    pub(super) const fn name(self) -> &'static str {
        if self.is_flat { "Henderson" } else { "Carnahan–Starling" }
    }

    /// The self-diffusion coefficient at this k_B T in the first approximation, m²/s; `temperature` in J.
    pub(super) fn diffusion(self, temperature: f64) -> f64 {
        let crowding = self.density * self.contact_value();
        let free = if self.is_flat { 1.0 / (2.0 * self.diameter) } else { 3.0 / (8.0 * self.diameter.powi(2)) };
        free / crowding * (temperature / (PI * self.mass)).sqrt()
    }

    /// The rate at which velocities forget, k_B T/(m D), 1/s.
    pub(super) fn decay(self, temperature: f64) -> f64 {
        temperature / (self.mass * self.diffusion(temperature))
    }

    /// The fraction of the volume or the area that they fill.
    fn filled(self) -> f64 {
        if self.is_flat {
            return PI / 4.0 * self.density * self.diameter.powi(2);
        }
        PI / 6.0 * self.density * self.diameter.powi(3)
    }
}

/// The mean k_B T of an observed gas in the second half of its run, J.
pub(super) fn mean_temperature(scenario: &Scenario, folder: &Path, end: SimTime) -> Result<Option<f64>, ReportError> {
    if !scenario.observe.contains(&Observation::Gas) {
        return Ok(None);
    }
    let (half, mut sum, mut count) = (0.5 * end.seconds(), 0.0, 0.0);
    every_row::<Gas>(folder, |row| {
        if let Some(temperature) = row.temperature.filter(|_| row.time.seconds() >= half) {
            (sum, count) = (sum + temperature, count + 1.0);
        }
    })?;
    Ok((count > 0.0).then_some(sum / count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Source, parse};

    #[test]
    fn theory_is_only_for_gases_that_it_is_of() {
        let applies = |one: &str, other: &str, commands: &str| {
            let fill = |name: &str, x: u8, kind: &str| {
                let places = format!("counts: (2, 4, 5), min: ({x}, 0, 0), spacing: 2, mass: 1");
                format!("Lattice(name: \"{name}\", shape: Sphere(radius: 0.5), {places}{kind}),")
            };
            let text = format!(
                "(timestep: 1, duration: 1, space: Periodic(min: (0, 0, 0), max: (12, 12, 12)), layers: [\"l\"],
                materials: {{\"m\": (restitution: 1), \"n\": (restitution: 1), \"soft\": (restitution: 0.5)}},
                pairs: [(between: (\"m\", \"n\"), restitution: 0.9)],
                fill: [{}{}], commands: [{commands}])",
                fill("a", 0, one),
                fill("b", 5, other)
            );
            let scenario = parse(&Source::new("x.ron", &text)).unwrap_or_else(|error| panic!("{error:?}")).scenario;
            Spheres::of(&scenario, &GasKind::of(&scenario.settings, &scenario.bodies)).is_some()
        };
        let (m, n) = (", material: \"m\"", ", material: \"n\"");
        let (alone, layer) = (", collides_with: []", ", layer: \"l\"");
        let own = ", layer: \"l\", collides_with: [\"l\"]";
        let soft = "SetMaterial(at: 0.5, body: \"a/00\", material: \"soft\")";
        let rows = [
            ("", "", "", true),
            ("", layer, "", true),
            (m, "", "", true),
            (m, n, "", false),
            (alone, alone, "", false),
            ("", own, "", false),
            ("", "", "Kick(at: 0.5, body: \"a/00\", impulse: (1, 0, 0))", true),
            ("", "", soft, false),
        ];
        for (one, other, commands, wanted) in rows {
            assert_eq!(applies(one, other, commands), wanted, "{one} {other} {commands}");
        }
    }

    /// The pressure is that of the impulses at impacts: p V / (N k_B T) − 1 is the rate of impacts times √(π m / k_B T)
    /// σ / (2 d) in d dimensions.
    #[test]
    fn pressure_and_rate_agree() {
        for density in [1e-3, 0.2, 0.7] {
            for (is_flat, axes) in [(false, 3.0), (true, 2.0)] {
                let gas = Spheres { is_flat, density, diameter: 1.1, mass: 2.5 };
                let temperature: f64 = 0.4;
                let rate = gas.collision_rate(temperature);
                let virial = rate * (PI * gas.mass / temperature).sqrt() * gas.diameter / (2.0 * axes);
                let excess = gas.compressibility() - 1.0;
                assert!((virial - excess).abs() < 1e-12 * excess.max(1.0), "{virial} {excess}");
            }
        }
    }

    /// The second and the third virial coefficient of hard spheres are exact: 4 and 10, in powers of the filled
    /// fraction.
    #[test]
    fn a_dilute_gas_has_the_virial_coefficients_of_hard_spheres() {
        for filled in [1e-3, 2e-3, 4e-3] {
            let gas = Spheres { is_flat: false, density: filled * 6.0 / PI, diameter: 1.0, mass: 1.0 };
            let rest = gas.compressibility() - (1.0 + 4.0 * filled + 10.0 * filled * filled);
            // The true fourth coefficient is 18.36 and it is 18 here; the fifth is near 28.
            assert!((rest / filled.powi(3) - 18.0).abs() < 30.0 * filled, "{filled}: {rest}");
        }
    }

    /// The second virial coefficient of hard discs is exactly 2, the third 16/3 − 4√3/π, in powers of the filled
    /// fraction (Tonks 1936); Henderson's equation has 3.125 for it, and the true one is 3.12802.
    #[test]
    fn a_dilute_gas_has_the_virial_coefficients_of_hard_discs() {
        for filled in [1e-3, 2e-3, 4e-3] {
            let gas = Spheres { is_flat: true, density: filled * 4.0 / PI, diameter: 1.0, mass: 1.0 };
            let rest = gas.compressibility() - (1.0 + 2.0 * filled);
            let third = 16.0 / 3.0 - 4.0 * 3.0_f64.sqrt() / PI;
            assert!((rest / (filled * filled) - third).abs() < 0.0031 + 5.0 * filled, "{filled}: {rest}");
        }
    }
}
