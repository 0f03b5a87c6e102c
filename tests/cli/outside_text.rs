//! Text from outside (titles, names, file names) on a terminal and in pictures.

use std::fs;

use super::bench::{Bench, code, printed, stderr, words};

/// A scene with one ball. The file contains the title and the name exactly as given here.
fn scene(title: &str, name: &str) -> String {
    format!(
        r#"Scenario(title: "{title}", gravity: (0, 0, -10), timestep: 0.1, duration: 1,
    bodies: [(name: "{name}", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 5))],
    plots: [Height(axis: Z)])"#
    )
}

fn is_obeyed(character: char) -> bool {
    (character.is_control() && character != '\n') || ('\u{202a}'..='\u{202e}').contains(&character)
}

fn assert_harmless(text: &str) {
    assert!(!text.chars().any(is_obeyed), "{text:?}");
}

#[test]
fn control_characters_in_titles_and_names_are_refused() {
    let bench = Bench::new();
    for bad in ["\\u{1b}[31mred", "\u{1b}[31mred", "a\\nb", "a\\u{0}b", "\u{202e}abc", "a\\u{2028}b", "\u{9b}2J"] {
        for (text, place) in
            [(scene(bad, "ball"), "title: a title must not hold"), (scene("t", bad), "name: a name must not hold")]
        {
            bench.write("bad.ron", &text);
            let output = bench.carom(&["run", "bad.ron"]);
            assert_eq!(code(&output), 2, "{bad:?}: {}", printed(&output));
            assert_harmless(&printed(&output));
            let said = words(&output);
            assert!(said.contains(place) && said.contains("remove them"), "{bad:?}: {said}");
            assert!(said.contains("bad.ron:1:17") || said.contains("bad.ron:2:21"), "{bad:?}: {said}");
        }
    }
    assert!(!bench.path("output").exists());
}

/// Error messages contain no escape sequence from the input. On a real terminal they are coloured, but not here.
#[test]
fn no_error_hands_an_escape_to_the_terminal() {
    let bench = Bench::new();
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
        bench.write("bad.ron", text);
        let output = bench.carom(&["check", "bad.ron"]);
        assert_eq!(code(&output), 2, "{row}: {}", printed(&output));
        assert_harmless(&printed(&output));
    }
    for arguments in [["run", "\u{1b}[31m.ron"], ["\u{1b}[31m", "x"], ["plot", "\u{202e}x"], ["replay", "a\u{7}b"]] {
        let output = bench.carom(&arguments);
        assert!(!output.status.success());
        assert_harmless(&printed(&output));
    }
}

/// A line break in an argument is escaped: otherwise the text after it could look like a message of carom.
#[test]
fn no_argument_begins_a_line() {
    let bench = Bench::new();
    bench.write("ball.ron", &scene("t", "ball"));
    let rows: [&[&str]; 12] = [
        &["run", "a\nerror: b.ron"],
        &["run", "ball.ron", "--until", "1\nerror: 2"],
        &["run", "ball.ron", "--output", "ball.ron/\nerror: b"],
        &["run", "--resume", "a\nerror: b"],
        &["run", "a\nerror: b/c.ron", "d/c.ron"],
        &["run", "a\nerror: b/...ron"],
        &["query", "ball.ron", "--nearest", "1,\nerror:,3"],
        &["query", "ball.ron", "--\nerror:"],
        &["a\nerror: b"],
        &["new", "a\nerror: b.obj"],
        &["man", "--output", "ball.ron/\nerror: b"],
        &["list", "a\nerror: b"],
    ];
    for arguments in rows {
        let output = bench.carom(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        let said = printed(&output);
        assert!(said.contains("\\nerror:"), "{arguments:?}: {said}");
        assert!(!said.lines().skip(1).any(|line| line.starts_with("error:")), "{arguments:?}: {said}");
    }
}

/// carom cannot refuse a file name, and a scenario without a title is named after its file.
#[test]
fn names_of_files_are_printed_with_escapes() {
    for (stem, shown) in [("a\u{1b}[31mb\u{202e}c", "a\\u{1b}[31mb\\u{202e}c"), ("a\nerror: b", "a\\nerror: b")] {
        let bench = Bench::new();
        let file = format!("{stem}.ron");
        if fs::write(bench.path(&file), scene("t", "ball").replace("title: \"t\", ", "")).is_err() {
            // This system does not permit such file names, so there is nothing to test.
            return;
        }
        let new = format!("{stem} new");
        let (results, pages) = (format!("output/{stem}"), format!("{stem} pages"));
        let recording = format!("{results}/recording.carom");
        let rows: [&[&str]; 9] = [
            &["check", &file],
            &["list", "."],
            &["run", &file, "--until", "0.5"],
            &["run", "--resume", &results],
            &["run", &file],
            &["plot", &results],
            &["replay", &recording],
            &["new", &new],
            &["man", "--output", &pages],
        ];
        for arguments in rows {
            let output = bench.carom(arguments);
            let said = printed(&output);
            assert!(output.status.success(), "{arguments:?}: {said}");
            assert_harmless(&said);
            assert!(said.contains(shown), "{arguments:?}: {said}");
            assert!(!said.lines().any(|line| line.starts_with("error:")), "{arguments:?}: {said}");
        }
        assert_eq!(code(&bench.carom(&["run", &file, "--until", "0.5", "--quiet"])), 0);
        let refused = bench.carom(&["run", &file]);
        let command = format!("carom run --resume 'output/{shown}'");
        assert!(stderr(&refused).lines().any(|line| line.trim() == command), "{}", stderr(&refused));
        let svg = bench.read(&format!("{results}/height_z.svg"));
        roxmltree::Document::parse(&svg).expect("well-formed XML");
    }
}

fn ran(text: &str) -> (Bench, String) {
    let bench = Bench::new();
    bench.write("scene.ron", text);
    let output = bench.carom(&["run", "scene.ron"]);
    assert!(output.status.success(), "{}", printed(&output));
    (bench, stderr(&output))
}

#[test]
fn what_the_typeface_lacks_is_said_once_and_named() {
    let (bench, said) = ran(&scene("落下 of a ball", "球/مر/😀"));
    let warnings: Vec<&str> = said.lines().filter(|line| line.starts_with("warning: ")).collect();
    let [warning] = warnings[..] else { panic!("{said}") };
    for character in ["落", "下", "球", "م", "ر", "😀"] {
        assert!(warning.contains(&format!("`{character}`")), "{warning}");
    }
    assert!(warning.contains("PNG") && !warning.contains("`o`"), "{warning}");
    assert!(bench.read("output/scene/height_z.svg").contains("落下 of a ball"));
    let again = bench.carom(&["plot", "output/scene"]);
    assert_eq!(stderr(&again).trim_end(), warning);
    let (_, said) = ran(&scene("Ein Fall für zwei: Δh ≤ 3 µm", "Жук"));
    assert_eq!(said, "");
    // The first name appears in no picture, so no character can be missing.
    let (_, said) = ran(&scene("t", "球").replace("Height(axis: Z)", "Energy"));
    assert_eq!(said, "");
    let (_, said) = ran(&scene("落", "球").replace("Height(axis: Z)", "Energy"));
    assert!(said.contains("lacks `落`:"), "{said}");
}

#[test]
fn a_title_of_many_letters_and_a_word_without_end_stay_on_the_page() {
    let (bench, said) = ran(&scene(&"m".repeat(500), "ball"));
    assert_eq!(said, "");
    let svg = bench.read("output/scene/height_z.svg");
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
    bench.write("long.ron", &scene(&"m".repeat(501), "ball"));
    let output = bench.carom(&["check", "long.ron"]);
    assert_eq!(code(&output), 2);
    assert!(printed(&output).contains("a title must not be longer than 500 characters"), "{}", printed(&output));
}
