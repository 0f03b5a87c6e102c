//! A picture as marks on a sheet: the marks, their style, how they are cut, and the files.

mod canvas;
mod clip;
mod dash;
pub(super) mod files;
mod ink;
mod inset;
mod rect;
mod style;
mod typeface;
mod words;

pub(super) use canvas::{Anchor, Canvas, Inset, Label, Mark, Read, Scales, Stroke, fraction};
pub(super) use clip::{area_beyond, area_inside, dashes, line_inside};
pub(super) use dash::{Dash, patterned};
pub(super) use ink::{
    BORDER, Color, DRIVEN, DRIVEN_EDGE, FOREST, GRID, IMPACT, INDIGO, Ink, OLIVE, PALETTE, PAPER, SCENERY,
    SCENERY_EDGE, SENSOR, SHADES, TEAL, TEXT, TEXT_FAINT, WINE, faded, ink, pale,
};
pub(super) use rect::Rect;
pub(super) use style::Style;
pub(super) use typeface::{Face, text_width};
pub(super) use words::Words;
