//! What takes a run that is exported, one of each format.

use std::path::Path;

use super::error::ExportError;
use super::gltf::Gltf;
use super::instants::Part;
use super::request::ExportFormat;
use super::roster::Roster;
use super::text::events::EventLines;
use super::text::sph::Sph;
use super::text::xyz::Xyz;
use super::vtk::series::Vtk;
use crate::dynamics::{Event, Knot};
use crate::motion::SimTime;
use crate::world::World;

/// An export that is being written.
pub(super) enum Output {
    Xyz(Xyz),
    Vtk(Vtk),
    Gltf(Gltf),
    Sph(Sph),
    Jsonl(EventLines),
}

impl Output {
    /// Begins one at `place`; `world` is as it is before the part that is exported.
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
            ExportFormat::Jsonl => Self::Jsonl(EventLines::begin(place, roster)?),
        })
    }

    /// The world at an instant that is asked for.
    pub(super) fn frame(&mut self, world: &World, roster: &Roster) -> Result<(), ExportError> {
        match self {
            Self::Xyz(xyz) => Ok(xyz.frame(world, roster)?),
            Self::Vtk(vtk) => Ok(vtk.frame(world, roster)?),
            Self::Sph(sph) => Ok(sph.frame(world, roster)?),
            Self::Gltf(_) | Self::Jsonl(_) => Ok(()),
        }
    }

    /// An event of the part that is asked for.
    pub(super) fn event(&mut self, world: &World, event: &Event) -> Result<(), ExportError> {
        match self {
            Self::Jsonl(lines) => Ok(lines.event(world, event)?),
            _ => Ok(()),
        }
    }

    /// The beginning of a path.
    pub(super) fn knot(&mut self, world: &World, knot: &Knot) -> Result<(), ExportError> {
        match self {
            Self::Gltf(gltf) => gltf.knot(world.is_present(knot.body), knot),
            _ => Ok(()),
        }
    }

    /// Whether it needs the beginnings of paths.
    pub(super) fn has_paths(&self) -> bool {
        matches!(self, Self::Gltf(_))
    }

    /// Puts everything on the disk.
    pub(super) fn finish(self, roster: &Roster, until: SimTime) -> Result<(), ExportError> {
        match self {
            Self::Xyz(xyz) => Ok(xyz.finish()?),
            Self::Vtk(vtk) => Ok(vtk.finish()?),
            Self::Gltf(gltf) => gltf.finish(roster, until),
            Self::Sph(sph) => Ok(sph.finish()?),
            Self::Jsonl(lines) => Ok(lines.finish()?),
        }
    }
}
