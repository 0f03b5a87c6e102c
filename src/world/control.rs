//! Commands at the present, a function for each.

use glam::DVec3;

use super::{CommandError, RunError, World};
use crate::dynamics::{self, Body, BodyId, Layers, MaterialId};

impl World {
    /// Whether there is such a body that was not removed.
    pub fn is_present(&self, id: BodyId) -> bool {
        self.stepper.is_present(id)
    }

    /// Gives a free body an impulse through its centre, N·s, at the present. The bodies that touch it wake.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let mut world = World::new(Settings::default(), [("ball", Body::sphere(0.5, 2.0).unwrap())]).unwrap();
    /// let ball = world.id("ball").unwrap();
    /// world.kick(ball, DVec3::X * 6.0).unwrap();
    /// assert_eq!(world.state(ball).velocity, DVec3::X * 3.0);
    /// world.step(2.0).unwrap();
    /// assert_eq!(world.position(ball), DVec3::X * 6.0);
    /// ```
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is not free, or when it would become too fast.
    #[doc(alias = "apply_impulse")]
    pub fn kick(&mut self, id: BodyId, impulse: DVec3) -> Result<(), CommandError> {
        self.kick_at(id, impulse, DVec3::ZERO)
    }

    /// Gives a free ball an impulse, N·s, that acts at `offset` from its centre, m, at the present: it changes the
    /// spin, too. The bodies that touch it wake.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Friction, Material, Restitution, Settings, World};
    ///
    /// // A billiard ball that the cue strikes 2/5 of its radius above its centre rolls at once (Coriolis, 1835).
    /// let mut settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let cloth = Material { friction: Friction::new(0.2).unwrap(), ..Restitution::new(0.0).unwrap().into() };
    /// let cloth = settings.materials.add(cloth);
    /// let ball = Body::sphere(0.5, 1.0).unwrap().at(DVec3::Z * 0.5).made_of(cloth);
    /// let table = Body::plane(DVec3::Z, 0.0).unwrap().made_of(cloth);
    /// let mut world = World::new(settings, [("ball", ball), ("table", table)]).unwrap();
    /// let ball = world.id("ball").unwrap();
    /// world.kick_at(ball, DVec3::X * 2.0, DVec3::Z * 0.2).unwrap();
    /// world.step(1.0).unwrap();
    /// let state = world.state(ball);
    /// assert!((state.velocity.x - 2.0).abs() < 1e-12 && (state.spin.y - 4.0).abs() < 1e-12);
    /// ```
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is not free, when it never turns, or when it would become
    /// too fast.
    #[doc(alias = "apply_impulse_at_point")]
    pub fn kick_at(&mut self, id: BodyId, impulse: DVec3, offset: DVec3) -> Result<(), CommandError> {
        self.stepper.kick(id, impulse, offset).map_err(|error| self.refused(error, ""))
    }

    /// Gives a free ball another spin, rad/s, at the present; its velocity stays. The bodies that touch it wake. The
    /// energy that it gets is work from outside.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it never turns, or when the spin is not finite.
    #[doc(alias = "set_angvel")]
    pub fn set_spin(&mut self, id: BodyId, spin: DVec3) -> Result<(), CommandError> {
        self.stepper.set_spin(id, spin).map_err(|error| self.refused(error, ""))
    }

    /// Gives a free or kinematic body another velocity, m/s, at the present; its spin stays. It pushes the bodies that
    /// it touches, and wakes them. The energy that a free body gets is work from outside.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let player = Body::cuboid(DVec3::splat(0.5), 1.0).unwrap().at(DVec3::Z * 0.5);
    /// let floor = Body::plane(DVec3::Z, 0.0).unwrap();
    /// let mut world = World::new(settings, [("player", player), ("floor", floor)]).unwrap();
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

    /// Puts a free or kinematic body at another position, m, at the present; its velocity and spin stay. Its contacts
    /// end, and bodies that rested on it fall. The difference of its potential energy is work from outside.
    ///
    /// For a body on a course it is the position without the displacement, that of [`body`](Self::body): the course
    /// goes on around it. So `set_position(id, position(id))` moves such a body by its present displacement.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, CommandError, Settings, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let mut world = World::new(Settings::default(), [("player", ball(0.0)), ("rock", ball(5.0))]).unwrap();
    /// let player = world.id("player").unwrap();
    /// world.set_position(player, DVec3::X * 4.0).unwrap();
    /// let inside = world.set_position(player, DVec3::X * 4.5);
    /// assert!(matches!(inside, Err(CommandError::Overlap { depth: 0.5, .. })));
    /// assert_eq!(world.position(player), DVec3::X * 4.0);
    /// ```
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is fixed, when the position is not finite or too large, or
    /// when the body would overlap by more than rounding a body with which it collides.
    pub fn set_position(&mut self, id: BodyId, position: DVec3) -> Result<(), CommandError> {
        self.stepper.set_position(id, position).map_err(|error| self.refused(error, ""))
    }

    /// Makes a body one of another material, at the present. Its contacts end and begin again, and if it is inside of a
    /// sensor, it leaves and enters it at this instant.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, or no such material in the settings.
    pub fn set_material(&mut self, id: BodyId, material: MaterialId) -> Result<(), CommandError> {
        self.stepper.set_material(id, material).map_err(|error| self.refused(error, ""))
    }

    /// Puts a body into other layers, and lets it collide with others than before, at the present. Its contacts end,
    /// and those that are left begin again; and if it is inside of a sensor, it leaves it, and enters it again if they
    /// still interact.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, or when it overlaps by more than rounding a body with which it
    /// would collide then.
    pub fn set_layers(&mut self, id: BodyId, layers: Layers, collides_with: Layers) -> Result<(), CommandError> {
        self.stepper.set_layers(id, layers, collides_with).map_err(|error| self.refused(error, ""))
    }

    /// Makes a cell of a grid solid or empty, at the present. What rests on a cell that is taken away falls, and what
    /// flies meets a new one; all other bodies on the grid go on undisturbed.
    ///
    /// ```
    /// use carom::geometry::Grid;
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let level = Body::grid(Grid::tiles(DVec3::ONE, &["...", "###"]).unwrap());
    /// let hero = Body::cuboid(DVec3::splat(0.5), 1.0).unwrap().at(DVec3::new(1.5, 0.5, 1.5));
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let mut world = World::new(settings, [("level", level), ("hero", hero)]).unwrap();
    /// let (level, hero) = (world.id("level").unwrap(), world.id("hero").unwrap());
    /// world.step(1.0).unwrap();
    /// assert_eq!(world.position(hero).z, 1.5);
    /// // A hole exactly as wide as it: it falls.
    /// world.set_cell(level, [1, 0, 0], false).unwrap();
    /// world.step(1.0).unwrap();
    /// assert_eq!(world.position(hero).z, -3.5);
    /// // No cell is where the hero is.
    /// assert!(world.set_cell(level, [1, 0, 0], true).is_ok());
    /// ```
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is no grid, when it has no such cell, or when a body would
    /// overlap the new solid cell by more than rounding.
    pub fn set_cell(&mut self, id: BodyId, cell: [u32; 3], solid: bool) -> Result<(), CommandError> {
        self.stepper.set_cell(id, cell, solid).map_err(|error| self.refused(error, ""))
    }

    /// Changes gravity, m/s², at the present. What rests or sleeps is computed again. The difference of the potential
    /// energies is work from outside.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let ball = Body::sphere(0.5, 1.0).unwrap().at(DVec3::Z * 0.5);
    /// let mut world = World::new(settings, [("ball", ball), ("floor", Body::plane(DVec3::Z, 0.0).unwrap())]).unwrap();
    /// world.step(1.0).unwrap();
    /// // It falls upwards, 5 m in a second.
    /// world.set_gravity(DVec3::Z * 10.0).unwrap();
    /// world.step(1.0).unwrap();
    /// assert_eq!(world.position(world.id("ball").unwrap()).z, 5.5);
    /// ```
    ///
    /// # Errors
    /// [`CommandError::Gravity`] when it is not finite, or larger than 1e70.
    pub fn set_gravity(&mut self, gravity: DVec3) -> Result<(), CommandError> {
        self.stepper.set_gravity(gravity).map_err(|error| self.refused(error, ""))
    }

    /// Adds a new body, at the present, as given. Its id is the next unused number; the ids of the others stay. After
    /// [`restore`](Self::restore) the ids and names of bodies that came later are used again for others: drop such ids.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, CommandError, Settings, World};
    ///
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let mut world = World::new(settings, [("floor", Body::plane(DVec3::Z, 0.0).unwrap())]).unwrap();
    /// world.step(3.0).unwrap();
    /// let ball = Body::sphere(0.5, 1.0).unwrap().at(DVec3::Z * 8.0);
    /// let id = world.spawn("ball", &ball).unwrap();
    /// world.step(1.0).unwrap();
    /// assert_eq!(world.position(id), DVec3::Z * 3.0);
    /// assert!(matches!(world.spawn("ball", &ball), Err(CommandError::NameTaken { .. })));
    /// ```
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
    /// and bodies inside a sensor leave it. Its id and its name are never used again, but by a world that goes back to
    /// before it came.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let block = Body::cuboid(DVec3::splat(0.5), 1.0).unwrap().at(DVec3::Z * 5.5);
    /// let table = Body::plane(DVec3::Z, 5.0).unwrap();
    /// let mut world = World::new(settings, [("block", block), ("table", table)]).unwrap();
    /// world.step(1.0).unwrap();
    /// let table = world.id("table").unwrap();
    /// world.despawn(table).unwrap();
    /// assert!(!world.is_present(table) && world.count() == 1);
    /// // The block falls 5 m in a second.
    /// world.step(1.0).unwrap();
    /// assert_eq!(world.position(world.id("block").unwrap()).z, 0.5);
    /// ```
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body.
    #[doc(alias = "remove")]
    pub fn despawn(&mut self, id: BodyId) -> Result<(), CommandError> {
        let is_tracked = self.stepper.is_tracked(id);
        self.stepper.despawn(id).map_err(|error| self.refused(error, ""))?;
        // A world that goes back has it again.
        self.awaited.extend(is_tracked.then_some(id));
        Ok(())
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
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let ball = |x: f64| Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * x);
    /// let bodies = [("cue", ball(0.0).moving(DVec3::X)), ("eight", ball(2.0))];
    /// let mut world = World::new(Settings::default(), bodies).unwrap();
    /// world.step(3.0).unwrap();
    /// assert_eq!(world.position(world.id("eight").unwrap()).x, 4.0);
    /// world.reverse().unwrap();
    /// world.step(3.0).unwrap();
    /// let cue = world.state(world.id("cue").unwrap());
    /// assert_eq!((cue.position, cue.velocity), (DVec3::ZERO, -DVec3::X));
    /// ```
    ///
    /// # Errors
    /// [`CommandError::NotFinite`] when a body has become too fast.
    pub fn reverse(&mut self) -> Result<(), CommandError> {
        self.stepper.reverse().map_err(|error| self.refused(error, ""))
    }

    /// The error with names.
    pub(super) fn stopped(&self, error: dynamics::RunError) -> RunError {
        RunError::named(error, |id| self.names.of(id).to_owned())
    }

    /// The error with names; `new` is the name of the body that would come next.
    fn refused(&self, error: dynamics::CommandError, new: &str) -> CommandError {
        let name = |id: BodyId| self.names.all().get(id.index()).map_or(new, String::as_str).to_owned();
        CommandError::named(error, self.names.all().len(), name)
    }
}
