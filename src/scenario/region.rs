//! A region of space in a file: a convex polytope, or several, for queries.
//!
//! ```ron
//! Box(min: (0, 0, 0), max: (1, 2, 3))
//! Planes([(normal: (0, 0, 1), offset: 0), (normal: (0, 0, -1), offset: -2)])
//! View(eye: (0, -5, 1), forward: (0, 1, 0), up: (0, 0, 1),
//!      lens: Perspective(half_width: 0.8, half_height: 0.6), near: 0.1, far: 20,
//!      outline: [(-0.5, -0.5), (0.5, -0.5), (0, 0.5)])
//! ```
//!
//! A file has one of these. The normals of `Planes` point inwards. A `View` is what a camera sees, or the part of it
//! inside an outline that is drawn in its picture. The coordinates of the outline go from −1 to 1 to the right and
//! upwards.

use std::error::Error;
use std::ops::Range;

use glam::{DVec2, DVec3};
use miette::{Diagnostic, NamedSource, SourceSpan};
use serde::Deserialize;

use super::Source;
use super::numbers::Triple;
use super::text::locate;
use crate::geometry::polytope::{Depth, Lens, Pose, View};
use crate::geometry::{Aabb, Plane, Polytope};

/// The error for a file that describes no region.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{name}:{line}:{column}: {message}")]
#[diagnostic(help(
    "a region is `Box(min: .., max: ..)`, `Planes([(normal: .., offset: ..), ..])` or `View(eye: .., forward: .., up: .., \
     lens: .., near: .., far: .., outline: [..])`"
))]
pub struct RegionError {
    name: String,
    line: usize,
    column: usize,
    message: String,
    #[source_code]
    text: NamedSource<String>,
    #[label("here")]
    place: SourceSpan,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Region")]
enum Raw {
    Box {
        min: Triple,
        max: Triple,
    },
    Planes(Vec<RawPlane>),
    View {
        eye: Triple,
        forward: Triple,
        up: Triple,
        #[serde(with = "RawLens")]
        lens: Lens,
        near: f64,
        #[serde(default = "endless")]
        far: f64,
        #[serde(default)]
        outline: Vec<[f64; 2]>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPlane {
    normal: Triple,
    offset: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Lens", remote = "Lens")]
enum RawLens {
    Perspective { half_width: f64, half_height: f64 },
    Orthographic { half_width: f64, half_height: f64 },
}

fn endless() -> f64 {
    f64::INFINITY
}

/// Reads a region, as convex parts. Their union is the region.
///
/// # Errors
/// [`RegionError`] that says where the text is not such a region, or what is wrong with its numbers.
pub fn read_region(source: &Source) -> Result<Vec<Polytope>, Box<RegionError>> {
    let text = source.text.as_str();
    let raw: Raw = ron::from_str(text).map_err(|error| {
        let place = |position: &ron::error::Position| locate::offset(text, position.line, position.col);
        let place = place(&error.span.start)..place(&error.span.end);
        match error.code {
            ron::Error::ExpectedStructLikeEnd => wrong(
                source,
                place,
                &"a closing bracket is wanted: a vector has three numbers, a point of an outline has two",
            ),
            code => wrong(source, place, &code),
        }
    })?;
    parts(&raw).map_err(|error| {
        let start = text.len() - text.trim_start().len();
        wrong(source, start..text.trim_end().len(), &error)
    })
}

fn parts(raw: &Raw) -> Result<Vec<Polytope>, Box<dyn Error>> {
    let vector = DVec3::from_array;
    match raw {
        Raw::Box { min, max } => {
            let (min, max) = (vector(*min), vector(*max));
            if !min.cmple(max).all() {
                return Err(format!("`min` must be no larger than `max` along each axis, found {min} and {max}").into());
            }
            Ok(vec![Polytope::from_aabb(&Aabb { min, max }, Plane::new(DVec3::Z, min.z)?)?])
        }
        Raw::Planes(planes) => {
            let planes = planes.iter().map(|plane| Plane::new(vector(plane.normal), plane.offset));
            let planes: Vec<Plane> = planes.collect::<Result<_, _>>()?;
            let Some(&first) = planes.first() else { return Err("a region needs at least one plane".into()) };
            Ok(vec![Polytope::new(planes, first)?])
        }
        Raw::View { eye, forward, up, lens, near, far, outline } => {
            let pose = Pose { eye: vector(*eye), forward: vector(*forward), up: vector(*up) };
            let view = View::new(pose, *lens, Depth { near: *near, far: *far })?;
            if outline.is_empty() {
                return Ok(vec![view.frustum().clone()]);
            }
            let outline: Vec<DVec2> = outline.iter().copied().map(DVec2::from_array).collect();
            Ok(view.lasso(&outline)?)
        }
    }
}

fn wrong(source: &Source, place: Range<usize>, message: &dyn ToString) -> Box<RegionError> {
    let (line, column) = locate::line_column(&source.text, place.start);
    Box::new(RegionError {
        name: source.name.clone(),
        line,
        column,
        message: message.to_string(),
        text: NamedSource::new(&source.name, source.text.clone()),
        place: place.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Polytope>, Box<RegionError>> {
        read_region(&Source::new("region.ron", text))
    }

    #[test]
    fn each_kind_holds_what_it_should() {
        let view = "View(eye: (0, -5, 0), forward: (0, 2, 0), up: (0, 0, 1), near: 1,";
        let rows = [
            ("Box(min: (0, 0, 0), max: (1, 2, 3))".to_owned(), DVec3::new(0.5, 1.5, 2.5), DVec3::new(1.5, 1.0, 1.0)),
            (
                "Planes([(normal: (0, 0, 2), offset: 2), (normal: (0, 0, -1), offset: -2)])".to_owned(),
                DVec3::new(9.0, 9.0, 1.5),
                DVec3::Z * 2.5,
            ),
            (
                format!("{view} lens: Perspective(half_width: 1, half_height: 0.5))"),
                DVec3::new(9.0, 5.0, 4.0),
                DVec3::new(9.0, 3.0, 4.1),
            ),
            (
                format!(
                    "{view} far: 8, lens: Orthographic(half_width: 2, half_height: 2), outline: [(0, 0), (1, 0), (1, 1), (0, 1)])"
                ),
                DVec3::ONE,
                -DVec3::ONE,
            ),
        ];
        for (text, inside, outside) in rows {
            let parts = read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let holds = |point| parts.iter().any(|part| part.contains(point));
            assert!(holds(inside) && !holds(outside), "{text}");
        }
        let hook = "[(0, 0), (1, 0), (1, 1), (0.9, 0.1)]";
        let text = format!("{view} far: 8, lens: Orthographic(half_width: 2, half_height: 2), outline: {hook})");
        assert!(read(&text).unwrap().len() > 1, "a concave outline is several convex parts");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let rows = [
            ("Box(min: (0, 0, 0),\n  mx: (1, 1, 1))", "region.ron:2:3: "),
            ("Sphere(radius: 1)", "region.ron:1:"),
            (
                "Box(min: (0, 0, 0, 0), max: (1, 1, 1))",
                "region.ron:1:20: a closing bracket is wanted: a vector has three numbers",
            ),
            ("Box(min: (0, 0, 0), max: (1, -1, 1))", "`min` must be no larger than `max`"),
            ("Planes([])", "at least one plane"),
            ("Planes([(normal: (0, 0, 0), offset: 1)])", "plane normal must be a direction"),
            ("\n Box(min: (0, 0, 0), max: (1, 1, NaN))", "region.ron:2:2: "),
        ];
        for (text, part) in rows {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
