//! The id of a body.
//!
//! Ids are dense, so a table of bodies is an array with the id as its index.

/// The id of a body. Bodies present at the start are numbered by the rank of their names, and later ones by the number
/// of bodies before them. An id is never used twice within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId(#[doc(hidden)] pub u32);

impl BodyId {
    /// The id of no body.
    pub(in crate::dynamics) const NONE: Self = Self(u32::MAX);

    /// The row of the body in a dense table.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
