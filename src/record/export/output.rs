//! The writers of an exported run, one for each format.

use std::path::Path;

use super::balls;
use super::error::ExportError;
use super::gltf::Gltf;
use super::gsd::Gsd;
use super::instants::Part;
use super::pen::Pen;
use super::request::ExportFormat;
use super::roster::{Roster, Rows};
use super::run_paths::RunPaths;
use super::text::sph::Sph;
use super::text::xyz::{self, Xyz};
use super::text::{events, lammps};
use super::vtk::series::Vtk;
use super::xyzd;
use crate::dynamics::{Event, Knot};
use crate::motion::SimTime;
use crate::world::World;

/// An export that is being written.
pub(super) enum Output {
    Frames(Pen, Frames),
    Vtk(Vtk),
    Gltf(Gltf),
    Gsd(Gsd),
    /// Lines of the events of these bodies.
    Jsonl(Pen, Rows),
    /// Nothing is written.
    Paths(RunPaths),
}

/// A file that is one frame after the other.
pub(super) enum Frames {
    Xyz(Xyz),
    Sph(Sph),
    /// With the number of frames so far.
    LammpsDump(u64),
    LammpsData,
    Xyzd,
}

impl Frames {
    /// The world as the bytes of the next frame.
    fn next(&mut self, world: &World, roster: &Roster) -> Vec<u8> {
        let text = match self {
            Self::Xyz(xyz) => xyz.frame(world, roster),
            Self::Sph(sph) => sph.frame(world, roster),
            Self::LammpsDump(count) => {
                *count += 1;
                lammps::dump(*count - 1, world, roster)
            }
            Self::LammpsData => lammps::data(world, roster),
            Self::Xyzd => return xyzd::packing(world, roster),
        };
        text.into_bytes()
    }
}

impl Output {
    /// Begins an export at `place`; `world` is in the state before the exported part.
    pub(super) fn begin(
        format: ExportFormat,
        place: &Path,
        roster: &Roster,
        world: &World,
        part: Part,
    ) -> Result<Self, ExportError> {
        let frames = match format {
            ExportFormat::Xyz => Frames::Xyz(Xyz::new(roster)?),
            ExportFormat::Sph => Frames::Sph(Sph::new(roster, world.settings())?),
            ExportFormat::LammpsDump => balls::free(roster).map(|()| Frames::LammpsDump(0))?,
            ExportFormat::LammpsData => balls::free(roster).map(|()| Frames::LammpsData)?,
            ExportFormat::Xyzd => balls::radii(roster).map(|_| Frames::Xyzd)?,
            ExportFormat::Vtk => return Ok(Self::Vtk(Vtk::begin(place)?)),
            ExportFormat::Gltf => return Ok(Self::Gltf(Gltf::begin(place, roster, world, part))),
            ExportFormat::Gsd => return Ok(Self::Gsd(Gsd::begin(place, roster)?)),
            ExportFormat::Jsonl => return Ok(Self::Jsonl(Pen::create(place)?, roster.rows())),
        };
        Ok(Self::Frames(Pen::create(place)?, frames))
    }

    /// Writes the world at a requested instant.
    pub(super) fn frame(&mut self, world: &World, roster: &Roster) -> Result<(), ExportError> {
        match self {
            Self::Frames(pen, frames) => Ok(pen.put(&frames.next(world, roster))?),
            Self::Vtk(vtk) => Ok(vtk.frame(world, roster)?),
            Self::Gsd(gsd) => gsd.frame(world, roster),
            Self::Gltf(_) | Self::Jsonl(..) | Self::Paths(_) => Ok(()),
        }
    }

    /// Takes an event of the requested part, and says whether it is written.
    pub(super) fn event(&mut self, world: &World, event: &Event) -> Result<bool, ExportError> {
        match self {
            Self::Jsonl(pen, rows) => {
                let line = events::line_of(event, world, rows);
                line.iter().try_for_each(|line| pen.put(line.as_bytes()))?;
                return Ok(line.is_some());
            }
            Self::Paths(paths) => paths.event(event),
            _ => {}
        }
        Ok(false)
    }

    /// The number of bodies that it has: text and GSD have balls and boxes only.
    pub(super) fn bodies(&self, roster: &Roster) -> usize {
        let is_all = !matches!(self, Self::Frames(..) | Self::Gsd(_));
        roster.members.iter().filter(|member| is_all || xyz::size(member).is_some()).count()
    }

    /// Notes the beginning of a path.
    pub(super) fn knot(&mut self, world: &World, knot: &Knot) -> Result<(), ExportError> {
        match self {
            Self::Gltf(gltf) => gltf.knot(world.is_present(knot.body), knot),
            Self::Paths(paths) => paths.knot(knot),
            _ => Ok(()),
        }
    }

    /// Whether it needs the beginnings of paths.
    pub(super) fn has_paths(&self) -> bool {
        matches!(self, Self::Gltf(_) | Self::Paths(_))
    }

    /// Writes everything to the disk.
    pub(super) fn finish(self, roster: &Roster, until: SimTime) -> Result<(), ExportError> {
        match self {
            Self::Frames(pen, _) | Self::Jsonl(pen, _) => Ok(pen.finish()?),
            Self::Vtk(vtk) => Ok(vtk.finish()?),
            Self::Gltf(gltf) => gltf.finish(roster, until),
            Self::Gsd(gsd) => Ok(gsd.finish()?),
            Self::Paths(_) => Ok(()),
        }
    }
}
