//! Such a table as CSV.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::error::{ForeignError, WANTED};
use super::table::{Collector, ForeignTable, Values, instant, number};
use crate::motion::SimTime;
use crate::scenario::text::source::open_file;

pub(super) fn read(file: &Path) -> Result<ForeignTable, ForeignError> {
    let opened = open_file(file, File::options().read(true))
        .map_err(|obstacle| ForeignError::Io { file: file.to_owned(), source: obstacle.into() })?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(WithoutReturns(opened));
    let mut collector = Collector::new(file, "line");
    let headers = reader.headers().map_err(|error| damaged(file, &error))?;
    let found: Vec<String> = headers.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect();
    let columns = collector.columns(&found)?;
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| damaged(file, &error))? {
        let place = record.position().map_or(0, csv::Position::line);
        if record.len() != found.len() {
            let problem =
                format!("{} fields wanted, as many as there are columns, {} found", found.len(), record.len());
            return Err(collector.wrong(place, "all", problem));
        }
        let fields = columns.map(|column| record.get(column).unwrap_or_default());
        let values = values(place, fields).map_err(|(column, problem)| collector.wrong(place, column, problem))?;
        collector.put(&values)?;
    }
    Ok(collector.table)
}

/// A file without its carriage returns: the reader of CSV counts a line that ends in both characters too late.
struct WithoutReturns(File);

impl Read for WithoutReturns {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let found = self.0.read(buffer)?;
            let mut kept = 0;
            for place in 0..found {
                buffer[kept] = buffer[place];
                kept += usize::from(buffer[place] != b'\r');
            }
            if kept > 0 || found == 0 {
                return Ok(kept);
            }
        }
    }
}

fn values(place: u64, fields: [&str; 9]) -> Result<Values<'_>, (&'static str, String)> {
    let real = |at: usize| {
        let parsed = fields[at].parse::<f64>().map_err(|_| format!("`{}` is no number", short(fields[at])));
        parsed.and_then(number).map_err(|problem| (WANTED[at], problem))
    };
    let step = fields[0].parse().map_err(|_| (WANTED[0], format!("`{}` is no whole number", short(fields[0]))))?;
    let time = match fields[1].parse::<SimTime>() {
        Ok(time) if time >= SimTime::ZERO => time,
        _ => instant(real(1)?).map_err(|problem| (WANTED[1], problem))?,
    };
    if fields[2].is_empty() {
        return Err((WANTED[2], "the name of a body is wanted, found nothing".to_owned()));
    }
    let mut numbers = [0.0; 6];
    for (place, number) in numbers.iter_mut().enumerate() {
        *number = real(3 + place)?;
    }
    Ok(Values { place, step, time, body: fields[2], numbers })
}

/// A field as it is quoted.
fn short(field: &str) -> String {
    field.chars().take(40).collect()
}

fn damaged(file: &Path, error: &csv::Error) -> ForeignError {
    ForeignError::Damaged { file: file.to_owned(), problem: format!("not a CSV table: {error}") }
}
