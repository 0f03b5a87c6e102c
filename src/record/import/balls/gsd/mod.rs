//! Trajectories of HOOMD-blue: files of GSD in the schema `hoomd`, with numbers of 32 or 64 bits.
//!
//! A chunk that a frame does not have is that of the first frame, and if that has none, or one of another number of
//! particles, it has the default of the schema. Numbers stay as they are: units become m, kg and s.

mod file;

use glam::DVec3;

use self::file::{Chunk, File, REMEDY};
use super::super::draft::{Ball, Draft, Load, part};
use super::super::error::Trouble;
use super::super::request::ImportRequest;
use super::parts;
use crate::record::gsd::CHUNKS;

/// A frame, and the number of its particles.
struct Frame<'a> {
    file: File<'a>,
    number: u64,
    count: u64,
}

pub(crate) fn read(bytes: &[u8], request: &ImportRequest) -> Result<Draft, Trouble> {
    let file = File::new(bytes)?;
    let frames = file.frames();
    if frames == 0 {
        return Err(Trouble::new("it has no frame", REMEDY));
    }
    let row = parts::frame(request, frames)?;
    let mut frame = Frame { file, number: row as u64, count: 1 };
    frame.count = frame.number("particles/N", 0.0)? as u64;
    let mut draft = Draft::default();
    let sides = frame.sides()?;
    let is_flat = frame.number("configuration/dimensions", 3.0)? == 2.0;
    for (axis, side) in sides.into_iter().enumerate().take(if is_flat { 2 } else { 3 }) {
        let ends = [-side / 2.0, side / 2.0];
        draft.space[axis] = parts::period(request, axis, ends, REMEDY).map_err(|trouble| trouble.at(BOX))?;
    }
    frame.fill(&mut draft, sides)?;
    if is_flat {
        flatten(&mut draft);
    } else {
        parts::open_narrow(&mut draft);
    }
    let step = frame.number("configuration/step", 0.0)?;
    draft.notes.push(format!("frame {} of {frames}, step {step}", row + 1));
    draft.notes.push("numbers as in the file: a unit of length is 1 m, of mass 1 kg, of time 1 s".to_owned());
    if is_flat {
        draft.notes.push("it has two dimensions, so the balls are discs of a planar world".to_owned());
    } else if draft.space.iter().any(Option::is_some) {
        draft.notes.push("a file of GSD does not say which axes are periodic; --open z says that z is not".to_owned());
    }
    let mut unread: Vec<&str> = frame.file.names(frame.number).chain(frame.file.names(0)).collect();
    unread.retain(|name| CHUNKS.iter().all(|(known, _)| known != name));
    unread.sort_unstable();
    unread.dedup();
    draft.missing.extend(unread.into_iter().map(|name| format!("the chunk {name}")));
    draft.missing.push("forces, walls and all that a script of HOOMD-blue says: the format has none of it".to_owned());
    Ok(draft)
}

/// Makes the balls discs in the plane z = 0.
fn flatten(draft: &mut Draft) {
    draft.is_planar = true;
    let is_off = draft.balls.iter().any(|ball| ball.position.z != 0.0 || ball.velocity.z != 0.0);
    for ball in &mut draft.balls {
        (ball.position.z, ball.velocity.z) = (0.0, 0.0);
    }
    if is_off {
        draft.missing.push("places and velocities along z: a file of two dimensions has them in vain".to_owned());
    }
}

const BOX: &str = "configuration/box";

impl Frame<'_> {
    /// A chunk with so many rows, one for each particle unless it says otherwise.
    fn chunk(&self, name: &str, rows: u64, columns: u32) -> Result<Option<Chunk<'_>>, Trouble> {
        let own = self.file.chunk(self.number, name)?;
        let is_right = |chunk: &Chunk<'_>| chunk.rows == rows && chunk.columns == columns;
        match own {
            Some(chunk) if !is_right(&chunk) => {
                let problem = format!("{rows} × {columns} numbers wanted, {} × {} found", chunk.rows, chunk.columns);
                Err(Trouble::new(problem, REMEDY).at(name))
            }
            Some(chunk) => Ok(Some(chunk)),
            None => Ok(self.file.chunk(0, name)?.filter(is_right)),
        }
    }

    fn numbers(&self, name: &str, rows: u64, columns: u32) -> Result<Option<Vec<f64>>, Trouble> {
        let numbers = self.chunk(name, rows, columns)?.map(|chunk| chunk.numbers());
        numbers.transpose().map_err(|problem| Trouble::new(problem, REMEDY).at(name))
    }

    /// A number that the whole frame has.
    fn number(&self, name: &str, otherwise: f64) -> Result<f64, Trouble> {
        Ok(self.numbers(name, 1, 1)?.map_or(otherwise, |numbers| numbers[0]))
    }

    /// The edges of the box.
    fn sides(&self) -> Result<[f64; 3], Trouble> {
        let found = self.numbers(BOX, 6, 1)?.unwrap_or_else(|| vec![1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        if found[3..].iter().any(|&tilt| tilt != 0.0) {
            let problem = "the box is not at right angles, and periods of a scenario are";
            return Err(Trouble::new(problem, "only boxes without tilts can be imported").at(BOX));
        }
        Ok([found[0], found[1], found[2]])
    }

    /// The names of the types; `A` alone, if the file has none.
    fn types(&self) -> Result<Vec<String>, Trouble> {
        let name = "particles/types";
        let own = self.file.chunk(self.number, name)?;
        let Some(chunk) = own.map_or_else(|| self.file.chunk(0, name), |own| Ok(Some(own)))? else {
            return Ok(vec!["A".to_owned()]);
        };
        let names = chunk.bytes.chunks(chunk.columns.max(1) as usize).map(|name| part(&file::text(name)));
        Ok(names.enumerate().map(|(row, name)| if name.is_empty() { row.to_string() } else { name }).collect())
    }

    /// The particles as balls.
    fn fill(&self, draft: &mut Draft, sides: [f64; 3]) -> Result<(), Trouble> {
        let rows = |name: &str, columns: u32| self.numbers(name, self.count, columns);
        let places = rows("particles/position", 3)?.filter(|places| !places.is_empty());
        // Before anything is made for each particle: their number is as in the file only now.
        let places = places.ok_or_else(|| Trouble::new("it has no particles with positions", REMEDY))?;
        let [types, masses, diameters] =
            ["particles/typeid", "particles/mass", "particles/diameter"].map(|name| rows(name, 1));
        let [types, masses, diameters] = [types?, masses?, diameters?];
        let [speeds, images] = ["particles/velocity", "particles/image"].map(|name| rows(name, 3));
        let (speeds, images, names) = (speeds?, images?, self.types()?);
        for (row, place) in places.as_chunks::<3>().0.iter().enumerate() {
            let wrong = |problem: String| Trouble::new(problem, REMEDY).at(format!("particle {row}"));
            let value = |column: &Option<Vec<f64>>, otherwise: f64| column.as_ref().map_or(otherwise, |all| all[row]);
            let vector = |column: &Option<Vec<f64>>| {
                column.as_ref().map_or(DVec3::ZERO, |all| DVec3::from_slice(&all[3 * row..]))
            };
            let id = value(&types, 0.0);
            let kind = names.get(id as usize).filter(|_| id >= 0.0 && id.fract() == 0.0);
            let kind =
                kind.ok_or_else(|| wrong(format!("its type is {id}, and the number of types is {}", names.len())))?;
            let mut position = DVec3::from_array(*place);
            for axis in (0..3).filter(|&axis| draft.space[axis].is_some()) {
                position[axis] += vector(&images)[axis] * sides[axis];
            }
            draft.balls.push(Ball {
                kind: Some(kind.clone()),
                radius: parts::radius(value(&diameters, 1.0) / 2.0).map_err(wrong)?,
                load: Load::Mass(value(&masses, 1.0)),
                position,
                velocity: vector(&speeds),
                spin: DVec3::ZERO,
            });
        }
        for (column, what) in [
            (&diameters, "diameters: the file has none, so all are 1 m"),
            (&masses, "masses: the file has none, so all are 1 kg"),
        ] {
            if column.is_none() {
                draft.missing.push(what.to_owned());
            }
        }
        Ok(())
    }
}
