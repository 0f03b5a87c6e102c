//! The tasks and tutorials of the book, worked through as a reader does: each page in an empty folder, by its text
//! alone.
//!
//! What is to be saved is saved, see [`Block::file`]. Commands end well, and those of a `console` block print what the
//! page shows, where a line `...` stands for any lines. The pictures of a page are those that its commands draw.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::bench::Bench;
use super::pages::{Block, Page, pages};
use super::printed::{copy, shell};

/// The longest page of one task, in lines.
const LINES_MAX: usize = 80;

/// What these lines would do takes a network, or is done by other tests.
const OTHERS: [&str; 3] = ["cargo ", "pip ", "python"];

#[test]
fn tasks_and_tutorials_go_as_they_are_told() {
    let pages: Vec<Page> = pages().into_iter().filter(Page::is_worked).collect();
    let (next, count) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            count.fetch_add(work_through(page), Ordering::Relaxed);
        }
    };
    thread::scope(|scope| (0..2).for_each(|_| _ = scope.spawn(work)));
    let count = count.into_inner();
    assert!(count > 45, "{count} commands");
}

/// Returns how many commands it has run.
fn work_through(page: &Page) -> usize {
    let (bench, name) = (Bench::new(), page.path.display());
    copy(Path::new("scenarios"), &bench.path("scenarios"));
    let (mut count, mut saved) = (0, Vec::new());
    for block in &page.blocks {
        count += match block.language.as_str() {
            "sh" => block.text.lines().map(|line| run(&bench, page, line, None)).sum(),
            "console" => session(&bench, page, block),
            language => {
                assert!(!language.starts_with("ron") || block.file.is_some(), "{name}: a scenario without a file");
                saved.extend(block.file.as_deref().map(|file| save(&bench, file, &block.text)));
                0
            }
        };
    }
    let commands = page.blocks.iter().filter(|block| ["sh", "console"].contains(&block.language.as_str()));
    let commands: String = commands.map(|block| block.text.as_str()).collect();
    for file in saved.iter().filter(|file| file.ends_with(".ron")) {
        let is_used = commands.contains(*file) || page.text.contains(&format!("base: \"{file}\""));
        assert!(is_used, "{name}: no command uses {file}");
    }
    page.links().iter().filter(|link| link.starts_with("pictures/")).for_each(|link| compare(&bench, page, link));
    let is_short = page.path.starts_with("docs/tutorials") || page.text.lines().count() <= LINES_MAX;
    assert!(is_short, "{name} has more than {LINES_MAX} lines");
    count
}

fn save<'a>(bench: &Bench, file: &'a str, text: &str) -> &'a str {
    fs::create_dir_all(bench.path(file).parent().unwrap()).unwrap();
    bench.write(file, text);
    file
}

/// Runs the commands of a session, each with the lines below it, which it has to print.
fn session(bench: &Bench, page: &Page, block: &Block) -> usize {
    let commands = block.text.strip_prefix("$ ").unwrap_or_else(|| panic!("{}: no command", page.path.display()));
    let commands = commands.split("\n$ ").map(|text| text.split_once('\n').unwrap_or((text, "")));
    commands.map(|(line, wanted)| run(bench, page, line, Some(wanted))).sum()
}

/// Runs a line for a shell; returns how many commands it is.
fn run(bench: &Bench, page: &Page, line: &str, wanted: Option<&str>) -> usize {
    if line.is_empty() || OTHERS.iter().any(|other| line.starts_with(other)) {
        return 0;
    }
    let output = shell(bench, &format!("{{ {line}\n}} 2>&1")).output().unwrap();
    let found = String::from_utf8(output.stdout).unwrap();
    let of = format!("{}: {line}", page.path.display());
    assert!(output.status.success(), "{of}: {}\n{found}", output.status);
    if let Some(wanted) = wanted {
        // On a terminal a verdict begins with a mark.
        let marked = found.lines().map(|line| line.replacen("ok: ", "✓ ", 1)).collect::<Vec<_>>();
        let (marked, wanted): (Vec<&str>, Vec<&str>) =
            (marked.iter().map(String::as_str).collect(), wanted.lines().collect());
        assert!(agrees(&wanted, &marked), "{of}: prints\n{found}");
    }
    1
}

/// Whether these lines were found, where `...` stands for any lines.
fn agrees(wanted: &[&str], found: &[&str]) -> bool {
    match wanted.split_first() {
        None => found.is_empty(),
        Some((&"...", rest)) => (0..=found.len()).any(|skipped| agrees(rest, &found[skipped..])),
        Some((line, rest)) => found.split_first().is_some_and(|(first, after)| first == line && agrees(rest, after)),
    }
}

/// A picture `page.plot.svg` is the file `plot.svg` that a command of the page has drawn.
fn compare(bench: &Bench, page: &Page, link: &str) {
    let picture = page.path.parent().unwrap().join(link);
    let stem = page.path.file_stem().unwrap().to_str().unwrap();
    let plot = link.strip_prefix(&format!("pictures/{stem}.")).unwrap_or_else(|| panic!("{link} is of another page"));
    let drawn = find(&bench.path("output"), plot).unwrap_or_else(|| panic!("{stem}: no command draws {plot}"));
    let drawn = fs::read(drawn).unwrap();
    if std::env::var_os("CAROM_UPDATE").is_some() {
        fs::write(&picture, &drawn).unwrap();
    }
    assert!(fs::read(&picture).ok() == Some(drawn), "CAROM_UPDATE=1 cargo test writes {} anew", picture.display());
}

/// The file of this name in the folders of a folder.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let folders = fs::read_dir(folder).ok()?.map(|entry| entry.unwrap().path());
    folders.map(|folder| folder.join(name)).find(|path| path.exists())
}

#[test]
fn dots_stand_for_any_lines() {
    let found = ["a", "b", "c"];
    for wanted in [&["a", "b", "c"][..], &["...", "c"], &["a", "...", "c"], &["a", "..."], &["...", "a", "b", "c"]] {
        assert!(agrees(wanted, &found), "{wanted:?}");
    }
    for wanted in [&["a", "c"][..], &["a", "b"], &["...", "b"], &["b", "..."], &[]] {
        assert!(!agrees(wanted, &found), "{wanted:?}");
    }
}
