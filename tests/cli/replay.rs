//! `carom replay --heavy`: the run goes from world to world in bytes.

use super::bench::{Bench, code, stderr, stdout};

#[test]
fn a_run_can_go_from_world_to_world() {
    let bench = Bench::new();
    // Bodies come and go, and are pushed; bodies rest, and pass through sensors.
    for (name, from) in [("lift_and_drop", "1.5"), ("sensor_gates", "1.5")] {
        let text = std::fs::read_to_string(format!("scenarios/{name}.ron")).unwrap();
        bench.write(&format!("{name}.ron"), &text);
        let output = bench.carom(&["run", &format!("{name}.ron"), "--quiet"]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let recording = format!("output/{name}/recording.carom");
        for options in [&["--heavy"][..], &["--heavy", "--from", from]] {
            let output = bench.carom(&[&["replay", &recording], options].concat());
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            assert!(stdout(&output).contains("the same, to the bit"), "{}", stdout(&output));
        }
        assert_eq!(code(&bench.carom(&["replay", &recording, "--heavy", "--against", &recording])), 2);
    }
}
