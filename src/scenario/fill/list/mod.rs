//! Bodies that a file lists, one a line, as comma-separated values with the names of the columns before them.

mod columns;

use std::collections::BTreeSet;

use glam::DVec3;

use self::columns::{Columns, Line};
use super::schema::{self, Common};
use crate::dynamics::{Body, Mass, Space};
use crate::geometry::{HalfExtents, Radius, Shape};
use crate::numeric::OutOfRange;
use crate::numeric::quantity::is_positive;
use crate::scenario::error_kinds::{Fault, ListFault};
use crate::scenario::limits::BODIES_MAX;
use crate::scenario::names;
use crate::scenario::problem::{Entry, Report};
use crate::scenario::schema::Motion as RawMotion;
use crate::scenario::sections::body::Load;
use crate::scenario::text::files::Files;
use crate::scenario::text::rows::{commented, line_of};
use crate::world::Named;

/// A checked list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct List {
    file: String,
    rows: Vec<Row>,
    columns: Columns,
}

/// A body of a list.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    /// From 1.
    line: u64,
    position: DVec3,
    velocity: DVec3,
    spin: DVec3,
    load: Option<Load>,
    /// Empty without a column of names.
    name: String,
}

impl List {
    /// The list of `raw`, with the shapes of its bodies if the file has them.
    pub(super) fn check(
        report: &mut Report<'_>,
        entry: Entry<'_>,
        raw: &schema::FromFile,
        files: &mut Files,
        space: &Space,
    ) -> Option<(Self, Option<Vec<Shape>>)> {
        let bytes = files.read(&raw.file).map_err(Fault::File);
        let read = bytes.and_then(|bytes| Self::read(&raw.file, &bytes, space).map_err(Fault::List));
        let (list, shapes) = read.map_err(|fault| report.add(entry, "file", fault)).ok()?;
        let common = raw.common();
        let given = [
            (list.columns.size(), "shape", raw.shape.is_some()),
            (list.columns.load(), "mass", common.mass.is_some()),
            (list.columns.load(), "density", common.density.is_some()),
        ];
        for (column, field, is_given) in given {
            if let (Some(column), true) = (column, is_given) {
                return report.fail(entry, field, Fault::List(ListFault::GivenTwice { column, field }));
            }
        }
        if list.columns.size().is_none() && raw.shape.is_none() {
            return report.fail(entry, "", Fault::List(ListFault::NoShape { file: raw.file.clone() }));
        }
        Some((list, shapes))
    }

    fn read(file: &str, bytes: &[u8], space: &Space) -> Result<(Self, Option<Vec<Shape>>), ListFault> {
        let mut reader = commented(bytes);
        let wrong = |line, problem| ListFault::Columns { file: file.to_owned(), line, problem };
        let damaged = |line, error: csv::Error| {
            let problem = match error.kind() {
                csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                    format!("{expected_len} values wanted, as many as there are columns, {len} found")
                }
                csv::ErrorKind::Utf8 { .. } => "it is no text in UTF-8".to_owned(),
                _ => error.to_string(),
            };
            wrong(line, problem)
        };
        let header = reader.headers().cloned();
        let first = line_of(&reader);
        let header = header.map_err(|error| damaged(first, error))?;
        let columns = Columns::new(&header).map_err(|problem| wrong(first, problem))?;
        let mut list = Self { file: file.to_owned(), rows: Vec::new(), columns };
        let (mut shapes, mut names, mut record) = (Vec::new(), BTreeSet::new(), csv::StringRecord::new());
        loop {
            let is_there = reader.read_record(&mut record);
            let number = line_of(&reader);
            if !is_there.map_err(|error| damaged(number, error))? {
                break;
            }
            let line = Line { number, record: &record, columns: &list.columns };
            if list.rows.len() as u64 == BODIES_MAX {
                return Err(wrong(number, format!("more than {BODIES_MAX} bodies")));
            }
            let cell = |(column, problem)| ListFault::Cell { file: file.to_owned(), line: number, column, problem };
            let row = row(&line, space).map_err(cell)?;
            shapes.extend(shape(&line).map_err(cell)?);
            if !row.name.is_empty() && !names.insert(row.name.clone()) {
                return Err(cell(("name", format!("`{}` is the name of an earlier body", row.name))));
            }
            list.rows.push(row);
        }
        if list.rows.is_empty() {
            return Err(wrong(first, "no body follows".to_owned()));
        }
        Ok((list, Some(shapes).filter(|shapes| !shapes.is_empty())))
    }

    pub(super) fn count(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Whether each body has its own mass or density.
    pub(super) fn has_loads(&self) -> bool {
        self.columns.load().is_some()
    }

    /// Checks that bodies of these sizes can have the masses, velocities and spins of the list.
    pub(super) fn suits(
        &self,
        report: &mut Report<'_>,
        entry: Entry<'_>,
        common: &Common<'_>,
        sizes: &[Shape; 2],
    ) -> Option<()> {
        let kind = common.motion.unwrap_or(RawMotion::Free);
        let is_ball = matches!(sizes[0], Shape::Sphere(_));
        let wrong = |row: &Row| {
            let range = |error: OutOfRange| Some(("density", format!("must be {}", error.allowed)));
            match row.load {
                Some(_) if kind != RawMotion::Free => {
                    return Some(("mass", "a body that is not `Free` has no mass".to_owned()));
                }
                Some(load) => sizes.iter().find_map(|size| load.of(size).map_or_else(range, |_| None)),
                None => None,
            }
            .or_else(|| {
                (kind == RawMotion::Fixed && row.velocity != DVec3::ZERO)
                    .then(|| ("vx", "a `Fixed` body has no velocity".to_owned()))
            })
            .or_else(|| {
                (!(kind == RawMotion::Free && is_ball) && row.spin != DVec3::ZERO)
                    .then(|| ("wx", "only a `Free` sphere turns".to_owned()))
            })
        };
        let found = self.rows.iter().find_map(|row| wrong(row).map(|wrong| (row.line, wrong)));
        let Some((line, (column, problem))) = found else { return Some(()) };
        report.fail(entry, "file", Fault::List(ListFault::Cell { file: self.file.clone(), line, column, problem }))
    }

    pub(super) fn places(&self) -> Vec<DVec3> {
        self.rows.iter().map(|row| row.position).collect()
    }

    /// Gives bodies what the list has of its own for each: its name below `path`, its motion, velocity and spin.
    pub(super) fn apply(&self, path: &str, bodies: &mut [Named]) {
        for (row, Named { name, body }) in self.rows.iter().zip(bodies) {
            if !row.name.is_empty() {
                *name = format!("{path}/{}", row.name);
            }
            row.apply(body);
        }
    }
}

impl Row {
    fn apply(&self, body: &mut Body) {
        body.velocity += self.velocity;
        body.spin += self.spin;
        if let Some(load) = self.load {
            body.motion = load.of(&body.shape).expect("checked for the smallest and the largest");
        }
    }
}

/// A column and what is wrong with its value.
type Wrong = (&'static str, String);

fn row(line: &Line<'_>, space: &Space) -> Result<Row, Wrong> {
    let position = line.vector(["x", "y", "z"])?.unwrap_or_default();
    if !space.is_countable(position) {
        return Err(("x", "the body is 2^30 periods from the periodic cell, or more".to_owned()));
    }
    let velocity = line.vector(["vx", "vy", "vz"])?.unwrap_or_default();
    let spin = line.vector(["wx", "wy", "wz"])?.unwrap_or_default();
    for (column, found) in [("z", position.z), ("vz", velocity.z), ("wx", spin.x), ("wy", spin.y)] {
        if space.is_planar && found != 0.0 {
            return Err((column, "must be 0 in a planar world".to_owned()));
        }
    }
    let mass = line.quantity("mass", Mass::new)?.map(Load::Mass);
    let is_planar = space.is_planar;
    let density = line.quantity("density", density)?.map(|density| Load::Density { density, is_planar });
    let name = line.word("name").unwrap_or_default();
    match names::unfit(name) {
        Some(must) if line.word("name").is_some() => Err(("name", format!("a name {must}, found `{name}`"))),
        _ => Ok(Row { line: line.number, position, velocity, spin, load: mass.or(density), name: name.to_owned() }),
    }
}

fn density(found: f64) -> Result<f64, OutOfRange> {
    let allowed = "a positive finite number, from 1e-70 to 1e70";
    if is_positive(found) { Ok(found) } else { Err(OutOfRange { quantity: "density", allowed, found }) }
}

/// The shape of a body, if the list has sizes.
fn shape(line: &Line<'_>) -> Result<Option<Shape>, Wrong> {
    if let Some(radius) = line.quantity("radius", Radius::new)? {
        return Ok(Some(Shape::Sphere(radius)));
    }
    let Some(half) = line.vector(["hx", "hy", "hz"])? else { return Ok(None) };
    for (column, half) in ["hx", "hy", "hz"].into_iter().zip(half.to_array()) {
        HalfExtents::new(DVec3::splat(half)).map_err(|error| line.refusal(column, error))?;
    }
    HalfExtents::new(half).map(|half| Some(Shape::Box(half))).map_err(|error| line.refusal("hx", error))
}
