//! Recordings reveal every difference and all damage, both in a test of another project and on the command line.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use carom::dynamics::{Body, BodyId, Settings};
use carom::record::recording::{Reader, RecordingError, VerifyError};
use carom::record::{Cadence, Recorder, Verifier, replay};
use carom::world::World;
use glam::DVec3;
use tempfile::TempDir;
use twox_hash::XxHash3_128;

/// Two balls that meet after one second, and one that flies by.
fn world() -> World {
    let ball = || Body::sphere(0.5, 1.0).unwrap();
    let settings = Settings { gravity: DVec3::NEG_Z, ..Settings::default() };
    let bodies = [
        ("left", ball().moving(DVec3::X)),
        ("right", ball().at(DVec3::X * 3.0).moving(-DVec3::X)),
        ("third", ball().at(DVec3::Y * 9.0).moving(DVec3::Y * 0.1)),
    ];
    World::new(settings, bodies).unwrap()
}

fn record(file: &Path, steps: usize, cadence: Cadence) {
    let mut world = world();
    let mut recorder = Recorder::create(file, "three balls", &world, cadence).unwrap();
    for _ in 0..steps {
        world.step(0.125).unwrap();
        recorder.note(&world).unwrap();
    }
    recorder.finish(&world).unwrap();
}

fn verify(
    file: &Path,
    world: &mut World,
    steps: usize,
    mut meddle: impl FnMut(usize, &mut World),
) -> Result<(), VerifyError> {
    let mut verifier = Verifier::open(file, world)?;
    for step in 1..=steps {
        world.step(0.125).unwrap();
        meddle(step, world);
        verifier.note(world)?;
    }
    verifier.finish()
}

/// The number of the last step, if the whole recording can be read.
fn read(file: &Path) -> Result<u64, RecordingError> {
    let mut reader = Reader::open(file)?;
    let mut last = 0;
    while let Some(noted) = reader.next_step()? {
        last = noted.step;
    }
    Ok(last)
}

#[test]
fn a_run_is_compared_with_its_recording_in_five_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("balls.carom");
    for cadence in [Cadence::default(), Cadence::EACH, Cadence { hashes: 3, snapshots: Some(5) }] {
        record(&file, 17, cadence);
        verify(&file, &mut world(), 17, |_, _| ()).unwrap();
    }
}

#[test]
fn the_first_number_that_differs_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("balls.carom");
    record(&file, 17, Cadence::EACH);
    // A kick of the ball that flies by, which changes its upward velocity by a few ulps.
    let kick = |at: usize, world: &mut World, impulse: DVec3| {
        if at == 3 {
            world.kick(BodyId(2), impulse).unwrap();
        }
    };
    let nudge = DVec3::Y * 0.1_f64.next_up() - DVec3::Y * 0.1;
    let error = verify(&file, &mut world(), 17, |at, world| kick(at, world, nudge)).unwrap_err();
    let VerifyError::Divergence(divergence) = error else { panic!("{error}") };
    let difference = divergence.difference.as_ref().unwrap();
    assert_eq!((divergence.step, divergence.time.seconds()), (3, 0.375));
    assert_eq!((difference.body.as_deref(), difference.field.as_str()), (Some("third"), "velocity.y"));
    assert_eq!((difference.recorded.as_str(), difference.ulps), ("0.1", Some(1)));
    assert!(
        divergence
            .to_string()
            .contains("`third`: velocity.y was recorded as 0.1 and is 0.10000000000000002, 1 ulp off")
    );
    // A change of hidden state: the same kick twice, in opposite directions.
    let error = verify(&file, &mut world(), 17, |at, world| {
        kick(at, world, DVec3::X);
        kick(at, world, -DVec3::X);
    });
    let VerifyError::Divergence(divergence) = error.unwrap_err() else { panic!() };
    assert_eq!(divergence.step, 3);
    assert!(divergence.difference.is_some(), "{divergence}");
}

#[test]
fn between_snapshots_the_step_is_known_and_the_number_at_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("balls.carom");
    record(&file, 17, Cadence { hashes: 1, snapshots: Some(8) });
    let mut world = world();
    let mut verifier = Verifier::open(&file, &world).unwrap();
    let mut found = Vec::new();
    for step in 1..=17 {
        world.step(0.125).unwrap();
        if step == 3 {
            world.kick(BodyId(2), DVec3::X).unwrap();
        }
        if let Err(VerifyError::Divergence(divergence)) = verifier.note(&world) {
            found.push((divergence.step, divergence.difference.is_some()));
        }
    }
    let wanted: Vec<(u64, bool)> = (3..=17).map(|step| (step, [8, 16, 17].contains(&step))).collect();
    assert_eq!(found, wanted);
}

#[test]
fn a_run_of_another_length_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("balls.carom");
    record(&file, 5, Cadence::default());
    for steps in [4, 6] {
        let error = verify(&file, &mut world(), steps, |_, _| ()).unwrap_err();
        assert!(matches!(error, VerifyError::Steps { recorded: 5, .. }), "{error}");
    }
}

#[test]
fn a_recording_changed_in_any_byte_or_cut_at_any_length_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (file, changed) = (folder.path().join("balls.carom"), folder.path().join("changed.carom"));
    record(&file, 2, Cadence { hashes: 1, snapshots: Some(2) });
    assert_eq!(read(&file).unwrap(), 2);
    let bytes = fs::read(&file).unwrap();
    for place in 0..bytes.len() {
        let mut other = bytes.clone();
        other[place] ^= 1 << (place % 8);
        fs::write(&changed, &other).unwrap();
        let error = read(&changed).expect_err("a changed byte");
        assert!(!error.to_string().is_empty(), "{place}");
        fs::write(&changed, &bytes[..place]).unwrap();
        let error = read(&changed).expect_err("a recording that was cut");
        let cut = matches!(error, RecordingError::CutShort { .. } | RecordingError::NotARecording { .. });
        assert!(cut, "{place}: {error}");
    }
    fs::write(&changed, [&bytes[..], &[0]].concat()).unwrap();
    assert!(read(&changed).unwrap_err().to_string().contains("more after the last frame"));
}

const SCENE: &str = r#"Scenario(
    title: "Two balls and a wall",
    timestep: 0.125, duration: 4,
    record: (snapshots: 8),
    bodies: [
        (name: "a", shape: Sphere(radius: 0.5), mass: 1, velocity: (1, 0, 0)),
        (name: "b", shape: Sphere(radius: 0.5), mass: 1, position: (3, 0, 0), velocity: (-1, 0, 0)),
        (name: "wall", shape: Plane(normal: (1, 0, 0), offset: -2)),
    ],
    commands: [Kick(at: 1.3, body: "b", impulse: (0, 0.5, 0))],
)"#;

struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn carom(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).current_dir(self.0.path()).output().unwrap()
    }

    /// Runs a scene called `name`, and returns the path of its recording.
    fn run(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(&format!("{name}.ron")), text).unwrap();
        let output = self.carom(&["run", &format!("{name}.ron"), "--quiet"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        self.path(&format!("output/{name}/recording.carom"))
    }

    /// Runs a command, and returns its exit code and its whole output.
    fn told(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.carom(arguments);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(text).unwrap())
    }
}

#[test]
fn a_recorded_run_is_run_again_and_compared() {
    let bench = Bench::new();
    bench.run("scene", SCENE);
    let file = "output/scene/recording.carom";
    let (code, text) = bench.told(&["replay", file]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("the same, to the bit, from step 0 at 0 s to step 32 at 4 s"), "{text}");
    let (code, text) = bench.told(&["replay", file, "--from", "2.9"]);
    assert!(code == 0 && text.contains("from step 16 at 2 s to step 32"), "{text}");
    assert_eq!(bench.told(&["replay", file, "--quiet"]), (0, String::new()));
    assert_eq!(bench.told(&["replay", file, "--against", file]).0, 0);
    assert_eq!(bench.told(&["bisect", file, file]).0, 0);
    assert_eq!(bench.told(&["replay", "nothing.carom"]).0, 3);
    assert_eq!(bench.told(&["replay", "scene.ron"]).0, 2);
    let mut reader = Reader::open(&bench.path(file)).unwrap();
    let mut commands = Vec::new();
    while let Some(noted) = reader.next_step().unwrap() {
        commands.extend(noted.commands.into_iter().map(|command| (noted.step, command)));
    }
    assert_eq!(commands, [(11, "1.3000000000000000444 s: `b` kicked by [0, 0.5, 0] N·s".to_owned())]);
}

/// Changes the content of the frames of a recording, and corrects their checksums.
fn forge(file: &Path, mut change: impl FnMut(&mut [u8])) {
    let bytes = fs::read(file).unwrap();
    let (mut forged, mut rest, mut frame) = (bytes[..12].to_vec(), &bytes[12..], 0);
    while !rest.is_empty() {
        let length = 5 + u32::from_le_bytes(rest[..4].try_into().unwrap()) as usize;
        let mut content = rest[..length].to_vec();
        change(&mut content[5..]);
        forged.extend(&content);
        forged.extend((XxHash3_128::oneshot_with_seed(frame, &content) as u64).to_le_bytes());
        (rest, frame) = (&rest[length + 8..], frame + 1);
    }
    fs::write(file, forged).unwrap();
}

/// Replaces every occurrence of one number by another.
fn replace(content: &mut [u8], old: f64, new: f64) {
    for place in 0..content.len().saturating_sub(7) {
        if content[place..place + 8] == old.to_le_bytes() {
            content[place..place + 8].copy_from_slice(&new.to_le_bytes());
        }
    }
}

#[test]
fn a_replay_that_goes_otherwise_names_step_body_and_number() {
    let bench = Bench::new();
    let file = bench.run("scene", SCENE);
    // From step 11 on, this changes every hash, and in the snapshots the velocity of the kicked ball.
    let mut step = 0;
    forge(&file, |content| match content[0] {
        1 => {
            step = content[1];
            if step >= 11 {
                // The hash comes after the kind, the step number, the ticks (whose last byte is below 128) and the
                // eight bytes of the rest of the time.
                let ticks = content[2..].iter().position(|&byte| byte < 128).unwrap();
                content[3 + ticks + 8] ^= 1;
            }
        }
        2 | 3 if step >= 11 => replace(content, 0.5, 0.5_f64.next_down()),
        _ => {}
    });
    let report = replay(&file, None, false, |_| ()).unwrap();
    assert!(!report.is_same());
    assert_eq!(report.divergence.as_ref().map(|found| (found.step, found.difference.is_some())), Some((11, false)));
    let detail = report.detail.as_ref().unwrap();
    let difference = detail.difference.as_ref().unwrap();
    assert_eq!((detail.step, difference.body.as_deref(), difference.ulps), (16, Some("b"), Some(1)), "{detail}");
    let (code, text) = bench.told(&["replay", "output/scene/recording.carom"]);
    assert_eq!(code, 1);
    for part in [
        "step 11, at 1.375 s",
        "at the next snapshot",
        "`b`: position.y was recorded as 0.3499999999999999 and is 0.35, 1 ulp off",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn two_recordings_are_compared_and_the_first_event_is_found() {
    let bench = Bench::new();
    bench.run("a", SCENE);
    let (a, b) = ("output/a/recording.carom", "output/b/recording.carom");
    // The same up to step 11, but with snapshots at other steps.
    let other = SCENE.replace("at: 1.3", "at: 1.5001").replace("snapshots: 8", "snapshots: 5");
    bench.run("b", &other);
    let (code, text) = bench.told(&["replay", a, "--against", b]);
    assert!(code == 1 && text.contains("after step 11, at 1.375 s"), "{text}");
    assert!(text.contains("at the next snapshot of both: the state after step 32"), "{text}");
    let (code, text) = bench.told(&["bisect", a, b]);
    assert!(code == 1 && text.contains("after step 11, at 1.375 s"), "{text}");
    assert!(text.contains("run again from 1.25 s, both have the same events"), "{text}");
    // The wall is slightly farther away, so the returning ball arrives later.
    bench.run("b", &SCENE.replace("offset: -2", "offset: -2.001"));
    let (code, text) = bench.told(&["bisect", a, b]);
    assert_eq!(code, 1);
    assert!(text.contains("impact of `a` and `wall` at 3.5 s"), "{text}");
    assert!(text.contains("in the other: no more event up to 3.5 s\n"), "{text}");
    // A snapshot that only one of them has, behind the first event that differs.
    let falls = r#"(timestep: 0.1, duration: 1, gravity: (0, 0, -10), materials: {"m": (restitution: 0.5)},
        default_material: "m", record: (hashes: 10), bodies: [
            (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0)),
            (name: "low", shape: Sphere(radius: 0.1), mass: 1, position: (0, 0, 0.3)),
            (name: "high", shape: Sphere(radius: 0.1), mass: 1, position: (5, 0, 3.3))])"#;
    bench.run("a", falls);
    for cadence in ["hashes: 10", "hashes: 10, snapshots: 1", "hashes: 1", "hashes: 2, snapshots: 3"] {
        bench.run("b", &falls.replace("0.5)", "0.6)").replace("hashes: 10", cadence));
        for files in [[a, b], [b, a]] {
            let (code, text) = bench.told(&["bisect", files[0], files[1]]);
            assert!(code == 1 && text.contains("the one: impact of `floor` and `low` at 0.2 s"), "{cadence}: {text}");
        }
    }
    // A body that is added during the run. It is faster in the second recording.
    let spawn = |speed: f64| {
        let body = format!("shape: Sphere(radius: 0.5), mass: 1, position: (0, 9, 0), velocity: (0, {speed}, 0)");
        SCENE.replace(
            "impulse: (0, 0.5, 0))",
            &format!("impulse: (0, 0.5, 0)), Spawn(at: 1, body: (name: \"late\", {body}))"),
        )
    };
    bench.run("a", &spawn(1.0));
    bench.run("b", &spawn(1.5));
    for command in [&["replay", a, "--against", b][..], &["bisect", a, b]] {
        let (code, text) = bench.told(command);
        assert!(code == 1 && text.contains("`late`: velocity.y was recorded as 1 and is 1.5"), "{text}");
    }
    // Every second step ends with one of the other.
    bench.run("a", SCENE);
    bench.run("b", &SCENE.replace("timestep: 0.125", "timestep: 0.25"));
    let (code, text) = bench.told(&["bisect", a, b]);
    let wanted = "the timesteps are 0.125 s and 0.25 s, and only steps of one length can be compared";
    assert!(code == 2 && text.contains(wanted), "{text}");
}

#[test]
fn what_cannot_be_seen_is_named_in_the_words_of_a_scenario() {
    let scene = |mass: f64, command: &str| {
        format!(
            r###"(timestep: 0.1, duration: 0.3, record: (snapshots: 1), layers: ["x"],
                materials: {{ "p": (restitution: 0.1), "q": (restitution: 0.2) }},
                bodies: [(name: "ball", shape: Sphere(radius: 0.1), mass: {mass}, velocity: (0, 0, 1)),
                    (name: "tiles", shape: Tiles(cell: 1, rows: ["##", ".#"]), position: (20, 0, 0))],
                commands: [{command}])"###
        )
    };
    let material = |name: &str| format!(r#"SetMaterial(at: 0.15, body: "ball", material: "{name}")"#);
    let layers = |list: &str| format!(r#"SetLayers(at: 0.15, body: "ball", collides_with: [{list}])"#);
    let cell = |cell: &str| format!(r#"SetCell(at: 0.15, body: "tiles", cell: ({cell}), solid: false)"#);
    let faster = r#"SetVelocity(at: 0.15, body: "ball", velocity: (0, 0, 2))"#.to_owned();
    let rows = [
        ([1.0, 1.0], [material("p"), material("q")], "`ball`: material was recorded as 1 and is 2"),
        ([1.0, 1.0], [String::new(), material("q")], "`ball`: material and layers was recorded as unchanged and is"),
        ([1.0, 1.0], [layers(""), layers("\"x\"")], "`ball`: collides_with was recorded as 0 and is 2"),
        ([1.0, 1.0], [cell("0, 0, 1"), cell("1, 0, 1")], "`tiles`: cells.0 was recorded as 2 and is 3"),
        ([1.0, 1.0], [cell("0, 0, 1"), String::new()], "`tiles`: cells was recorded as changed by a command and is"),
        ([1.0, 2.0], [faster.clone(), faster], "audit.impulse.z was recorded as 1.0 and is 2.0"),
    ];
    let bench = Bench::new();
    for (masses, commands, wanted) in rows {
        bench.run("a", &scene(masses[0], &commands[0]));
        bench.run("b", &scene(masses[1], &commands[1]));
        let (code, text) = bench.told(&["bisect", "output/a/recording.carom", "output/b/recording.carom"]);
        assert!(code == 1 && text.contains(wanted), "{wanted}: {text}");
    }
}

#[test]
fn mesh_files_are_checked() {
    let bench = Bench::new();
    let mesh = "v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n";
    fs::write(bench.path("floor.obj"), mesh).unwrap();
    let scene = r#"Scenario(timestep: 0.1, duration: 1, bodies: [
        (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (2, 2, 2), velocity: (0, 0, -3)),
        (name: "floor", shape: Mesh(file: "floor.obj")),
    ])"#;
    bench.run("scene", scene);
    let file = "output/scene/recording.carom";
    assert_eq!(bench.told(&["replay", file]).0, 0);
    fs::write(bench.path("output/scene/floor.obj"), format!("{mesh}# another byte\n")).unwrap();
    let (code, text) = bench.told(&["replay", file]);
    assert!(code == 2 && text.contains("floor.obj") && text.contains("is not what it was"), "{text}");
    fs::remove_file(bench.path("output/scene/floor.obj")).unwrap();
    let (code, text) = bench.told(&["replay", file]);
    assert!(code == 2 && text.contains("floor.obj"), "{text}");
}
