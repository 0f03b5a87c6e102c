//! Text that comes from outside (titles, names, names of files) on a terminal and in pictures.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A scene of one ball whose name and title stand in the file as they are given here.
fn scene(title: &str, name: &str) -> String {
    format!(
        r#"Scenario(title: "{title}", gravity: (0, 0, -10), timestep: 0.1, duration: 1,
    bodies: [(name: "{name}", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 5))],
    plots: [Height(axis: Z)])"#
    )
}

fn carom(folder: &Path, arguments: &[&OsStr]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

/// Everything that was printed.
fn printed(output: &Output) -> String {
    let bytes = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8(bytes).unwrap()
}

fn is_obeyed(character: char) -> bool {
    (character.is_control() && character != '\n') || ('\u{202a}'..='\u{202e}').contains(&character)
}

fn assert_harmless(text: &str) {
    assert!(!text.chars().any(is_obeyed), "{text:?}");
}

#[test]
fn control_characters_in_titles_and_names_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = |text: &str| {
        fs::write(folder.path().join("bad.ron"), text).unwrap();
        carom(folder.path(), &["run".as_ref(), "bad.ron".as_ref()])
    };
    for bad in ["\\u{1b}[31mred", "\u{1b}[31mred", "a\\nb", "a\\u{0}b", "\u{202e}abc", "a\\u{2028}b", "\u{9b}2J"] {
        for (text, place) in
            [(scene(bad, "ball"), "title: a title must not hold"), (scene("t", bad), "name: a name must not hold")]
        {
            let output = run(&text);
            let said = printed(&output);
            assert_eq!(output.status.code(), Some(2), "{bad:?}: {said}");
            assert_harmless(&said);
            let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(place) && words.contains("remove them"), "{bad:?}: {said}");
            assert!(words.contains("bad.ron:1:17") || words.contains("bad.ron:2:21"), "{bad:?}: {said}");
        }
    }
    assert!(!folder.path().join("output").exists());
}

/// On a terminal errors have colours; there are none here but those that the text brings along.
#[test]
fn no_error_hands_an_escape_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let esc = "\u{1b}[31m";
    let rows = [
        format!("Scenario(timestep: 1, duration: 1, {esc}bodies: [])"),
        format!("Scenario(timestep: 1, duration: 1, bodies: [(shape: Sphere(radius: \"{esc}\"), mass: 1)])"),
        format!("Scenario(timestep: 1, duration: 1, bodies: [(shape: {esc}Sphere(radius: 1), mass: 1)])"),
        format!(
            "Scenario(timestep: 1, duration: 1, bodies: [(shape: Sphere(radius: 1), mass: 1, material: \"{esc}\")])"
        ),
        format!("Scenario(timestep: 1, duration: 1, materials: {{ \"{esc}\": (restitution: 1) }})"),
        format!("Scenario(timestep: 1, duration: 1, layers: [\"{esc}\"])"),
        format!("Scenario(timestep: 1, duration: 1, record: (bodies: [\"{esc}*\"]))"),
        format!("Scenario(timestep: 1, duration: 1, bodies: [(shape: Mesh(file: \"{esc}.obj\"))])"),
        format!("Scenario(timestep: 1, duration: 1, /* {esc} */ gravity: 7)"),
    ];
    for (row, text) in rows.iter().enumerate() {
        fs::write(folder.path().join("bad.ron"), text).unwrap();
        let output = carom(folder.path(), &["check".as_ref(), "bad.ron".as_ref()]);
        assert_eq!(output.status.code(), Some(2), "{row}: {}", printed(&output));
        assert_harmless(&printed(&output));
    }
    for arguments in [["run", "\u{1b}[31m.ron"], ["\u{1b}[31m", "x"], ["plot", "\u{202e}x"], ["replay", "a\u{7}b"]] {
        let output = carom(folder.path(), &arguments.map(OsStr::new));
        assert!(!output.status.success());
        assert_harmless(&printed(&output));
    }
}

/// A file's name cannot be refused; without a title it is the run's.
#[test]
fn names_of_files_are_printed_with_escapes() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\u{1b}[31mb\u{202e}c.ron";
    if fs::write(folder.path().join(name), scene("t", "ball").replace("title: \"t\", ", "")).is_err() {
        // A system that has no such files needs no escapes.
        return;
    }
    for arguments in [vec!["check", name], vec!["list", "."], vec!["run", name]] {
        let output = carom(folder.path(), &arguments.iter().map(OsStr::new).collect::<Vec<_>>());
        let said = printed(&output);
        assert!(output.status.success(), "{said}");
        assert_harmless(&said);
        assert!(said.contains("a\\u{1b}[31mb\\u{202e}c"), "{said}");
    }
    let results = folder.path().join("output").join(name.strip_suffix(".ron").unwrap());
    let svg = fs::read_to_string(results.join("height_z.svg")).unwrap();
    roxmltree::Document::parse(&svg).expect("well-formed XML");
    for arguments in
        [[OsStr::new("plot"), results.as_os_str()], [OsStr::new("replay"), results.join("recording.carom").as_os_str()]]
    {
        let output = carom(folder.path(), &arguments);
        assert!(output.status.success(), "{}", printed(&output));
        assert_harmless(&printed(&output));
    }
}

fn ran(title: &str, name: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("scene.ron"), scene(title, name)).unwrap();
    let output = carom(folder.path(), &["run".as_ref(), "scene.ron".as_ref()]);
    assert!(output.status.success(), "{}", printed(&output));
    let said = String::from_utf8(output.stderr).unwrap();
    (folder, said)
}

#[test]
fn what_the_typeface_lacks_is_said_once_and_named() {
    let (folder, said) = ran("落下 of a ball", "球/مر/😀");
    let warnings: Vec<&str> = said.lines().filter(|line| line.starts_with("warning: ")).collect();
    let [warning] = warnings[..] else { panic!("{said}") };
    for character in ["落", "下", "球", "م", "ر", "😀"] {
        assert!(warning.contains(&format!("`{character}`")), "{warning}");
    }
    assert!(warning.contains("PNG") && !warning.contains("`o`"), "{warning}");
    let svg = fs::read_to_string(folder.path().join("output/scene/height_z.svg")).unwrap();
    assert!(svg.contains("落下 of a ball"));
    let again = carom(folder.path(), &["plot".as_ref(), "output/scene".as_ref()]);
    assert_eq!(String::from_utf8(again.stderr).unwrap().trim_end(), warning);
    let (_, said) = ran("Ein Fall für zwei: Δh ≤ 3 µm", "Жук");
    assert_eq!(said, "");
}

#[test]
fn a_title_of_many_letters_and_a_word_without_end_stay_on_the_page() {
    let (folder, said) = ran(&"m".repeat(500), "ball");
    assert_eq!(said, "");
    let svg = fs::read_to_string(folder.path().join("output/scene/height_z.svg")).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let texts: Vec<&str> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .map(str::trim)
        .collect();
    let lines: Vec<&&str> = texts.iter().filter(|text| text.starts_with("mmm")).collect();
    assert!(lines.len() > 3 && lines.iter().all(|line| line.len() < 200), "{lines:?}");
    assert_eq!(lines.iter().map(|line| line.len()).sum::<usize>(), 500);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("long.ron"), scene(&"m".repeat(501), "ball")).unwrap();
    let output = carom(folder.path(), &["check".as_ref(), "long.ron".as_ref()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(printed(&output).contains("a title must not be longer than 500 characters"), "{}", printed(&output));
}
