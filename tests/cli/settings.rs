//! `--set`: the scenario beside the results is the one that was run.

use super::bench::{BALL, Bench, code, stderr, stdout};

#[test]
fn the_copy_of_the_scenario_reproduces_the_run() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let output = bench.carom(&["run", "ball.ron", "--set", "duration=0.1", "--set", "expect=[]"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let copy = bench.read("output/ball/scenario.ron");
    assert!(copy.contains("duration: 0.1") && copy != BALL, "{copy}");
    let first = bench.read("output/ball/summary.json");
    bench.write("again.ron", &copy);
    let output = bench.carom(&["run", "again.ron"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let hashes = |text: &str| {
        let summary: serde_json::Value = serde_json::from_str(text).unwrap();
        [summary["scenario_hash"].clone(), summary["state_hash"].clone()]
    };
    assert_eq!(hashes(&first), hashes(&bench.read("output/again/summary.json")));
    let output = bench.carom(&["replay", "output/ball/recording.carom"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

#[test]
fn a_wrong_setting_is_bad_input_and_is_named() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    for (setting, words) in [("duration=-1", "--set duration=-1: must be"), ("bodies.nobody.mass=1", "no `nobody`")] {
        for command in [["run", "ball.ron", "--set"], ["check", "ball.ron", "--set"]] {
            let output = bench.carom(&[&command[..], &[setting]].concat());
            assert_eq!(code(&output), 2, "{}", stderr(&output));
            assert!(stderr(&output).contains(words), "{}", stderr(&output));
        }
    }
    let output = bench.carom(&["check", "ball.ron", "--set", "title=\"Another\""]);
    assert_eq!((code(&output), stdout(&output).contains("Another")), (0, true));
    let query = ["query", "ball.ron", "--nearest", "0,0,9", "--set", "bodies.nobody.mass=1"];
    assert_eq!(code(&bench.carom(&query)), 2);
}
