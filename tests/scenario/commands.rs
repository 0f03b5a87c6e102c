//! Commands of a scenario: which commands are refused, and how a run executes them.

use carom::record;
use carom::scenario::{Scenario, Source, parse};
use carom::world::Command;
use glam::DVec3;
use miette::NarratableReportHandler;

use crate::common::events_until;

const BODIES: &str = r#"bodies: [
    (name: "ball", shape: Sphere(radius: 1), mass: 1),
    (name: "plate", shape: Sphere(radius: 1), position: (0, 90, 0), motion: Along(Sine(axis: (0, 0, 1), amplitude: 1, frequency: 1))),
    (name: "piston", shape: Box(half_extents: (1, 1, 1)), motion: Kinematic, position: (9, 0, 0)),
    (name: "wall", shape: Box(half_extents: (1, 1, 1)), motion: Fixed, position: (-9, 0, 0)),
  ],"#;

fn text(commands: &str) -> String {
    format!(
        "Scenario(\n  timestep: 0.25, duration: 4, record: (stride: 1),\n  commands: [{commands}],\n  {BODIES}\n)\n"
    )
}

fn refusal(text: &str) -> String {
    let problems = match parse(&Source::new("bad.ron", text)) {
        Ok(_) => panic!("accepted: {text}"),
        Err(problems) => problems,
    };
    let mut message = String::new();
    NarratableReportHandler::new().render_report(&mut message, &problems).unwrap();
    message
}

fn sound(commands: &str) -> Scenario {
    parse(&Source::new("good.ron", &text(commands))).unwrap_or_else(|error| panic!("{:?}", error.list())).scenario
}

const NEW: &str = r#"(name: "new", shape: Sphere(radius: 1), mass: 2, position: (0, 9, 0))"#;

#[test]
fn commands_that_make_no_sense() {
    let spawn = |at: f64| format!("Spawn(at: {at}, body: {NEW})");
    let rows = [
        (
            r#"Kick(at: 1, body: "bal", impulse: (0, 0, 1))"#.to_owned(),
            ["bad.ron:3:32: commands[0].body: there is no body `bal`", "did you mean `ball`?"],
        ),
        (
            r#"Kick(at: 5, body: "ball", impulse: (0, 0, 1))"#.to_owned(),
            ["bad.ron:3:23: commands[0].at: the run ends at 4 s, found a command for 5 s", "longer duration"],
        ),
        (
            r#"Kick(at: -1, body: "ball", impulse: (0, 0, 1))"#.to_owned(),
            ["3:23: commands[0].at: must be zero or a positive", "found `-1`"],
        ),
        (r#"Kick(at: NaN, body: "ball", impulse: (0, 0, 1))"#.to_owned(), ["commands[0].at: must be", "found `NaN`"]),
        (
            r#"Kick(at: 1, body: "ball", impulse: (0, 1e99, 1))"#.to_owned(),
            ["3:53: commands[0].impulse[1]", "found `1e99`"],
        ),
        (
            r#"Kick(at: 1, body: "ball", impulse: (0, 0, 1), offset: (0, 1e99, 1))"#.to_owned(),
            ["commands[0].offset[1]", "found `1e99`"],
        ),
        (
            r#"SetSpin(at: 1, body: "piston", spin: (0, 0, 1))"#.to_owned(),
            ["3:35: commands[0].body: `piston` never turns", "only a `Free` ball or disc has a spin"],
        ),
        (
            r#"SetSpin(at: 1, body: "ball", spin: 3)"#.to_owned(),
            ["commands[0].spin: must be three numbers", "found `3`"],
        ),
        (r#"Kick(at: 1, body: "ball")"#.to_owned(), ["commands[0]: the field `impulse` is missing", ""]),
        (
            r#"Kick(at: 1, body: "ball", impuls: (0, 0, 1))"#.to_owned(),
            ["there is no field `impuls`", "did you mean `impulse`?"],
        ),
        (
            r#"Kik(at: 1, body: "ball", impulse: (0, 0, 1))"#.to_owned(),
            ["`Kik` is not one of the words allowed here", "`Kick`"],
        ),
        (
            r#"Kick(at: 1, body: "wall", impulse: (0, 0, 1))"#.to_owned(),
            ["3:32: commands[0].body: `wall` is `Fixed`, so no impulse moves it", "kick a body that is `Free`"],
        ),
        (
            r#"SetVelocity(at: 1, body: "wall", velocity: (0, 0, 1))"#.to_owned(),
            ["commands[0].body: `wall` is `Fixed`, so it cannot be moved", "let the body be `Kinematic` or `Free`"],
        ),
        (
            r#"SetVelocity(at: 1, body: "plate", velocity: (0, 0, 1))"#.to_owned(),
            ["commands[0].body: `plate` is on a course, which determines its velocity", "give the course as `Knots`"],
        ),
        (
            r#"SetPosition(at: 1, body: "wall", position: (0, 0, 1))"#.to_owned(),
            ["commands[0].body: `wall` is `Fixed`, so it cannot be moved", "let the body be `Kinematic` or `Free`"],
        ),
        (
            r#"SetPosition(at: 1, body: "bal", position: (0, 0, 1))"#.to_owned(),
            ["commands[0].body: there is no body `bal`", "did you mean `ball`?"],
        ),
        (
            r#"SetMaterial(at: 1, body: "ball", material: "rubbr")"#.to_owned(),
            ["commands[0].material: there is no material `rubbr`", ""],
        ),
        (
            r#"SetLayers(at: 1, body: "ball", layer: "defalt")"#.to_owned(),
            ["commands[0].layer: there is no layer `defalt`", "did you mean `default`?"],
        ),
        (
            r#"SetLayers(at: 1, body: "ball", collides_with: ["default", "ghosts"])"#.to_owned(),
            ["commands[0].collides_with[1]: there is no layer `ghosts`", ""],
        ),
        (r#"SetGravity(at: 1, gravity: (0, 0, 1e99))"#.to_owned(), ["commands[0].gravity[2]", "found `1e99`"]),
        (
            format!(r#"{}, Kick(at: 1, body: "new", impulse: (0, 0, 1))"#, spawn(2.0)),
            ["commands[1].body: `new` is added only at 2 s", "let the command come later"],
        ),
        (
            format!(r#"Kick(at: 2, body: "new", impulse: (0, 0, 1)), {}"#, spawn(2.0)),
            ["commands[0].body: `new` is added only at 2 s", "the order is that of the file"],
        ),
        (
            r#"Despawn(at: 1, body: "ball"), Despawn(at: 2, body: "ball")"#.to_owned(),
            ["commands[1].body: `ball` was removed at 1 s", "let the command come sooner"],
        ),
        (
            format!("{}, {}", spawn(1.0), spawn(2.0)),
            ["commands[1].body.name: the name `new` is already taken by commands[0]", "a name of its own"],
        ),
        (
            r#"Spawn(at: 1, body: (name: "wall", shape: Sphere(radius: 1), mass: 1))"#.to_owned(),
            ["commands[0].body.name: the name `wall` is already taken", "a name of its own"],
        ),
        (
            r#"Spawn(at: 1, body: (shape: Sphere(radius: 1), mass: 1))"#.to_owned(),
            ["commands[0].body: the field `name` is missing", "add `name"],
        ),
        (
            r#"Spawn(at: 1, body: (name: "x", shape: Sphere(radius: -1), mass: 1))"#.to_owned(),
            ["3:67: commands[0].body.shape.radius", "found `-1`"],
        ),
        (
            r#"Spawn(at: 1, body: (name: "x", shape: Sphere(radius: 1)))"#.to_owned(),
            ["commands[0].body: a free body needs a `mass`", ""],
        ),
    ];
    for (commands, fragments) in rows {
        let message = refusal(&text(&commands));
        for fragment in fragments {
            assert!(message.contains(fragment), "`{fragment}` is missing for\n{commands}\nin\n{message}");
        }
    }
    let gas = text(&spawn(1.0)).replace("record:", "observe: [Gas], record:");
    assert!(refusal(&gas).contains(
        "commands[0]: bodies of an observed gas cannot be added, removed or put elsewhere, and its gravity stays"
    ));
}

#[test]
fn a_spin_and_a_kick_beside_the_centre_are_read() {
    let given = r#"SetSpin(at: 1, body: "ball", spin: (0, 2, 0)), Kick(at: 2, body: "ball", impulse: (1, 0, 0), offset: (0, 0, 0.4))"#;
    let space = |spin: &str| {
        let body = r#"(name: "disc", shape: Disc(radius: 1), mass: 1)"#;
        let command = format!(r#"SetSpin(at: 1, body: "disc", spin: {spin})"#);
        let text =
            format!("Scenario(timestep: 0.25, duration: 4, space: Planar(), bodies: [{body}], commands: [{command}])");
        parse(&Source::new("x.ron", text.as_str())).map(|parsed| parsed.scenario.commands[0].command.clone())
    };
    let commands = sound(given).commands;
    let ball = || "ball".to_owned();
    assert_eq!(commands[0].command, Command::SetSpin { body: ball(), spin: DVec3::Y * 2.0 });
    assert_eq!(commands[1].command, Command::Kick { body: ball(), impulse: DVec3::X, offset: DVec3::Z * 0.4 });
    let turned = Command::SetSpin { body: "disc".to_owned(), spin: DVec3::Z * 3.0 };
    assert!(["3", "(0, 0, 3)"].iter().all(|spin| space(spin).is_ok_and(|command| command == turned)));
    assert!(space("(1, 0, 3)").is_err());
}

#[test]
fn names_of_bodies_to_come_may_be_used() {
    let commands = format!(r#"Spawn(at: 1.125, body: {NEW}), Kick(at: 2.25, body: "new", impulse: (0, 0, 4))"#);
    let asks = r#"record: (stride: 1, bodies: ["new", "ball"], paths: ["n*"]), plots: [Height(axis: Z, bodies: ["new"])],
        expect: [Position(body: "new", near: (0, 9, 3.5), within: 1e-12), AtRest(bodies: ["ball"])]"#;
    let text = text(&commands).replace("record: (stride: 1)", asks);
    let scenario =
        parse(&Source::new("x.ron", text.as_str())).unwrap_or_else(|error| panic!("{:?}", error.list())).scenario;
    let folder = tempfile::tempdir().unwrap();
    let summary = record::run(&scenario, &text, scenario.world().unwrap(), folder.path(), |_| {}).unwrap();
    assert!(summary.is_success(), "{summary:#?}");
    assert_eq!((summary.bodies, summary.free_bodies), (5, 2));
    let read = |file: &str| std::fs::read_to_string(folder.path().join(file)).unwrap();
    let rows: Vec<String> =
        read("trajectory.csv").lines().filter(|line| line.contains("new")).map(str::to_owned).collect();
    // The rows go from the step after the body appears to the last step.
    assert_eq!(rows.len(), 12, "{rows:#?}");
    let knots: Vec<String> = read("paths.csv").lines().skip(1).map(str::to_owned).collect();
    assert_eq!(knots.len(), 2, "{knots:#?}");
    assert!(
        knots[0].starts_with("1.125,new,0.0,9.0,0.0,0.0,0.0,0.0")
            && knots[1].starts_with("2.25,new,0.0,9.0,0.0,0.0,0.0,2.0"),
        "{knots:#?}"
    );
    assert_eq!(carom::report::draw(&scenario, folder.path(), folder.path()).unwrap().files.len(), 2);
}

#[test]
fn a_body_without_room_ends_the_run_and_says_where() {
    let scenario =
        sound(r#"Spawn(at: 1.5, body: (name: "late", shape: Sphere(radius: 1), mass: 2, position: (0, 1.5, 0)))"#);
    let folder = tempfile::tempdir().unwrap();
    let summary = record::run(&scenario, "", scenario.world().unwrap(), folder.path(), |_| {}).unwrap();
    let error = summary.error.expect("there is no room");
    assert_eq!(
        error,
        "good.ron:3:14: commands[0]: the command for 1.5 s cannot be carried out: `late` would overlap `ball` by 0.5 m: place it elsewhere, or wait until there is enough space"
    );
    assert_eq!(summary.reached, 1.5);
}

#[test]
fn commands_of_one_instant_are_taken_in_the_order_of_the_file() {
    let commands = format!(
        r#"Despawn(at: 2, body: "ball"), Spawn(at: 2, body: {}), Kick(at: 2, body: "new", impulse: (4, 0, 0)), Despawn(at: 4, body: "wall")"#,
        NEW.replace("(0, 9, 0)", "(0, 0, 0)")
    );
    let mut world = sound(&commands).world().unwrap();
    events_until(&mut world, 4.0);
    let new = world.id("new").unwrap();
    assert_eq!((world.state(new).position, world.state(new).velocity), (DVec3::X * 4.0, DVec3::X * 2.0));
    assert_eq!((world.id("ball"), world.id("wall"), world.count()), (None, None, 3), "the end belongs to the run");
}

/// A lift from (9, 9, 0) at 1 s to (9, 9, 4) at 2 s, and back until 6 s.
const LIFT: &str = r#"(name: "lift", shape: Sphere(radius: 1), motion: Along(Knots([(1, (9, 9, 0)), (2, (9, 9, 4)), (6, (9, 9, 0))])))"#;

fn height(scenario: &Scenario, time: f64) -> f64 {
    let mut world = scenario.world().unwrap();
    events_until(&mut world, time);
    world.position(world.id("lift").unwrap()).z
}

#[test]
fn knots_are_for_bodies_that_come_and_go_and_for_longer_runs() {
    let text = |at: f64, more: &str| text(&format!("Spawn(at: {at}, body: {LIFT}), {more}"));
    let read = |text: &str| parse(&Source::new("x.ron", text)).unwrap_or_else(|error| panic!("{:?}", error.list()));
    for at in [0.0, 0.5, 1.0] {
        let scenario = read(&text(at, "")).scenario;
        let heights = [1.5, 2.0, 3.0, 4.0].map(|time| height(&scenario, time));
        assert_eq!(heights, [2.0, 4.0, 3.0, 2.0], "{at}");
        // The last knot is after the end of the file's own run.
        let longer = scenario.with_times(None, Some(8.0)).unwrap();
        assert_eq!(height(&longer, 8.0), 0.0, "{at}");
    }
    let message = refusal(&text(1.5, ""));
    let wanted = "commands[0].body.motion: the time of a knot of the course must be not before the time at which the \
        body comes; found 1";
    assert!(message.contains(wanted), "{message}");
    for gone in [1.5, 2.0, 3.0] {
        let mut world = read(&text(0.5, &format!(r#"Despawn(at: {gone}, body: "lift")"#))).scenario.world().unwrap();
        events_until(&mut world, 8.0);
        assert_eq!((world.id("lift"), world.count()), (None, 4), "{gone}");
    }
}

/// If each command needed a search through the text, the schedule, the later bodies or the earlier passages, this
/// number of commands in one line and in reverse order would take almost an hour.
#[test]
fn many_commands_cost_no_more_each_than_a_few() {
    const COUNT: usize = 60_000;
    let time = |order: usize| 3.0 * (order + 1) as f64 / (3 * COUNT + 1) as f64;
    let name = |row: usize| format!("b{row:05}");
    let new = |row: usize| {
        let (x, y) = (row % 300, row / 300);
        format!("(name: \"{}\", shape: Sphere(radius: 0.25), mass: 1, position: ({x}, {y}, 0))", name(row))
    };
    let spawns = (0..COUNT).map(|row| format!("Spawn(at: {}, body: {})", time(row), new(row)));
    let kicks = (0..COUNT)
        .map(|row| format!("Kick(at: {}, body: \"{}\", impulse: (0, 0, 0.25))", time(COUNT + row), name(row)));
    let despawns = (0..COUNT).map(|row| format!("Despawn(at: {}, body: \"{}\")", time(2 * COUNT + row), name(row)));
    let mut commands: Vec<String> = spawns.chain(kicks).chain(despawns).collect();
    commands.reverse();
    let names: Vec<String> = (0..COUNT).map(|row| format!("\"{}\"", name(row))).collect();
    let text = format!(
        "(timestep: 3, duration: 3, record: (bodies: [{names}]), expect: [AtRest(bodies: [{names}])], bodies: \
         [(name: \"sensor\", shape: Box(half_extents: (500, 500, 5)), motion: Fixed, response: Sense)], commands: [{}])",
        commands.join(", "),
        names = names.join(", ")
    );
    let parsed = parse(&Source::new("many.ron", text.as_str())).unwrap_or_else(|error| panic!("{:?}", error.list()));
    let last = &parsed.scenario.commands[3 * COUNT - 1];
    let place = 1 + text.rfind("Spawn").unwrap();
    assert_eq!(last.origin, format!("many.ron:1:{place}: commands[{}]", 3 * COUNT - 1));
    let folder = tempfile::tempdir().unwrap();
    let world = parsed.scenario.world().unwrap();
    let summary = record::run(&parsed.scenario, &text, world, folder.path(), |_| {}).unwrap();
    assert_eq!((summary.error, summary.bodies), (None, COUNT + 1));
    for kind in ["enter", "leave"] {
        assert_eq!(summary.events[kind], COUNT as u64, "{kind}");
    }
}

#[test]
fn many_commands_for_unknown_bodies_are_refused_at_once() {
    let spawns = (0..50_000).map(|row| format!("Spawn(at: 1, body: {}), ", NEW.replace("new", &format!("new{row}"))));
    let kicks = (0..50_000).map(|row| format!("Kick(at: 2, body: \"nev{row}\", impulse: (0, 0, 1)), "));
    let message = refusal(&text(&spawns.chain(kicks).collect::<String>()));
    assert!(message.contains("50000 problems, of which these are the first 20"), "{}", &message[..200]);
    assert!(message.contains("there is no body `nev0`") && message.contains("did you mean `new0`?"));
}
