//! Exports, read back: text gives the bits of the world at the same instants, and glTF gives the paths within its
//! rounding.

use std::collections::BTreeMap;
use std::fs;

use carom::dynamics::Progress;
use carom::motion::{Path, SimTime};
use carom::record::{ExportError, ExportFormat, ExportRequest, Exporter};
use carom::scenario::{Scenario, Source, parse};
use carom::world::World;
use glam::{DQuat, DVec3};

use super::bench::{Bench, ROOM_AND_COMMANDS};

fn scene() -> String {
    format!(
        r#"Scenario(
    title: "Exported", gravity: (0, 0, -10), timestep: 0.25, duration: 3,
    materials: {{ "rubber": (restitution: 0.8, friction: 0.2) }},
    record: (stride: 2, at: [0.1, 1.3], snapshots: 4, paths: ["ball/*", "kicked", "later"]),
    {ROOM_AND_COMMANDS}
)"#
    )
}

/// A periodic box in which balls of two sizes meet.
const GAS: &str = r#"Scenario(
    title: "Gas", space: Periodic(x: (-1, 1), y: (0, 2), z: (0, 3)), timestep: 0.5, duration: 4,
    fill: [
        Lattice(name: "large", shape: Sphere(radius: 0.2), mass: 1, counts: (2, 2, 3), min: (-0.5, 0.5, 0.5), spacing: 1, temperature: 1, seed: 1),
        Lattice(name: "small", shape: Sphere(radius: 0.1), mass: 1, counts: (2, 2, 3), min: (0, 0, 0), spacing: 1, temperature: 1, seed: 2),
    ],
)"#;

fn run(text: &str) -> Bench {
    let bench = Bench::new(&[("run.ron", text)]);
    bench.done("run run.ron --quiet");
    bench
}

fn exporter(bench: &Bench) -> Exporter {
    Exporter::open(&bench.path("output/run")).unwrap()
}

/// The text of an export.
fn text(bench: &Bench, request: &ExportRequest) -> String {
    let place = bench.path("exported");
    exporter(bench).export(request, &place, None, |_| ()).unwrap();
    fs::read_to_string(place).unwrap()
}

/// The frames of an XYZ file: the time, and for each line the id, and the position, velocity and spin as written.
fn frames(text: &str) -> Vec<(String, Vec<(u32, String)>)> {
    let mut lines = text.lines();
    let mut frames = Vec::new();
    while let Some(count) = lines.next() {
        let time = lines.next().unwrap().split("Time=").nth(1).unwrap().to_owned();
        let rows = (0..count.parse().unwrap()).map(|_| {
            let words: Vec<&str> = lines.next().unwrap().split(' ').collect();
            (words[1].parse().unwrap(), words[2..11].join(","))
        });
        frames.push((time, rows.collect()));
    }
    frames
}

fn parsed(text: &str) -> Scenario {
    parse(&Source::new("run.ron", text)).unwrap().scenario
}

/// The expected lines of a frame, from a separate world that is advanced to the same instants.
fn wanted(world: &World) -> (String, Vec<(u32, String)>) {
    let present = world.ids().filter(|&id| world.body(id).shape.half_extents().is_finite());
    let rows = present.map(|id| {
        let state = world.state(id);
        let numbers = [state.position, state.velocity, state.spin].into_iter().flat_map(|vector| vector.to_array());
        (id.0, numbers.map(|number| ryu::Buffer::new().format(number).to_owned()).collect::<Vec<_>>().join(","))
    });
    (world.now().to_string(), rows.collect())
}

#[test]
fn without_a_span_frames_are_those_of_the_trajectory_to_the_bit() {
    for scene in [scene(), GAS.to_owned()] {
        let bench = run(&scene);
        let found = frames(&text(&bench, &ExportRequest::all(ExportFormat::Xyz)));
        let table = fs::read_to_string(bench.path("output/run/trajectory.csv")).unwrap();
        let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut times: Vec<String> = Vec::new();
        for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let cells: Vec<&str> = line.splitn(4, ',').collect();
            if times.last().map(String::as_str) != Some(cells[1]) {
                times.push(cells[1].to_owned());
            }
            rows.entry(cells[1].to_owned()).or_default().push(cells[3].to_owned());
        }
        assert_eq!(found.iter().map(|frame| &frame.0).collect::<Vec<_>>(), times.iter().collect::<Vec<_>>());
        for (time, bodies) in found {
            assert_eq!(bodies.into_iter().map(|body| body.1).collect::<Vec<_>>(), rows[&time], "at {time} s");
        }
    }
}

#[test]
fn any_instant_is_that_of_the_world_to_the_bit_also_from_a_snapshot() {
    let scene = scene();
    let bench = run(&scene);
    for (every, from) in [(0.0625, 0.0), (0.3, 0.0), (0.07, 1.7), (0.11, 2.0), (5.0, 3.0)] {
        let request = ExportRequest { every: Some(every), from, ..ExportRequest::all(ExportFormat::Xyz) };
        let found = frames(&text(&bench, &request));
        let mut world = parsed(&scene).world().unwrap();
        let mut count = 0;
        while from + f64::from(count) * every <= 3.0 {
            let instant = SimTime::from_seconds(from).plus(f64::from(count) * every);
            while world.advance(instant, usize::MAX).unwrap() != Progress::Reached {}
            assert_eq!(found[count as usize], wanted(&world), "every {every} s from {from} s");
            count += 1;
        }
        assert_eq!(found.len(), count as usize);
    }
}

#[test]
fn an_export_ends_in_the_recorded_state_and_is_of_the_bodies_and_the_time_asked_for() {
    let bench = run(&scene());
    let place = bench.path("part");
    let request = ExportRequest {
        until: Some(2.1),
        from: 0.6,
        bodies: vec!["kicked".to_owned(), "later".to_owned(), "floor".to_owned()],
        ..ExportRequest::all(ExportFormat::Xyz)
    };
    let report = exporter(&bench).export(&request, &place, None, |_| ()).unwrap();
    assert_eq!((report.bodies, report.frames, report.compared_at), (2, 4, Some(9)), "{report:?}");
    let found = frames(&fs::read_to_string(place).unwrap());
    let sizes: Vec<(String, usize)> = found.into_iter().map(|(time, rows)| (time, rows.len())).collect();
    let wanted = [("1", 1), ("1.3", 2), ("1.5", 2), ("2", 2)];
    let near = |(found, wanted): (&(String, usize), &(&str, usize))| {
        found.1 == wanted.1 && (found.0.parse::<f64>().unwrap() - wanted.0.parse::<f64>().unwrap()).abs() < 1e-12
    };
    assert!(sizes.len() == 4 && sizes.iter().zip(&wanted).all(near), "{sizes:?}");
}

#[test]
fn events_have_the_digits_of_the_table() {
    for scene in [scene(), GAS.to_owned()] {
        let bench = run(&scene);
        let found = text(&bench, &ExportRequest::all(ExportFormat::Jsonl));
        let table = fs::read_to_string(bench.path("output/run/events.csv")).unwrap();
        let rows: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).skip(1).collect();
        assert_eq!(found.lines().count(), rows.len());
        assert!(rows.len() > 20);
        for (line, row) in found.lines().zip(rows) {
            let cells: Vec<&str> = row.split(',').collect();
            let b = if cells[3].is_empty() { "null".to_owned() } else { format!("\"{}\"", cells[3]) };
            let [time, kind, a] = [cells[0], cells[1], cells[2]];
            let (point, normal) = (cells[4..7].join(","), cells[7..10].join(","));
            let [speed, impulse, loss, group] = [cells[10], cells[11], cells[12], cells[13]];
            let wanted = format!(
                "{{\"time\":{time},\"kind\":\"{kind}\",\"a\":\"{a}\",\"b\":{b},\"point\":[{point}],\"normal\":[{normal}],\
                 \"approach_speed\":{speed},\"impulse\":{impulse},\"loss\":{loss},\"group\":{group}}}"
            );
            assert_eq!(line, wanted);
            assert!(serde_json::from_str::<serde_json::Value>(line).is_ok());
        }
    }
}

/// A glTF file: its JSON document and its binary data.
struct Glb {
    document: serde_json::Value,
    bytes: Vec<u8>,
}

impl Glb {
    fn read(bytes: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()));
        let end = 20 + word(12);
        Self { document: serde_json::from_slice(&bytes[20..end]).unwrap(), bytes: bytes[end + 8..].to_vec() }
    }

    fn numbers(&self, accessor: &serde_json::Value) -> Vec<f64> {
        let accessor = &self.document["accessors"][accessor.as_u64().unwrap() as usize];
        let view = &self.document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let [start, length] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize);
        let bytes = self.bytes[start..start + length].chunks(4);
        bytes.map(|bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap()))).collect()
    }

    /// The times and the values of one animated quantity of a body.
    fn animation(&self, body: &str, path: &str) -> Option<[Vec<f64>; 2]> {
        let animation = &self.document["animations"][0];
        let is_it = |channel: &&serde_json::Value| {
            let node = channel["target"]["node"].as_u64().unwrap() as usize;
            channel["target"]["path"] == path && self.document["nodes"][node]["name"] == body
        };
        let channel = animation["channels"].as_array().unwrap().iter().find(is_it)?;
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        Some([self.numbers(&sampler["input"]), self.numbers(&sampler["output"])])
    }
}

/// Cubic spline interpolation as specified in glTF 2.0, appendix C.5.
fn spline([times, values]: &[Vec<f64>; 2], time: f64) -> DVec3 {
    let last = (times.partition_point(|&key| key <= time).max(1) - 1).min(times.len() - 2);
    let value = |key: usize, part: usize| DVec3::from_slice(&values[9 * key + 3 * part..]);
    let span = times[last + 1] - times[last];
    let t = ((time - times[last]) / span).clamp(0.0, 1.0);
    let (squared, cubed) = (t * t, t * t * t);
    (2.0 * cubed - 3.0 * squared + 1.0) * value(last, 1)
        + span * (cubed - 2.0 * squared + t) * value(last, 2)
        + (3.0 * squared - 2.0 * cubed) * value(last + 1, 1)
        + span * (cubed - squared) * value(last + 1, 0)
}

#[test]
fn the_splines_of_gltf_are_the_paths_but_for_their_rounding() {
    for (scene, least) in [(scene(), 100), (GAS.to_owned(), 100)] {
        let bench = run(&scene);
        let place = bench.path("scene.glb");
        exporter(&bench).export(&ExportRequest::all(ExportFormat::Gltf), &place, None, |_| ()).unwrap();
        let glb = Glb::read(&fs::read(place).unwrap());
        let space = parsed(&scene).settings.space;
        let table = fs::read_to_string(bench.path("output/run/paths.csv")).unwrap();
        let mut paths: BTreeMap<String, Vec<Path>> = BTreeMap::new();
        for line in table.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let vector = |at: usize| DVec3::from_array(std::array::from_fn(|axis| cells[at + axis].parse().unwrap()));
            let epoch = cells[0].parse().unwrap();
            let path = Path { position: vector(2), velocity: vector(5), acceleration: vector(8), epoch };
            paths.entry(cells[1].to_owned()).or_default().push(path);
        }
        let mut looks = 0;
        for (body, paths) in paths {
            let Some(way) = glb.animation(&body, "translation") else { continue };
            for (path, next) in paths.iter().zip(&paths[1..]) {
                for share in [0.0, 0.1, 0.5, 0.9] {
                    let time = path.epoch.plus(share * next.epoch.since(path.epoch));
                    let (found, exact) = (spline(&way, time.seconds()), path.position_at(time));
                    let mut away = found - exact;
                    for axis in 0..3 {
                        if let Some(period) = space.periods[axis] {
                            away[axis] -= (away[axis] / period.length()).round() * period.length();
                        }
                    }
                    // Each number has a rounding error of half an ulp of 24 bits. A rounding error of the time also
                    // moves the body along its path.
                    let size = found.abs().max_element() + path.velocity_at(time).length() * time.seconds().max(1.0);
                    let bound = 4.0 * f64::from(f32::EPSILON) * size.max(1.0);
                    assert!(away.abs().max_element() <= bound, "{body} at {time} s: {found} for {exact}");
                    looks += 1;
                }
            }
        }
        assert!(looks > least, "{looks}");
    }
}

/// Between the last key before the command and the one at its instant there is no number that glTF could have.
#[test]
fn a_body_that_is_put_elsewhere_does_not_fly_there_in_gltf() {
    let put = r#"commands: [SetPosition(at: 1, body: "a", position: (0, 5, 0))]"#;
    let ball = r#"(name: "a", shape: Sphere(radius: 0.1), mass: 1, velocity: (1, 0, 0))"#;
    let bench = run(&format!("(timestep: 0.25, duration: 2, bodies: [{ball}], {put}, plots: [])"));
    let place = bench.path("scene.glb");
    exporter(&bench).export(&ExportRequest::all(ExportFormat::Gltf), &place, None, |_| ()).unwrap();
    let glb = Glb::read(&fs::read(place).unwrap());
    let way = glb.animation("a", "translation").unwrap();
    for (time, wanted) in
        [(0.5, DVec3::X * 0.5), (0.99, DVec3::X * 0.99), (1.0, DVec3::Y * 5.0), (1.5, DVec3::new(0.5, 5.0, 0.0))]
    {
        let found = spline(&way, time);
        assert!((found - wanted).length() < 1e-6, "{found} at {time} s");
    }
}

#[test]
fn a_body_that_comes_or_goes_has_no_size_while_it_is_not_there() {
    let bench = run(&scene());
    let place = bench.path("scene.glb");
    exporter(&bench).export(&ExportRequest::all(ExportFormat::Gltf), &place, None, |_| ()).unwrap();
    let glb = Glb::read(&fs::read(place).unwrap());
    let round = |[times, sizes]: [Vec<f64>; 2]| -> Vec<(i64, i64)> {
        let hundredths = |number: f64| (100.0 * number).round() as i64;
        times.iter().zip(sizes.chunks(3)).map(|(&time, size)| (hundredths(time), hundredths(size[0]))).collect()
    };
    assert_eq!(round(glb.animation("later", "scale").unwrap()), [(0, 0), (110, 10)]);
    assert_eq!(round(glb.animation("kicked", "scale").unwrap()), [(0, 20), (220, 0)]);
    assert!(glb.animation("ball/0", "scale").is_none() && glb.animation("floor", "translation").is_none());
}

#[test]
fn snapshots_of_edmd_count_lengths_in_the_largest_diameter() {
    let bench = run(GAS);
    let found = text(&bench, &ExportRequest { every: Some(10.0), ..ExportRequest::all(ExportFormat::Sph) });
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1]), (26, "24", "5.0 5.0 7.5"));
    let first: Vec<&str> = lines[2].split(' ').collect();
    // In name order, the first ball begins at (0, 1, 1) m, half a spacing from `min`.
    assert_eq!((first[0], first[4]), ("a", "0.5"));
    let place: Vec<f64> = first[1..4].iter().map(|word| word.parse().unwrap()).collect();
    assert_eq!(place, [2.5, 2.5, 2.5]);
    assert_eq!(lines.iter().filter(|line| line.starts_with('b') && line.ends_with(" 0.25")).count(), 12);
}

/// ASE takes species for chemical elements, so each has the symbol of one, and its name stands at the end of the line.
#[test]
fn a_species_has_the_symbol_of_an_element_and_its_own_name() {
    let found = text(&run(GAS), &ExportRequest { every: Some(10.0), ..ExportRequest::all(ExportFormat::Xyz) });
    assert!(
        found.lines().nth(1).unwrap().contains("Properties=species:S:1:id:I:1:")
            && found.contains(":radius:R:1:kind:S:1 Time=")
    );
    let kinds: Vec<(&str, &str)> =
        found.lines().skip(2).map(|line| (line.split(' ').next().unwrap(), line.rsplit(' ').next().unwrap())).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == ("H", "large")).count(), 12);
    assert_eq!(kinds.iter().filter(|kind| **kind == ("He", "small")).count(), 12);
}

#[test]
fn files_of_lammps_have_the_digits_of_the_trajectory() {
    let bench = run(GAS);
    let table = fs::read_to_string(bench.path("output/run/trajectory.csv")).unwrap();
    let rows: Vec<Vec<&str>> =
        table.lines().skip_while(|line| line.starts_with('#')).skip(1).map(|line| line.split(',').collect()).collect();
    let dump = text(&bench, &ExportRequest::all(ExportFormat::LammpsDump));
    let head = "ITEM: TIME\n0\nITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n24\nITEM: BOX BOUNDS pp pp pp\n-1.0 1.0\n0.0 2.0\n0.0 3.0\n\
                ITEM: ATOMS id type x y z vx vy vz omegax omegay omegaz radius mass\n";
    assert!(dump.starts_with(head), "{dump}");
    let lines: Vec<Vec<&str>> = dump
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .filter(|line| line.len() == 13 && line[0] != "ITEM:")
        .collect();
    assert_eq!(lines.len(), rows.len());
    for (line, row) in lines.iter().zip(&rows) {
        assert_eq!(line[2..11], row[3..12], "{row:?}");
        let wanted = if row[2].starts_with("large/") { ["1", "0.2", "1.0"] } else { ["2", "0.1", "1.0"] };
        assert_eq!([line[1], line[11], line[12]], wanted, "{row:?}");
    }
    // A data file has the last instant only.
    let data = text(&bench, &ExportRequest::all(ExportFormat::LammpsData));
    let (atoms, velocities) = data.split_once("\nVelocities\n\n").unwrap();
    let last = &rows[rows.len() - 24..];
    for (line, row) in atoms.split_once("Atoms # sphere\n\n").unwrap().1.lines().zip(last) {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[4..7], row[3..6], "{row:?}");
        let radius = words[2].parse::<f64>().unwrap() / 2.0;
        let mass = words[3].parse::<f64>().unwrap() * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        assert!((mass - 1.0).abs() < 1e-15, "{line}");
    }
    assert_eq!(velocities.lines().count(), 24);
    assert!(velocities.lines().zip(last).all(|(line, row)| line.split(' ').skip(1).eq(row[6..12].iter().copied())));
}

/// The numbers of a chunk of a frame of GSD, as they stand in the file; `None` if it is not there.
fn chunk(bytes: &[u8], frame: u64, name: &str) -> Option<Vec<u8>> {
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let names = bytes[word(24) as usize..].split(|&byte| byte == 0);
    let row = names.take_while(|name| !name.is_empty()).position(|known| known == name.as_bytes())? as u64;
    let entries = (0..word(16) as usize).map(|entry| word(8) as usize + 32 * entry);
    let mut found =
        entries.filter(|&at| word(at) == frame && (word(at + 24) >> 32) & 0xffff == row && word(at + 16) > 0);
    let at = found.next()?;
    let size = [0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8][bytes[at + 30] as usize];
    let (place, length) = (word(at + 16) as usize, word(at + 8) as usize * (word(at + 24) as u32) as usize * size);
    Some(bytes[place..place + length].to_vec())
}

/// Positions and images of GSD give the way of a ball without jumps, which is that of its velocity in a gas of one
/// ball.
#[test]
fn trajectories_of_gsd_are_those_of_the_run_but_for_their_rounding() {
    let bench = run(GAS);
    let place = bench.path("exported");
    exporter(&bench).export(&ExportRequest::all(ExportFormat::Gsd), &place, None, |_| ()).unwrap();
    let bytes = fs::read(place).unwrap();
    assert_eq!(
        (&bytes[48..53], &bytes[112..118], &bytes[40..48]),
        (&b"carom"[..], &b"hoomd\0"[..], &[4, 0, 1, 0, 0, 0, 2, 0][..])
    );
    let table = fs::read_to_string(bench.path("output/run/trajectory.csv")).unwrap();
    let rows: Vec<Vec<&str>> =
        table.lines().skip_while(|line| line.starts_with('#')).skip(1).map(|line| line.split(',').collect()).collect();
    let singles =
        |bytes: &[u8]| -> Vec<f32> { bytes.as_chunks().0.iter().map(|&word| f32::from_le_bytes(word)).collect() };
    assert_eq!(singles(&chunk(&bytes, 0, "configuration/box").unwrap()), [2.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
    assert_eq!(chunk(&bytes, 0, "particles/types").unwrap(), b"large\0small\0");
    assert_eq!(singles(&chunk(&bytes, 0, "particles/diameter").unwrap())[11..13], [0.4, 0.2]);
    assert_eq!(chunk(&bytes, 0, "particles/typeid").unwrap()[44..52], [0, 0, 0, 0, 1, 0, 0, 0]);
    let middle = [0.0, 1.0, 1.5];
    let frames = rows.chunks(24);
    assert!(frames.len() > 5);
    for (frame, rows) in frames.enumerate() {
        let of = |name: &str| chunk(&bytes, frame as u64, name);
        let time = of("log/time").unwrap();
        assert_eq!(f64::from_le_bytes(time.try_into().unwrap()), rows[0][1].parse::<f64>().unwrap());
        let (places, speeds) =
            (singles(&of("particles/position").unwrap()), singles(&of("particles/velocity").unwrap()));
        for (ball, row) in rows.iter().enumerate() {
            for (axis, middle) in middle.iter().enumerate() {
                let number = |column: usize| row[column + axis].parse::<f64>().unwrap();
                assert_eq!(places[3 * ball + axis], (number(3) - middle) as f32);
                assert_eq!(speeds[3 * ball + axis], number(6) as f32);
            }
        }
        // What does not change is in the first frame only.
        assert_eq!(of("particles/mass").is_some(), frame == 0);
    }
    assert_eq!(chunk(&bytes, rows.len() as u64 / 24, "configuration/step"), None);
}

/// A ball alone in a periodic space moves on a straight line through all images.
#[test]
fn images_of_gsd_count_the_periods_that_a_ball_has_crossed() {
    let scene = "(timestep: 0.5, duration: 5, space: Periodic(x: (0, 2), y: (-1, 1)),
        bodies: [(name: \"ball\", shape: Sphere(radius: 0.25), mass: 1, position: (5, 0, 7), velocity: (-3, 1.25, 2))],
        commands: [Despawn(at: 4.6, body: \"ball\")])";
    let bench = run(scene);
    let place = bench.path("exported");
    let request = ExportRequest { every: Some(0.375), ..ExportRequest::all(ExportFormat::Gsd) };
    let frames = exporter(&bench).export(&request, &place, None, |_| ()).unwrap().frames;
    let bytes = fs::read(place).unwrap();
    let last = frames - 1;
    assert_eq!(chunk(&bytes, last, "particles/N"), Some(vec![0; 4]));
    assert_eq!(chunk(&bytes, last, "particles/position"), None);
    for frame in 0..last {
        let numbers = |name: &str| -> Vec<[u8; 4]> {
            let found = chunk(&bytes, frame, name).or_else(|| chunk(&bytes, 0, name));
            found.map_or_else(|| vec![[0; 4]; 6], |bytes| bytes.as_chunks().0.to_vec())
        };
        let (places, images, sides) =
            (numbers("particles/position"), numbers("particles/image"), numbers("configuration/box"));
        let time = 0.375 * frame as f64;
        for (axis, wanted) in [5.0 - 3.0 * time - 1.0, 1.25 * time, 7.0 + 2.0 * time].into_iter().enumerate() {
            let (place, side) = (f32::from_le_bytes(places[axis]), f32::from_le_bytes(sides[axis]));
            let way = f64::from(place) + f64::from(i32::from_le_bytes(images[axis])) * f64::from(side);
            assert!((way - wanted).abs() < 1e-5, "axis {axis} at {time} s: {way} for {wanted}");
            assert!(place.abs() <= side / 2.0 && [2.0, 2.0, 2.0 * (wanted as f32 + 0.25)][axis] == side);
        }
    }
}

#[test]
fn what_a_format_cannot_have_is_refused() {
    let room = run(&scene());
    let place = room.path("refused");
    let refused = |request: ExportRequest| exporter(&room).export(&request, &place, None, |_| ()).unwrap_err();
    let all = ExportRequest::all;
    assert!(matches!(refused(all(ExportFormat::Sph)), ExportError::NotPeriodic { verb: "are", .. }));
    for format in [ExportFormat::LammpsDump, ExportFormat::LammpsData, ExportFormat::Xyzd, ExportFormat::Gsd] {
        assert!(matches!(refused(all(format)), ExportError::NotABall { found: "a plane", .. }));
    }
    let heavy = run("(timestep: 1, duration: 1, bodies: [(name: \"ball\", shape: Sphere(radius: 1), mass: 1e50)])");
    let error = exporter(&heavy).export(&all(ExportFormat::Gsd), &heavy.path("refused"), None, |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "the mass of `ball` does not fit into a number of 32 bits");
    let floor = ExportRequest { bodies: vec!["floor".to_owned()], ..all(ExportFormat::Xyz) };
    assert!(matches!(refused(floor), ExportError::NoBodies));
    let late = ExportRequest { from: 3.1, ..all(ExportFormat::Vtk) };
    assert!(matches!(refused(late), ExportError::NoTime { .. }));
    let many = ExportRequest { every: Some(1e-9), ..all(ExportFormat::Vtk) };
    assert!(matches!(refused(many), ExportError::TooManyFrames { .. }));
    assert!(!place.exists());
}

#[test]
fn a_run_that_ended_with_an_error_is_exported_up_to_it() {
    let pistons = r#"Scenario(
    title: "Squeezed", timestep: 0.25, duration: 3, impacts_max: 2000, record: (stride: 3),
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.5), mass: 1, velocity: (0.1, 0, 0)),
        (name: "left", shape: Box(half_extents: (0.5, 1, 1)), motion: Kinematic, position: (-2, 0, 0), velocity: (1, 0, 0)),
        (name: "right", shape: Box(half_extents: (0.5, 1, 1)), motion: Kinematic, position: (2, 0, 0), velocity: (-1, 0, 0)),
    ],
)"#;
    let bench = Bench::new(&[("run.ron", pistons)]);
    assert_eq!(bench.carom("run run.ron --quiet").status.code(), Some(1));
    let exporter = exporter(&bench);
    let place = bench.path("frames.xyz");
    let report = exporter.export(&ExportRequest::all(ExportFormat::Xyz), &place, None, |_| ()).unwrap();
    assert!(report.compared_at.is_some());
    let found = frames(&fs::read_to_string(place).unwrap());
    let table = fs::read_to_string(bench.path("output/run/trajectory.csv")).unwrap();
    let last = table.lines().last().unwrap().split(',').nth(1).unwrap();
    assert_eq!(found.last().unwrap().0, last, "the last frame is of the instant of the error");
    assert_eq!(found.len(), table.lines().filter(|line| line.contains(",ball,")).count());
}

/// The recording beside the tables has the scenario under its name alone, without its folder.
#[test]
fn a_command_that_failed_in_a_file_of_another_folder_is_the_same_error() {
    let sunk = r#"Scenario(
    title: "Sunk", timestep: 0.25, duration: 1,
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 2)),
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0), motion: Fixed),
    ],
    commands: [SetPosition(at: 0.5, body: "ball", position: (0, 0, -5))],
)"#;
    let bench = Bench::new(&[("run.ron", sunk)]);
    let file = bench.path("run.ron");
    assert_eq!(bench.carom(&format!("run {} --quiet", file.display())).status.code(), Some(1));
    let report = exporter(&bench).export(&ExportRequest::all(ExportFormat::Xyz), &bench.path("out.xyz"), None, |_| ());
    assert!(report.unwrap().compared_at.is_some());
    assert_eq!(bench.carom("replay output/run/recording.carom").status.code(), Some(0));
}

/// The camera sees each body that moves at each of its keys, and bodies have the colours that are asked for.
#[test]
fn the_camera_of_gltf_sees_all_that_moves_in_its_colors() {
    for scene in [scene(), GAS.to_owned()] {
        let bench = run(&scene);
        let place = bench.path("scene.glb");
        let exporter = exporter(&bench);
        let names: Vec<String> = exporter.scenario().all_bodies().map(|named| named.name.clone()).collect();
        let colors = names.iter().map(|name| (name.clone(), [255, 0, name.len() as u8])).collect();
        let request = ExportRequest { colors, ..ExportRequest::all(ExportFormat::Gltf) };
        exporter.export(&request, &place, None, |_| ()).unwrap();
        let glb = Glb::read(&fs::read(place).unwrap());
        let nodes = glb.document["nodes"].as_array().unwrap();
        let (row, camera) = nodes.iter().enumerate().find(|(_, node)| node["camera"] == 0).unwrap();
        assert!(nodes[0]["children"].as_array().unwrap().contains(&serde_json::json!(row)));
        let numbers = |field: &str| -> Vec<f64> {
            camera[field].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
        };
        let (at, turn) = (DVec3::from_slice(&numbers("translation")), DQuat::from_slice(&numbers("rotation")));
        let seen = &glb.document["cameras"][0]["perspective"];
        let (high, ratio) = (0.5 * seen["yfov"].as_f64().unwrap(), seen["aspectRatio"].as_f64().unwrap());
        let mut looks = 0;
        for name in &names {
            let Some([_, values]) = glb.animation(name, "translation") else { continue };
            for key in values.chunks(9) {
                let place = turn.inverse() * (DVec3::from_slice(&key[3..6]) - at);
                let (along, up) = (-place.x / place.z, -place.y / place.z);
                assert!(place.z < 0.0 && up.abs() < high.tan() && along.abs() < ratio * high.tan(), "{name}: {place}");
                looks += 1;
            }
        }
        assert!(looks > 50, "{looks}");
        for node in nodes.iter().filter(|node| !node["mesh"].is_null()) {
            let mesh = &glb.document["meshes"][node["mesh"].as_u64().unwrap() as usize];
            let material = mesh["primitives"][0]["material"].as_u64().unwrap() as usize;
            let color = &glb.document["materials"][material]["pbrMetallicRoughness"]["baseColorFactor"];
            let blue = node["name"].as_str().unwrap().len() as f64 / 255.0;
            let linear = if blue <= 0.04045 { blue / 12.92 } else { ((blue + 0.055) / 1.055).powf(2.4) };
            assert!(color[0] == 1.0 && color[1] == 0.0 && (color[2].as_f64().unwrap() - linear).abs() < 1e-7, "{node}");
        }
    }
}
