//! A table of another program as CSV.

use std::fs::File;
use std::path::Path;

use super::error::{ForeignError, ROWS_MAX};
use super::layout::{Cells, Rows, instant, number, whole};
use crate::motion::SimTime;
use crate::scenario::text::rows::{line_of, plain};
use crate::scenario::text::source::open_file;

pub(super) fn read<T: Rows>(file: &Path) -> Result<T, ForeignError> {
    let opened = open_file(file, File::options().read(true))
        .map_err(|obstacle| ForeignError::Io { file: file.to_owned(), cause: obstacle.into() })?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(plain(opened));
    let headers = reader.headers().map_err(|error| damaged(file, &error))?;
    if headers.iter().all(str::is_empty) {
        return Err(T::LAYOUT.empty(file));
    }
    let found: Vec<String> = headers.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect();
    let (columns, has) = T::LAYOUT.places(file, &found)?;
    let origin = T::LAYOUT.origin(file, "line");
    let mut table = T::new(origin.clone(), &has);
    let mut record = csv::StringRecord::new();
    let mut rows = 0;
    while reader.read_record(&mut record).map_err(|error| damaged(file, &error))? {
        let place = line_of(&reader);
        if record.len() != found.len() {
            let problem =
                format!("{} fields wanted, as many as there are columns, {} found", found.len(), record.len());
            return Err(origin.wrong(place, "all", problem));
        }
        if rows == ROWS_MAX {
            return Err(ForeignError::TooLong { file: file.to_owned() });
        }
        rows += 1;
        let line = Line { record: &record, columns: &columns };
        table.put(place, &line).map_err(|(column, problem)| origin.wrong(place, column, problem))?;
    }
    Ok(table)
}

/// A line, and where the columns stand in it.
struct Line<'a> {
    record: &'a csv::StringRecord,
    columns: &'a [Option<usize>],
}

impl Line<'_> {
    fn field(&self, at: usize) -> &str {
        self.columns[at].and_then(|column| self.record.get(column)).unwrap_or_default()
    }

    /// A field as it is quoted.
    fn quoted(&self, at: usize) -> String {
        self.field(at).chars().take(40).collect()
    }
}

impl Cells for Line<'_> {
    fn whole(&self, at: usize) -> Result<u64, String> {
        let text = self.field(at);
        let number = text.parse().ok().or_else(|| text.parse().ok().and_then(whole));
        number.ok_or_else(|| format!("`{}` is no whole number", self.quoted(at)))
    }

    fn real(&self, at: usize) -> Result<f64, String> {
        number(self.field(at).parse().map_err(|_| format!("`{}` is no number", self.quoted(at)))?)
    }

    fn instant(&self, at: usize) -> Result<SimTime, String> {
        match self.field(at).parse::<SimTime>() {
            Ok(time) if time >= SimTime::ZERO => Ok(time),
            _ => instant(self.real(at)?),
        }
    }

    fn word(&self, at: usize) -> Result<&str, String> {
        Ok(self.field(at))
    }
}

fn damaged(file: &Path, error: &csv::Error) -> ForeignError {
    ForeignError::Damaged { file: file.to_owned(), problem: format!("not a CSV table: {error}") }
}
