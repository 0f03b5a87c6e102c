//! The plots of a run as pictures within the page, drawn anew from the tables.
//!
//! Each is an `img` whose address contains the picture. So names in different pictures do not collide, and no style in
//! a picture needs a permission of the page. Theme and size are those of the page; ranges, colours and labels are those
//! of the scenario.

use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use glam::DVec2;
use maud::{Markup, html};
use serde_json::json;

use super::results::Results;
use super::words::outside;
use crate::report::ReportError;
use crate::report::coordinates::{across, axis_index, axis_name, plane_axes};
use crate::report::drawing::files::Packing;
use crate::report::drawing::{Canvas, Read, Scales};
use crate::report::figures::Drawing;
#[cfg(feature = "study")]
use crate::report::study;
use crate::scenario::plot::style::Theme;
#[cfg(feature = "study")]
use crate::scenario::sweep_file::{Sweep, SweepPlot};
use crate::scenario::text::printable::printable;
use crate::scenario::{Axis, Figure, Plane2, Plot, PlotStyle};
#[cfg(feature = "study")]
use crate::study::Row;

/// Most bytes of an SVG; a larger one is replaced by a PNG.
const SVG_BYTES_MAX: usize = 200_000;
/// Most bytes of an SVG that the page has twice, for a light and a dark page.
const TWICE_BYTES_MAX: usize = 40_000;

/// A plot on the page.
pub(super) struct Picture {
    name: String,
    /// What the picture shows and what it leaves out.
    caption: String,
    size: DVec2,
    light: String,
    /// The picture for a dark page; `None` for a large picture, whose colours the browser inverts.
    dark: Option<String>,
    /// Where values are read off, and on which groups of the SVG, for the script of the page.
    scales: String,
    curves: String,
}

/// Draws all plots that the scenario of a run asks for.
pub(super) fn pictures(run: &Results) -> Result<Vec<Picture>, ReportError> {
    let whole = run.scenario.with_all_bodies();
    let drawing = Drawing::new(&whole, &run.folder);
    let figures: Vec<&Figure> = run.scenario.plots.iter().collect();
    drawing.each(&figures, |index| picture(&drawing, figures[index])).into_iter().collect()
}

fn picture(drawing: &Drawing<'_>, figure: &Figure) -> Result<Picture, ReportError> {
    drawn(name(&figure.plot), &figure.style, |style| drawing.canvas(&Figure { plot: figure.plot.clone(), style }))
}

/// Draws all plots of a sweep.
#[cfg(feature = "study")]
pub(super) fn of_sweep(sweep: &Sweep, rows: &[Row]) -> Result<Vec<Picture>, ReportError> {
    let of = |plot: &SweepPlot| {
        let name = format!("{} over {}", plot.y, plot.x);
        drawn(name, &plot.style, |style| Ok(study::canvas(sweep, &SweepPlot { style, ..plot.clone() }, rows)))
    };
    sweep.plots.iter().map(of).collect()
}

/// A picture for light and dark pages; `canvas` draws it in a style.
pub(super) fn drawn(
    name: String,
    asked: &PlotStyle,
    canvas: impl Fn(PlotStyle) -> Result<Canvas, ReportError>,
) -> Result<Picture, ReportError> {
    let light_canvas = canvas(on_page(asked, Theme::Screen))?;
    let svg = light_canvas.svg();
    let light = if svg.len() <= SVG_BYTES_MAX {
        address("image/svg+xml", svg.as_bytes())
    } else {
        // The name is only used in messages.
        address("image/png", &light_canvas.png(Path::new("picture of the page"), Packing::Small)?)
    };
    let dark = if svg.len() <= TWICE_BYTES_MAX {
        Some(address("image/svg+xml", canvas(on_page(asked, Theme::Dark))?.svg().as_bytes()))
    } else {
        None
    };
    let scales = scales(&light_canvas);
    let curve = |read: Read| json!({ "part": read.place, "isTheory": read.is_theory, "isDashed": read.is_dashed });
    let curves = json!(light_canvas.read().map(curve).collect::<Vec<_>>()).to_string();
    Ok(Picture { name, caption: light_canvas.description, size: light_canvas.size, light, dark, scales, curves })
}

/// The rectangles with values of a picture as JSON: the edges as parts of the picture, and the two axes.
fn scales(canvas: &Canvas) -> String {
    let part = |value: f64, whole: f64| (1e5 * value / whole).round() / 1e5;
    let one = |scales: &Scales| {
        let [min, max] =
            [scales.rect.min, scales.rect.max].map(|at| [part(at.x, canvas.size.x), part(at.y, canvas.size.y)]);
        let axis = |side: usize| {
            let ([low, high], is_log) = scales.ends[side];
            let [quantity, unit] = &scales.measures[side];
            json!({ "low": low, "high": high, "log": is_log, "quantity": quantity, "unit": unit })
        };
        json!({ "min": min, "max": max, "x": axis(0), "y": axis(1) })
    };
    json!(canvas.scales.iter().map(one).collect::<Vec<_>>()).to_string()
}

/// The style of a plot, with the look and the size of the page.
fn on_page(asked: &PlotStyle, theme: Theme) -> PlotStyle {
    PlotStyle {
        theme: Some(theme),
        // The caption beside the picture has the title.
        title: Some(false),
        width: None,
        height: None,
        font_size: None,
        dpi: None,
        formats: Vec::new(),
        ..asked.clone()
    }
}

pub(super) fn address(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes))
}

fn name(plot: &Plot) -> String {
    let letter = |axis: Axis| axis_name(axis_index(axis));
    let sight = |plane: Plane2| axis_name(across(plane_axes(plane)));
    match plot {
        Plot::Path { plane, .. } => format!("Paths, seen along {}", sight(*plane)),
        Plot::Height { axis, .. } => format!("Position along {} over time", letter(*axis)),
        Plot::Strobe { plane, .. } => format!("Positions at equal spans of time, seen along {}", sight(*plane)),
        Plot::SpaceTime { axis, .. } => format!("Bodies along {} over time", letter(*axis)),
        Plot::Speed { .. } => "Speed over time".to_owned(),
        Plot::Phase { axis, .. } => format!("Velocity along {0} over {0}", letter(*axis)),
        Plot::Passages { .. } => "Times in sensors".to_owned(),
        Plot::Separation { .. } => "Distance of two bodies".to_owned(),
        Plot::BoundaryMap { .. } => "Impacts along the walls".to_owned(),
        Plot::Concentration { axis, .. } => format!("Number of bodies along {} over time", letter(*axis)),
        Plot::Energy => "Energy over time".to_owned(),
        Plot::Impacts { .. } => "Impacts".to_owned(),
        Plot::Oblique { .. } => "Paths in space".to_owned(),
        Plot::RadialDistribution { .. } => "Radial distribution".to_owned(),
        Plot::Displacement { .. } => "Mean squared displacement".to_owned(),
        Plot::Autocorrelation { .. } => "Velocity autocorrelation".to_owned(),
        Plot::Gas => "The gas over time".to_owned(),
        Plot::Speeds => "Spread of speeds".to_owned(),
        Plot::Profile => "Packing along the wall".to_owned(),
    }
}

impl Picture {
    pub(super) fn figure(&self) -> Markup {
        html! {
            figure class=[self.dark.is_none().then_some("white")] {
                div.plot data-scales=(self.scales) data-curves=(self.curves) {
                    picture {
                        @if let Some(dark) = &self.dark {
                            source media="screen and (prefers-color-scheme: dark)" srcset=(dark);
                        }
                        img src=(self.light) alt={ "Plot: " (printable(&self.name)) } width=(self.size.x.round()) height=(self.size.y.round());
                    }
                }
                figcaption { strong { (outside(&self.name)) "." } " " (outside(&self.caption)) }
            }
        }
    }
}
