//! The origin of a simulation: a scenario that is read from a file or built in Python.

use carom::glam::DVec3;
use carom::motion::SimTime;
use carom::scenario::{MeshFile, Scenario, Source, parse, read_body};
use carom::world::{Named, Timed};
use carom::{Layers, MaterialId};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::text::{Fields, quoted, triple};

/// A scenario and its text.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) scenario: Scenario,
    text: Text,
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
    layers: Vec<String>,
    materials: Vec<String>,
    pairs: Vec<String>,
    bodies: Vec<Piece>,
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
    /// Velocities, m/s: one for each body, or none.
    pub(crate) velocities: &'a [DVec3],
}

impl Fill<'_> {
    /// Position and velocity of a body.
    fn state(&self, place: usize) -> [DVec3; 2] {
        [self.positions, self.velocities].map(|list| list.get(place).copied().unwrap_or_default())
    }
}

impl Origin {
    /// A scenario that was read.
    pub(crate) fn read(scenario: Scenario, source: Source) -> Self {
        Self { scenario, text: Text::Whole(source) }
    }

    /// An empty scenario with the fields `settings`.
    pub(crate) fn new(settings: &Fields, layers: &[String]) -> PyResult<Self> {
        let layers = layers.iter().map(|name| quoted(name)).collect();
        let parts = Parts { settings: settings.text().to_owned(), layers, ..Parts::default() };
        Ok(Self { scenario: parts.scenario()?, text: Text::Parts(parts) })
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
        if let Text::Parts(parts) = &mut self.text {
            parts.bodies.push(Piece::Body(text));
        }
        self.scenario.bodies.push(body);
        self.scenario.commands.extend(knots);
        Ok(())
    }

    /// Adds many bodies. The first is called `NAME/0`, with leading zeros so that all names have the same length.
    pub(crate) fn fill(&mut self, fill: &Fill<'_>) -> PyResult<()> {
        let Some(last) = fill.positions.len().checked_sub(1) else { return Ok(()) };
        let width = last.to_string().len();
        let first = self.scenario.bodies.len();
        // One body is enough to check the shared fields: the first that moves, since not all bodies may have a velocity.
        let moves = fill.velocities.iter().position(|&velocity| velocity != DVec3::ZERO);
        let check = fill.state(moves.unwrap_or_default());
        let (one, _) = self.body(&line(&format!("{}/0", fill.name), check, fill.shared.text()), SimTime::ZERO)?;
        for place in 0..fill.positions.len() {
            let [position, velocity] = fill.state(place);
            let body = one.body.clone().at(position).moving(velocity);
            self.scenario.bodies.push(Named { name: format!("{}/{place:0width$}", fill.name), body });
        }
        if let Text::Parts(parts) = &mut self.text {
            let bodies = first..self.scenario.bodies.len();
            parts.bodies.push(Piece::Fill { shared: fill.shared.text().to_owned(), bodies });
        }
        Ok(())
    }

    /// The material of this name.
    pub(crate) fn material(&self, name: &str) -> PyResult<MaterialId> {
        let unknown =
            || PyValueError::new_err(format!("there is no material `{name}`: add it before the simulation runs"));
        self.scenario.materials.get(name).ok_or_else(unknown)
    }

    /// The layer of this name.
    pub(crate) fn layer(&self, name: &str) -> PyResult<Layers> {
        let known = self.scenario.layers.names().join("`, `");
        let unknown = || PyValueError::new_err(format!("there is no layer `{name}`; there are `{known}`"));
        self.scenario.layers.find(name).ok_or_else(unknown)
    }

    /// The body that a text describes and that comes at the time `comes`, and the commands at the knots of its course.
    pub(crate) fn body(&self, text: &str, comes: SimTime) -> PyResult<(Named, Vec<Timed>)> {
        read_body(&Source::new("body", text), &self.scenario, comes.seconds()).map_err(Raised::raised)
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
        let source = Source::new("simulation", &self.whole(&[]));
        Ok(parse(&source).map_err(Raised::raised)?.scenario)
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
