//! Commands for a time to come that could not be carried out then, whatever happens until then.

use carom::dynamics::{Body, Motion};
use carom::geometry::Shape;
use carom::glam::DVec3;
use carom::motion::SimTime;
use carom::world::{Command, CommandError, Timed, World};

use crate::body::known;

/// Refuses a command that is to be scheduled and would end the run: one about a body that neither is there nor comes,
/// one that a body of its kind does not take, or one with numbers that are not finite.
pub(crate) fn foresee(timed: &Timed, world: &World) -> Result<(), CommandError> {
    let Timed { at, command, .. } = timed;
    match command {
        Command::Kick { body, impulse, offset } => {
            let kicked = named(body, *at, world)?;
            match (kicked.is_free(), *offset == DVec3::ZERO || kicked.can_turn()) {
                (false, _) => Err(CommandError::NotFree { body: body.clone() }),
                (true, false) => Err(CommandError::NeverTurns { body: body.clone() }),
                (true, true) => finite(body, *impulse).and_then(|()| finite(body, *offset)),
            }
        }
        Command::SetSpin { body, spin } => {
            let turns = named(body, *at, world)?.can_turn();
            if turns { finite(body, *spin) } else { Err(CommandError::NeverTurns { body: body.clone() }) }
        }
        Command::SetVelocity { body, velocity: vector } | Command::SetPosition { body, position: vector } => {
            match named(body, *at, world)?.motion {
                Motion::Fixed => Err(CommandError::Fixed { body: body.clone() }),
                _ => finite(body, *vector),
            }
        }
        Command::SetMaterial { body, .. } | Command::SetLayers { body, .. } | Command::Despawn { body } => {
            named(body, *at, world).map(|_| ())
        }
        Command::SetCell { body, cell, .. } => match named(body, *at, world)?.shape {
            Shape::Grid(grid) if cell.iter().zip(grid.size()).all(|(cell, size)| *cell < size) => Ok(()),
            Shape::Grid(grid) => Err(CommandError::NoSuchCell { body: body.clone(), cell: *cell, size: grid.size() }),
            _ => Err(CommandError::NotAGrid { body: body.clone() }),
        },
        Command::SetGravity { gravity } if gravity.is_finite() => Ok(()),
        Command::SetGravity { .. } => Err(CommandError::Gravity),
        Command::Spawn(new) if known(world, &new.name).is_some() || comes(&new.name, None, world).is_some() => {
            Err(CommandError::NameTaken { name: new.name.clone() })
        }
        _ => Ok(()),
    }
}

/// A body, if it will be there at this time.
fn named(name: &str, at: SimTime, world: &World) -> Result<Body, CommandError> {
    let goes = to_come(Some(at), world).any(|command| matches!(command, Command::Despawn { body } if body == name));
    let is_there = world.id(name).map(|id| world.body(id));
    let found = is_there.or_else(|| comes(name, Some(at), world)).filter(|_| !goes);
    found.ok_or_else(|| CommandError::NoSuchBody { body: name.to_owned() })
}

/// A body that a scheduled command brings until a time, or ever.
fn comes(name: &str, at: Option<SimTime>, world: &World) -> Option<Body> {
    to_come(at, world).find_map(|command| match command {
        Command::Spawn(new) if new.name == name => Some(new.body.clone()),
        _ => None,
    })
}

/// The scheduled commands that are still to come until a time, or all.
fn to_come(at: Option<SimTime>, world: &World) -> impl Iterator<Item = &Command> {
    let left = &world.scheduled()[world.carried_out().len()..];
    left.iter().filter(move |timed| at.is_none_or(|at| timed.at <= at)).map(|timed| &timed.command)
}

fn finite(body: &str, vector: DVec3) -> Result<(), CommandError> {
    if vector.is_finite() { Ok(()) } else { Err(CommandError::NotFinite { body: body.to_owned() }) }
}
