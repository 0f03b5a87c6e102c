//! Carrying out commands, at the present or when their time has come.

use glam::DVec3;

use super::{Command, CommandError, Name, Position, RunError, SetupError, Spin, Timed, Velocity, World};
use crate::dynamics::{self, Body, BodyId};

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
