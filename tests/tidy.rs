//! The rules of the source tree that the compiler does not check.

mod house;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use house::api::public_items;
use house::circles::{Circle, circles, room};
use house::constants::constants;
use house::exceptions::{MEANT, SAID};
use house::functions::functions;
use house::imports::Imports;
use house::tree::{File, sources};

/// The layers from the bottom up. A file may use only the layers before its own.
const LAYERS: [&str; 13] = [
    "numeric", "geometry", "motion", "sweep", "dynamics", "world", "scenario", "record", "study", "oracle", "report",
    "cli", "main",
];

/// The number of layers, from the bottom up, that must give the same bits on every platform.
const EXACT: usize = 5;

/// Maximum number of lines of a file, and of a function with its signature.
const FILE_LINES_MAX: usize = 400;
const FUNCTION_LINES_MAX: usize = 70;

/// Maximum number of characters of a line. `cargo fmt` sees to code, not to comments.
const WIDTH_MAX: usize = 120;

/// The public items of the library.
const API: &str = "tests/api.txt";

/// Maximum number of files directly in one folder.
const LOOSE_MAX: usize = 12;

/// Maximum number of lines of code of each room, with its unit tests, without blank lines and comments. A ceiling sinks
/// with what is taken away. It rises only with a feature, by what that feature needs, in the same commit.
const CEILINGS: [(&str, usize); 19] = [
    ("src/numeric", 1_365),
    ("src/geometry", 5_390),
    ("src/motion", 604),
    ("src/sweep", 1_808),
    ("src/dynamics/contact", 2_182),
    ("src/dynamics/solver", 1_247),
    ("src/dynamics/time_stepping", 3_775),
    ("src/dynamics/impact", 1_235),
    ("src/dynamics/prediction", 2_246),
    ("src/dynamics/broadphase", 3_252),
    ("src/dynamics/gas", 1_750),
    ("src/dynamics", 22_432),
    ("src/world", 1_471),
    ("src/scenario", 10_665),
    ("src/record", 11_090),
    ("src/study", 939),
    ("src/oracle", 2_895),
    ("src/report", 13_695),
    ("src/cli", 4_747),
];

/// Maximum number of constants that decide on contacts and time steps.
const CONTACT_CONSTANTS_MAX: usize = 59;

/// The source files that belong to a layer.
fn files() -> Vec<File> {
    sources().into_iter().filter(|file| rank(file.layer()).is_some()).collect()
}

/// The index of a layer, from the bottom up.
fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|&other| other == layer)
}

fn is_exact(file: &File) -> bool {
    rank(file.layer()).is_some_and(|rank| rank < EXACT)
}

#[test]
fn every_folder_is_a_layer_and_every_layer_a_folder() {
    let mut found: Vec<String> =
        fs::read_dir("src").unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    found.sort();
    let mut wanted: Vec<String> = LAYERS[..12].iter().map(|&layer| layer.to_owned()).collect();
    wanted.extend(["lib.rs".to_owned(), "main.rs".to_owned()]);
    wanted.sort();
    assert_eq!(found, wanted);
}

#[test]
fn imports_go_downwards_only() {
    let files = sources();
    let imports = Imports::new(&files);
    for (place, file) in files.iter().enumerate() {
        let Some(own) = rank(file.layer()) else { continue };
        let uses = imports.uses(place);
        for (&other, names) in &uses.of {
            let other = &files[other];
            let upwards = rank(other.layer()).is_some_and(|rank| rank > own);
            assert!(!upwards, "{} uses {names:?} of {}, which is above it", file.name(), other.name());
        }
        let above = uses.layers.iter().find(|layer| rank(layer).is_some_and(|rank| rank > own));
        assert!(above.is_none(), "{} names the layer {above:?}, which is above it", file.name());
    }
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    assert_none(&circles(&sources(), |file| Some(file.name())));
}

#[test]
fn no_rooms_use_each_other_in_a_circle() {
    assert_none(&circles(&sources(), room));
}

fn assert_none(circles: &[Circle]) {
    let found: Vec<String> =
        circles.iter().map(|circle| format!("{:#?}\n{}", circle.parts, circle.ties.join("\n"))).collect();
    assert!(
        found.is_empty(),
        "these use each other; move what is shared below those that share it:\n{}",
        found.join("\n\n")
    );
}

#[test]
fn no_folder_is_a_heap_of_files() {
    let mut loose: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for file in files() {
        *loose.entry(file.path.parent().unwrap().to_owned()).or_default() += 1;
    }
    for (folder, count) in loose {
        assert!(count <= LOOSE_MAX, "{} holds {count} loose files: at most {LOOSE_MAX}", folder.display());
    }
}

/// The layers that may use each library. A library in few layers is easier to replace.
const ROOMS: [(&str, &[&str]); 44] = [
    ("glam", &["geometry", "motion", "sweep", "dynamics", "world", "scenario", "record", "oracle", "report", "cli"]),
    (
        "thiserror",
        &[
            "numeric", "geometry", "motion", "dynamics", "world", "scenario", "record", "study", "oracle", "report",
            "cli",
        ],
    ),
    ("serde", &["numeric", "geometry", "motion", "dynamics", "world", "scenario", "record", "study", "oracle"]),
    ("pulp", &["numeric", "dynamics"]),
    ("prefetch-index", &["dynamics"]),
    ("smallvec", &["numeric", "geometry", "dynamics"]),
    ("hecs", &["world"]),
    ("miette", &["scenario", "record", "study", "oracle", "report", "cli"]),
    ("libm", &["scenario", "record", "report"]),
    ("ron", &["scenario"]),
    ("serde_path_to_error", &["scenario"]),
    ("tobj", &["scenario"]),
    ("stl_io", &["scenario"]),
    ("rand_chacha", &["scenario", "oracle"]),
    ("strsim", &["scenario"]),
    ("serde_json", &["record", "study", "oracle", "report"]),
    ("csv", &["scenario", "record", "report"]),
    ("ryu", &["record"]),
    ("parquet", &["record"]),
    ("blake3", &["record", "study"]),
    ("twox-hash", &["record"]),
    ("lz4_flex", &["record", "report"]),
    ("postcard", &["record", "study"]),
    ("rayon", &["study", "report"]),
    ("plotters", &["report"]),
    ("ab_glyph", &["report"]),
    ("png", &["report"]),
    ("gif", &["report"]),
    ("pdf-writer", &["report"]),
    ("miniz_oxide", &["report"]),
    ("maud", &["report"]),
    ("sha2", &["report"]),
    ("base64", &["record", "report"]),
    ("roxmltree", &["record"]),
    ("flate2", &["record"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("indicatif", &["cli"]),
    ("signal-hook", &["cli"]),
    ("tempfile", &["cli"]),
    ("supports-unicode", &["cli"]),
    ("terminal_size", &["cli"]),
    ("textwrap", &["cli"]),
];

#[test]
fn every_dependency_lives_in_its_room() {
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let names = section.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()));
    let mut dependencies: Vec<&str> = names.map(|line| line.split([' ', '=', '.']).next().unwrap()).collect();
    let mut listed: Vec<&str> = ROOMS.iter().map(|(dependency, _)| *dependency).collect();
    dependencies.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, dependencies, "each dependency has its row in the table of rooms, and each row its dependency");
    let files = sources();
    let imports = Imports::new(&files);
    for (place, file) in files.iter().enumerate().filter(|(_, file)| rank(file.layer()).is_some()) {
        let libraries = imports.uses(place).libraries;
        for (dependency, layers) in ROOMS {
            let used = libraries.contains(&dependency.replace('-', "_"));
            assert!(!used || layers.contains(&file.layer()), "{} uses {dependency}", file.name());
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
        ".log(",
        ".log2(",
        ".log10(",
        "normalize(",
        "println!",
        "dbg!",
    ];
    for file in files().iter().filter(|file| is_exact(file)) {
        let code = file.plain_code();
        for word in banned {
            let is_meant = SAID.iter().any(|said| said.0 == file.name() && said.1 == word);
            assert_eq!(code.contains(word), is_meant, "{} says `{word}`, or no longer does", file.name());
        }
    }
}

/// No number outside the folder of tolerances affects a result.
#[test]
fn tolerances_live_in_one_folder() {
    let is_tolerances = |file: &File| file.path.parent().is_some_and(|folder| folder.ends_with("numeric/tolerance"));
    let mut meant = Vec::new();
    for file in files().iter().filter(|file| is_exact(file) && !is_tolerances(file) && !file.path.ends_with("tests.rs"))
    {
        for found in constants(file) {
            let name = file.name();
            let row = MEANT.iter().position(|(place, what, _)| name == *place && found.what == *what);
            match row {
                Some(row) => meant.push(row),
                None => panic!("{name}:{}: `{}` belongs into src/numeric/tolerance", found.line, found.what),
            }
        }
    }
    meant.sort_unstable();
    meant.dedup();
    assert_eq!(meant, (0..MEANT.len()).collect::<Vec<_>>(), "each row of MEANT is there");
}

#[test]
fn files_and_functions_stay_short() {
    for file in files() {
        let lines = file.text.lines().count();
        assert!(lines <= FILE_LINES_MAX, "{} has {lines} lines", file.name());
        for (line, name, lines) in functions(&file) {
            assert!(lines <= FUNCTION_LINES_MAX, "{}:{line}: {name} has {lines} lines", file.name());
        }
    }
}

#[test]
fn comments_are_as_narrow_as_code() {
    let may_be_wide = |text: &str| {
        text.contains("](") || text.contains("http") || text.starts_with("//! |") || text.starts_with("/// |")
    };
    for file in files() {
        for (at, line) in file.text.lines().enumerate() {
            let text = line.trim_start();
            let wide = text.starts_with("//") && line.chars().count() > WIDTH_MAX && !may_be_wide(text);
            assert!(!wide, "{}:{}: a comment of more than {WIDTH_MAX} characters", file.name(), at + 1);
        }
    }
}

#[test]
fn rooms_do_not_grow() {
    let files = files();
    for (room, most) in CEILINGS {
        let inside = files.iter().filter(|file| file.path.starts_with(room));
        let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//");
        let lines: usize = inside.map(|file| file.text.lines().map(str::trim).filter(is_code).count()).sum();
        assert!(lines > 0 && lines <= most, "{room} has {lines} lines of code, and its ceiling is {most}");
    }
    let contact = files.iter().find(|file| file.path.ends_with("numeric/tolerance/contact.rs")).unwrap();
    let constants = contact.text.lines().filter(|line| line.starts_with("pub const ")).count();
    assert!((1..=CONTACT_CONSTANTS_MAX).contains(&constants), "{constants} constants for contacts");
}

/// A change of the public face is seen in the file `tests/api.txt`. `CAROM_UPDATE=1` writes it anew.
#[test]
fn the_public_face_is_the_written_one() {
    let found: String = public_items(&sources()).into_iter().map(|line| line + "\n").collect();
    if std::env::var_os("CAROM_UPDATE").is_some_and(|value| value == "1") {
        fs::write(API, &found).unwrap();
    }
    let written = fs::read_to_string(API).unwrap();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (gone, new) = (&lines(&written) - &lines(&found), &lines(&found) - &lines(&written));
    assert!(
        gone.is_empty() && new.is_empty(),
        "gone: {gone:#?}\nnew: {new:#?}\nif this is meant, `CAROM_UPDATE=1 cargo test --test tidy` writes {API} anew"
    );
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
