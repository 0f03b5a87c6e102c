//! Values that are set by their paths: the resulting text, and the messages about mistakes.

use carom::SetupError;
use carom::scenario::{Setting, Source, parse};
use miette::NarratableReportHandler;

const TEXT: &str = r#"Scenario( // a comment
    timestep: 0.01, duration: 1, gravity: (0, 0, -9.81),
    materials: { "steel": (restitution: 0.9), "soft.rubber": (restitution: 0.5, /* why */),
        "metal": (restitution: Power(v0: 0.1, exponent: 0.25, max: 1)), "glass": (restitution: BySpeed([(1, 0.9), (3, 0.8)])) },
    bodies: [
        (name: "floor", shape: Plane(normal: (0, 0, 1), offset: 0), material: "steel"),
        (name: "ball", shape: Sphere(radius: 0.1), mass: 1, position: (
            0, 0,
            2,
        )), // the last
    ],
    fill: [Random(name: "gas", shape: Sphere(radius: 0.01), count: 2, mass: 1, min: (3, 3, 3), max: (4, 4, 4), seed: 1)],
    expect: [Impacts(at_least: 0)],
)
"#;

fn changed(settings: &[&str]) -> Result<Source, String> {
    let settings: Result<Vec<Setting>, _> = settings.iter().map(|text| text.parse()).collect();
    let made = settings.and_then(|settings| Source::new("dir/x.ron", TEXT).with(&settings));
    made.map_err(|error| format!("{error}; {}", error.help))
}

#[test]
fn a_setting_takes_the_place_of_what_the_file_says() {
    let rows: [(&str, &str, &str); 24] = [
        ("default_material=steel", "at_least: 0)]", "at_least: 0)], default_material: \"steel\""),
        ("title=see http://x", "at_least: 0)]", "at_least: 0)], title: \"see http://x\""),
        ("timestep=0.02 // longer", "timestep: 0.01", "timestep: 0.02"),
        ("bodies.floor.material=steel", "material: \"steel\"", "material: \"steel\""),
        (
            "bodies.ball.material=soft.rubber",
            "        )), // the last",
            "        ), material: \"soft.rubber\"), // the last",
        ),
        ("fill.gas.name=the air", "name: \"gas\"", "name: \"the air\""),
        ("fill[\"gas\"].name=\"7\"", "name: \"gas\"", "name: \"7\""),
        ("timestep=0.02", "timestep: 0.01", "timestep: 0.02"),
        ("materials.steel.restitution = 0.7", "restitution: 0.9", "restitution: 0.7"),
        ("materials[\"soft.rubber\"].restitution=1", "restitution: 0.5", "restitution: 1"),
        ("materials.steel.friction=0.1", "restitution: 0.9", "restitution: 0.9, friction: 0.1"),
        ("materials[\"soft.rubber\"].friction=0.1", "0.5, /* why", "0.5, friction: 0.1, /* why"),
        ("materials.steel.restitution=Viscoelastic(0.1)", "restitution: 0.9", "restitution: Viscoelastic(0.1)"),
        ("materials.metal.restitution.v0=0.2", "v0: 0.1", "v0: 0.2"),
        ("materials.glass.restitution[1][0]=4", "(3, 0.8)", "(4, 0.8)"),
        ("gravity.z=-1.62", "-9.81", "-1.62"),
        ("bodies.ball.position.z=/* high */ 3", "            2,", "            3,"),
        ("bodies[1].position[2]=3", "            2,", "            3,"),
        ("bodies.ball.velocity.x=3", "        )), // the last", "        ), velocity: (3, 0, 0)), // the last"),
        ("bodies.ball.shape.radius=0.2", "radius: 0.1)", "radius: 0.2)"),
        ("fill.gas.seed=7", "seed: 1", "seed: 7"),
        ("record.stride=5", "at_least: 0)]", "at_least: 0)], record: (stride: 5)"),
        ("expect.0.at_least=1", "at_least: 0", "at_least: 1"),
        ("bodies.ball.position=(0, 0, 3)", "(\n            0, 0,\n            2,\n        )", "(0, 0, 3)\n\n\n"),
    ];
    for (setting, old, new) in rows {
        assert_eq!(TEXT.matches(old).count(), 1, "{old}");
        let source = changed(&[setting]).unwrap();
        assert_eq!(source.text, TEXT.replace(old, new), "{setting}");
        assert!(parse(&source).is_ok(), "{setting}");
        let lines = |text: &str| text.matches('\n').count();
        assert_eq!(lines(&source.text), lines(TEXT), "{setting}");
    }
}

#[test]
fn what_is_set_is_what_the_file_would_have_said() {
    let set = changed(&["bodies.ball.velocity.x=3", "bodies.ball.velocity.y=4", "bodies.ball.mass=2", "duration=2"]);
    let scenario = parse(&set.unwrap()).unwrap().scenario;
    let ball = &scenario.bodies[1].body;
    assert_eq!((ball.velocity.to_array(), scenario.duration), ([3.0, 4.0, 0.0], 2.0));
    let twice = changed(&["duration=5", "duration=3"]).unwrap();
    assert_eq!(twice.text, TEXT.replace("duration: 1", "duration: 3"), "the last one counts");
}

#[test]
fn a_path_that_leads_nowhere_is_refused() {
    let rows: [(&str, &[&str]); 17] = [
        ("plots.new.bodies=1", &["there is no `new` in `plots`"]),
        ("space.x=(0, 1)", &["there is no `x` in `space`"]),
        ("style.colors.ball=red", &["there is no `ball` in `style.colors`"]),
        (
            "materials.stel.restitution=0.7",
            &["--set materials.stel.restitution=0.7: there is no `stel` in `materials`", "did you mean `steel`?"],
        ),
        ("bodies.bal.mass=1", &["there is no `bal` in `bodies`", "did you mean `ball`?"]),
        ("bodies[7].mass=1", &["`bodies` has 2 entries, and the first is number 0"]),
        ("bodies.ball.position.w=1", &["there is no `w` in `bodies.ball.position`"]),
        ("timestep.x=1", &["`timestep` is the single value `0.01`, which has no part `x`"]),
        ("timestep", &["--set timestep: there is no value", "PATH=VALUE"]),
        ("=3", &["`` is no path: a part of it is empty"]),
        ("bodies..mass=3", &["`bodies..mass` is no path"]),
        ("timestep=", &["`` is no value in RON"]),
        ("timestep=0.1)", &["`0.1)` is no value in RON"]),
        ("timestep=0.1, duration: 5", &["is no value in RON"]),
        ("title=\"open", &["is no value in RON", "a value is written as in the file"]),
        ("bodies.ball.7=1", &["there is no `7` in `bodies.ball`"]),
        ("timestep=// nothing", &["is no value in RON"]),
    ];
    for (setting, fragments) in rows {
        let message = changed(&[setting]).expect_err(setting);
        for fragment in fragments {
            assert!(message.contains(fragment), "`{fragment}` is missing in `{message}`");
        }
    }
}

#[test]
fn a_wrong_value_is_told_with_its_setting_and_others_with_their_lines() {
    let rows: [(&[&str], &[&str]); 7] = [
        (
            &["materials.steel.restitution=1.7"],
            &["--set materials.steel.restitution=1.7: must be a number from 0 to 1"],
        ),
        (&["bodies.ball.mas=2"], &["--set bodies.ball.mas=2: there is no field `mas`", "did you mean `mass`?"]),
        (&["bodies.ball.shape=Sphere(radius: -1)"], &["--set bodies.ball.shape=Sphere(radius: -1): must be", "`-1`"]),
        (&["duration=soon"], &["--set duration=soon: must be"]),
        (&["bodies.ball.material=\"stel\""], &["--set bodies.ball.material=\"stel\": there is no material `stel`"]),
        (&["duration=-1", "gravity.x=1e300"], &["--set duration=-1: must be", "--set gravity.x=1e300: must be"]),
        // If another value conflicts with a value that was set, the message gives the place in the file.
        (&["bodies.ball.position.z=0.05"], &["x.ron:"]),
    ];
    for (settings, fragments) in rows {
        let source = changed(settings).unwrap();
        let problems = match parse(&source) {
            Err(problems) => problems,
            Ok(parsed) => {
                parsed.unmade(SetupError::Overlap { a: "ball".into(), b: "floor".into(), depth: 0.05 }).unwrap()
            }
        };
        let mut message = String::new();
        NarratableReportHandler::new().render_report(&mut message, &problems).unwrap();
        for fragment in fragments {
            assert!(message.contains(fragment), "`{fragment}` is missing for {settings:?} in\n{message}");
        }
        let is_set = |problem: &carom::scenario::Problem| problem.setting.is_some();
        assert_eq!(problems.list().iter().all(is_set), fragments[0].starts_with("--set"), "{settings:?}");
    }
}

/// In quotation marks, a name is neither an index nor an axis.
#[test]
fn a_name_that_is_a_number_or_has_quotation_marks_is_a_name() {
    let text = r#"(bodies: [(name: "1", mass: 1), (name: "0", mass: 2), (name: r"a\"#.to_owned()
        + r#"b", mass: 3), (name: "a\"b", mass: 4), (name: "x", mass: 5)])"#;
    let rows = [
        (r#"bodies["0"].mass=9"#, 2),
        ("bodies[0].mass=9", 1),
        ("bodies.0.mass=9", 1),
        (r#"bodies["1"].mass=9"#, 1),
        (r#"bodies["a\\b"].mass=9"#, 3),
        (r#"bodies["a\"b"].mass=9"#, 4),
        ("bodies.x.mass=9", 5),
    ];
    for (setting, mass) in rows {
        let setting: Setting = setting.parse().unwrap();
        let changed = Source::new("x.ron", &text).with(std::slice::from_ref(&setting)).unwrap();
        assert_eq!(changed.text, text.replace(&format!("mass: {mass}"), "mass: 9"), "{setting}");
    }
    let missing: Setting = r#"bodies["7"].mass=9"#.parse().unwrap();
    assert!(Source::new("x.ron", &text).with(&[missing]).unwrap_err().wrong.contains("there is no `7` in `bodies`"));
}

#[test]
fn text_that_is_no_scenario_is_left_to_the_parser() {
    let setting: Setting = "timestep=1".parse().unwrap();
    for text in ["", "Scenario(", "5"] {
        let source = Source::new("x.ron", text).with(std::slice::from_ref(&setting)).unwrap();
        assert_eq!(source.text, text);
        assert!(parse(&source).is_err());
    }
    let source = Source::new("x.ron", "()").with(&[setting]).unwrap();
    assert_eq!(source.text, "(timestep: 1)");
}
