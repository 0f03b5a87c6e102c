//! `carom query --slide`: where a ball or a box comes to that slides along what blocks it.

use crate::cli::arguments::QueryArguments;
use crate::dynamics::BodyId;
use crate::dynamics::query::{SlideOptions, SlideShape};
use crate::numeric::shown;
use crate::record::{HitRow, SlideEnd};
use crate::world::{Filter, World};
use glam::DVec3;

/// The end of the slide that was asked for, or what is wrong with the question. What it met is added to the rows.
pub(super) fn ended(
    arguments: &QueryArguments,
    world: &World,
    filter: &Filter<'_>,
    query: usize,
    rows: &mut Vec<HitRow>,
) -> Result<Option<SlideEnd>, String> {
    let Some((motion, from)) = arguments.slide.as_ref().zip(arguments.from.as_ref()) else { return Ok(None) };
    let shape = match (arguments.radius, arguments.half_extents) {
        (Some(radius), _) => SlideShape::Ball(radius),
        (_, Some(half)) => SlideShape::Box(half),
        _ => return Err("a slide needs a shape: give `--radius` or `--half-extents`".to_owned()),
    };
    let up = arguments.up.as_ref().map_or(DVec3::Z, |up| up.vector(0));
    let one_way = one_way(arguments, world, up)?;
    let options = SlideOptions {
        up,
        slope_max: arguments.slope_max,
        walking: arguments.walking,
        step: arguments.step,
        snap: arguments.snap,
        one_way: &one_way,
    };
    let [from, motion] = [from, motion].map(|numbers| numbers.vector(0));
    let slide = world.slide(shape, from, motion, arguments.duration, filter, &options).map_err(|inside| {
        let (name, depth) = (world.name(inside.body), shown(inside.depth));
        let places = [from, from + inside.out].map(|place| vector(place.to_array()));
        format!("at {} the shape overlaps `{name}` by {depth} m; begin at {}", places[0], places[1])
    })?;
    rows.extend(slide.hits.iter().map(|hit| HitRow::of_sweep(query, hit)));
    Ok(Some(SlideEnd::of(query, &slide)))
}

/// The bodies that are met from above only.
fn one_way(arguments: &QueryArguments, world: &World, up: DVec3) -> Result<Vec<(BodyId, DVec3)>, String> {
    let mut found = Vec::new();
    for path in &arguments.one_way {
        let before = found.len();
        found.extend(world.under(path).map(|id| (id, up)));
        if found.len() == before {
            return Err(format!("there is no body `{path}`, nor one below that path"));
        }
    }
    Ok(found)
}

/// The end in words.
pub(super) fn told(slide: &SlideEnd) -> String {
    let touched = [("floor", &slide.floor), ("wall", &slide.wall), ("ceiling", &slide.ceiling)];
    let touched = touched.into_iter().filter_map(|(what, body)| Some(format!("\n{what} {}", body.as_ref()?)));
    let [to, left, onward] = [slide.to, slide.left, slide.onward].map(vector);
    let stuck = if slide.is_stuck { "\nstuck" } else { "" };
    format!("to {to}\nleft {left}\nonward {onward}{}{stuck}", touched.collect::<String>())
}

/// A number as text, without the sign of a zero.
pub(super) fn number(value: f64) -> String {
    shown(value + 0.0)
}

/// A vector as text.
pub(super) fn vector(vector: [f64; 3]) -> String {
    let [x, y, z] = vector.map(number);
    format!("({x}, {y}, {z})")
}
