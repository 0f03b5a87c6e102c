//! The tables of a run in both formats: their values agree bit by bit, their metadata are correct, and damage is
//! detected.

use std::fs;
use std::path::Path;

use carom::dynamics::EventKind;
use carom::motion::SimTime;
use carom::record::foreign::read_foreign;
use carom::record::read::{ReadError, each_row};
use carom::record::tables::{
    Column, CountRow, Counts, Energy, EnergyRow, EventRow, Events, Gas, GasRow, Kind, PathRow, Paths, SpeedRow, Speeds,
    Table, Trajectory, TrajectoryRow,
};
use carom::record::{Heading, Sheet, file_name};
use carom::scenario::Format;
use glam::DVec3;
use parquet::basic::{Encoding, Type};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const BOTH: [Format; 2] = [Format::Csv, Format::Parquet];

/// Numbers that a text format or arithmetic could change.
const NUMBERS: [f64; 9] = [0.1 + 0.2, -0.0, 0.0, 5e-324, f64::MAX, -1e-300, 1.0 / 3.0, 1e16, 1.0 - f64::EPSILON / 2.0];

fn heading() -> Heading {
    Heading { scenario_hash: "12ab".to_owned() }
}

fn write<T: Table>(folder: &Path, format: Format, rows: &[T::Row<'_>]) {
    let mut sheet = Sheet::create::<T>(folder, format, &heading()).unwrap();
    rows.iter().for_each(|row| sheet.put::<T>(row).unwrap());
    let (name, bytes) = sheet.finish().unwrap();
    assert_eq!((name.clone(), bytes), (file_name::<T>(format), fs::metadata(folder.join(name)).unwrap().len()));
}

/// All rows, as text that shows every bit.
fn read<T: Table>(folder: &Path) -> Result<Vec<String>, ReadError>
where
    for<'a> T::Row<'a>: std::fmt::Debug,
{
    let mut rows = Vec::new();
    each_row::<T>(folder, |row| {
        rows.push(format!("{row:?}"));
        Ok(())
    })?;
    Ok(rows)
}

/// Writes rows in both formats, and checks that both give the same rows when read.
fn check<T: Table>(rows: &[T::Row<'_>])
where
    for<'a> T::Row<'a>: std::fmt::Debug,
{
    let wanted: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    for format in BOTH {
        let folder = tempfile::tempdir().unwrap();
        write::<T>(folder.path(), format, rows);
        assert_eq!(read::<T>(folder.path()).unwrap(), wanted, "{} {format:?}", T::NAME);
    }
}

fn times() -> impl Iterator<Item = SimTime> + Clone {
    let fractions = [0.0, 5e-324, 0.1, 1.0 / 3.0, 1.0 - f64::EPSILON / 2.0].map(SimTime::from_seconds);
    let wholes = [0.0, 1.0, 3.0, 1e9, 4e12, -1.0, -1e6];
    wholes.into_iter().flat_map(move |whole| fractions.map(|fraction| fraction.plus(whole))).cycle()
}

#[test]
fn every_table_reads_back_to_the_same_bits_in_both_formats() {
    let vectors = || (0..).map(|n| DVec3::new(NUMBERS[n % 9], NUMBERS[(n + 4) % 9], NUMBERS[(n + 7) % 9]));
    let names = ["a", "b/1", "a \"ball\", quoted\nand broken", "β"];
    let (mut vector, mut number, mut time) = (vectors(), NUMBERS.into_iter().cycle(), times());
    let mut v = || vector.next().unwrap();
    let mut x = || number.next().unwrap();
    let mut t = || time.next().unwrap();
    let count = 70_u64;
    let name = |n: u64| names[n as usize % 4];
    let kind = |n: u64| EventKind::ALL[n as usize % EventKind::ALL.len()];
    let some = |n: u64, x: f64| (!n.is_multiple_of(3)).then_some(x);
    check::<Events>(&Vec::from_iter((0..count).map(|n| EventRow {
        time: t(),
        kind: kind(n),
        a: name(n),
        b: (!n.is_multiple_of(5)).then(|| name(n + 1)),
        point: v(),
        normal: v(),
        approach_speed: x(),
        impulse: x(),
        loss: x(),
        group: u64::MAX - n,
    })));
    check::<Trajectory>(&Vec::from_iter((0..count).map(|step| TrajectoryRow {
        step,
        time: t(),
        body: name(step),
        position: v(),
        velocity: v(),
        spin: v(),
    })));
    check::<Paths>(&Vec::from_iter((0..count).map(|n| PathRow {
        time: t(),
        body: name(n),
        position: v(),
        velocity: v(),
        acceleration: v(),
    })));
    check::<Energy>(&Vec::from_iter((0..count).map(|step| EnergyRow {
        step,
        time: t(),
        kinetic: x(),
        potential: x(),
        dissipated: x(),
        contact_heat: x(),
        work: x(),
        momentum: v(),
    })));
    check::<Gas>(&Vec::from_iter((0..count).map(|step| GasRow {
        step,
        time: t(),
        temperature: some(step, x()),
        pressure: some(step + 1, x()),
        collision_rate: None,
        compressibility: Some(x()),
    })));
    check::<Speeds>(&Vec::from_iter((0..count).map(|n| SpeedRow {
        low: x(),
        high: x(),
        count: n << 57,
        maxwell: x(),
    })));
    check::<Counts>(&Vec::from_iter((0..count).map(|step| CountRow {
        step,
        time: t(),
        events: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, u64::MAX - step],
        approach_mean: some(step, x()),
        approach_max: some(step, x()),
    })));
    check::<Energy>(&[]);
    check::<Events>(&[]);
}

/// Enough rows for more than one row group, with more names than a dictionary holds.
fn long(names: &[String]) -> Vec<TrajectoryRow<'_>> {
    let mut time = times();
    let rows = names.iter().enumerate().map(|(n, body)| TrajectoryRow {
        step: (n / 1000) as u64,
        time: time.next().unwrap(),
        body,
        position: DVec3::new(n as f64, NUMBERS[n % 9], 0.1 * n as f64),
        velocity: DVec3::ONE,
        spin: DVec3::ZERO,
    });
    rows.collect()
}

#[test]
fn a_long_table_comes_in_groups_and_reads_back() {
    let names: Vec<String> = (0..300_000).map(|n| format!("gas/{n:09}/with a long name")).collect();
    let rows = long(&names);
    let folder = tempfile::tempdir().unwrap();
    write::<Trajectory>(folder.path(), Format::Parquet, &rows);
    let file = fs::File::open(folder.path().join("trajectory.parquet")).unwrap();
    let groups: Vec<_> = SerializedFileReader::new(file).unwrap().metadata().row_groups().to_vec();
    assert_eq!(groups.iter().map(RowGroupMetaData::num_rows).collect::<Vec<_>>(), [131_072, 131_072, 37_856]);
    let mut expected = rows.iter();
    each_row::<Trajectory>(folder.path(), |row| {
        assert_eq!(Some(&row), expected.next());
        Ok(())
    })
    .unwrap();
    assert_eq!(expected.next(), None);
}

#[test]
fn a_file_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..5000).map(|n| format!("ball/{}", n % 7)).collect();
    write::<Trajectory>(folder.path(), Format::Parquet, &long(&names));
    let bytes = fs::read(folder.path().join("trajectory.parquet")).unwrap();
    let reader = SerializedFileReader::new(fs::File::open(folder.path().join("trajectory.parquet")).unwrap()).unwrap();
    let metadata = reader.metadata().file_metadata();
    let value = |key: &str| {
        let pairs = metadata.key_value_metadata().unwrap();
        pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.clone()).unwrap_or_else(|| panic!("{key}"))
    };
    assert_eq!(metadata.created_by(), Some(concat!("carom version ", env!("CARGO_PKG_VERSION"))));
    assert_eq!(value("carom.table"), "trajectory");
    assert_eq!(value("carom.version"), env!("CARGO_PKG_VERSION"));
    assert_eq!(value("carom.schema"), carom::record::SCHEMA.to_string());
    assert_eq!(value("carom.scenario_hash"), "12ab");
    let hash = value("carom.hash");
    let place = bytes.windows(64).rposition(|letters| letters == hash.as_bytes()).unwrap();
    let blank = [&bytes[..place], &[b'0'; 64], &bytes[place + 64..]].concat();
    assert_eq!(blake3::hash(&blank).to_hex().as_str(), hash);
    let units: serde_json::Value = serde_json::from_str(&value("carom.units")).unwrap();
    for (column, unit) in [("time", "s"), ("time_rest", "s"), ("x", "m"), ("vz", "m/s"), ("wx", "rad/s"), ("body", "")]
    {
        assert_eq!(units[column], unit, "{column}");
    }
    let columns: Vec<_> =
        metadata.schema_descr().columns().iter().map(|c| (c.path().string(), c.physical_type())).collect();
    assert_eq!(
        columns[1..4],
        [("time", Type::DOUBLE), ("time_rest", Type::DOUBLE), ("body", Type::BYTE_ARRAY)]
            .map(|(name, kind)| (name.to_owned(), kind))
    );
    let body = reader.metadata().row_group(0).column(3).clone();
    assert!(body.dictionary_page_offset().is_some() && body.encodings().any(|e| e == Encoding::RLE_DICTIONARY));
    let again = tempfile::tempdir().unwrap();
    write::<Trajectory>(again.path(), Format::Parquet, &long(&names));
    assert!(fs::read(again.path().join("trajectory.parquet")).unwrap() == bytes, "the same rows make the same file");
}

#[test]
fn every_column_of_every_table_has_a_name_of_its_own() {
    fn names<T: Table>() {
        let mut names: Vec<&str> = T::COLUMNS.iter().map(|column| column.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{}", T::NAME);
        let unitless = |column: &Column| matches!(column.kind, Kind::Word | Kind::Whole) && !column.unit.is_empty();
        assert!(!T::COLUMNS.iter().any(unitless), "{}", T::NAME);
    }
    names::<Events>();
    names::<Trajectory>();
    names::<Paths>();
    names::<Energy>();
    names::<Gas>();
    names::<Speeds>();
    names::<Counts>();
}

/// A file is refused after a change of any byte, and after a cut to any length.
#[test]
fn a_damaged_file_is_refused_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let gas = |step: u64| {
        let temperature = (step > 1).then_some(1.5);
        let time = SimTime::from_seconds(step as f64 * 1.1);
        GasRow { step, time, temperature, pressure: None, collision_rate: Some(2.0), compressibility: Some(0.1) }
    };
    write::<Gas>(folder.path(), Format::Parquet, &Vec::from_iter((0..40).map(gas)));
    let file = folder.path().join("gas.parquet");
    let whole = fs::read(&file).unwrap();
    let try_out = |bytes: &[u8], what: &str| {
        // Each variant is written to a new file: some file systems immediately flush a file that is overwritten.
        fs::remove_file(&file).unwrap();
        fs::write(&file, bytes).unwrap();
        let error = each_row::<Gas>(folder.path(), |_| panic!("{what}: a row was read")).unwrap_err();
        assert!(matches!(error, ReadError::Damaged { .. }), "{what}: {error:?}");
        assert!(error.to_string().contains("gas.parquet"), "{what}: {error}");
    };
    for cut in 0..whole.len() {
        try_out(&whole[..cut], &format!("cut to {cut}"));
    }
    for place in 0..whole.len() {
        for turned in [1, 4, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[place] ^= turned;
            try_out(&bytes, &format!("byte {place} of {}, {turned:#x}", whole.len()));
        }
    }
}

/// The same where a table of any program is read. A change of its name makes it one of another program.
#[test]
fn a_damaged_table_of_carom_is_refused_among_those_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..4).map(|rank| format!("ball/{rank}")).collect();
    write::<Trajectory>(folder.path(), Format::Parquet, &long(&names));
    let file = folder.path().join("trajectory.parquet");
    let whole = fs::read(&file).unwrap();
    let wanted = read_foreign(&file).unwrap();
    let mut count = 0;
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        fs::remove_file(&file).unwrap();
        fs::write(&file, bytes).unwrap();
        match read_foreign(&file) {
            Err(error) => assert!(error.to_string().contains("trajectory.parquet"), "{error}"),
            Ok(found) => {
                assert_eq!(found, wanted, "byte {place} of {}", whole.len());
                count += 1;
            }
        }
    }
    assert!(count < 40, "{count} are the letters of names");
}

#[test]
fn what_another_program_wrote_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = fs::File::create(folder.path().join("speeds.parquet")).unwrap();
    let columns = "required double low; required double high; required int64 count; required double maxwell;";
    let schema = parse_message_type(&format!("message speeds {{ {columns} }}")).unwrap();
    SerializedFileWriter::new(file, schema.into(), WriterProperties::default().into()).unwrap().close().unwrap();
    let error = read::<Speeds>(folder.path()).unwrap_err().to_string();
    assert!(error.contains("speeds.parquet` is damaged: it was not written by carom"), "{error}");
}

#[test]
fn what_is_not_the_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let speeds = [SpeedRow { low: 0.0, high: 1.0, count: 1, maxwell: 1.0 }];
    write::<Speeds>(folder.path(), Format::Parquet, &speeds);
    fs::rename(folder.path().join("speeds.parquet"), folder.path().join("energy.parquet")).unwrap();
    let error = read::<Energy>(folder.path()).unwrap_err();
    assert!(matches!(error, ReadError::Columns { .. }), "{error}");
    assert!(error.to_string().contains("energy.parquet") && error.to_string().contains("DOUBLE maxwell"), "{error}");
    write::<Energy>(folder.path(), Format::Csv, &[]);
    assert!(matches!(read::<Energy>(folder.path()), Err(ReadError::Twice { .. })));
    write::<Speeds>(folder.path(), Format::Parquet, &[SpeedRow { low: f64::NAN, ..speeds[0].clone() }]);
    let error = read::<Speeds>(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("speeds.parquet`, row 1, column `low`: NaN is not a finite number"), "{error}");
}
