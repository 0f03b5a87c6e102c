//! What a new user types: help, lists, a first scenario, completions and manual pages.

use std::fs;
use std::path::Path;

use super::bench::{Bench, code, stderr, stdout};

/// The commands below other commands, such as `sweep merge`.
pub(super) const NESTED: [&str; 6] =
    ["sweep-merge", "oracle-list", "oracle-scene", "oracle-schema", "oracle-judge", "oracle-casts"];

pub(super) const COMMANDS: [&str; 19] = [
    "oracle",
    "compare",
    "run",
    "sweep",
    "check",
    "plot",
    "report",
    "export",
    "film",
    "import",
    "replay",
    "bisect",
    "diff",
    "query",
    "list",
    "new",
    "completions",
    "man",
    "help",
];

#[test]
fn every_scenario_that_the_help_names_is_there() {
    let bench = Bench::new();
    let helps = COMMANDS.map(|command| bench.carom(&[command, "--help"]));
    let mut named = 0;
    for help in helps.iter().chain([&bench.carom(&["--help"])]) {
        assert_eq!(code(help), 0, "{}", stderr(help));
        let text = stdout(help);
        let words = text.split(|c: char| c.is_whitespace() || "`()[]\",".contains(c));
        for word in words.filter(|word| word.starts_with("scenarios/") && word.ends_with(".ron") && !word.contains('*'))
        {
            assert!(Path::new(word).exists(), "the help names {word}");
            named += 1;
        }
        // The results of an existing scenario.
        for run in text
            .split("output/")
            .skip(1)
            .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
        {
            // `carom new` makes my.ron.
            assert!(
                run == "my"
                    || ["scenarios", "scenarios/studies"]
                        .iter()
                        .any(|f| Path::new(f).join(format!("{run}.ron")).exists()),
                "the help names output/{run}"
            );
        }
    }
    assert!(named > 8, "{named}");
}

#[test]
fn the_questions_in_the_help_can_be_asked() {
    let bench = Bench::new();
    let text = stdout(&bench.carom(&["query", "--help"]));
    let examples: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("carom query ")).collect();
    assert_eq!(examples.len(), 5);
    for example in examples {
        let mut words: Vec<String> = example.split(' ').map(str::to_owned).collect();
        words[0] = fs::canonicalize(&words[0]).unwrap().display().to_string();
        let words: Vec<&str> = [vec!["query"], words.iter().map(String::as_str).collect()].concat();
        let output = bench.carom(&words);
        assert_eq!(code(&output), 0, "{example}: {}", stderr(&output));
        assert_ne!(stdout(&output), "nothing\n", "{example}");
    }
}

#[test]
fn help_can_be_asked_for_in_every_way() {
    let bench = Bench::new();
    let whole = stdout(&bench.carom(&["--help"]));
    assert_eq!(stdout(&bench.carom(&["help"])), whole);
    for command in COMMANDS {
        assert!(whole.contains(&format!("\n  {command} ")), "{command}");
        let [asked, told] = [&["help", command], &[command, "--help"]].map(|words| bench.carom(words));
        assert_eq!((code(&asked), stdout(&asked)), (0, stdout(&told)), "{command}: {}", stderr(&asked));
    }
    assert_eq!(code(&bench.carom(&["help", "--help"])), 0);
    for code in ["0 all is well", "1 an expectation", "2 bad input", "3 a file", "130 interrupted", "143 by another"] {
        assert!(whole.contains(code), "{code}: {whole}");
    }
    let output = bench.carom(&["help", "rum"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("'rum'") && stderr(&output).contains("'run'"), "{}", stderr(&output));
}

#[test]
fn a_list_without_a_folder_of_scenarios_says_what_to_do() {
    let bench = Bench::new();
    let output = bench.carom(&["list"]);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    let said = stdout(&output);
    assert!(
        said.contains("no folder `scenarios` here") && said.contains("carom list DIR") && said.contains("carom new"),
        "{said}"
    );
    assert_eq!(code(&bench.carom(&["list", "scenarios"])), 3, "one that is named must be there");
}

#[test]
fn a_new_scenario_is_sound_and_runs_and_replaces_nothing() {
    let bench = Bench::new();
    for (name, file) in [("first", "first.ron"), ("second.ron", "second.ron")] {
        let output = bench.carom(&["new", name]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        assert!(stdout(&output).contains(&format!("carom run {file}")), "{}", stdout(&output));
        let output = bench.carom(&["check", file]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let output = bench.carom(&["run", file]);
        assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    }
    bench.write("mine.ron", "mine");
    let output = bench.carom(&["new", "mine"]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(
        stderr(&output).contains("mine.ron") && stderr(&output).contains("choose another name"),
        "{}",
        stderr(&output)
    );
    assert_eq!(bench.read("mine.ron"), "mine");
    for name in ["my.scene", "..", "missing/my.ron"] {
        let output = bench.carom(&["new", name]);
        assert!(matches!(code(&output), 2 | 3), "{name}");
        assert!(stderr(&output).contains(name), "{name}: {}", stderr(&output));
    }
    let entries = fs::read_dir(bench.path("")).unwrap().count();
    assert_eq!(entries, 4, "three scenarios and their results");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = bench.carom(&["completions", shell]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        for word in COMMANDS.iter().chain(&["resume", "half-extents"]) {
            assert!(stdout(&output).contains(word), "{shell} does not know {word}");
        }
    }
    let output = bench.carom(&["completions", "cmd"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("bash"), "{}", stderr(&output));

    let page = bench.carom(&["man"]);
    assert!(code(&page) == 0 && stdout(&page).contains(".TH carom 1"), "{}", stdout(&page));
    let output = bench.carom(&["man", "--output", "share/man1"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().count(), 1 + COMMANDS.len() + NESTED.len(), "one for the program");
    assert_eq!(bench.read("share/man1/carom.1"), stdout(&page));
    for command in COMMANDS.iter().chain(&NESTED) {
        let text = bench.read(&format!("share/man1/carom-{command}.1"));
        assert!(text.contains(&format!(".TH carom-{command} 1")), "{text}");
    }
    assert!(bench.read("share/man1/carom-run.1").contains("resume"));
    assert!(stdout(&page).contains(".SH EXAMPLES\n.nf\nExamples:\n  carom new"), "{}", stdout(&page));
}
