//! Films and exports of a run, made from its recording.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use carom::record::{ExportError, ExportFormat, ExportRequest, Exporter, ReplayError, is_series_file};
use carom::report::colors;
use carom::report::film::{FPS_MAX, Film, FilmError, FilmFormat, FilmRequest, FilmView, SIDES, Slow, is_film_file};
use carom::scenario::{Figure, Plane2};
use miette::Diagnostic;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Raised, panicked, released, unfit_value};
use crate::folder::{scenario_of, signals};
use crate::origin::Origin;
use crate::plots::chosen;
use crate::sweeps::watched;
use crate::words::{did_you_mean, either, meant, of_python};

/// The settings of a style that a film has.
const STYLE: [&str; 7] = ["theme", "title", "font_size", "x", "y", "colors", "labels"];

/// A factor, or a factor and seconds.
#[derive(FromPyObject)]
enum SlowMotion {
    Factor(f64),
    For(f64, f64),
}

/// Writes a film of the run in a folder to `into`, in the format of this name.
#[pyfunction]
#[pyo3(signature = (folder, into, format, options))]
pub(crate) fn write_film(
    py: Python<'_>,
    folder: PathBuf,
    into: PathBuf,
    format: &str,
    options: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let format = film_format(format)?;
    let origin = released(py, || scenario_of(&folder))?;
    let (request, part) = film_request(&origin, options)?;
    format.look_for_encoder().map_err(Raised::raised)?;
    stoppable(py, |asked| {
        let exporter = Exporter::open(&folder).map_err(Raised::raised)?;
        let request = request.completed(exporter.scenario());
        let reached = exporter.reached().seconds();
        if let Some(until) = part.1.filter(|until| *until > reached) {
            return Err(PyValueError::new_err(format!("until is {until} s, and the run ends at {reached} s")));
        }
        let paths = exporter.paths(part, Some(asked), |_| ()).map_err(Raised::raised)?;
        let scenario = exporter.scenario().with_all_bodies();
        let mut film = Film::new(&scenario, &paths, &request).map_err(Raised::raised)?;
        film.write(format, &into, Some(asked), |_| ()).map_err(Raised::raised)
    })
}

/// Writes the run in a folder to `into`, for another program. Returns how many bodies, frames and events it has.
#[pyfunction]
#[pyo3(signature = (folder, into, format, *, every = None, from_ = 0.0, until = None, bodies = None))]
#[expect(clippy::too_many_arguments, reason = "each is said by its name")]
pub(crate) fn write_export(
    py: Python<'_>,
    folder: PathBuf,
    into: PathBuf,
    format: &str,
    every: Option<f64>,
    from_: f64,
    until: Option<f64>,
    bodies: Option<Bound<'_, PyAny>>,
) -> PyResult<(usize, u64, u64)> {
    let format = export_format(format)?;
    if every.is_some() && (!format.has_frames() || format.has_one_frame()) {
        return Err(PyValueError::new_err("every is for formats of several frames, and this one has none or one"));
    }
    for (name, seconds, is_span) in [("every", every, true), ("from_", Some(from_), false), ("until", until, false)] {
        let fits = |seconds: f64| seconds.is_finite() && if is_span { seconds > 0.0 } else { seconds >= 0.0 };
        if let Some(seconds) = seconds.filter(|&seconds| !fits(seconds)) {
            return Err(PyValueError::new_err(format!("{name} must be a number of seconds, found {seconds}")));
        }
    }
    let origin = released(py, || scenario_of(&folder))?;
    let bodies = named(&chosen(&origin, bodies.as_ref(), &PyDict::new(py))?);
    stoppable(py, |asked| {
        let exporter = Exporter::open(&folder).map_err(Raised::raised)?;
        let colors = if format == ExportFormat::Gltf { colors(exporter.scenario()) } else { BTreeMap::new() };
        let request = ExportRequest { every, from: from_, until, bodies, colors, ..ExportRequest::all(format) };
        let report = exporter.export(&request, &into, Some(asked), |_| ()).map_err(Raised::raised)?;
        Ok((report.bodies, report.frames, report.events))
    })
}

/// The ending of the names of exports to this format.
#[pyfunction]
pub(crate) fn export_ending(format: &str) -> PyResult<&'static str> {
    Ok(export_format(format)?.ending())
}

/// Does `work` on another thread, which ends when its flag is raised: by Ctrl-C.
fn stoppable<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> PyResult<T> + Send) -> PyResult<T> {
    let asked = AtomicBool::new(false);
    let caught = || std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&asked)));
    py.detach(|| watched(caught, &asked, signals))?.unwrap_or_else(|panic| Err(panicked(&*panic)))
}

fn export_format(word: &str) -> PyResult<ExportFormat> {
    let formats = [
        ("xyz", ExportFormat::Xyz),
        ("vtk", ExportFormat::Vtk),
        ("gltf", ExportFormat::Gltf),
        ("sph", ExportFormat::Sph),
        ("lammps_dump", ExportFormat::LammpsDump),
        ("lammps_data", ExportFormat::LammpsData),
        ("xyzd", ExportFormat::Xyzd),
        ("gsd", ExportFormat::Gsd),
        ("jsonl", ExportFormat::Jsonl),
    ];
    one_of("format", word, &formats)
}

fn film_format(word: &str) -> PyResult<FilmFormat> {
    let formats = [
        ("gif", FilmFormat::Gif),
        ("apng", FilmFormat::Apng),
        ("frames", FilmFormat::Frames),
        ("mp4", FilmFormat::Mp4),
        ("webm", FilmFormat::Webm),
    ];
    one_of("format", word, &formats)
}

/// What one of a few words means.
fn one_of<T: Copy>(argument: &str, word: &str, known: &[(&'static str, T)]) -> PyResult<T> {
    let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
    let found = meant(word, &words).and_then(|word| known.iter().find(|(known, _)| *known == word));
    found
        .map(|(_, meaning)| *meaning)
        .ok_or_else(|| unfit_value(argument, &format!("must be {}, found \"{word}\"", either(&words))))
}

/// A film of the run, and its first and its last instant, s.
type Asked = (FilmRequest, (f64, Option<f64>));

fn film_request(origin: &Origin, options: &Bound<'_, PyDict>) -> PyResult<Asked> {
    let rest = options.copy()?;
    let take = |name: &str| -> PyResult<Option<Bound<'_, PyAny>>> {
        let found = rest.get_item(name)?;
        if found.is_some() {
            rest.del_item(name)?;
        }
        Ok(found.filter(|found| !found.is_none()))
    };
    let (view, azimuth, elevation) = (take("view")?, take("azimuth")?, take("elevation")?);
    let (from, until) = (number("from_", take("from_")?, 0.0)?, number("until", take("until")?, 0.0)?);
    let slow = take("slow")?.map(|given| slow(&given)).transpose()?;
    let mut request = FilmRequest {
        view: film_view(view, number("azimuth", azimuth, -360.0)?, number("elevation", elevation, -90.0)?)?,
        speed: number("speed", take("speed")?, f64::MIN_POSITIVE)?,
        slow,
        trail: number("trail", take("trail")?, 0.0)?,
        follow: value("follow", take("follow")?)?,
        size: value("size", take("size")?)?,
        ..FilmRequest::default()
    };
    request.fps = value("fps", take("fps")?)?.unwrap_or(request.fps);
    request.clock = value("clock", take("clock")?)?.unwrap_or(request.clock);
    request.legend = value("legend", take("legend")?)?.unwrap_or(request.legend);
    let bodies = take("bodies")?;
    if let Some(other) = rest.keys().iter().map(|key| key.to_string()).find(|key| !STYLE.contains(&key.as_str())) {
        let known = options.keys().iter().map(|key| key.to_string()).filter(|key| *key != other);
        let known: Vec<String> = known.chain(STYLE.map(str::to_owned)).collect();
        let near = did_you_mean(&other, &known);
        return Err(PyTypeError::new_err(format!("a film has no {other:?}: its look has {}{near}", STYLE.join(", "))));
    }
    let (low, high) = SIDES;
    if request.size.is_some_and(|sides| sides.iter().any(|side| !(low..=high).contains(side))) {
        return Err(PyValueError::new_err(format!("size must be two whole numbers of pixels from {low} to {high}")));
    }
    if !(1..=FPS_MAX).contains(&request.fps) {
        return Err(PyValueError::new_err(format!("fps must be a whole number from 1 to {FPS_MAX}")));
    }
    if let Some(name) =
        request.follow.as_ref().filter(|name| !origin.scenario.all_bodies().any(|body| body.name == **name))
    {
        return Err(unfit_value("follow", &format!("must be the name of a body, and there is no body \"{name}\"")));
    }
    let asked = chosen(origin, bodies.as_ref(), &rest)?;
    let request = FilmRequest { bodies: named(&asked), style: asked.style, ..request };
    Ok((request, (from.unwrap_or_default(), until)))
}

fn named(figure: &Figure) -> Vec<String> {
    figure.plot.bodies().cloned().unwrap_or_default()
}

fn value<'py, T>(name: &str, given: Option<Bound<'py, PyAny>>) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let unfit =
        |error: PyErr| PyTypeError::new_err(format!("{name}: {}", Python::attach(|py| error.value(py).to_string())));
    given.map(|given| given.extract().map_err(unfit)).transpose()
}

fn number(name: &str, given: Option<Bound<'_, PyAny>>, least: f64) -> PyResult<Option<f64>> {
    let found = value::<f64>(name, given)?;
    let wanted =
        if least == f64::MIN_POSITIVE { "a positive number".to_owned() } else { format!("a number from {least}") };
    match found.filter(|found| !found.is_finite() || *found < least) {
        Some(wrong) => Err(PyValueError::new_err(format!("{name} must be {wanted}, found {wrong:?}"))),
        None => Ok(found),
    }
}

fn slow(given: &Bound<'_, PyAny>) -> PyResult<Slow> {
    let words = "slow must be a factor above 1, or such a factor and a number of seconds";
    let slow = match given.extract().map_err(|_| PyTypeError::new_err(words))? {
        SlowMotion::Factor(factor) => Slow { factor, seconds: None },
        SlowMotion::For(factor, seconds) => Slow { factor, seconds: Some(seconds) },
    };
    let fits = slow.factor.is_finite() && slow.factor > 1.0;
    let fits = fits && slow.seconds.is_none_or(|seconds| seconds.is_finite() && seconds > 0.0);
    if fits { Ok(slow) } else { Err(PyValueError::new_err(words)) }
}

fn film_view(
    given: Option<Bound<'_, PyAny>>,
    azimuth: Option<f64>,
    elevation: Option<f64>,
) -> PyResult<Option<FilmView>> {
    let views = [
        ("xz", FilmView::Plane(Plane2::XZ)),
        ("xy", FilmView::Plane(Plane2::XY)),
        ("yz", FilmView::Plane(Plane2::YZ)),
        ("oblique", FilmView::Oblique { azimuth, elevation }),
    ];
    let view = value::<String>("view", given)?.map(|word| one_of("view", &word, &views)).transpose()?;
    if (azimuth.is_some() || elevation.is_some()) && !matches!(view, Some(FilmView::Oblique { .. })) {
        return Err(PyValueError::new_err("azimuth and elevation are for view=\"oblique\""));
    }
    if azimuth.is_some_and(|angle| angle > 360.0) || elevation.is_some_and(|angle| angle > 90.0) {
        return Err(PyValueError::new_err("azimuth is at most 360 degrees, and elevation at most 90"));
    }
    Ok(view)
}

impl Raised for FilmError {
    fn raised(self) -> PyErr {
        let words = of_python(&self.to_string());
        match self {
            Self::Write(_) => PyOSError::new_err(words),
            Self::Encoder(_) => PyRuntimeError::new_err(words),
            _ => PyValueError::new_err(words),
        }
    }
}

impl Raised for ExportError {
    fn raised(self) -> PyErr {
        let help = self.help().map_or_else(String::new, |help| format!("\n  help: {help}"));
        let words = of_python(&format!("{self}{help}"));
        match self {
            Self::Write { error } => error.raised(),
            Self::Failed { .. } | Self::OtherState(_) => PyRuntimeError::new_err(words),
            Self::Replay(ReplayError::Recording(error)) => error.raised(),
            _ => PyValueError::new_err(words),
        }
    }
}

/// Whether a folder has only files of an earlier film of frames, or of an earlier export to VTK.
#[pyfunction]
pub(crate) fn is_ours(folder: PathBuf) -> bool {
    let is_ours = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.map(|entry| entry.file_name().to_string_lossy().into_owned()).unwrap_or_default();
        is_film_file(&name) || is_series_file(&name)
    };
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.all(is_ours))
}
