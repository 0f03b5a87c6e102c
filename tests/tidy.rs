//! The rules of the house that a compiler does not check.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the bottom up. A file may use only what stands before its own.
const LAYERS: [&str; 11] =
    ["numeric", "geometry", "motion", "sweep", "dynamics", "world", "scenario", "record", "report", "cli", "main"];

/// The layers that must give the same bits everywhere.
const EXACT: usize = 5;

struct File {
    path: PathBuf,
    layer: usize,
    text: String,
}

impl File {
    /// The code without comments and without its unit tests.
    fn code(&self) -> String {
        let text = self.text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let uncommented = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
        text.lines().map(uncommented).collect::<Vec<_>>().join("\n")
    }
}

fn files() -> Vec<File> {
    let mut paths = Vec::new();
    collect(Path::new("src"), &mut paths);
    let named = |path: PathBuf| {
        let first = path.iter().nth(1).unwrap().to_str().unwrap();
        let layer = LAYERS.iter().position(|&layer| first.trim_end_matches(".rs") == layer)?;
        Some(File { text: fs::read_to_string(&path).unwrap(), path, layer })
    };
    let files: Vec<File> = paths.into_iter().filter_map(named).collect();
    assert!(files.len() > 50, "the walk over src found {}", files.len());
    files
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn every_folder_is_a_layer_and_every_layer_a_folder() {
    let mut found: Vec<String> =
        fs::read_dir("src").unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    found.sort();
    let mut wanted: Vec<String> = LAYERS[..10].iter().map(|&layer| layer.to_owned()).collect();
    wanted.extend(["lib.rs".to_owned(), "main.rs".to_owned()]);
    wanted.sort();
    assert_eq!(found, wanted);
}

#[test]
fn imports_go_downwards_only() {
    for file in files() {
        let code = file.code();
        for (rank, layer) in LAYERS.iter().enumerate().skip(file.layer + 1) {
            let upwards = code.contains(&format!("crate::{layer}::")) || code.contains(&format!("crate::{layer};"));
            assert!(!upwards, "{} ({}) uses {} ({rank})", file.path.display(), file.layer, layer);
        }
    }
}

#[test]
fn every_dependency_lives_in_its_room() {
    let rooms: [(&str, &[&str]); 18] = [
        ("hecs", &["world"]),
        ("plotters", &["report"]),
        ("clap", &["cli"]),
        ("clap_complete", &["cli"]),
        ("clap_mangen", &["cli"]),
        ("indicatif", &["cli"]),
        ("signal_hook", &["cli"]),
        ("tempfile", &["cli"]),
        ("ron", &["scenario"]),
        ("tobj", &["scenario"]),
        ("stl_io", &["scenario"]),
        ("rand_chacha", &["scenario"]),
        ("csv", &["record"]),
        ("ryu", &["record"]),
        ("parquet", &["record"]),
        ("blake3", &["record"]),
        ("postcard", &["record"]),
        ("serde", &["motion", "dynamics", "world", "scenario", "record"]),
    ];
    for file in files() {
        let code = file.code();
        for (dependency, layers) in rooms {
            let at_home = layers.contains(&LAYERS[file.layer]);
            let used = code.contains(&format!("use {dependency}::")) || code.contains(&format!(" {dependency}::"));
            assert!(at_home || !used, "{} uses {dependency}", file.path.display());
        }
    }
}

#[test]
fn exact_layers_use_only_what_is_the_same_everywhere() {
    let banned = [
        "mul_add",
        "HashMap",
        "HashSet",
        "Instant",
        "SystemTime",
        "thread_rng",
        "f32",
        ".sin(",
        ".cos(",
        ".tan(",
        ".exp(",
        ".ln(",
        ".powf(",
        ".powi(",
        ".cbrt(",
        ".hypot(",
        ".atan2(",
        ".acos(",
        ".asin(",
        "rayon",
        ".log",
        "normalize(",
        "println!",
        "dbg!",
    ];
    for file in files().iter().filter(|file| file.layer < EXACT) {
        // Writing into the log of events is not a logarithm.
        let code = file.code().replace("self.log(", "").replace("self.log_", "");
        for word in banned {
            assert!(!code.contains(word), "{} says `{word}`", file.path.display());
        }
    }
}

#[test]
fn tolerances_live_in_one_file() {
    for file in files().iter().filter(|file| file.layer < EXACT && !file.path.ends_with("tolerance.rs")) {
        let code = file.code();
        // What stands between quotes is a message.
        let outside_strings: String = code.split('"').step_by(2).collect();
        let small = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains("e-");
        let words = outside_strings.split(|c: char| !c.is_alphanumeric() && !".-_".contains(c));
        let literal = words.into_iter().find(|word| small(word));
        let ranges = file.path.ends_with("quantity.rs");
        assert!(ranges || literal.is_none(), "{} has the literal {literal:?}", file.path.display());
        assert!(!outside_strings.contains("f64::EPSILON"), "{}", file.path.display());
    }
}

#[test]
fn files_and_functions_stay_short() {
    for file in files() {
        let lines = file.text.lines().count();
        assert!(lines <= 400, "{} has {lines} lines", file.path.display());
        let mut start = None;
        for (row, line) in file.text.lines().enumerate() {
            let indent = line.len() - line.trim_start().len();
            if line.trim_start().split(' ').any(|word| word == "fn") && line.trim_end().ends_with('{') {
                start = Some((row, indent));
            }
            if let Some((first, depth)) = start
                && line.trim() == "}"
                && indent == depth
            {
                assert!(row - first < 70, "{}:{} has {} lines", file.path.display(), first + 1, row - first + 1);
                start = None;
            }
        }
    }
}

#[test]
fn every_module_says_what_it_answers() {
    for file in files() {
        assert!(file.text.starts_with("//! "), "{} does not open with a sentence", file.path.display());
    }
}

#[test]
fn the_changelog_knows_this_version() {
    let heading = format!("## {}", env!("CARGO_PKG_VERSION"));
    let changelog = fs::read_to_string("CHANGELOG.md").unwrap();
    assert_eq!(changelog.lines().filter(|line| line.starts_with(&heading)).count(), 1);
}
