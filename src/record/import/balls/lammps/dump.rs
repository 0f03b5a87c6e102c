//! Text dumps: frames with the box and a line for each atom, whose columns have names.

use glam::DVec3;

use super::super::super::draft::{Draft, Load};
use super::super::super::error::Trouble;
use super::super::super::lines::{Lines, Row, short};
use super::super::super::request::ImportRequest;
use super::super::parts;
use super::atoms::{Atom, balls, kind};

const REMEDY: &str = "wanted is a text dump of LAMMPS with at least `id type x y z`, as `dump 1 all custom` writes it";

/// The names of columns of the position, by its forms: plain, unwrapped, and parts of the box.
const PLACES: [([&str; 3], bool); 4] =
    [(["x", "y", "z"], false), (["xu", "yu", "zu"], false), (["xs", "ys", "zs"], true), (["xsu", "ysu", "zsu"], true)];

/// All other columns that are read.
const OTHERS: [&str; 12] =
    ["id", "type", "vx", "vy", "vz", "omegax", "omegay", "omegaz", "radius", "diameter", "mass", "density"];

/// A frame, with the lines of its atoms.
struct Frame<'a> {
    step: &'a str,
    count: usize,
    ends: [[f64; 2]; 3],
    is_periodic: [bool; 3],
    columns: Vec<&'a str>,
    rows: Vec<(Row, &'a str)>,
}

pub(super) fn read(bytes: &[u8], request: &ImportRequest) -> Result<Draft, Trouble> {
    let mut lines = Lines::new(bytes, REMEDY)?;
    let mut frames = Vec::new();
    let mut begun: Option<Frame<'_>> = None;
    while let Some(line) = lines.next() {
        let Some(item) = line.strip_prefix("ITEM:") else {
            if line.is_empty() {
                continue;
            }
            return Err(lines.row.wrong(format!("a line that begins with `ITEM:` is wanted, found `{}`", short(line))));
        };
        let words: Vec<&str> = item.split_whitespace().collect();
        match (&words[..], &mut begun) {
            (["TIMESTEP"], _) => {
                let step = lines.need("the number of a step")?;
                let (ends, is_periodic) = ([[0.0; 2]; 3], [false; 3]);
                begun = Some(Frame { step, count: 0, ends, is_periodic, columns: Vec::new(), rows: Vec::new() });
            }
            (["NUMBER", "OF", "ATOMS"], Some(frame)) => {
                let count = lines.need("a number of atoms")?;
                frame.count = lines.row.whole(Some(count), "the number of atoms")?;
            }
            (["BOX", "BOUNDS", flags @ ..], Some(frame)) => bounds(&mut lines, flags, frame)?,
            (["ATOMS", columns @ ..], Some(_)) => {
                let mut frame = begun.take().expect("just seen");
                frame.columns = columns.to_vec();
                for _ in 0..frame.count {
                    let row = lines.need("an atom")?;
                    frame.rows.push((lines.row, row));
                }
                frames.push(frame);
            }
            // The unit or the time of the frame.
            ([_], _) => {
                lines.need("a value")?;
            }
            _ => return Err(lines.row.wrong(format!("`{}` is not known here", short(line)))),
        }
    }
    if frames.is_empty() {
        return Err(Trouble::new("it has no frame with `ITEM: ATOMS`", REMEDY));
    }
    let row = parts::frame(request, frames.len())?;
    draft(&frames[row], (row + 1, frames.len()), request)
}

fn bounds<'a>(lines: &mut Lines<'a>, flags: &[&str], frame: &mut Frame<'a>) -> Result<(), Trouble> {
    if flags.contains(&"xy") || flags.contains(&"abc") {
        return Err(lines.row.wrong("the box is not at right angles, and periods of a scenario are"));
    }
    for axis in 0..3 {
        let mut words = lines.need("the ends of the box")?.split_whitespace();
        frame.ends[axis] =
            [lines.row.real(words.next(), "the lower end")?, lines.row.real(words.next(), "the upper end")?];
        frame.is_periodic[axis] = flags.get(axis) == Some(&"pp");
    }
    Ok(())
}

fn draft(frame: &Frame<'_>, (number, count): (usize, usize), request: &ImportRequest) -> Result<Draft, Trouble> {
    let at = |name: &str| frame.columns.iter().position(|&column| column == name);
    let found = PLACES.iter().find(|(names, _)| names.iter().all(|name| at(name).is_some()));
    let Some(&(names, is_scaled)) = found else {
        return Err(Trouble::new(format!("its columns are `{}`", short(&frame.columns.join(" "))), REMEDY));
    };
    let mut atoms = Vec::with_capacity(frame.rows.len());
    for (count, &(row, text)) in frame.rows.iter().enumerate() {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() != frame.columns.len() {
            let (wanted, found) = (frame.columns.len(), words.len());
            return Err(row.wrong(format!("{wanted} words wanted, one for each column, {found} found")));
        }
        let real = |name: &str| at(name).map(|at| row.real(Some(words[at]), name)).transpose();
        let vector = |names: [&str; 3]| -> Result<DVec3, Trouble> {
            let [x, y, z] = names.map(|name| real(name).map(Option::unwrap_or_default));
            Ok(DVec3::new(x?, y?, z?))
        };
        let mut position = vector(names)?;
        if is_scaled {
            let [min, max] = [0, 1].map(|end| DVec3::from_array(frame.ends.map(|ends| ends[end])));
            position = min + position * (max - min);
        }
        let load = real("mass")?.map(Load::Mass).or(real("density")?.map(Load::Density));
        atoms.push(Atom {
            row,
            id: at("id").map_or(Ok(count), |at| row.whole(Some(words[at]), "the id"))? as u64,
            kind: kind(at("type").map_or("", |at| words[at])),
            position,
            velocity: vector(["vx", "vy", "vz"])?,
            spin: vector(["omegax", "omegay", "omegaz"])?,
            radius: real("radius")?.or(real("diameter")?.map(|diameter| diameter / 2.0)),
            load,
        });
    }
    let mut draft = Draft::default();
    for axis in (0..3).filter(|&axis| frame.is_periodic[axis]) {
        draft.space[axis] = parts::period(request, axis, frame.ends[axis], REMEDY)?;
    }
    balls(atoms, request, &mut draft)?;
    draft.notes.push(format!("frame {number} of {count}, step {}", short(frame.step)));
    let unread = frame.columns.iter().filter(|column| !names.contains(column) && !OTHERS.contains(column));
    draft.missing.extend(unread.map(|column| format!("the column {}", short(column))));
    Ok(draft)
}
