//! What commands can change of a body.

use crate::dynamics::{Body, Layers, MaterialId};

/// What a command can change of a body, besides its motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::dynamics) struct Alterable {
    pub(in crate::dynamics) material: MaterialId,
    pub(in crate::dynamics) layers: Layers,
    pub(in crate::dynamics) collides_with: Layers,
}

impl Alterable {
    pub(in crate::dynamics) fn of(body: &Body) -> Self {
        let Body { material, layers, collides_with, .. } = *body;
        Self { material, layers, collides_with }
    }

    /// The same body with these properties.
    pub(in crate::dynamics) fn on(self, body: Body) -> Body {
        let Self { material, layers, collides_with } = self;
        Body { material, layers, collides_with, ..body }
    }
}
