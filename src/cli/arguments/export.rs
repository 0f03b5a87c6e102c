//! The arguments of `carom export`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::words::{Word, Words};
use crate::cli::numbers;
use crate::record::{ExportFormat, ExportRequest};

/// The arguments of `carom export`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct ExportArguments {
    /// The folder of a run, such as output/belt; for latex that of a sweep.
    #[arg(value_name = "OUTPUT_DIR")]
    pub(in crate::cli) folder: PathBuf,
    /// The format.
    #[arg(long, value_name = "FORMAT", value_parser = Words(FORMATS))]
    pub(in crate::cli) to: Target,
    /// Seconds between two frames of xyz, vtk, sph, lammps-dump and gsd; without it there is one for each instant of
    /// the trajectory.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = numbers::span)]
    every: Option<f64>,
    /// The first instant, in seconds; the start, if it is not given.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = numbers::instant)]
    from: Option<f64>,
    /// The last instant, in seconds; the end of the run, if it is not given.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = numbers::instant)]
    until: Option<f64>,
    /// Only these bodies, separated by commas; a name may end in *. Of events, those in which one of them takes part.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(in crate::cli) bodies: Vec<String>,
    /// The file to write, or the folder if it is for vtk; without it, one in the present folder with the name of the
    /// run.
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// No progress bar, and nothing to say if all is well; errors are still shown.
    #[arg(long, short)]
    pub(in crate::cli) quiet: bool,
}

/// The format of a run; `None` for the table of a sweep.
type Target = Option<ExportFormat>;

const FORMATS: &[Word<Target>] = &[
    ("xyz", Some(ExportFormat::Xyz), "Extended XYZ, frames of balls and boxes: OVITO, ASE"),
    ("vtk", Some(ExportFormat::Vtk), "A folder of VTK PolyData, frames of all bodies: ParaView"),
    ("gltf", Some(ExportFormat::Gltf), "A binary file of glTF 2.0, all bodies on their exact paths: Blender, viewers"),
    ("sph", Some(ExportFormat::Sph), "Snapshots of EDMD, frames of balls in a periodic space"),
    ("lammps-dump", Some(ExportFormat::LammpsDump), "A text dump of LAMMPS, frames of balls: OVITO, VMD, MDAnalysis"),
    ("lammps-data", Some(ExportFormat::LammpsData), "A data file of LAMMPS, balls at the last instant"),
    ("xyzd", Some(ExportFormat::Xyzd), "A packing of packing-generation, balls at the last instant"),
    ("gsd", Some(ExportFormat::Gsd), "A trajectory of GSD, frames of balls with numbers of 32 bits: HOOMD-blue, OVITO"),
    ("jsonl", Some(ExportFormat::Jsonl), "One JSON object per event"),
    ("latex", None, "The table of a sweep: means over the seeds, with their standard errors"),
];

const EXAMPLES: &str = "\
Examples:
  carom export output/hard_spheres --to xyz                   writes hard_spheres.xyz
  carom export output/belt --to vtk --every 0.01 --output belt_vtk
  carom export output/newtons_cradle --to gltf --output cradle.glb
  carom export output/rest_time --to latex                     the table of a sweep: rest_time.tex
  carom export output/hard_spheres --to xyz --bodies 'sphere/1*' --from 1 --until 2 --output some.xyz

The recorded scenario is run again for it, so any instant is exact, and in the end the state is compared with the recording.

Exit codes: 0 all is well; 1 the scenario does not run as it was recorded; 2 bad input;
3 a file could not be read or written; 130 interrupted by Ctrl-C; 143 by another process.";

impl ExportArguments {
    /// The request for an export of the chosen bodies in these colours.
    pub(in crate::cli) fn request(
        &self,
        format: ExportFormat,
        bodies: Vec<String>,
        colors: BTreeMap<String, [u8; 3]>,
    ) -> ExportRequest {
        let Self { every, until, .. } = *self;
        ExportRequest { format, every, from: self.from.unwrap_or(0.0), until, bodies, colors }
    }

    /// Whether a time is given.
    pub(in crate::cli) fn has_span(&self) -> bool {
        [self.every, self.from, self.until].iter().any(Option::is_some)
    }

    /// Whether a time between frames is given for a format without frames, or with one.
    pub(in crate::cli) fn has_idle_span(&self) -> bool {
        self.every.is_some() && self.to.is_none_or(|format| !format.has_frames() || format.has_one_frame())
    }
}
