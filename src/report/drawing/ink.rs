//! Colours: everything drawn has an ink, and the theme of the picture gives the ink a colour.
//!
//! The colours of bodies are those of Okabe and Ito, *Color Universal Design*, 2008, which people with any kind of
//! colour vision can distinguish. Yellow is left out, because it is too pale for a line on white. On a dark page the
//! same hues are brighter.

use crate::scenario::plot::style::{Rgb, Theme};

/// The meaning of a colour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ink {
    /// One of the colours of bodies, by its index in the palette.
    Palette(usize),
    /// A colour beside those of the palette, for sets of more than seven: from Tol, *Colour Schemes*, 2021, scheme
    /// "muted".
    Muted(usize),
    /// The page.
    Paper,
    /// Titles, axes and ticks.
    Text,
    /// Subtitles and notes.
    Faint,
    /// The frame around a plot.
    Border,
    /// Grid lines.
    Grid,
    /// The filling of things that do not move.
    Scenery,
    /// The edge of things that do not move.
    SceneryEdge,
    /// The filling of a kinematic body.
    Driven,
    /// The edge of a kinematic body.
    DrivenEdge,
    /// Marks of impacts.
    Impact,
    /// A shade of a map of moving bodies, up to [`SHADES`] for the largest number.
    Shade(u8),
    /// A shade of a map of things that do not move, up to [`SHADES`].
    StillShade(u8),
    /// A colour chosen by the user.
    Own(Rgb),
}

/// An ink and its opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Color {
    pub(crate) ink: Ink,
    /// Opacity, from 0 to 1.
    pub(crate) alpha: f64,
}

/// The number of shades in a map.
pub(crate) const SHADES: u8 = 24;

/// The number of colours of bodies.
pub(crate) const PALETTE_SIZE: usize = 7;

/// Colours of moving bodies; the most distinct come first.
pub(crate) const PALETTE: [Color; PALETTE_SIZE] = [
    ink(Ink::Palette(0)),
    ink(Ink::Palette(1)),
    ink(Ink::Palette(2)),
    ink(Ink::Palette(3)),
    ink(Ink::Palette(4)),
    ink(Ink::Palette(5)),
    ink(Ink::Palette(6)),
];
pub(crate) const WINE: Color = ink(Ink::Muted(0));
pub(crate) const INDIGO: Color = ink(Ink::Muted(1));
pub(crate) const TEAL: Color = ink(Ink::Muted(2));
pub(crate) const FOREST: Color = ink(Ink::Muted(3));
pub(crate) const OLIVE: Color = ink(Ink::Muted(4));
pub(crate) const PAPER: Color = ink(Ink::Paper);
pub(crate) const TEXT: Color = ink(Ink::Text);
pub(crate) const TEXT_FAINT: Color = ink(Ink::Faint);
pub(crate) const BORDER: Color = ink(Ink::Border);
pub(crate) const GRID: Color = ink(Ink::Grid);
pub(crate) const SCENERY: Color = ink(Ink::Scenery);
pub(crate) const SCENERY_EDGE: Color = ink(Ink::SceneryEdge);
pub(crate) const DRIVEN: Color = ink(Ink::Driven);
pub(crate) const DRIVEN_EDGE: Color = ink(Ink::DrivenEdge);
/// The edge of a sensor.
pub(crate) const SENSOR: Color = ink(Ink::Palette(2));
pub(crate) const IMPACT: Color = ink(Ink::Impact);

/// An opaque ink.
pub(crate) const fn ink(ink: Ink) -> Color {
    Color { ink, alpha: 1.0 }
}

/// `color` with its opacity multiplied by `alpha`.
pub(crate) fn faded(color: Color, alpha: f64) -> Color {
    Color { alpha: color.alpha * alpha, ..color }
}

/// The opaque colour that `color` gives when it covers `share` of the paper.
pub(crate) fn pale(color: Color, share: f64, theme: Theme) -> Color {
    let (paper, own) = (Ink::Paper.rgb(theme), color.ink.rgb(theme));
    let mixed = |part: usize| f64::from(paper[part]) * (1.0 - share) + f64::from(own[part]) * share;
    ink(Ink::Own(Rgb([0, 1, 2].map(|part| mixed(part).round() as u8))))
}

/// The palettes on white paper and on a dark page.
const ON_WHITE: [[u8; 3]; PALETTE_SIZE] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [90, 90, 90]];
const ON_DARK: [[u8; 3]; PALETTE_SIZE] =
    [[64, 156, 224], [240, 126, 48], [34, 190, 146], [222, 150, 190], [240, 184, 60], [150, 210, 245], [168, 168, 168]];

/// The additional colours, on both.
const MUTED_ON_WHITE: [[u8; 3]; 5] = [[136, 34, 85], [51, 34, 136], [68, 170, 153], [17, 119, 51], [153, 153, 51]];
const MUTED_ON_DARK: [[u8; 3]; 5] = [[214, 110, 160], [140, 124, 230], [104, 206, 189], [86, 184, 116], [196, 196, 92]];

/// The colours of the smallest and the largest number in a map. Steps are equally bright for any kind of colour vision.
type Tint = [[f64; 3]; 2];
/// Those of maps, on white paper and on a dark page.
const SHADE: [Tint; 2] = [[[222.0, 235.0, 247.0], [38.0, 110.0, 178.0]], [[40.0, 56.0, 76.0], [140.0, 200.0, 255.0]]];
const STILL_SHADE: [Tint; 2] =
    [[[236.0, 236.0, 234.0], [130.0, 130.0, 126.0]], [[48.0, 50.0, 54.0], [140.0, 140.0, 136.0]]];

impl Ink {
    /// Its colour in a theme.
    pub(crate) fn rgb(self, theme: Theme) -> [u8; 3] {
        let [on_white, on_dark] = match self {
            Self::Palette(place) => [ON_WHITE[place], ON_DARK[place]],
            Self::Muted(place) => [MUTED_ON_WHITE[place], MUTED_ON_DARK[place]],
            Self::Paper => [[255, 255, 255], [26, 28, 33]],
            // Faint colours of a screen would be lost in print.
            Self::Text | Self::Faint | Self::Border if theme == Theme::Print => return [0, 0, 0],
            Self::Text => [[34, 34, 34], [228, 228, 228]],
            Self::Faint => [[105, 105, 105], [165, 165, 165]],
            Self::Border => [[70, 70, 70], [150, 150, 150]],
            Self::Grid => [[229, 229, 229], [53, 56, 63]],
            Self::Scenery => [[225, 225, 222], [58, 60, 66]],
            Self::SceneryEdge => [[120, 120, 118], [150, 150, 148]],
            Self::Driven => [[233, 214, 178], [92, 76, 44]],
            Self::DrivenEdge => [[133, 94, 22], [214, 172, 96]],
            Self::Impact => [[25, 25, 25], [240, 240, 240]],
            Self::Shade(share) => SHADE.map(|tint| mixed(tint, share)),
            Self::StillShade(share) => STILL_SHADE.map(|tint| mixed(tint, share)),
            Self::Own(Rgb(rgb)) => return rgb,
        };
        if theme == Theme::Dark { on_dark } else { on_white }
    }
}

fn mixed([fewest, most]: Tint, share: u8) -> [u8; 3] {
    let share = f64::from(share) / f64::from(SHADES);
    [0, 1, 2].map(|part: usize| (fewest[part] + (most[part] - fewest[part]) * share).round() as u8)
}
