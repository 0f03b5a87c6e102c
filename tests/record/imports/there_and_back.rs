//! Formats with both directions: an export that is imported and exported again has the same bytes.

use std::fs;

use carom::record::{ExportFormat, ExportRequest, Exporter, ImportFormat, ImportRequest, import};
use proptest::prelude::*;

use crate::bench::Bench;

/// The bytes of a run at one instant.
fn exported(bench: &Bench, run: &str, format: ExportFormat, at: f64) -> Vec<u8> {
    let place = bench.path("exported");
    let request = ExportRequest { from: at, until: Some(at), every: Some(1.0), ..ExportRequest::all(format) };
    let report = Exporter::open(&bench.path(run)).unwrap().export(&request, &place, None, |_| ()).unwrap();
    assert_eq!(report.frames, 1);
    fs::read(place).unwrap()
}

/// Exports a run at an instant, makes a scenario of it, runs that, and exports its start.
fn there_and_back(bench: &Bench, [to, from]: [&str; 2], formats: (ExportFormat, ImportRequest), at: f64) {
    let (format, request) = formats;
    let before = exported(bench, &format!("output/{from}"), format, at);
    fs::write(bench.path("file"), &before).unwrap();
    let imported = import(&bench.path("file"), &request, Some(to)).unwrap();
    fs::write(bench.path(&format!("{to}.ron")), &imported.text).unwrap();
    imported.files.iter().for_each(|file| fs::write(bench.path(&file.name), &file.bytes).unwrap());
    bench.done(&format!("run {to}.ron --quiet --duration 0.01 --restart"));
    let after = exported(bench, &format!("output/{to}"), format, 0.0);
    // A scenario begins at 0 s.
    let timeless = |bytes: &[u8]| match bytes.strip_prefix(b"ITEM: TIME\n") {
        Some(rest) => rest[rest.iter().position(|&byte| byte == b'\n').unwrap()..].to_vec(),
        None if format == ExportFormat::Gsd => {
            // The time is the last chunk, before the names.
            let names = bytes.windows(18).position(|bytes| bytes == b"configuration/step").unwrap();
            [&bytes[..names - 8], &bytes[names..]].concat()
        }
        None => bytes.to_vec(),
    };
    assert_eq!(timeless(&after), timeless(&before), "{format:?} at {at} s:\n{}", String::from_utf8_lossy(&before));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_export_reads_back_to_the_same_bytes(seed in 0..1000_u64, count in 3..120_u64, low in -3.0..3.0_f64) {
        let ends = [low, -low / 3.0, 0.0].map(|min| (min, min + 2.0 + low.abs() / 7.0));
        let [x, y, z] = ends.map(|(min, max)| format!("({min:?}, {max:?})"));
        let scene = format!(
            "(timestep: 0.1, duration: 0.5, space: Periodic(x: {x}, y: {y}, z: {z}), fill: [
                Random(name: \"large\", shape: Sphere(radius: 0.1), count: 4, mass: 1.3, temperature: 1, seed: {seed}, spin: (0.1, 2, 3)),
                Random(name: \"small\", shape: Spheres(radii: (0.03, 0.07)), count: {count}, density: 7.7, temperature: 1, seed: {seed}),
            ])"
        );
        let bench = Bench::new(&[("run.ron", &scene)]);
        bench.done("run run.ron --quiet");
        let sides = ends.map(|(min, max)| max - min);
        let all = ImportRequest::all;
        let formats = [
            (ExportFormat::Sph, all(ImportFormat::Sph)),
            (ExportFormat::LammpsDump, all(ImportFormat::Lammps)),
            (ExportFormat::LammpsData, all(ImportFormat::Lammps)),
            (ExportFormat::Gsd, all(ImportFormat::Gsd)),
            (ExportFormat::Xyzd, ImportRequest { sides: Some(sides), ..all(ImportFormat::Xyzd) }),
        ];
        for (row, formats) in formats.into_iter().enumerate() {
            for at in [0.0, 0.37] {
                there_and_back(&bench, [&format!("back{row}"), "run"], formats.clone(), at);
            }
        }
    }
}

/// Along open axes a box ends where the balls do.
#[test]
fn a_heap_in_the_open_reads_back_too() {
    let scene = "(timestep: 0.1, duration: 0.5, space: Periodic(x: (0, 2)), fill: [
        Lattice(name: \"ball\", shape: Sphere(radius: 0.1), counts: (2, 2, 3), min: (0, 0.3, -7), spacing: 1, mass: 2, temperature: 1)])";
    let bench = Bench::new(&[("run.ron", scene)]);
    bench.done("run run.ron --quiet");
    let request = ImportRequest::all(ImportFormat::Lammps);
    there_and_back(&bench, ["dump", "run"], (ExportFormat::LammpsDump, request.clone()), 0.5);
    let open = ImportRequest { open: [false, true, true], ..request };
    there_and_back(&bench, ["data", "run"], (ExportFormat::LammpsData, open.clone()), 0.5);
    let open = ImportRequest { format: ImportFormat::Gsd, ..open };
    there_and_back(&bench, ["gsd", "run"], (ExportFormat::Gsd, open), 0.5);
}

/// The schema says how many dimensions there are; LAMMPS says so in a script, so its files become spheres, and say it.
#[test]
fn discs_of_gsd_are_discs_and_those_of_lammps_are_not() {
    let scene = r#"(timestep: 0.1, duration: 0.5, space: Planar(x: (0, 5), y: (0, 5)), bodies: [
        (name: "a", shape: Disc(radius: 0.5), mass: 2, position: (1, 1), velocity: (1, 0.5)),
        (name: "b", shape: Disc(radius: 0.25), density: 2, position: (3, 3), velocity: (-1, 0.5))])"#;
    let bench = Bench::new(&[("run.ron", scene)]);
    bench.done("run run.ron --quiet");
    there_and_back(&bench, ["flat", "run"], (ExportFormat::Gsd, ImportRequest::all(ImportFormat::Gsd)), 0.5);
    let text = fs::read_to_string(bench.path("flat.ron")).unwrap();
    assert!(
        text.contains("space: Planar(x: (-2.5, 2.5), y: (-2.5, 2.5))") && text.contains("Disc(radius: 0.5)"),
        "{text}"
    );
    for format in [ExportFormat::LammpsData, ExportFormat::LammpsDump] {
        fs::write(bench.path("file"), exported(&bench, "output/run", format, 0.5)).unwrap();
        let found = import(&bench.path("file"), &ImportRequest::all(ImportFormat::Lammps), None).unwrap();
        assert!(found.text.contains("space: Periodic(x: (0.0, 5.0), y: (0.0, 5.0))"), "{}", found.text);
        assert!(found.missing.iter().any(|line| line.starts_with("two dimensions")), "{:?}", found.missing);
    }
}
