//! What the files of spheres share: the chosen frame, radii, periods.

use super::super::draft::Draft;
use super::super::error::Trouble;
use super::super::request::ImportRequest;
use crate::geometry::Radius;
use crate::numeric::quantity::is_positive;

/// The row of the frame that is asked for among `count`; the last, if none is.
pub(super) fn frame(request: &ImportRequest, count: usize) -> Result<usize, Trouble> {
    let asked = request.frame.unwrap_or(count);
    if (1..=count).contains(&asked) {
        return Ok(asked - 1);
    }
    Err(Trouble::new(format!("it has {count} frames, and frame {asked} is asked for"), "they count from 1: --frame 1"))
}

/// A radius in the range of bodies.
pub(super) fn radius(found: f64) -> Result<f64, String> {
    Radius::new(found).map(Radius::get).map_err(|error| format!("the radius must be {}, found {found}", error.allowed))
}

/// The ends of a period, or none along an axis that is open. `remedy` is the advice if they are wrong.
pub(super) fn period(
    request: &ImportRequest,
    axis: usize,
    ends: [f64; 2],
    remedy: &str,
) -> Result<Option<[f64; 2]>, Trouble> {
    match ends {
        _ if request.open[axis] => Ok(None),
        [min, max] if is_positive(max - min) => Ok(Some(ends)),
        [min, max] => Err(Trouble::new(format!("the box must have a width, found {min} to {max}"), remedy)),
    }
}

/// Opens the axes along which the box is no wider than the largest ball: space cannot repeat there. So files of two
/// dimensions have boxes that do not say that they are.
pub(super) fn open_narrow(draft: &mut Draft) {
    let widest = draft.balls.iter().map(|ball| 2.0 * ball.radius).fold(0.0, f64::max);
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        if draft.space[axis].take_if(|[min, max]| *max - *min <= widest).is_some() {
            draft.notes.push(format!("the box is no wider along {name} than the largest ball, so {name} is open"));
        }
    }
}
