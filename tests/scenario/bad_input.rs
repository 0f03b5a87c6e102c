//! Messages about invalid scenarios: a table of snippets and of the parts that each message must contain.
//!
//! Messages are compared as plain text without colours, as they appear in a log or in a screen reader.

use carom::SetupError;
use carom::scenario::{Problems, Source, parse};
use miette::NarratableReportHandler;

/// The problems of a scenario as text without colours.
fn plain(problems: &Problems) -> String {
    let mut text = String::new();
    NarratableReportHandler::new().render_report(&mut text, problems).expect("a text can be rendered");
    text
}

fn refused(text: &str) -> String {
    match parse(&Source::new("dir/bad.ron", text)) {
        Ok(parsed) => panic!("accepted: {text}\n{:#?}", parsed.scenario),
        Err(problems) => plain(&problems),
    }
}

/// Each row: line 3 of a scenario, and the parts that the message must contain.
fn check(rows: &[(&str, &[&str])]) {
    for (line, fragments) in rows {
        let text = format!("Scenario(\n  timestep: 0.01, duration: 1,\n{line}\n)\n");
        check_text(&text, fragments);
    }
}

fn check_text(text: &str, fragments: &[&str]) {
    let message = refused(text);
    for fragment in fragments {
        assert!(message.contains(fragment), "`{fragment}` is missing for\n{text}\nin\n{message}");
    }
}

#[test]
fn numbers_out_of_range() {
    check(&[
        (
            r#"bodies: [(name: "a", shape: Sphere(radius: -1), mass: 1)]"#,
            &["bad.ron:3:44: bodies[0].shape.radius: must be a positive finite number of metres", "found `-1`"],
        ),
        ("bodies: [(shape: Sphere(radius: 0), mass: 1)]", &["3:33: bodies[0].shape.radius", "found `0`"]),
        ("bodies: [(shape: Sphere(radius: 1e999), mass: 1)]", &["3:33: bodies[0].shape.radius", "found `1e999`"]),
        ("bodies: [(shape: Sphere(radius: 1), mass: NaN)]", &["3:43: bodies[0].mass", "kilograms", "found `NaN`"]),
        ("bodies: [(shape: Sphere(radius: 1), mass: 0)]", &["3:43: bodies[0].mass", "found `0`"]),
        ("bodies: [(shape: Sphere(radius: 1), mass: -inf)]", &["3:43: bodies[0].mass", "found `-inf`"]),
        ("bodies: [(shape: Sphere(radius: 1), density: 0)]", &["bodies[0].density: must be a positive", "found `0`"]),
        (
            "bodies: [(shape: Sphere(radius: 1e50), density: 1)]",
            &["bodies[0].density: must be a density whose mass is from 1e-70 kg to 1e70 kg"],
        ),
        (
            "bodies: [(shape: Box(half_extents: (1, 0, 1)), mass: 1)]",
            &["3:40: bodies[0].shape.half_extents[1]", "found `0`"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), mass: 1, position: (0, 1e101, 0))]",
            &["3:60: bodies[0].position[1]: must be a finite number of size at most 1e70, found `1e101`"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), mass: 1, velocity: (0, 0, 1e200))]",
            &["bodies[0].velocity[2]", "found `1e200`"],
        ),
        ("bodies: [(shape: Plane(normal: (0, 0, 0), offset: 1))]", &["3:32: bodies[0].shape.normal", "a direction"]),
        ("bodies: [(shape: Plane(normal: (0, NaN, 0), offset: 1))]", &["3:32: bodies[0].shape.normal", "a direction"]),
        ("bodies: [(shape: Plane(normal: (0, 0, 1), offset: inf))]", &["bodies[0].shape.offset", "found `inf`"]),
        ("gravity: (0, 0, 1e300)", &["3:17: gravity[2]: must be a finite number", "found `1e300`"]),
        ("rest_height: -1", &["3:14: rest_height: must be zero or a positive finite number", "found `-1`"]),
        ("flurry_max: 0", &["3:13: flurry_max: must be a whole number from 1 upwards"]),
        ("flurry_max: -1", &["flurry_max: must be a whole number, not negative and not too large"]),
        ("flurry_max: 2.5", &["3:13: flurry_max: must be a whole number, in digits, found `2.5`"]),
        ("impacts_max: 0", &["3:14: impacts_max: must be a whole number from 1 upwards"]),
        ("impacts_max: 5000000000", &["impacts_max: must be a whole number, not negative and not too large"]),
        (
            "materials: { \"a\": (restitution: 1.5) }",
            &["3:33: materials[\"a\"].restitution: must be a number from 0 to 1"],
        ),
        (
            "materials: { \"a\": (restitution: Viscoelastic(-1)) }",
            &["3:33: materials[\"a\"].restitution: must be a number from 0 to 1e70, found `Viscoelastic(-1)`"],
        ),
        (
            "materials: { \"a\": (restitution: BySpeed([(0, 0.9), (0, 0.8)])) }",
            &["3:53: materials[\"a\"].restitution[1][0]: must be a speed above the one before it, found `0`"],
        ),
        (
            "materials: { \"a\": (restitution: BySpeed([(0, 0.9), (1, 0.8), (2, 0.85)])) }",
            &["3:66: materials[\"a\"].restitution[2][1]: must be a restitution that goes on", "found `0.85`"],
        ),
        (
            "materials: { \"a\": (restitution: BySpeed([])) }",
            &["3:33: materials[\"a\"].restitution: must be a speed and a restitution"],
        ),
        (
            "materials: { \"a\": (restitution: BySpeed([(0, 1), (2, 3, 4)])) }",
            &["materials[\"a\"].restitution[1]: must be 2 values in round brackets and not 3, found `(2, 3, 4)`"],
        ),
        (
            "materials: { \"a\": (restitution: Power(v0: 1, exponent: 0.25, max: 2)) }",
            &["3:67: materials[\"a\"].restitution.max: must be a number from 0 to 1, found `2`"],
        ),
        (
            "materials: { \"a\": (restitution: Power(v0: 1, exponent: 0.25)) }",
            &["materials[\"a\"].restitution: the field `max` is missing"],
        ),
        (
            "materials: { \"a\": (restitution: Viscoelstic(0.1)) }",
            &["3:33: materials[\"a\"].restitution: `Viscoelstic` is not", "did you mean `Viscoelastic`?"],
        ),
        (
            "materials: { \"a\": (restitution: 1) }, pairs: [(between: (\"a\", \"a\"), restitution: Power(v0: x))]",
            &["pairs[0].restitution.v0: must be a number, found `x`"],
        ),
        ("materials: { \"a\": (restitution: \"high\") }", &["3:33: materials[\"a\"].restitution: must be a number"]),
        (
            "materials: { \"a\": (restitution: 1, friction: -0.1) }",
            &["3:46: materials[\"a\"].friction: must be a number from 0 to 1e6, found `-0.1`"],
        ),
        (
            "materials: { \"a\": (restitution: 2, friction: NaN) }",
            &["has 2 problems", "materials[\"a\"].restitution: must be", "materials[\"a\"].friction: must be"],
        ),
        (
            "materials: { \"a\": (restitution: 1) }, pairs: [(between: (\"a\", \"a\"), friction: 1e7)]",
            &["pairs[0].friction: must be a number from 0 to 1e6, found `1e7`"],
        ),
        (
            "materials: { \"a\": (restitution: 1, rolling_friction: -1) }",
            &["3:54: materials[\"a\"].rolling_friction: must be a length from 0 to 1e6 m, found `-1`"],
        ),
        (
            "materials: { \"a\": (restitution: 1) }, pairs: [(between: (\"a\", \"a\"), spinning_friction: 1e7)]",
            &["pairs[0].spinning_friction: must be a length from 0 to 1e6 m, found `1e7`"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), mass: 1, spin: (0, 1e200, 0))]",
            &["3:56: bodies[0].spin[1]: must be a finite number of size at most 1e70, found `1e200`"],
        ),
        ("record: (stride: 0)", &["3:18: record.stride: must be a whole number from 1 upwards"]),
        (
            "record: (at: [0.5, -1])",
            &["3:20: record.at[1]: must be an instant of the run, from 0 s to its duration, found `-1`"],
        ),
        ("record: (at: [0.5, 1.5])", &["record.at[1]: must be an instant of the run", "found `1.5`"]),
        ("record: (at: [NaN, inf])", &["has 2 problems", "record.at[0]", "found `NaN`", "record.at[1]", "found `inf`"]),
        ("record: (at: 0.5)", &["3:14: record.at: "]),
        ("record: (energy_stride: 0)", &["record.energy_stride: must be a whole number from 1 upwards"]),
        ("record: (format: Arrow)", &["record.format: "]),
        ("record: (events: Some)", &["record.events: "]),
        ("expect: [Deepest(below: 0)]", &["3:25: expect[0].below: must be a positive"]),
        ("expect: [Pressure(near: -1, within: 0)]", &["expect[0].near: must be zero or a positive", "found `-1`"]),
        ("observe: [Gas], expect: [Temperature(near: 1, within: inf)]", &["expect[0].within", "found `inf`"]),
        ("expect: [EnergyDrift(below: NaN)]", &["3:29: expect[0].below", "found `NaN`"]),
    ]);
}

/// A file of a later format may have anything in it, so only the format is reported.
#[test]
fn files_of_a_later_format() {
    check(&[
        ("format: 0", &["bad.ron:3:9: format: must be"]),
        ("format: -1", &["3:9: format: must be"]),
        ("format: \"one\"", &["3:9: format: must be"]),
    ]);
    let text = "(\n  format: 2, duration: 1, joints: [Hinge(a: 1, b: \"x\")],\n  bodies: {},\n)";
    let message = refused(text);
    assert!(message.contains("bad.ron:2:11: format: the file is of format 2; this carom reads format 1"), "{message}");
    assert!(message.contains("a later one"), "{message}");
    assert!(message.contains("has 1 problem\n"), "{message}");
    let plain = "Scenario(timestep: 1, duration: 1)";
    let said = parse(&Source::new("a.ron", &plain.replace('(', "(format: 1, "))).unwrap();
    assert_eq!(said.scenario, parse(&Source::new("a.ron", plain)).unwrap().scenario);
}

#[test]
fn titles_and_names_that_cannot_be_shown() {
    let long = "x".repeat(256);
    let title = "x".repeat(501);
    let hidden = "must not hold control characters such as line breaks, nor others that are not shown: remove them";
    check(&[
        ("title: \"a\\nb\"", &["bad.ron:3:8: title: a title", hidden]),
        ("title: \"\\u{0}\"", &["3:8: title: a title", hidden]),
        ("title: \"\\u{1b}[0m\"", &["3:8: title: a title", hidden]),
        ("title: \"\\u{202e}\"", &["3:8: title: a title", hidden]),
        (&format!("title: \"{title}\""), &["3:8: title: a title must not be longer than 500 characters"]),
        ("materials: { \"\\u{1b}\": (restitution: 1) }", &["3:", "a name", hidden]),
        ("materials: { \"\": (restitution: 1) }", &["a name must not be empty"]),
        (&format!("materials: {{ \"{long}\": (restitution: 1) }}"), &["a name must not be longer than 255 bytes"]),
        ("layers: [\"a\\tb\"]", &["3:10: layers[0]: a name", hidden]),
        (
            "bodies: [(name: \"\\u{feff}a\", shape: Sphere(radius: 1), mass: 1)]",
            &["3:17: bodies[0].name: a name", hidden],
        ),
        (
            "fill: [Lattice(name: \"\\u{7f}\", shape: Sphere(radius: 1), mass: 1, counts: (1, 1, 1), min: (0, 0, 0), spacing: 3)]",
            &["fill[0].name: a name", hidden],
        ),
        ("bodies: [(shape: Mesh(file: \"\\u{1b}.obj\"))]", &["bodies[0].shape.file: the name of a file", hidden]),
        (
            "commands: [Spawn(at: 1, body: (name: \"\\r\", shape: Sphere(radius: 1), mass: 1))]",
            &["commands[0].body.name: a name", hidden],
        ),
    ]);
}

#[test]
fn wrong_defaults_of_materials_are_refused() {
    check(&[
        (
            "materials: { \"steel\": (restitution: 1) }, default_material: \"stel\"",
            &["3:61: default_material: there is no material `stel`", "did you mean `steel`?"],
        ),
        (
            "default_material: \"steel\"",
            &["3:19: default_material: there is no material `steel`", "add it to `materials`"],
        ),
        ("default_material: 7", &["3:19: default_material: must be "]),
        ("defualt_material: \"steel\"", &["did you mean `default_material`?"]),
    ]);
}

#[test]
fn wrong_timesteps_and_durations_are_refused() {
    let rows: [(&str, &[&str]); 11] = [
        ("(timestep: 0, duration: 1)", &["bad.ron:1:12: timestep: must be a positive finite number of seconds", "`0`"]),
        ("(timestep: -0.1, duration: 1)", &["1:12: timestep", "found `-0.1`"]),
        ("(timestep: 1, duration: NaN)", &["1:25: duration", "found `NaN`"]),
        ("(timestep: 1, duration: 1e999)", &["1:25: duration", "found `1e999`"]),
        ("(timestep: 1, duration: 1e16)", &["1:25: duration", "from 1e-70 to 1e12"]),
        ("(timestep: 1e-9, duration: 1e9)", &["1:12: timestep: duration / timestep is 1e18 steps", "longer timestep"]),
        (
            "(timestep: 0, duration: \"a\")",
            &["has 2 problems", "1:12: timestep", "duration: must be a number, found `\"a\"`"],
        ),
        // The time of a command is also checked against an invalid duration.
        (
            "(timestep: 1, duration: 1e13, bodies: [(name: \"a\", shape: Sphere(radius: 1), mass: 1)],\n\
             commands: [Kick(at: 5e12, body: \"a\", impulse: (1, 0, 0))])",
            &["has 2 problems", "1:25: duration", "2:21: commands[0].at: must be an instant of the run", "`5e12`"],
        ),
        (
            "(timestep: 1, duration: -1, record: (at: [1e60]), bodies: [(name: \"a\", shape: Sphere(radius: 1), mass: 1)],\n\
             commands: [Despawn(at: 1e60, body: \"a\")])",
            &[
                "has 3 problems",
                "1:25: duration",
                "2:24: commands[0].at: must be an instant of the run",
                "record.at[0]",
            ],
        ),
        ("(duration: 1)", &["the field `timestep` is missing", "add `timestep: ...` here"]),
        ("(timestep: 1, timestep: 2, duration: 1)", &["1:15: the field `timestep` is given twice"]),
    ];
    rows.iter().for_each(|(text, fragments)| check_text(text, fragments));
}

#[test]
fn unknown_fields_and_words_are_refused() {
    check(&[
        // An old name.
        ("rest_length: 1e-6", &["3:1: rest_length: there is no field `rest_length`", "did you mean `rest_height`?"]),
        ("bodeis: []", &["3:1: bodeis: there is no field `bodeis` in `Scenario`", "did you mean `bodies`?"]),
        (
            "bodies: [(shape: Sphere(raduis: 1), mass: 1)]",
            &["3:25: bodies[0].shape.raduis: there is no field `raduis` in `Sphere`", "did you mean `radius`?"],
        ),
        (
            "bodies: [(shape: Spher(radius: 1), mass: 1)]",
            &["3:18: bodies[0].shape: `Spher` is not", "did you mean `Sphere`?", "`Box`, `Plane`, `Mesh`"],
        ),
        ("bodies: [(shape: Sphere(radius: 1), motion: Fre)]", &["bodies[0].motion", "did you mean `Free`?"]),
        ("bodies: [(mass: 1)]", &["3:10: bodies[0]: the field `shape` is missing", "add `shape: ...`"]),
        ("bodies: [(shape: Sphere(), mass: 1)]", &["bodies[0].shape: the field `radius` is missing"]),
        ("bodies: [(shape: Sphere(1), mass: 1)]", &["bodies[0].shape: must be fields with names", "`Sphere(1)`"]),
        ("bodies: [(shape: Sphere, mass: 1)]", &["bodies[0].shape: must be `Sphere(...)`"]),
        ("bodies: [(shape: \"Sphere\", mass: 1)]", &["bodies[0].shape: must be a word without quotation marks"]),
        ("bodies: [(shape: 5, mass: 1)]", &["bodies[0].shape: must be a word, with or without values in brackets"]),
        ("gravity: Fixed", &["3:10: gravity: must be values in round brackets `( )`, found `Fixed`"]),
        (
            "bodies: [(shape: Box(half_extents: (1, 2, 0x10)), mass: 1)]",
            &["bodies[0].shape.half_extents[2]: must be a number in decimal digits, found `0x10`"],
        ),
        ("space: Periodic(x: (0, 0x10))", &["space.x[1]: must be a number in decimal digits"]),
        ("rest_height: 0x10", &["3:14: rest_height: must be a number in decimal digits, found `0x10`"]),
        ("rest_height: 1,5", &["3:16: expected the name of a field, found `5`; a number is written `1.5`"]),
        (
            "bodies: [(shape: Box(half_extents: (1, 2)), mass: 1)]",
            &["must be three numbers in round brackets, found `(1, 2)`"],
        ),
        (
            "bodies: [(shape: Box(half_extents: (1, 2, 3, 4)), mass: 1)]",
            &["bodies[0].shape.half_extents: must be 3 values in round brackets and not 4, found `(1, 2, 3, 4)`"],
        ),
        (
            "bodies: [(shape: Sphere(radius: \"1\"), mass: 1)]",
            &["bodies[0].shape.radius: must be a number, found `\"1\"`"],
        ),
        ("bodies: (shape: Sphere(radius: 1), mass: 1)", &["3:9: bodies: must be a list in `[ ]`"]),
        ("materials: [1]", &["3:12: materials: must be a map in `{ }`"]),
        ("record: (stride: 1.5)", &["3:18: record.stride: must be a whole number, in digits, found `1.5`"]),
        ("record: (stride: -1)", &["record.stride: must be a whole number, not negative"]),
        ("observe: [Gass]", &["3:11: observe[0]: `Gass`", "did you mean `Gas`?"]),
        ("observe: Gas", &["observe", "a list"]),
        ("expect: [Pressure(near: 1)]", &["expect[0]: the field `within` is missing"]),
        ("plots: [Pth(plane: XZ)]", &["3:9: plots[0]: `Pth`", "did you mean `Path`?"]),
        ("plots: [Path(plane: XA)]", &["plots[0].plane: `XA`", "`XY`, `XZ`, `YZ`"]),
        ("plots: [Energy(stile: (dpi: 300))]", &["plots[0].stile: there is no field `stile`", "did you mean `style`?"]),
        ("plots: [Speeds]", &["3:9: plots[0]: this is known only for an observed gas", "observe: [Gas]"]),
        ("plots: [Impacts(style: (them: Dark))]", &["plots[0].style.them", "did you mean `theme`?"]),
        (
            "plots: [Path(plane: XY, style: (log_y: true))]",
            &["3:40: plots[0].style.log_y: must be left out, because this plot is drawn to scale, found `true`"],
        ),
        (
            "plots: [Strobe(plane: XY, every: 0)]",
            &["3:34: plots[0].every: must be a positive span that divides the run into at most 500 parts, found `0`"],
        ),
        ("plots: [Strobe(plane: XY, every: 1e-9)]", &["plots[0].every: must be a positive span that divides the run"]),
        ("plots: [Oblique(every: 0)]", &["plots[0].every: must be a positive span that divides the run"]),
        (
            "plots: [Oblique(elevation: 91)]",
            &["plots[0].elevation: must be an angle from −90 to 90 degrees, found `91`"],
        ),
        (
            "plots: [Oblique(azimuth: 361)]",
            &["plots[0].azimuth: must be an angle from −360 to 360 degrees, found `361`"],
        ),
        ("plots: [Oblique(azimuth: nan)]", &["plots[0].azimuth: must be a number, found `nan`"]),
        ("plots: [Impacts(bodies: [\"ball\"])]", &["plots[0].bodies[0]: there is no body `ball`"]),
        (
            "fill: [Lattice(name: \"gas\", shape: Sphere(radius: 0.1), mass: 1, counts: (2, 2, 2), min: (0, 0, 0), spacing: 1)],
             plots: [Impacts(bodies: [\"gas\"])]",
            &["plots[0].bodies[0]: there is no body `gas`", "did you mean `gas/*`?"],
        ),
        ("plots: [Strobe(plane: XY)]", &["plots[0]", "every"]),
        ("plots: [Strobe(plane: XY, every: 1, style: (log_x: true))]", &["style.log_x: must be left out"]),
        ("plots: [Phase(bodies: [])]", &["plots[0]", "axis"]),
        ("plots: [SpaceTime(axis: X, bodies: [\"ball\"])]", &["plots[0].bodies[0]: there is no body `ball`"]),
        (
            "plots: [Energy(style: (over: [Formula(label: \"a\", y: \"2 x\")]))]",
            &["plots[0].style.over[0].y: this is no formula: an operator or the end is missing at character 3", "sqrt(x)"],
        ),
        (
            "plots: [Energy(style: (over: [Points(label: \"a\", points: [(0, 1), (1, nan)])]))]",
            &["plots[0].style.over[0].points[1][1]: must be a number, found `nan`"],
        ),
        (
            "plots: [Energy(style: (over: [Curve(label: \"a\", points: [])]))]",
            &["plots[0].style.over[0].points: must be from 1 to 100000 points, found `[]`"],
        ),
        (
            "plots: [Energy(style: (over: [Curve(label: \"a\", points: [(0, 1)], color: \"red\")]))]",
            &["plots[0].style.over[0].color: must be"],
        ),
        (
            "plots: [Energy(style: (over: [Curves(label: \"a\", points: [(0, 1)])]))]",
            &["plots[0].style.over[0]: `Curves` is not", "did you mean `Curve`?"],
        ),
        (
            "plots: [Oblique(style: (over: [Curve(label: \"a\", points: [(0, 1)])]))]",
            &["plots[0].style.over: must be left out, because nothing can be laid over this plot"],
        ),
        (
            "style: (over: [Curve(label: \"a\", points: [(0, 1)])])",
            &["style.over: must be in the `style` of a plot"],
        ),
        ("style: (theme: Printed)", &["3:16: style.theme: `Printed` is not", "did you mean `Print`?", "`Dark`"]),
        ("style: (width: Mm(20))", &["3:16: style.width: must be a length from 30 to 400 mm, found `Mm(20)`"]),
        ("style: (letter: \"A\")", &["3:17: style.letter: must be a letter from a to z, found `\"A\"`"]),
        ("style: (width: Half)", &["3:16: style.width: `Half` is not", "`Single`, `Double`, `Mm`"]),
        ("style: (height: Mm(inf))", &["style.height: must be a length from 30 to 400 mm, found `Mm(inf)`"]),
        ("style: (font_size: 6.9)", &["3:20: style.font_size: must be a size from 7 to 30 pt, found `6.9`"]),
        ("style: (dpi: 1201)", &["3:14: style.dpi: must be a number of pixels per inch from 50 to 1200, found `1201`"]),
        ("style: (time: (3, 3))", &["3:15: style.time: must be a range, the lower end first, found `(3, 3)`"]),
        ("style: (y: (0, inf))", &["3:16: style.y[1]: must be a finite number"]),
        ("style: (log_x: true, x: (0, 5))", &["3:26: style.x[0]: must be positive on a logarithmic axis, found `0`"]),
        ("style: (formats: [Pdf, Jpg])", &["3:24: style.formats[1]: `Jpg` is not", "`Svg`, `Png`, `Pdf`"]),
        (
            "style: (colors: { \"ball\": \"red\" })",
            &[
                "3:27: style.colors.ball: must be a colour, `#` and six hexadecimal digits, such as \"#0072B2\", found `\"red\"`",
            ],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), mass: 1, color: \"blue\")]",
            &["bodies[0].color: must be a colour, `#` and six hexadecimal digits", "found `\"blue\"`"],
        ),
        ("materials: { \"a\": (restitution: 1, color: \"#12\") }", &["color: must be a colour", "found `\"#12\"`"]),
        (
            "fill: [Lattice(name: \"a\", shape: Sphere(radius: 1), mass: 1, counts: (1, 1, 1), min: (0, 0, 0), spacing: 3, color: \"\")]",
            &["fill[0].color: must be a colour"],
        ),
        ("style: (colors: { \"ball\": \"#0072B2\" })", &["style.colors.ball: there is no body `ball`"]),
        ("style: (labels: { \"ball\": \"\" })", &["3:27: style.labels.ball: a label must not be empty"]),
        ("expect: [Impact(exactly: 3)]", &["expect[0]: `Impact`", "did you mean `Impacts`?"]),
        ("fill: [Latice(name: \"a\")]", &["fill[0]: `Latice`", "did you mean `Lattice`?"]),
        ("impacts: Togehter", &["3:10: impacts: `Togehter` is not", "did you mean `Together`?", "`Pairwise`"]),
        ("impacts: \"Together\"", &["3:10: impacts: must be a word without quotation marks, found `\"Together\"`"]),
        ("impact: Together", &["3:1: impact: there is no field `impact`", "did you mean `impacts`?"]),
        (
            "materials: { \"a\": (restitution: 1, fricton: 1) }",
            &["materials[\"a\"].fricton: there is no field `fricton`", "did you mean `friction`?"],
        ),
        (
            "materials: { \"a\": (restitution: 1, roling_friction: 1) }",
            &["materials[\"a\"].roling_friction: there is no field", "did you mean `rolling_friction`?"],
        ),
        ("materials: { \"a\": (friction: 1) }", &["materials[\"a\"]: the field `restitution` is missing"]),
        (
            "bodies: [(shape: Sphere(radius: 1), mass: 1, spin: (0, 1))]",
            &["bodies[0].spin: must be 3 values in round brackets and not 2, found `(0, 1)`"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), mass: 1,\n  position: ( 0, 1 /* , 2 */, 3 , -4e0, 5, ))]",
            &["4:13: bodies[0].position: must be 3 values in round brackets and not 5, found `( 0, 1 /*"],
        ),
        ("space: Peroidic()", &["3:8: space: `Peroidic`", "did you mean `Periodic`?"]),
    ]);
}

#[test]
fn bodies_that_make_no_sense() {
    check(&[
        (
            "bodies: [(shape: Sphere(radius: 1))]",
            &["3:10: bodies[0]: a free body needs a `mass` or a `density`", "density: 1000"],
        ),
        ("bodies: [ /* one */ (shape: Sphere(radius: 1)) /* ) */ ]", &["3:21: bodies[0]: a free body needs"]),
        ("bodies: [(shape: Sphere(radius: 1), mass: 1, density: 2)]", &["3:43: bodies[0].mass", "exclude each other"]),
        (
            "bodies: [(shape: Sphere(radius: 1), mass: 1, motion: Fixed)]",
            &["3:43: bodies[0].mass: a `Fixed` body takes no `mass`", "leave it out"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), density: 1, motion: Kinematic)]",
            &["bodies[0].density: a `Kinematic` body"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), motion: Along(Sine(axis: (0, 0, 0), amplitude: 1, frequency: 1)))]",
            &[
                "bodies[0].motion: the length of the axis of the course must be positive and finite; found 0",
                "Along(Sine(",
            ],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), motion: Along(Sine(axis: (0, 0, 1), amplitude: -1, frequency: 1)))]",
            &["bodies[0].motion: the amplitude of the course must be positive and finite; found -1"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), motion: Along(Sine(axis: (0, 0, 1), amplitude: 1, frequency: 1e9)))]",
            &["the frequency of the course must be at most 100,000 Hz"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), motion: Along(Polynomial(axis: (0, 0, 1), coefficients: [0, 1], until: 2)))]",
            &["the until of the course must be a time at which the velocity is 0, since it rests after it; found 2"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), motion: Along(Knots([(0, (0, 0, 0))])))]",
            &["bodies[0]: the field `name` is missing"],
        ),
        (
            r#"bodies: [(name: "a", shape: Sphere(radius: 1), motion: Along(Knots([(1, (0, 0, 0)), (1, (0, 0, 1))])))]"#,
            &["the time of a knot of the course must be not negative, and later than the one before; found 1"],
        ),
        (
            r#"bodies: [(name: "a", shape: Sphere(radius: 1), position: (0, 0, 1), motion: Along(Knots([(0, (0, 0, 0))])))]"#,
            &["bodies[0].position: a body on a course has no `position` of its own"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), velocity: (0, 0, 1), motion: Along(Sine(axis: (0, 0, 1), amplitude: 1, frequency: 1)))]",
            &["bodies[0].velocity: a body on a course has no `velocity` of its own"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), motion: Along(Swing))]",
            &["`Swing` is not one of the words allowed here"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), motion: Fixed, velocity: (1, 0, 0))]",
            &["3:62: bodies[0].velocity: a `Fixed` body has no velocity, found `(1, 0, 0)`", "motion: Kinematic"],
        ),
        (
            "bodies: [(shape: Plane(normal: (0, 0, 1), offset: 0), motion: Free)]",
            &["bodies[0].motion: a plane cannot be `Free`"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), mass: 1, material: \"stel\")], materials: { \"steel\": (restitution: 1) }",
            &["3:56: bodies[0].material: there is no material `stel`", "did you mean `steel`?"],
        ),
        (
            "bodies: [(shape: Sphere(radius: 1), mass: 1, material: \"x\")]",
            &["no material `x`", "add it to `materials`"],
        ),
        (
            "materials: { \"a\": (restitution: 1), \"a\": (restitution: 0) }",
            &["3:42: materials[\"a\"]: the material `a` is given twice"],
        ),
        (
            "materials: { \"a\": (restitution: 1) }, pairs: [(between: (\"a\", \"b\"), restitution: 2)]",
            &[
                "has 2 problems",
                "pairs[0].between[1]: there is no material `b`",
                "pairs[0].restitution: must be a number from 0 to 1",
            ],
        ),
        (
            "materials: { \"a\": (restitution: 1) }, pairs: [(between: (\"a\", \"a\"), restitution: 0), (between: (\"a\", \"a\"), restitution: 0)]",
            &["pairs[1].between: the pair of `a` and `a` is given twice"],
        ),
        (
            "materials: { \"a\": (restitution: 1) }, pairs: [(between: (\"a\", \"a\"), restitution: 0), (between: (\"a\", \"a\"), friction: 1)]",
            &["pairs[1].between: the pair of `a` and `a` is given twice"],
        ),
        (
            "materials: { \"a\": (restitution: 1) }, pairs: [(between: (\"a\", \"a\"))]",
            &[
                "3:47: pairs[0]: a pair needs a `restitution`, a `friction`, a `rolling_friction` or a `spinning_friction`",
                "friction: 0.03",
            ],
        ),
    ]);
}

#[test]
fn only_free_balls_have_a_spin() {
    let remedy = "leave the spin out: only a `Sphere` that is `Free` turns";
    let mesh = "Mesh(vertices: [(0, 0, 0), (1, 0, 0), (0, 1, 0)], triangles: [(0, 1, 2)])";
    let mesh = format!("shape: {mesh}");
    let rows = [
        ("shape: Box(half_extents: (1, 1, 1)), mass: 1", "a box"),
        ("shape: Box(half_extents: (1, 1, 1)), motion: Fixed", "a box"),
        ("shape: Plane(normal: (0, 0, 1), offset: 0)", "a plane"),
        ("shape: Sphere(radius: 1), motion: Fixed", "a `Fixed` body"),
        ("shape: Sphere(radius: 1), motion: Kinematic", "a `Kinematic` body"),
        (&mesh, "a mesh"),
    ];
    for (body, whose) in rows {
        let column = format!("bodies: [({body}, spin: ").len() + 1;
        let fault =
            format!("3:{column}: bodies[0].spin: {whose} has no spin, because it never turns; found `(0, 0, 2)`");
        check(&[(&format!("bodies: [({body}, spin: (0, 0, 2))]"), &["has 1 problem", &fault, remedy])]);
        let zero = format!("(timestep: 1, duration: 1, bodies: [({body}, spin: (0, 0, 0))])");
        assert!(parse(&Source::new("x.ron", &zero)).is_ok(), "no spin is no fault: {zero}");
    }
    check(&[
        (
            "fill: [Lattice(name: \"l\", shape: Box(half_extents: (1, 1, 1)), mass: 1, min: (0, 0, 0), counts: (2, 2, 2), spacing: 3, spin: (1, 0, 0))]",
            &["fill[0].spin: a box has no spin", "found `(1, 0, 0)`", remedy],
        ),
        (
            "fill: [Rack(name: \"r\", radius: 1, apex: (0, 0, 0), rows: 3, motion: Fixed, spin: (1, 0, 0))]",
            &["fill[0].spin: a `Fixed` body has no spin", remedy],
        ),
        (
            "fill: [Random(name: \"r\", shape: Spheres(radii: (2, 1)), count: 1, mass: 1, min: (0, 0, 0), max: (9, 9, 9), spin: (inf, 0, 0))]",
            &["has 2 problems", "fill[0].shape.radii: must be", "fill[0].spin[0]: must be a finite number"],
        ),
    ]);
}

#[test]
fn layers_that_make_no_sense() {
    let ball =
        |rest: &str| format!("layers: [\"ground\", \"debris\"], bodies: [(shape: Sphere(radius: 1), mass: 1, {rest})]");
    let rows: [(String, &[&str]); 10] = [
        (ball("layer: \"debri\""), &["bodies[0].layer: there is no layer `debri`", "did you mean `debris`?"]),
        (ball("layer: \"x\""), &["there is no layer `x`", "add it to the scenario's list", "layers: ["]),
        (
            ball("collides_with: [\"ground\", \"graund\", \"defualt\"]"),
            &[
                "bodies[0].collides_with[1]: there is no layer `graund`",
                "did you mean `ground`?",
                "did you mean `default`?",
            ],
        ),
        (ball("collides_with: \"ground\""), &["bodies[0].collides_with: must be a list in `[ ]`, found `\"ground\"`"]),
        (ball("layers: [\"ground\"]"), &["bodies[0].layers: there is no field `layers`", "did you mean `layer`?"]),
        ("layers: [\"a\", \"b\", \"a\"]".to_owned(), &["3:20: layers[2]: there is a layer `a` already"]),
        ("layers: [\"default\"]".to_owned(), &["layers[0]: there is a layer `default` already", "name none"]),
        (
            "layers: [\"\", \" a\"]".to_owned(),
            &["layers[0]: a name must not be empty", "layers[1]: a name must not begin"],
        ),
        ("layers: { \"a\": 1 }".to_owned(), &["layers: must be a list in `[ ]`"]),
        (
            format!("layers: [{}]", (0..32).map(|n| format!("\"l{n}\", ")).collect::<String>()),
            &["layers: there are 32 layers, more than the 31 allowed beside `default`"],
        ),
    ];
    rows.iter().for_each(|(line, fragments)| check(&[(line, fragments)]));
    check(&[(
        "fill: [Rack(name: \"a\", radius: 1, apex: (0, 0, 0), rows: 1, mass: 1, layer: \"x\", collides_with: [\"defalt\"])]",
        &["fill[0].layer: there is no layer `x`", "fill[0].collides_with[0]", "did you mean `default`?"],
    )]);
}

#[test]
fn spaces_that_make_no_sense() {
    check(&[
        ("space: Periodic()", &["3:8: space: `Periodic` takes either", "Periodic(x: (0, 10))"]),
        ("space: Periodic(min: (0, 0, 0), max: (1, 1, 1), x: (0, 1))", &["`Periodic` takes either"]),
        (
            "space: Periodic(x: (1, 1))",
            &["3:24: space.x[1]: the range along x must have its lower end first, found 1 to 1"],
        ),
        ("space: Periodic(min: (0, 0, 0), max: (1, -1, 1))", &["3:42: space.max[1]: the range along y", "0 to -1"]),
        ("space: Periodic(min: (0, 0, inf), max: (1, 1, 2))", &["space.min[2]: must be a finite number", "`inf`"]),
        ("space: Periodic(y: (0, inf))", &["space.y[1]: must be a finite number"]),
        (
            "space: Periodic(x: (0, 2)), bodies: [(shape: Sphere(radius: 1.5), mass: 1)]",
            &["bodies[0].shape: the body is 3 m wide along x, where space repeats every 2 m", "smaller"],
        ),
        (
            "space: Periodic(x: (0, 2)), bodies: [(shape: Sphere(radius: 0.5), mass: 1, position: (3e9, 0, 0))]",
            &["bodies[0].position: the body is 2^30 periods from the periodic cell", "in the cell itself"],
        ),
        (
            "space: Periodic(x: (0, 2)), bodies: [(shape: Plane(normal: (1, 0, 1), offset: 0))]",
            &["bodies[0].shape: a plane cannot have a normal along x", "open along that axis"],
        ),
    ]);
}

#[test]
fn names_that_cannot_be_used_are_refused() {
    let rows = ["", "a//b", "/a", "a/", "../a", "a/../b", "a/.", "a\\\\b", "C:/a", "gas/*", "a\\nb", " a", "a\\u{0}"];
    for name in rows {
        check(&[(
            &format!("bodies: [(name: \"{name}\", shape: Sphere(radius: 1), mass: 1)]"),
            &["3:17: bodies[0].name: a name must not"],
        )]);
    }
    let long = format!("bodies: [(name: \"{}\", shape: Sphere(radius: 1), mass: 1)]", "a".repeat(256));
    check(&[
        (&long, &["bodies[0].name: a name must not be longer than 255 bytes"]),
        (
            "bodies: [(name: \"a\", shape: Sphere(radius: 1), mass: 1),\n(name: \"a\", shape: Sphere(radius: 1), mass: 1)]",
            &["4:8: bodies[1].name: the name `a` is already taken by bodies[0]", "label at line 3", "label at line 4"],
        ),
        (
            "bodies: [(name: \"g/1\", shape: Sphere(radius: 1), mass: 1)], fill: [Rack(name: \"g\", radius: 1, rows: 2, apex: (9, 0, 0), mass: 1)]",
            &["fill[0].name: the name `g/1` is already taken by bodies[0]"],
        ),
        (
            "bodies: [(name: \"ball\", shape: Sphere(radius: 1), mass: 1)], plots: [Path(plane: XY, bodies: [\"bal\"]), Height(axis: Z, bodies: [\"x/*\"])], record: (paths: [\"boll\"]), expect: [Impacts(exactly: 1, bodies: [\"ball\", \"cube\"]), Position(body: \"ball*\", near: (0, 0, 0), within: 1)]",
            &[
                "has 5 problems",
                "plots[0].bodies[0]: there is no body `bal`",
                "did you mean `ball`?",
                "plots[1].bodies[0]: no body's name begins with `x/`",
                "record.paths[0]: there is no body `boll`",
                "expect[0].bodies[1]: there is no body `cube`",
                "expect[1].body: there is no body `ball*`",
            ],
        ),
    ]);
}

#[test]
fn expectations_that_make_no_sense() {
    check(&[
        (
            "expect: [Compressibility(near: 1, within: 0.1)]",
            &["3:10: expect[0]: this is known only for an observed gas", "add observe: [Gas]"],
        ),
        ("expect: [Impacts()]", &["3:10: expect[0]: give `exactly`, or", "Impacts(exactly: 5)"]),
        ("expect: [Rests(exactly: 1, at_most: 2)]", &["expect[0]: give `exactly`"]),
        ("expect: [Enters(at_least: 3, at_most: 2)]", &["expect[0]: give `exactly`"]),
        (
            "expect: [Leaves(exactly: 1, bodies: [\"a\", \"b\", \"c\"])]",
            &["expect[0].bodies: an event has two bodies, found 3"],
        ),
        (
            "expect: [Impacts(exactly: 1, bodies: [\"a\", \"a\"])]",
            &["expect[0].bodies: an event has two different bodies, found 1 of them"],
        ),
        (
            "expect: [Sleeps(exactly: 1, bodies: [\"a\", \"b\"])]",
            &["expect[0].bodies: such an event has one body, found 2"],
        ),
        ("expect: [Hash(\"12\")]", &["expect[0]: a hash is 64 hexadecimal digits, found `12`"]),
        (
            "expect: [LastEvent(kind: Hit, body: \"a\", near: 1, within: 1)]",
            &["expect[0].kind: `Hit`", "`Impact`", "`Stick`, `Slip`, `Collapse`"],
        ),
        ("expect: [Collapses(at_least: 3, at_most: 2)]", &["expect[0]: give `exactly`"]),
        ("expect: [Stick(exactly: 1)]", &["expect[0]: `Stick` is not", "did you mean `Sticks`?"]),
        (
            "expect: [AtRest(bodies: [\"a\", \"heap/*\"])]",
            &[
                "has 2 problems",
                "3:26: expect[0].bodies[0]: there is no body `a`",
                "expect[0].bodies[1]: no body's name begins with `heap/`",
            ],
        ),
        ("expect: [AtRest(body: \"a\")]", &["expect[0].body: there is no field `body`", "did you mean `bodies`?"]),
        ("expect: [AtRest]", &["expect[0]: must be `AtRest(...)`"]),
    ]);
}

#[test]
fn generators_that_make_no_sense() {
    let random = |rest: &str| format!("fill: [Random(name: \"r\", shape: Sphere(radius: 0.1), mass: 1, {rest})]");
    let lattice = |rest: &str| {
        format!("fill: [Lattice(name: \"l\", shape: Sphere(radius: 0.1), mass: 1, min: (0, 0, 0), {rest})]")
    };
    let rack = |rest: &str| format!("fill: [Rack(name: \"r\", radius: 1, apex: (0, 0, 0), mass: 1, {rest})]");
    let cube = "min: (0, 0, 0), max: (1, 1, 1)";
    let rows: [(String, &[&str]); 24] = [
        (random(&format!("count: 0, {cube}")), &["fill[0].count: must be a whole number from 1 upwards"]),
        (random(&format!("count: 1e3, {cube}")), &["fill[0].count: must be a whole number, in digits, found `1e3`"]),
        (
            random(&format!("count: 1000000000, {cube}")),
            &["3:70: fill[0].count", "1000000000 bodies, more than the 4000000"],
        ),
        (
            random(&format!("count: 5000, {cube}")),
            &[
                "fill[0]: the bodies would fill 20.94 of the region, more than it holds",
                "lower `count`, enlarge the region, or make the bodies smaller",
            ],
        ),
        (random(&format!("count: 150, {cube}")), &["fill[0]: placed", "of 150 bodies", "about 0.34 of the volume"]),
        (random("count: 1"), &["fill[0]: the region needs `min` and `max`, because space does not repeat along x"]),
        (
            random("count: 1, min: (0, 0, 0), max: (1, 1, 0.1)"),
            &["fill[0].max: the region is 0.1 m wide along z, too narrow"],
        ),
        (random("count: 1, min: (0, 0, 0), max: (1, 0, 1)"), &["fill[0].max[1]: the range along y"]),
        (random("count: 1, min: (0, 0, 0), max: (1, NaN, 1)"), &["fill[0].max[1]: must be a finite number"]),
        (random("count: 1, min: (0, 0, inf), max: (1, 1, 1)"), &["fill[0].min[2]: must be a finite number", "`inf`"]),
        (random(&format!("count: 1, temperature: -1, {cube}")), &["fill[0].temperature: must be zero or a positive"]),
        (random(&format!("count: 1, seed: -1, {cube}")), &["fill[0].seed: must be a whole number, not negative"]),
        (random(&format!("count: 1, material: \"x\", {cube}")), &["fill[0].material: there is no material `x`"]),
        (random(&format!("count: 1, colour: \"x\", {cube}")), &["fill[0].colour: there is no field `colour`"]),
        (lattice("counts: (2, 2, 2)"), &["fill[0]: a lattice takes either `spacing` or `max`", "the edge of one cell"]),
        (lattice("counts: (2, 2, 2), spacing: 0"), &["fill[0].spacing: must be a positive"]),
        (lattice("counts: (2, 0, 2), spacing: 1"), &["fill[0].counts[1]: must be a whole number from 1 upwards"]),
        (
            lattice("counts: (4000000000, 4000000000, 4000000000), spacing: 1"),
            &["fill[0].counts: the scenario would have more than 2^64"],
        ),
        (
            lattice("counts: (1000, 1000, 1000), spacing: 1"),
            &["fill[0].counts: the scenario would have 1000000000 bodies"],
        ),
        (lattice("counts: (2, 2, 2), spacing: 1e70"), &["fill[0].spacing", "must be a finite number"]),
        (rack("rows: 0"), &["fill[0].rows: must be a whole number from 1 upwards"]),
        (rack("rows: 9000000000000000000"), &["fill[0].rows: the scenario would have more than 2^64"]),
        (rack("rows: 5, gap: -1"), &["fill[0].gap: must be zero or a positive"]),
        (rack("rows: 5, direction: (0, 2, 0)"), &["fill[0].across: `direction` and `across` must not be parallel"]),
    ];
    rows.iter().for_each(|(line, fragments)| check(&[(line, fragments)]));
    check(&[
        (
            "fill: [Random(name: \"a\", shape: Plane(normal: (0, 0, 1)), count: 1, mass: 1)]",
            &["fill[0].shape: `Plane` is not", "`Sphere`, `Spheres`, `Box`"],
        ),
        (
            "fill: [Random(name: \"a\", shape: Spheres(radii: (2, 1)), count: 1, mass: 1, min: (0, 0, 0), max: (9, 9, 9))]",
            &["fill[0].shape.radii: must be the smaller radius, then the larger, found `(2, 1)`"],
        ),
        (
            "fill: [Rack(name: \"..\", radius: 1, apex: (0, 0, 0), rows: 1, motion: Fixed, temperature: 1)]",
            &["fill[0].name: a name must not", "fill[0].temperature: only `Free` bodies"],
        ),
        (
            "fill: [Rack(name: \"a\", radius: -1, apex: (0, 0, 0), rows: 1, mass: 1)]",
            &["fill[0].radius: must be a positive finite number of metres"],
        ),
    ]);
}

#[test]
fn text_that_is_no_ron() {
    let deep = "(".repeat(100_000);
    let deep_list = format!("(timestep: 1, duration: 1, bodies: {}", "[(".repeat(100_000));
    let rows: [(&str, &[&str]); 16] = [
        ("", &["bad.ron:1:1: the file is empty", "Scenario(timestep: 0.01, duration: 1)"]),
        ("\n \t\r\n// nothing\n/* here */", &["the file is empty"]),
        ("(timestep: 1, duration: 1", &["bad.ron:1:26: the file ends too early"]),
        ("(timestep: 1, duration: 1)) x", &["1:27: nothing may follow"]),
        ("(timestep: 1 duration: 1)", &["1:14: expected a comma, a colon or a closing bracket"]),
        ("(timestep 1, duration: 1)", &["1:11: expected a comma, a colon or a closing bracket"]),
        (
            "(timestep: 1, duration: 1, bodies: [(mass: 1, shape: Sphere(radius 1))])",
            &["1:68: bodies[0].shape: expected a comma, a colon"],
        ),
        ("(timestep: 1, duration: 1, title: \"abc)", &["title: the file ends too early", "quotation mark"]),
        ("(timestep: 1, duration: 1) /* ", &["the file ends too early: unclosed block comment"]),
        ("Scenari(timestep: 1, duration: 1)", &["1:1: must be `Scenario(...)`, found `Scenari`"]),
        ("[1, 2]", &["1:1: must be `Scenario(...)`, found `[1, 2]`"]),
        ("{\"timestep\": 1}", &["1:1: must be `Scenario(...)`"]),
        ("\u{0}\u{1}", &["1:1: "]),
        ("(timestep: 1, duration: 1, title: \"\u{fc}\", x: 2)", &["1:40: x: there is no field `x`"]),
        (&deep, &["brackets are nested too deeply"]),
        (&deep_list, &["brackets are nested too deeply"]),
    ];
    rows.iter().for_each(|(text, fragments)| check_text(text, fragments));
}

#[test]
fn problems_stand_in_the_order_of_the_file_and_the_list_ends() {
    let bodies: String = (0..1000).map(|_| "  (shape: Sphere(radius: -1)),\n").collect();
    let text = format!("(timestep: 0, duration: 1,\nexpect: [Impacts()],\nbodies: [\n{bodies}])");
    let problems = parse(&Source::new("many.ron", &text)).unwrap_err();
    assert_eq!((problems.list().len(), problems.unlisted()), (20, 1982));
    let lines: Vec<usize> = problems.list().iter().map(|problem| problem.line).collect();
    assert!(lines.is_sorted(), "{lines:?}");
    assert!(plain(&problems).contains("many.ron has 2002 problems, of which these are the first 20"));
}

#[test]
fn long_lines_are_not_shown_whole() {
    let message = refused(&format!("(timestep: 1, duration: 0, title: \"{}\")", "x".repeat(1 << 20)));
    assert!(message.contains("1:25: duration"), "{message:.300}");
    assert!(message.len() < 2_000, "{} bytes", message.len());
}

#[test]
fn a_large_file_is_refused() {
    let body = "(shape: Sphere(radius: 1), mass: 1, mas: 1), // and so on\n";
    let text = format!("(timestep: 1, duration: 1, bodies: [{}])", body.repeat(100_000));
    assert!(refused(&text).contains("bodies[0].mas"));
}

#[test]
fn an_overlap_shows_both_places() {
    let text = "(timestep: 1, duration: 1, bodies: [\n  (name: \"a\", shape: Sphere(radius: 1), mass: 1),\n],\nfill: [\n  Rack(name: \"r\", radius: 1, rows: 2, apex: (1, 0, 0), mass: 1),\n])";
    let parsed = parse(&Source::new("x.ron", text)).unwrap();
    let overlap =
        |a: &str, b: &str| parsed.unmade(SetupError::Overlap { a: a.into(), b: b.into(), depth: 0.5 }).unwrap();
    let message = plain(&overlap("r/0", "a"));
    for fragment in
        ["x.ron:5:14: fill[0].name: `r/0` and `a` overlap by 0.5 m", "label at line 2", "label at line 5", "touching"]
    {
        assert!(message.contains(fragment), "{fragment} in\n{message}");
    }
    assert_eq!(message, plain(&overlap("a", "r/0")).replace("`a` and `r/0`", "`r/0` and `a`"));
}

#[test]
fn overrides_obey_the_rules_of_the_file() {
    let scenario = parse(&Source::new("x.ron", "(timestep: 0.5, duration: 1)")).unwrap().scenario;
    assert_eq!(scenario.clone().with_times(Some(0.25), None).unwrap().timestep, 0.25);
    assert_eq!(scenario.clone().with_times(None, Some(7.5)).unwrap().duration, 7.5);
    let rows = [
        (scenario.clone().with_times(Some(0.0), None), "--timestep: must be a positive finite number of seconds"),
        (scenario.clone().with_times(Some(1e-12), None), "--timestep: duration / timestep is 1e12 steps"),
        (scenario.clone().with_times(None, Some(f64::NAN)), "--duration: must be a positive finite number of seconds"),
        (scenario.with_times(None, Some(1e11)), "--duration: duration / timestep is 2e11 steps"),
    ];
    for (result, message) in rows {
        let found = result.unwrap_err().to_string();
        assert!(found.starts_with(message), "{found}");
    }
}

const SOUND: &str = r#"#![enable(implicit_some)]
Scenario( // a comment
    title: "é", gravity: (0, 0, -9.81), timestep: 0.01, duration: 5, space: Periodic(x: (-20, 20)),
    impacts: Pairwise,
    materials: { "steel": (restitution: 0.95, friction: 0.2) }, pairs: [(between: ("steel", "steel"), friction: 0.1)],
    bodies: [
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0), material: "steel"),
        (name: "b", shape: Sphere(radius: 0.1), mass: 1, position: (0, 0, 2), spin: (0, 9, 0)), /* one /* more */ */
        (shape: Box(half_extents: (0.5, 0.4, 0.3)), density: 600, position: (3, 0, 0.3)),
    ],
    fill: [Lattice(name: "g", shape: Sphere(radius: 0.05), counts: (1, 2, 1), min: (5, 5, 5), spacing: 0.5, mass: 1),
           Random(name: "r", shape: Sphere(radius: 0.05), count: 2, min: (0, 5, 5), max: (3, 8, 8), mass: 1, seed: 7)],
    record: (stride: 2, bodies: ["g/*"]), plots: [Path(plane: XZ), Energy],
    expect: [Impacts(exactly: 5, bodies: ["b"]), Deepest(below: 1e-12), AtRest(bodies: ["g/*"])],
    commands: [Kick(at: 1, body: "b", impulse: (0, 0, 1)), Spawn(at: 2, body: (name: "c", shape: Sphere(radius: 1), mass: 1))],
)"#;

#[test]
fn no_damage_to_a_sound_file_makes_the_reader_fail() {
    assert!(parse(&Source::new("x.ron", SOUND)).is_ok());
    let read = |text: &str| {
        if let Err(problems) = parse(&Source::new("x.ron", text)) {
            let message = plain(&problems);
            assert!(message.contains("x.ron:"), "{message}");
        }
    };
    for (place, character) in SOUND.char_indices() {
        let (before, after) = (&SOUND[..place], &SOUND[place + character.len_utf8()..]);
        read(before);
        read(after);
        for instead in ["", "(", ")", "\"", "\u{1F980}", "-", "9e9", "/*", "\n"] {
            read(&format!("{before}{instead}{after}"));
        }
    }
}
