//! Colours: what is drawn is given an ink, and the theme of the picture says what colour that is.
//!
//! Colours of bodies are those of Okabe and Ito, *Color Universal Design*, 2008, which people with any kind of colour vision
//! tell apart; yellow is left out, being too pale for a line on white. On a dark page the same hues are brighter.

use crate::scenario::plot_style::{Rgb, Theme};

/// What a colour stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ink {
    /// One of the colours of bodies, by its place in the palette.
    Palette(usize),
    /// A colour beside those of the palette, for sets of more than seven: from Tol, *Colour Schemes*, 2021, scheme "muted".
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
    /// What stands still, filled.
    Scenery,
    /// What stands still, its edge.
    SceneryEdge,
    /// What a kinematic body is filled with.
    Driven,
    /// The edge of a kinematic body.
    DrivenEdge,
    /// Marks of impacts.
    Impact,
    /// A shade of a map of what moves, up to [`SHADES`] for the most.
    Shade(u8),
    /// A shade of a map of what stands still, likewise.
    StillShade(u8),
    /// A colour that somebody chose.
    Own(Rgb),
}

/// An ink and how much it covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Color {
    pub(crate) ink: Ink,
    /// From 0 to 1.
    pub(crate) alpha: f64,
}

/// How many shades of a map are told apart.
pub(crate) const SHADES: u8 = 24;

/// How many colours of bodies there are.
pub(crate) const PALETTE_SIZE: usize = 7;

/// Colours of moving bodies, the most distinct first.
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

/// An ink that covers all.
pub(crate) const fn ink(ink: Ink) -> Color {
    Color { ink, alpha: 1.0 }
}

/// `color`, covering only `alpha` of what it covers now.
pub(crate) fn faded(color: Color, alpha: f64) -> Color {
    Color { alpha: color.alpha * alpha, ..color }
}

/// What `color`, covering `share` of the paper, looks like there, as a colour that covers all.
pub(crate) fn pale(color: Color, share: f64, theme: Theme) -> Color {
    let (paper, own) = (Ink::Paper.rgb(theme), color.ink.rgb(theme));
    let mixed = |part: usize| f64::from(paper[part]) * (1.0 - share) + f64::from(own[part]) * share;
    ink(Ink::Own(Rgb([0, 1, 2].map(|part| mixed(part).round() as u8))))
}

/// Palettes on white paper and on a dark page.
const ON_WHITE: [[u8; 3]; PALETTE_SIZE] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [90, 90, 90]];
const ON_DARK: [[u8; 3]; PALETTE_SIZE] =
    [[64, 156, 224], [240, 126, 48], [34, 190, 146], [222, 150, 190], [240, 184, 60], [150, 210, 245], [168, 168, 168]];

/// The colours beside them, on both.
const MUTED_ON_WHITE: [[u8; 3]; 5] = [[136, 34, 85], [51, 34, 136], [68, 170, 153], [17, 119, 51], [153, 153, 51]];
const MUTED_ON_DARK: [[u8; 3]; 5] = [[214, 110, 160], [140, 124, 230], [104, 206, 189], [86, 184, 116], [196, 196, 92]];

/// The fewest and the most of a map; equally bright steps in any kind of colour vision.
type Tint = [[f64; 3]; 2];

impl Ink {
    /// Its colour in a theme.
    pub(crate) fn rgb(self, theme: Theme) -> [u8; 3] {
        match (self, theme) {
            (Self::Own(Rgb(rgb)), _) => rgb,
            (_, Theme::Dark) => self.on_dark(),
            // What is faint on a screen is lost in print.
            (Self::Text | Self::Faint | Self::Border, Theme::Print) => [0, 0, 0],
            _ => self.on_white(),
        }
    }

    fn on_white(self) -> [u8; 3] {
        match self {
            Self::Palette(place) => ON_WHITE[place],
            Self::Muted(place) => MUTED_ON_WHITE[place],
            Self::Paper => [255, 255, 255],
            Self::Text => [34, 34, 34],
            Self::Faint => [105, 105, 105],
            Self::Border => [70, 70, 70],
            Self::Grid => [229, 229, 229],
            Self::Scenery => [225, 225, 222],
            Self::SceneryEdge => [120, 120, 118],
            Self::Driven => [233, 214, 178],
            Self::DrivenEdge => [133, 94, 22],
            Self::Impact => [25, 25, 25],
            Self::Shade(share) => mixed([[222.0, 235.0, 247.0], [38.0, 110.0, 178.0]], share),
            Self::StillShade(share) => mixed([[236.0, 236.0, 234.0], [130.0, 130.0, 126.0]], share),
            Self::Own(Rgb(rgb)) => rgb,
        }
    }

    fn on_dark(self) -> [u8; 3] {
        match self {
            Self::Palette(place) => ON_DARK[place],
            Self::Muted(place) => MUTED_ON_DARK[place],
            Self::Paper => [26, 28, 33],
            Self::Text => [228, 228, 228],
            Self::Faint => [165, 165, 165],
            Self::Border => [150, 150, 150],
            Self::Grid => [53, 56, 63],
            Self::Scenery => [58, 60, 66],
            Self::SceneryEdge => [150, 150, 148],
            Self::Driven => [92, 76, 44],
            Self::DrivenEdge => [214, 172, 96],
            Self::Impact => [240, 240, 240],
            Self::Shade(share) => mixed([[40.0, 56.0, 76.0], [140.0, 200.0, 255.0]], share),
            Self::StillShade(share) => mixed([[48.0, 50.0, 54.0], [140.0, 140.0, 136.0]], share),
            Self::Own(Rgb(rgb)) => rgb,
        }
    }
}

fn mixed([fewest, most]: Tint, share: u8) -> [u8; 3] {
    let share = f64::from(share) / f64::from(SHADES);
    [0, 1, 2].map(|part: usize| (fewest[part] + (most[part] - fewest[part]) * share).round() as u8)
}
