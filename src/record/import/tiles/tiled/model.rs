//! A map, whatever it is written in.

use super::super::grid::Grid;
use super::cells::TURNS;

/// The advice for a map that cannot be read.
pub(super) const REMEDY: &str = "save the map again with Tiled, as .tmx or .tmj";

/// The pivot that Tiled takes in orthogonal maps if a tileset names none.
pub(super) const BOTTOM_LEFT: [f64; 2] = [0.0, 1.0];

pub(super) struct Map {
    pub(super) orientation: String,
    /// Width and height of a tile, pixels.
    pub(super) tile: [f64; 2],
    pub(super) tilesets: Vec<Tileset>,
    /// All layers, those in groups too, with the names of the groups before theirs.
    pub(super) layers: Vec<Layer>,
}

pub(super) struct Tileset {
    /// The number of its first tile.
    pub(super) first: u32,
    /// Which part of the width and of the height of a tile is before the place of its object; unknown if the tileset is
    /// in a file of its own.
    pub(super) pivot: Option<[f64; 2]>,
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
    /// The point around which it is turned, pixels: its upper left corner, or the pivot of a tile.
    pub(super) at: [f64; 2],
    /// Pixels.
    pub(super) size: [f64; 2],
    /// Degrees, clockwise.
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
    /// A picture of the tile with this number.
    Tile(u32),
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

impl Map {
    /// The pivot of a tile, if it is known.
    pub(super) fn pivot(&self, tile: u32) -> Option<[f64; 2]> {
        let before = self.tilesets.iter().filter(|tileset| tileset.first <= tile & !TURNS);
        before.max_by_key(|tileset| tileset.first).map_or(Some(BOTTOM_LEFT), |tileset| tileset.pivot)
    }
}

/// The pivot that the `objectalignment` of a tileset names.
pub(super) fn pivot(alignment: &str) -> [f64; 2] {
    // 0, 1, or else a half.
    let part = |is_first: bool, is_last: bool| (1.0 - f64::from(is_first) + f64::from(is_last)) / 2.0;
    match alignment {
        "" | "unspecified" => BOTTOM_LEFT,
        word => [
            part(word.ends_with("left"), word.ends_with("right")),
            part(word.starts_with("top"), word.starts_with("bottom")),
        ],
    }
}

/// The properties that say whether something is solid.
pub(super) fn says_solid(name: &str) -> bool {
    name.eq_ignore_ascii_case("solid") || name.eq_ignore_ascii_case("collides")
}
