//! Packings of the program packing-generation (V. Baranov): for each ball its centre and its diameter, as four numbers
//! of 64 bits in little-endian order. The box begins at 0; its edges are in a text file of the same name with the
//! ending `.nfo`, in the line `Dimensions:`, and the number of balls in the line `N:`.

use std::path::Path;

use glam::DVec3;

use super::super::draft::{Ball, Draft, Load};
use super::super::error::Trouble;
use super::super::request::ImportRequest;
use super::parts;
use crate::numeric::quantity::is_moderate;
use crate::scenario::text::source::read_bytes;

const REMEDY: &str = "wanted are four numbers of 64 bits for each ball, little-endian: x, y, z and the diameter";
const BOX: &str =
    "give the edges of the box, --box 10 or --box 10,10,20, or say along which axes there is none: --open x,y,z";

/// Most bytes of the text with the box.
const NOTES_MAX: u64 = 1 << 20;

pub(crate) fn read(file: &Path, bytes: &[u8], request: &ImportRequest) -> Result<Draft, Trouble> {
    let (rows, rest) = bytes.as_chunks::<32>();
    if rows.is_empty() || !rest.is_empty() {
        let problem = format!("it has {} bytes, which is no multiple of 32", bytes.len());
        return Err(Trouble::new(if bytes.is_empty() { "it is empty".to_owned() } else { problem }, REMEDY));
    }
    let mut balls = Vec::with_capacity(rows.len());
    for (row, numbers) in rows.iter().enumerate() {
        let at = |column: usize| f64::from_le_bytes(numbers.as_chunks().0[column]);
        let [x, y, z, diameter] = [0, 1, 2, 3].map(at);
        let wrong = |problem: String| Trouble::new(problem, REMEDY).at(format!("ball {}", row + 1));
        if let Some(wild) = [x, y, z].into_iter().find(|&place| !is_moderate(place)) {
            return Err(wrong(format!("a coordinate must be a number of at most 1e70, found {wild}")));
        }
        let radius = parts::radius(diameter / 2.0).map_err(wrong)?;
        let (position, at_rest) = (DVec3::new(x, y, z), DVec3::ZERO);
        balls.push(Ball { kind: None, radius, load: Load::Density(1.0), position, velocity: at_rest, spin: at_rest });
    }
    let noted = Notes::beside(file);
    if let Some(count) = noted.count.filter(|&count| count != rows.len()) {
        let problem = format!("it has {} balls, and the file `.nfo` beside it says {count}", rows.len());
        return Err(Trouble::new(problem, "keep both as the program wrote them, or rename the file `.nfo`"));
    }
    let mut draft = Draft { balls, ..Draft::default() };
    if request.open != [true; 3] {
        let sides = request.sides.or(noted.sides).ok_or_else(|| {
            Trouble::new("the size of its box is unknown: there is no file `.nfo` with `Dimensions:` beside it", BOX)
        })?;
        for (axis, side) in sides.into_iter().enumerate() {
            draft.space[axis] = parts::period(request, axis, [0.0, side], BOX)?;
        }
    }
    draft.missing.push("masses: the format has none, so the density is 1 kg/m³".to_owned());
    draft.missing.push("velocities: the format has none, so all are at rest".to_owned());
    Ok(draft)
}

/// What the text file beside says, if there is one.
struct Notes {
    count: Option<usize>,
    /// The edges of the box, m.
    sides: Option<[f64; 3]>,
}

impl Notes {
    fn beside(file: &Path) -> Self {
        let bytes = read_bytes(&file.with_extension("nfo"), NOTES_MAX).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let after = |word: &str| text.lines().find_map(|line| line.trim().strip_prefix(word));
        let three = |line: &str| -> Option<Vec<f64>> {
            line.split_whitespace().take(3).map(|word| word.parse().ok()).collect()
        };
        Self {
            count: after("N:").and_then(|count| count.trim().parse().ok()),
            sides: after("Dimensions:").and_then(three).and_then(|sides| sides.try_into().ok()),
        }
    }
}
