//! What a reader sees: verdicts, colours, and lines that fit on a terminal.

use super::beginning::{COMMANDS, NESTED};
use super::bench::{BALL, Bench, code, stderr, stdout};

/// The ball with an expectation that is not met.
fn hopeful() -> String {
    BALL.replace("Impacts(exactly: 1)", "Impacts(exactly: 2)")
}

#[test]
fn the_verdict_is_the_last_line_and_what_failed_stands_above_it() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    bench.write("hopeful.ron", &hopeful());
    bench.write("idle.ron", &BALL.replace("expect: [Impacts(exactly: 1), EnergyDrift(below: 1e-14)],", ""));
    bench.write("typo.ron", "Scenario(");
    let rows: [(&[&str], i32, &[&str]); 4] = [
        (&["ball.ron"], 0, &["ok: ball: 2 of 2 expectations met"]),
        (&["idle.ron"], 0, &["ok: idle: finished; the scenario has no expectations"]),
        (
            &["hopeful.ron"],
            1,
            &["  not met      exactly 2 impact events (found 1)", "FAILED: hopeful: 1 of 2 expectations met"],
        ),
        (
            &["hopeful.ron", "typo.ron", "ball.ron", "idle.ron"],
            2,
            &[
                "",
                "  ok: ball     2 of 2 expectations met",
                "  ok: idle     finished; the scenario has no expectations",
                "  FAILED: hopeful  1 of 2 expectations met",
                "      exactly 2 impact events (found 1)",
                "  FAILED: typo     no result, see above",
                "FAILED: 2 of 4 runs failed: hopeful, typo",
            ],
        ),
    ];
    for (files, wanted, last) in rows {
        let output = bench.carom(&[&["run"], files].concat());
        assert_eq!(code(&output), wanted, "{}", stderr(&output));
        let said = stdout(&output);
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines.ends_with(last), "{files:?}:\n{said}");
        assert!(!said.contains(['\u{1b}', '✓', '✗']), "{said}");
    }
    let quiet = bench.carom(&["run", "ball.ron", "idle.ron", "--quiet"]);
    assert_eq!((code(&quiet), stdout(&quiet), stderr(&quiet)), (0, String::new(), String::new()));
}

#[test]
fn several_files_that_are_checked_end_with_a_verdict_on_all() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    bench.write("typo.ron", "Scenario(");
    let last = |files: &[&str]| {
        let output = bench.carom(&[&["check"], files].concat());
        (code(&output), stdout(&output).lines().last().unwrap_or_default().to_owned())
    };
    assert_eq!(last(&["ball.ron", "ball.ron"]), (0, "2 of 2 files are valid".to_owned()));
    assert_eq!(last(&["typo.ron", "ball.ron"]), (2, "1 of 2 files are not valid: typo.ron".to_owned()));
    assert_eq!(last(&["typo.ron"]), (2, String::new()));
}

#[test]
fn the_environment_decides_on_colours() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    bench.write("hopeful.ron", &hopeful());
    bench.write("typo.ron", "Scenario(gravitty: 1)");
    let run = |file: &str, variables: &[(&str, &str)]| {
        let mut command = bench.command(&["run", file]);
        command.env_remove("NO_COLOR").env("LC_ALL", "C.UTF-8").env("TERM", "xterm").envs(variables.iter().copied());
        let output = command.output().unwrap();
        (stdout(&output), stderr(&output))
    };
    let last = |file: &str, variables: &[(&str, &str)]| run(file, variables).0.lines().last().unwrap().to_owned();
    let forced = ("CLICOLOR_FORCE", "1");
    assert_eq!(last("ball.ron", &[]), "ok: ball: 2 of 2 expectations met");
    assert_eq!(last("ball.ron", &[forced]), "\u{1b}[1m\u{1b}[32m✓\u{1b}[0m ball: 2 of 2 expectations met");
    assert_eq!(last("hopeful.ron", &[forced]), "\u{1b}[1m\u{1b}[31m✗\u{1b}[0m hopeful: 1 of 2 expectations met");
    assert_eq!(last("ball.ron", &[forced, ("NO_COLOR", "1")]), "✓ ball: 2 of 2 expectations met");
    assert!(run("hopeful.ron", &[forced]).1.contains("\u{1b}[31merror:\u{1b}[0m hopeful.ron"));
    assert!(run("typo.ron", &[forced]).1.contains('\u{1b}'));
    for file in ["hopeful.ron", "typo.ron"] {
        let said = run(file, &[]).1;
        assert!(!said.contains('\u{1b}') && said.is_ascii(), "{said}");
    }
}

/// How many there are comes last, because what is first scrolls away.
#[test]
fn errors_are_counted_at_the_end() {
    let bench = Bench::new();
    let bad = "Scenario(timestep: -1, duration: 1, bodies: [(name: \"ball\", shape: Sphere(radius: 0.5), mass: -1)])";
    bench.write("typo.ron", bad);
    let said = stderr(&bench.carom(&["check", "typo.ron"]));
    assert!(said.trim_end().ends_with("typo.ron has 2 problems"), "{said}");
    assert!(said.find("mass").unwrap() < said.find("has 2 problems").unwrap(), "{said}");
    assert_eq!(said.matches("has 2 problems").count(), 1, "{said}");
}

#[test]
fn only_the_pictures_that_are_asked_for_are_drawn_and_listed() {
    let bench = Bench::new();
    bench.write("ball.ron", &BALL.replace("[Path(plane: XZ), Height(axis: Z), Energy, Impacts]", "[Energy, Impacts]"));
    bench.write("page.ron", &BALL.replace("plots: [", "style: (formats: [Pdf]), plots: ["));
    let rows: [(&[&str], &[&str], &str); 5] = [
        (
            &["ball.ron"],
            &["energy.png", "energy.svg", "impacts.png", "impacts.svg"],
            "energy.svg, .png, impacts.svg, .png",
        ),
        (&["ball.ron", "--pictures", "svg"], &["energy.svg", "impacts.svg"], "energy.svg, impacts.svg"),
        (
            &["ball.ron", "--pictures", "png,pdf"],
            &["energy.pdf", "energy.png", "impacts.pdf", "impacts.png"],
            "energy.png, .pdf,",
        ),
        (&["ball.ron", "--no-pictures"], &[], "trajectory.csv"),
        (
            &["page.ron"],
            &["energy.pdf", "height_z.pdf", "impacts.pdf", "path_xz.pdf"],
            "path_xz.pdf, height_z.pdf, energy.pdf, impacts.pdf",
        ),
    ];
    for (arguments, wanted, listed) in rows {
        let output = bench.carom(&[&["run"], arguments].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let mut files = bench.output_files(arguments[0].trim_end_matches(".ron"));
        files.retain(|file| ["svg", "png", "pdf"].iter().any(|ending| file.ends_with(ending)));
        assert_eq!(files, wanted, "{arguments:?}");
        let said = stdout(&output).replace('\n', " ");
        assert!(said.contains(listed), "{said}");
    }
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--no-pictures", "--pictures", "svg"])), 2);
}

#[test]
fn a_list_names_its_folder_once() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("scenarios")).unwrap();
    bench.write("scenarios/ball.ron", BALL);
    bench.write("scenarios/other_ball.ron", BALL);
    let wanted = "scenarios:\n  ball.ron        A ball on a floor\n  other_ball.ron  A ball on a floor\n";
    assert_eq!(stdout(&bench.carom(&["list"])), wanted);
}

/// Only a line of one word is wider than the terminal: a word is never broken.
#[test]
fn help_fits_on_every_terminal() {
    let bench = Bench::new();
    let nested = NESTED.map(|command| command.replace('-', " "));
    for width in [60, 80, 120, 200] {
        for name in [""].into_iter().chain(COMMANDS).chain(nested.iter().map(String::as_str)) {
            let words: Vec<&str> = name.split(' ').filter(|word| !word.is_empty()).chain(["--help"]).collect();
            let help = stdout(&bench.command(&words).env("COLUMNS", width.to_string()).output().unwrap());
            assert!(help.contains("Usage: carom"), "{help}");
            for line in help.lines().filter(|line| line.chars().count() > width) {
                assert_eq!(line.trim().split(' ').count(), 1, "{name} at {width}: {line}");
            }
        }
    }
}
