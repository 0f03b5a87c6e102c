//! The values of the members of a sweep.

use std::collections::BTreeSet;

use carom::scenario::Source;
use carom::scenario::sweep_file::{Sweep, read_sweep};

fn sweep(text: &str) -> Sweep {
    read_sweep(&Source::new("s.ron", &format!("Sweep(base: \"b.ron\", {text})"))).unwrap()
}

fn members(sweep: &Sweep) -> Vec<String> {
    (0..sweep.count().unwrap()).map(|member| sweep.values(member).join(" ")).collect()
}

#[test]
fn a_grid_has_every_value_with_every_other() {
    let grid = sweep(
        r#"vary: { "a": List([1, "x"]), "b.c": Range(from: 0, to: 1, count: 3), "s": Seeds(count: 2, first: 7) }"#,
    );
    let wanted = [
        "1 0 7",
        "1 0 8",
        "1 0.5 7",
        "1 0.5 8",
        "1 1 7",
        "1 1 8",
        "\"x\" 0 7",
        "\"x\" 0 8",
        "\"x\" 0.5 7",
        "\"x\" 0.5 8",
        "\"x\" 1 7",
        "\"x\" 1 8",
    ];
    assert_eq!(members(&grid), wanted);
    assert_eq!(members(&sweep("")), [""], "a sweep that varies nothing has one member");
}

#[test]
fn a_zip_goes_through_its_lists_together_with_every_seed() {
    let zip = sweep(
        r#"combine: Zip, vary: { "a": List([1, 2]), "s": Seeds(count: 2), "b": LogRange(from: 1, to: 100, count: 2) }"#,
    );
    assert_eq!(members(&zip), ["1 0 1", "1 1 1", "2 0 100", "2 1 100"]);
}

#[test]
fn ranges_have_their_ends_exactly_and_logarithms_equal_ratios() {
    let range = sweep(r#"vary: { "a": LogRange(from: 1e-3, to: 1e3, count: 7) }"#);
    let values: Vec<f64> = members(&range).iter().map(|value| value.parse().unwrap()).collect();
    assert_eq!((values[0], values[6]), (1e-3, 1e3));
    // Two roundings of a logarithm of size 7 and one of the exponential give 20 ulps. The 16th digit gives 23 ulps.
    assert!(
        values.iter().zip(-3..).all(|(value, power)| (value / 10_f64.powi(power) - 1.0).abs() < 43.0 * f64::EPSILON)
    );
    let tenths = sweep(r#"vary: { "a": Range(from: 0.1, to: 0.9, count: 9) }"#);
    assert_eq!(members(&tenths), ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"]);
}

#[test]
fn a_latin_hypercube_has_one_member_in_each_part_of_each_factor() {
    let text = |seed| {
        format!(
            r#"combine: LatinHypercube(count: 50, seed: {seed}),
            vary: {{ "a": Range(from: 2, to: 3), "b": LogRange(from: 1, to: 1e5), "c": List([1, 2, 3, 4, 5]), "s": Seeds(count: 2) }}"#
        )
    };
    let cube = sweep(&text(1));
    assert_eq!(cube.count(), Some(100));
    let values: Vec<Vec<f64>> =
        (0..50).map(|member| cube.values(2 * member).iter().map(|value| value.parse().unwrap()).collect()).collect();
    let parts = |place: usize, part: fn(f64) -> f64| {
        let found: BTreeSet<i64> = values.iter().map(|row| (50.0 * part(row[place])).floor() as i64).collect();
        assert_eq!(found, (0..50).collect(), "factor {place}");
    };
    parts(0, |value| value - 2.0);
    parts(1, |value| value.log10() / 5.0);
    for choice in 1..=5 {
        assert_eq!(values.iter().filter(|row| row[2] == f64::from(choice)).count(), 10, "{choice}");
    }
    assert_eq!(members(&cube), members(&sweep(&text(1))), "the same seed, the same design");
    assert_ne!(members(&cube), members(&sweep(&text(2))));
}
