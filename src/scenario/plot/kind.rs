//! What plots show.

use serde::Deserialize;

/// A coordinate axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Axis {
    X,
    Y,
    Z,
}

/// A coordinate plane to project on, named by the axis to the right and the axis upwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Plane2 {
    XY,
    XZ,
    YZ,
}

/// What a picture shows of a run. An empty list of bodies means all that were recorded.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Plot {
    /// The paths of bodies seen along an axis, with equal scales, solids drawn where they end.
    Path {
        /// The coordinate plane.
        plane: Plane2,
        /// The bodies whose paths are drawn.
        bodies: Vec<String>,
    },
    /// One coordinate over time.
    Height {
        /// The coordinate.
        axis: Axis,
        /// The bodies.
        bodies: Vec<String>,
    },
    /// Bodies at equal spans of time seen along an axis, with equal scales.
    Strobe {
        /// The coordinate plane.
        plane: Plane2,
        /// Span between two positions, s; positive.
        every: f64,
        /// Which bodies.
        bodies: Vec<String>,
    },
    /// One coordinate over time, as bands as wide as the bodies.
    SpaceTime {
        /// The coordinate.
        axis: Axis,
        /// The bodies.
        bodies: Vec<String>,
    },
    /// Speeds over time.
    Speed {
        /// The bodies.
        bodies: Vec<String>,
    },
    /// The velocity along an axis against the coordinate.
    Phase {
        /// Which axis.
        axis: Axis,
        /// The bodies.
        bodies: Vec<String>,
    },
    /// When bodies were in sensors.
    Passages {
        /// Which bodies.
        bodies: Vec<String>,
    },
    /// Bodies and their paths in space, seen obliquely from afar, at one scale along all axes.
    Oblique {
        /// Direction of the viewer around z, from x towards y, degrees.
        azimuth: f64,
        /// Direction of the viewer above the xy plane, degrees, from −90 to 90.
        elevation: f64,
        /// Span between two positions shown, s; positive. Without it, positions are shown at the start and at the end.
        every: Option<f64>,
        /// Which bodies.
        bodies: Vec<String>,
    },
    /// The radial distribution function of free bodies in a periodic space.
    RadialDistribution {
        /// The bodies.
        bodies: Vec<String>,
    },
    /// The mean squared displacement of free bodies.
    Displacement {
        /// The bodies.
        bodies: Vec<String>,
    },
    /// The velocity autocorrelation of free bodies.
    Autocorrelation {
        /// The bodies.
        bodies: Vec<String>,
    },
    /// The distance between two bodies over time.
    Separation {
        /// The coordinate plane in which it is measured; `None` for space.
        plane: Option<Plane2>,
        /// The two bodies.
        bodies: Vec<String>,
    },
    /// Impacts on the fixed walls of a planar world: the length along the walls against the direction after the impact.
    BoundaryMap {
        /// The bodies that hit them.
        bodies: Vec<String>,
    },
    /// The number of bodies at each place along an axis over time, for each kind of bodies.
    Concentration {
        /// The axis.
        axis: Axis,
        /// The bodies.
        bodies: Vec<String>,
    },
    /// Kinetic, potential and total energy over time, with the energy turned into heat.
    Energy,
    /// Impacts over time.
    Impacts {
        /// The bodies whose impacts are counted, separately for each body. If the list is empty, all impacts are
        /// counted together, and other events are shown, too.
        bodies: Vec<String>,
    },
    /// Temperature, pressure, rate of impacts and compressibility over time; of a scenario that observes its gas.
    Gas,
    /// How the speeds of a gas are spread, beside Maxwell's law; of a scenario that observes its gas.
    Speeds,
    /// How full a vessel is at each distance from its walls; of a scenario that observes its packing.
    Profile,
}

/// The list of bodies of a plot, as a reference of the kind of `$plot`; `None` for a plot that has no choice of bodies.
macro_rules! bodies {
    ($plot:expr) => {
        match $plot {
            Plot::Path { bodies, .. }
            | Plot::Height { bodies, .. }
            | Plot::Strobe { bodies, .. }
            | Plot::SpaceTime { bodies, .. }
            | Plot::Speed { bodies }
            | Plot::Phase { bodies, .. }
            | Plot::Passages { bodies }
            | Plot::Oblique { bodies, .. }
            | Plot::RadialDistribution { bodies }
            | Plot::Displacement { bodies }
            | Plot::Autocorrelation { bodies }
            | Plot::Separation { bodies, .. }
            | Plot::BoundaryMap { bodies }
            | Plot::Concentration { bodies, .. }
            | Plot::Impacts { bodies } => Some(bodies),
            Plot::Energy | Plot::Gas | Plot::Speeds | Plot::Profile => None,
        }
    };
}

impl Plot {
    /// The bodies that the plot is to show; `None` for a plot that has no choice of bodies.
    pub fn bodies(&self) -> Option<&Vec<String>> {
        bodies!(self)
    }

    /// The same plot of these bodies; a plot that has no choice of bodies stays as it is.
    #[must_use]
    pub fn of(mut self, names: &[String]) -> Self {
        if let Some(bodies) = bodies!(&mut self) {
            *bodies = names.to_vec();
        }
        self
    }

    /// Whether measured points and curves from elsewhere can be laid over it.
    pub const fn takes_overlays(&self) -> bool {
        !matches!(self, Self::Oblique { .. } | Self::Passages { .. } | Self::Gas)
    }

    /// Whether its axes have equal scales.
    pub const fn is_to_scale(&self) -> bool {
        matches!(self, Self::Path { .. } | Self::Strobe { .. } | Self::Oblique { .. })
    }
}
