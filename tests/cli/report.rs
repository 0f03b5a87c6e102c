//! `carom report`: the page of a run.
//!
//! The tests parse each page as a browser does, and check that it complies with its own content security policy.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use scraper::{ElementRef, Html, Selector};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::bench::{BALL, Bench, code, stderr, stdout, words};

/// Runs the command, and returns the page that it writes.
fn page(bench: &Bench, arguments: &[&str], file: &str) -> String {
    let output = bench.carom(&[&["report"], arguments].concat());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), format!("{file}\n"));
    bench.read(file)
}

fn all<'a>(document: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    let selector = Selector::parse(selector).unwrap();
    document.select(&selector).collect()
}

fn text(element: ElementRef<'_>) -> String {
    element.text().collect()
}

fn texts(document: &Html, selector: &str) -> Vec<String> {
    all(document, selector).into_iter().map(text).collect()
}

/// Parses the page and checks that it is well formed, that its ids are unique, that it loads nothing, that its links
/// lead to places on the page, and that its policy allows its own scripts and styles and nothing else.
fn sound(page: &str) -> Html {
    let document = Html::parse_document(page);
    assert_eq!(document.errors, [""; 0], "what a browser would have to mend");
    let html = document.root_element();
    assert_eq!((html.attr("lang"), html.attr("data-carom-state")), (Some("en"), Some("ready")));
    assert_eq!(html.attr("data-carom-hash"), Some(""));
    let ids: Vec<&str> = all(&document, "[id]").iter().filter_map(|element| element.attr("id")).collect();
    let known: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(known.len(), ids.len(), "each name is there once: {ids:?}");
    for element in all(&document, "*") {
        for (name, value) in element.value().attrs() {
            assert!(name != "style" && !name.starts_with("on"), "{name}={value}");
            let leads = ["src", "srcset", "href", "action", "poster", "data"].contains(&name);
            let inside = value.strip_prefix('#').is_some_and(|place| known.contains(place));
            assert!(!leads || inside || value.starts_with("data:"), "{name}={value}");
            assert!(name != "aria-labelledby" || known.contains(value), "{value}");
        }
    }
    let policy = all(&document, "meta[http-equiv]")[0].attr("content").unwrap().to_owned();
    for (directive, selector) in [("script-src", "script:not([type])"), ("style-src", "style")] {
        let sources = policy.split("; ").find_map(|part| part.strip_prefix(directive)).unwrap();
        let allowed: Vec<&str> = sources.split_whitespace().filter(|source| source.contains("sha256")).collect();
        let hash = |text: String| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
        assert_eq!(allowed, texts(&document, selector).into_iter().map(hash).collect::<Vec<_>>());
        assert!(!sources.replace("'wasm-unsafe-eval'", "").contains("unsafe"));
    }
    assert!(policy.starts_with("default-src 'none'; "));
    document
}

fn data(document: &Html) -> Value {
    serde_json::from_str(&text(all(document, "#carom-data")[0])).unwrap()
}

/// The page without the data of the player and without pictures, which have tests of their own.
fn bare(page: &str) -> String {
    let mut bare = String::new();
    let mut rest = page;
    let parts = [
        ("<style>", "</style>"),
        ("id=\"carom-wasm\">", "</script>"),
        ("<script>", "</script>"),
        (";base64,", "\""),
        ("Content-Security-Policy\" content=\"", "\""),
        ("<pre>", "</pre>"),
        ("\"step_hashes\":[", "]]"),
    ];
    while let Some((at, end)) =
        parts.iter().filter_map(|(begin, end)| Some((rest.find(begin)? + begin.len(), end))).min()
    {
        let until = at + rest[at..].find(*end).unwrap();
        bare.push_str(&rest[..at]);
        bare.push('…');
        rest = &rest[until..];
    }
    // One line for each element, so that differences are easy to read.
    (bare + rest).replace("><", ">\n<").replace(env!("CARGO_PKG_VERSION"), "…")
}

#[test]
fn the_page_of_a_run_is_a_function_of_its_results() {
    let bench = Bench::of_ball();
    let before = bench.output_files("ball");
    let first = page(&bench, &["output/ball"], "output/ball/report.html");
    let second = page(&bench, &["output/ball", "-o", "again.html"], "again.html");
    assert!(first == second);
    let mut after = bench.output_files("ball");
    after.retain(|file| file != "report.html");
    assert_eq!(before, after, "nothing else has come");
    sound(&first);
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/report.html");
    let (found, wanted) = (bare(&first), fs::read_to_string(&place).unwrap_or_default());
    if found != wanted {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.html");
        fs::write(&kept, &found).unwrap();
        panic!("the page is another; if that is meant, copy {} to {}", kept.display(), place.display());
    }
}

#[test]
fn the_page_says_what_the_results_say() {
    let bench = Bench::of_ball();
    let document = sound(&page(&bench, &["output/ball"], "output/ball/report.html"));
    let summary: Value = serde_json::from_str(&bench.read("output/ball/summary.json")).unwrap();
    assert_eq!(texts(&document, "h1"), ["A ball on a floor"]);
    assert_eq!(texts(&document, ".status"), ["The run came to its end and met all 2 expectations."]);
    let hash = summary["state_hash"].as_str().unwrap();
    assert!(texts(&document, "code.hash").iter().any(|text| text == hash));
    assert_eq!(all(&document, "figure img[alt]").len(), 4);
    assert_eq!(texts(&document, "#events tbody tr").len(), 1, "one impact");
    assert!(texts(&document, "pre.code").iter().any(|text| text.trim() == BALL.trim()));
    let run = &data(&document)["runs"][0];
    assert_eq!(run["scenario"], BALL);
    assert_eq!((&run["name"], &run["title"]), (&"ball".into(), &"A ball on a floor".into()));
    for field in ["timestep", "duration", "steps", "state_hash", "error"] {
        assert_eq!(run[field], summary[field], "{field}");
    }
    let hashes = run["step_hashes"].as_array().unwrap();
    assert_eq!(hashes.len(), 26, "each of 25 steps, and the beginning");
    assert!(hashes.iter().enumerate().all(|(step, row)| row[0] == step && row[1].as_str().unwrap().len() == 32));
}

#[test]
fn what_a_scenario_is_called_is_text() {
    let evil = r#"</script><script>alert(1)</script><img src=x onerror="a()"> ]]> &amp; '"#;
    let body = r#"</td><b id="main">'ball' ]]> שלום"#;
    let bench = Bench::new();
    let quoted = |text: &str| text.replace('"', "\\\"");
    let scenario = format!(
        "// \u{202e}backwards\u{202c} and a bell \u{7}, a tab\t, </pre>\r\n{}",
        BALL.replace("A ball on a floor", &quoted(evil)).replace("\"ball\"", &format!("\"{}\"", quoted(body)))
    );
    bench.write("evil.ron", &scenario);
    assert_eq!(code(&bench.carom(&["run", "evil.ron", "--quiet"])), 0);
    let page = page(&bench, &["output/evil"], "output/evil/report.html");
    let document = sound(&page);
    assert_eq!(texts(&document, "h1"), [evil]);
    assert_eq!(texts(&document, "title"), [evil]);
    assert_eq!(all(&document, "script").len(), 5, "data, module, and three scripts");
    assert!(texts(&document, "#events td").iter().any(|text| text == body));
    assert_eq!(data(&document)["runs"][0]["scenario"], scenario);
    let shown = &texts(&document, "#scenario pre")[0];
    assert!(shown.contains("\\u{202e}backwards\\u{202c} and a bell \\u{7}, a tab    , </pre>\n"), "{shown}");
    let controls = |character: char| character.is_control() && character != '\n';
    assert!(!page.contains(controls) && !page.contains(['\u{202e}', '\u{200f}']));
}

#[test]
fn a_long_log_is_bounded() {
    let bench = Bench::new();
    let walls = r#"(name: "left", shape: Plane(normal: (1, 0, 0), offset: 0)),
        (name: "right", shape: Plane(normal: (-1, 0, 0), offset: -2)),"#;
    let scenario = format!(
        r#"Scenario(title: "To and fro", timestep: 1, duration: 60, bodies: [
        (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (1, 0, 0), velocity: (100, 0, 0)), {walls}])"#
    );
    bench.write("fro.ron", &scenario);
    assert_eq!(code(&bench.carom(&["run", "fro.ron", "--quiet"])), 0);
    let page = page(&bench, &["output/fro"], "output/fro/report.html");
    let document = sound(&page);
    assert_eq!(all(&document, "#events tbody tr").len(), 5000);
    let words = texts(&document, "#events p").concat();
    assert!(words.contains("The first 5\u{202f}000 of 6\u{202f}000\u{a0}events"), "{words}");
    assert_eq!(texts(&document, "#plots"), [""; 0], "no plot was asked for");
}

/// Maximum size of a page of 10,000 balls with all plots, in bytes.
const PAGE_MAX: usize = 3_200_000;

#[test]
fn the_page_of_a_large_gas_is_small() {
    let bench = Bench::new();
    let scenario = r#"Scenario(title: "Gas", timestep: 0.05, duration: 0.5, record: (paths: []), observe: [Gas],
        space: Periodic(min: (0, 0, 0), max: (30, 30, 30)),
        fill: [Random(name: "gas", shape: Sphere(radius: 0.5), count: 10000, min: (0, 0, 0), max: (30, 30, 30), mass: 1,
            temperature: 1, seed: 1)],
        plots: [Path(plane: XY), Height(axis: X), Energy, Impacts, Gas, Speeds])"#;
    bench.write("gas.ron", scenario);
    assert_eq!(code(&bench.carom(&["run", "gas.ron", "--quiet"])), 0);
    let page = page(&bench, &["output/gas"], "output/gas/report.html");
    assert!(page.len() < PAGE_MAX, "{} bytes", page.len());
    assert_eq!(all(&sound(&page), "#plots figure").len(), 6);
}

#[test]
fn several_runs_are_compared() {
    let bench = Bench::of_ball();
    bench.write("low.ron", &BALL.replace("(0, 0, 5.5)", "(0, 0, 3)").replace("exactly: 1", "exactly: 3"));
    assert_eq!(code(&bench.carom(&["run", "low.ron", "--quiet", "--timestep", "0.2"])), 1);
    let page = page(&bench, &["output/ball", "output/low", "--output", "both.html"], "both.html");
    let document = sound(&page);
    assert_eq!(texts(&document, "article h2"), ["ball", "low"]);
    let rows: Vec<(bool, Vec<String>)> = all(&document, "table.compared tbody tr")
        .into_iter()
        .map(|row| {
            let cells = Selector::parse("th, td").unwrap();
            (row.attr("class") == Some("differs"), row.select(&cells).map(text).collect())
        })
        .collect();
    let row = |label: &str| rows.iter().find(|(_, cells)| cells[0] == label).unwrap_or_else(|| panic!("{label}"));
    assert_eq!(row("timestep").1[1..], ["≠", "0.1\u{a0}s", "0.2\u{a0}s", "+0.1\u{a0}s"]);
    assert_eq!(row("duration").1[1..], ["", "2.5\u{a0}s", "2.5\u{a0}s", ""]);
    assert_eq!(row("energy at the start").1[4], "−25\u{a0}J");
    // Other scenarios have other hashes, so that says nothing.
    assert!(!row("scenario (BLAKE3)").0 && !row("final state (BLAKE3)").0);
    let together: Vec<_> =
        all(&document, "#compared figure img").iter().map(|image| image.attr("alt").unwrap()).collect();
    assert_eq!(together, ["Plot: Energy of all runs", "Plot: Position of ball along z"]);
    assert!(row("timestep").0 && !row("duration").0);
    assert_eq!(row("exactly 1 impact events").1[3], "–");
    assert!(row("exactly 3 impact events").1[3].starts_with("✗ not met"));
    let lines = texts(&document, "#compared pre").concat();
    assert!(lines.contains("− (name: \"ball\"") && lines.contains("+ (name: \"ball\""), "{lines}");
    assert_eq!(data(&document)["runs"].as_array().unwrap().len(), 2);
}

/// A sweep of [`BALL`], of which one member overlaps the floor at the start and another one misses its expectation.
const SWEEP: &str = r#"Sweep(title: "Heights <b>", base: "ball.ron", set: { "timestep": 0.05 },
    vary: { "bodies.ball.position.z": List([0.3, 2.5, 5.5]) },
    collect: { "impacts": Count(kind: Impact), "first": Time(kind: Impact) })"#;

#[test]
fn a_sweep_has_a_page() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    bench.write("heights.ron", SWEEP);
    assert_eq!(code(&bench.carom(&["sweep", "heights.ron", "--quiet"])), 0);
    let first = page(&bench, &["output/heights"], "output/heights/report.html");
    assert!(first == page(&bench, &["output/heights", "-o", "again.html"], "again.html"));
    let document = sound(&first);
    assert_eq!(texts(&document, "h1"), ["Heights <b>"]);
    assert_eq!(texts(&document, ".status"), ["3\u{a0}members: 1 done, 1 unmet, 1 refused."]);
    let pictures: Vec<_> = all(&document, "#plots img").iter().map(|image| image.attr("alt").unwrap()).collect();
    assert_eq!(pictures, ["Plot: impacts over bodies.ball.position.z", "Plot: first over bodies.ball.position.z"]);
    let varied = texts(&document, "#varied tr");
    assert_eq!(varied[1], "bodies.ball.position.z30.3, 2.5, 5.5");
    assert!(varied[2].contains("timestep"), "{varied:?}");
    assert_eq!(texts(&document, "#members tbody tr"), ["00.3––refused", "12.520.6324555unmet", "25.511done"]);
    let failures = texts(&document, "#failures tbody tr");
    assert!(failures[0].contains("overlap") && failures[1].contains("exactly 1 impact"), "{failures:?}");
    assert_eq!(texts(&document, "#scenario pre")[0].trim(), BALL.trim());
    assert_eq!(texts(&document, "#sweep pre")[0].trim(), SWEEP.trim());
    // It goes with the results that it shows.
    assert_eq!(code(&bench.carom(&["sweep", "heights.ron", "--quiet"])), 0);
    assert!(!bench.path("output/heights/report.html").exists());
    let output = bench.carom(&["report", "output/heights", "output/heights", "-o", "two.html"]);
    assert!(code(&output) == 2 && words(&output).contains("is the folder of a sweep"), "{}", stderr(&output));
}

#[test]
fn a_scenario_gets_a_playground() {
    let bench = Bench::new();
    bench.write("ball.ron", BALL);
    let page = page(&bench, &["--playground", "ball.ron"], "ball.playground.html");
    let document = sound(&page);
    assert_eq!(all(&document, "section#carom-playground").len(), 1);
    let run = &data(&document)["runs"][0];
    assert_eq!((&run["scenario"], &run["state_hash"]), (&BALL.into(), &Value::Null));
    let data = data(&document);
    let presets: Vec<_> =
        data["presets"].as_array().unwrap().iter().map(|preset| preset["name"].as_str().unwrap()).collect();
    assert_eq!(presets, ["galperin_pi", "newtons_cradle", "zeno", "shaker", "break_shot"]);
    bench.write("bad.ron", "Scenario(");
    let output = bench.carom(&["report", "--playground", "bad.ron"]);
    assert_eq!(code(&output), 2);
    assert!(!bench.path("bad.playground.html").exists());
}

#[test]
fn a_scenario_that_is_too_large_is_not_carried() {
    let bench = Bench::new();
    bench.write("large.ron", &format!("{BALL}// {}\n", "x".repeat(1 << 20)));
    assert_eq!(code(&bench.carom(&["run", "large.ron", "--quiet"])), 0);
    let page = page(&bench, &["output/large"], "output/large/report.html");
    let document = sound(&page);
    assert_eq!(all(&document, "#carom-player, #carom-data, #carom-wasm").len(), 0);
    assert!(!page.contains("wasm-unsafe-eval") && texts(&document, "#watch").concat().contains("no player"));
    assert!(texts(&document, "#scenario pre").concat().len() <= 1 << 16);
}

#[test]
fn what_is_no_run_has_no_page() {
    let bench = Bench::of_ball();
    fs::create_dir(bench.path("empty")).unwrap();
    fs::create_dir(bench.path("folder.html")).unwrap();
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--until", "1", "--output", "halted", "--quiet"])), 0);
    let changed = |name: &str, file: &str, from: &str, to: &str| {
        assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet", "--output", name])), 0);
        let path = format!("{name}/ball/{file}");
        let text = bench.read(&path);
        assert!(text.contains(from));
        bench.write(&path, &text.replacen(from, to, 1));
    };
    changed("older", "summary.json", "\"schema\": 5", "\"schema\": 1");
    changed("damaged", "summary.json", "\"reached\":", "\"reached\"");
    changed("edited", "scenario.ron", "0, 0, 5.5", "0, 0, 4.5");
    changed("cut", "events.csv", "impact", "impcat");
    let rows: [(&[&str], i32, &str); 14] = [
        (&[], 2, "required arguments were not provided"),
        (&["nowhere"], 3, "there is no folder nowhere"),
        (&["empty"], 2, "empty is not the folder of a run"),
        (&["ball.ron"], 2, "ball.ron is not the folder of a run"),
        (&["halted/ball"], 2, "has not come to its end"),
        (&["older/ball"], 2, "is of format 1; this carom reads format 5"),
        (&["damaged/ball"], 2, "is not the summary of a run"),
        (&["edited/ball"], 2, "is not the scenario that was run"),
        (&["cut/ball"], 3, "impcat"),
        (&["output/ball", "older/ball"], 2, "the page of several runs"),
        (&["output/ball", "-o", "page.txt"], 2, "the name of a page ends in .html"),
        (&["output/ball", "-o", "folder.html"], 3, "folder.html is a folder"),
        (&["output/ball", "-o", "missing/page.html"], 3, "cannot write missing/page.html"),
        (&["output/ball", "--playground", "ball.ron"], 2, "cannot be used with"),
    ];
    for (arguments, exit, message) in rows {
        let output = bench.carom(&[&["report"], arguments].concat());
        assert_eq!(code(&output), exit, "{arguments:?}: {}", stderr(&output));
        assert!(words(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!bench.path("output/ball/report.html").exists(), "nothing is left behind");
    // The tables are sufficient: a recording only adds its hashes.
    fs::remove_file(bench.path("output/ball/recording.carom")).unwrap();
    let document = sound(&page(&bench, &["output/ball"], "output/ball/report.html"));
    assert_eq!(data(&document)["runs"][0]["step_hashes"], Value::Null);
}

#[test]
fn a_page_goes_with_its_results() {
    let bench = Bench::of_ball();
    page(&bench, &["output/ball"], "output/ball/report.html");
    bench.write("output/ball/notes.txt", "mine");
    assert_eq!(code(&bench.carom(&["run", "--resume", "output/ball", "--duration", "2.8", "--quiet"])), 0);
    assert!(!bench.path("output/ball/report.html").exists() && bench.path("output/ball/notes.txt").exists());
    page(&bench, &["output/ball"], "output/ball/report.html");
    assert_eq!(code(&bench.carom(&["run", "ball.ron", "--quiet"])), 0);
    assert!(!bench.path("output/ball/report.html").exists() && bench.path("output/ball/notes.txt").exists());
}
