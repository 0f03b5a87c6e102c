//! Tests of the rules themselves, on small trees of files.

use super::circles::{circles, room};
use super::constants::constants;
use super::functions::functions;
use super::imports::Imports;
use super::tree::File;

fn tree(files: &[(&str, &str)]) -> Vec<File> {
    files.iter().map(|(path, text)| File::new(path, text)).collect()
}

/// The files of each cycle.
fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    circles(&tree(files), |file| Some(file.name())).into_iter().map(|circle| circle.parts).collect()
}

const ROOT: (&str, &str) = ("src/lib.rs", "pub mod room; pub mod above;");
const ABOVE: (&str, &str) = ("src/above.rs", "");

#[test]
fn two_files_that_use_each_other_are_a_circle() {
    let room = ("src/room/mod.rs", "mod a; mod b;");
    let there = ("src/room/a.rs", "use super::b::second; pub fn first() { second() }");
    let back = ("src/room/b.rs", "pub fn second() { super::a::first() }");
    assert_eq!(found(&[ROOT, ABOVE, room, there, back]), [["src/room/a.rs", "src/room/b.rs"]]);
    let one_way = ("src/room/b.rs", "pub fn second() {}");
    assert!(found(&[ROOT, ABOVE, room, there, one_way]).is_empty());
}

#[test]
fn two_rooms_that_use_each_other_through_different_files_are_a_circle() {
    let layer = ("src/layer/mod.rs", "pub mod x; pub mod y; mod loose;");
    let (x, y) = (("src/layer/x/mod.rs", "pub mod a; pub mod b;"), ("src/layer/y/mod.rs", "pub fn third() {}"));
    let a = ("src/layer/x/a.rs", "pub fn first() { crate::layer::y::third() }");
    let b = ("src/layer/x/b.rs", "pub fn second() { super::super::loose::last() }");
    let loose = ("src/layer/loose.rs", "pub fn last() { super::x::a::first() }");
    let root = ("src/lib.rs", "pub mod layer;");
    let rooms = |files: &[(&str, &str)]| -> Vec<Vec<String>> {
        circles(&tree(files), room).into_iter().map(|circle| circle.parts).collect()
    };
    assert!(rooms(&[root, layer, x, y, a, b, loose]).is_empty());
    let back = ("src/layer/y/mod.rs", "pub fn third() {} pub fn fourth() { super::x::b::second() }");
    assert_eq!(rooms(&[root, layer, x, back, a, b, loose]), [["src/layer/x", "src/layer/y"]]);
}

#[test]
fn a_circle_through_a_reexport_is_one() {
    let room = ("src/room/mod.rs", "mod a; mod b; pub use a::First; pub use self::b::*;");
    let a = ("src/room/a.rs", "use crate::room::Second; pub struct First(Second);");
    let b = ("src/room/b.rs", "use super::First; pub struct Second(Box<First>);");
    assert_eq!(found(&[ROOT, ABOVE, room, a, b]), [["src/room/a.rs", "src/room/b.rs"]]);
    let again = ("src/above.rs", "pub use crate::room::Second as Other;");
    let renamed = ("src/room/a.rs", "use crate::above; pub struct First(above::Other);");
    assert_eq!(found(&[ROOT, again, room, renamed, b]), [["src/room/a.rs", "src/room/b.rs"]]);
}

#[test]
fn a_parent_that_only_declares_and_passes_on_is_in_no_circle() {
    let room = ("src/room/mod.rs", "mod a; pub use a::first; pub struct Shared;");
    let a = ("src/room/a.rs", "use super::Shared; pub fn first(_: Shared) {}");
    assert!(found(&[ROOT, ABOVE, room, a]).is_empty());
    let uses = ("src/room/mod.rs", "mod a; pub use a::first; pub struct Shared; pub fn both() { first(Shared) }");
    assert_eq!(found(&[ROOT, ABOVE, uses, a]), [["src/room/a.rs", "src/room/mod.rs"]]);
}

#[test]
fn unit_tests_make_no_circle_and_macros_do() {
    let room = ("src/room/mod.rs", "mod a; mod b;");
    let a = ("src/room/a.rs", "pub fn first() -> u8 { 1 } #[cfg(test)] mod tests { use super::super::b::second; }");
    let b = ("src/room/b.rs", "pub fn second() { assert_eq!(super::a::first(), 1) }");
    assert!(found(&[ROOT, ABOVE, room, a, b]).is_empty());
    let back = ("src/room/a.rs", "pub fn first() -> u8 { vec![super::b::second()]; 1 }");
    assert_eq!(found(&[ROOT, ABOVE, room, back, b]), [["src/room/a.rs", "src/room/b.rs"]]);
}

#[test]
fn a_name_is_an_import_of_the_file_that_defines_it() {
    let room = ("src/room/mod.rs", "mod a; pub use a::first;");
    let a = ("src/room/a.rs", "pub fn first() {}");
    let above = ("src/above.rs", "use std::fmt; pub fn f(first: u8) -> u8 { crate::room::first(); first }");
    let files = tree(&[ROOT, above, room, a]);
    let uses = Imports::new(&files).uses(1);
    assert_eq!(uses.of.keys().map(|&file| files[file].name()).collect::<Vec<_>>(), ["src/room/a.rs"]);
    assert!(uses.libraries.contains("std") && uses.layers.contains("room"));
}

#[test]
fn a_module_is_no_library_of_the_same_name() {
    let room = ("src/room/mod.rs", "mod csv; mod b;");
    let csv = ("src/room/csv.rs", "pub fn row() { csv::Reader::new() }");
    let b = ("src/room/b.rs", "use super::csv; fn f() { csv::row() }");
    let files = tree(&[ROOT, ABOVE, room, csv, b]);
    let imports = Imports::new(&files);
    assert!(imports.uses(3).libraries.contains("csv") && !imports.uses(4).libraries.contains("csv"));
}

#[test]
fn a_signature_over_several_lines_counts() {
    let text = "impl A {\n    pub fn long(\n        a: u8,\n    ) -> u8\n    {\n        a\n    }\n}\n";
    assert_eq!(functions(&File::new("src/a.rs", text)), [(2, "long".to_owned(), 6)]);
}

#[test]
fn numbers_that_decide_are_seen_and_natural_ones_are_not() {
    let seen = |text: &str| -> Vec<String> {
        constants(&File::new("src/a.rs", text)).into_iter().map(|found| found.what).collect()
    };
    assert_eq!(seen("const FINE: f64 = 1.0 / 1_048_576.0;"), ["FINE"]);
    assert_eq!(seen("impl A { const HALF: f64 = 0.5; }"), ["HALF"]);
    assert_eq!(seen("fn f() { const GRAINS: [f64; 2] = [1.0, 2.0]; }"), ["GRAINS"]);
    assert_eq!(seen("const TINY: f64 = 1.0339757656912846e-25; const N: usize = 7;"), ["TINY"]);
    assert_eq!(seen("fn f(x: f64) -> bool { x < 1e-9 || x > 0.999 }"), ["1e-9", "0.999"]);
    assert_eq!(seen("fn f(x: f64) -> f64 { assert!(x < 0.8); x * f64::EPSILON }"), ["0.8", "EPSILON"]);
    assert!(seen("fn f(x: f64) -> f64 { (x * 0.5 + 2.0 * x - 4.0) / 6.0 }").is_empty());
    assert!(seen("const ALL: f64 = SLACK; #[cfg(test)] mod tests { const NEAR: f64 = 1e-9; }").is_empty());
}
