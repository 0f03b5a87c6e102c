//! `carom oracle`: scenes, and judgements of the trajectories of engines.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::repeat;
use std::path::{Path, PathBuf};

use super::casts;
use super::verdict::{read_limits, refused, tell};
use crate::cli::arguments::oracle::{JudgeArguments, OracleArguments, OracleCommand};
use crate::cli::commands::check::load;
use crate::cli::exit::{Exit, bad, hand_over, print, say};
use crate::cli::progress::while_busy;
use crate::cli::terminal::columns::aligned;
use crate::dynamics::{MaterialId, Motion};
use crate::geometry::Shape;
use crate::numeric::{rounded, shown};
use crate::oracle::{Exact, OracleError, SCHEMA_TEXT, Scene, Trajectory, find, judge, neutral, scenes};
use crate::record::foreign::{read_foreign, read_foreign_events};
use crate::scenario::Scenario;
use crate::world::Named;

/// Most bodies of a scene that are listed one by one.
const BODIES_LISTED: usize = 24;
/// Most bodies of a material that are named.
const NAMES_LISTED: usize = 8;

pub(crate) fn command(arguments: &OracleArguments) -> Result<Exit, Exit> {
    match &arguments.command {
        OracleCommand::List => list(),
        OracleCommand::Scene { name, timestep, json } => {
            let text = scene(name, *timestep, *json).map_err(|error| refused(&error))?;
            if *json {
                hand_over(&text)?;
            } else {
                say(&text)?;
            }
            Ok(Exit::Success)
        }
        OracleCommand::Schema => print(SCHEMA_TEXT.as_bytes()).map(|()| Exit::Success),
        OracleCommand::Judge(arguments) => judged(arguments),
        OracleCommand::Casts { answers, within, json } => casts::command(answers.as_deref(), *within, *json),
    }
}

fn list() -> Result<Exit, Exit> {
    let mut lines = Vec::new();
    let mut family = None;
    for scene in scenes() {
        if family != Some(scene.family) {
            family = Some(scene.family);
            lines.push(vec![format!("{}:", scene.family.name())]);
        }
        let forms = if scene.closed_forms().is_empty() { "exact course" } else { "exact course, closed form" };
        lines.push(vec![format!("  {}", scene.name), format!("{}; {forms}", scene.tests)]);
    }
    say(&aligned(&lines))?;
    Ok(Exit::Success)
}

/// A scene as JSON, or in words.
fn scene(name: &str, timestep: Option<f64>, json: bool) -> Result<String, OracleError> {
    let scene = find(name)?;
    let scenario = scene.scenario()?.with_times(timestep, None)?;
    if json { Ok(neutral(scene, &scenario, &scene.closed_forms())) } else { described(scene, &scenario) }
}

fn described(scene: &Scene, scenario: &Scenario) -> Result<String, OracleError> {
    let exact = Exact::new(scenario)?;
    let gravity = scenario.settings.gravity.to_array().map(shown).join(", ");
    let mut lines = vec![
        vec!["scene".to_owned(), format!("{}: {}", scene.name, scenario.title)],
        vec!["family".to_owned(), scene.family.name().to_owned()],
        vec!["tests".to_owned(), scene.tests.to_owned()],
        vec!["source".to_owned(), scene.source.to_owned()],
        vec![
            "duration".to_owned(),
            format!("{} s, rows every {} s", shown(scenario.duration), shown(scenario.timestep)),
        ],
        vec!["gravity".to_owned(), format!("({gravity}) m/s²")],
        vec!["exact course".to_owned(), format!("{} events", exact.events.len())],
        vec!["horizon".to_owned(), horizon(&exact)],
    ];
    for form in scene.closed_forms() {
        let deviation = exact.deviation(&form).map_or_else(|| "not found".to_owned(), |off| rounded(off, 2));
        let unit = form.quantity.unit();
        let value = format!("{} {unit} = {}", shown(form.value), form.formula);
        lines.push(vec![
            "closed form".to_owned(),
            format!("{}: {value}; the exact course is off by {deviation}", form.quantity),
        ]);
    }
    lines.extend(materials(scenario).into_iter().map(|material| vec!["material".to_owned(), material]));
    let bodies = scenario.bodies.iter().take(BODIES_LISTED).map(|named| vec!["body".to_owned(), body(named)]);
    lines.extend(bodies);
    if scenario.bodies.len() > BODIES_LISTED {
        lines.push(vec![String::new(), format!("and {} more; --json has all", scenario.bodies.len() - BODIES_LISTED)]);
    }
    Ok(aligned(&lines))
}

fn horizon(exact: &Exact) -> String {
    match exact.horizon.why {
        None => "the whole course can be predicted".to_owned(),
        Some(why) => format!("{} s: {why}", rounded(exact.horizon.until, 4)),
    }
}

fn body(named: &Named) -> String {
    let body = &named.body;
    let vector = |vector: glam::DVec3| format!("({})", vector.to_array().map(shown).join(", "));
    let shape = match &body.shape {
        Shape::Sphere(radius) => format!("ball of {} m", shown(radius.get())),
        Shape::Box(half) => format!("box of half extents {} m", vector(half.get())),
        Shape::Plane(plane) => {
            return format!(
                "{}: half-space, normal {}, offset {} m",
                named.name,
                vector(plane.normal()),
                shown(plane.offset())
            );
        }
        Shape::Mesh(_) => "mesh".to_owned(),
        Shape::Arc(arc) => format!("arc of radius {}", arc.radius()),
        Shape::Grid(_) => "grid".to_owned(),
    };
    let kind = match body.motion {
        Motion::Free(mass) => format!("{} kg", shown(mass.get())),
        Motion::Fixed => "fixed".to_owned(),
        Motion::Kinematic => "kinematic".to_owned(),
    };
    let turning =
        if body.spin == glam::DVec3::ZERO { String::new() } else { format!(", spin {} rad/s", vector(body.spin)) };
    let (at, velocity) = (vector(body.position), vector(body.velocity));
    format!("{}: {shape}, {kind}, at {at} m with {velocity} m/s{turning}", named.name)
}

/// The properties of each material, and its bodies.
fn materials(scenario: &Scenario) -> Vec<String> {
    let mut bodies: BTreeMap<MaterialId, Vec<&str>> = BTreeMap::new();
    for named in &scenario.bodies {
        bodies.entry(named.body.material).or_default().push(&named.name);
    }
    let rules = &scenario.settings.materials;
    let told = |(&id, names): (&MaterialId, &Vec<&str>)| {
        let restitution = rules.restitution(id, id).constant().map_or_else(|| "by speed".to_owned(), shown);
        let friction = shown(rules.friction(id, id));
        let more = if names.len() > NAMES_LISTED { ", …" } else { "" };
        let names = names[..names.len().min(NAMES_LISTED)].join(", ");
        format!("restitution {restitution}, friction {friction}: {names}{more}")
    };
    bodies.iter().map(told).collect()
}

fn judged(arguments: &JudgeArguments) -> Result<Exit, Exit> {
    let JudgeArguments { tables, events, .. } = arguments;
    if !events.is_empty() && events.len() != tables.len() {
        let found = format!("found {} for {} tables", events.len(), tables.len());
        return Err(bad(&format!("`--events` is wanted once for each table, in the same order; {found}")));
    }
    let limits = read_limits(&arguments.reporting)?;
    let (name, scenario) = scene_or_file(&arguments.scene)?;
    let judgement = while_busy((&name, false), "judging", || {
        let exact = Exact::new(&scenario)?;
        let logs = events.iter().map(|file| Some(file.as_path())).chain(repeat(None));
        let trajectories = tables.iter().zip(logs).map(|(file, log)| trajectory(&exact, file, log));
        let mut trajectories = trajectories.collect::<Result<Vec<_>, OracleError>>()?;
        tell_apart(&mut trajectories, tables);
        Ok(judge(&exact, &trajectories, &limits))
    });
    let judgement = judgement.map_err(|error: OracleError| refused(&error))?;
    let heading = format!("{name}: {}", judgement.title);
    tell(&heading, &judgement, &arguments.reporting)
}

/// A scene of the catalogue, or the scenario in a file that ends in `.ron`, with its name.
fn scene_or_file(name: &str) -> Result<(String, Scenario), Exit> {
    let file = Path::new(name);
    if file.extension().is_some_and(|ending| ending == "ron") {
        let scenario = load(file, &[], false)?.parsed.scenario;
        return Ok((file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), scenario));
    }
    let scene = find(name).map_err(|error| refused(&error))?;
    Ok((scene.name.to_owned(), scene.scenario().map_err(|problems| refused(&problems.into()))?))
}

/// Uses the paths of files as names if two files have the same name.
fn tell_apart(trajectories: &mut [Trajectory], tables: &[PathBuf]) {
    let names: BTreeSet<&str> = trajectories.iter().map(|trajectory| trajectory.name.as_str()).collect();
    if names.len() < trajectories.len() {
        for (trajectory, table) in trajectories.iter_mut().zip(tables) {
            trajectory.name = table.display().to_string();
        }
    }
}

/// A trajectory, with its log of events if there is one.
pub(super) fn trajectory(exact: &Exact, table: &Path, log: Option<&Path>) -> Result<Trajectory, OracleError> {
    let trajectory = Trajectory::new(&read_foreign(table)?, exact)?;
    match log {
        Some(log) => Ok(trajectory.with_events(&read_foreign_events(log)?, exact)?),
        None => Ok(trajectory),
    }
}
