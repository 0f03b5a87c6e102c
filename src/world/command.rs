//! Commands: kicks, other velocities, bodies that come and go, at the present or at an exact time to come.
//!
//! A command takes effect at an instant, between the events of that instant and what comes of it. One that is scheduled is
//! carried out by [`advance`](World::advance) at its very time, whatever the timestep is. Commands have no events of their own.

use glam::DVec3;
use thiserror::Error;

use super::{Name, Named, Position, RunError, SetupError, Spin, Velocity, World};
use crate::dynamics::{self, Body, BodyId};
use crate::motion::SimTime;
use crate::numeric::shown;

/// Something to be done to a world.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Gives a free body an impulse through its centre.
    Kick {
        /// Its name.
        body: String,
        /// N·s.
        impulse: DVec3,
    },
    /// Gives a kinematic body another velocity.
    SetVelocity {
        /// Its name.
        body: String,
        /// m/s.
        velocity: DVec3,
    },
    /// A new body, where and as it is given.
    Spawn(Named),
    /// Takes a body out.
    Despawn {
        /// Its name.
        body: String,
    },
}

/// A command with its time.
#[derive(Debug, Clone, PartialEq)]
pub struct Timed {
    /// When.
    pub at: SimTime,
    /// What.
    pub command: Command,
    /// Where it was given, for the message if it cannot be carried out: such as `scene.ron:12:9: commands[3]`.
    pub origin: String,
}

/// A command that cannot be carried out. The world is as it was.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum CommandError {
    /// There never was such a body, or it was taken out.
    #[error("there is no body `{body}`, or not any more")]
    NoSuchBody { body: String },
    /// A kick of a body that no impulse moves.
    #[error("`{body}` is not free, so no impulse moves it: only a free body can be kicked")]
    NotFree { body: String },
    /// A velocity for a body whose velocity is not its own.
    #[error("`{body}` is not kinematic, so its velocity cannot be set: a free body can be kicked")]
    NotKinematic { body: String },
    /// A velocity that is not finite, or too large to be squared.
    #[error("the velocity of `{body}` would not be finite, or larger than 1e70")]
    NotFinite { body: String },
    /// A velocity at which a body might pass what it meets.
    #[error("`{body}` would be too fast for its size: it would go more than 2^60 of its half widths in a second")]
    TooFast { body: String },
    /// A name that another body has or had.
    #[error("the name `{name}` is taken, now or earlier in the run: give each new body a name of its own")]
    NameTaken { name: String },
    /// A new body that overlaps another one.
    #[error(
        "`{body}` would overlap `{other}` by {} m: place it elsewhere, or let it come when there is room", shown(*depth)
    )]
    Overlap { body: String, other: String, depth: f64 },
    /// A new body that cannot be.
    #[error(transparent)]
    Spawn(SetupError),
    /// A command for an instant that is over.
    #[error("a command for {at} s comes too late: it is {now} s already")]
    Past { at: SimTime, now: SimTime },
}

impl World {
    /// Whether there is such a body, and it was not taken out.
    pub fn is_present(&self, id: BodyId) -> bool {
        self.stepper.is_present(id)
    }

    /// Gives a free body an impulse through its centre, N·s, at the present. It wakes what touches it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is not free, or when it would become too fast.
    pub fn kick(&mut self, id: BodyId, impulse: DVec3) -> Result<(), CommandError> {
        self.stepper.kick(id, impulse).map_err(|error| self.refused(error, ""))
    }

    /// Gives a kinematic body another velocity, m/s, at the present. It pushes what it touches, and wakes it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is not kinematic, or when the velocity is not finite.
    pub fn set_velocity(&mut self, id: BodyId, velocity: DVec3) -> Result<(), CommandError> {
        self.stepper.set_velocity(id, velocity).map_err(|error| self.refused(error, ""))
    }

    /// A new body with its entity, at the present, where and as it is given. Its id is the next number after all there were;
    /// the ids of the others stay.
    ///
    /// # Errors
    /// [`CommandError`] when another body has or had its name, when it cannot be, or when it overlaps by more than rounding
    /// one with which it collides.
    pub fn spawn(&mut self, name: impl Into<String>, body: &Body) -> Result<BodyId, CommandError> {
        let name = name.into();
        if self.names.find(&name).is_some() {
            return Err(CommandError::NameTaken { name });
        }
        let id = self.stepper.spawn(body).map_err(|error| self.refused(error, &name))?;
        let components = (Position(body.position), Velocity(body.velocity), Spin(self.stepper.state(id).spin));
        self.entities.push(self.ecs.spawn((Name(name.clone()), id, components.0, components.1, components.2)));
        self.names.push(name);
        if self.awaited.remove(&id) {
            self.stepper.track(id);
        }
        Ok(id)
    }

    /// Takes a body and its entity out, at the present. What touches it is released, what rests on it wakes, and what is
    /// inside a sensor leaves it. Its id and its name are never given again.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body.
    pub fn despawn(&mut self, id: BodyId) -> Result<(), CommandError> {
        self.stepper.despawn(id).map_err(|error| self.refused(error, ""))?;
        // A user may have despawned the entity already.
        let _ = self.ecs.despawn(self.entities[id.index()]);
        Ok(())
    }

    /// Turns all motion round, at the present: every velocity and spin becomes its opposite.
    ///
    /// What moves without loss and friction, gravity or not, then runs back the way it came, as long as rounding has not grown
    /// large. Each impact of two balls multiplies it by the way between impacts over a radius: a hundred balls or boxes in a
    /// chamber find back to 1e-10 m after some five mean free times, to 1e-6 m after some ten, and are lost after twenty.
    /// What losses and friction have done is not undone: heat stays heat, a ball that lies on the floor goes on lying there,
    /// what slides slides the other way and slows down again. Contacts are looked at anew at this instant.
    ///
    /// # Errors
    /// [`CommandError::NotFinite`] when a body has become too fast.
    pub fn reverse(&mut self) -> Result<(), CommandError> {
        self.stepper.reverse().map_err(|error| self.refused(error, ""))
    }

    /// Carries out a command at the present.
    ///
    /// # Errors
    /// [`CommandError`]; the world is as it was.
    pub fn carry_out(&mut self, command: &Command) -> Result<(), CommandError> {
        match command {
            Command::Kick { body, impulse } => self.kick(self.called(body)?, *impulse),
            Command::SetVelocity { body, velocity } => self.set_velocity(self.called(body)?, *velocity),
            Command::Spawn(named) => self.spawn(named.name.as_str(), &named.body).map(|_| ()),
            Command::Despawn { body } => self.despawn(self.called(body)?),
        }
    }

    /// Has a command carried out at its time, after all events of that instant and after the commands that were scheduled
    /// for it before.
    ///
    /// # Errors
    /// [`CommandError::Past`] when that instant is over. Whatever else is wrong is found when its time has come:
    /// [`RunError::Command`].
    pub fn schedule(&mut self, timed: Timed) -> Result<(), CommandError> {
        if timed.at < self.now() {
            return Err(CommandError::Past { at: timed.at, now: self.now() });
        }
        let place = self.schedule.partition_point(|other| other.at <= timed.at).max(self.done);
        self.schedule.insert(place, timed);
        Ok(())
    }

    /// Schedules many commands as [`schedule`](Self::schedule) does one after the other, in any order of their times.
    ///
    /// # Errors
    /// [`CommandError::Past`] when the instant of one is over; then none of them is scheduled.
    pub fn schedule_all(&mut self, commands: impl IntoIterator<Item = Timed>) -> Result<(), CommandError> {
        let count = self.schedule.len();
        self.schedule.extend(commands);
        if let Some(late) = self.schedule[count..].iter().find(|timed| timed.at < self.now()) {
            let error = CommandError::Past { at: late.at, now: self.now() };
            self.schedule.truncate(count);
            return Err(error);
        }
        // A stable sort: those of one instant stay in the order in which they were scheduled.
        self.schedule[self.done..].sort_by_key(|timed| timed.at);
        Ok(())
    }

    /// All commands that were scheduled, in the order of their times: those that were carried out and those to come.
    pub fn scheduled(&self) -> &[Timed] {
        &self.schedule
    }

    /// Those of the scheduled commands that were carried out.
    pub fn carried_out(&self) -> &[Timed] {
        &self.schedule[..self.done]
    }

    /// Carries out the next of the scheduled commands.
    pub(super) fn carry_out_next(&mut self) -> Result<(), RunError> {
        let Timed { at, command, origin } = self.schedule[self.done].clone();
        self.carry_out(&command).map_err(|error| RunError::Command { at, origin, error: Box::new(error) })?;
        self.done += 1;
        Ok(())
    }

    fn called(&self, name: &str) -> Result<BodyId, CommandError> {
        self.id(name).ok_or_else(|| CommandError::NoSuchBody { body: name.to_owned() })
    }

    /// The error with names; `new` is that of a body that would be the next.
    fn refused(&self, error: dynamics::CommandError, new: &str) -> CommandError {
        let name = |id: BodyId| self.names.all().get(id.index()).map_or(new, String::as_str).to_owned();
        match error {
            dynamics::CommandError::NoSuchBody { body } if body.index() >= self.names.all().len() => {
                CommandError::NoSuchBody { body: format!("number {}", body.0) }
            }
            dynamics::CommandError::NoSuchBody { body } => CommandError::NoSuchBody { body: name(body) },
            dynamics::CommandError::NotFree { body } => CommandError::NotFree { body: name(body) },
            dynamics::CommandError::NotKinematic { body } => CommandError::NotKinematic { body: name(body) },
            dynamics::CommandError::NotFinite { body } => CommandError::NotFinite { body: name(body) },
            dynamics::CommandError::TooFast { body } => CommandError::TooFast { body: name(body) },
            dynamics::CommandError::Spawn(dynamics::SetupError::Overlap { a, depth, .. }) => {
                CommandError::Overlap { body: new.to_owned(), other: name(a), depth }
            }
            dynamics::CommandError::Spawn(error) => CommandError::Spawn(SetupError::named(error, name)),
        }
    }
}
