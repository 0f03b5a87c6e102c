//! The request for an import.

use std::path::Path;

/// The format of a file that is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImportFormat {
    /// A map of the editor Tiled, as XML or as JSON.
    Tiled,
    /// A project of the editor LDtk.
    Ldtk,
    /// Snapshots of EDMD.
    Sph,
    /// A data file or a text dump of LAMMPS.
    Lammps,
    /// A packing of the program packing-generation.
    Xyzd,
    /// A trajectory of HOOMD-blue.
    Gsd,
    /// Triangle meshes of glTF 2.0.
    Gltf,
}

/// What is taken of a file, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportRequest {
    /// The format.
    pub format: ImportFormat,
    /// The layers of a map that are solid; empty for the rule of the format.
    pub layers: Vec<String>,
    /// The levels of an LDtk project; empty means all.
    pub levels: Vec<String>,
    /// The values or their names that are solid in an LDtk layer; empty means all but 0.
    pub values: Vec<String>,
    /// Metres per pixel of a map, or per unit of glTF.
    pub scale: Option<f64>,
    /// The depth of a map along y, m.
    pub depth: Option<f64>,
    /// The radius of spheres, where the file has none, m.
    pub radius: Option<f64>,
    /// The edges of the periodic box, where the file has none, m.
    pub sides: Option<[f64; 3]>,
    /// The axes that are not periodic although the file does not say so.
    pub open: [bool; 3],
    /// The frame, counted from 1; the last, if it is not given.
    pub frame: Option<usize>,
    /// A factor for the radii of spheres.
    pub shrink: Option<f64>,
}

impl ImportRequest {
    /// Everything in a file of this format.
    pub const fn all(format: ImportFormat) -> Self {
        Self {
            format,
            layers: Vec::new(),
            levels: Vec::new(),
            values: Vec::new(),
            scale: None,
            depth: None,
            radius: None,
            sides: None,
            open: [false; 3],
            frame: None,
            shrink: None,
        }
    }
}

impl ImportFormat {
    /// The format that the ending of a name belongs to.
    pub fn of(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "tmx" | "tmj" => Self::Tiled,
            "ldtk" => Self::Ldtk,
            "sph" => Self::Sph,
            "data" | "lmp" | "lammps" | "dump" | "lammpstrj" => Self::Lammps,
            "xyzd" => Self::Xyzd,
            "gsd" => Self::Gsd,
            "gltf" | "glb" => Self::Gltf,
            _ => return None,
        })
    }

    /// Its name in text.
    #[doc(hidden)]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Tiled => "a map of Tiled",
            Self::Ldtk => "a project of LDtk",
            Self::Sph => "a snapshot of EDMD",
            Self::Lammps => "a file of LAMMPS",
            Self::Xyzd => "a packing of packing-generation",
            Self::Gsd => "a trajectory of HOOMD-blue",
            Self::Gltf => "a model in glTF",
        }
    }
}
