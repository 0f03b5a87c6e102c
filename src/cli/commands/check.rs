//! `carom check`: whether scenarios are valid.

use std::path::{Path, PathBuf};

use crate::cli::exit::{Exit, bad, hand_over, invalid, path, refused, say, show, with_causes};
use crate::cli::progress::while_busy;
use crate::cli::terminal::Look;
use crate::record::answers::{ANSWER_SCHEMA, CheckAnswer, CheckEntry, ProblemAnswer, as_json};
use crate::scenario::text::printable::printable;
use crate::scenario::{Parsed, Problems, ReadError, Setting, SettingError, Source, parse};
use crate::world::{SetupError, World};

pub(crate) fn command(files: &[PathBuf], set: &[String], json: bool) -> Result<Exit, Exit> {
    let mut gravest = Exit::Success;
    let mut entries = Vec::new();
    for file in files {
        let (exit, entry) = one(file, set, json)?;
        entries.push(entry);
        gravest = gravest.max(exit);
    }
    let bad: Vec<String> = entries.iter().filter(|entry| !entry.valid).map(|entry| entry.file.clone()).collect();
    if json {
        hand_over(&as_json(&CheckAnswer { schema: ANSWER_SCHEMA, valid: bad.is_empty(), files: entries }))?;
    } else if files.len() > 1 {
        say(&overview(files.len(), &bad))?;
    }
    Ok(gravest)
}

/// The verdict on several files.
fn overview(all: usize, bad: &[String]) -> String {
    let words = match bad {
        [] => format!("{all} of {all} files are valid"),
        _ => format!("{} of {all} files are not valid: {}", bad.len(), bad.join(", ")),
    };
    Look::of_stdout().marked(bad.is_empty(), &words)
}

/// Checks one file. In words, a valid one is named at once.
fn one(file: &Path, set: &[String], json: bool) -> Result<(Exit, CheckEntry), Exit> {
    let mut entry = CheckEntry { file: path(file), ..CheckEntry::default() };
    let parsed = match attempt(file, set, json) {
        Ok(loaded) => loaded.parsed,
        Err(refusal) => {
            entry.problems = refusal.problems();
            return Ok((refusal.shown(), entry));
        }
    };
    let (title, bodies) = (&parsed.scenario.title, parsed.scenario.bodies.len());
    if !json {
        let noun = if bodies == 1 { "body" } else { "bodies" };
        let words = format!("{}: ok, {} ({bodies} {noun})", entry.file, printable(title));
        say(&Look::of_stdout().marked(true, &words))?;
    }
    entry.warnings = parsed.warnings().as_ref().map_or_else(Vec::new, ProblemAnswer::all);
    Ok((Exit::Success, CheckEntry { valid: true, title: Some(title.clone()), bodies: Some(bodies), ..entry }))
}

/// A scenario that has been read, checked and made into a world.
pub(crate) struct Loaded {
    pub(crate) source: Source,
    pub(crate) parsed: Parsed,
    pub(crate) world: World,
}

/// Why a scenario is not run.
enum Refusal {
    Read(ReadError),
    Setting(SettingError),
    Problems(Problems),
    Setup(SetupError),
}

impl Refusal {
    /// Shows it.
    fn shown(&self) -> Exit {
        match self {
            Self::Read(error) => refused(error, error.is_unreadable()),
            Self::Setting(error) => invalid(error),
            Self::Problems(problems) => invalid(problems),
            Self::Setup(error) => bad(&with_causes(error)),
        }
    }

    fn problems(&self) -> Vec<ProblemAnswer> {
        match self {
            Self::Read(error) => vec![ProblemAnswer::of(error)],
            Self::Setting(error) => vec![ProblemAnswer::of(error)],
            Self::Problems(problems) => ProblemAnswer::all(problems),
            Self::Setup(error) => vec![ProblemAnswer { message: error.to_string(), ..ProblemAnswer::default() }],
        }
    }
}

/// Reads, checks and builds a scenario with the settings `set`, and shows its errors and warnings. Progress is shown
/// unless `quiet`.
pub(crate) fn load(file: &Path, set: &[String], quiet: bool) -> Result<Loaded, Exit> {
    attempt(file, set, quiet).map_err(|refusal| refusal.shown())
}

/// The same, without showing errors.
fn attempt(file: &Path, set: &[String], quiet: bool) -> Result<Loaded, Refusal> {
    let source = Source::read(file).map_err(Refusal::Read)?;
    let source = changed(&source, set).map_err(Refusal::Setting)?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let made = while_busy((&name, quiet), "making bodies", || {
        let parsed = parse(&source)?;
        let world = parsed.scenario.world();
        Ok((parsed, world))
    });
    let (parsed, world) = made.map_err(Refusal::Problems)?;
    let world = world.map_err(|error| parsed.unmade(error).map_or_else(Refusal::Setup, Refusal::Problems))?;
    if let Some(warnings) = parsed.warnings() {
        show(&warnings);
    }
    Ok(Loaded { source, parsed, world })
}

/// The scenario with the settings of the options, each `PATH=VALUE`.
fn changed(source: &Source, set: &[String]) -> Result<Source, SettingError> {
    let settings: Vec<Setting> = set.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    source.with(&settings)
}

/// Reads the text of a scenario, and shows the error if that is not possible.
pub(crate) fn read(file: &Path) -> Result<Source, Exit> {
    Source::read(file).map_err(|error| Refusal::Read(error).shown())
}
