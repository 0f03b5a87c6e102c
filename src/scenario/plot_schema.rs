//! Plots and their settings as they are written in a file.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::numbers::Range;
use super::plot_style::{PictureFormat, Theme};
use super::request_types::{Axis, Plane2};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum Plot {
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
pub(super) const AZIMUTH: f64 = -60.0;
pub(super) const ELEVATION: f64 = 25.0;

const fn azimuth() -> f64 {
    AZIMUTH
}

const fn elevation() -> f64 {
    ELEVATION
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Style {
    pub(super) theme: Option<Theme>,
    pub(super) width: Option<Width>,
    pub(super) height: Option<Height>,
    pub(super) title: Option<bool>,
    pub(super) font_size: Option<f64>,
    pub(super) time: Option<Range>,
    pub(super) x: Option<Range>,
    pub(super) y: Option<Range>,
    pub(super) log_x: Option<bool>,
    pub(super) log_y: Option<bool>,
    pub(super) colors: BTreeMap<String, String>,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) formats: Vec<PictureFormat>,
    pub(super) dpi: Option<u64>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) enum Width {
    Single,
    Double,
    Mm(f64),
}

#[derive(Clone, Copy, Deserialize)]
pub(super) enum Height {
    Mm(f64),
}
