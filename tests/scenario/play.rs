//! The sliders of a playground: how they are read, what is refused, and that they change nothing.

use std::fs;

use carom::record::state_hash;
use carom::scenario::{Parsed, Problems, Setting, Slider, Source, parse};
use miette::NarratableReportHandler;

const TEXT: &str = r#"Scenario(
  timestep: 0.1, duration: 1, gravity: (0, 0, -9.81), materials: { "rub/ber ü": (restitution: 0.5), },
  bodies: [(name: "ball", shape: Sphere(radius: 0.1), mass: 1, position: (0, 0, 2), material: "rub/ber ü")],
  PLAY
)"#;

fn read(play: &str) -> Result<Parsed, Problems> {
    parse(&Source::new("dir/play.ron", &TEXT.replace("PLAY", play)))
}

fn plain(problems: &Problems) -> String {
    let mut text = String::new();
    NarratableReportHandler::new().render_report(&mut text, problems).expect("a text can be rendered");
    text
}

#[test]
fn sliders_are_read_with_the_places_of_their_numbers() {
    let play = r#"play: [
        (path: "materials[\"rub/ber ü\"].restitution", label: "bounce", range: (0, 1), step: 0.01),
        (path: "bodies.ball.mass", unit: "kg", range: (0.1, 100), step: 10, log: true),
        (path: "gravity.z", range: (-20, 0)),
    ],"#;
    let sliders = read(play).unwrap().scenario.play;
    let text = TEXT.replace("PLAY", play);
    let found: Vec<(&str, &str, &str)> =
        sliders.iter().map(|it| (it.label.as_str(), it.unit.as_str(), &text[it.place.clone()])).collect();
    assert_eq!(found, [("bounce", "", "0.5"), ("bodies.ball.mass", "kg", "1"), ("gravity.z", "", "-9.81")]);
    let numbers: Vec<_> = sliders.iter().map(|it| (it.value, it.range, it.step, it.is_log)).collect();
    let wanted = [
        (0.5, [0.0, 1.0], Some(0.01), false),
        (1.0, [0.1, 100.0], Some(10.0), true),
        (-9.81, [-20.0, 0.0], None, false),
    ];
    assert_eq!(numbers, wanted);
}

#[test]
fn sliders_that_make_no_sense_are_refused() {
    let slider = |rest: &str| format!("play: [({rest})],");
    let rows: [(&str, &str, &str); 17] = [
        (
            r#"path: "bodies.bal.mass", range: (0, 1)"#,
            "4:17: play[0].path: there is no `bal` in `bodies`",
            "did you mean `ball`?",
        ),
        (r#"path: "gravty.z", range: (0, 1)"#, "4:17: play[0].path: there is no `gravty`", "did you mean `gravity`?"),
        (
            r#"path: "materials.steel.friction", range: (0, 1)"#,
            "play[0].path: there is no `steel` in `materials`",
            "a path has",
        ),
        (
            r#"path: "bodies..mass", range: (0, 1)"#,
            "play[0].path: `bodies..mass` is no path: a part of it is empty",
            "for example",
        ),
        (
            r#"path: "rest_height", range: (0, 1)"#,
            "play[0].path: the scenario does not give this number",
            "write the field out",
        ),
        (
            r#"path: "bodies.ball.position", range: (0, 1)"#,
            "a slider moves a number, found `(0, 0, 2)`",
            "lead the path to one",
        ),
        (
            r#"path: "bodies.ball.name", range: (0, 1)"#,
            "a slider moves a number, found `\"ball\"`",
            "leave the slider out",
        ),
        (
            r#"path: "gravity.z", range: (0, -20)"#,
            "4:37: play[0].range: the range must have its lower end first, found 0 to -20",
            "(0, 1)",
        ),
        (
            r#"path: "gravity.z", range: (1, 1)"#,
            "play[0].range: the range must have its lower end first",
            "for example",
        ),
        (
            r#"path: "gravity.z", range: (-1, NaN)"#,
            "play[0].range: the range must have its lower end first",
            "for example",
        ),
        (
            r#"path: "bodies.ball.mass", range: (0, 1), log: true"#,
            "play[0].range: a logarithmic range must be positive",
            "raise",
        ),
        (
            r#"path: "gravity.z", range: (-20, 0), step: 0"#,
            "4:53: play[0].step: the step must be more than 0 and at most 20, found 0",
            "0.01",
        ),
        (
            r#"path: "gravity.z", range: (-20, 0), step: 21"#,
            "the step must be more than 0 and at most 20, found 21",
            "for example",
        ),
        (
            r#"path: "bodies.ball.mass", range: (1, 100), step: 0.5, log: true"#,
            "more than 1 and at most 100, found 0.5",
            "ratio",
        ),
        (r#"path: "gravity.z", range: (-20, 0), label: """#, "play[0].label: a label must not be empty", ""),
        (r#"path: "gravity.z", rnge: (-20, 0)"#, "there is no field `rnge`", "did you mean `range`?"),
        (
            r#"path: "gravity.z", range: (-20, 0)), (path: "gravity[2]", range: (-1, 0)"#,
            "play[1].path: `gravity[2]` and `gravity.z` move the same number",
            "leave one",
        ),
    ];
    for (rest, message, help) in rows {
        let problems = read(&slider(rest)).map(|parsed| parsed.scenario.play).unwrap_err();
        let text = plain(&problems);
        assert!(text.contains(message) && text.contains(help), "{rest}:\n{text}");
    }
    let many: String = (0..13).map(|_| r#"(path: "gravity.z", range: (-20, 0)),"#).collect();
    assert!(plain(&read(&format!("play: [{many}],")).unwrap_err()).contains("there are 13 sliders, more than the 12"));
}

/// A run may be made with any value: a slider must not be in the way of `--set` and of sweeps.
#[test]
fn a_number_outside_of_its_range_is_a_warning() {
    let play = r#"play: [(path: "gravity.z", range: (-5, 0))],"#;
    let warnings = read(play).unwrap().warnings().expect("a warning");
    let text = plain(&warnings);
    assert!(
        text.contains("4:37: play[0].range: `gravity.z` is -9.81, outside of the range of its slider, -5 to 0"),
        "{text}"
    );
    assert!(text.contains("widen the range, or choose another value"), "{text}");
    let source = Source::new("dir/play.ron", &TEXT.replace("PLAY", play));
    let set = source.with(&["gravity.z=-30".parse::<Setting>().unwrap()]).unwrap();
    let parsed = parse(&set).unwrap();
    assert_eq!((parsed.scenario.play[0].value, parsed.warnings().is_none()), (-30.0, true), "it was asked for");
}

#[test]
fn sliders_change_no_result() {
    let end = |play: &str| {
        let mut world = read(play).unwrap().scenario.world().unwrap();
        world.step(1.0).unwrap();
        state_hash(&world)
    };
    assert_eq!(end(""), end(r#"play: [(path: "bodies.ball.mass", range: (1, 2))],"#));
}

/// The text with another number for a slider, as the playground writes it.
fn moved(source: &Source, slider: &Slider, value: f64) -> Source {
    let mut text = source.text.clone();
    text.replace_range(slider.place.clone(), &value.to_string());
    Source::new(source.name.clone(), &text).in_folder("scenarios")
}

#[test]
fn the_sliders_of_included_scenarios_work_from_end_to_end() {
    let mut with_sliders = 0;
    for entry in fs::read_dir("scenarios").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "ron") {
            continue;
        }
        let source = Source::read(&path).unwrap();
        let parsed = parse(&source).unwrap_or_else(|problems| panic!("{}", plain(&problems)));
        assert!(parsed.warnings().is_none(), "{}", path.display());
        with_sliders += usize::from(!parsed.scenario.play.is_empty());
        for slider in &parsed.scenario.play {
            for end in slider.range {
                let label = format!("{}: {} at {end}", path.display(), slider.path);
                let changed = parse(&moved(&source, slider, end))
                    .unwrap_or_else(|problems| panic!("{label}: {}", plain(&problems)));
                changed.scenario.world().unwrap_or_else(|error| panic!("{label}: {error}"));
            }
        }
    }
    assert!(with_sliders >= 8, "only {with_sliders} scenarios have sliders");
}
