//! From text to a checked scenario: the order in which its parts are read.

use ron::value::RawValue;

use super::fill::{Maker, Recipe};
use super::mesh::Meshes;
use super::names::{self, NameTable, Registry};
use super::places::{Parsed, Places};
use super::plot::style::Figure;
use super::problem::syntax;
use super::problem::{Entry, Problems, Report, Site};
use super::request_types::{Expectation, Observation, Recording};
use super::sections::body::Surroundings;
use super::sections::colors::{self, Beside};
use super::sections::layers::LayerNames;
use super::sections::{body, clock, commands, play, plots, requests, settings};
use super::text::files::Files;
use super::{Scenario, Source, fill, heading, schema};
use crate::dynamics::Settings;
use crate::world::{Named, Timed};

/// Reads and checks a scenario, with the files that it names, and makes the bodies of its generators.
///
/// The disk is accessed only if the scenario names a file.
///
/// # Errors
/// [`Problems`] with everything that is wrong, or with the one place where the text is not RON.
pub fn parse(source: &Source) -> Result<Parsed, Problems> {
    let mut report = Report::new(source);
    let parsed = lower(source, &mut report);
    report.outcome(parsed)
}

/// Reads and checks one body, written as in the list `bodies`, for a world of `scenario`: with its space, its materials
/// and its layers. A body without a name gets an empty one. With it come the commands at the knots of its course.
///
/// It comes into the world at the time `comes`, s: no knot may be before it.
///
/// # Errors
/// [`Problems`] with everything that is wrong.
pub fn read_body(source: &Source, scenario: &Scenario, comes: f64) -> Result<(Named, Vec<Timed>), Problems> {
    let mut report = Report::new(source);
    let entry = Entry { site: Site::Top, text: &source.text };
    let Scenario { settings, materials, layers, .. } = scenario;
    report.is_planar = settings.space.is_planar;
    let surroundings = Surroundings { space: &settings.space, materials, layers, comes };
    let mut beside = Beside { meshes: Meshes::new(Files::new(source)), colors: Vec::new(), knots: Vec::new() };
    let named = body::lower(&mut report, entry, &surroundings, &mut beside);
    report.outcome(named.map(|named| (named, beside.knots)))
}

/// What a scenario asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Requests {
    /// What is recorded during the run.
    pub record: Recording,
    /// What is measured during the run.
    pub observe: Vec<Observation>,
    /// What is drawn after the run.
    pub plots: Vec<Figure>,
    /// What must hold at the end.
    pub expect: Vec<Expectation>,
}

impl Requests {
    /// What a scenario with the bodies of `table` asks for, besides what it observes.
    fn lower<'a>(
        top: &schema::Top<'a>,
        (table, duration): (&NameTable<'_>, Option<f64>),
        observe: Vec<Observation>,
        report: &mut Report<'a>,
    ) -> Self {
        let record = requests::record(top, table, duration, report);
        let plots = plots::plots(top, table, &observe, duration, report);
        let expect = requests::expect(top, table, &observe, report);
        Self { record, observe, plots, expect }
    }
}

/// Reads what the text of a scenario asks for, for the bodies, the space and the duration of `scenario`. The rest of
/// the text is not checked.
///
/// # Errors
/// [`Problems`] with everything that is wrong.
pub fn read_requests(source: &Source, scenario: &Scenario) -> Result<Requests, Problems> {
    let mut report = Report::new(source);
    report.is_planar = scenario.settings.space.is_planar;
    let entry = Entry { site: Site::Top, text: &source.text };
    let Some(top) = syntax::read::<schema::Top<'_>>(entry, &mut report) else { return Err(report.finish()) };
    let duration = Some(scenario.duration);
    let observe = requests::observe(&top, (&scenario.settings.space, &scenario.bodies), &mut report);
    let table = NameTable::new(scenario.all_bodies().map(|named| named.name.as_str()), true);
    let requests = Requests::lower(&top, (&table, duration), observe, &mut report);
    report.outcome(Some(requests))
}

fn lower<'a>(source: &'a Source, report: &mut Report<'a>) -> Option<Parsed> {
    let top: schema::Top<'a> = syntax::read(heading::top(source, report)?, report)?;
    let (timestep, duration) = clock(&top, report);
    let (settings, materials) = settings::lower(&top, report);
    let layers = LayerNames::lower(&top, report);
    let surroundings = Surroundings { space: &settings.space, materials: &materials, layers: &layers, comes: 0.0 };
    let mut beside = Beside { meshes: Meshes::new(Files::new(source)), colors: Vec::new(), knots: Vec::new() };
    let (bodies, places) = all_bodies(&top, source, &surroundings, &mut beside, report);
    let observe = requests::observe(&top, (&settings.space, &bodies), report);
    let is_gas = observe.contains(&Observation::Gas);
    let commands = commands::Reader { bodies: &bodies, surroundings: &surroundings, duration, is_gas };
    let commands = commands.read(&top, source, &mut beside, report);
    let all = || bodies.iter().chain(commands.iter().filter_map(|timed| timed.command.spawned()));
    let rest_height = settings::rest_height(&top, report);
    let rest_height = rest_height.unwrap_or_else(|| Settings::rest_height_of(all().map(|named| &named.body)));
    let colors = colors::by_name(all(), &beside.colors, |material| materials.color(material));
    let table = NameTable::new(all().map(|named| named.name.as_str()), report.is_empty());
    let Requests { record, observe, plots, expect } = Requests::lower(&top, (&table, duration), observe, report);
    let title = heading::title([top.format, top.title], source, report);
    let play = play::play(&top, source, report);
    let (timestep, duration, files) = (timestep?, duration?, beside.meshes.files.into_list());
    let scenario = Scenario {
        title,
        settings: Settings { rest_height, ..settings },
        timestep,
        duration,
        bodies,
        materials,
        layers,
        files,
        colors,
        record,
        observe,
        plots,
        expect,
        commands,
        play,
    };
    Some(Parsed { scenario, places })
}

fn clock<'a>(top: &schema::Top<'a>, report: &mut Report<'a>) -> (Option<f64>, Option<f64>) {
    let mut span = |name, raw| {
        let entry = settings::field(name, Some(raw))?;
        let value = syntax::read(entry, report)?;
        report.span(entry, value)
    };
    let (timestep, duration) = (span("timestep", top.timestep), span("duration", top.duration));
    if let (Some(timestep), Some(duration)) = (timestep, duration)
        && let Err(fault) = clock::check_steps(timestep, duration)
        && let Some(entry) = settings::field("timestep", Some(top.timestep))
    {
        report.add(entry, "", fault);
    }
    (timestep, duration)
}

/// The bodies of the file and then those of the generators, each under a name of its own.
fn all_bodies<'a>(
    top: &schema::Top<'a>,
    source: &'a Source,
    surroundings: &Surroundings<'_>,
    beside: &mut Beside,
    report: &mut Report<'a>,
) -> (Vec<Named>, Places) {
    let written = entries("bodies", &top.bodies);
    let mut bodies: Vec<Named> =
        written.iter().filter_map(|&entry| body::lower(report, entry, surroundings, beside)).collect();
    let recipes = recipes(top, surroundings, &bodies, &mut beside.meshes.files, report);
    let mut places = Places::new(source);
    // Bodies are made and named only if nothing is wrong so far: an error in one must not be reported for another.
    if !report.is_empty() {
        return (bodies, places);
    }
    names::generate(&mut bodies, surroundings.space.is_planar);
    let mut registry = Registry::new();
    for (body, &entry) in bodies.iter().zip(&written) {
        registry.take(report, entry, &body.name);
        places.add(entry, 1, &source.text);
    }
    let mut maker = Maker::new(*surroundings.space);
    for (entry, recipe) in recipes {
        let first = bodies.len();
        if let Err(fault) = maker.make(&recipe, &mut bodies) {
            report.add(entry, "", fault);
        }
        bodies[first..].iter().for_each(|body| registry.take(report, entry, &body.name));
        beside.colors.resize(bodies.len(), recipe.color());
        places.add(entry, bodies.len() - first, &source.text);
    }
    (bodies, places)
}

/// All valid generators.
fn recipes<'a>(
    top: &schema::Top<'a>,
    surroundings: &Surroundings<'_>,
    bodies: &[Named],
    files: &mut Files,
    report: &mut Report<'a>,
) -> Vec<(Entry<'a>, Recipe)> {
    let mut recipes = Vec::new();
    let mut count = top.bodies.len() as u64;
    for entry in entries("fill", &top.fill) {
        if let Some(recipe) = fill::check(report, entry, surroundings, files, (bodies, count)) {
            count += recipe.count();
            recipes.push((entry, recipe));
        }
    }
    recipes
}

fn entries<'a>(name: &'static str, list: &[&'a RawValue]) -> Vec<Entry<'a>> {
    let entry = |(place, raw): (usize, &&'a RawValue)| Entry { site: Site::Item(name, place), text: raw.get_ron() };
    list.iter().enumerate().map(entry).collect()
}
