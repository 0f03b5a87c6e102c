//! Carrying out commands, at the present or at their scheduled time.

use glam::DVec3;

use super::{Command, CommandError, RunError, SetupError, Timed, World};
use crate::dynamics::{self, Body, BodyId};

impl World {
    /// Whether there is such a body that was not removed.
    pub fn is_present(&self, id: BodyId) -> bool {
        self.stepper.is_present(id)
    }

    /// Gives a free body an impulse through its centre, N·s, at the present. The bodies that touch it wake.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is not free, or when it would become too fast.
    pub fn kick(&mut self, id: BodyId, impulse: DVec3) -> Result<(), CommandError> {
        self.stepper.kick(id, impulse).map_err(|error| self.refused(error, ""))
    }

    /// Gives a free or kinematic body another velocity, m/s, at the present; its spin stays. It pushes the bodies that it
    /// touches, and wakes them. The energy that a free body gets is work from outside.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let player = Body::cuboid(DVec3::splat(0.5), 1.0).unwrap().at(DVec3::Z * 0.5);
    /// let mut world = World::new(settings, [("player", player), ("floor", Body::plane(DVec3::Z, 0.0).unwrap())]).unwrap();
    /// world.step(1.0).unwrap();
    /// // It jumps 5 m high, and is there after a second.
    /// let id = world.id("player").unwrap();
    /// world.set_velocity(id, DVec3::Z * 10.0).unwrap();
    /// world.step(1.0).unwrap();
    /// assert!((world.position(id).z - 5.5).abs() < 1e-14);
    /// ```
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is fixed, or when the velocity is not finite or too fast.
    pub fn set_velocity(&mut self, id: BodyId, velocity: DVec3) -> Result<(), CommandError> {
        self.stepper.set_velocity(id, velocity).map_err(|error| self.refused(error, ""))
    }

    /// Adds a new body, at the present, as given. Its id is the next unused number; the ids of the
    /// others stay.
    ///
    /// # Errors
    /// [`CommandError`] when another body has or had its name, when the body is not valid, or when it overlaps a body
    /// with which it collides by more than rounding.
    pub fn spawn(&mut self, name: impl Into<String>, body: &Body) -> Result<BodyId, CommandError> {
        let name = name.into();
        if self.names.find(&name).is_some() {
            return Err(CommandError::NameTaken { name });
        }
        let id = self.stepper.spawn(body).map_err(|error| self.refused(error, &name))?;
        self.names.push(name);
        if self.awaited.remove(&id) {
            self.stepper.track(id);
        }
        Ok(id)
    }

    /// Removes a body, at the present. Bodies that touch it are released, bodies that rest on it wake,
    /// and bodies inside a sensor leave it. Its id and its name are never used again.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body.
    pub fn despawn(&mut self, id: BodyId) -> Result<(), CommandError> {
        self.stepper.despawn(id).map_err(|error| self.refused(error, ""))
    }

    /// Reverses all motion, at the present: every velocity and spin becomes its opposite.
    ///
    /// Motion without loss and friction, with or without gravity, then runs back on the same paths, as long as the
    /// rounding error is small. Each impact of two balls multiplies this error by the distance between impacts over a
    /// radius. A hundred balls or boxes in a chamber come back to within 1e-10 m after some five mean free times, and
    /// to within 1e-6 m after some ten; after twenty they are lost. Losses and friction are not undone: heat stays
    /// heat, a ball that lies on the floor stays there, and a body that slides reverses and slows down again. Contacts
    /// are determined anew at this instant.
    ///
    /// # Errors
    /// [`CommandError::NotFinite`] when a body has become too fast.
    pub fn reverse(&mut self) -> Result<(), CommandError> {
        self.stepper.reverse().map_err(|error| self.refused(error, ""))
    }

    /// Carries out a command at the present.
    ///
    /// # Errors
    /// [`CommandError`]; the world is then unchanged.
    pub fn carry_out(&mut self, command: &Command) -> Result<(), CommandError> {
        match command {
            Command::Kick { body, impulse } => self.kick(self.called(body)?, *impulse),
            Command::SetVelocity { body, velocity } => self.set_velocity(self.called(body)?, *velocity),
            Command::Spawn(named) => self.spawn(named.name.as_str(), &named.body).map(|_| ()),
            Command::Despawn { body } => self.despawn(self.called(body)?),
        }
    }

    /// Schedules a command for its time. It is carried out after all events of that instant and after the commands that
    /// were scheduled for it before.
    ///
    /// # Errors
    /// [`CommandError::Past`] when that instant is over. All other errors are found when its time has come:
    /// [`RunError::Command`].
    pub fn schedule(&mut self, timed: Timed) -> Result<(), CommandError> {
        if timed.at < self.now() {
            return Err(CommandError::Past { at: timed.at, now: self.now() });
        }
        let place = self.schedule.partition_point(|other| other.at <= timed.at).max(self.done);
        self.schedule.insert(place, timed);
        Ok(())
    }

    /// Schedules many commands like [`schedule`](Self::schedule), one after the other, in any order of their times.
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
        // The sort is stable: commands of one instant stay in the order in which they were scheduled.
        self.schedule[self.done..].sort_by_key(|timed| timed.at);
        Ok(())
    }

    /// All scheduled commands, in the order of their times: those that were carried out and those to come.
    pub fn scheduled(&self) -> &[Timed] {
        &self.schedule
    }

    /// The scheduled commands that were carried out.
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

    /// The error with names; `new` is the name of the body that would come next.
    fn refused(&self, error: dynamics::CommandError, new: &str) -> CommandError {
        let name = |id: BodyId| self.names.all().get(id.index()).map_or(new, String::as_str).to_owned();
        match error {
            dynamics::CommandError::NoSuchBody { body } if body.index() >= self.names.all().len() => {
                CommandError::NoSuchBody { body: format!("number {}", body.0) }
            }
            dynamics::CommandError::NoSuchBody { body } => CommandError::NoSuchBody { body: name(body) },
            dynamics::CommandError::NotFree { body } => CommandError::NotFree { body: name(body) },
            dynamics::CommandError::Fixed { body } => CommandError::Fixed { body: name(body) },
            dynamics::CommandError::NotFinite { body } => CommandError::NotFinite { body: name(body) },
            dynamics::CommandError::TooFast { body } => CommandError::TooFast { body: name(body) },
            dynamics::CommandError::Spawn(dynamics::SetupError::Overlap { a, depth, .. }) => {
                CommandError::Overlap { body: new.to_owned(), other: name(a), depth }
            }
            dynamics::CommandError::Spawn(error) => CommandError::Spawn(SetupError::named(error, name)),
        }
    }
}
