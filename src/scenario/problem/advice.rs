//! What to do about each fault.

use crate::scenario::error_kinds::Fault;
use crate::scenario::text::nearest::one_of;

impl Fault {
    /// What to do about it, in a sentence.
    pub fn help(&self) -> Option<String> {
        let text = match self {
            Self::UnknownField { found, known, .. } | Self::UnknownWord { found, known } => {
                return Some(one_of(found, known));
            }
            Self::UnknownMaterial { nearest: Some(name), .. }
            | Self::UnknownLayer { nearest: Some(name), .. }
            | Self::UnknownBody { nearest: Some(name), .. } => return Some(format!("did you mean `{name}`?")),
            Self::UnknownMaterial { .. } => {
                "add it to `materials`, as in materials: { \"steel\": (restitution: 0.95) }"
            }
            Self::UnknownLayer { .. } => "add it to the scenario's list, as in layers: [\"ground\", \"debris\"]",
            Self::UnknownBody { .. } => {
                "names are those of `bodies`, and of `fill` with a number, as in \"gas/007\"; \"gas/*\" means all that begin so"
            }
            Self::Command(fault) => fault.help(),
            Self::File(fault) => fault.help(),
            Self::List(fault) => fault.help(),
            Self::Packing(fault) => fault.help(),
            Self::Mesh(fault) => fault.help(),
            Self::Grid(fault) => fault.help(),
            Self::Planar(fault) => fault.help(),
            Self::Play(fault) => fault.help(),
            Self::Sweep(fault) => return fault.help(),
            Self::MissingField { field } => return Some(format!("add `{field}: ...` here")),
            Self::NameTaken { .. } => "give each body a name of its own",
            _ => return self.fixed_help().map(str::to_owned),
        };
        Some(text.to_owned())
    }

    /// Advice that does not depend on what was found.
    fn fixed_help(&self) -> Option<&'static str> {
        Some(match self {
            Self::Empty => "the smallest scenario is Scenario(timestep: 0.01, duration: 1)",
            Self::NewerFormat { .. } => "use the version of carom that the file was written for, or a later one",
            Self::Syntax { .. } => "a scenario is written in RON: fields as `name: value`, separated by commas",
            Self::EndsEarly { .. } => "look for a bracket or a quotation mark that is opened and not closed",
            Self::TooDeep => "no scenario needs more than ten brackets within each other",
            Self::TooManySteps { .. } => {
                "choose a longer timestep or a shorter duration: the timestep only says when the run is looked at"
            }
            Self::TooManyBodies { .. } => "lower `count` or `counts`",
            Self::TooManyLayers { .. } => "let bodies that meet the same others share a layer",
            Self::LayerTwice { .. } => "leave it out; `default` is the layer of bodies that name none",
            Self::EmptyPair => "for example (between: (\"steel\", \"ice\"), friction: 0.03)",
            Self::MassMissing => "add `mass: 1` (kg) or `density: 1000` (kg/m³), or say `motion: Fixed`",
            Self::MassTwice => "leave one of them out",
            Self::MassUseless { .. } => "leave it out, or make the body `Free`",
            Self::FreePlane => "use `motion: Fixed` or `motion: Kinematic`",
            Self::FixedMoves { .. } => "leave the velocity out, or say `motion: Kinematic`",
            Self::Course { .. } => {
                "for example Along(Sine(axis: (0, 0, 1), amplitude: 0.01, frequency: 25)), with m, Hz and turns"
            }
            Self::OwnCourse { .. } => "leave it out: the course gives position and velocity",
            Self::NeverTurns { .. } => "leave the spin out: only a `Sphere` that is `Free` turns",
            Self::PlaneAcrossPeriod { .. } => "let space be open along that axis, or remove the plane",
            Self::WiderThanPeriod { .. } => "make the body smaller or the period longer",
            Self::FarFromCell => "space repeats, so the body can begin in the cell itself",
            Self::UnclearPeriod => "for example Periodic(min: (0, 0, 0), max: (10, 10, 10)) or Periodic(x: (0, 10))",
            Self::UnclearLattice => {
                "`spacing` is the edge of one cell; with `max` the cells divide the region from `min` to `max`"
            }
            Self::ColdMotion => "leave `temperature` out, or make the bodies `Free`",
            Self::UnboundedRegion { .. } => "for example min: (0, 0, 0), max: (1, 1, 1)",
            Self::NarrowRegion { .. } => "widen the region or make the bodies smaller",
            Self::RegionOverfull { .. } => "lower `count`, enlarge the region, or make the bodies smaller",
            Self::RegionFull { .. } | Self::RegionJammed { .. } => {
                "lower `count`, enlarge the region, or use a `Lattice`, or in space `Compressed`: random spheres reach about 0.34 of the volume, random discs about 0.52 of the area"
            }
            Self::FewDiameters { .. } => {
                "raise `count`, which makes the balls smaller, or without `count` lower `sizes`; or lower `packing`"
            }
            Self::Formula(_) => {
                "for example \"1 - 9.81/2*x^2\", with + - * / ^, pi, e, and functions such as sqrt(x), exp(x), sin(x)"
            }
            Self::UnclearCount => "for example Impacts(exactly: 5) or Impacts(at_least: 3, at_most: 7)",
            Self::Coarse(_) => "move the scene near the origin, or make the bodies larger",
            Self::SameSeed { .. } => "give each generator a `seed` of its own",
            Self::GasNotObserved => "add observe: [Gas] to the scenario",
            Self::PackingNotObserved => "add observe: [Packing] to the scenario",
            Self::Overlap { .. } => "move them apart, or make one of them smaller; touching is allowed",
            _ => return None,
        })
    }
}
