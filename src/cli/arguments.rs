//! The arguments of the command line, and its help.

pub(super) mod export;
pub(super) mod film;
pub(super) mod import;
pub(super) mod oracle;
pub(super) mod plot;
pub(super) mod replay;
pub(super) mod report;
pub(super) mod sweep;
mod words;

use std::path::PathBuf;

use clap::{ArgGroup, Parser, Subcommand};

use super::numbers::{self, Numbers};
use crate::geometry::{HalfExtents, Radius};
use crate::scenario::{Format, PictureFormat};
use export::ExportArguments;
use film::FilmArguments;
use import::ImportArguments;
use oracle::{CompareArguments, OracleArguments};
use plot::{FORMATS, PlotArguments};
use replay::{BisectArguments, DiffArguments, ReplayArguments};
use report::ReportArguments;
use sweep::SweepArguments;
use words::{Word, Words};

/// Exact collisions: spheres, boxes and planes that meet at the instant they meet.
#[derive(Debug, Parser)]
#[command(name = "carom", version, long_version = VERSIONS, about, arg_required_else_help = true, disable_help_subcommand = true, after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

/// The version, and the numbers of the formats.
const VERSIONS: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\nformats: scenario 1, recording 17, tables 5, answers 1, results of sweeps 1, scenes of the oracle 1"
);

const EXAMPLES: &str = "\
Examples:
  carom new my.ron                               begin a scenario of your own
  carom run scenarios/newtons_cradle.ron         run it; results go to output/newtons_cradle/
  carom run scenarios/*.ron --quiet              run all of them and judge by the exit code
  carom check my.ron                             validate a scenario without running it
  carom replay output/belt/recording.carom       does it run the same, to the bit, on this machine?
  carom plot output/newtons_cradle               draw the plots again from the saved tables
  carom report output/newtons_cradle             write the page of the run: report.html in its folder
  carom export output/belt --to gltf             the run for Blender; --to xyz for OVITO, --to vtk for ParaView
  carom film output/belt --to gif                a moving picture; --to mp4 by ffmpeg
  carom import level.tmx -o level.ron            a map of Tiled as a scenario
  carom query my.ron --at 1.5 --ray 0,0,9,0,0,-1   the first body on a ray, after 1.5 s
  carom list                                     what is in scenarios/

Exit codes: 0 all is well; 1 an expectation was not met, or a run ended with an error;
2 bad input; 3 a file or the output could not be read or written, or something stands in the way of the results;
130 interrupted by Ctrl-C; 143 by another process.";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run scenarios and write trajectory, events, audit and plots.
    Run(RunArguments),
    /// Run one scenario many times with other values, on all cores, and make one table and plots of the results.
    Sweep(SweepArguments),
    /// Validate scenarios; runs nothing and writes nothing.
    Check {
        /// Scenario files.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Set a value of the scenario, by its path.
        #[arg(long, value_name = "PATH=VALUE", allow_hyphen_values = true)]
        set: Vec<String>,
        /// Print JSON in place of words.
        #[arg(long)]
        json: bool,
    },
    /// Draw the plots of a run or a sweep again from its saved results, without simulating.
    Plot(PlotArguments),
    /// Write the page of a run, or of several side by side, as one HTML file that needs no network.
    Report(ReportArguments),
    /// Write a run for other programs: OVITO, ParaView, Blender, EDMD, LAMMPS, HOOMD-blue, or events as JSON.
    Export(ExportArguments),
    /// Write a moving picture of a run: GIF, animated PNG, frames, MP4 or WebM.
    Film(FilmArguments),
    /// Make a scenario of a file of another program: Tiled, LDtk, EDMD, LAMMPS, packing-generation, HOOMD-blue, glTF.
    Import(ImportArguments),
    /// Run a recording again and compare every step with it, to the bit.
    Replay(ReplayArguments),
    /// Find the first step, and the first event, in which two recordings differ; or the first row of two tables.
    Bisect(BisectArguments),
    /// Say what was changed from one scenario, run or recording to another, and what follows from it.
    Diff(DiffArguments),
    /// Judge the trajectories of any physics engine against exact ones.
    Oracle(OracleArguments),
    /// Judge a run by another one with other settings; the first run gives the exact course.
    Compare(CompareArguments),
    /// Ask what is where in a scenario, at one instant: rays, balls and boxes on their way, the nearest body, regions.
    Query(QueryArguments),
    /// List the scenarios in a folder with their titles.
    List {
        /// The folder to look into; scenarios, if it is not given.
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
    },
    /// Write a small scenario with comments, to begin from.
    New {
        /// The file to write, which must not be there yet; .ron is added if its name has no ending.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print what a shell needs to complete the commands and options of carom.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell.
        #[arg(value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write the pages of all commands into a folder.
    Man {
        /// The folder to write into.
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
    /// Print this help, or that of a command.
    Help {
        /// The command.
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
    },
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  carom completions bash > ~/.local/share/bash-completion/completions/carom
  carom completions zsh > ~/.zfunc/_carom
  carom completions fish > ~/.config/fish/completions/carom.fish";

/// The arguments of `carom run`.
#[derive(Debug, clap::Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(super) struct RunArguments {
    /// Scenario files.
    #[arg(required_unless_present = "resume", value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Folder for the results; each run gets a folder of its own in it, named after its file.
    #[arg(long, value_name = "DIR", default_value = "output")]
    pub(super) output: PathBuf,
    /// Seconds between two looks at the world, in place of the scenario's. It changes no event.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = numbers::number)]
    pub(super) timestep: Option<f64>,
    /// Set a value of the scenario, by its path, as in materials.steel.restitution=0.7.
    #[arg(long, value_name = "PATH=VALUE", conflicts_with = "resume", allow_hyphen_values = true)]
    pub(super) set: Vec<String>,
    /// Length of the run in seconds, in place of the scenario's.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = numbers::number)]
    pub(super) duration: Option<f64>,
    /// Halt at the first step at or after this instant, in seconds; --resume goes on from there.
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = numbers::instant)]
    pub(super) until: Option<f64>,
    /// Continue an interrupted run, named by the folder of its results, or a finished one for a longer --duration.
    #[arg(long, value_name = "OUTPUT_DIR", conflicts_with_all = ["files", "output", "timestep", "format"])]
    pub(super) resume: Option<PathBuf>,
    /// Begin anew, and delete what an interrupted run of the same name has left.
    #[arg(long, conflicts_with = "resume")]
    pub(super) restart: bool,
    /// How tables are written, in place of what the scenario says.
    #[arg(long, value_name = "FORMAT", value_parser = Words(TABLES))]
    pub(super) format: Option<Format>,
    /// Formats of the pictures, in place of what the scenario says.
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = Words(FORMATS))]
    pub(super) pictures: Vec<PictureFormat>,
    /// Draw no pictures; carom plot draws them later.
    #[arg(long, conflicts_with = "pictures")]
    pub(super) no_pictures: bool,
    /// Show where the time went.
    #[arg(long, conflicts_with = "quiet")]
    pub(super) stats: bool,
    /// No progress bar and no summary; errors are still shown.
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Print JSON in place of words: what summary.json has, of each run.
    #[arg(long, conflicts_with = "stats")]
    pub(super) json: bool,
}

impl RunArguments {
    /// Whether results are printed in words.
    pub(super) const fn speaks(&self) -> bool {
        !self.quiet && !self.json
    }
}

const TABLES: &[Word<Format>] = &[
    ("csv", Format::Csv, "Text, one line per row"),
    ("parquet", Format::Parquet, "Apache Parquet, for tables of millions of rows"),
];

const RUN_EXAMPLES: &str = "\
Examples:
  carom run scenarios/bouncing_ball.ron
  carom run scenarios/belt.ron --timestep 0.5
  carom run a.ron b.ron --output results --quiet
  carom run my.ron --set materials.rubber.restitution=0.7 --set bodies.ball.velocity.x=3
  carom run scenarios/hard_spheres.ron --format parquet --stats
  carom run scenarios/belt.ron --pictures svg    no PNG beside each SVG
  carom run scenarios/belt.ron --until 1         halt after 1 s
  carom run --resume output/belt                 go on, after that, after Ctrl-C or after the power went
  carom run --resume output/my --duration 20     make a finished run longer
  carom run scenarios/belt.ron --restart         begin anew, whatever an interrupted run has left
  carom run scenarios/belt.ron --json > belt.json   the summary, for a program";

/// The arguments of `carom query`.
#[derive(Debug, clap::Args)]
#[command(after_help = QUERY_EXAMPLES, override_usage = "carom query [OPTIONS] QUESTIONS... FILE")]
#[command(group = ArgGroup::new("question").required(true).multiple(true).args(["ray", "nearest", "box", "polytope", "slide"]))]
#[command(group = ArgGroup::new("moved").multiple(true).args(["ray", "slide"]))]
pub(super) struct QueryArguments {
    /// Scenario file. At least one question is wanted: --ray, --nearest, --box, --polytope or --slide.
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Set a value of the scenario, by its path.
    #[arg(long, value_name = "PATH=VALUE", allow_hyphen_values = true)]
    pub(super) set: Vec<String>,
    /// The instant asked about, in seconds; the scenario runs up to it.
    #[arg(long, value_name = "S", default_value_t = 0.0, allow_hyphen_values = true, value_parser = numbers::instant)]
    pub(super) at: f64,
    /// A ray by its origin (m) and direction: the first body that it meets.
    #[arg(long, value_name = "OX,OY,OZ,DX,DY,DZ", allow_hyphen_values = true, value_parser = numbers::ray)]
    pub(super) ray: Vec<Numbers<6>>,
    /// Every body that a ray meets, in order.
    #[arg(long, requires = "ray", conflicts_with_all = ["radius", "half_extents"])]
    pub(super) all: bool,
    /// Send a ball of this radius (m) along each ray, or slide it.
    #[arg(long, value_name = "R", requires = "moved", conflicts_with = "half_extents", allow_hyphen_values = true, value_parser = numbers::radius)]
    pub(super) radius: Option<Radius>,
    /// Send a box with these half edges (m) along each ray, or slide it.
    #[arg(long, value_name = "HX,HY,HZ", requires = "moved", allow_hyphen_values = true, value_parser = numbers::half_extents)]
    pub(super) half_extents: Option<HalfExtents>,
    /// Where rays end, in lengths of their direction.
    #[arg(long, value_name = "T", requires = "ray", default_value_t = f64::INFINITY, allow_hyphen_values = true, value_parser = numbers::reach)]
    pub(super) until: f64,
    /// A point (m): the body nearest to it.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = numbers::numbers::<3>)]
    pub(super) nearest: Vec<Numbers<3>>,
    /// How far the nearest body may be, m.
    #[arg(long, value_name = "M", requires = "nearest", default_value_t = f64::INFINITY, allow_hyphen_values = true, value_parser = numbers::reach)]
    pub(super) within: f64,
    /// A box by two corners (m): every body inside it or cut by it.
    #[arg(long, value_name = "X,Y,Z,X,Y,Z", allow_hyphen_values = true, value_parser = numbers::numbers::<6>)]
    pub(super) r#box: Vec<Numbers<6>>,
    /// A file with a region, a box, planes or a camera's view: every body inside it or cut by it.
    #[arg(long, value_name = "FILE")]
    pub(super) polytope: Vec<PathBuf>,
    /// A motion (m): where the ball or the box comes to that moves by it and slides along what blocks it.
    #[arg(long, value_name = "DX,DY,DZ", requires = "from", allow_hyphen_values = true, value_parser = numbers::numbers::<3>)]
    pub(super) slide: Option<Numbers<3>>,
    /// Where the slide begins, m.
    #[arg(long, value_name = "X,Y,Z", requires = "slide", allow_hyphen_values = true, value_parser = numbers::numbers::<3>)]
    pub(super) from: Option<Numbers<3>>,
    /// How long the slide takes, s: kinematic bodies move in that time, and carry and push it.
    #[arg(long, value_name = "S", requires = "slide", default_value_t = 0.0, allow_hyphen_values = true, value_parser = numbers::instant)]
    pub(super) duration: f64,
    /// Walk: keep the motion across `up` on floors, stay on slopes, and let no wall that leans back lift it.
    #[arg(long, requires = "slide")]
    pub(super) walking: bool,
    /// The direction up of a slide.
    #[arg(long, value_name = "X,Y,Z", requires = "slide", allow_hyphen_values = true, value_parser = numbers::numbers::<3>)]
    pub(super) up: Option<Numbers<3>>,
    /// The steepest floor, as rise over run.
    #[arg(long, value_name = "RISE", requires = "slide", default_value_t = 1.0, allow_hyphen_values = true, value_parser = numbers::reach)]
    pub(super) slope_max: f64,
    /// The highest step, m.
    #[arg(long, value_name = "M", requires = "slide", default_value_t = 0.0, allow_hyphen_values = true, value_parser = numbers::length)]
    pub(super) step: f64,
    /// How far below a floor may be on which a slide stays, m.
    #[arg(long, value_name = "M", requires = "slide", default_value_t = 0.0, allow_hyphen_values = true, value_parser = numbers::length)]
    pub(super) snap: f64,
    /// A body, or all below a path, that the slide only meets from above.
    #[arg(long, value_name = "PATH", requires = "slide")]
    pub(super) one_way: Vec<String>,
    /// Only bodies in these layers of the scenario.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) layers: Vec<String>,
    /// Leave out this body and all whose names begin with it and a slash.
    #[arg(long, value_name = "PATH")]
    pub(super) without: Option<String>,
    /// See sensors, too.
    #[arg(long)]
    pub(super) sensors: bool,
    /// Print JSON in place of a table.
    #[arg(long)]
    pub(super) json: bool,
}

const QUERY_EXAMPLES: &str = "\
Examples:
  carom query scenarios/box_gallery.ron --ray 0,0,0,8,2,0
  carom query scenarios/box_gallery.ron --at 0.75 --ray 0,0,0,8,-2,0 --all --json
  carom query scenarios/box_gallery.ron --ray 0,0,0,8,2,0 --radius 0.05 --without shot
  carom query scenarios/box_gallery.ron --box 3,-3,-1,5,3,1 --nearest 0,0,3
  carom query scenarios/box_gallery.ron --slide 6,2,0 --from 0,0,0 --radius 0.25 --without shot

The columns: query counts the questions, rays first, then points, boxes, regions and the slide.";
