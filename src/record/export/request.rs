//! The request for an export.

use std::collections::BTreeMap;

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportFormat {
    /// Extended XYZ: balls and boxes at instants, for OVITO and ASE.
    Xyz,
    /// A folder of VTK PolyData with times, for ParaView.
    Vtk,
    /// One glTF 2.0 binary with animated bodies, for Blender and viewers.
    Gltf,
    /// Snapshots of EDMD, the code of Smallenburg, *Efficient event-driven simulations of hard spheres*, 2022.
    Sph,
    /// A text dump of LAMMPS: balls at instants, for OVITO and the readers of molecular dynamics.
    LammpsDump,
    /// A data file of LAMMPS: balls at the last instant.
    LammpsData,
    /// A packing of packing-generation: balls at the last instant, each as four numbers of 64 bits.
    Xyzd,
    /// A trajectory of GSD, schema `hoomd`: balls at instants, with numbers of 32 bits, for HOOMD-blue and OVITO.
    Gsd,
    /// One JSON object for each event.
    Jsonl,
}

/// The part of a run that is to be exported, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportRequest {
    /// The format.
    pub format: ExportFormat,
    /// Span between two frames, s, counted from `from`; `None` means the instants at which the trajectory has rows.
    pub every: Option<f64>,
    /// The first instant, s.
    pub from: f64,
    /// The last instant, s; `None` means the end of the run.
    pub until: Option<f64>,
    /// The names of the bodies; empty means all.
    pub bodies: Vec<String>,
    /// Colours of bodies by name, as red, green and blue of sRGB, for glTF; others have those of their species.
    pub colors: BTreeMap<String, [u8; 3]>,
}

impl ExportRequest {
    /// The whole run.
    pub const fn all(format: ExportFormat) -> Self {
        Self { format, every: None, from: 0.0, until: None, bodies: Vec::new(), colors: BTreeMap::new() }
    }
}

impl ExportFormat {
    /// Whether it has frames at instants.
    #[doc(hidden)]
    pub const fn has_frames(self) -> bool {
        matches!(self, Self::Xyz | Self::Vtk | Self::Sph | Self::LammpsDump | Self::Gsd) || self.has_one_frame()
    }

    /// Whether it has one frame only, that of the last instant.
    #[doc(hidden)]
    pub const fn has_one_frame(self) -> bool {
        matches!(self, Self::LammpsData | Self::Xyzd)
    }

    /// The ending of the name of an export. An export to [`Vtk`](Self::Vtk) is a folder.
    #[doc(hidden)]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Xyz => ".xyz",
            Self::Vtk => "_vtk",
            Self::Gltf => ".glb",
            Self::Sph => ".sph",
            Self::LammpsDump => ".dump",
            Self::LammpsData => ".data",
            Self::Xyzd => ".xyzd",
            Self::Gsd => ".gsd",
            Self::Jsonl => ".jsonl",
        }
    }
}
