//! Plots and their settings as they are written in a file.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::kind::{self, Axis, Plane2};
use super::style::{Legend, PictureFormat, Theme, Width};
use crate::scenario::numbers::Range;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) enum Plot {
    Path {
        plane: Plane2,
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Height {
        axis: Axis,
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Strobe {
        plane: Plane2,
        every: f64,
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    SpaceTime {
        axis: Axis,
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Speed {
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Phase {
        axis: Axis,
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Passages {
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Oblique {
        #[serde(default = "azimuth")]
        azimuth: f64,
        #[serde(default = "elevation")]
        elevation: f64,
        every: Option<f64>,
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    RadialDistribution {
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Displacement {
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Autocorrelation {
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Separation {
        bodies: Vec<String>,
        plane: Option<Plane2>,
        #[serde(default)]
        style: Style,
    },
    BoundaryMap {
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Concentration {
        axis: Axis,
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Energy {
        #[serde(default)]
        style: Style,
    },
    Impacts {
        #[serde(default)]
        bodies: Vec<String>,
        #[serde(default)]
        style: Style,
    },
    Gas {
        #[serde(default)]
        style: Style,
    },
    Speeds {
        #[serde(default)]
        style: Style,
    },
    Profile {
        #[serde(default)]
        style: Style,
    },
}

impl Plot {
    /// The plot of the bodies as they are written, and its settings.
    pub(in crate::scenario) fn parts(self) -> (kind::Plot, Style) {
        match self {
            Self::Path { plane, bodies, style } => (kind::Plot::Path { plane, bodies }, style),
            Self::Height { axis, bodies, style } => (kind::Plot::Height { axis, bodies }, style),
            Self::Strobe { plane, every, bodies, style } => (kind::Plot::Strobe { plane, every, bodies }, style),
            Self::SpaceTime { axis, bodies, style } => (kind::Plot::SpaceTime { axis, bodies }, style),
            Self::Speed { bodies, style } => (kind::Plot::Speed { bodies }, style),
            Self::Phase { axis, bodies, style } => (kind::Plot::Phase { axis, bodies }, style),
            Self::Passages { bodies, style } => (kind::Plot::Passages { bodies }, style),
            Self::Oblique { azimuth, elevation, every, bodies, style } => {
                (kind::Plot::Oblique { azimuth, elevation, every, bodies }, style)
            }
            Self::RadialDistribution { bodies, style } => (kind::Plot::RadialDistribution { bodies }, style),
            Self::Displacement { bodies, style } => (kind::Plot::Displacement { bodies }, style),
            Self::Autocorrelation { bodies, style } => (kind::Plot::Autocorrelation { bodies }, style),
            Self::Separation { bodies, plane, style } => (kind::Plot::Separation { plane, bodies }, style),
            Self::BoundaryMap { bodies, style } => (kind::Plot::BoundaryMap { bodies }, style),
            Self::Concentration { axis, bodies, style } => (kind::Plot::Concentration { axis, bodies }, style),
            Self::Energy { style } => (kind::Plot::Energy, style),
            Self::Impacts { bodies, style } => (kind::Plot::Impacts { bodies }, style),
            Self::Gas { style } => (kind::Plot::Gas, style),
            Self::Speeds { style } => (kind::Plot::Speeds, style),
            Self::Profile { style } => (kind::Plot::Profile, style),
        }
    }
}

/// Default direction of an oblique view, degrees.
const fn azimuth() -> f64 {
    -60.0
}

const fn elevation() -> f64 {
    25.0
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in crate::scenario) struct Style {
    pub(in crate::scenario) theme: Option<Theme>,
    pub(in crate::scenario) width: Option<Width>,
    pub(in crate::scenario) height: Option<Height>,
    pub(in crate::scenario) title: Option<bool>,
    pub(in crate::scenario) legend: Option<Legend>,
    pub(in crate::scenario) letter: Option<String>,
    pub(in crate::scenario) font_size: Option<f64>,
    pub(in crate::scenario) time: Option<Range>,
    pub(in crate::scenario) x: Option<Range>,
    pub(in crate::scenario) y: Option<Range>,
    pub(in crate::scenario) log_x: Option<bool>,
    pub(in crate::scenario) log_y: Option<bool>,
    pub(in crate::scenario) colors: BTreeMap<String, String>,
    pub(in crate::scenario) labels: BTreeMap<String, String>,
    pub(in crate::scenario) formats: Vec<PictureFormat>,
    pub(in crate::scenario) dpi: Option<u64>,
    pub(in crate::scenario) over: Vec<Overlay>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) enum Overlay {
    Points { label: String, points: Vec<[f64; 2]>, color: Option<String> },
    Curve { label: String, points: Vec<[f64; 2]>, color: Option<String> },
    Formula { label: String, y: String, color: Option<String> },
}

#[derive(Clone, Copy, Deserialize)]
pub(in crate::scenario) enum Height {
    Mm(f64),
}
