//! Pictures: plots in memory, which a notebook shows and which are saved as files.

use std::ffi::CString;
use std::path::PathBuf;

use carom::record::write_file;
use carom::report::{self, ReportError};
use carom::scenario::PictureFormat;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;

use crate::errors::{Raised, released};
use crate::words::either;

/// A plot. A notebook shows it.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Picture {
    drawn: report::Picture,
    svg: String,
}

impl Picture {
    pub(crate) fn new(drawn: report::Picture) -> PyResult<Self> {
        let svg = drawn.bytes(PictureFormat::Svg, None).map_err(Raised::raised)?;
        Ok(Self { drawn, svg: String::from_utf8(svg).map_err(|error| PyValueError::new_err(error.to_string()))? })
    }
}

#[pymethods]
impl Picture {
    /// The text of the file as SVG.
    #[getter]
    fn svg(&self) -> &str {
        &self.svg
    }

    /// Writes it to a file, in the format of its ending: .svg, .png, .pdf, or .csv for the numbers that are drawn.
    /// `dpi` are the pixels of a PNG per inch.
    #[pyo3(signature = (path, *, dpi = None))]
    fn savefig(&self, py: Python<'_>, path: PathBuf, dpi: Option<u32>) -> PyResult<()> {
        let format = format_of(&path)?;
        let (low, high) = carom::scenario::plot::style::RESOLUTIONS;
        if dpi.is_some_and(|dpi| !(low..=high).contains(&u64::from(dpi))) {
            return Err(PyValueError::new_err(format!("dpi must be from {low} to {high}")));
        }
        self.warn_of_letters(format, py)?;
        released(py, || {
            let bytes = self.drawn.bytes(format, dpi).map_err(Raised::raised)?;
            write_file(&path, &bytes).map_err(Raised::raised)
        })
    }

    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    fn __repr__(&self) -> String {
        format!("<carom.Picture of {} characters>", self.svg.chars().count())
    }
}

impl Picture {
    /// Warns if letters are missing in a file of this format.
    fn warn_of_letters(&self, format: PictureFormat, py: Python<'_>) -> PyResult<()> {
        /// Most letters that are named.
        const NAMED_MAX: usize = 10;
        let missing: Vec<String> = self.drawn.missing().into_iter().take(NAMED_MAX).map(String::from).collect();
        if missing.is_empty() || !matches!(format, PictureFormat::Png | PictureFormat::Pdf) {
            return Ok(());
        }
        let words = format!("the typeface of pictures lacks {}: \u{fffd} stands for each", missing.join(", "));
        let words = CString::new(words).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &words, 1)
    }
}

fn format_of(path: &std::path::Path) -> PyResult<PictureFormat> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let formats = [
        ("svg", PictureFormat::Svg),
        ("png", PictureFormat::Png),
        ("pdf", PictureFormat::Pdf),
        ("csv", PictureFormat::Csv),
    ];
    let found = formats.iter().find(|(known, _)| *known == ending);
    found.map(|(_, format)| *format).ok_or_else(|| {
        let words = either(&formats.map(|(known, _)| format!(".{known}")));
        PyValueError::new_err(format!("the name of a picture ends in {words}; found {}", path.display()))
    })
}

impl Raised for ReportError {
    fn raised(self) -> PyErr {
        let words = self.to_string();
        match self {
            Self::TooLarge { .. } => PyValueError::new_err(words),
            Self::Panicked => PyRuntimeError::new_err(words),
            _ => PyOSError::new_err(words),
        }
    }
}
