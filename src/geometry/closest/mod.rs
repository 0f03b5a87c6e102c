//! Closest points of things at rest, one file a thing or a pair.

pub mod triangle;
