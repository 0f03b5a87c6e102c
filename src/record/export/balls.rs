//! The balls of an export whose format has nothing else.

use super::error::ExportError;
use super::roster::{Member, Roster};
use crate::geometry::Shape;
use crate::scenario::shape_noun;
use crate::world::World;

/// A ball at an instant.
pub(super) struct Ball<'a> {
    pub(super) member: &'a Member,
    /// m.
    pub(super) radius: f64,
}

/// The radii of all bodies but sensors, m.
///
/// # Errors
/// [`ExportError`] if one of them is no ball, or if there are none.
pub(super) fn radii(roster: &Roster) -> Result<Vec<f64>, ExportError> {
    let solids = roster.members.iter().filter(|member| !member.is_sensor);
    let radii = solids.map(|member| match &member.shape {
        Shape::Sphere(radius) => Ok(radius.get()),
        shape => Err(ExportError::NotABall { body: member.name.clone(), found: shape_noun(shape) }),
    });
    let radii: Vec<f64> = radii.collect::<Result<_, _>>()?;
    if radii.is_empty() { Err(ExportError::NoBodies) } else { Ok(radii) }
}

/// Checks that all bodies but sensors are balls with a mass.
pub(super) fn free(roster: &Roster) -> Result<(), ExportError> {
    radii(roster)?;
    let fixed = roster.members.iter().find(|member| !member.is_sensor && member.mass.is_none());
    fixed.map_or(Ok(()), |member| {
        Err(ExportError::NotABall { body: member.name.clone(), found: "a ball without a mass" })
    })
}

/// The balls that are there now.
pub(super) fn present<'a>(world: &World, roster: &'a Roster) -> impl Iterator<Item = Ball<'a>> {
    roster.members.iter().filter(|member| !member.is_sensor && world.is_present(member.id)).filter_map(|member| {
        let Shape::Sphere(radius) = member.shape else { return None };
        Some(Ball { member, radius: radius.get() })
    })
}
