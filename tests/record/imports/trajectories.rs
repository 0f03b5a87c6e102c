//! Trajectories of HOOMD-blue.

use std::fs;

use carom::geometry::Shape;
use carom::record::{ImportFormat, ImportRequest, import};
use carom::{Motion, Period};
use glam::DVec3;

use super::{Folder, all, imported, refused, scenario};

/// A file of three frames that the Python package gsd 5.0.1 has written, in the schema `hoomd` 2.0.
const WRITTEN: &[u8] = include_bytes!("hoomd.gsd");

/// A chunk: its name, the type of its numbers, its columns and its bytes.
type Chunk = (&'static str, u8, u32, Vec<u8>);

fn singles(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn doubles(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn wholes(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A file of frames, with its names and its index before the chunks, in the version 2.0 of the file layer.
fn file(frames: &[Vec<Chunk>]) -> Vec<u8> {
    let mut names: Vec<&str> = frames.iter().flatten().map(|chunk| chunk.0).collect();
    names.sort_unstable();
    names.dedup();
    let list = names.iter().flat_map(|name| [name.as_bytes(), b"\0"].concat()).collect::<Vec<u8>>();
    let list = [&list[..], &vec![0; 64 - list.len() % 64][..]].concat();
    let entries = frames.iter().flatten().count() + 1;
    let mut place = 256 + list.len() + 32 * entries;
    let (mut index, mut data) = (Vec::new(), Vec::new());
    for (frame, chunks) in frames.iter().enumerate() {
        for (name, kind, columns, bytes) in chunks {
            let width = [0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1][usize::from(*kind)];
            let rows = bytes.len() / width / *columns as usize;
            [frame as u64, rows as u64, place as u64].iter().for_each(|number| index.extend(number.to_le_bytes()));
            index.extend(columns.to_le_bytes());
            index.extend((names.binary_search(name).unwrap() as u16).to_le_bytes());
            index.extend([*kind, 0]);
            data.extend(bytes);
            place += bytes.len();
        }
    }
    index.extend([0; 32]);
    let numbers = [0x65DF_65DF_65DF_65DF, 256 + list.len() as u64, entries as u64, 256, list.len() as u64 / 64];
    let mut head: Vec<u8> = numbers.iter().flat_map(|number: &u64| number.to_le_bytes()).collect();
    head.extend(wholes(&[1 << 16 | 4, 2 << 16]));
    head.resize(112, 0);
    head.extend(b"hoomd");
    head.resize(256, 0);
    [head, list, index, data].concat()
}

/// Two balls in a box of 4 × 5 × 6, and then three.
fn two_frames() -> Vec<Vec<Chunk>> {
    let types = b"A\0\0\0big/".to_vec();
    vec![
        vec![
            ("configuration/box", 9, 1, singles(&[4.0, 5.0, 6.0, 0.0, 0.0, 0.0])),
            ("particles/N", 3, 1, wholes(&[2])),
            ("particles/types", 5, 4, types),
            ("particles/typeid", 3, 1, wholes(&[1, 0])),
            ("particles/mass", 9, 1, singles(&[2.5, 3.0])),
            ("particles/diameter", 9, 1, singles(&[0.5, 0.25])),
            ("particles/position", 9, 3, singles(&[-2.0, 0.5, 0.75, 1.0, 0.0, 0.0])),
            ("particles/image", 7, 3, wholes(&[0, 0, 1, u32::MAX, 0, 0])),
            ("particles/charge", 9, 1, singles(&[1.0, -1.0])),
        ],
        vec![
            ("configuration/step", 4, 1, 700_u64.to_le_bytes().to_vec()),
            ("particles/N", 3, 1, wholes(&[3])),
            ("particles/position", 10, 3, doubles(&[-1.5, 0.1, 0.0, 1.5, 0.0, 0.0, 0.0, 2.0, 0.0])),
            ("particles/velocity", 10, 3, doubles(&[0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0])),
        ],
    ]
}

#[test]
fn a_chunk_that_a_frame_lacks_is_that_of_the_first_or_its_default() {
    let bytes = file(&two_frames());
    let first = imported("x.gsd", &bytes, &ImportRequest { frame: Some(1), ..all(ImportFormat::Gsd) });
    let found = scenario(&first);
    let names: Vec<&str> = found.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["spheres/big_/0", "spheres/A/1"]);
    assert_eq!(found.settings.space.periods[1], Some(Period { min: -2.5, max: 2.5 }));
    assert_eq!(found.bodies[0].position, DVec3::new(-2.0, 0.5, 6.75), "an image is a period");
    assert_eq!(found.bodies[1].position, DVec3::new(-3.0, 0.0, 0.0));
    assert!(matches!(found.bodies[0].shape, Shape::Sphere(radius) if radius.get() == 0.25));
    assert!(matches!(found.bodies[0].motion, Motion::Free(mass) if mass.get() == 2.5));
    assert_eq!(first.missing[0], "the chunk particles/charge");
    // The last frame has other numbers of 64 bits, and one particle more than the first.
    let last = imported("x.gsd", &bytes, &all(ImportFormat::Gsd));
    assert!(last.text.contains("frame 2 of 2, step 700"), "{}", last.text);
    let body = "(name: \"spheres/A/0\", shape: Sphere(radius: 0.5), mass: 1.0, position: (-1.5, 0.1, 0.0), velocity: (0.1, 0.0, 0.0)),";
    assert!(last.text.contains(body) && last.text.contains("spheres/A/2"), "{}", last.text);
    assert!(last.text.contains("space: Periodic(min: (-2.0, -2.5, -3.0), max: (2.0, 2.5, 3.0))"), "{}", last.text);
    let open = ImportRequest { open: [true, false, true], shrink: Some(0.5), ..all(ImportFormat::Gsd) };
    let found = imported("x.gsd", &bytes, &open).text;
    assert!(found.contains("space: Periodic(y: (-2.5, 2.5))") && found.contains("radius: 0.25"), "{found}");
    let mut flat = two_frames();
    flat[0].push(("configuration/dimensions", 1, 1, vec![2]));
    let found = imported("x.gsd", &file(&flat), &all(ImportFormat::Gsd)).text;
    assert!(found.contains("space: Planar(x: (-2.0, 2.0), y: (-2.5, 2.5))"), "{found}");
    assert!(found.contains("Disc(radius: 0.5)") && found.contains("places and velocities along z"), "{found}");
}

#[test]
fn a_file_that_gsd_has_written_is_read() {
    let found = imported("x.gsd", WRITTEN, &ImportRequest { frame: Some(1), ..all(ImportFormat::Gsd) });
    let body = "(name: \"spheres/B2/1\", shape: Sphere(radius: 0.125), mass: 2.0, position: (1.0, -1.25, 5.0), velocity: (0.5, 0.0, -0.25)),";
    assert!(found.text.contains(body) && found.text.contains("frame 1 of 3, step 0"), "{}", found.text);
    assert!(found.text.contains("space: Periodic(min: (-1.5, -2.0, -2.5), max: (1.5, 2.0, 2.5))"), "{}", found.text);
    let last = imported("x.gsd", WRITTEN, &all(ImportFormat::Gsd));
    assert!(last.text.contains("frame 3 of 3, step 20") && last.text.matches("(name: ").count() == 4, "{}", last.text);
    let unread = ["the chunk particles/charge"];
    assert_eq!(found.missing[..1], unread, "{:?}", found.missing);
}

#[test]
fn what_is_no_trajectory_says_why() {
    let whole = file(&two_frames());
    let changed = |place: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[place..place + bytes.len()].copy_from_slice(bytes);
        file
    };
    let with = |row: usize, chunk: Chunk| {
        let mut frames = two_frames();
        frames[0][row] = chunk;
        frames.truncate(1);
        file(&frames)
    };
    let far = u64::MAX.to_le_bytes();
    let tilted = singles(&[4.0, 5.0, 6.0, 0.5, 0.0, 0.0]);
    let wild = singles(&[f32::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let one_type = ("particles/types", 5, 4, b"A\0\0\0".to_vec());
    let rows = [
        (b"".to_vec(), "it is no file of GSD"),
        (whole[..200].to_vec(), "it is no file of GSD"),
        (changed(0, b"X"), "it is no file of GSD"),
        (changed(46, &[9]), "it is of version 9 of the file layer, and 1 and 2 are read"),
        (changed(112, b"other"), "its schema is `other`, version 1, and `hoomd` up to version 2 is read"),
        (changed(42, &[3]), "its schema is `hoomd`, version 3"),
        (
            changed(8, &far),
            "the file ends before the end of its index, which its head places at byte 18446744073709551615",
        ),
        (changed(16, &far), "the file ends before the end of its index"),
        (changed(32, &far), "the file ends before the end of its names"),
        (whole[..whole.len() - 1].to_vec(), "the file ends before the end of `particles/velocity`, 3 × 3 numbers"),
        (file(&[]), "it has no frame"),
        (with(0, ("configuration/box", 9, 1, tilted)), "configuration/box: the box is not at right angles"),
        (with(0, ("configuration/box", 9, 1, singles(&[0.0; 6]))), "configuration/box: the box must have a width"),
        (with(0, ("configuration/box", 9, 1, vec![0; 12])), "configuration/box: 6 × 1 numbers wanted, 3 × 1 found"),
        (with(1, ("particles/N", 3, 1, wholes(&[u32::MAX]))), "4294967295 × 3 numbers wanted, 2 × 3 found"),
        (with(1, ("particles/N", 3, 1, wholes(&[0]))), "particles/position: 0 × 3 numbers wanted, 2 × 3 found"),
        (with(6, ("log/x", 9, 1, singles(&[1.0]))), "it has no particles with positions"),
        (
            with(6, ("particles/position", 9, 3, wild)),
            "particles/position: row 0: a number of at most 1e70 is wanted, found NaN",
        ),
        (with(6, ("particles/position", 8, 3, vec![0; 48])), "particles/position: numbers of the type 8 are not read"),
        (with(5, ("particles/diameter", 9, 1, singles(&[0.5, 0.0]))), "particle 1: the radius must be"),
        (with(2, one_type), "particle 0: its type is 1, and the number of types is 1"),
    ];
    for (bytes, wanted) in rows {
        refused("x.gsd", &all(ImportFormat::Gsd), &[(&bytes, wanted)]);
    }
    let third = ImportRequest { frame: Some(3), ..all(ImportFormat::Gsd) };
    refused("x.gsd", &third, &[(&whole, "it has 2 frames, and frame 3 is asked for")]);
}

/// Each part of a file, and each byte of it changed, is imported or refused.
#[test]
fn no_bytes_of_a_trajectory_make_an_import_panic() {
    let whole = file(&two_frames());
    let folder = Folder::new(&[]);
    let place = folder.path("x.gsd");
    let mut refused = 0;
    let mut look = |bytes: &[u8]| {
        fs::write(&place, bytes).unwrap();
        refused += usize::from(import(&place, &all(ImportFormat::Gsd), None).is_err());
    };
    for end in 0..whole.len() {
        look(&whole[..end]);
    }
    for at in 0..whole.len() {
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = whole.clone();
            changed[at] = byte;
            look(&changed);
        }
    }
    assert!(refused > whole.len());
}
