//! What a simulation is made from: a scenario, read from a file or put together in Python.

use carom::glam::DVec3;
use carom::scenario::{MeshFile, Scenario, Source, parse, read_body};
use carom::world::Named;
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::text::{Fields, quoted, triple};

/// A scenario and its text.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) scenario: Scenario,
    text: Text,
}

/// Where the text of a scenario is.
#[derive(Clone)]
enum Text {
    /// In one piece, as it was read.
    Whole(Source),
    /// In parts, from which it is put together when it is asked for.
    Parts(Parts),
}

/// A scenario that is put together.
#[derive(Clone, Default)]
struct Parts {
    settings: String,
    layers: Vec<String>,
    materials: Vec<String>,
    pairs: Vec<String>,
    bodies: Vec<Piece>,
}

/// The text of bodies.
#[derive(Clone)]
enum Piece {
    /// Of one.
    Body(String),
    /// Of many that are alike: the fields that they share, and the range of these bodies in the scenario.
    Fill { shared: String, bodies: std::ops::Range<usize> },
}

/// Many bodies that are alike but for where they are and how they move.
pub(crate) struct Fill<'a> {
    /// The part of their names before the slash.
    pub(crate) name: &'a str,
    /// What they share.
    pub(crate) shared: &'a Fields,
    /// m.
    pub(crate) positions: &'a [DVec3],
    /// m/s; as many, or none.
    pub(crate) velocities: &'a [DVec3],
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

    /// Whether it may still be put together.
    pub(crate) fn is_in_parts(&self) -> bool {
        matches!(self.text, Text::Parts(_))
    }

    /// The text as one that can be read again.
    pub(crate) fn source(&self) -> Source {
        match &self.text {
            Text::Whole(source) => source.clone(),
            Text::Parts(parts) => Source::new("simulation", &parts.whole(&self.scenario.bodies)),
        }
    }

    /// The files that the text names.
    pub(crate) fn files(&self) -> &[MeshFile] {
        &self.scenario.files
    }

    /// A new material.
    pub(crate) fn add_material(&mut self, name: &str, fields: &Fields) -> PyResult<()> {
        self.change(|parts| parts.materials.push(format!("{}: ({})", quoted(name), fields.text())))
    }

    /// Values for a pair of materials.
    pub(crate) fn add_pair(&mut self, fields: &Fields) -> PyResult<()> {
        self.change(|parts| parts.pairs.push(format!("({})", fields.text())))
    }

    /// A new body.
    pub(crate) fn add_body(&mut self, text: String) -> PyResult<()> {
        let body = self.body(&text)?;
        if let Text::Parts(parts) = &mut self.text {
            parts.bodies.push(Piece::Body(text));
        }
        self.scenario.bodies.push(body);
        Ok(())
    }

    /// Many new bodies. The first is called `NAME/0`, with as many zeros before as make all names of one length.
    pub(crate) fn fill(&mut self, fill: &Fill<'_>) -> PyResult<()> {
        let Some(last) = fill.positions.len().checked_sub(1) else { return Ok(()) };
        let width = last.to_string().len();
        let first = self.scenario.bodies.len();
        // One of them shows whether what they share is sound.
        let one = self.body(&format!("(name: {}, {})", quoted(&format!("{}/0", fill.name)), fill.shared.text()))?;
        for (place, &position) in fill.positions.iter().enumerate() {
            let velocity = fill.velocities.get(place).copied().unwrap_or_default();
            let body = one.body.clone().at(position).moving(velocity);
            self.scenario.bodies.push(Named { name: format!("{}/{place:0width$}", fill.name), body });
        }
        if let Text::Parts(parts) = &mut self.text {
            let bodies = first..self.scenario.bodies.len();
            parts.bodies.push(Piece::Fill { shared: fill.shared.text().to_owned(), bodies });
        }
        Ok(())
    }

    /// The body that a text describes.
    pub(crate) fn body(&self, text: &str) -> PyResult<Named> {
        read_body(&Source::new("body", text), &self.scenario).map_err(Raised::raised)
    }

    /// Changes what stands before the bodies; if that is wrong, nothing is changed.
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
        // The numbers of materials and layers that are there stay: new ones come after them.
        self.scenario = Scenario { bodies: std::mem::take(&mut self.scenario.bodies), ..scenario };
        Ok(())
    }
}

impl Parts {
    /// The scenario without its bodies.
    fn scenario(&self) -> PyResult<Scenario> {
        let source = Source::new("simulation", &self.whole(&[]));
        Ok(parse(&source).map_err(Raised::raised)?.scenario)
    }

    /// The text of all, with the bodies of `bodies` that are in its pieces.
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
                let line = |named: &Named| {
                    let [position, velocity] = [named.position, named.velocity].map(|v| triple(v.to_array()));
                    let moves =
                        if named.velocity == DVec3::ZERO { String::new() } else { format!("velocity: {velocity}, ") };
                    format!("(name: {}, position: {position}, {moves}{shared})", quoted(&named.name))
                };
                all.get(bodies.clone()).unwrap_or_default().iter().map(line).collect()
            }
        }
    }
}
