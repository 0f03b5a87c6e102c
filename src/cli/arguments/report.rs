//! The arguments of `carom report`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct ReportArguments {
    /// Folders of runs, such as output/newtons_cradle; several are compared. Or the folder of one sweep.
    #[arg(value_name = "OUTPUT_DIR", required_unless_present = "playground")]
    pub(in crate::cli) folders: Vec<PathBuf>,
    /// The file to write, which ends in .html; without it report.html in the folder. Several runs need it.
    #[arg(long, short, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Write a page on which this scenario can be edited and run; without --output beside it, as NAME.playground.html.
    #[arg(long, value_name = "SCENARIO", conflicts_with = "folders")]
    pub(in crate::cli) playground: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  carom report output/belt
  carom report output/belt -o belt.html
  carom report output/belt output/slope -o compared.html
  carom report output/rest_time
  carom report --playground scenarios/belt.ron

The page shows what the run left behind and changes nothing of it. It loads nothing from anywhere.";
