//! The commands of a scenario: kicks, changes of bodies and of gravity, bodies that come and go.
//!
//! Each command is checked against the bodies that exist at its time. Only one error can be found no earlier than
//! during the run: there is no room for a new body.

use std::collections::BTreeMap;

use glam::DVec3;

use super::body::{self, Surroundings};
use super::colors::Beside;
use super::requests::each;
use crate::dynamics::Motion;
use crate::geometry::Shape;
use crate::motion::SimTime;
use crate::scenario::error_kinds::{CommandFault, Fault};
use crate::scenario::limits::DURATION_MAX;
use crate::scenario::names::NEAREST_MAX;
use crate::scenario::problem::{Entry, Report, Site};
use crate::scenario::text::locate;
use crate::scenario::text::locate::LineCounter;
use crate::scenario::text::nearest::nearest;
use crate::scenario::{Source, schema};
use crate::world::{Command, Named, Timed};

/// A command with its entry in the file.
struct Read<'a> {
    entry: Entry<'a>,
    timed: Timed,
}

/// The parts of a scenario that commands refer to.
pub(crate) struct Reader<'a> {
    pub(crate) bodies: &'a [Named],
    pub(crate) surroundings: &'a Surroundings<'a>,
    /// The duration, s, if it is valid.
    pub(crate) duration: Option<f64>,
    /// Whether the gas of the scenario is measured.
    pub(crate) is_gas: bool,
}

impl Reader<'_> {
    /// Reads all commands, in the order of the file, and after them those at the knots of courses.
    pub(crate) fn read<'a>(
        &self,
        top: &schema::Top<'a>,
        source: &'a Source,
        beside: &mut Beside,
        report: &mut Report<'a>,
    ) -> Vec<Timed> {
        let mut lines = LineCounter::new(&source.text);
        let read = each("commands", &top.commands, report, |report, entry, raw| {
            let (at, command) = self.command(report, entry, raw, beside)?;
            let text = locate::range_in(&source.text, entry.text);
            let (line, column) = lines.go_to(text.start + locate::start(entry.text));
            let origin = format!("{}:{line}:{column}: {}", source.name, entry.field(""));
            Some(Read { entry, timed: Timed { at: SimTime::from_seconds(at), command, origin } })
        });
        // A body that is missing because of another error must not be reported as unknown.
        if report.is_empty() {
            self.check_order(&read, report);
        }
        let mut commands: Vec<Timed> = read.into_iter().map(|read| read.timed).collect();
        let removals = commands.iter().filter_map(|timed| match &timed.command {
            Command::Despawn { body } => Some((body.as_str(), timed.at)),
            _ => None,
        });
        let removals: BTreeMap<&str, SimTime> = removals.collect();
        // A body that was removed follows its course no further.
        let is_there = |knot: &Timed| match &knot.command {
            Command::SetVelocity { body, .. } => removals.get(body.as_str()).is_none_or(|&gone| knot.at < gone),
            _ => true,
        };
        beside.knots.retain(is_there);
        commands.append(&mut beside.knots);
        commands
    }

    fn command<'a>(
        &self,
        report: &mut Report<'a>,
        entry: Entry<'a>,
        raw: schema::Command<'a>,
        beside: &mut Beside,
    ) -> Option<(f64, Command)> {
        let (at, command) = match raw {
            schema::Command::Kick { at, body, impulse, offset } => {
                let impulse = report.vector(entry, "impulse", impulse);
                let both = impulse.zip(report.vector_or_zero(entry, "offset", offset));
                (at, both.map(|(impulse, offset)| Command::Kick { body, impulse, offset }))
            }
            schema::Command::SetVelocity { at, body, velocity } => {
                let velocity = report.vector(entry, "velocity", velocity);
                (at, velocity.map(|velocity| Command::SetVelocity { body, velocity }))
            }
            schema::Command::SetSpin { at, body, spin } => {
                (at, report.spin(entry, "spin", Some(spin)).map(|spin| Command::SetSpin { body, spin }))
            }
            schema::Command::SetPosition { at, body, position } => {
                let position = report.vector(entry, "position", position);
                (at, position.map(|position| Command::SetPosition { body, position }))
            }
            schema::Command::SetMaterial { at, body, material } => {
                let material = self.surroundings.materials.find(report, entry, "material", Some(&material));
                (at, material.map(|material| Command::SetMaterial { body, material }))
            }
            schema::Command::SetLayers { at, body, layer, collides_with } => {
                let layers = self.surroundings.layers.own(report, entry, layer.as_deref());
                let others = self.surroundings.layers.others(report, entry, collides_with.as_deref());
                let both = layers.zip(others);
                (at, both.map(|(layers, collides_with)| Command::SetLayers { body, layers, collides_with }))
            }
            schema::Command::SetGravity { at, gravity } => {
                (at, report.vector(entry, "gravity", gravity).map(|gravity| Command::SetGravity { gravity }))
            }
            schema::Command::Spawn { at, body } => (at, self.spawn(report, entry, (at, body.get_ron()), beside)),
            schema::Command::Despawn { at, body } => (at, Some(Command::Despawn { body })),
            schema::Command::SetCell { at, body, cell, solid } => (at, Some(Command::SetCell { body, cell, solid })),
        };
        let keeps_gas = |command: &Command| {
            use Command::{SetCell, SetLayers, SetMaterial};
            command.moves_one_body() || matches!(command, SetMaterial { .. } | SetLayers { .. } | SetCell { .. })
        };
        if self.is_gas && command.as_ref().is_some_and(|command| !keeps_gas(command)) {
            report.add(entry, "", Fault::Command(CommandFault::ChangedGas));
        }
        let at = report.not_negative(entry, "at", at)?;
        match self.duration {
            Some(duration) if at > duration => {
                report.fail(entry, "at", Fault::Command(CommandFault::TooLate { at, duration }))
            }
            // An error in the duration is reported where the duration stands.
            None if at > DURATION_MAX => report.refuse(entry, "at", "an instant of the run, from 0 s to its duration"),
            _ => Some((at, command?)),
        }
    }

    fn spawn<'a>(
        &self,
        report: &mut Report<'a>,
        entry: Entry<'a>,
        (comes, text): (f64, &'a str),
        beside: &mut Beside,
    ) -> Option<Command> {
        let Site::Item(list, place) = entry.site else { unreachable!("commands stand in a list") };
        let entry = Entry { site: Site::Part(list, place, "body"), text };
        let named = body::lower(report, entry, &Surroundings { comes, ..*self.surroundings }, beside)?;
        if named.name.is_empty() {
            return report.fail(entry, "", Fault::MissingField { field: "name" });
        }
        Some(Command::Spawn(named))
    }

    /// Goes through the commands in the order of their times, with the bodies that exist then.
    fn check_order(&self, read: &[Read<'_>], report: &mut Report<'_>) {
        let mut cast = Cast::new(self.bodies, read);
        let mut order: Vec<&Read<'_>> = read.iter().collect();
        order.sort_by_key(|read| read.timed.at);
        for Read { entry, timed } in order {
            let outcome = match &timed.command {
                Command::Kick { body, offset, .. } => {
                    let turned = |()| if *offset == DVec3::ZERO { Ok(()) } else { cast.turns(body) };
                    cast.find(body).and_then(|motion| may_be_kicked(body, motion)).and_then(turned)
                }
                Command::SetSpin { body, .. } => cast.find(body).and_then(|_| cast.turns(body)),
                Command::SetVelocity { body, .. } => {
                    cast.find(body).and_then(|motion| may_be_moved(body, motion)).and_then(|()| cast.steers(body))
                }
                Command::SetPosition { body, .. } => cast.find(body).and_then(|motion| may_be_moved(body, motion)),
                Command::SetMaterial { body, .. } | Command::SetLayers { body, .. } => cast.find(body).map(|_| ()),
                Command::SetGravity { .. } => Ok(()),
                Command::Despawn { body } => cast.despawn(body, timed.at.seconds()),
                Command::Spawn(named) => cast.spawn(&named.name, entry),
                Command::SetCell { body, cell, .. } => cast.find(body).and_then(|_| cast.has_cell(body, *cell)),
            };
            if let Err(fault) = outcome {
                let path = if matches!(timed.command, Command::Spawn(_)) { "body.name" } else { "body" };
                let fault = if report.is_full() { fault } else { cast.with_guess(fault) };
                report.add(*entry, path, fault);
            }
        }
    }
}

fn may_be_kicked(body: &str, motion: Motion) -> Result<(), Fault> {
    match motion {
        Motion::Free(_) => Ok(()),
        other => Err(Fault::Command(CommandFault::NotFree { body: body.to_owned(), motion: word(other) })),
    }
}

fn may_be_moved(body: &str, motion: Motion) -> Result<(), Fault> {
    match motion {
        Motion::Free(_) | Motion::Kinematic => Ok(()),
        Motion::Fixed => Err(Fault::Command(CommandFault::Fixed { body: body.to_owned() })),
    }
}

fn word(motion: Motion) -> &'static str {
    match motion {
        Motion::Free(_) => "`Free`",
        Motion::Fixed => "`Fixed`",
        Motion::Kinematic => "`Kinematic`",
    }
}

/// Which bodies exist, and since when the others do not.
struct Cast<'a> {
    parts: BTreeMap<&'a str, Part>,
}

/// A body while the commands are gone through.
struct Part {
    motion: Motion,
    /// Whether a course determines its velocity.
    on_course: bool,
    /// Whether it is a free ball or disc.
    turns: bool,
    /// The size of a grid.
    size: Option<[u32; 3]>,
    /// The entry that has the name, such as `commands[3]`.
    owner: Option<String>,
    /// It does not exist before this time.
    comes: Option<f64>,
    /// It does not exist from this time on.
    gone: Option<f64>,
}

impl<'a> Cast<'a> {
    fn new(bodies: &'a [Named], read: &'a [Read<'_>]) -> Self {
        let size = |named: &Named| match &named.shape {
            Shape::Grid(grid) => Some(grid.size()),
            _ => None,
        };
        let part = |named: &Named, comes| {
            let (motion, on_course) = (named.motion, named.course.is_some());
            let turns = named.can_turn();
            Part { motion, on_course, turns, size: size(named), owner: None, comes, gone: None }
        };
        let spawns = read.iter().filter_map(|Read { timed, .. }| {
            let named = timed.command.spawned()?;
            Some((named.name.as_str(), part(named, Some(timed.at.seconds()))))
        });
        // If a name is given twice, that is reported when the second body comes.
        let mut parts: BTreeMap<&str, Part> = spawns.collect();
        if !read.is_empty() {
            parts.extend(bodies.iter().map(|named| (named.name.as_str(), part(named, None))));
        }
        Self { parts }
    }

    fn find(&self, name: &str) -> Result<Motion, Fault> {
        let body = || name.to_owned();
        match self.parts.get(name) {
            None => Err(Fault::UnknownBody { found: body(), nearest: None }),
            Some(Part { comes: Some(since), owner: None, .. }) => {
                Err(Fault::Command(CommandFault::NotYet { body: body(), since: *since }))
            }
            Some(Part { gone: Some(since), .. }) => {
                Err(Fault::Command(CommandFault::Gone { body: body(), since: *since }))
            }
            Some(part) => Ok(part.motion),
        }
    }

    /// Refuses a velocity for a body on a course.
    fn steers(&self, name: &str) -> Result<(), Fault> {
        let on_course = self.parts.get(name).is_some_and(|part| part.on_course);
        if on_course { Err(Fault::Command(CommandFault::OnCourse { body: name.to_owned() })) } else { Ok(()) }
    }

    /// Refuses a spin for a body that never turns.
    fn turns(&self, name: &str) -> Result<(), Fault> {
        let turns = self.parts.get(name).is_some_and(|part| part.turns);
        if turns { Ok(()) } else { Err(Fault::Command(CommandFault::NeverTurns { body: name.to_owned() })) }
    }

    /// Whether a body that exists is a grid with this cell.
    fn has_cell(&self, name: &str, cell: [u32; 3]) -> Result<(), Fault> {
        let body = name.to_owned();
        let fault = match self.parts.get(name).and_then(|part| part.size) {
            None => CommandFault::NotAGrid { body },
            Some(size) if (0..3).any(|axis| cell[axis] >= size[axis]) => CommandFault::NoSuchCell { body, cell, size },
            Some(_) => return Ok(()),
        };
        Err(Fault::Command(fault))
    }

    /// The fault with the most similar name. This takes a pass over all names.
    fn with_guess(&self, fault: Fault) -> Fault {
        match fault {
            Fault::UnknownBody { found, .. } => {
                let known = self.parts.keys().copied().take(NEAREST_MAX);
                let nearest = nearest(&found, known).map(str::to_owned);
                Fault::UnknownBody { found, nearest }
            }
            other => other,
        }
    }

    fn despawn(&mut self, name: &str, at: f64) -> Result<(), Fault> {
        self.find(name)?;
        self.parts.get_mut(name).into_iter().for_each(|part| part.gone = Some(at));
        Ok(())
    }

    fn spawn(&mut self, name: &str, entry: &Entry<'_>) -> Result<(), Fault> {
        let owner = match self.parts.get(name) {
            Some(Part { comes: None, .. }) => Some("a body of the beginning".to_owned()),
            Some(Part { owner, .. }) => owner.clone(),
            None => None,
        };
        match owner {
            Some(owner) => Err(Fault::NameTaken { name: name.to_owned(), owner }),
            None => {
                self.parts.get_mut(name).into_iter().for_each(|part| part.owner = Some(entry.field("")));
                Ok(())
            }
        }
    }
}
