//! The exported bodies, and their constant properties.

use crate::dynamics::{BodyId, Motion, Response};
use crate::geometry::Shape;
use crate::motion::SimTime;
use crate::record::export::request::ExportRequest;
use crate::scenario::Scenario;
use crate::world::{Command, Named, World};

/// The bodies of an export in the order of their ids, with those that come later.
pub(super) struct Roster {
    pub(super) members: Vec<Member>,
    /// The names of the species, in the order in which the members first have them.
    pub(super) species: Vec<String>,
}

/// A body of an export.
pub(super) struct Member {
    pub(super) id: BodyId,
    pub(super) name: String,
    pub(super) shape: Shape,
    /// The row of its species: bodies whose names begin alike, up to the last slash, are of one species.
    pub(super) species: usize,
    /// kg; `None` for a body that is not free.
    pub(super) mass: Option<f64>,
    pub(super) is_sensor: bool,
    /// Red, green and blue of sRGB, if it has a colour of its own.
    pub(super) color: Option<[u8; 3]>,
    /// Whether it is in one place from the beginning to the end.
    pub(super) is_static: bool,
    /// When commands put it elsewhere.
    pub(super) put: Vec<SimTime>,
}

impl Roster {
    /// The bodies that a request names, or all bodies if it names none.
    pub(super) fn new(scenario: &Scenario, world: &World, request: &ExportRequest) -> Self {
        let names = &request.bodies;
        let future_names = world.future_names();
        let chosen = scenario.all_bodies().filter(|named| names.is_empty() || names.contains(&named.name));
        let mut found: Vec<(BodyId, &Named)> =
            chosen.filter_map(|named| Some((future_names.id(&named.name)?, named))).collect();
        found.sort_by_key(|(id, _)| *id);
        let mut species: Vec<String> = Vec::new();
        let members = found.into_iter().map(|(id, named)| {
            let name = species_of(&named.name);
            let row = species.iter().position(|known| known == name).unwrap_or_else(|| {
                species.push(name.to_owned());
                species.len() - 1
            });
            Member {
                id,
                name: named.name.clone(),
                shape: named.body.shape.clone(),
                species: row,
                mass: match named.body.motion {
                    Motion::Free(mass) => Some(mass.get()),
                    Motion::Fixed | Motion::Kinematic => None,
                },
                is_sensor: named.body.response == Response::Sense,
                color: request.colors.get(&named.name).copied(),
                is_static: is_static(scenario, named),
                put: put(scenario, &named.name),
            }
        });
        Self { members: members.collect(), species }
    }

    /// The rows of the members by the ids of the bodies.
    pub(super) fn rows(&self) -> Rows {
        let mut rows = Vec::new();
        for (row, member) in self.members.iter().enumerate() {
            rows.resize(rows.len().max(member.id.index() + 1), None);
            rows[member.id.index()] = Some(row);
        }
        Rows(rows)
    }
}

/// Where each body stands in a roster.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rows(Vec<Option<usize>>);

impl Rows {
    /// The row of a body, if it is exported.
    pub(super) fn of(&self, body: BodyId) -> Option<usize> {
        self.0.get(body.index()).copied().flatten()
    }
}

fn species_of(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(path, _)| path)
}

/// When commands put a body elsewhere.
fn put(scenario: &Scenario, name: &str) -> Vec<SimTime> {
    let is_it = |command: &Command| matches!(command, Command::SetPosition { body, .. } if body == name);
    scenario.commands.iter().filter(|timed| is_it(&timed.command)).map(|timed| timed.at).collect()
}

fn is_static(scenario: &Scenario, named: &Named) -> bool {
    let comes_or_goes = scenario.commands.iter().any(|timed| match &timed.command {
        Command::Spawn(spawned) => spawned.name == named.name,
        Command::Despawn { body } => *body == named.name,
        _ => false,
    });
    named.body.motion == Motion::Fixed && !comes_or_goes
}
