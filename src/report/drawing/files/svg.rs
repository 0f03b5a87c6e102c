//! A picture as an SVG document, with a group for each of its parts.
//!
//! On a screen words are text, in a typeface of the viewer. In print they are outlines, so that they look the same
//! everywhere.

use std::fmt::Write;

use glam::DVec2;
use plotters::backend::SVGBackend;
use plotters::drawing::IntoDrawingArea;

use super::glyphs::lines;
use super::sheet::Sheet;
use crate::report::drawing::canvas::{Canvas, Label, Mark};
use crate::report::drawing::style::millimetres;
use crate::report::drawing::typeface::{STAND_IN, Step, outline};
use crate::scenario::text::printable::is_hidden;

/// Units of the SVG along one pixel of the layout.
const SCALE: u32 = 10;

impl Canvas {
    /// The picture as an SVG document.
    pub(crate) fn svg(&self) -> String {
        let (width, height) = (self.size.x, self.size.y);
        let scale = f64::from(SCALE);
        let unit = |side: f64| format!("{}mm", (millimetres(side) * 1e3).round() / 1e3);
        let [wide, high] = match self.style.width {
            Some(_) => [width, height].map(unit),
            None => [width, height].map(|side| side.to_string()),
        };
        let sheet = [width, height].map(|side| (side * scale).round());
        let mut document = format!(
            "<svg width=\"{wide}\" height=\"{high}\" stroke-linejoin=\"round\" stroke-linecap=\"round\" \
             viewBox=\"0 0 {} {}\" xmlns=\"http://www.w3.org/2000/svg\">\n",
            sheet[0], sheet[1]
        );
        for (tag, text) in [("title", &self.title), ("desc", &self.description)] {
            if !text.is_empty() {
                let _ = writeln!(document, "<{tag}>{}</{tag}>", escaped(&shown(text)));
            }
        }
        document.push_str(&self.fragment(sheet, true, &[]));
        for (name, marks) in self.parts() {
            // Viewers show the title of a `g` as a tooltip, and editors list it.
            let title =
                if name.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(&shown(name))) };
            let _ = writeln!(document, "<g>{title}");
            self.group(&mut document, sheet, marks);
            document.push_str("</g>\n");
        }
        document.push_str("</svg>\n");
        document
    }

    fn group(&self, document: &mut String, sheet: [f64; 2], marks: &[Mark]) {
        let is_outlined = |mark: &Mark| self.style.is_print() && matches!(mark, Mark::Label(_));
        for run in marks.chunk_by(|a, b| is_outlined(a) == is_outlined(b)) {
            if !is_outlined(&run[0]) {
                document.push_str(&self.fragment(sheet, false, run));
                continue;
            }
            for mark in run {
                if let Mark::Label(label) = mark {
                    self.outlined(document, label);
                }
            }
        }
    }

    /// The SVG of some marks, drawn by plotters, without the document around it.
    fn fragment(&self, sheet: [f64; 2], paper: bool, marks: &[Mark]) -> String {
        let mut document = String::new();
        // plotters sets a font of 1.24 times an em, and starts 0.76 ems below the given point.
        let (theme, scale) = (self.style.theme, f64::from(SCALE));
        let view = Sheet { theme, scale, font: 1.24, rise: 0.76, text: |text, _| shown(text), piecewise: false };
        let size = (sheet[0] as u32, sheet[1] as u32);
        let drawn = view.draw(&SVGBackend::with_string(&mut document, size).into_drawing_area(), paper, marks);
        drawn.expect("writing to memory succeeds");
        let inner = document.split_once(">\n").map_or("", |(_, rest)| rest);
        inner.strip_suffix("</svg>\n").unwrap_or(inner).to_owned()
    }

    /// Words as outlines, with their text for screen readers.
    fn outlined(&self, document: &mut String, label: &Label) {
        let [red, green, blue] = label.color.ink.rgb(self.style.theme);
        let scale = f64::from(SCALE);
        let pair = |at: DVec2| format!("{:.1} {:.1}", at.x * scale, at.y * scale);
        let mut path = String::new();
        for line in lines(label) {
            for letter in &line.letters {
                for step in outline(letter.glyph, line.face) {
                    let place = |point| pair(line.place(letter, point));
                    match step {
                        Step::Move(to) => path.extend(["M", &place(to)]),
                        Step::Line(to) => path.extend(["L", &place(to)]),
                        Step::Curve(by, to) => path.extend(["Q", &place(by), " ", &place(to)]),
                    }
                }
            }
        }
        let _ = writeln!(
            document,
            "<path role=\"img\" aria-label=\"{}\" opacity=\"{}\" fill=\"#{red:02X}{green:02X}{blue:02X}\" d=\"{path}\"/>",
            escaped(&shown(&label.words.plain())),
            label.color.alpha
        );
    }
}

/// A text for typefaces of the viewer: without the characters that XML forbids, and without hidden ones.
fn shown(text: &str) -> String {
    text.chars().map(|character| if is_hidden(character) { STAND_IN } else { character }).collect()
}

/// A text with escapes for XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::drawing::canvas::Anchor;
    use crate::report::drawing::ink::TEXT;
    use crate::report::drawing::style::Style;
    use crate::scenario::PlotStyle;
    use crate::scenario::plot::style::Theme;

    /// Tests every character below the surrogates, with those that XML forbids and those with a meaning in XML.
    #[test]
    fn an_svg_is_well_formed_whatever_the_text() {
        let text: String = (0..0xd800).chain(0xe000..0x1_1000).filter_map(char::from_u32).collect();
        for theme in [Theme::Screen, Theme::Print] {
            let style = Style::of(&PlotStyle { theme: Some(theme), ..PlotStyle::default() });
            let mut canvas = Canvas::new(style, DVec2::new(100.0, 20.0));
            canvas.title.clone_from(&text);
            canvas.description.clone_from(&text);
            canvas.begin(&text);
            let (words, at, size) = (text.as_str().into(), DVec2::new(5.0, 15.0), 12.0);
            canvas.push(Mark::Label(Label { words, at, size, color: TEXT, anchor: Anchor::Start, upwards: false }));
            let svg = canvas.svg();
            let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
            for tag in ["title", "desc"].into_iter().chain((theme == Theme::Screen).then_some("text")) {
                let words = document.descendants().find(|node| node.has_tag_name(tag)).and_then(|node| node.text());
                let words = words.unwrap();
                assert!(['<', '&', '>', '漢'].iter().all(|&character| words.contains(character)), "{tag}");
                assert!(!words.trim().chars().any(is_hidden), "{tag}");
            }
            assert_eq!(document.descendants().any(|node| node.has_tag_name("text")), theme == Theme::Screen);
        }
    }
}
