//! The closed forms of the program and the exact solution, compared with values of 60 digits (`closed_forms.py`).

use carom::oracle::{Exact, scenes};

/// The reference values of 60 digits, each as the nearest double.
fn rows() -> Vec<(&'static str, &'static str, f64)> {
    let row = |line: &'static str| {
        let [scene, quantity, value] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        (scene, quantity, value.parse().unwrap())
    };
    include_str!("closed_forms.tsv").lines().map(row).collect()
}

/// A formula has about a dozen roundings, some of which a difference amplifies; the exact solution has at most a
/// hundred impacts. The Galperin scene with 314 impacts needs larger bounds. The product 314 θ has a rounding error of
/// 4e-16 and lies 0.0017 below π, so its cotangent, 588, is known only to a relative 2.6e-13. The small block reaches
/// 100 m/s, and each rounding error of 1.4e-14 m/s affects all later impacts. A path around an edge consists of
/// parabolas that rise by at most a rest height (1e-7 m or 1e-6 m), and a friction of 1000 lets a ball slip for the
/// last 1e-4 rad before it leaves the edge.
fn bounds(scene: &str) -> [f64; 2] {
    match scene {
        "chain_galperin_314" => [2e-12, 1e-11],
        "gap_roll" | "step_climb" | "edge_slide" => [4e-15, 1e-5],
        "edge_roll" => [4e-15, 1e-4],
        _ => [4e-15, 1e-13],
    }
}

#[test]
fn formulas_and_courses_agree_with_sixty_digits() {
    let rows = rows();
    let mut checked = 0;
    for scene in scenes() {
        let forms = scene.closed_forms();
        if forms.is_empty() {
            continue;
        }
        let exact = Exact::new(&scene.scenario().unwrap()).unwrap();
        for form in forms {
            let quantity = form.quantity.to_string();
            let value = rows.iter().find(|row| (row.0, row.1) == (scene.name, &*quantity)).map(|row| row.2);
            let value = value.unwrap_or_else(|| panic!("no value of {quantity} in {}", scene.name));
            let scale = f64::max(value.abs(), 1.0);
            let [own, bound] = bounds(scene.name);
            assert!(
                (form.value - value).abs() <= own * scale,
                "{}, {quantity}: {} for {value}",
                scene.name,
                form.value
            );
            let found = form.quantity.of(&exact).unwrap_or_else(|| panic!("{} has no {quantity}", scene.name));
            assert!((found - value).abs() <= bound * scale, "{}, {quantity}: {found} for {value}", scene.name);
            checked += 1;
        }
    }
    assert_eq!(checked, rows.len(), "each value has its formula");
    assert!(checked > 150);
}
