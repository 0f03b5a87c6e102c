//! `carom film`: a moving picture of a run.

use std::fs;
use std::path::Path;

use super::export::refused;
use super::report::ready;
use super::run::warn_of_missing;
use crate::cli::arguments::film::FilmArguments;
use crate::cli::delivery::{checked, delivered, named_after};
use crate::cli::exit::{Exit, bad, failed, path, say};
use crate::cli::names::bodies;
use crate::cli::progress::Progress;
use crate::cli::signals::Attention;
use crate::numeric::shown;
use crate::record::{Exporter, RunPaths};
use crate::report::film::{Film, FilmError, FilmFormat, FilmRequest, is_film_file};

pub(crate) fn command(arguments: &FilmArguments) -> Result<Exit, Exit> {
    if arguments.has_idle_direction() {
        return Err(bad("--azimuth and --elevation are for --view oblique"));
    }
    let format = arguments.to;
    let is_ours: Option<fn(&str) -> bool> = if format == FilmFormat::Frames { Some(is_film_file) } else { None };
    let place =
        checked(arguments.output.as_deref(), named_after(&arguments.folder, format.ending()), "a film", is_ours)?;
    format.look_for_encoder().map_err(|error| unmade(error)())?;
    ready(&arguments.folder)?;
    let exporter = Exporter::open(&arguments.folder).map_err(|error| refused(&error))?;
    let request = request(&exporter, arguments)?;
    let told = delivered(&place, |made| {
        let attention = Attention::new();
        let progress = Progress::new(&path(&place), arguments.quiet);
        let told = make(&exporter, &request, arguments, (made, &attention, &progress));
        progress.finish();
        told.map_err(|exit| attention.asked().unwrap_or_else(exit))
    })?;
    if !arguments.quiet {
        say(&format!("{}: {told}{}", path(&place), weight(&place)))?;
    }
    Ok(Exit::Success)
}

/// What ended a film, to be shown unless the user has interrupted it.
type Ended = Box<dyn FnOnce() -> Exit>;

/// Writes the film to the first of these, and returns what it is.
fn make(
    exporter: &Exporter,
    request: &FilmRequest,
    arguments: &FilmArguments,
    (made, attention, progress): (&Path, &Attention, &Progress),
) -> Result<String, Ended> {
    let halt = Some(attention.flag());
    let part = (arguments.from, arguments.until);
    let paths: RunPaths = exporter
        .paths(part, halt, |glimpse| progress.show(glimpse))
        .map_err(|error| -> Ended { Box::new(move || refused(&error)) })?;
    let scenario = exporter.scenario().with_all_bodies();
    let mut film = Film::new(&scenario, &paths, request).map_err(unmade)?;
    warn_of_missing(film.missing());
    let frames = film.frames();
    let watch = |done: usize| progress.frames(done, frames);
    film.write(arguments.to, made, halt, watch).map_err(unmade)?;
    let [width, height] = film.size();
    let seconds = film.length();
    let slow = request.slow.map_or_else(String::new, |slow| {
        let (factor, impacts) = (shown(slow.factor), film.impacts());
        format!(", {factor} times slower around {impacts} impact{}", if impacts == 1 { "" } else { "s" })
    });
    let speed = shown(film.speed());
    Ok(format!("{frames} frames of {width} × {height} pixels, {seconds:.1} s at {speed} × real time{slow}"))
}

/// The request, checked against the run.
fn request(exporter: &Exporter, arguments: &FilmArguments) -> Result<FilmRequest, Exit> {
    let scenario = exporter.scenario();
    let chosen = bodies(scenario, &arguments.bodies).map_err(|words| bad(&words))?;
    let named = arguments.color.iter().map(|(name, _)| name).chain(&arguments.follow);
    for name in named {
        let meant = bodies(scenario, std::slice::from_ref(name)).map_err(|words| bad(&words))?;
        if meant.len() > 1 && arguments.follow.as_ref() == Some(name) {
            return Err(bad(&format!("`{name}` are {} bodies, and a film follows one", meant.len())));
        }
    }
    let reached = exporter.reached().seconds();
    if let Some(until) = arguments.until.filter(|until| *until > reached) {
        let words = format!("the run ends at {} s, before --until {} s", shown(reached), shown(until));
        return Err(bad(&words));
    }
    Ok(arguments.request(chosen).completed(scenario))
}

fn unmade(error: FilmError) -> Ended {
    let is_io = matches!(error, FilmError::Write(_) | FilmError::Encoder(_));
    Box::new(move || if is_io { failed(&error.to_string()) } else { bad(&error.to_string()) })
}

/// The size of a file, in words.
fn weight(place: &Path) -> String {
    let bytes = fs::metadata(place).ok().filter(fs::Metadata::is_file).map(|found| found.len());
    bytes.map_or_else(String::new, |bytes| format!("; {} kB", bytes.div_ceil(1000)))
}
