//! The README and the book in `docs/`: scenarios, links, names of files, tables and commands are right.
//!
//! The Rust examples are compiled and run as documentation tests, see the end of `src/lib.rs`. Tasks and tutorials are
//! worked through in `tests/cli/worked.rs`.

#[path = "common/pages.rs"]
mod pages;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use carom::dynamics::EventKind;
use carom::record::answers::ANSWER_SCHEMA;
use carom::record::recording::RECORDING_SCHEMA;
use carom::record::tables::{Counts, Energy, Events, Gas, Paths, Speeds, Table, Trajectory};
use carom::record::{self, SCHEMA};
use carom::scenario::sweep_file::read_sweep;
use carom::scenario::{SCENARIO_SCHEMA, Scenario, Source, parse, read_region};
use carom::study::RESULTS_VERSION;

use pages::{Block, Page, pages};

/// Maximum length of the README, in characters.
const README_MAX: usize = 10_000;

/// The permitted languages of code blocks. rustdoc treats a block without a language as Rust.
const LANGUAGES: [&str; 12] = [
    "rust",
    "rust,no_run",
    "ron",
    "ron,fields",
    "ron,region",
    "ron,sweep",
    "sh",
    "console",
    "python",
    "toml",
    "yaml",
    "text",
];

/// The bodies of short examples of fields that define no bodies of their own.
const BODIES: &str = r#"
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.1), mass: 1, position: (1, 1, 1)),
        (name: "crate", shape: Box(half_extents: (0.2, 0.2, 0.2)), mass: 1, position: (2, 2, 2)),
        (name: "lift", shape: Box(half_extents: (0.2, 0.2, 0.2)), motion: Kinematic, position: (3, 3, 3)),
    ],
"#;

impl Page {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The blocks of one language.
    fn blocks<'a>(&'a self, language: &'a str) -> impl Iterator<Item = &'a str> {
        self.blocks.iter().filter(move |block| block.language == language).map(|block| block.text.as_str())
    }

    /// The code spans of the text, which stand between backquotes.
    fn code(&self) -> impl Iterator<Item = &str> {
        self.prose.split('`').skip(1).step_by(2)
    }

    /// The anchors of the headings, to which links can lead.
    fn anchors(&self) -> Vec<String> {
        self.prose.lines().filter(|line| line.starts_with('#')).map(anchor).collect()
    }

    /// The text under a heading, up to the next one.
    fn section(&self, heading: &str) -> &str {
        let after = self.text.split(&format!("\n{heading}\n")).nth(1);
        after.unwrap_or_else(|| panic!("{} has no {heading}", self.name())).split("\n#").next().unwrap()
    }
}

fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    heading.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")
}

fn page(path: &str) -> Page {
    Page::read(PathBuf::from(path))
}

/// The files below `folder` whose names end in `.rs`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    paths.flat_map(below).filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

#[test]
fn the_readme_is_short() {
    let length = page("README.md").text.chars().count();
    assert!(length <= README_MAX, "the README has {length} characters, more than {README_MAX}");
}

#[test]
fn every_page_is_in_the_table_of_contents_and_has_its_examples_tested() {
    let listed: BTreeSet<String> = page("docs/SUMMARY.md").links().into_iter().collect();
    let library = fs::read_to_string("src/lib.rs").unwrap();
    for page in pages() {
        let name = page.name();
        let is_listed = name.strip_prefix("docs/").is_none_or(|name| name == "SUMMARY.md" || listed.contains(name));
        assert!(is_listed, "{name} is not in SUMMARY.md");
        let tested = library.contains(&format!("\"../{name}\""));
        assert!(name == "docs/SUMMARY.md" || tested, "src/lib.rs does not test the examples of {name}");
    }
}

#[test]
fn every_code_block_says_what_it_is() {
    for page in pages() {
        for Block { language, text, file } in &page.blocks {
            let known = LANGUAGES.contains(&language.as_str());
            assert!(known, "{}: a block of `{language}`, not one of {LANGUAGES:?}:\n{text}", page.name());
            let is_scenario = file.as_ref().is_none_or(|file| file.ends_with(".ron") == language.starts_with("ron"));
            assert!(is_scenario, "{}: a block of `{language}` is saved as {file:?}", page.name());
        }
    }
}

fn scenario(name: &str, text: &str) -> Scenario {
    match parse(&Source::new(name, text)) {
        Ok(parsed) => parsed.scenario,
        Err(problems) => panic!("{problems}: {:?}\n{text}", problems.list()),
    }
}

/// Complete scenarios run and meet their expectations. Fragments are valid inside a complete scenario.
#[test]
fn scenarios_are_valid() {
    let (mut whole, mut parts) = (0, 0);
    for page in pages().into_iter().filter(|page| !page.is_worked()) {
        for text in page.blocks("ron") {
            let (scenario, folder) = (scenario(&page.name(), text), tempfile::tempdir().unwrap());
            let summary = record::run(&scenario, text, scenario.world().unwrap(), folder.path(), |_| {}).unwrap();
            assert!(summary.is_success(), "{}: {:?}\n{text}", page.name(), summary.expectations);
            whole += 1;
        }
        for fields in page.blocks("ron,fields") {
            let has = |field: &str| fields.lines().any(|line| line.starts_with(field));
            let bodies = if has("bodies:") || has("fill:") { "" } else { BODIES };
            let text = format!("Scenario(timestep: 0.1, duration: 10, {bodies}\n{fields})");
            if let Err(error) = scenario(&page.name(), &text).world() {
                panic!("{}: {error}\n{text}", page.name());
            }
            parts += 1;
        }
        for text in page.blocks("ron,region") {
            read_region(&Source::new(page.name(), text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
            parts += 1;
        }
        for text in page.blocks("ron,sweep") {
            read_sweep(&Source::new(page.name(), text)).unwrap_or_else(|error| panic!("{error}\n{text}"));
            parts += 1;
        }
    }
    assert!(whole > 1 && parts > 10, "{whole} scenarios and {parts} parts");
}

/// Each link leads to an existing file and heading.
#[test]
fn links_lead_somewhere() {
    let mut seen = 0;
    for page in pages() {
        let mut anchors = page.anchors();
        let count = anchors.len();
        anchors.sort();
        anchors.dedup();
        assert_eq!(anchors.len(), count, "{} has two headings of one name", page.name());
        for link in page.links().iter().filter(|link| !link.starts_with("https://")) {
            let (path, heading) = link.split_once('#').map_or((link.as_str(), None), |(path, name)| (path, Some(name)));
            let folder = page.path.parent().unwrap_or(Path::new(""));
            let target = if path.is_empty() { page.path.clone() } else { folder.join(path) };
            assert!(target.exists(), "{} has a link to {link}", page.name());
            let found = heading.is_none_or(|name| Page::read(target).anchors().iter().any(|anchor| anchor == name));
            assert!(found, "{} has a link to {link}, but there is no such heading", page.name());
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen} links");
}

/// All files and folders of the repository that the text names exist.
#[test]
fn files_that_are_named_exist() {
    let roots = ["scenarios/", "tests/", "src/", "benches/", "examples/", "docs/", ".ci/"];
    let (mut seen, mut missing) = (0, Vec::new());
    for page in pages() {
        for word in page.text.split(|c: char| c.is_whitespace() || "`()[]\"|".contains(c)) {
            let word = word.trim_end_matches([',', '.', ':', ';']);
            if roots.iter().any(|root| word.starts_with(root)) && !word.contains('*') {
                seen += 1;
                if !Path::new(word).exists() {
                    missing.push(format!("{} names {word}", page.name()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "there is no such file:\n{}", missing.join("\n"));
    assert!(seen > 100, "{seen} names");
}

/// The tutorial lists all scenarios in `scenarios/`, and nothing else.
#[test]
fn the_tutorial_has_every_scenario() {
    let page = page("docs/tutorial.md");
    let section = page.section("## The included scenarios");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('|').next());
    let named: BTreeSet<String> = rows.flat_map(|cell| cell.split(['`', ',', ' '])).map(str::to_owned).collect();
    let named: BTreeSet<String> = named.into_iter().filter(|name| !name.is_empty()).collect();
    let files = fs::read_dir("scenarios").unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "ron"));
    let stems: BTreeSet<String> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(named, stems);
    assert!(self::page("README.md").text.contains(&format!("the {} scenarios", stems.len())));
}

fn columns<T: Table>() -> (String, Vec<&'static str>) {
    (T::NAME.to_owned(), T::COLUMNS.iter().map(|column| column.name).collect())
}

fn tables() -> [(String, Vec<&'static str>); 7] {
    [
        columns::<Events>(),
        columns::<Counts>(),
        columns::<Trajectory>(),
        columns::<Paths>(),
        columns::<Energy>(),
        columns::<Gas>(),
        columns::<Speeds>(),
    ]
}

/// The documentation gives the columns of each table as the program writes them.
#[test]
fn tables_have_the_columns_that_are_told() {
    let page = page("docs/results.md");
    for (name, columns) in tables() {
        let row = format!("| `{name}.csv` | `{}` |", columns.join(","));
        assert!(page.text.contains(&row), "{} lacks the row {row}", page.name());
    }
    let kinds = page.section("## Events");
    for kind in EventKind::ALL {
        assert!(kinds.contains(&format!("`{kind}`")), "{} lacks {kind}", page.name());
    }
}

#[test]
fn numbers_of_formats_are_those_of_today() {
    let text = page("docs/formats.md").text;
    let numbers = [
        ("scenario and sweep files", SCENARIO_SCHEMA),
        ("recordings, and states of a world in bytes (`World::save_into`)", RECORDING_SCHEMA),
        ("folder of a run: tables, `summary.json`", SCHEMA),
        ("answers of `--json`", ANSWER_SCHEMA),
        ("results of the members of a sweep", RESULTS_VERSION),
    ];
    for (name, number) in numbers {
        assert!(text.contains(&format!("| {name} | {number} |")), "docs/formats.md has no row of {name} with {number}");
    }
    // `sessions_go_as_they_are_told` compares it with what `carom --version` prints.
    let line = format!(
        "formats: scenario {SCENARIO_SCHEMA}, recording {RECORDING_SCHEMA}, tables {SCHEMA}, answers {ANSWER_SCHEMA}, \
         results of sweeps {RESULTS_VERSION}, scenes of the oracle 1"
    );
    assert!(text.contains(&line), "docs/formats.md has no line {line}");
    assert!(text.contains(&format!("carom {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn the_summary_has_the_entries_that_are_told() {
    let page = page("docs/results.md");
    let rows = page.section("## The summary").lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let told: BTreeSet<&str> =
        rows.flat_map(|cell| cell.split(['`', ',', ' '])).filter(|word| !word.is_empty()).collect();
    let source = Source::read("scenarios/newtons_cradle.ron").unwrap();
    let (scenario, folder) = (parse(&source).unwrap().scenario, tempfile::tempdir().unwrap());
    let world = scenario.world().unwrap();
    let summary = record::run(&scenario, &source.text, world, folder.path(), |_| {}).unwrap();
    let value = serde_json::to_value(&summary).unwrap();
    let found: BTreeSet<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(told, found);
}

/// Python examples read only files that a run writes, and only columns that these files have.
#[test]
fn python_examples_name_tables_and_columns() {
    let tables = tables();
    let mut seen = 0;
    for page in pages() {
        for text in page.blocks("python") {
            for file in text.split('"').filter_map(|word| word.strip_prefix("output/")) {
                let (scenario, file) = file.split_once('/').unwrap();
                assert!(Path::new("scenarios").join(scenario).with_extension("ron").exists(), "no scenario {scenario}");
                let stem = file.split('.').next().unwrap();
                assert!(stem == "summary" || tables.iter().any(|(name, _)| name == stem), "no table {stem}");
            }
            if !text.contains("read_") && !text.contains("scan_") {
                continue;
            }
            let used = text.split(['[', '(']).filter(|rest| rest.starts_with('"'));
            let used = used.flat_map(|rest| rest.split([']', ')']).next().unwrap().split('"').skip(1).step_by(2));
            for word in used.filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '_')) {
                let column = tables.iter().any(|(_, columns)| columns.contains(&word)) || word == "time_rest";
                let made = text.contains(&format!("{word}=")) || text.contains(&format!("alias(\"{word}\")"));
                let aggregate = ["count", "sum"].contains(&word);
                assert!(column || made || aggregate, "no table has a column {word}:\n{text}");
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen} columns");
}

/// Every geometric test that the catalogue names exists, and at least one test of the project calls it.
#[test]
fn the_catalogue_names_tests_that_exist_and_are_used() {
    let page = page("docs/catalogue.md");
    let names: Vec<(&str, &str)> = page.code().filter_map(|word| word.split_once("::")).collect();
    let names: Vec<_> = names.into_iter().filter(|(_, function)| !function.contains("first_second")).collect();
    assert!(names.len() > 50, "{} names", names.len());
    let text = |path: &PathBuf| fs::read_to_string(path).unwrap();
    let files: Vec<(PathBuf, String)> =
        sources(Path::new("src")).into_iter().map(|path| (path.clone(), text(&path))).collect();
    let mut tests: Vec<String> = sources(Path::new("tests")).iter().map(text).collect();
    tests.retain(|text| text.contains("#[test]"));
    let units = files.iter().filter_map(|(_, text)| text.split_once("#[cfg(test)]\nmod tests {"));
    tests.extend(units.map(|(_, unit)| unit.to_owned()));
    for (module, function) in names {
        // A module can be imported under another name, as in `triangle as triangle_gap`: its file has the old name.
        let renamed = files.iter().find_map(|(_, text)| text.split_once(&format!(" as {module}")));
        let origin = renamed.and_then(|(before, _)| before.rsplit([' ', ':', '{']).next());
        let is_it = |name: &Path| name == Path::new(module) || origin.is_some_and(|origin| name == Path::new(origin));
        let holds = |path: &Path| path.components().any(|part| is_it(&Path::new(part.as_os_str()).with_extension("")));
        let made = |(path, text): &(PathBuf, String)| holds(path) && text.contains(&format!("pub fn {function}("));
        assert!(files.iter().any(made), "there is no {module}::{function}");
        let call = format!("{function}(");
        let used = |text: &String| text.match_indices(&call).any(|(at, _)| !text[..at].ends_with("fn "));
        assert!(tests.iter().any(used), "no test uses {module}::{function}");
    }
}

/// carom is not in a registry: a dependency by version alone would find another package, or none.
#[test]
fn no_document_has_a_dependency_on_a_published_carom() {
    let mut paths: Vec<PathBuf> = pages().into_iter().map(|page| page.path).collect();
    paths.extend(sources(Path::new("src")));
    let mut lines = 0;
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines().flat_map(|line| line.split("carom = ").skip(1)) {
            let is_dependency = line.starts_with('"') || line.starts_with('{');
            assert!(!is_dependency || line.starts_with("{ path = "), "{}: carom = {line}", path.display());
            lines += usize::from(is_dependency);
        }
    }
    assert!(lines > 1, "the README and the book say how to depend on carom");
}

/// Compares the commands in the book with those of the program.
#[cfg(feature = "cli")]
mod commands {
    use std::collections::BTreeMap;
    use std::process::Command;

    use super::*;

    fn output(arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).env("COLUMNS", "200").output().unwrap();
        assert!(output.status.success(), "carom {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// All options in a text, such as `--output`.
    fn options(text: &str) -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        words.filter(|word| word.starts_with("--") && word.len() > 3).map(str::to_owned).collect()
    }

    /// The commands that a help lists.
    fn listed(help: &str) -> Vec<String> {
        let list = help.split("Commands:").nth(1).map(|rest| rest.split("\n\n").next().unwrap()).unwrap_or_default();
        let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
    }

    /// The options of each command and of its own commands, by the name of the command.
    fn commands() -> BTreeMap<String, BTreeSet<String>> {
        let of = |name: String| {
            let help = output(&[&name, "--help"]);
            let inner = listed(&help).into_iter().map(|inner| output(&[&name, &inner, "--help"])).collect::<String>();
            (name, options(&(help + &inner)))
        };
        listed(&output(&["--help"])).into_iter().map(of).collect()
    }

    #[test]
    fn commands_have_the_options_that_are_told() {
        let commands = commands();
        let mut seen = 0;
        for page in pages() {
            let blocks = ["sh", "console", "yaml"].into_iter().flat_map(|language| page.blocks(language));
            let blocks = blocks.flat_map(str::lines);
            let lines = blocks.map(|line| line.trim_start_matches("$ ")).chain(page.code());
            for line in lines.filter_map(|line| line.split('#').next().unwrap().split("carom ").nth(1)) {
                let name = line.split(' ').next().unwrap();
                if name.starts_with('-') || name.starts_with('=') || ["help", env!("CARGO_PKG_VERSION")].contains(&name)
                {
                    continue;
                }
                let known = commands.get(name).unwrap_or_else(|| panic!("{}: carom has no {name}", page.name()));
                for option in options(line) {
                    assert!(known.contains(&option), "{}: carom {name} has no {option}", page.name());
                }
                seen += 1;
            }
        }
        assert!(seen > 30, "{seen} commands");
    }

    #[test]
    fn the_page_on_the_command_line_has_every_command_and_option() {
        let page = page("docs/cli.md");
        for (name, options) in commands() {
            assert!(page.text.contains(&format!("`carom {name}")), "{} lacks carom {name}", page.name());
            for option in options.iter().filter(|option| *option != "--help") {
                assert!(page.text.contains(option.as_str()), "{} lacks {option} of carom {name}", page.name());
            }
        }
    }

    /// Each console session prints what the book shows.
    #[test]
    fn sessions_go_as_they_are_told() {
        let mut seen = 0;
        for page in pages().into_iter().filter(|page| !page.is_worked()) {
            for text in page.blocks("console") {
                let (command, answer) = text.split_once('\n').unwrap();
                let arguments: Vec<&str> = command.strip_prefix("$ carom ").unwrap().split(' ').collect();
                assert_eq!(output(&arguments), answer, "{}: {command}", page.name());
                seen += 1;
            }
        }
        assert!(seen > 0);
    }
}
