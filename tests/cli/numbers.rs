//! Every number on the command line: an impossible value is refused, the message names its option, and nothing panics.

use super::bench::{BALL, Bench, code, stderr, words};

/// The values that are tried for each number.
const VALUES: [&str; 16] = [
    "nan", "inf", "-inf", "1e300", "-1e300", "-1", "0", "-0.0", "1e-300", "", "x", "1e12", "1e20", "1e308", "1e999",
    "--",
];

struct Row {
    command: &'static str,
    option: &'static str,
    /// The text before and after the value.
    around: [&'static str; 2],
    allowed: &'static [&'static str],
}

const fn row(
    command: &'static str,
    option: &'static str,
    around: [&'static str; 2],
    allowed: &'static [&'static str],
) -> Row {
    Row { command, option, around, allowed }
}

const INSTANTS: &[&str] = &["0", "-0.0", "1e-300"];
const ALONE: [&str; 2] = ["", ""];
const COORDINATES: &[&str] = &["-1", "0", "-0.0", "1e-300", "1e12", "1e20"];

const ROWS: [Row; 19] = [
    row("run ball.ron --restart", "--timestep", ALONE, &["1e12"]),
    row("run ball.ron --restart", "--duration", ALONE, &[]),
    row("run ball.ron --restart", "--until", ALONE, &["0", "-0.0", "1e-300", "1e12"]),
    row("replay output/ball/recording.carom", "--from", ALONE, &["0", "-0.0", "1e-300"]),
    row("query ball.ron --nearest 0,0,0", "--at", ALONE, INSTANTS),
    row(
        "query ball.ron --nearest 0,0,0",
        "--within",
        ALONE,
        &["inf", "1e300", "0", "-0.0", "1e-300", "1e12", "1e20", "1e308", "1e999"],
    ),
    row(
        "query ball.ron --ray 0,0,0,1,0,0",
        "--until",
        ALONE,
        &["inf", "1e300", "0", "-0.0", "1e-300", "1e12", "1e20", "1e308", "1e999"],
    ),
    row("query ball.ron --ray 0,0,0,1,0,0", "--radius", ALONE, &["1e12", "1e20"]),
    row("query ball.ron --ray 0,0,0,1,0,0", "--half-extents", ["1,", ",1"], &["1e12", "1e20"]),
    row("query ball.ron", "--ray", ["", ",0,9,0,0,-1"], COORDINATES),
    row("query ball.ron", "--ray", ["0,0,9,", ",0,0"], &["-1", "1e12", "1e20"]),
    row("query ball.ron", "--nearest", ["0,", ",0"], COORDINATES),
    row("query ball.ron", "--box", ["0,0,0,", ",1,1"], COORDINATES),
    row("plot output/ball", "--width", ALONE, &[]),
    row("plot output/ball", "--height", ALONE, &[]),
    row("plot output/ball", "--font-size", ALONE, &[]),
    row("plot output/ball", "--dpi", ALONE, &[]),
    row("sweep ball.ron", "--jobs", ALONE, &[]),
    row("sweep ball.ron", "--shard", ["", "/3"], &[]),
];

#[test]
fn numbers_that_cannot_be_are_refused_by_the_name_of_their_option() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    for Row { command, option, around: [before, after], allowed } in ROWS {
        // A query at such a late time would take too long.
        for value in VALUES.iter().filter(|value| option != "--at" || **value != "1e12") {
            let words: Vec<&str> = command.split(' ').collect();
            let value_given = format!("{before}{value}{after}");
            let output = bench.carom(&[words, vec![option, &value_given]].concat());
            let said = stderr(&output);
            if allowed.contains(value) {
                // A shorter run may fail some of its expectations.
                assert!(matches!(code(&output), 0 | 1), "{command} {option} {value_given}: {said}");
            } else {
                assert_eq!(code(&output), 2, "{command} {option} {value_given}: {said}");
                assert!(said.contains(option), "{command} {option} {value_given}: {said}");
                let is_shown = said.len() < 600
                    && (value.is_empty()
                        || *value == "--"
                        || said.contains(value.trim_end_matches(".0"))
                        || said.contains("NaN")
                        || *value == "1e999" && said.contains("inf")
                        || *value == "1e12" && said.contains("1e13 steps, more than"));
                assert!(is_shown, "{command} {option} {value_given}: {said}");
            }
        }
    }
}

#[test]
fn messages_say_what_a_number_may_be() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let rows = [
        ("run ball.ron --timestep -1", "--timestep: must be a positive finite number of seconds, from 1e-70 to "),
        ("run ball.ron --duration 1e300", "--duration: must be a positive finite number of seconds, from 1e-70 to "),
        (
            "run ball.ron --timestep 1e-9 --duration 60",
            "--timestep: duration / timestep is 6e10 steps, more than the 1e9 allowed",
        ),
        ("sweep s.ron --jobs 0", "invalid value '0' for '--jobs <N>': it is a whole number from 1 to 512"),
        ("sweep s.ron --shard -1/3", "invalid value '-1/3' for '--shard <I/N>': it is written I/N"),
        ("run ball.ron --until -1", "invalid value '-1' for '--until <S>': it must be from 0 to "),
        (
            "run ball.ron --timestep --quiet",
            "invalid value '--quiet' for '--timestep <S>': a number is wanted, such as 0.5",
        ),
        ("replay ball.ron --from nan", "invalid value 'nan' for '--from <S>': it must be from 0 to "),
        (
            "query ball.ron --ray 0,0,0,1e-160,0,0",
            "the direction of a ray, its last three numbers, must not be 0, nor shorter than 1.5e-154",
        ),
        ("query ball.ron --nearest 1,2", "for '--nearest <X,Y,Z>': 3 numbers are wanted, such as 0,1,2; found 2"),
    ];
    for (command, wanted) in rows {
        let output = bench.carom(&command.split(' ').collect::<Vec<_>>());
        let said = words(&output);
        assert_eq!(code(&output), 2, "{command}: {said}");
        assert!(said.contains(wanted), "{command}: {said}");
    }
}
