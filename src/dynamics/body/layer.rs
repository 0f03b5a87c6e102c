//! Collision layers: which bodies interact.
//!
//! A body is in a set of layers, and collides with a set of layers. Two bodies interact only if each is in a layer that
//! the other collides with. A query finds only bodies in at least one of its own layers.

/// A set of up to 32 layers.
///
/// ```
/// use carom::Layers;
///
/// let (cars, birds) = (Layers::one(1), Layers::one(2));
/// assert!(cars.and(birds).meets(birds) && !cars.meets(birds));
/// // Each must be in a layer that the other collides with.
/// assert!(Layers::collide([cars, Layers::ALL], [birds, cars]));
/// assert!(!Layers::collide([cars, Layers::ALL], [birds, birds]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Layers(u32);

impl Layers {
    /// How many layers there can be.
    pub const COUNT: usize = 32;

    /// No layer.
    pub const NONE: Self = Self(0);

    /// Every layer.
    pub const ALL: Self = Self(u32::MAX);

    /// The default layer of a body: number 0.
    pub const FIRST: Self = Self(1);

    /// The set of one layer, counted from 0; empty if there is no such layer.
    pub const fn one(number: usize) -> Self {
        if number < Self::COUNT { Self(1 << number) } else { Self::NONE }
    }

    /// The union of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether two bodies collide. Each is given as the layers it is in and the layers it collides with.
    #[inline]
    pub const fn collide(one: [Self; 2], other: [Self; 2]) -> bool {
        one[0].meets(other[1]) && other[0].meets(one[1])
    }

    /// Whether the sets have a layer in common.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_layers() {
        let (first, last) = (Layers::one(0), Layers::one(31));
        assert_eq!((first, Layers::one(32)), (Layers::FIRST, Layers::NONE));
        assert!(first.and(last).meets(last) && !first.meets(last));
        assert!((0..32).all(|number| Layers::ALL.meets(Layers::one(number))));
        assert!(!Layers::NONE.meets(Layers::ALL));
        assert!(Layers::collide([first, last], [last, first]));
        assert!(!Layers::collide([first, last], [last, last]) && !Layers::collide([first, first], [last, first]));
    }
}
