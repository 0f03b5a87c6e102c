//! Commands as data, carried out at the present or at their scheduled time.

use super::{Command, CommandError, RunError, Timed, World};
use crate::dynamics::BodyId;

impl World {
    /// Carries out a command at the present.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Command, CommandError, Settings, World};
    ///
    /// let mut world = World::new(Settings::default(), [("ball", Body::sphere(0.5, 2.0).unwrap())]).unwrap();
    /// let kick = |body: &str| Command::kick(body, DVec3::X * 6.0);
    /// world.carry_out(&kick("ball")).unwrap();
    /// assert_eq!(world.state(world.id("ball").unwrap()).velocity, DVec3::X * 3.0);
    /// assert!(matches!(world.carry_out(&kick("box")), Err(CommandError::NoSuchBody { body }) if body == "box"));
    /// ```
    ///
    /// # Errors
    /// [`CommandError`]; the world is then unchanged.
    pub fn carry_out(&mut self, command: &Command) -> Result<(), CommandError> {
        match command {
            Command::Kick { body, impulse, offset } => self.kick_at(self.called(body)?, *impulse, *offset),
            Command::SetVelocity { body, velocity } => self.set_velocity(self.called(body)?, *velocity),
            Command::SetSpin { body, spin } => self.set_spin(self.called(body)?, *spin),
            Command::SetPosition { body, position } => self.set_position(self.called(body)?, *position),
            Command::SetMaterial { body, material } => self.set_material(self.called(body)?, *material),
            Command::SetLayers { body, layers, collides_with } => {
                self.set_layers(self.called(body)?, *layers, *collides_with)
            }
            Command::SetGravity { gravity } => self.set_gravity(*gravity),
            Command::Spawn(named) => self.spawn(named.name.as_str(), &named.body).map(|_| ()),
            Command::Despawn { body } => self.despawn(self.called(body)?),
            Command::SetCell { body, cell, solid } => self.set_cell(self.called(body)?, *cell, *solid),
        }
    }

    /// Schedules a command for its time. It is carried out after all events of that instant and after the commands that
    /// were scheduled for it before.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Command, CommandError, Settings, SimTime, Timed, World};
    ///
    /// let mut world = World::new(Settings::default(), [("ball", Body::sphere(0.5, 2.0).unwrap())]).unwrap();
    /// let command = Command::kick("ball", DVec3::X * 6.0);
    /// let kick = Timed { at: SimTime::from_seconds(1.0), command, origin: "the first kick".to_owned() };
    /// world.schedule(kick.clone()).unwrap();
    /// world.step(3.0).unwrap();
    /// // It moves for 2 s at 3 m/s.
    /// assert_eq!(world.position(world.id("ball").unwrap()), DVec3::X * 6.0);
    /// assert!(matches!(world.schedule(kick), Err(CommandError::Past { .. })));
    /// ```
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
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Command, Settings, SimTime, Timed, World};
    ///
    /// let mut world = World::new(Settings::default(), [("ball", Body::sphere(0.5, 1.0).unwrap())]).unwrap();
    /// let kick = |at: f64, impulse: DVec3| {
    ///     let command = Command::kick("ball", impulse);
    ///     Timed { at: SimTime::from_seconds(at), command, origin: String::new() }
    /// };
    /// world.schedule_all([kick(3.0, -DVec3::X), kick(1.0, DVec3::X), kick(9.0, DVec3::Y)]).unwrap();
    /// world.step(5.0).unwrap();
    /// // It moves from 1 s to 3 s.
    /// assert_eq!(world.position(world.id("ball").unwrap()), DVec3::X * 2.0);
    /// assert_eq!((world.carried_out().len(), world.scheduled().len()), (2, 3));
    /// ```
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
}
