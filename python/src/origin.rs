//! The origin of a simulation: a scenario that is read from a file or built in Python.

use std::collections::HashSet;

use carom::Settings;
use carom::glam::DVec3;
use carom::motion::SimTime;
use carom::scenario::{
    Figure, MeshFile, Problem, Problems, Scenario, Setting, Source, parse, read_body, read_requests,
};
use carom::world::{Named, Timed, World};
use carom::{Layers, MaterialId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::deeds::{Deeds, Unwritten};
use crate::errors::{Raised, given_wrong, refused, unfit_value};
use crate::requests::{Requests, known_without_bodies};
use crate::text::{Fields, number, quoted, triple};

/// A scenario and its text.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) scenario: Scenario,
    text: Text,
    /// The names of the bodies that were added.
    names: HashSet<String>,
    /// Whether what it asks for has been read, for the bodies that there are.
    is_settled: bool,
}

/// The text of a scenario.
#[derive(Clone)]
enum Text {
    /// The whole text, as it was read.
    Whole(Source),
    /// Parts, from which the text is composed on demand.
    Parts(Parts),
}

/// A scenario that is built in Python.
#[derive(Clone, Default)]
struct Parts {
    settings: String,
    /// Whether the settings have a rest height. Otherwise it follows from the sizes of the bodies.
    has_rest_height: bool,
    layers: Vec<String>,
    materials: Vec<String>,
    pairs: Vec<String>,
    bodies: Vec<Piece>,
    requests: Requests,
}

/// The text of one or more bodies.
#[derive(Clone)]
enum Piece {
    /// One body.
    Body(String),
    /// Many bodies of one kind: the fields that they share, and their range in the scenario.
    Fill { shared: String, bodies: std::ops::Range<usize> },
}

/// Many bodies that differ only in position and velocity.
pub(crate) struct Fill<'a> {
    /// The part of their names before the slash.
    pub(crate) name: &'a str,
    /// The fields that they share.
    pub(crate) shared: &'a Fields,
    /// Positions, m.
    pub(crate) positions: &'a [DVec3],
    /// Velocities, m/s, one for each body.
    pub(crate) velocities: Option<&'a [DVec3]>,
}

impl Fill<'_> {
    /// Position and velocity of a body.
    fn state(&self, place: usize) -> [DVec3; 2] {
        [self.positions, self.velocities.unwrap_or_default()].map(|list| list.get(place).copied().unwrap_or_default())
    }

    /// The name of a body, with leading zeros so that all names have the same length.
    fn name(&self, place: usize) -> String {
        let width = self.positions.len().saturating_sub(1).to_string().len();
        format!("{}/{place:0width$}", self.name)
    }
}

impl Origin {
    /// A scenario that was read.
    pub(crate) fn read(scenario: Scenario, source: Source) -> Self {
        Self { scenario, text: Text::Whole(source), names: HashSet::new(), is_settled: true }
    }

    /// An empty scenario with the fields `settings` and a rest height, that asks for something.
    pub(crate) fn new(
        mut settings: Fields,
        rest_height: Option<f64>,
        layers: &[String],
        requests: Requests,
    ) -> PyResult<Self> {
        let layers = layers.iter().map(|name| quoted(name)).collect();
        settings.add("rest_height", rest_height.map(number));
        let (settings, has_rest_height) = (settings.text().to_owned(), rest_height.is_some());
        let parts = Parts { settings, has_rest_height, layers, requests, ..Parts::default() };
        let scenario = parts.scenario()?;
        // What is wrong whatever the bodies are is said now.
        if let Err(problems) = read_requests(&Source::new("simulation", &parts.requests.alone()), &scenario) {
            let known = known_without_bodies(problems.list());
            if !known.is_empty() {
                return Err(given_wrong(known, argument));
            }
        }
        Ok(Self { scenario, text: Text::Parts(parts), names: HashSet::new(), is_settled: false })
    }

    /// The world at its beginning, with the rest height that suits all bodies.
    pub(crate) fn world(&mut self) -> PyResult<World> {
        self.scenario.settings.rest_height = self.rest_height();
        self.scenario.world().map_err(Raised::raised)
    }

    fn rest_height(&self) -> f64 {
        match &self.text {
            Text::Parts(parts) if !parts.has_rest_height => {
                Settings::rest_height_of(self.scenario.bodies.iter().map(|named| &named.body))
            }
            _ => self.scenario.settings.rest_height,
        }
    }

    /// Notes that there will be other bodies.
    pub(crate) fn unsettle(&mut self) {
        self.is_settled = !self.is_in_parts();
    }

    /// Reads what a scenario that is built in Python asks for, now that its bodies are there.
    pub(crate) fn settle(&mut self) -> PyResult<()> {
        let Text::Parts(parts) = &self.text else { return Ok(()) };
        if self.is_settled || parts.requests.is_empty() {
            return Ok(());
        }
        let read = read_requests(&Source::new("simulation", &parts.requests.alone()), &self.scenario);
        let read = read.map_err(|problems| wrong(&problems))?;
        let scenario = &mut self.scenario;
        (scenario.record, scenario.observe) = (read.record, read.observe);
        (scenario.plots, scenario.expect) = (read.plots, read.expect);
        self.is_settled = true;
        Ok(())
    }

    /// The plot that this text describes, in the style of all plots or without it.
    pub(crate) fn plot(&self, text: &str, is_styled: bool, name: impl Fn(&str) -> String) -> PyResult<Figure> {
        let source = match &self.text {
            Text::Whole(source) => {
                let mut settings = vec![("plots", format!("[{text}]"))];
                if !is_styled {
                    settings.push(("style", "()".to_owned()));
                }
                let setting = |(path, value): &(&str, String)| Setting::new(*path, path, value);
                let settings = settings.iter().map(setting).collect::<Result<Vec<_>, _>>().map_err(Raised::raised)?;
                source.with(&settings).map_err(Raised::raised)?
            }
            Text::Parts(parts) => {
                let asked = parts.requests.with_plot(text);
                let asked = if is_styled { asked } else { asked.without_style() };
                Source::new("simulation", &asked.alone())
            }
        };
        let read = read_requests(&source, &self.scenario);
        let read = read.map_err(|problems| given_wrong(problems.list(), name))?;
        read.plots.into_iter().next().ok_or_else(|| PyValueError::new_err("there is no plot"))
    }

    /// The same text with another scenario, such as one with more commands.
    pub(crate) fn of(&self, scenario: Scenario) -> Self {
        Self { scenario, ..self.clone() }
    }

    /// Whether it can still be changed.
    pub(crate) fn is_in_parts(&self) -> bool {
        matches!(self.text, Text::Parts(_))
    }

    /// The text, as a source that can be read again.
    pub(crate) fn source(&self) -> Source {
        match &self.text {
            Text::Whole(source) => source.clone(),
            Text::Parts(parts) => Source::new("simulation", &parts.whole(&self.scenario.bodies)),
        }
    }

    /// The text with the commands that were scheduled until its end.
    pub(crate) fn scripted(&self, deeds: &Deeds) -> PyResult<Result<Source, Unwritten>> {
        self.source_with(&deeds.to_come(), self.scenario.duration)
    }

    /// The text with what was done until `end`, s, as commands, and with that end where some of them come later.
    pub(crate) fn source_with(&self, deeds: &Deeds, end: f64) -> PyResult<Result<Source, Unwritten>> {
        let source = self.source();
        let commands = match deeds.texts(SimTime::from_seconds(end)) {
            Ok(commands) if commands.is_empty() => return Ok(Ok(source)),
            _ if self.has_commands() => return Ok(Err(Unwritten::OwnCommands)),
            Ok(commands) => commands,
            Err(unwritten) => return Ok(Err(unwritten)),
        };
        let later = (end > self.scenario.duration).then(|| ("duration", number(end)));
        // Bodies that come later would change the rest height.
        let has_spawns = commands.iter().any(|command| command.starts_with("Spawn"));
        let rest_height = has_spawns.then(|| ("rest_height", number(self.rest_height())));
        let settings = [("commands", format!("[{}]", commands.join(", ")))].into_iter().chain(later).chain(rest_height);
        let settings = settings.map(|(path, value)| Setting::new(path, path, &value)).collect::<Result<Vec<_>, _>>();
        let source = source.with(&settings.map_err(Raised::raised)?).map_err(Raised::raised)?;
        let parsed = parse(&source).map(|_| source);
        Ok(parsed.map_err(|problems| Unwritten::Wrong(problems.list().first().map_or_else(String::new, fault))))
    }

    /// Whether its text has commands.
    fn has_commands(&self) -> bool {
        // Those of a scenario that is built in Python are the knots of courses, which its text has in its bodies.
        !self.is_in_parts() && !self.scenario.commands.is_empty()
    }

    /// The files to which the text refers.
    pub(crate) fn files(&self) -> &[MeshFile] {
        &self.scenario.files
    }

    /// Adds a material.
    pub(crate) fn add_material(&mut self, name: &str, fields: &Fields) -> PyResult<()> {
        self.change(|parts| parts.materials.push(format!("{}: ({})", quoted(name), fields.text())))
    }

    /// Sets values for a pair of materials.
    pub(crate) fn add_pair(&mut self, fields: &Fields) -> PyResult<()> {
        self.change(|parts| parts.pairs.push(format!("({})", fields.text())))
    }

    /// Adds a body.
    pub(crate) fn add_body(&mut self, text: String) -> PyResult<()> {
        let (body, knots) = self.body(&text, SimTime::ZERO)?;
        self.take_names(std::slice::from_ref(&body))?;
        if let Text::Parts(parts) = &mut self.text {
            parts.bodies.push(Piece::Body(text));
        }
        self.scenario.bodies.push(body);
        self.scenario.commands.extend(knots);
        Ok(())
    }

    /// Adds many bodies.
    pub(crate) fn fill(&mut self, fill: &Fill<'_>) -> PyResult<()> {
        let first = self.scenario.bodies.len();
        // One body is enough to check the shared fields: the first that moves, since not all bodies may have a
        // velocity.
        let moves = fill.velocities.into_iter().flatten().position(|&velocity| velocity != DVec3::ZERO);
        let check = fill.state(moves.unwrap_or_default());
        let (one, _) = self.body(&line(&fill.name(0), check, fill.shared.text()), SimTime::ZERO)?;
        let made = |place| {
            let [position, velocity] = fill.state(place);
            Named { name: fill.name(place), body: one.body.clone().at(position).moving(velocity) }
        };
        let bodies: Vec<Named> = (0..fill.positions.len()).map(made).collect();
        self.take_names(&bodies)?;
        self.scenario.bodies.extend(bodies);
        if let Text::Parts(parts) = &mut self.text {
            let bodies = first..self.scenario.bodies.len();
            parts.bodies.push(Piece::Fill { shared: fill.shared.text().to_owned(), bodies });
        }
        Ok(())
    }

    /// Notes the names of new bodies, none of which may be taken.
    fn take_names(&mut self, bodies: &[Named]) -> PyResult<()> {
        if let Some(taken) = bodies.iter().find(|named| self.names.contains(&named.name)) {
            let words =
                format!("is taken: there is a body \"{}\" already; give each body a name of its own", taken.name);
            return Err(unfit_value("name", &words));
        }
        self.names.extend(bodies.iter().map(|named| named.name.clone()));
        Ok(())
    }

    /// The material of this name.
    pub(crate) fn material(&self, name: &str) -> PyResult<MaterialId> {
        let unknown = || refused(&format!("there is no material `{name}`: add it before the simulation runs"));
        self.scenario.materials.get(name).ok_or_else(unknown)
    }

    /// The layer of this name.
    pub(crate) fn layer(&self, name: &str) -> PyResult<Layers> {
        let known = self.scenario.layers.names().join("`, `");
        let unknown = || refused(&format!("there is no layer `{name}`; there are `{known}`"));
        self.scenario.layers.find(name).ok_or_else(unknown)
    }

    /// The body that a text describes and that comes at the time `comes`, and the commands at the knots of its course.
    pub(crate) fn body(&self, text: &str, comes: SimTime) -> PyResult<(Named, Vec<Timed>)> {
        let read = read_body(&Source::new("body", text), &self.scenario, comes.seconds());
        read.map_err(|problems| wrong(&problems))
    }

    /// Changes the part of the text before the bodies. If the result is invalid, nothing is changed.
    fn change(&mut self, change: impl FnOnce(&mut Parts)) -> PyResult<()> {
        let Text::Parts(parts) = &mut self.text else { return Ok(()) };
        let bodies = std::mem::take(&mut parts.bodies);
        let mut changed = parts.clone();
        change(&mut changed);
        let scenario = changed.scenario();
        if scenario.is_ok() {
            *parts = changed;
        }
        parts.bodies = bodies;
        let scenario = scenario?;
        // Existing materials and layers keep their numbers, because new ones come after them.
        let Scenario { bodies, commands, .. } = std::mem::replace(&mut self.scenario, scenario);
        (self.scenario.bodies, self.scenario.commands) = (bodies, commands);
        Ok(())
    }
}

impl Parts {
    /// The scenario without its bodies.
    fn scenario(&self) -> PyResult<Scenario> {
        let bare = Self { requests: Requests::default(), ..self.clone() };
        let source = Source::new("simulation", &bare.whole(&[]));
        Ok(parse(&source).map_err(|problems| wrong(&problems))?.scenario)
    }

    /// The whole text. `bodies` are the bodies to which its pieces refer.
    fn whole(&self, bodies: &[Named]) -> String {
        let mut text = format!("Scenario(\n    {},\n", self.settings);
        let mut section = |name: &str, (open, close): (char, char), lines: &[String]| {
            if !lines.is_empty() {
                let lines: String = lines.iter().map(|line| format!("        {line},\n")).collect();
                text.push_str(&format!("    {name}: {open}\n{lines}    {close},\n"));
            }
        };
        section("layers", ('[', ']'), &self.layers);
        section("materials", ('{', '}'), &self.materials);
        section("pairs", ('[', ']'), &self.pairs);
        let lines: Vec<String> = self.bodies.iter().flat_map(|piece| piece.lines(bodies)).collect();
        section("bodies", ('[', ']'), &lines);
        text.extend(self.requests.lines());
        text.push_str(")\n");
        text
    }
}

impl Piece {
    fn lines(&self, all: &[Named]) -> Vec<String> {
        match self {
            Self::Body(text) => vec![text.clone()],
            Self::Fill { shared, bodies } => {
                let all = all.get(bodies.clone()).unwrap_or_default();
                all.iter().map(|named| line(&named.name, [named.position, named.velocity], shared)).collect()
            }
        }
    }
}

/// The text of a body with these shared fields.
fn line(name: &str, [position, velocity]: [DVec3; 2], shared: &str) -> String {
    let [at, moving] = [position, velocity].map(|v| triple(v.to_array()));
    let moves = if velocity == DVec3::ZERO { String::new() } else { format!("velocity: {moving}, ") };
    format!("(name: {}, position: {at}, {moves}{shared})", quoted(name))
}

fn fault(problem: &Problem) -> String {
    problem.fault.to_string()
}

/// Problems with what was given in Python.
fn wrong(problems: &Problems) -> PyErr {
    given_wrong(problems.list().iter().collect::<Vec<&Problem>>(), argument)
}

/// The name of the argument in Python from which a field of a scenario comes.
fn argument(field: &str) -> String {
    let within = |list: &str| field.strip_prefix(list).and_then(|rest| rest.split_once("].")).map(|(_, field)| field);
    let field = within("materials[").or(within("pairs[")).unwrap_or(field);
    if field == "response" {
        return "sensor".to_owned();
    }
    if field == "space" || field.starts_with("space.") {
        return field.replacen("space", "periodic", 1);
    }
    // Settings of a style may be given beside the other fields of a plot.
    field.replacen("].style.", "].", usize::from(field.starts_with("plots[")))
}
