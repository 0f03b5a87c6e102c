//! `carom query`: the bodies at places in a scenario, at one instant.

mod slide;

use std::path::Path;

use super::check::{Loaded, load};
use crate::cli::arguments::QueryArguments;
use crate::cli::exit::{Exit, bad, hand_over, invalid, say, show_plain, warn};
use crate::cli::progress::Progress;
use crate::cli::terminal::Look;
use crate::cli::terminal::columns;
use crate::dynamics::{EventKind, Layers};
use crate::geometry::{Aabb, Polytope, Ray};
use crate::motion::SimTime;
use crate::numeric::shown;
use crate::record::{HitRow, RunProgress, SlideEnd, hits_as_json};
use crate::scenario::{Scenario, read_region};
use crate::world::{Filter, World};

/// Events between two updates of the progress; they are not kept.
const EVENTS_MAX: usize = 1 << 12;

pub(crate) fn command(arguments: &QueryArguments) -> Result<Exit, Exit> {
    let (rows, slide) = rows(arguments)?;
    if arguments.json {
        hand_over(&hits_as_json(arguments.at, &rows, slide.as_ref()))?;
    } else {
        say(&table(&rows))?;
        slide.iter().try_for_each(|slide| say(&slide::told(slide)))?;
    }
    Ok(Exit::Success)
}

fn rows(arguments: &QueryArguments) -> Result<(Vec<HitRow>, Option<SlideEnd>), Exit> {
    let regions: Vec<Vec<Polytope>> = arguments.polytope.iter().map(|file| region(file)).collect::<Result<_, _>>()?;
    let Loaded { parsed, mut world, .. } = load(&arguments.file, &arguments.set, false)?;
    let filter = filter(arguments, &parsed.scenario, &world)?;
    let end = parsed.scenario.duration;
    if arguments.at > end {
        let [at, end] = [arguments.at, end].map(shown);
        warn(&format!("--at {at} is after the end of the scenario at {end} s; the bodies move on until then"));
    }
    advance(&mut world, arguments.at)?;
    let mut asked = 0..;
    let mut rows = Vec::new();
    for numbers in &arguments.ray {
        let ray = Ray { origin: numbers.vector(0), direction: numbers.vector(3) };
        rows.extend(along(arguments, &world, &ray, &filter, next(&mut asked)));
    }
    for numbers in &arguments.nearest {
        let hit = world.closest_point(numbers.vector(0), arguments.within, &filter);
        let query = next(&mut asked);
        rows.extend(hit.map(|hit| HitRow::of_nearest(query, &hit)));
    }
    for numbers in &arguments.r#box {
        let corners = [numbers.vector(0), numbers.vector(3)];
        let bounds = Aabb { min: corners[0].min(corners[1]), max: corners[0].max(corners[1]) };
        let query = next(&mut asked);
        rows.extend(world.overlapping(&bounds, &filter).iter().map(|hit| HitRow::of_region(query, hit)));
    }
    for parts in &regions {
        rows.extend(in_parts(&world, parts, &filter, next(&mut asked)));
    }
    let slide = slide::ended(arguments, &world, &filter, next(&mut asked), &mut rows).map_err(|words| bad(&words))?;
    Ok((rows, slide))
}

/// The number of the next query, from 1.
fn next(asked: &mut impl Iterator<Item = usize>) -> usize {
    1 + asked.next().unwrap_or_default()
}

/// The hits of a ray, or of a ball or a box with its centre on the ray.
fn along(arguments: &QueryArguments, world: &World, ray: &Ray, filter: &Filter<'_>, query: usize) -> Vec<HitRow> {
    let until = arguments.until;
    let swept = if let Some(radius) = arguments.radius {
        world.cast_sphere(radius, ray, until, filter)
    } else if let Some(half_extents) = arguments.half_extents {
        world.cast_box(half_extents, ray, until, filter)
    } else if arguments.all {
        let hits = world.cast_ray_all(ray, until, filter);
        return hits.iter().map(|hit| HitRow::of_ray(query, hit)).collect();
    } else {
        let hit = world.cast_ray(ray, until, filter);
        return hit.iter().map(|hit| HitRow::of_ray(query, hit)).collect();
    };
    swept.iter().map(|hit| HitRow::of_sweep(query, hit)).collect()
}

/// The bodies in a region of several convex parts, in the order of their names. A body in several parts is listed once,
/// and counts as inside if it is inside one of them.
fn in_parts(world: &World, parts: &[Polytope], filter: &Filter<'_>, query: usize) -> Vec<HitRow> {
    let hits = parts.iter().flat_map(|part| world.inside(part, filter));
    let mut rows: Vec<HitRow> = hits.map(|hit| HitRow::of_region(query, &hit)).collect();
    // `inside` sorts after `cut`.
    rows.sort_by(|x, y| x.body.cmp(&y.body).then(y.relation.cmp(&x.relation)));
    rows.dedup_by(|later, earlier| later.body == earlier.body);
    rows
}

fn region(file: &Path) -> Result<Vec<Polytope>, Exit> {
    let source = super::check::read(file)?;
    read_region(&source).map_err(|error| invalid(&*error))
}

/// Runs the scenario up to the instant of the query.
fn advance(world: &mut World, at: f64) -> Result<(), Exit> {
    let target = SimTime::from_seconds(at);
    let progress = Progress::new("query", false);
    let mut impacts = 0;
    while world.now() < target {
        world.advance(target, EVENTS_MAX).map_err(|error| {
            show_plain(&error);
            Exit::Unmet
        })?;
        impacts += world.take_events().iter().filter(|event| event.kind == EventKind::Impact).count() as u64;
        progress.show(RunProgress { time: world.now().seconds(), duration: at, impacts });
    }
    progress.finish();
    Ok(())
}

fn filter<'a>(arguments: &'a QueryArguments, scenario: &Scenario, world: &World) -> Result<Filter<'a>, Exit> {
    let mut filter = Filter { sensors: arguments.sensors, ..Filter::ALL };
    if !arguments.layers.is_empty() {
        filter.layers = Layers::NONE;
    }
    for name in &arguments.layers {
        let Some(layer) = scenario.layers.find(name) else {
            let nearest = scenario.layers.nearest(name).map(|near| format!("; did you mean `{near}`?"));
            return Err(bad(&format!("the scenario has no layer `{name}`{}", nearest.unwrap_or_default())));
        };
        filter.layers = filter.layers.and(layer);
    }
    if let Some(path) = &arguments.without {
        if world.under(path).next().is_none() {
            return Err(bad(&format!("there is no body `{path}`, nor one below that path")));
        }
        filter.without = Some(path);
    }
    Ok(filter)
}

/// The rows in columns, or line by line where those are too wide.
fn table(rows: &[HitRow]) -> String {
    if rows.is_empty() {
        return "nothing".to_owned();
    }
    let heading = ["query", "body", "primitive", "t", "separation", "relation", "point", "normal"].map(str::to_owned);
    let number = |number: Option<f64>| number.map_or_else(String::new, slide::number);
    let cells = rows.iter().map(|row| {
        [
            row.query.to_string(),
            row.body.clone(),
            row.primitive.to_string(),
            number(row.t),
            number(row.separation),
            row.relation.clone().unwrap_or_default(),
            slide::vector(row.point),
            row.normal.map_or_else(String::new, slide::vector),
        ]
    });
    let lines: Vec<_> = std::iter::once(heading).chain(cells).collect();
    let filled = |column: &usize| lines[1..].iter().any(|line| !line[*column].is_empty());
    let columns: Vec<usize> = (0..lines[0].len()).filter(filled).collect();
    let told = |line: &[String; 8]| columns.iter().map(|&column| line[column].clone()).collect();
    columns::table(&lines.iter().map(told).collect::<Vec<_>>(), Look::of_stdout())
}
