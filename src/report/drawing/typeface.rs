//! The one typeface, upright and slanted: the widths of words, and the outlines of letters.
//!
//! It is bundled, so that a plot has the same bytes on a machine without fonts. Its letters are as wide as those of
//! Arial and Helvetica. A viewer of an SVG with plain words falls back to these, so labels keep their places there.

use std::sync::{LazyLock, Once};

use ab_glyph::{Font, FontRef, GlyphId, OutlineCurve, Point};
use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};

/// The typeface and its replacements, in the notation of SVG.
pub(crate) const FAMILY: &str = "Arimo, Liberation Sans, Arial, Helvetica, sans-serif";

/// Height of the bundled typeface from descender to ascender, in ems: 2288 of 2048 units.
pub(crate) const FONT_HEIGHT: f64 = 2288.0 / 2048.0;

/// The files of the bundled typeface.
const UPRIGHT: &[u8] = include_bytes!("../font/Arimo-Regular.ttf");
const ITALIC: &[u8] = include_bytes!("../font/Arimo-Italic.ttf");

/// Upright or slanted letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Face {
    /// Upright: words, units, numbers.
    #[default]
    Upright,
    /// Slanted: symbols of quantities. It has Latin and Greek letters alone.
    Italic,
}

/// The replacement for a character that the bundled typeface lacks: a rhombus with a question mark.
pub(crate) const STAND_IN: char = char::REPLACEMENT_CHARACTER;

static FONTS: LazyLock<[FontRef<'static>; 2]> = LazyLock::new(|| {
    [UPRIGHT, ITALIC].map(|file| FontRef::try_from_slice(file).expect("the bundled typeface is a sound font file"))
});

impl Face {
    /// Both faces, in order.
    pub(crate) const ALL: [Self; 2] = [Self::Upright, Self::Italic];

    /// The file.
    pub(crate) const fn file(self) -> &'static [u8] {
        match self {
            Self::Upright => UPRIGHT,
            Self::Italic => ITALIC,
        }
    }

    fn font(self) -> &'static FontRef<'static> {
        &FONTS[self as usize]
    }

    const fn style(self) -> FontStyle {
        match self {
            Self::Upright => FontStyle::Normal,
            Self::Italic => FontStyle::Italic,
        }
    }

    /// Whether it has the character.
    fn has(self, character: char) -> bool {
        self.font().glyph_id(character).0 != 0
    }

    /// A text with the replacement for every missing character.
    pub(crate) fn drawable(self, text: &str) -> String {
        text.chars().map(|character| if self.has(character) { character } else { STAND_IN }).collect()
    }
}

/// Whether the bundled typeface has the character.
pub(crate) fn is_drawable(character: char) -> bool {
    Face::Upright.has(character)
}

/// The bundled typeface, `height` pixels from descender to ascender.
pub(crate) fn font(face: Face, height: f64) -> FontDesc<'static> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        for face in Face::ALL {
            let registered = register_font(FAMILY, face.style(), face.file());
            assert!(registered.is_ok(), "the bundled typeface is a sound font file");
        }
    });
    FontDesc::new(FontFamily::Name(FAMILY), height, face.style())
}

/// The width of `text` in pixels, set in `size` pixels per em.
pub(crate) fn text_width(text: &str, face: Face, size: f64) -> f64 {
    // Measured at a large size, because plotters answers in whole pixels.
    let magnified = 64.0;
    let measured = font(face, size * FONT_HEIGHT * magnified).box_size(&face.drawable(text));
    f64::from(measured.expect("the typeface is registered").0) / magnified
}

/// A letter in its place on a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Letter {
    pub(crate) glyph: u16,
    pub(crate) character: char,
    /// Its start, ems from the beginning of the line.
    pub(crate) at: f64,
}

/// The letters of a text, and its width, in ems; with the replacement for every character that the bundled typeface
/// lacks.
pub(crate) fn letters(text: &str, face: Face) -> (Vec<Letter>, f64) {
    let (font, em) = (face.font(), units_per_em(face));
    let (mut letters, mut at): (Vec<Letter>, f64) = (Vec::new(), 0.0);
    for character in face.drawable(text).chars() {
        let glyph = font.glyph_id(character);
        if let Some(before) = letters.last() {
            at += f64::from(font.kern_unscaled(GlyphId(before.glyph), glyph)) / em;
        }
        letters.push(Letter { glyph: glyph.0, character, at });
        at += width(glyph.0, face);
    }
    (letters, at)
}

/// The width of a letter, ems.
pub(crate) fn width(glyph: u16, face: Face) -> f64 {
    f64::from(face.font().h_advance_unscaled(GlyphId(glyph))) / units_per_em(face)
}

/// The number of letters in the typeface.
pub(crate) fn letter_count(face: Face) -> u16 {
    u16::try_from(face.font().glyph_count()).expect("glyphs have 16-bit ids")
}

/// A step of an outline, in ems; y runs upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    Move([f64; 2]),
    Line([f64; 2]),
    /// A curve with a control point, and its end.
    Curve([f64; 2], [f64; 2]),
}

/// The outline of a letter; each move begins a closed contour.
pub(crate) fn outline(glyph: u16, face: Face) -> Vec<Step> {
    let em = units_per_em(face);
    let place = |point: Point| [f64::from(point.x) / em, f64::from(point.y) / em];
    let (mut steps, mut pen) = (Vec::new(), None);
    for curve in face.font().outline(GlyphId(glyph)).map(|outline| outline.curves).unwrap_or_default() {
        let (from, to, step) = match curve {
            OutlineCurve::Line(from, to) => (from, to, Step::Line(place(to))),
            OutlineCurve::Quad(from, by, to) => (from, to, Step::Curve(place(by), place(to))),
            OutlineCurve::Cubic(..) => unreachable!("outlines of a TrueType font are quadratic"),
        };
        if pen != Some(from) {
            steps.push(Step::Move(place(from)));
        }
        steps.push(step);
        pen = Some(to);
    }
    steps
}

fn units_per_em(face: Face) -> f64 {
    f64::from(face.font().units_per_em().unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_as_wide_as_plotters_sets_them() {
        for text in ["energy (J)", "10⁻¹⁵", "relative drift − 0.5", "AVAVA"] {
            for face in Face::ALL {
                let (letters, width) = letters(text, face);
                assert_eq!(letters.len(), text.chars().count());
                // plotters answers in 64ths of a pixel.
                assert!((width - text_width(text, face, 100.0) / 100.0).abs() < 0.02, "{text}: {width}");
            }
        }
    }

    #[test]
    fn an_outline_has_a_contour_for_each_hole() {
        let moves = |letter: char| {
            let steps = outline(letters(&letter.to_string(), Face::Upright).0[0].glyph, Face::Upright);
            steps.iter().filter(|step| matches!(step, Step::Move(_))).count()
        };
        assert_eq!(['l', 'o', '8', ' '].map(moves), [1, 2, 3, 0]);
    }
}
