//! How a mesh is written in a scenario, before anything is checked.

use std::fmt;

use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use crate::scenario::numbers::Triple;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct Mesh {
    #[serde(default)]
    pub(super) file: Option<String>,
    #[serde(default)]
    pub(super) vertices: Option<Vec<Triple>>,
    #[serde(default)]
    pub(super) triangles: Option<Vec<[u32; 3]>>,
    #[serde(default)]
    pub(super) scale: Scale,
    #[serde(default)]
    pub(super) rotation: Vec<Rotation>,
    #[serde(default)]
    pub(super) translation: Option<Triple>,
    #[serde(default)]
    pub(super) flip: bool,
    #[serde(default)]
    pub(super) closed: bool,
}

/// `0.01` or `(1, 1, -1)`.
#[derive(Clone, Copy)]
pub(super) enum Scale {
    Same(f64),
    Each(Triple),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rotation {
    pub(super) axis: Triple,
    pub(super) degrees: f64,
}

impl Default for Scale {
    fn default() -> Self {
        Self::Same(1.0)
    }
}

impl<'de> Deserialize<'de> for Scale {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScaleVisitor)
    }
}

struct ScaleVisitor;

impl<'de> Visitor<'de> for ScaleVisitor {
    type Value = Scale;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or three of them in round brackets")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Scale, E> {
        Ok(Scale::Same(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Scale, E> {
        Ok(Scale::Same(value as f64))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Scale, E> {
        Ok(Scale::Same(value as f64))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, sequence: A) -> Result<Scale, A::Error> {
        Triple::deserialize(SeqAccessDeserializer::new(sequence)).map(Scale::Each)
    }
}
