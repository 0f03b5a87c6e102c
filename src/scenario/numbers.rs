//! Several numbers in one value.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

/// A vector.
pub(super) type Triple = [f64; 3];

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
