//! The page around the frames: title above, notes below, legend to the right, or above where there is no room beside.

use glam::DVec2;

use super::axes::Axis;
use super::frame::{Frame, words};
use super::gaps::Gaps;
use super::laid::Laid;
use super::legend::{self, Entry, Place, Swatch};
use super::setup::Setup;
use crate::report::drawing::{Anchor, Canvas, Face, Inset, Label, Mark, Rect, Style, TEXT_FAINT, text_width};
use crate::scenario::plot::style::Legend;

/// Between the frame and the legend, pixels.
const GAP: f64 = 20.0;
/// Height of a line of the title, pixels.
const TITLE_ROW: f64 = 22.0;
/// Height of a note, pixels.
const NOTE_ROW: f64 = 17.0;
/// From the title to the frame, pixels: a subtitle of one line.
const SUBTITLE: f64 = 30.0;
/// The width of lines of words, in ems of the title, below which they begin at the margin of the picture.
const NARROW: f64 = 8.0;
/// Least width and height of frames, pixels.
const LEAST: f64 = 40.0;
/// Greatest height of a frame that has to keep its shape, over the width available.
const TALLEST: f64 = 1.3;

/// The parts of a page around the frames.
#[derive(Debug, Clone, Default)]
pub(crate) struct Page {
    /// Title of the scenario.
    pub(crate) title: String,
    /// What the picture shows, in a few words.
    pub(crate) subtitle: String,
    /// The entries of the legend.
    pub(crate) legend: Vec<Entry>,
    /// What the picture does not show, in sentences.
    pub(crate) notes: Vec<String>,
    /// The width of a column with names to the right of the frames, pixels; then a legend stands above.
    pub(crate) column: f64,
}

/// The frames of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frames<'a> {
    /// Width and height of all together on a screen, pixels.
    pub(crate) inner: DVec2,
    /// Whether the ratio of width to height has to stay.
    pub(crate) rigid: bool,
    /// Their least height if no height is requested, pixels.
    pub(crate) least: f64,
    /// Their least height in any case, pixels.
    pub(crate) floor: f64,
    /// The vertical axes of those at the left, whose labels need space.
    pub(crate) axes: &'a [&'a Axis],
}

impl<'a> Frames<'a> {
    /// Frames that take `inner` pixels on a screen, with these vertical axes at the left.
    pub(crate) const fn new(inner: DVec2, axes: &'a [&'a Axis]) -> Self {
        Self { inner, rigid: false, least: 0.0, floor: LEAST, axes }
    }

    /// The least height of frames one above the other in which no caption of an axis runs into the next frame, pixels.
    /// Each has an axis and its share of the height, without the gaps.
    pub(crate) fn stack(style: Style, frames: &[(&Axis, f64)]) -> f64 {
        let room = |&(axis, share): &(&Axis, f64)| axis.caption.width(style.label_size).max(LEAST) / share;
        let gaps = Gaps::of(style).between * frames.len().saturating_sub(1) as f64;
        frames.iter().map(room).fold(0.0, f64::max) + gaps
    }
}

/// The lines of words on a page, and the places of the parts.
struct Layout {
    title: Vec<String>,
    subtitle: Vec<String>,
    notes: Vec<String>,
    legend: Place,
    /// How wide tick labels at the left are, pixels.
    labels: f64,
    /// Leftmost place for words, pixels.
    left: f64,
    rect: Rect,
    size: DVec2,
}

impl Page {
    /// A page without names to the right of its frames.
    pub(crate) fn new(
        title: &str,
        subtitle: impl Into<String>,
        legend: Vec<Entry>,
        notes: impl IntoIterator<Item = String>,
    ) -> Self {
        let notes = notes.into_iter().collect();
        Self { title: title.to_owned(), subtitle: subtitle.into(), legend, notes, column: 0.0 }
    }

    /// A picture of this page with one frame, which takes `inner` pixels on a screen, and its grid. `x` makes the
    /// horizontal axis for a width, pixels.
    pub(crate) fn framed(
        &self,
        setup: Setup<'_>,
        (inner, y): (DVec2, Axis),
        x: impl FnOnce(f64) -> Axis,
    ) -> (Canvas, Frame) {
        let (mut canvas, rect) = self.compose(setup, Frames::new(inner, &[&y]));
        let frame = Frame { rect, x: x(rect.size().x), y };
        frame.grid(&mut canvas);
        (canvas, frame)
    }

    /// An empty picture with title, legend and notes, and the rectangle that is left for the frames.
    pub(crate) fn compose(&self, setup: Setup<'_>, frames: Frames<'_>) -> (Canvas, Rect) {
        let style = setup.style;
        let gaps = Gaps::of(style);
        let (mut outside, mut inside) = self.split(setup);
        let mut layout = self.layout(style, gaps, frames, &outside);
        // A legend that is larger than the frame stands outside.
        if !Inset::fits(legend::size(&inside, style, Place::Beside), layout.rect.size(), style) {
            outside.append(&mut inside);
            layout = self.layout(style, gaps, frames, &outside);
        }
        let Layout { rect, .. } = layout;
        let mut canvas = Canvas::new(style, layout.size);
        canvas.labels = layout.labels;
        canvas.title.clone_from(&self.title);
        let sentences = std::iter::once(format!("{}.", self.subtitle)).chain(self.notes.iter().cloned());
        canvas.description = sentences.collect::<Vec<_>>().join(" ");
        canvas.begin_around("words");
        for (row, line) in layout.title.iter().enumerate() {
            let at = DVec2::new(layout.left, gaps.margin + style.scaled(TITLE_ROW) * (row as f64 + 0.75));
            canvas.push(words(line.as_str(), at, style.title_size, Anchor::Start, false));
        }
        let above = gaps.margin + style.scaled(TITLE_ROW) * layout.title.len() as f64 + style.scaled(18.0);
        canvas.subtitle = DVec2::new(layout.left, above);
        for (row, line) in layout.subtitle.iter().enumerate() {
            faint(&mut canvas, line, DVec2::new(layout.left, above + style.scaled(NOTE_ROW) * row as f64));
        }
        let lowest = layout.size.y - 0.5 * gaps.margin;
        for (row, note) in layout.notes.iter().enumerate() {
            let above = lowest - style.scaled(NOTE_ROW) * (layout.notes.len() - row) as f64;
            faint(&mut canvas, note, DVec2::new(layout.left, above + style.small_size));
        }
        let corner = match layout.legend {
            Place::Beside => DVec2::new(rect.max.x + GAP, rect.min.y),
            Place::Above(_) => {
                DVec2::new(layout.left, rect.min.y) - DVec2::new(0.0, legend::size(&outside, style, layout.legend).y)
            }
        };
        legend::draw(&mut canvas, &outside, layout.legend, corner);
        if !inside.is_empty() {
            let mut picture = Box::new(Canvas::new(style, legend::size(&inside, style, Place::Beside)));
            legend::draw(&mut picture, &inside, Place::Beside, DVec2::ZERO);
            canvas.inset = Some(Inset { picture, within: rect });
        }
        (canvas, rect)
    }

    /// The entries of the legend outside of the frame and within it. The scale of a map is never within.
    fn split(&self, setup: Setup<'_>) -> (Vec<Entry>, Vec<Entry>) {
        let mut entries = self.legend.clone();
        entries.extend(setup.over.iter().map(Laid::entry));
        match setup.style.legend {
            None | Some(Legend::Right | Legend::Top | Legend::Direct) => (entries, Vec::new()),
            Some(place) => {
                let outside = entries.extract_if(.., |entry| entry.swatch == Swatch::Scale).collect();
                (outside, if place == Legend::Inside { entries } else { Vec::new() })
            }
        }
    }

    fn layout(&self, style: Style, gaps: Gaps, frames: Frames<'_>, entries: &[Entry]) -> Layout {
        let widest = frames.axes.iter().map(|axis| axis.widest(style.small_size)).fold(0.0, f64::max);
        let left = gaps.left(style, widest);
        let column = legend::size(entries, style, Place::Beside);
        let beside = if entries.is_empty() { 0.0 } else { GAP + column.x };
        let is_beside = self.column == 0.0 && style.is_beside(beside);
        let beside = if is_beside { beside } else { self.column };
        let width = style.width.unwrap_or(left + frames.inner.x + beside + gaps.margin);
        let mut inner = style.planned(frames.inner);
        inner.x = (width - left - beside - gaps.margin).max(LEAST);
        let legend = if is_beside { Place::Beside } else { Place::Above(inner.x) };
        let least = NARROW * style.title_size;
        let words_left = if width - left - gaps.margin < least { gaps.margin.min(left) } else { left };
        let text_max = width - words_left - gaps.margin;
        let lines = |text: &str, size| if style.titled { wrapped(text, size, text_max) } else { Vec::new() };
        let (title, subtitle) = (lines(&self.title, style.title_size), lines(&self.subtitle, style.small_size));
        let notes: Vec<_> = self.notes.iter().flat_map(|note| lines(note, style.small_size)).collect();
        // An empty subtitle keeps its line, so that frames have the same place in all pictures.
        let lower_lines = subtitle.len().saturating_sub(1) as f64;
        let words = style.scaled(TITLE_ROW * title.len() as f64 + SUBTITLE + NOTE_ROW * lower_lines);
        let row = legend::size(entries, style, legend);
        let above = if is_beside { 0.0 } else { row.y };
        let top = gaps.margin + if style.titled { words } else { 0.0 } + above;
        let below = gaps.below + style.scaled(NOTE_ROW) * notes.len() as f64 + 0.5 * gaps.margin;
        inner.y = style.height.map_or(inner.y.max(frames.least), |height| height - top - below).max(frames.floor);
        let room = inner.x;
        if style.width.is_none() && style.height.is_none() {
            inner = frames.inner;
        } else if frames.rigid {
            let high = style.height.map_or(TALLEST * room, |_| inner.y);
            inner = frames.inner * (room / frames.inner.x).min(high / frames.inner.y);
        }
        // A frame that is narrower than the page is centred.
        let min = DVec2::new(left + 0.5 * if style.width.is_some() { room - inner.x } else { 0.0 }, top);
        let rect = Rect { min, max: min + inner };
        let foot = (rect.max.y + gaps.below).max(if is_beside { rect.min.y + column.y } else { 0.0 });
        let high = foot + style.scaled(NOTE_ROW) * notes.len() as f64 + 0.5 * gaps.margin;
        // Half a pixel is more than all rounding errors.
        let size =
            DVec2::new(width, style.height.map_or(high, |height| if high > height + 0.5 { high } else { height }));
        let size = if style.width.is_none() { size.ceil() } else { size };
        Layout { title, subtitle, notes, legend, labels: widest, left: words_left, rect, size }
    }
}

fn faint(canvas: &mut Canvas, text: &str, at: DVec2) {
    let (words, size) = (text.into(), canvas.style.small_size);
    canvas.push(Mark::Label(Label { words, at, size, color: TEXT_FAINT, anchor: Anchor::Start, upwards: false }));
}

/// `text` in lines no wider than `width`, broken between words.
fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), Face::Upright, size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.extend(broken(word, size, width)),
        }
    }
    lines
}

/// A word in parts no wider than `width`; a single part if it fits.
fn broken(word: &str, size: f64, width: f64) -> Vec<String> {
    let mut parts = vec![String::new()];
    for letter in word.chars() {
        let last = &parts[parts.len() - 1];
        if !last.is_empty() && text_width(&format!("{last}{letter}"), Face::Upright, size) > width {
            parts.push(String::new());
        }
        parts.last_mut().expect("there is one from the start").push(letter);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::drawing::Dash;
    use crate::scenario::PlotStyle;
    use crate::scenario::plot::style::{Theme, Width};

    const TITLE_SIZE: f64 = 17.0;

    #[test]
    fn a_word_wider_than_the_page_is_broken_too() {
        let width = text_width("mmmmm", Face::Upright, TITLE_SIZE) + 1.0;
        assert_eq!(wrapped("a mmmmmmm b", TITLE_SIZE, width), ["a", "mmmmm", "mm b"]);
    }

    #[test]
    fn a_long_title_is_broken_between_words() {
        let lines =
            wrapped("one two three four five", TITLE_SIZE, text_width("three four", Face::Upright, TITLE_SIZE) + 1.0);
        assert_eq!(lines, ["one two", "three four", "five"]);
    }

    #[test]
    fn the_legend_stands_beside_the_frame() {
        let legend = vec![Entry::line(TEXT_FAINT, Dash::SOLID, "a body with a name")];
        let frames = Frames::new(DVec2::new(300.0, 200.0), &[]);
        let page = Page { legend, ..Page::default() };
        let (canvas, rect) = page.compose(Setup::new(&PlotStyle::default()), frames);
        assert_eq!(rect.size(), DVec2::new(300.0, 200.0));
        for mark in &canvas.marks {
            if let Mark::Label(label) = mark {
                assert!(label.at.x > rect.max.x, "{label:?}");
            }
        }
    }

    #[test]
    fn a_page_has_the_size_that_is_asked_for() {
        let legend: Vec<_> = (0..9).map(|_| Entry::line(TEXT_FAINT, Dash::SOLID, "a body with a name")).collect();
        let page = Page { legend, title: "A title".to_owned(), ..Page::default() };
        for theme in [Theme::Screen, Theme::Dark, Theme::Print] {
            for (width, height, rigid) in [(60.0, 50.0, false), (85.0, 70.0, true), (178.0, 120.0, false)] {
                let (theme, width) = (Some(theme), Some(Width::Mm(width)));
                let asked = PlotStyle { theme, width, height: Some(height), ..PlotStyle::default() };
                let setup = Setup::new(&asked);
                let style = setup.style;
                let frames = Frames { rigid, ..Frames::new(DVec2::new(720.0, 400.0), &[]) };
                let (canvas, rect) = page.compose(setup, frames);
                assert_eq!(canvas.size.x, style.width.unwrap());
                assert!(canvas.size.y == style.height.unwrap() || rect.size().y <= LEAST, "{:?}", canvas.size);
                assert!(rect.min.cmpge(DVec2::ZERO).all() && rect.max.cmple(canvas.size).all(), "{rect:?}");
                if rigid {
                    assert!((rect.size().x / rect.size().y - 1.8).abs() < 1e-9);
                }
            }
        }
    }
}
