//! Files of LAMMPS: a data file, as `write_data` writes it, or a text dump.
//!
//! Source: the pages `read_data` and `dump` of <https://docs.lammps.org>. Numbers stay as they are: the units of LAMMPS
//! become m, kg and s.

mod atoms;
mod data;
mod dump;

use super::super::draft::{Ball, Draft};
use super::super::error::Trouble;
use super::super::request::ImportRequest;

/// Reads a file of either kind: a dump begins with `ITEM:`.
pub(crate) fn read(bytes: &[u8], request: &ImportRequest) -> Result<Draft, Trouble> {
    if bytes.trim_ascii().is_empty() {
        return Err(Trouble::new("it is empty", "wanted is a data file or a text dump of LAMMPS"));
    }
    let mut draft = if bytes.trim_ascii_start().starts_with(b"ITEM:") {
        dump::read(bytes, request)
    } else {
        data::read(bytes, request)
    }?;
    draft.notes.push("numbers as in the file: a unit of length is 1 m, of mass 1 kg, of time 1 s".to_owned());
    let is_flat = |ball: &Ball| [ball.position.z, ball.velocity.z, ball.spin.x, ball.spin.y] == [0.0; 4];
    if draft.balls.iter().all(is_flat) {
        let lost = "two dimensions: all lie and move in the plane z = 0, but only a script says that they are discs, so they are spheres";
        draft.missing.push(lost.to_owned());
    }
    draft.missing.push("forces, walls and all that an input script says: the format has none of it".to_owned());
    Ok(draft)
}
