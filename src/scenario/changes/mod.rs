//! What is different between two scenarios, field by field: not how they are written, but what they say.
//!
//! Bodies, generators and materials are matched by their names. Entries without names are matched if they are equal,
//! and the others in their order. Comments, the order of fields, maps and bodies, and the way a number is written make
//! no difference. A field that is left out differs from one that is there, whatever it says.

mod change;
mod diff;
mod node;

use super::Source;
pub use change::{Change, ChangeKind};
use node::Node;

/// What is different in `after`, in the order of its fields; both texts must be RON.
pub fn changes(before: &Source, after: &Source) -> Vec<Change> {
    diff::changes(&Node::of(&before.text), &Node::of(&after.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = r#"Scenario(
        title: "A", gravity: (0, 0, -9.81), timestep: 0.1, duration: 2,
        materials: { "rubber": (restitution: 0.5), "steel": (restitution: 0.9, friction: 0.1) },
        pairs: [(between: ("rubber", "steel"), restitution: 0.7)],
        bodies: [
            (name: "ball", shape: Sphere(radius: 0.5), mass: 1, position: (0, 0, 5), material: "rubber"),
            (name: "2.5", shape: Box(half_extents: (1, 1, 1)), mass: 4),
            (shape: Plane(normal: (0, 0, 1), offset: 0)),
        ],
        fill: [Lattice(name: "gas", seed: 1), Rack(name: "rack")],
        expect: [Impacts(exactly: 1), AtRest()],
    )"#;

    fn told(before: &str, after: &str) -> Vec<String> {
        let [before, after] = [before, after].map(|text| Source::new("x.ron", text));
        changes(&before, &after).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_same_values_are_no_change() {
        let other = r#"(
            // Another title comes first: no.
            timestep: 0.10, title: "A", duration: 2.0, gravity: (0, 0, /* down */ -981e-2),
            materials: { "steel": Material(friction: 0.1, restitution: 0.90), "rubber": (restitution: Some(0.5)) },
            pairs: [Pair(between: ("rubber", "steel"), restitution: 0.7)],
            bodies: [
                (shape: Plane(offset: 0, normal: (0, 0, 1))),
                (name: r"2.5", shape: Box(half_extents: (1, 1, 1)), mass: 4),
                Body(name: "ball", mass: 1, shape: Sphere(radius: 0.5), position: (0, 0, 5), material: "rubber"),
            ],
            fill: [Lattice(name: "gas", seed: 1), Rack(name: "rack")],
            expect: [Impacts(exactly: 1), AtRest()],
        )"#;
        assert_eq!(told(BASE, other), Vec::<String>::new());
    }

    #[test]
    fn each_change_is_named() {
        let rows: [(&str, &str, &[&str]); 21] = [
            ("restitution: 0.5", "restitution: 0.51", &["materials.rubber.restitution 0.5 → 0.51"]),
            (", friction: 0.1", "", &["materials.steel.friction 0.1 → not given"]),
            ("gravity: (0, 0, -9.81), ", "", &["gravity (0, 0, -9.81) → not given"]),
            ("(0, 0, -9.81)", "(0, 0, -1.620)", &["gravity.z -9.81 → -1.62"]),
            ("(0, 0, -9.81)", "(1, 0, -1.62)", &["gravity (0, 0, -9.81) → (1, 0, -1.62)"]),
            ("(0, 0, -9.81)", "(0, -0.0, -9.81)", &["gravity.y 0 → -0"]),
            ("radius: 0.5", "radius: 5e-9", &["bodies.ball.shape.radius 0.5 → 5e-9"]),
            ("mass: 4", "mass: 5", &[r#"bodies["2.5"].mass 4 → 5"#]),
            (
                "Sphere(radius: 0.5)",
                "Box(half_extents: (1, 1, 1))",
                &["bodies.ball.shape Sphere(radius: 0.5) → Box(half_extents: (1, 1, 1))"],
            ),
            ("offset: 0", "offset: 1", &["bodies[2].shape.offset 0 → 1"]),
            ("\"ball\"", "\"globe\"", &["bodies: `ball` renamed to `globe`"]),
            (
                "(shape: Plane(normal: (0, 0, 1), offset: 0)),",
                "",
                &["bodies: `(shape: Plane(normal: (0, 0, 1), offset: 0))` removed"],
            ),
            ("bodies: [", "bodies: [(name: \"new\", shape: Sphere(radius: 1)),", &["bodies: `new` added"]),
            (
                "\"ball\", shape: Sphere(radius: 0.5)",
                "\"globe\", shape: Sphere(radius: 0.6)",
                &["bodies: `ball` removed", "bodies: `globe` added"],
            ),
            ("seed: 1", "seed: 18446744073709551615", &["fill.gas.seed 1 → 18446744073709551615"]),
            (
                "Lattice(name: \"gas\", seed: 1), Rack(name: \"rack\")",
                "Rack(name: \"rack\"), Lattice(name: \"gas\", seed: 1)",
                &["fill: in another order"],
            ),
            ("Impacts(exactly: 1)", "Impacts(exactly: 2)", &["expect[0].exactly 1 → 2"]),
            ("Impacts(exactly: 1), ", "", &["expect: `Impacts(exactly: 1)` removed"]),
            (
                "expect: [Impacts(exactly: 1), AtRest()],",
                "",
                &["expect: `Impacts(exactly: 1)` removed", "expect: `AtRest()` removed"],
            ),
            ("title: \"A\"", "title: \"B\"", &["title \"A\" → \"B\""]),
            (
                "restitution: 0.7",
                "restitution: BySpeed([(0, 1), (2, 0.5)])",
                &["pairs[0].restitution 0.7 → BySpeed((0, 1), (2, 0.5))"],
            ),
        ];
        for (old, new, wanted) in rows {
            assert!(BASE.contains(old), "{old}");
            assert_eq!(told(BASE, &BASE.replacen(old, new, 1)), wanted, "{old} → {new}");
        }
        assert_eq!(told(BASE, &BASE.replace("\"rubber\"", "\"gum\"")), ["materials: `rubber` renamed to `gum`"]);
    }
}
