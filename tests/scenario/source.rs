//! How files are read, and paths that are not files.

use std::fs;
use std::path::Path;

use carom::scenario::{ReadError, Source, parse};

fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn marks_and_line_ends_of_other_systems_are_read() {
    let folder = folder("marks");
    for (name, bytes) in [
        ("bom.ron", "\u{feff}(timestep: 1, duration: 1)".to_owned()),
        ("crlf.ron", "(\r\n  timestep: 1, // one\r\n  duration: 1,\r\n)\r\n".to_owned()),
        ("cr.ron", "(\r  timestep: 1, // one\r  duration: 1,\r)\r".to_owned()),
    ] {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        let source = Source::read(&path).unwrap();
        assert_eq!(parse(&source).unwrap().scenario.title, name.strip_suffix(".ron").unwrap());
    }
    let path = folder.join("bad.ron");
    for end in ["\n", "\r\n", "\r"] {
        fs::write(&path, format!("\u{feff}({end}  timestep: 1, // one{end}  duration: -1)")).unwrap();
        let problems = parse(&Source::read(&path).unwrap()).unwrap_err();
        assert_eq!((problems.list()[0].line, problems.list()[0].column), (3, 13), "{end:?}");
        fs::write(&path, [b"(", end.as_bytes(), end.as_bytes(), b" \xfc)"].concat()).unwrap();
        let error = Source::read(&path).unwrap_err();
        assert!(matches!(error, ReadError::NotText { line: 3, .. }), "{end:?}: {error:?}");
    }
}

#[test]
fn what_is_no_text_is_refused_with_its_place() {
    let path = folder("bytes").join("latin1.ron");
    fs::write(&path, b"(\n title: \"\xfc\")").unwrap();
    let error = Source::read(&path).unwrap_err();
    assert!(matches!(error, ReadError::NotText { offset: 11, line: 2, .. }), "{error:?}");
    assert!(!error.is_unreadable());
}

#[test]
fn a_missing_file_is_told_from_an_unfit_one() {
    let folder = folder("missing");
    assert!(Source::read(folder.join("none.ron")).unwrap_err().is_unreadable());
    let error = Source::read(&folder).unwrap_err();
    assert!(!error.is_unreadable());
    assert!(error.to_string().ends_with("is a folder, not a file"), "{error}");
}

#[test]
#[cfg(unix)]
fn devices_are_not_read() {
    for path in ["/dev/zero", "/dev/null"] {
        let error = Source::read(path).unwrap_err();
        assert!(matches!(error, ReadError::NotAFile { .. }), "{error}");
    }
}

#[test]
fn a_file_beyond_all_measure_is_refused() {
    let path = folder("large").join("large.ron");
    // A sparse file: it takes no disk space.
    fs::File::create(&path).unwrap().set_len(65 << 20).unwrap();
    let error = Source::read(&path).unwrap_err();
    assert!(error.to_string().contains("larger than 64 MiB"), "{error}");
    fs::remove_file(&path).unwrap();
}
