//! Plots and their settings as they are written in a file.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::kind::{self, Axis, Plane2};
use super::style::{Legend, PictureFormat, Theme, Width};
use crate::scenario::numbers::Range;

/// The plots of [`kind::Plot`] with the fields that are written, each with a `style` at the end.
macro_rules! plots {
    ($($name:ident { $($(#[$how:meta])* $field:ident: $of:ty),* })+) => {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(in crate::scenario) enum Plot {
            $($name {
                $($(#[$how])* $field: $of,)*
                #[serde(default)]
                style: Style,
            },)+
        }

        impl Plot {
            /// The plot of the bodies as they are written, and its settings.
            pub(in crate::scenario) fn parts(self) -> (kind::Plot, Style) {
                match self {
                    $(Self::$name { $($field,)* style } => (kind::Plot::$name { $($field),* }, style),)+
                }
            }
        }
    };
}

plots! {
    Path { plane: Plane2, #[serde(default)] bodies: Vec<String> }
    Height { axis: Axis, #[serde(default)] bodies: Vec<String> }
    Strobe { plane: Plane2, every: f64, #[serde(default)] bodies: Vec<String> }
    SpaceTime { axis: Axis, #[serde(default)] bodies: Vec<String> }
    Speed { #[serde(default)] bodies: Vec<String> }
    Phase { axis: Axis, #[serde(default)] bodies: Vec<String> }
    Passages { #[serde(default)] bodies: Vec<String> }
    Oblique {
        #[serde(default = "azimuth")] azimuth: f64,
        #[serde(default = "elevation")] elevation: f64,
        every: Option<f64>,
        #[serde(default)] bodies: Vec<String>
    }
    RadialDistribution { #[serde(default)] bodies: Vec<String> }
    Displacement { #[serde(default)] bodies: Vec<String> }
    Autocorrelation { #[serde(default)] bodies: Vec<String> }
    Separation { bodies: Vec<String>, plane: Option<Plane2> }
    BoundaryMap { #[serde(default)] bodies: Vec<String> }
    Concentration { axis: Axis, #[serde(default)] bodies: Vec<String> }
    Energy {}
    Impacts { #[serde(default)] bodies: Vec<String> }
    Gas {}
    Speeds {}
    Profile {}
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
