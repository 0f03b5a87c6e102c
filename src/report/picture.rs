//! A picture in memory, for a caller that shows it by its own means.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::drawing::Canvas;
use super::error::ReportError;
use super::figures::{Drawing, OtherRun};
use crate::scenario::{Figure, PictureFormat, Scenario};

/// A drawn plot.
#[derive(Debug, Clone)]
pub struct Picture(Canvas);

impl Picture {
    /// Draws a plot from the tables in `folder`, with the curves of `others` laid over it. `scenario` is that of the
    /// run.
    ///
    /// # Errors
    /// [`ReportError`] when a table cannot be read.
    pub fn of_run(
        figure: &Figure,
        scenario: &Scenario,
        folder: &Path,
        others: &[OtherRun],
    ) -> Result<Self, ReportError> {
        let whole = scenario.with_all_bodies();
        let wholes: Vec<_> = others.iter().map(|other| (other, other.scenario.with_all_bodies())).collect();
        let drawing = Drawing::new(&whole, folder).beside(&wholes);
        let drawn = catch_unwind(AssertUnwindSafe(|| drawing.canvas(figure)));
        drawn.unwrap_or(Err(ReportError::Panicked)).map(Self)
    }

    /// Draws a plot of a study from its rows.
    #[cfg(feature = "study")]
    pub fn of_study(
        sweep: &crate::scenario::Sweep,
        plot: &crate::scenario::sweep_file::SweepPlot,
        rows: &[crate::study::Row],
    ) -> Self {
        Self(super::study::canvas(sweep, plot, rows))
    }

    /// The content of a file with the picture; `dpi` are the pixels of a PNG per inch, in place of those of its style.
    ///
    /// # Errors
    /// [`ReportError`] when a PNG would be too large.
    pub fn bytes(&self, format: PictureFormat, dpi: Option<u32>) -> Result<Vec<u8>, ReportError> {
        let place = Path::new("the picture");
        match dpi {
            Some(dpi) => {
                let mut canvas = self.0.clone();
                canvas.style.dpi = f64::from(dpi);
                canvas.bytes(format, place)
            }
            None => self.0.bytes(format, place),
        }
    }

    /// The characters that the bundled typeface lacks.
    pub fn missing(&self) -> BTreeSet<char> {
        self.0.missing_characters().collect()
    }
}
