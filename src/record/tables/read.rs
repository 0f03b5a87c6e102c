//! Reading the tables of a run, a row at a time.
//!
//! A table may have ten million rows, so no table is ever held as a whole: each row is passed to the caller and
//! dropped. A file that was cut short, damaged or edited by hand gives an error with the file, the line and the column,
//! and never a wrong row. The format of a table follows from the files in the folder.

use std::path::Path;

use super::Table;
use super::heading::file_name;
use super::{csv, parquet};
use crate::scenario::Format;

pub use super::read_error::{Problem, ReadError};

/// Passes every row of the table in `folder` to `take`, in the order of the file.
///
/// # Errors
/// [`ReadError`] at the first row that is wrong or that `take` refuses. A file without rows is no error.
pub fn each_row<T: Table>(folder: &Path, take: impl FnMut(T::Row<'_>) -> Result<(), Problem>) -> Result<(), ReadError> {
    let [text, binary] = [Format::Csv, Format::Parquet].map(|format| folder.join(file_name::<T>(format)));
    match (text.exists(), binary.exists()) {
        (true, true) => Err(ReadError::Twice { one: text, other: binary }),
        (false, true) => parquet::each_row::<T>(&binary, take),
        (_, false) => csv::each_row::<T>(&text, take),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tables::{Energy, Events, Trajectory};

    /// The message for a trajectory whose file holds `bytes`.
    fn message(bytes: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(file_name::<Trajectory>(Format::Csv)), bytes).unwrap();
        match each_row::<Trajectory>(folder.path(), |_| Ok(())) {
            Ok(()) => "read".to_owned(),
            Err(error) => error.to_string().split_once("csv`").unwrap().1.to_owned(),
        }
    }

    #[test]
    fn damage_is_named_by_line_and_column() {
        let head = "step,time,body,x,y,z,vx,vy,vz,wx,wy,wz\n0,0,ball,1,2,3,0,0,0,0,0,0\n";
        let rows: &[(&str, &str, &str)] = &[
            ("whole", "1,0.5,ball,1,2,3,0,0,-0.0,4,5,6\n", "read"),
            ("fields", "1,0.5,ball,1,2\n", ", line 3: 12 fields wanted, 5 found"),
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
            assert_eq!(message(format!("{head}{tail}").as_bytes()), *wanted, "{name}");
        }
        assert!(message(b"").contains("must begin with the line `step,time"));
        assert!(message(b"time,kind\n").contains("found `time,kind`"));
        let bad = [head.as_bytes(), b"1,0.5,b\xffll,1,2,3,0,0,0,0,0,0\n"].concat();
        assert_eq!(message(&bad), ", line 3, column `body`: not UTF-8 text");
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
