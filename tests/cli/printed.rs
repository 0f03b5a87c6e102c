//! The commands that help texts, the README and the book print: each is run, and ends as a reader expects.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::beginning::{COMMANDS, NESTED};
use super::bench::{BALL, Bench, stdout};
use super::pages::pages;

/// Files that a reader has from elsewhere. A command that names one of them cannot read it here, which it says with
/// exit code 3; a wrong option would be exit code 2.
const FROM_ELSEWHERE: [&str; 12] = [
    "theirs.csv",
    "theirs_events.csv",
    "h_100.csv",
    "from_another_machine.carom",
    "level.tmx",
    "world.ldtk",
    "start.sph",
    "restart.data",
    "dump.txt",
    "packing.xyzd",
    "run.gsd",
    "room.glb",
];

/// Beginnings of commands of other programs, and of those that other tests run.
const OTHERS: [&str; 11] = [
    "carom run scenarios/*.ron",
    "cargo ",
    "pip ",
    "python ",
    "parallel ",
    "sbatch ",
    "hq ",
    "examples/",
    "GLIBC_TUNABLES=",
    "carom <",
    // What `carom --version` prints.
    concat!("carom ", env!("CARGO_PKG_VERSION")),
];

/// A folder with everything that the commands take as given.
fn bench() -> Bench {
    let bench = Bench::new();
    fs::create_dir_all(bench.path(".local/share/bash-completion/completions")).unwrap();
    fs::create_dir_all(bench.path(".zfunc")).unwrap();
    fs::create_dir_all(bench.path(".config/fish/completions")).unwrap();
    copy(Path::new("scenarios"), &bench.path("scenarios"));
    for name in ["ball", "a", "b"] {
        bench.write(
            &format!("{name}.ron"),
            &BALL.replace("bodies:", "materials: { \"rubber\": (restitution: 0.8) }, bodies:"),
        );
    }
    fs::copy(bench.path("ball.ron"), bench.path("break.ron")).unwrap();
    let study = fs::read_to_string("scenarios/studies/rest_time.ron").unwrap();
    bench.write("study.ron", &study.replace("\"base/", "\"scenarios/studies/base/"));
    for command in [
        "run scenarios/belt.ron scenarios/slope.ron scenarios/newtons_cradle.ron ball.ron break.ron",
        "run scenarios/two_ball_drop.ron scenarios/marble_run.ron --no-pictures",
        "sweep study.ron --output results",
    ] {
        assert_eq!(code(&bench, &format!("carom {command} --quiet")), 0, "{command}");
    }
    fs::copy(bench.path("output/break/recording.carom"), bench.path("break.carom")).unwrap();
    for (from, to) in [
        ("output/belt", "coarse/belt"),
        ("output/belt", "other/belt"),
        ("output/newtons_cradle", "runs/a"),
        ("output/newtons_cradle", "runs/b"),
        ("output/newtons_cradle", "output/slow"),
        ("output/newtons_cradle", "output/fast"),
        ("results", "output/rest_time"),
        ("results", "from_here"),
        ("results", "from_there"),
    ] {
        copy(&bench.path(from), &bench.path(to));
    }
    bench
}

/// Copies the files of a folder, and of those in it but `pictures`.
pub(super) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true if entry.file_name() == "pictures" => {}
            true => copy(&entry.path(), &target),
            false => _ = fs::copy(entry.path(), target).unwrap(),
        }
    }
}

/// A shell that runs a line. Its home is the folder of the bench.
pub(super) fn shell(bench: &Bench, line: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_carom")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(bench.path("")).env("PATH", path).env("HOME", bench.path(""));
    shell.stdin(Stdio::null());
    shell
}

/// The exit code of a line for a shell.
fn code(bench: &Bench, line: &str) -> i32 {
    shell(bench, line).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().code().unwrap()
}

/// The command of a line, without the explanation after it.
fn command(line: &str) -> Option<&str> {
    let line = line.trim().strip_prefix("$ ").unwrap_or(line.trim());
    let line = line.split(" #").next().unwrap_or_default();
    let line = if line.starts_with("carom ") { line.split("   ").next().unwrap_or_default().trim() } else { line };
    let is_own = line.starts_with("carom ") && !OTHERS.iter().any(|other| line.starts_with(other));
    is_own.then_some(line)
}

/// Whether films can be encoded here.
fn has_ffmpeg() -> bool {
    Command::new("ffmpeg").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Runs the lines of a text in turn; returns how many commands they were.
fn check(bench: &Bench, of: &str, lines: &[&str]) -> usize {
    let commands: Vec<&str> = lines.iter().filter_map(|line| command(line)).collect();
    for line in &commands {
        let has_no_encoder = [" --to mp4", " --to webm"].iter().any(|to| line.contains(to)) && !has_ffmpeg();
        let wanted = if has_no_encoder || FROM_ELSEWHERE.iter().any(|file| line.split(' ').any(|word| word == *file)) {
            3
        } else {
            0
        };
        // A command that begins my.ron finds none; any other finds the one that this command makes.
        if line.contains(" my.ron") {
            let _ = fs::remove_file(bench.path("my.ron"));
            assert!(line.starts_with("carom new") || code(bench, "carom new my.ron") == 0);
        }
        assert_eq!(code(bench, line), wanted, "{of}: {line}");
    }
    commands.len()
}

#[test]
fn the_commands_of_every_help_text_do_what_they_say() {
    let bench = bench();
    let mut count = 0;
    let nested = NESTED.map(|command| command.replace('-', " "));
    for name in [""].into_iter().chain(COMMANDS).chain(nested.iter().map(String::as_str)) {
        let words: Vec<&str> = name.split(' ').filter(|word| !word.is_empty()).chain(["--help"]).collect();
        // A narrow terminal would break lines.
        let help = bench.command(&words).env("COLUMNS", "300").output().unwrap();
        let help = stdout(&help);
        let examples: Vec<&str> = help.lines().skip_while(|line| *line != "Examples:").skip(1).collect();
        count += check(&bench, name, &examples);
    }
    assert!(count > 45, "{count} commands");
}

#[test]
fn the_commands_of_the_book_do_what_it_says() {
    let bench = bench();
    let mut count = 0;
    for page in pages().iter().filter(|page| !page.is_worked()) {
        let blocks = page.blocks.iter().filter(|block| ["sh", "console"].contains(&block.language.as_str()));
        let lines: Vec<&str> = blocks.flat_map(|block| block.text.lines()).collect();
        count += check(&bench, &page.path.display().to_string(), &lines);
    }
    assert!(count > 35, "{count} commands");
}
