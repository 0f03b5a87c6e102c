//! The arguments of `carom import`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::words::{Word, Words};
use crate::cli::numbers;
use crate::record::{ImportFormat, ImportRequest};

/// The arguments of `carom import`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct ImportArguments {
    /// The file of the other program.
    #[arg(value_name = "FILE")]
    pub(in crate::cli) file: PathBuf,
    /// The format; without it, that of the ending of the file's name.
    #[arg(long, value_name = "FORMAT", value_parser = Words(FORMATS))]
    from: Option<ImportFormat>,
    /// The scenario to write, which must not be there yet; without it, it is printed.
    #[arg(long, short, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Layers of a map that are solid, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    layer: Vec<String>,
    /// Levels of an LDtk project, separated by commas; all, if it is not given.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    level: Vec<String>,
    /// Values of an LDtk layer that are solid, as numbers or names; all but 0, if it is not given.
    #[arg(long, value_name = "VALUES", value_delimiter = ',')]
    value: Vec<String>,
    /// Metres per pixel of a map (without it a tile is 1 m), or per unit of glTF (without it 1).
    #[arg(long, value_name = "M", allow_hyphen_values = true, value_parser = numbers::positive)]
    scale: Option<f64>,
    /// The depth of a map along y, m; without it that of one tile.
    #[arg(long, value_name = "M", allow_hyphen_values = true, value_parser = numbers::positive)]
    depth: Option<f64>,
    /// The radius of atoms of LAMMPS that have none, m.
    #[arg(long, value_name = "M", allow_hyphen_values = true, value_parser = numbers::positive)]
    radius: Option<f64>,
    /// The edges of the periodic box of an xyzd packing, m: one number or three.
    #[arg(long, value_name = "L[,L,L]", allow_hyphen_values = true, value_parser = numbers::sides)]
    r#box: Option<numbers::Numbers<3>>,
    /// Axes that are not periodic, though the file does not say so, such as z or x,y.
    #[arg(long, value_name = "AXES", value_delimiter = ',')]
    open: Vec<Axis>,
    /// The frame of a file with several, counted from 1; the last, if it is not given.
    #[arg(long, value_name = "N")]
    frame: Option<usize>,
    /// A factor for the radii of spheres that overlap in the file.
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true, value_parser = numbers::positive)]
    shrink: Option<f64>,
    /// Do not list what could not be imported; the first lines of the scenario list it in any case.
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
}

const FORMATS: &[Word<ImportFormat>] = &[
    ("tiled", ImportFormat::Tiled, "A map of Tiled: .tmx, .tmj"),
    ("ldtk", ImportFormat::Ldtk, "A project of LDtk: .ldtk"),
    ("sph", ImportFormat::Sph, "Snapshots of EDMD: .sph"),
    ("lammps", ImportFormat::Lammps, "A data file or a text dump of LAMMPS: .data, .lmp, .lammps, .dump, .lammpstrj"),
    ("xyzd", ImportFormat::Xyzd, "A packing of packing-generation: .xyzd"),
    ("gsd", ImportFormat::Gsd, "A trajectory of HOOMD-blue, schema hoomd: .gsd"),
    ("gltf", ImportFormat::Gltf, "Triangle meshes of glTF 2.0: .gltf, .glb"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Axis {
    X,
    Y,
    Z,
}

const EXAMPLES: &str = "\
Examples:
  carom import level.tmx -o level.ron                   the solid layers of a map, a tile 1 m wide
  carom import world.ldtk --level Level_0 --value walls -o level.ron
  carom import start.sph -o gas.ron                     a snapshot of EDMD; writes gas.csv beside it
  carom import restart.data --open z -o heap.ron        atoms of LAMMPS, between open ends along z
  carom import dump.txt --from lammps --frame 1 --radius 0.5
  carom import packing.xyzd --box 20.08 -o packing.ron
  carom import run.gsd --frame 7 -o gas.ron             a frame of HOOMD-blue; without --frame the last
  carom import room.glb -o room.ron                     meshes; writes room_1.obj and so on beside it

The first lines of the scenario, and standard error, list what could not be imported.

Exit codes: 0 all is well; 1 the scenario is written, and carom check refuses it, as spheres that overlap;
2 bad input; 3 a file could not be read or written.";

impl ImportArguments {
    /// The format: as it is given, or that of the name.
    pub(in crate::cli) fn format(&self) -> Option<ImportFormat> {
        self.from.or_else(|| ImportFormat::of(&self.file))
    }

    /// An option that a format has no use for.
    pub(in crate::cli) fn idle(&self, format: ImportFormat) -> Option<&'static str> {
        use ImportFormat::{Gltf, Gsd, Lammps, Ldtk, Sph, Tiled, Xyzd};
        let options: [(&str, bool, &[ImportFormat]); 10] = [
            ("--layer", !self.layer.is_empty(), &[Tiled, Ldtk]),
            ("--level", !self.level.is_empty(), &[Ldtk]),
            ("--value", !self.value.is_empty(), &[Ldtk]),
            ("--scale", self.scale.is_some(), &[Tiled, Ldtk, Gltf]),
            ("--depth", self.depth.is_some(), &[Tiled, Ldtk]),
            ("--radius", self.radius.is_some(), &[Lammps]),
            ("--box", self.r#box.is_some(), &[Xyzd]),
            ("--open", !self.open.is_empty(), &[Sph, Lammps, Xyzd, Gsd]),
            ("--frame", self.frame.is_some(), &[Sph, Lammps, Gsd]),
            ("--shrink", self.shrink.is_some(), &[Sph, Lammps, Xyzd, Gsd]),
        ];
        options.into_iter().find(|(_, is_given, uses)| *is_given && !uses.contains(&format)).map(|option| option.0)
    }

    pub(in crate::cli) fn request(&self, format: ImportFormat) -> ImportRequest {
        ImportRequest {
            layers: self.layer.clone(),
            levels: self.level.clone(),
            values: self.value.clone(),
            scale: self.scale,
            depth: self.depth,
            radius: self.radius,
            sides: self.r#box.map(|sides| sides.0),
            open: [Axis::X, Axis::Y, Axis::Z].map(|axis| self.open.contains(&axis)),
            frame: self.frame,
            shrink: self.shrink,
            ..ImportRequest::all(format)
        }
    }
}
