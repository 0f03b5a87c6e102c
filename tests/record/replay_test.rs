//! Replay tests in other projects: the first run records, and later runs are compared with it bit by bit.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use carom::numeric::shown;
use carom::record::RecordWhen::{Always, Missing, Never};
use carom::record::recording::VerifyError;
use carom::record::{RecordWhen, ReplayTestError, Replayed, assert_replays, check_replay};
use tempfile::TempDir;

const SCENE: &str = r#"(timestep: 0.125, duration: 2, gravity: (0, 0, -10), bodies: [
    (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 3)),
    (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0)),
]"#;

#[test]
fn a_scenario_is_recorded_once_and_then_compared() {
    let folder = TempDir::new().unwrap();
    let (scene, recording) = (folder.path().join("fall.ron"), folder.path().join("fall.carom"));
    let write = |rest: &str| fs::write(&scene, format!("{SCENE}{rest})")).unwrap();
    write("");
    assert_eq!(check_replay(&scene, &recording, Missing).unwrap(), Replayed::Recorded);
    let recorded = fs::read(&recording).unwrap();
    assert_eq!(check_replay(&scene, &recording, Missing).unwrap(), Replayed::Same);
    assert_replays(&scene);
    assert_eq!(fs::read(&recording).unwrap(), recorded);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    let report = carom::record::replay(&recording, None, false, |_| ()).unwrap();
    assert!(report.is_same() && report.steps == [0, 16], "the command line can replay it");

    // The speed changes by 2 ulps at the time of the kick.
    let kick = 10.0 * f64::EPSILON;
    write(&format!(r#", commands: [Kick(at: 0.5, body: "ball", impulse: (0, 0, {kick:?}))]"#));
    let error = check_replay(&scene, &recording, Missing).unwrap_err();
    let ReplayTestError::Different { error: different, detail: None, changes, .. } = &error else { panic!("{error}") };
    let kicked = format!("commands: `Kick(at: 0.5, body: \"ball\", impulse: (0, 0, {}))` added", shown(kick));
    assert_eq!(changes.iter().map(ToString::to_string).collect::<Vec<_>>(), [kicked.as_str()]);
    assert!(
        error
            .to_string()
            .contains(&format!("fall.ron: changed since it was recorded:\n  {kicked}\nthe state after step 4")),
        "{error}"
    );
    let VerifyError::Divergence(found) = &**different else { panic!("{error}") };
    let difference = found.difference.as_ref().unwrap();
    assert_eq!((found.step, found.time.seconds(), difference.body.as_deref()), (4, 0.5, Some("ball")));
    assert_eq!((difference.field.as_str(), difference.ulps), ("velocity.z", Some(2)));
    let failure = catch_unwind(AssertUnwindSafe(|| assert_replays(&scene))).unwrap_err();
    let text = failure.downcast_ref::<String>().unwrap();
    assert!(text.contains("step 4") && text.contains("2 ulps off") && text.contains("CAROM_UPDATE=1"), "{text}");

    assert_eq!(check_replay(&scene, &recording, Always).unwrap(), Replayed::Recorded);
    assert_eq!(check_replay(&scene, &recording, Missing).unwrap(), Replayed::Same);
    assert_ne!(fs::read(&recording).unwrap(), recorded);
}

#[test]
fn a_step_without_a_snapshot_is_told_with_the_next_that_has_one() {
    let folder = TempDir::new().unwrap();
    let (scene, recording) = (folder.path().join("fall.ron"), folder.path().join("fall.carom"));
    let write = |rest: &str| fs::write(&scene, format!("{SCENE}, record: (snapshots: 8) {rest})")).unwrap();
    write("");
    check_replay(&scene, &recording, Missing).unwrap();
    write(r#", commands: [Kick(at: 0.5, body: "ball", impulse: (1, 0, 0))]"#);
    let Err(ReplayTestError::Different { error, detail, .. }) = check_replay(&scene, &recording, Missing) else {
        panic!("it differs")
    };
    let (VerifyError::Divergence(first), Some(detail)) = (*error, detail) else { panic!("step 8 has a snapshot") };
    let VerifyError::Divergence(detail) = *detail else { panic!("step 8 has a snapshot") };
    assert_eq!((first.step, first.difference, detail.step), (4, None, 8));
    assert_eq!(detail.difference.unwrap().field, "position.x");
}

#[test]
fn what_cannot_be_run_or_is_longer_is_said() {
    let folder = TempDir::new().unwrap();
    let (scene, recording) = (folder.path().join("fall.ron"), folder.path().join("fall.carom"));
    let write = |text: String| fs::write(&scene, text).unwrap();
    let message = || check_replay(&scene, &recording, Missing).unwrap_err().to_string();
    assert!(message().contains("fall.ron cannot be read"));
    write(format!("{SCENE}, gravitas: 1)"));
    assert!(message().contains("gravitas"));
    assert!(!recording.exists());
    write(format!("{SCENE})"));
    check_replay(&scene, &recording, Missing).unwrap();
    write(format!("{SCENE})").replace("duration: 2", "duration: 3"));
    let longer = "fall.ron: changed since it was recorded:\n  duration 2 → 3\nthe recording has 16 steps, the run 17";
    assert!(message().ends_with(longer), "{}", message());
    write(format!("{SCENE})").replace("duration: 2", "duration: 1"));
    assert!(message().ends_with("the recording has 16 steps, the run 8"));
}

#[test]
fn a_body_more_is_named_and_other_bodies_are_not_blamed() {
    let folder = TempDir::new().unwrap();
    let (scene, recording) = (folder.path().join("fall.ron"), folder.path().join("fall.carom"));
    fs::write(&scene, format!("{SCENE})")).unwrap();
    check_replay(&scene, &recording, Missing).unwrap();
    let body = r#"(name: "a", shape: Sphere(radius: 0.5), mass: 1, position: (5, 0, 3)),"#;
    fs::write(&scene, format!("{SCENE})").replace("bodies: [", &format!("bodies: [{body}"))).unwrap();
    let message = check_replay(&scene, &recording, Never).unwrap_err().to_string();
    let wanted = "fall.ron: changed since it was recorded:\n  bodies: `a` added\nthe state after step 0, at 0 s, is not the recorded one: number of bodies was recorded as 2 and is 3";
    assert!(message.ends_with(wanted), "{message}");
}

#[test]
fn in_continuous_integration_a_missing_recording_is_a_failure() {
    let folder = TempDir::new().unwrap();
    let (scene, recording) = (folder.path().join("fall.ron"), folder.path().join("fall.carom"));
    fs::write(&scene, format!("{SCENE})")).unwrap();
    let error = check_replay(&scene, &recording, Never).unwrap_err();
    let ReplayTestError::Missing { recording: missing, .. } = &error else { panic!("{error}") };
    assert_eq!((missing, recording.exists()), (&recording, false));
    let help = miette::Diagnostic::help(&error).unwrap().to_string();
    assert!(error.to_string().contains("fall.carom is missing") && help.contains("CAROM_UPDATE=1"), "{error}, {help}");
    check_replay(&scene, &recording, Missing).unwrap();
    assert_eq!(check_replay(&scene, &recording, Never).unwrap(), Replayed::Same);
}

#[test]
fn the_environment_says_what_is_recorded() {
    let rows = [
        (None, None, Missing),
        (None, Some(""), Missing),
        (None, Some("0"), Missing),
        (None, Some("False"), Missing),
        (None, Some("true"), Never),
        (None, Some("1"), Never),
        (Some("0"), Some("woodpecker"), Never),
        (Some("1"), Some("true"), Always),
        (Some("1"), None, Always),
    ];
    for (update, ci, wanted) in rows {
        let variable = |name: &str| match name {
            "CAROM_UPDATE" => update.map(Into::into),
            "CI" => ci.map(Into::into),
            other => panic!("{other} is not asked for"),
        };
        assert_eq!(RecordWhen::of(variable), wanted, "{update:?} {ci:?}");
    }
}

/// The process that the next test starts: a replay test as a project has it. By itself, it does nothing.
#[test]
fn a_replay_test_of_a_project() {
    if let Some(scene) = std::env::var_os("CAROM_TEST_SCENE") {
        assert_replays(scene);
    }
}

#[test]
fn a_test_says_where_it_stands_and_obeys_its_environment() {
    let folder = TempDir::new().unwrap();
    let scene = folder.path().join("fall.ron");
    fs::write(&scene, format!("{SCENE})")).unwrap();
    let run = |variables: &[(&str, &str)]| {
        let mut test = std::process::Command::new(std::env::current_exe().unwrap());
        test.args(["--exact", "replay_test::a_replay_test_of_a_project", "--nocapture"])
            .env("CAROM_TEST_SCENE", &scene);
        test.env_remove("CI").env_remove("CAROM_UPDATE").envs(variables.iter().copied());
        let output = test.output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let (passed, words) = run(&[("CI", "true")]);
    assert!(!passed && words.contains("replay_test.rs:") && words.contains("fall.carom is missing"), "{words}");
    assert!(run(&[("CI", "false")]).0 && run(&[("CI", "true")]).0);
    fs::remove_file(scene.with_extension("carom")).unwrap();
    assert!(run(&[("CI", "true"), ("CAROM_UPDATE", "1")]).0 && run(&[("CI", "true")]).0);
}
