//! The number of a body.

/// The number of a body: of those that are there from the beginning the rank of its name, of those that come later the number
/// of bodies before it. Never given twice within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId(pub u32);

impl BodyId {
    /// No body has this one.
    pub(in crate::dynamics) const NOBODY: Self = Self(u32::MAX);

    /// The row of the body in any dense table.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
