//! Reading the tables of a run, a row at a time.
//!
//! A table may have ten million rows, so no table is ever held as a whole: each row is handed to the caller
//! and forgotten. A file that was cut short, damaged or edited by hand gives an error that names the file, the line
//! and the column; it never gives a wrong row.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::tables::{Fields, Table};

/// Why a table could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file could not be opened or read; its content was not judged.
    #[error("cannot read `{}`", file.display())]
    Io {
        /// Which file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The first line is not that of the table.
    #[error("`{}` must begin with the line `{wanted}`, found `{found}`", file.display())]
    Header {
        /// Which file.
        file: PathBuf,
        /// The columns of the table.
        wanted: String,
        /// The first line of the file.
        found: String,
    },
    /// The file does not end with a line break, so its last row may lack digits.
    #[error("`{}` was cut short: its last line does not end", file.display())]
    Truncated {
        /// Which file.
        file: PathBuf,
    },
    /// A line does not say what it should.
    #[error("`{}`, line {line}, column `{column}`: {problem}", file.display())]
    Content {
        /// Which file.
        file: PathBuf,
        /// Which line, from 1; the line of columns is the first.
        line: u64,
        /// The name of the column, or `all` when the line as a whole is wrong.
        column: String,
        /// What is wrong.
        problem: String,
    },
}

/// What a reader of rows has against a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The column at fault.
    pub column: &'static str,
    /// What is wrong with it.
    pub text: String,
}

/// Hands every row of the table in `folder` to `take`, in the order of the file.
///
/// # Errors
/// [`ReadError`] at the first line that is wrong or that `take` refuses. A file with columns and no row is no error.
pub fn each_row<T: Table>(
    folder: &Path,
    mut take: impl FnMut(T::Row<'_>) -> Result<(), Problem>,
) -> Result<(), ReadError> {
    let file = folder.join(T::FILE);
    let mut reader = open::<T>(&file)?;
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| refused::<T>(&file, error))? {
        let mut fields = Fields::new(&record);
        let outcome = match T::row(&mut fields) {
            Ok(row) => take(row),
            Err(text) => Err(Problem { column: T::COLUMNS[fields.taken() - 1], text }),
        };
        outcome.map_err(|problem| ReadError::Content {
            file: file.clone(),
            line: record.position().map_or(0, csv::Position::line),
            column: problem.column.to_owned(),
            problem: problem.text,
        })?;
    }
    Ok(())
}

/// Opens a table and checks its first line and its last byte.
fn open<T: Table>(file: &Path) -> Result<csv::Reader<File>, ReadError> {
    let failed = |source| ReadError::Io { file: file.to_owned(), source };
    let mut opened = File::open(file).map_err(failed)?;
    let complete = ends_with_line_break(&mut opened).map_err(failed)?;
    let mut reader = csv::ReaderBuilder::new().buffer_capacity(1 << 18).from_reader(opened);
    let found = reader.headers().map_err(|error| refused::<T>(file, error))?;
    if found != T::COLUMNS {
        let found = found.iter().collect::<Vec<_>>().join(",").chars().take(200).collect();
        return Err(ReadError::Header { file: file.to_owned(), wanted: T::COLUMNS.join(","), found });
    }
    if complete { Ok(reader) } else { Err(ReadError::Truncated { file: file.to_owned() }) }
}

/// Looks at the last byte and goes back to the first. An empty file counts as complete: its missing columns say more.
fn ends_with_line_break(file: &mut File) -> io::Result<bool> {
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        file.rewind()?;
    }
    Ok(last == [b'\n'])
}

/// What the CSV reader has against a file, in the words of this module.
fn refused<T: Table>(file: &Path, error: csv::Error) -> ReadError {
    let line = error.position().map_or(1, csv::Position::line);
    let content = |column: Option<usize>, problem: String| ReadError::Content {
        file: file.to_owned(),
        line,
        column: column.and_then(|index| T::COLUMNS.get(index)).map_or("all", |name| *name).to_owned(),
        problem,
    };
    match error.into_kind() {
        csv::ErrorKind::Io(source) => ReadError::Io { file: file.to_owned(), source },
        csv::ErrorKind::Utf8 { err, .. } => content(Some(err.field()), "not UTF-8 text".to_owned()),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            content(None, format!("{expected_len} fields wanted, {len} found"))
        }
        other => content(None, format!("{other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    use crate::dynamics::EventKind;
    use crate::motion::SimTime;
    use crate::record::tables::{Energy, EnergyRow, EventRow, Events, Trajectory, TrajectoryRow, writer};

    /// The message for a trajectory whose file holds `bytes`.
    fn message(name: &str, bytes: &[u8]) -> String {
        let folder = std::env::temp_dir().join(format!("carom-read-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(Trajectory::FILE), bytes).unwrap();
        let outcome = each_row::<Trajectory>(&folder, |_| Ok(()));
        std::fs::remove_dir_all(&folder).unwrap();
        match outcome {
            Ok(()) => "read".to_owned(),
            Err(error) => error.to_string().split_once("csv`").unwrap().1.to_owned(),
        }
    }

    #[test]
    fn damage_is_named_by_line_and_column() {
        let head = "step,time,body,x,y,z,vx,vy,vz,wx,wy,wz\n0,0,ball,1,2,3,0,0,0,0,0,0\n";
        let rows: &[(&str, &str, &str)] = &[
            ("whole", "1,0.5,ball,1,2,3,0,0,-0.0,4,5,6\n", "read"),
            ("fields", "1,0.5,ball,1,2\n", ", line 3, column `all`: 12 fields wanted, 5 found"),
            ("cut", "1,0.5,ball,1,2,3,0,0,0,0,0,0.12", " was cut short: its last line does not end"),
            ("word", "1,0.5,ball,one,2,3,0,0,0,0,0,0\n", ", line 3, column `x`: `one`: invalid float literal"),
            ("nan", "1,0.5,ball,1,2,NaN,0,0,0,0,0,0\n", ", line 3, column `z`: NaN is not a finite number"),
            ("inf", "1,0.5,ball,1,2,3,1e999,0,0,0,0,0\n", ", line 3, column `vx`: inf is not a finite number"),
            (
                "time",
                "1,0.5s,ball,1,2,3,0,0,0,0,0,0\n",
                ", line 3, column `time`: `0.5s`: not a time in decimal seconds: `0.5s`",
            ),
            ("spin", "1,0.5,ball,1,2,3,0,0,0,0,-inf,0\n", ", line 3, column `wy`: -inf is not a finite number"),
            ("step", "-1,0.5,ball,1,2,3,0,0,0,0,0,0\n", ", line 3, column `step`: `-1`: invalid digit found in string"),
        ];
        for (name, tail, wanted) in rows {
            assert_eq!(message(name, format!("{head}{tail}").as_bytes()), *wanted, "{name}");
        }
        assert!(message("empty", b"").contains("must begin with the line `step,time"));
        assert!(message("other", b"time,kind\n").contains("found `time,kind`"));
        let bad = [head.as_bytes(), b"1,0.5,b\xffll,1,2,3,0,0,0,0,0,0\n"].concat();
        assert_eq!(message("utf8", &bad), ", line 3, column `body`: not UTF-8 text");
    }

    #[test]
    fn rows_read_back_to_the_same_bits() {
        let numbers = [0.1 + 0.2, -0.0, 5e-324, f64::MAX, -1e-300, 1.0 / 3.0, 1e16];
        let folder = std::env::temp_dir().join(format!("carom-read-{}-bits", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut table = writer::<Trajectory, _>(File::create(folder.join(Trajectory::FILE)).unwrap()).unwrap();
        let name = "a \"ball\", quoted\nand broken";
        for (step, &x) in (0..).zip(&numbers) {
            let time = SimTime::from_seconds(x.clamp(-1e9, 1e9));
            let [position, velocity, spin] = [DVec3::new(x, 1.0, -x), DVec3::NEG_X, DVec3::splat(x)];
            table.serialize(TrajectoryRow { step, time, body: name, position, velocity, spin }).unwrap();
        }
        table.flush().unwrap();
        let mut read = Vec::new();
        each_row::<Trajectory>(&folder, |row| {
            assert_eq!((row.body, row.time), (name, SimTime::from_seconds(row.position.x.clamp(-1e9, 1e9))));
            assert_eq!(row.velocity, DVec3::NEG_X);
            read.push(row.spin.z.to_bits());
            Ok(())
        })
        .unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(read, numbers.map(f64::to_bits));
    }

    #[test]
    fn every_column_of_events_and_energy_reads_back() {
        let folder = std::env::temp_dir().join(format!("carom-read-{}-columns", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let time = SimTime::from_seconds(0.75);
        let event = EventRow {
            time,
            kind: EventKind::Collapse,
            a: "a",
            b: "b/1",
            point: DVec3::new(1.0, 2.0, 3.0),
            normal: DVec3::new(0.0, 0.6, 0.8),
            approach_speed: 4.0,
            impulse: 5.0,
            loss: 0.1 + 0.2,
            group: u64::MAX,
        };
        let momentum = DVec3::new(5.0, 6.0, 7.0);
        let (kinetic, potential, dissipated, rubbed, work) = (1.0, -2.0, 3.0, 3.5, 4.0);
        let energy = EnergyRow { step: 9, time, kinetic, potential, dissipated, rubbed, work, momentum };
        let file = |name| File::create(folder.join(name)).unwrap();
        writer::<Events, _>(file(Events::FILE)).unwrap().serialize(&event).unwrap();
        writer::<Energy, _>(file(Energy::FILE)).unwrap().serialize(&energy).unwrap();
        let mut rows = 0;
        let mut count = || {
            rows += 1;
            Ok(())
        };
        each_row::<Events>(&folder, |row| (assert_eq!(row, event), count()).1).unwrap();
        each_row::<Energy>(&folder, |row| (assert_eq!(row, energy), count()).1).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(rows, 2);
    }

    #[test]
    fn a_missing_file_is_the_systems_complaint() {
        for error in [
            each_row::<Events>(Path::new("no/such/folder"), |_| Ok(())).unwrap_err(),
            each_row::<Energy>(Path::new("no/such/folder"), |_| Ok(())).unwrap_err(),
        ] {
            assert!(matches!(error, ReadError::Io { .. }), "{error}");
        }
    }
}
