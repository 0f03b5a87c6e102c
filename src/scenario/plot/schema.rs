//! Plots and their settings as they are written in a file.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::style::{Legend, PictureFormat, Theme};
use super::{Axis, Plane2};
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

/// Default direction of an oblique view, degrees.
pub(in crate::scenario) const AZIMUTH: f64 = -60.0;
pub(in crate::scenario) const ELEVATION: f64 = 25.0;

const fn azimuth() -> f64 {
    AZIMUTH
}

const fn elevation() -> f64 {
    ELEVATION
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
pub(in crate::scenario) enum Width {
    Single,
    Double,
    Mm(f64),
}

#[derive(Clone, Copy, Deserialize)]
pub(in crate::scenario) enum Height {
    Mm(f64),
}
