//! Checks of single numbers: each either returns the checked value or reports the field.

use glam::DVec3;

use super::{Entry, Report};
use crate::dynamics::Period;
use crate::numeric::OutOfRange;
use crate::numeric::quantity::{is_moderate, is_positive};
use crate::scenario::error_kinds::{Fault, PlanarFault};
use crate::scenario::limits::{SPAN, is_span};
use crate::scenario::numbers::{Range, Spin, Triple, Vector};
use crate::scenario::text::locate;

const MODERATE: &str = "a finite number of size at most 1e70";
const POSITIVE: &str = "a positive finite number, from 1e-70 to 1e70";
const NOT_NEGATIVE: &str = "zero or a positive finite number, at most 1e70";
const THREE: &str = "three numbers in round brackets";
const COUNT: &str = "a whole number from 1 upwards";

/// The paths of the ends of a region along an axis; `path` leads to the region.
pub(crate) fn ends(path: &str, axis: usize) -> [String; 2] {
    ["min", "max"].map(|end| format!("{path}{end}[{axis}]"))
}

/// The names of the axes.
pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

impl Report<'_> {
    /// A value whose type checks itself.
    pub(crate) fn quantity<T>(&mut self, entry: Entry<'_>, path: &str, checked: Result<T, OutOfRange>) -> Option<T> {
        checked.map_err(|error| self.out_of_range(entry, path, error.allowed)).ok()
    }

    /// A vector of the world. In a planar one it lies in the plane, and two numbers are enough.
    pub(crate) fn vector(&mut self, entry: Entry<'_>, path: &str, value: Vector) -> Option<DVec3> {
        let numbers = self.in_world(entry, path, value)?;
        self.moderate(entry, path, numbers)
    }

    /// The numbers of a vector of the world, of any size.
    pub(crate) fn in_world(&mut self, entry: Entry<'_>, path: &str, value: Vector) -> Option<Triple> {
        let numbers = self.numbers(entry, path, value)?;
        if self.is_planar && numbers[2] != 0.0 {
            return self.fail(entry, &format!("{path}[2]"), Fault::Planar(PlanarFault::OffPlane));
        }
        Some(numbers)
    }

    /// A vector; zero if the file does not give it.
    pub(crate) fn vector_or_zero(&mut self, entry: Entry<'_>, path: &str, value: Option<Vector>) -> Option<DVec3> {
        value.map_or(Some(DVec3::ZERO), |value| self.vector(entry, path, value))
    }

    /// Three finite numbers.
    pub(crate) fn moderate(&mut self, entry: Entry<'_>, path: &str, value: Triple) -> Option<DVec3> {
        match value.iter().position(|&component| !is_moderate(component)) {
            Some(axis) => self.refuse(entry, &format!("{path}[{axis}]"), MODERATE),
            None => Some(DVec3::from_array(value)),
        }
    }

    /// The numbers of a vector as they are written, the third one 0 if there are only two in a planar world.
    pub(crate) fn numbers(&mut self, entry: Entry<'_>, path: &str, value: Vector) -> Option<Triple> {
        let (numbers, is_pair) = value.written();
        if is_pair && !self.is_planar {
            return self.not_three(entry, path);
        }
        Some(numbers)
    }

    fn not_three<T>(&mut self, entry: Entry<'_>, path: &str) -> Option<T> {
        let found = locate::one_line(entry.value(path));
        self.fail(entry, path, Fault::WrongKind { wanted: THREE.to_owned(), found })
    }

    /// An angular velocity; zero if the file does not give it.
    pub(crate) fn spin(&mut self, entry: Entry<'_>, path: &str, value: Option<Spin>) -> Option<DVec3> {
        match value {
            None => Some(DVec3::ZERO),
            Some(Spin::Same(spin)) if self.is_planar => self.number(entry, path, spin).map(|spin| DVec3::Z * spin),
            Some(Spin::Same(_)) => self.not_three(entry, path),
            Some(Spin::Each([x, y, _])) if self.is_planar && (x != 0.0 || y != 0.0) => {
                self.fail(entry, path, Fault::Planar(PlanarFault::Tilts))
            }
            Some(Spin::Each(spin)) => self.moderate(entry, path, spin),
        }
    }

    /// Any finite number.
    pub(crate) fn number(&mut self, entry: Entry<'_>, path: &str, value: f64) -> Option<f64> {
        if is_moderate(value) { Some(value) } else { self.refuse(entry, path, MODERATE) }
    }

    pub(crate) fn positive(&mut self, entry: Entry<'_>, path: &str, value: f64) -> Option<f64> {
        if is_positive(value) { Some(value) } else { self.refuse(entry, path, POSITIVE) }
    }

    pub(crate) fn not_negative(&mut self, entry: Entry<'_>, path: &str, value: f64) -> Option<f64> {
        if value >= 0.0 && is_moderate(value) { Some(value) } else { self.refuse(entry, path, NOT_NEGATIVE) }
    }

    /// A span of time.
    pub(crate) fn span(&mut self, entry: Entry<'_>, value: f64) -> Option<f64> {
        if is_span(value) { Some(value) } else { self.refuse(entry, "", SPAN) }
    }

    pub(crate) fn count(&mut self, entry: Entry<'_>, path: &str, value: u64) -> Option<u64> {
        if value > 0 { Some(value) } else { self.refuse(entry, path, COUNT) }
    }

    /// The range along one axis; `paths` are those of its ends.
    pub(crate) fn range(
        &mut self,
        entry: Entry<'_>,
        paths: &[String; 2],
        axis: usize,
        [min, max]: Range,
    ) -> Option<Period> {
        let [min, max] = [self.number(entry, &paths[0], min), self.number(entry, &paths[1], max)];
        let (min, max) = (min?, max?);
        if is_positive(max - min) {
            return Some(Period { min, max });
        }
        self.fail(entry, &paths[1], Fault::EmptyRange { axis: AXES[axis], min, max })
    }
}
