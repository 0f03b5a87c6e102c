//! Distances around frames.

use crate::report::drawing::Style;

/// Least room at the left of a frame on a screen, over the width of the picture if that is less.
const LEFT_SHARE: f64 = 0.26;

/// Distances, pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gaps {
    /// From a frame down to the baseline of its tick labels.
    pub(crate) tick_below: f64,
    /// From a frame down to the baseline of its caption.
    pub(crate) caption_below: f64,
    /// From a frame to the next thing below.
    pub(crate) below: f64,
    /// From a frame to its tick labels at the left.
    pub(crate) tick_left: f64,
    /// From a frame to its caption at the left, without the width of tick labels.
    pub(crate) caption_left: f64,
    /// Least room at the left of a frame.
    pub(crate) left_min: f64,
    /// Around everything.
    pub(crate) margin: f64,
    /// Between frames that share an axis.
    pub(crate) between: f64,
}

impl Gaps {
    pub(crate) fn of(style: Style) -> Self {
        if style.is_print() {
            let (tick, label) = (style.small_size, style.label_size);
            let tick_below = 1.25 * tick;
            let caption_below = tick_below + 1.35 * label;
            return Self {
                tick_below,
                caption_below,
                below: caption_below + 0.35 * label,
                tick_left: 0.4 * tick,
                caption_left: 0.85 * tick,
                left_min: 0.0,
                margin: 0.9 * label,
                between: 0.7 * label,
            };
        }
        let scaled = |pixels| style.scaled(pixels);
        Self {
            tick_below: scaled(18.0),
            caption_below: scaled(38.0),
            below: scaled(50.0),
            tick_left: scaled(8.0),
            caption_left: scaled(18.0),
            left_min: scaled(82.0).min(style.width.map_or(f64::INFINITY, |width| LEFT_SHARE * width)),
            margin: 18.0,
            between: 18.0,
        }
    }

    /// The space at the left of a frame with tick labels of this width, pixels.
    pub(crate) fn left(self, style: Style, widest: f64) -> f64 {
        (self.caption_left + widest + 1.25 * style.label_size).max(self.left_min)
    }
}
