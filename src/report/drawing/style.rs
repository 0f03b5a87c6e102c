//! How plots look: colours, sizes, and the one typeface.
//!
//! Colours are those of Okabe and Ito, *Color Universal Design*, 2008, which people with any kind of colour vision tell
//! apart; yellow is left out, being too pale for a line on white. The typeface is bundled, so that a plot has the
//! same bytes on a machine without fonts. Its letters are as wide as those of Arial and Helvetica, to which a viewer
//! of the SVG falls back, so labels keep their places there.

use std::sync::{LazyLock, Once};

use ab_glyph::{Font, FontRef};
use plotters::style::{FontDesc, FontFamily, FontStyle, RGBAColor, register_font};

/// A colour and how much it covers, from 0 to 1.
pub(crate) type Color = RGBAColor;

/// Colours of moving bodies, the most distinct first.
pub(crate) const PALETTE: [Color; 7] = [
    RGBAColor(0, 114, 178, 1.0),
    RGBAColor(213, 94, 0, 1.0),
    RGBAColor(0, 158, 115, 1.0),
    RGBAColor(204, 121, 167, 1.0),
    RGBAColor(230, 159, 0, 1.0),
    RGBAColor(86, 180, 233, 1.0),
    RGBAColor(90, 90, 90, 1.0),
];

/// A colour beside those of the palette, for the eighth of a set: from Tol, *Colour Schemes*, 2021, scheme "muted".
pub(crate) const WINE: Color = RGBAColor(136, 34, 85, 1.0);
/// Four more of that scheme: for what has its own place in a plot beside its colour.
pub(crate) const INDIGO: Color = RGBAColor(51, 34, 136, 1.0);
/// See [`INDIGO`].
pub(crate) const TEAL: Color = RGBAColor(68, 170, 153, 1.0);
/// See [`INDIGO`].
pub(crate) const FOREST: Color = RGBAColor(17, 119, 51, 1.0);
/// See [`INDIGO`].
pub(crate) const OLIVE: Color = RGBAColor(153, 153, 51, 1.0);
/// The white of the page.
pub(crate) const PAPER: Color = RGBAColor(255, 255, 255, 1.0);
/// Titles, axes and ticks.
pub(crate) const TEXT: Color = RGBAColor(34, 34, 34, 1.0);
/// Subtitles and notes.
pub(crate) const TEXT_FAINT: Color = RGBAColor(105, 105, 105, 1.0);
/// The frame around a plot.
pub(crate) const BORDER: Color = RGBAColor(70, 70, 70, 1.0);
/// Grid lines.
pub(crate) const GRID: Color = RGBAColor(229, 229, 229, 1.0);
/// What stands still, filled.
pub(crate) const SCENERY: Color = RGBAColor(225, 225, 222, 1.0);
/// What stands still, its edge.
pub(crate) const SCENERY_EDGE: Color = RGBAColor(120, 120, 118, 1.0);
/// What a kinematic body is filled with.
pub(crate) const DRIVEN: Color = RGBAColor(233, 214, 178, 1.0);
/// The edge of a kinematic body.
pub(crate) const DRIVEN_EDGE: Color = RGBAColor(133, 94, 22, 1.0);
/// The edge of a sensor.
pub(crate) const SENSOR: Color = RGBAColor(0, 158, 115, 1.0);
/// Marks of impacts.
pub(crate) const IMPACT: Color = RGBAColor(25, 25, 25, 1.0);

/// Font sizes, in pixels an em.
pub(crate) const TITLE_SIZE: f64 = 17.0;
/// Axis captions and legends.
pub(crate) const LABEL_SIZE: f64 = 13.5;
/// Tick labels, subtitles and notes.
pub(crate) const SMALL_SIZE: f64 = 12.0;

/// The typeface and its stand-ins, in the notation of SVG.
pub(crate) const FAMILY: &str = "Arimo, Liberation Sans, Arial, Helvetica, sans-serif";

/// Height of the bundled typeface from descender to ascender, in ems: 2288 of 2048 units.
pub(crate) const FONT_HEIGHT: f64 = 2288.0 / 2048.0;

/// `color`, covering only `alpha` of what it covers now.
pub(crate) fn faded(color: Color, alpha: f64) -> Color {
    RGBAColor(color.0, color.1, color.2, color.3 * alpha)
}

/// The file of the bundled typeface.
const TYPEFACE: &[u8] = include_bytes!("../font/Arimo-Regular.ttf");

/// What is drawn for a character that the bundled typeface lacks: a rhombus with a question mark.
pub(crate) const STAND_IN: char = char::REPLACEMENT_CHARACTER;

/// Whether the bundled typeface has the character.
pub(crate) fn is_drawable(character: char) -> bool {
    static FONT: LazyLock<FontRef<'static>> =
        LazyLock::new(|| FontRef::try_from_slice(TYPEFACE).expect("the bundled typeface is a sound font file"));
    FONT.glyph_id(character).0 != 0
}

/// A text with the stand-in for every character that the bundled typeface lacks.
pub(crate) fn drawable(text: &str) -> String {
    text.chars().map(|character| if is_drawable(character) { character } else { STAND_IN }).collect()
}

/// The bundled typeface, `height` pixels from descender to ascender.
pub(crate) fn font(height: f64) -> FontDesc<'static> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let registered = register_font(FAMILY, FontStyle::Normal, TYPEFACE);
        assert!(registered.is_ok(), "the bundled typeface is a sound font file");
    });
    FontDesc::new(FontFamily::Name(FAMILY), height, FontStyle::Normal)
}

/// How wide `text` is in pixels, set in `size` pixels an em.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    // Measured large, because plotters answers in whole pixels.
    let magnified = 64.0;
    let measured = font(size * FONT_HEIGHT * magnified).box_size(&drawable(text));
    f64::from(measured.expect("the typeface is registered").0) / magnified
}
