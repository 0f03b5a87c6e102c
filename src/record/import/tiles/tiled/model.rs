//! A map, whatever it is written in.

use super::super::grid::Grid;

/// The advice for a map that cannot be read.
pub(super) const REMEDY: &str = "save the map again with Tiled, as .tmx or .tmj";

pub(super) struct Map {
    pub(super) orientation: String,
    /// Width and height of a tile, pixels.
    pub(super) tile: [f64; 2],
    /// All layers, those in groups too, with the names of the groups before theirs.
    pub(super) layers: Vec<Layer>,
}

pub(super) struct Layer {
    pub(super) name: String,
    /// Its property `solid` or `collides`.
    pub(super) solid: Option<bool>,
    /// Pixels.
    pub(super) offset: [f64; 2],
    pub(super) content: Content,
}

pub(super) enum Content {
    Tiles(Grid),
    Objects(Vec<Object>),
    /// What it is, with its article.
    Other(&'static str),
}

pub(super) struct Object {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) class: String,
    /// Its upper left corner, pixels.
    pub(super) at: [f64; 2],
    /// Pixels.
    pub(super) size: [f64; 2],
    /// Degrees.
    pub(super) rotation: f64,
    pub(super) form: Form,
    /// Its own property `solid` or `collides`.
    pub(super) solid: Option<bool>,
}

#[derive(Clone, Copy)]
pub(super) enum Form {
    Rectangle,
    Ellipse,
    Point,
    /// A picture of a tile, given by its lower left corner.
    Tile,
    /// Why it cannot be a body.
    Other(&'static str),
}

impl Form {
    pub(super) const POLYGON: Self = Self::Other("it is a polygon");
    pub(super) const LINE: Self = Self::Other("it is a line");
    pub(super) const TEXT: Self = Self::Other("it is a text");
    pub(super) const TEMPLATE: Self = Self::Other("it is in a template, a file of its own");
    pub(super) const CAPSULE: Self = Self::Other("it is a capsule");
}

/// The properties that say whether something is solid.
pub(super) fn says_solid(name: &str) -> bool {
    name.eq_ignore_ascii_case("solid") || name.eq_ignore_ascii_case("collides")
}
