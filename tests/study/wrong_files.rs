//! Messages about invalid sweep files: each gives the line, the column, the field, and how to correct it.

use carom::scenario::Source;
use carom::scenario::sweep_file::read_sweep;
use miette::NarratableReportHandler;

use super::bench::{BALL, Bench, code, stderr, words};

fn refused(line: &str) -> String {
    let text = format!("Sweep(\n  base: \"b.ron\",\n{line}\n)\n");
    let problems = read_sweep(&Source::new("dir/s.ron", &text)).expect_err(line);
    let mut message = String::new();
    NarratableReportHandler::new().render_report(&mut message, &problems).unwrap();
    message
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_a_remedy() {
    let rows: [(&str, &[&str]); 29] = [
        ("format: 2, compare: 1", &["s.ron:3:9: format: the file is of format 2; this carom reads format 1"]),
        ("bse: 1", &["s.ron:3:", "there is no field `bse`", "did you mean `base`?"]),
        ("vary: { \"a\": Range(from: 0, to: 1) }", &["s.ron:3:14: vary[\"a\"]: a range of a `Grid`", "count: 11"]),
        ("vary: { \"a\": Range(from: 1, to: 1, count: 3) }", &["found 1 to 1"]),
        ("vary: { \"a\": LogRange(from: 0, to: 1, count: 3) }", &["must be positive, found 0 to 1"]),
        ("vary: { \"a\": List([]) }", &["there is nothing to choose from"]),
        ("vary: { \"a\": Seeds(count: 0) }", &["there is nothing to choose from"]),
        ("vary: { \"a\": Rnge(from: 0, to: 1) }", &["s.ron:3:", "did you mean `Range`?"]),
        ("vary: { \"a..b\": List([1]) }", &["`a..b` is no path"]),
        ("vary: { \"a\": List([1]), \"a\": List([2]) }", &["`a` is given twice"]),
        (
            "combine: Zip, vary: { \"a\": List([1, 2]), \"b\": List([1]) }",
            &["vary[\"b\"]: a `Zip` takes lists of one length: this one has 1 values, and `a` has 2"],
        ),
        (
            "combine: LatinHypercube(count: 5), vary: { \"a\": Range(from: 0, to: 1, count: 3) }",
            &["a range of a `LatinHypercube` takes no `count`"],
        ),
        ("vary: { \"a\": Seeds(count: 2000), \"b\": Seeds(count: 2000) }", &["4000000 members, more than the 1000000"]),
        (
            "vary: { \"a\": Seeds(count: 3, first: 18446744073709551614) }",
            &["the last seed would be larger than 18446744073709551615", "lower `first`"],
        ),
        ("vary: { \"a\": Seeds(count: 99999999999) }", &["99999999999 members"]),
        ("collect: { \"1st\": Count(kind: Impact) }", &["collect[\"1st\"]: `1st` is no name for a result"]),
        ("collect: { \"status\": Met }", &["collect[\"status\"]: the table already has a column `status`"]),
        ("vary: { \"duration\": List([1]) }, collect: { \"duration\": Met }", &["already has a column `duration`"]),
        (
            "vary: { \"bodies[\\\"a b\\\"].mass\": List([1]), \"bodies[\\\"a_b\\\"].mass\": List([1]) }",
            &["would be one column of the table"],
        ),
        ("collect: { \"n\": Count(kind: Impct) }", &["did you mean `Impact`?"]),
        (
            "collect: { \"n\": Time(kind: Impact, nth: 0) }",
            &["collect[\"n\"].nth: must be a whole number from 1 upwards"],
        ),
        ("collect: { \"n\": Time(kind: Impact, count: 257) }", &["collect[\"n\"].count: must be from 1 to 256"]),
        ("collect: { \"n\": ApproachSpeed(kind: Impact, count: 2), \"n_2\": Met }", &["collect[\"n_2\"]", "`n_2`"]),
        (
            "collect: { \"n\": Count(kind: Impact, bodies: [\"a\", \"b\", \"c\"]) }",
            &["an event has two bodies, found 3"],
        ),
        (
            "collect: { \"n\": Met }, vary: { \"a\": List([1]) }, plots: [(y: \"n\", scale: (0, 1), style: (width: Mm(3)))]",
            &[
                "plots[0].scale: must be two positive numbers",
                "plots[0].style.width: must be a length from 30 to 400 mm",
            ],
        ),
        ("collect: { \"n\": Met }, plots: [(y: \"n\", log_x: true)]", &["there is no field `log_x`"]),
        (
            "collect: { \"n\": Met }, plots: [(y: \"n\", residuals: Relative)]",
            &["plots[0].residuals: `residuals` are differences from a line", "Formula(label:"],
        ),
        ("collect: { \"n\": Met }, plots: [(y: \"m\")]", &["plots[0].y: there is no result `m`"]),
        (
            "vary: { \"abc\": List([1]) }, collect: { \"n\": Met }, plots: [(y: \"n\", x: \"abd\")]",
            &["plots[0].x: there is no varied value `abd`", "did you mean `abc`?"],
        ),
    ];
    for (line, fragments) in rows {
        let message = refused(line);
        for fragment in fragments {
            assert!(message.contains(fragment), "`{fragment}` is missing for\n{line}\nin\n{message}");
        }
    }
}

#[test]
fn a_name_is_short_enough_for_the_file_of_a_plot() {
    let line = |length: usize| format!("collect: {{ \"{}\": Met }}", "n".repeat(length));
    assert!(read_sweep(&Source::new("s.ron", &format!("Sweep(base: \"b.ron\", {})", line(100)))).is_ok());
    assert!(refused(&line(101)).contains("a name of 101 letters is too long"));
}

#[test]
fn what_does_not_fit_the_scenario_is_told_before_anything_runs() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let rows = [
        (
            "vary: { \"bodies.ball.mass\": List([1]), \"bodies[0].mass\": List([2]) }",
            "vary[\"bodies[0].mass\"]: `bodies[0].mass` and `bodies.ball.mass` vary the same value",
        ),
        (
            "vary: { \"bodies.ball.position\": List([(0, 0, 3)]), \"bodies[0].position.z\": List([2]) }",
            "`bodies[0].position.z` and `bodies.ball.position` vary the same value",
        ),
        (
            "vary: { \"bodies.ball.velocity.x\": List([1]), \"bodies[0].velocity[0]\": List([2]) }",
            "`bodies[0].velocity[0]` and `bodies.ball.velocity.x` vary the same value",
        ),
        (
            "vary: { \"bodies.bal.mass\": List([1]) }",
            "s.ron:1:52: vary[\"bodies.bal.mass\"] = 1: there is no `bal` in `bodies`",
        ),
        ("vary: { \"bodies.ball.mass\": List([-1, 1]) }", "vary[\"bodies.ball.mass\"] = -1: must be"),
        ("set: { \"duration\": -1 }", "s.ron:1:44: set[\"duration\"] = -1: must be"),
        (
            "collect: { \"n\": Count(kind: Impact, bodies: [\"bal\"]) }",
            "collect[\"n\"].bodies[0]: there is no body `bal`",
        ),
        ("collect: { \"z\": Final(body: \"bal\", quantity: Z) }", "collect[\"z\"].body: there is no body `bal`"),
        ("collect: { \"t\": Gas(Temperature) }", "this is known only for an observed gas"),
    ];
    for (line, told) in rows {
        bench.write("s.ron", &format!("Sweep(base: \"ball.ron\", {line})"));
        let output = bench.carom(&["sweep", "s.ron"]);
        assert_eq!(code(&output), 2, "{line}: {}", stderr(&output));
        let message = words(&output);
        assert!(message.contains(told), "{told} is not in {message}");
        assert!(!bench.path("output").exists(), "{line}");
    }
    for (base, exit, told) in
        [("nothing.ron", 3, "cannot be read: "), (".", 2, "is a folder, not a file"), ("", 2, "it names no scenario")]
    {
        bench.write("s.ron", &format!("Sweep(\n    base: \"{base}\")"));
        let output = bench.carom(&["sweep", "s.ron"]);
        assert_eq!(code(&output), exit);
        let message = words(&output);
        assert!(message.contains("s.ron:2:11: base: ") && message.contains(told), "{message}");
        assert!(message.contains("from the folder of the sweep"), "{message}");
    }
}
