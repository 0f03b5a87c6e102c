//! A body with its name, as it is given to a world.

use std::ops::Deref;

use crate::dynamics::Body;

/// A body and its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// Unique in its world, and not empty.
    pub name: String,
    /// The body.
    pub body: Body,
}

/// A named body is a body.
impl Deref for Named {
    type Target = Body;

    fn deref(&self) -> &Body {
        &self.body
    }
}
