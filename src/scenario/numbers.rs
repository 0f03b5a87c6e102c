//! Several numbers in one value.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

/// Three numbers.
pub(super) type Triple = [f64; 3];

/// A vector of the world: three numbers, or two in a planar world.
#[derive(Clone, Copy, PartialEq, Default)]
pub(super) struct Vector {
    numbers: Triple,
    is_pair: bool,
}

impl Vector {
    pub(super) const fn along(numbers: Triple) -> Self {
        Self { numbers, is_pair: false }
    }

    /// What was written, with 0 for a third number that is not there; and whether there is none.
    pub(super) const fn written(self) -> (Triple, bool) {
        (self.numbers, self.is_pair)
    }
}

impl<'de> Deserialize<'de> for Vector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(3, VectorVisitor)
    }
}

struct VectorVisitor;

impl<'de> Visitor<'de> for VectorVisitor {
    type Value = Vector;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("three numbers in round brackets, or two in a planar world")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Vector, A::Error> {
        let mut next = || sequence.next_element::<f64>();
        match (next()?, next()?, next()?) {
            (Some(x), Some(y), z) => Ok(Vector { numbers: [x, y, z.unwrap_or_default()], is_pair: z.is_none() }),
            (Some(_), None, _) => Err(A::Error::invalid_length(1, &self)),
            _ => Err(A::Error::invalid_length(0, &self)),
        }
    }
}

/// Whole numbers, one for each axis of the world.
pub(super) struct Counts(pub(super) Vec<u64>);

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(3, CountsVisitor)
    }
}

struct CountsVisitor;

impl<'de> Visitor<'de> for CountsVisitor {
    type Value = Counts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("three whole numbers in round brackets, or two in a planar world")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<Counts, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(sequence)).map(Counts)
    }
}

/// An angular velocity: a vector, or in a planar world the number about z.
pub(super) type Spin = PerAxis<3>;

/// The lower and the upper end.
pub(super) type Range = [f64; 2];

/// One number for all axes, `0.01`, or one for each, `(1, 1, -1)`.
#[derive(Clone, Copy)]
pub(super) enum PerAxis<const N: usize> {
    Same(f64),
    Each([f64; N]),
}

impl<const N: usize> PerAxis<N> {
    /// The number of each axis.
    pub(super) const fn each(self) -> [f64; N] {
        match self {
            Self::Same(number) => [number; N],
            Self::Each(numbers) => numbers,
        }
    }
}

impl<'de, const N: usize> Deserialize<'de> for PerAxis<N>
where
    [f64; N]: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PerAxisVisitor(PhantomData))
    }
}

struct PerAxisVisitor<const N: usize>(PhantomData<[f64; N]>);

impl<'de, const N: usize> Visitor<'de> for PerAxisVisitor<N>
where
    [f64; N]: Deserialize<'de>,
{
    type Value = PerAxis<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = if N == 2 { "two" } else { "three" };
        write!(f, "a number, or {count} of them in round brackets")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<PerAxis<N>, E> {
        Ok(PerAxis::Same(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<PerAxis<N>, E> {
        Ok(PerAxis::Same(value as f64))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<PerAxis<N>, E> {
        Ok(PerAxis::Same(value as f64))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<PerAxis<N>, A::Error> {
        <[f64; N]>::deserialize(SeqAccessDeserializer::new(sequence)).map(PerAxis::Each)
    }
}
