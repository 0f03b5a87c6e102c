//! The writers of an exported run, one for each format.

use std::path::Path;

use super::error::ExportError;
use super::gltf::Gltf;
use super::gsd::Gsd;
use super::instants::Part;
use super::request::ExportFormat;
use super::roster::Roster;
use super::run_paths::RunPaths;
use super::text::events::EventLines;
use super::text::lammps::{Data, Dump};
use super::text::sph::Sph;
use super::text::xyz::Xyz;
use super::vtk::series::Vtk;
use super::xyzd::Xyzd;
use crate::dynamics::{Event, Knot};
use crate::motion::SimTime;
use crate::world::World;

/// An export that is being written.
pub(super) enum Output {
    Xyz(Xyz),
    Vtk(Vtk),
    Gltf(Gltf),
    Sph(Sph),
    LammpsDump(Dump),
    LammpsData(Data),
    Xyzd(Xyzd),
    Gsd(Gsd),
    Jsonl(EventLines),
    /// Nothing is written.
    Paths(RunPaths),
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
        Ok(match format {
            ExportFormat::Xyz => Self::Xyz(Xyz::begin(place, roster)?),
            ExportFormat::Vtk => Self::Vtk(Vtk::begin(place)?),
            ExportFormat::Gltf => Self::Gltf(Gltf::begin(place, roster, world, part)),
            ExportFormat::Sph => Self::Sph(Sph::begin(place, roster, world.settings())?),
            ExportFormat::LammpsDump => Self::LammpsDump(Dump::begin(place, roster)?),
            ExportFormat::LammpsData => Self::LammpsData(Data::begin(place, roster)?),
            ExportFormat::Xyzd => Self::Xyzd(Xyzd::begin(place, roster)?),
            ExportFormat::Gsd => Self::Gsd(Gsd::begin(place, roster)?),
            ExportFormat::Jsonl => Self::Jsonl(EventLines::begin(place, roster)?),
        })
    }

    /// Writes the world at a requested instant.
    pub(super) fn frame(&mut self, world: &World, roster: &Roster) -> Result<(), ExportError> {
        match self {
            Self::Xyz(xyz) => Ok(xyz.frame(world, roster)?),
            Self::Vtk(vtk) => Ok(vtk.frame(world, roster)?),
            Self::Sph(sph) => Ok(sph.frame(world, roster)?),
            Self::LammpsDump(dump) => Ok(dump.frame(world, roster)?),
            Self::LammpsData(data) => Ok(data.frame(world, roster)?),
            Self::Xyzd(xyzd) => Ok(xyzd.frame(world, roster)?),
            Self::Gsd(gsd) => gsd.frame(world, roster),
            Self::Gltf(_) | Self::Jsonl(_) | Self::Paths(_) => Ok(()),
        }
    }

    /// Writes an event of the requested part.
    pub(super) fn event(&mut self, world: &World, event: &Event) -> Result<(), ExportError> {
        match self {
            Self::Jsonl(lines) => lines.event(world, event)?,
            Self::Paths(paths) => paths.event(event),
            _ => {}
        }
        Ok(())
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
            Self::Xyz(xyz) => Ok(xyz.finish()?),
            Self::Vtk(vtk) => Ok(vtk.finish()?),
            Self::Gltf(gltf) => gltf.finish(roster, until),
            Self::Sph(sph) => Ok(sph.finish()?),
            Self::LammpsDump(dump) => Ok(dump.finish()?),
            Self::LammpsData(data) => Ok(data.finish()?),
            Self::Xyzd(xyzd) => Ok(xyzd.finish()?),
            Self::Gsd(gsd) => Ok(gsd.finish()?),
            Self::Jsonl(lines) => Ok(lines.finish()?),
            Self::Paths(_) => Ok(()),
        }
    }
}
