//! A picture as files: SVG, PNG and PDF, which all show the same, and the numbers in it.

mod glyphs;
mod pdf;
mod png;
pub(in crate::report) mod reel;
mod sheet;
mod svg;
mod values;

pub(crate) use png::Packing;
pub(crate) use values::Seen;

use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::canvas::Canvas;
use crate::report::error::ReportError;
use crate::scenario::plot::style::PictureFormat;

impl Canvas {
    /// Writes the picture into a folder, in a file for each format at the same time, and returns their names.
    ///
    /// # Errors
    /// When a file cannot be written, or a PNG would be too large.
    pub(crate) fn write(&self, into: &Path, stem: &str, formats: &[PictureFormat]) -> Result<Vec<String>, ReportError> {
        let write = |&format: &PictureFormat| {
            let name = format!("{stem}.{}", format.ending());
            let file = into.join(&name);
            fs::write(&file, self.bytes(format, &file)?).map_err(|source| ReportError::Write { file, source })?;
            Ok(name)
        };
        formats.par_iter().map(write).collect()
    }

    /// The content of a file with the picture; errors call it `file`.
    ///
    /// # Errors
    /// When a PNG would be too large.
    pub(crate) fn bytes(&self, format: PictureFormat, file: &Path) -> Result<Vec<u8>, ReportError> {
        Ok(match format {
            PictureFormat::Svg => self.svg().into_bytes(),
            PictureFormat::Png => self.png(file, Packing::Fast)?,
            PictureFormat::Pdf => self.pdf(),
            PictureFormat::Csv => self.values().into_bytes(),
        })
    }
}
