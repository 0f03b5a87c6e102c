//! Commands that change how one body moves: a kick, another velocity, another spin.

use glam::DVec3;

use super::{CommandError, redirect};
use crate::dynamics::BodyId;
use crate::dynamics::body::table::Mover;
use crate::dynamics::body::{is_too_fast, moderate};
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver::SolverBody;
use crate::dynamics::state::Stepper;
use crate::dynamics::time_stepping::membership::interrupt_near;
use crate::motion::Spin;

impl Stepper {
    /// Applies an impulse, N·s, to a free body. It acts at `offset` from the centre, m; elsewhere than at the centre of
    /// a ball only. It wakes the bodies in contact with it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is not free, when it would have to turn and cannot, or when
    /// it would become too fast.
    pub fn kick(&mut self, id: BodyId, impulse: DVec3, offset: DVec3) -> Result<(), CommandError> {
        self.command(|sim| kick(sim, id, impulse, offset))
    }

    /// Sets the spin of a free ball, rad/s; its velocity stays. It wakes the bodies in contact with it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is no free ball, or when the spin is not finite.
    pub fn set_spin(&mut self, id: BodyId, spin: DVec3) -> Result<(), CommandError> {
        self.command(|sim| {
            sim.scene.check_present(id)?;
            strike(sim, id, true, |member| (DVec3::ZERO, [member.linear, spin]))
        })
    }

    /// Sets the velocity of a free or kinematic body, m/s; its spin stays. It wakes the bodies in contact with it.
    ///
    /// # Errors
    /// [`CommandError`] when there is no such body, when it is fixed, or when the velocity is not finite or too fast.
    pub fn set_velocity(&mut self, id: BodyId, velocity: DVec3) -> Result<(), CommandError> {
        self.command(|sim| set_velocity(sim, id, velocity))
    }
}

fn kick(sim: &mut Simulation, id: BodyId, impulse: DVec3, offset: DVec3) -> Result<(), CommandError> {
    sim.scene.check_present(id)?;
    if !sim.scene.rows.is_free(id) {
        return Err(CommandError::NotFree { body: id });
    }
    let couple = offset.cross(impulse);
    strike(sim, id, offset != DVec3::ZERO, |member| {
        let linear = member.linear + impulse * member.inverse_mass;
        (impulse, [linear, member.angular + couple * member.inverse_inertia])
    })
}

/// Gives a body an impulse, and the velocity and spin after it, as computed from its motion at the present.
fn strike(
    sim: &mut Simulation,
    id: BodyId,
    turns: bool,
    struck: impl Fn(&SolverBody) -> (DVec3, [DVec3; 2]),
) -> Result<(), CommandError> {
    let member = sim.scene.member(id, sim.scene.now);
    if turns && member.inverse_inertia == 0.0 {
        return Err(CommandError::NeverTurns { body: id });
    }
    let [linear, angular] = struck(&member).1;
    sim.scene.check_velocity(id, linear)?;
    sim.scene.check_spin(id, angular)?;
    if sim.scene.is_time_stepped(id) {
        interrupt_near(sim, id)?;
    }
    let before = sim.scene.member(id, sim.scene.now);
    let (impulse, after) = struck(&before);
    let after = before.moving(after);
    sim.log.audit.work += impulse.dot((before.linear + after.linear) * 0.5);
    if turns {
        let turned = (after.angular - before.angular) / before.inverse_inertia;
        sim.log.audit.work += turned.dot((before.angular + after.angular) * 0.5);
    }
    sim.log.audit.impulse += impulse;
    redirect(sim, id, &after)
}

fn set_velocity(sim: &mut Simulation, id: BodyId, velocity: DVec3) -> Result<(), CommandError> {
    sim.scene.check_present(id)?;
    match sim.scene.rows.role(id).mover {
        Mover::Free => {
            let impulse = |member: &SolverBody| (velocity - member.linear) / member.inverse_mass;
            return strike(sim, id, false, |member| (impulse(member), [velocity, member.angular]));
        }
        Mover::Fixed => return Err(CommandError::Fixed { body: id }),
        Mover::Kinematic if sim.scene.rows.driven(id).is_some() => return Err(CommandError::OnCourse { body: id }),
        Mover::Kinematic => {}
    }
    sim.scene.check_velocity(id, velocity)?;
    sim.begin_path(id, velocity, DVec3::ZERO, Spin::default())?;
    interrupt_near(sim, id)?;
    for pair in sim.pairs_of(id) {
        sim.scene.disturb_contacts(pair);
    }
    sim.predict_with_neighbours(id);
    Ok(())
}

impl Scene {
    /// Refuses a velocity that a body cannot have.
    fn check_velocity(&self, id: BodyId, velocity: DVec3) -> Result<(), CommandError> {
        if !moderate(velocity) {
            return Err(CommandError::NotFinite { body: id });
        }
        if !self.settings.space.has(velocity) {
            return Err(CommandError::OffPlane { body: id });
        }
        if is_too_fast(self.rows.shape(id), velocity) {
            return Err(CommandError::TooFast { body: id });
        }
        Ok(())
    }

    /// Refuses a spin that a ball cannot have.
    fn check_spin(&self, id: BodyId, spin: DVec3) -> Result<(), CommandError> {
        if !moderate(spin) {
            return Err(CommandError::NotFinite { body: id });
        }
        let tilts = self.settings.space.is_planar && (spin.x != 0.0 || spin.y != 0.0);
        if tilts { Err(CommandError::OffPlane { body: id }) } else { Ok(()) }
    }
}
