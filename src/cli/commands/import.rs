//! `carom import`: files of other programs as scenarios.

use std::path::{Path, PathBuf};

use crate::cli::arguments::import::ImportArguments;
use crate::cli::commands::new;
use crate::cli::exit::{Exit, bad, note, path, print, refused, say, show, show_plain, word};
use crate::record::{ImportError, Imported, import};
use crate::scenario::text::printable::is_hidden;
use crate::scenario::{Source, parse};
use crate::world::SetupError;

pub(crate) fn command(arguments: &ImportArguments) -> Result<Exit, Exit> {
    let format = arguments.format().ok_or_else(|| {
        let words = "the ending of its name is that of no format, or of several: say which by --from";
        bad(&format!("{}: {words}", path(&arguments.file)))
    })?;
    if let Some(option) = arguments.idle(format) {
        return Err(bad(&format!("{option} has no meaning for {}; leave it out", format.words())));
    }
    let place = arguments.output.as_deref().map(new::named).transpose()?;
    // A scenario cannot name a file with these letters.
    let plain = |letter: char| if is_hidden(letter) || "\\:".contains(letter) { '_' } else { letter };
    let stem = place.as_deref().and_then(Path::file_stem);
    let name = stem.map(|stem| stem.to_string_lossy().chars().map(plain).collect::<String>());
    let imported = import(&arguments.file, &arguments.request(format), name.as_deref())
        .map_err(|error| refused(&error, matches!(error, ImportError::Unreadable { .. })))?;
    match &place {
        Some(place) => {
            let beside = imported.files.iter().map(|file| (place.with_file_name(&file.name), &file.bytes[..]));
            // The scenario comes last, so that it never stands there without its files.
            new::create(&beside.chain([(place.clone(), imported.text.as_bytes())]).collect::<Vec<_>>())?;
            let files = imported.files.iter().map(|file| format!(", {}", file.name)).collect::<String>();
            say(&format!("{}{files}: written; carom check {} validates it", path(place), word(place)))?;
        }
        None => print(imported.text.as_bytes())?,
    }
    if !arguments.quiet && !imported.missing.is_empty() {
        let lines: String = imported.missing.iter().map(|line| format!("\n  {line}")).collect();
        note(&format!("What could not be imported:{lines}"));
    }
    Ok(checked(&imported, place))
}

/// Whether the scenario of spheres is valid: those of other programs may overlap.
fn checked(imported: &Imported, place: Option<PathBuf>) -> Exit {
    let name = place.map_or_else(|| "the scenario".to_owned(), |place| place.to_string_lossy().into_owned());
    let parsed = match parse(&Source::new(name, &imported.text).with_files(imported.files.clone())) {
        Ok(parsed) => parsed,
        Err(problems) => {
            show(&problems);
            return Exit::Unmet;
        }
    };
    let Err(error) = parsed.scenario.world() else { return Exit::Success };
    // Rounded downwards, so that they part.
    let factor = match &error {
        SetupError::Overlap { a, b, depth } => {
            let radius = |name: &str| {
                let body = parsed.scenario.bodies.iter().find(|body| body.name == name);
                body.map_or(0.0, |body| body.shape.half_extents().x)
            };
            ((1.0 - depth / (radius(a) + radius(b))) * 1e4).floor() / 1e4
        }
        _ => 0.0,
    };
    match parsed.unmade(error) {
        Ok(problems) => show(&problems),
        Err(error) => show_plain(&error),
    }
    if factor > 0.0 {
        note(&format!("--shrink {factor} makes the radii so small that these two part"));
    }
    Exit::Unmet
}
