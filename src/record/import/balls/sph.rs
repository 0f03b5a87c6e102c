//! Snapshots of EDMD, as the export `sph` writes them: see there. A unit of length, which is the largest diameter
//! there, becomes a metre.

use glam::DVec3;

use super::super::draft::{Ball, Draft, Load};
use super::super::error::Trouble;
use super::super::lines::Lines;
use super::super::request::ImportRequest;
use super::parts;

const REMEDY: &str =
    "wanted are the number of balls, a line with three edges, and for each ball a letter, x, y, z and radius";

struct Frame {
    edges: [f64; 3],
    balls: Vec<Ball>,
}

pub(crate) fn read(bytes: &[u8], request: &ImportRequest) -> Result<Draft, Trouble> {
    let mut lines = Lines::new(bytes, REMEDY)?;
    let mut frames = Vec::new();
    while let Some(line) = lines.next() {
        if !line.is_empty() {
            let count = lines.row.whole(line.split_whitespace().next(), "the number of balls")?;
            frames.push(frame(&mut lines, count)?);
        }
    }
    let count = frames.len();
    if count == 0 {
        return Err(Trouble::new("it has no frame", REMEDY));
    }
    let row = parts::frame(request, count)?;
    let Frame { edges, mut balls } = frames.swap_remove(row);
    // If the letters are in order in the file, as those of an export are, names with letters keep that order.
    if !balls.is_sorted_by_key(|ball| ball.kind.clone())
        || balls.first().map(|b| &b.kind) == balls.last().map(|b| &b.kind)
    {
        balls.iter_mut().for_each(|ball| ball.kind = None);
    }
    let mut draft = Draft { balls, temperature: Some(1.0), ..Draft::default() };
    for (axis, edge) in edges.into_iter().enumerate() {
        draft.space[axis] = parts::period(request, axis, [0.0, edge], REMEDY)?;
    }
    draft.notes.push(format!("frame {} of {count}; lengths in the largest diameter of EDMD, here 1 m", row + 1));
    draft.notes.push("EDMD gives all balls the mass 1, and velocities of the temperature 1".to_owned());
    let rest = "velocities: the format has none; with -o the balls get the temperature 1, without it they are at rest";
    draft.missing.push(rest.to_owned());
    Ok(draft)
}

fn frame(lines: &mut Lines<'_>, count: usize) -> Result<Frame, Trouble> {
    let mut words = lines.need("a line with three edges")?.split_whitespace();
    let mut edges = [0.0; 3];
    for edge in &mut edges {
        *edge = lines.row.real(words.next(), "an edge")?;
    }
    let mut balls = Vec::new();
    for _ in 0..count {
        let words: Vec<&str> = lines.need("a ball")?.split_whitespace().collect();
        if words.len() < 5 {
            return Err(lines.row.wrong(format!("a ball has a letter and four numbers, found {} words", words.len())));
        }
        let place = |at: usize| lines.row.real(words.get(at).copied(), ["x", "y", "z"][at - 1]);
        let radius = parts::radius(lines.row.real(words.get(4).copied(), "the radius")?);
        balls.push(Ball {
            kind: Some(words[0].chars().filter(|letter| letter.is_alphanumeric()).collect()),
            radius: radius.map_err(|problem| lines.row.wrong(problem))?,
            load: Load::Mass(1.0),
            position: DVec3::new(place(1)?, place(2)?, place(3)?),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
        });
    }
    Ok(Frame { edges, balls })
}
