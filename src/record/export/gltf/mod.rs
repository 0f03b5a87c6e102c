//! One binary file of glTF 2.0: a node for each body. It is animated with cubic splines, whose keys are the beginnings
//! of paths.
//!
//! Between two keys a path is a parabola. A cubic Hermite spline with the velocities as tangents describes it exactly;
//! only the numbers are rounded to the 24 bits of glTF. At an impact the tangents before and after the key differ.
//!
//! Source: *glTF 2.0 Specification*, The Khronos Group, 2021, sections 3.11 (animations) and 4 (binary).

mod binary;
mod camera;
mod document;
mod geometry;
mod nodes;
mod track;

use std::path::{Path, PathBuf};

use crate::dynamics::{Knot, Space};
use crate::motion::SimTime;
use crate::record::export::error::ExportError;
use crate::record::export::instants::Part;
use crate::record::export::pen::Pen;
use crate::record::export::roster::{Roster, Rows};
use crate::record::export::surface::View;
use crate::world::World;
use binary::container;
use nodes::{Stage, assemble};
use track::Track;

/// Most keys of all bodies: at 40 bytes each, they must take less than 4 GiB in the file.
const KEYS_MAX: usize = 50_000_000;

/// An export that is being collected.
pub(crate) struct Gltf {
    place: PathBuf,
    space: Space,
    from: SimTime,
    /// The tracks in the order of the roster.
    tracks: Vec<Track>,
    /// When commands put the bodies elsewhere.
    put: Vec<Vec<SimTime>>,
    stage: Stage,
    keys: usize,
    /// The rows of the roster by the ids of the bodies.
    rows: Rows,
}

impl Gltf {
    pub(crate) fn begin(place: &Path, roster: &Roster, world: &World, part: Part) -> Self {
        Self {
            place: place.to_owned(),
            space: world.settings().space,
            from: part.from,
            tracks: roster.members.iter().map(|_| Track::default()).collect(),
            put: roster.members.iter().map(|member| member.put.clone()).collect(),
            stage: Stage { view: View::of(world, roster), gravity: world.settings().gravity },
            keys: 0,
            rows: roster.rows(),
        }
    }

    /// The beginning of a path of a body; `is_present` says whether the body exists from then on.
    pub(crate) fn knot(&mut self, is_present: bool, knot: &Knot) -> Result<(), ExportError> {
        let Some(row) = self.rows.of(knot.body) else { return Ok(()) };
        self.keys += 1;
        if self.keys > KEYS_MAX {
            return Err(ExportError::TooManyKeys { most: KEYS_MAX });
        }
        let is_put = self.put[row].contains(&knot.path.epoch);
        self.tracks[row].begin_path(&knot.path, self.from, (&self.space, is_put));
        if !is_present {
            self.tracks[row].end(knot.path.epoch, self.from);
        }
        Ok(())
    }

    pub(crate) fn finish(mut self, roster: &Roster, until: SimTime) -> Result<(), ExportError> {
        self.tracks.iter_mut().for_each(|track| track.close(until, self.from));
        let (document, bytes) = assemble(roster, &self.tracks, &self.stage);
        let mut pen = Pen::create(&self.place)?;
        pen.put(&container(&document, &bytes))?;
        Ok(pen.finish()?)
    }
}
