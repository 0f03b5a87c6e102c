//! The page around the frames: title above, notes below, legend to the right.

use glam::DVec2;

use super::frame::words;
use super::legend::{self, Entry};
use crate::report::drawing::canvas::{Anchor, Canvas, Label, Mark};
use crate::report::drawing::rect::Rect;
use crate::report::drawing::style::{SMALL_SIZE, TEXT_FAINT, TITLE_SIZE, text_width};

/// Room for captions and tick labels to the left of a frame, pixels.
const LEFT: f64 = 82.0;
/// Room below a frame for tick labels and caption, pixels.
const BELOW: f64 = 50.0;
/// Between the frame and the legend, pixels.
const GAP: f64 = 20.0;
/// Around everything, pixels.
const MARGIN: f64 = 18.0;
/// Height of a line of the title, pixels.
const TITLE_ROW: f64 = 22.0;
/// Height of a note, pixels.
const NOTE_ROW: f64 = 17.0;

/// What stands around the frames.
#[derive(Debug, Clone, Default)]
pub(crate) struct Page {
    /// Title of the scenario.
    pub(crate) title: String,
    /// What is seen, in a few words.
    pub(crate) subtitle: String,
    /// What is what.
    pub(crate) legend: Vec<Entry>,
    /// What the picture leaves out.
    pub(crate) notes: Vec<String>,
}

impl Page {
    /// An empty picture with title, legend and notes, and the rectangle of `inner` pixels that is left for frames.
    pub(crate) fn compose(&self, inner: DVec2) -> (Canvas, Rect) {
        let legend = legend::size(&self.legend);
        let beside = if self.legend.is_empty() { 0.0 } else { GAP + legend.x };
        let width = LEFT + inner.x + beside + MARGIN;
        let text_max = width - LEFT - MARGIN;
        let title = wrapped(&self.title, TITLE_SIZE, text_max);
        let subtitle = wrapped(&self.subtitle, SMALL_SIZE, text_max);
        let notes: Vec<_> = self.notes.iter().flat_map(|note| wrapped(note, SMALL_SIZE, text_max)).collect();
        // An empty subtitle keeps its line, so that frames stand alike.
        let lower_lines = subtitle.len().saturating_sub(1) as f64;
        let top = MARGIN + TITLE_ROW * title.len() as f64 + 30.0 + NOTE_ROW * lower_lines;
        let rect = Rect { min: DVec2::new(LEFT, top), max: DVec2::new(LEFT, top) + inner };
        let foot = rect.max.y + BELOW;
        let lowest = foot.max(rect.min.y + legend.y) + NOTE_ROW * notes.len() as f64;
        let mut canvas = Canvas::new(width, lowest + 0.5 * MARGIN);
        for (row, line) in title.iter().enumerate() {
            let at = DVec2::new(LEFT, MARGIN + TITLE_ROW * (row as f64 + 0.75));
            canvas.push(words(line, at, TITLE_SIZE, Anchor::Start, false));
        }
        for (row, line) in subtitle.iter().enumerate() {
            faint(&mut canvas, line, DVec2::new(LEFT, top - 12.0 - NOTE_ROW * (lower_lines - row as f64)));
        }
        for (row, note) in notes.iter().enumerate() {
            let above = lowest - NOTE_ROW * (notes.len() - row) as f64;
            faint(&mut canvas, note, DVec2::new(LEFT, above + SMALL_SIZE));
        }
        legend::draw(&mut canvas, &self.legend, DVec2::new(rect.max.x + GAP, rect.min.y));
        (canvas, rect)
    }
}

fn faint(canvas: &mut Canvas, text: &str, at: DVec2) {
    let (text, size) = (text.to_owned(), SMALL_SIZE);
    canvas.push(Mark::Label(Label { text, at, size, color: TEXT_FAINT, anchor: Anchor::Start, upwards: false }));
}

/// `text` in lines no wider than `width`, broken between words.
fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.extend(broken(word, size, width)),
        }
    }
    lines
}

/// A word in parts no wider than `width`: one, if it fits.
fn broken(word: &str, size: f64, width: f64) -> Vec<String> {
    let mut parts = vec![String::new()];
    for letter in word.chars() {
        let last = &parts[parts.len() - 1];
        if !last.is_empty() && text_width(&format!("{last}{letter}"), size) > width {
            parts.push(String::new());
        }
        parts.last_mut().expect("there is one from the start").push(letter);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_wider_than_the_page_is_broken_too() {
        let width = text_width("mmmmm", TITLE_SIZE) + 1.0;
        assert_eq!(wrapped("a mmmmmmm b", TITLE_SIZE, width), ["a", "mmmmm", "mm b"]);
    }

    #[test]
    fn a_long_title_is_broken_between_words() {
        let lines = wrapped("one two three four five", TITLE_SIZE, text_width("three four", TITLE_SIZE) + 1.0);
        assert_eq!(lines, ["one two", "three four", "five"]);
    }

    #[test]
    fn the_legend_stands_beside_the_frame() {
        let legend = vec![Entry::line(TEXT_FAINT, false, "a body with a name")];
        let (canvas, rect) = Page { legend, ..Page::default() }.compose(DVec2::new(300.0, 200.0));
        assert_eq!(rect.size(), DVec2::new(300.0, 200.0));
        for mark in &canvas.marks {
            if let Mark::Label(label) = mark {
                assert!(label.at.x > rect.max.x || label.text.is_empty(), "{label:?}");
            }
        }
    }
}
