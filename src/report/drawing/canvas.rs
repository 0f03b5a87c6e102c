//! A picture as a list of marks, and its two files.
//!
//! The marks are placed in fractions of a pixel and drawn twice by plotters, whose pixels are whole: for SVG on a
//! sheet ten times as large, which the viewer scales down again; for PNG on one [`PNG_GRAIN`] times as large, which is
//! averaged down to [`PNG_SCALE`]. So both are smooth, and both show the same.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use glam::DVec2;
use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Text};
use plotters::prelude::{FontTransform, ShapeStyle, TextStyle, WHITE};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::style::{Color, FONT_HEIGHT, STAND_IN, drawable, font, is_drawable};
use crate::report::error::ReportError;
use crate::scenario::text::printable::is_hidden;

/// Pixels of the PNG along one pixel of the layout, so that it stays sharp in print.
pub(crate) const PNG_SCALE: u32 = 2;
/// Pixels drawn along one pixel of the PNG.
const PNG_GRAIN: u32 = 2;
/// Units of the SVG along one pixel of the layout.
const SVG_SCALE: u32 = 10;

/// A pen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stroke {
    /// Its colour.
    pub(crate) color: Color,
    /// Its width, pixels.
    pub(crate) width: f64,
}

/// Where a text stands to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    /// The words.
    pub(crate) text: String,
    /// Where its baseline is, pixels.
    pub(crate) at: DVec2,
    /// Pixels an em.
    pub(crate) size: f64,
    /// Its colour.
    pub(crate) color: Color,
    /// How it stands to `at`.
    pub(crate) anchor: Anchor,
    /// Whether it runs upwards.
    pub(crate) upwards: bool,
}

/// One thing drawn. Coordinates are pixels from the upper left corner.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// A line through points.
    Line(Vec<DVec2>, Stroke),
    /// A filled polygon.
    Area(Vec<DVec2>, Color),
    /// A filled circle.
    Disc(DVec2, f64, Color),
    /// The outline of a circle.
    Ring(DVec2, f64, Stroke),
    /// Words.
    Label(Label),
}

/// A picture being made. Later marks cover earlier ones.
#[derive(Debug, Clone)]
pub(crate) struct Canvas {
    /// Width and height, pixels.
    pub(crate) size: (u32, u32),
    /// What is drawn.
    pub(crate) marks: Vec<Mark>,
}

/// How a backend sees the layout.
#[derive(Debug, Clone, Copy)]
struct Sheet {
    /// Its units along one pixel.
    scale: f64,
    /// The size plotters is asked for, over the size of an em in its units.
    font: f64,
    /// How far above the baseline plotters places a text, in ems.
    rise: f64,
    /// How a text is set.
    text: fn(&str) -> String,
    /// Whether a line is drawn one straight piece at a time. The bitmap backend fills the outline of a whole line
    /// as one polygon, and where the line crosses itself, such a polygon has holes.
    piecewise: bool,
}

impl Canvas {
    /// An empty white picture.
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Self { size: (width.ceil() as u32, height.ceil() as u32), marks: Vec::new() }
    }

    /// Adds a mark on top.
    pub(crate) fn push(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// The characters of its labels that the bundled typeface lacks.
    pub(crate) fn missing_characters(&self) -> impl Iterator<Item = char> + '_ {
        let texts =
            self.marks.iter().filter_map(|mark| if let Mark::Label(label) = mark { Some(&label.text) } else { None });
        texts.flat_map(|text| text.chars()).filter(|&character| !is_drawable(character))
    }

    /// Writes the picture as `<stem>.svg` and `<stem>.png` into a folder.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn write(&self, into: &Path, stem: &str) -> Result<[String; 2], ReportError> {
        let names = [format!("{stem}.svg"), format!("{stem}.png")];
        let [svg, png] = [into.join(&names[0]), into.join(&names[1])];
        let failed = |file: &Path, source| ReportError::Write { file: file.to_owned(), source };
        fs::write(&svg, self.svg()).map_err(|source| failed(&svg, source))?;
        self.png(&png).map_err(|source| failed(&png, source))?;
        Ok(names)
    }

    /// The picture as an SVG document.
    fn svg(&self) -> String {
        let (width, height) = self.size;
        let sheet = (width * SVG_SCALE, height * SVG_SCALE);
        let mut document = String::new();
        // plotters sets 1.24 times an em, and 0.76 ems below the point it is given.
        let view = Sheet { scale: f64::from(SVG_SCALE), font: 1.24, rise: 0.76, text: shown, piecewise: false };
        let drawn = self.draw(&SVGBackend::with_string(&mut document, sheet).into_drawing_area(), view);
        drawn.expect("writing to memory succeeds");
        let large = format!(r#"width="{}" height="{}""#, sheet.0, sheet.1);
        let small = format!(r#"width="{width}" height="{height}" stroke-linejoin="round" stroke-linecap="round""#);
        document.replacen(&large, &small, 1)
    }

    /// Draws large, averages, and encodes what comes out.
    fn png(&self, file: &Path) -> io::Result<()> {
        let (width, height) = (self.size.0 * PNG_SCALE, self.size.1 * PNG_SCALE);
        let sheet = (width * PNG_GRAIN, height * PNG_GRAIN);
        let mut large = vec![0; 3 * sheet.0 as usize * sheet.1 as usize];
        // plotters sets the height of the font, and half of it below the point it is given.
        let scale = f64::from(PNG_SCALE * PNG_GRAIN);
        let view = Sheet { scale, font: FONT_HEIGHT, rise: 0.5 * FONT_HEIGHT, text: drawable, piecewise: true };
        let drawn = self.draw(&BitMapBackend::with_buffer(&mut large, sheet).into_drawing_area(), view);
        drawn.expect("drawing in memory succeeds");
        let small = averaged(&large, sheet.0 as usize, PNG_GRAIN as usize);
        let mut into = BufWriter::new(File::create(file)?);
        let mut encoder = png::Encoder::new(&mut into, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Fast);
        encoder.write_header()?.write_image_data(&small)?;
        into.flush()
    }

    /// Has plotters draw every mark.
    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, plotters::coord::Shift>,
        sheet: Sheet,
    ) -> Result<(), plotters::drawing::DrawingAreaErrorKind<DB::ErrorType>> {
        area.fill(&WHITE)?;
        for mark in &self.marks {
            match mark {
                Mark::Line(points, stroke) if sheet.piecewise => {
                    for piece in pieces(points, stroke.width) {
                        area.draw(&Polygon::new(sheet.points(&piece), stroke.color))?;
                    }
                }
                Mark::Line(points, stroke) => {
                    area.draw(&PathElement::new(sheet.points(points), sheet.pen(*stroke)))?;
                }
                Mark::Area(points, color) => area.draw(&Polygon::new(sheet.points(points), *color))?,
                Mark::Disc(center, radius, color) => {
                    let style = ShapeStyle { color: *color, filled: true, stroke_width: 0 };
                    area.draw(&Circle::new(sheet.point(*center), sheet.length(*radius), style))?;
                }
                Mark::Ring(center, radius, stroke) => {
                    area.draw(&Circle::new(sheet.point(*center), sheet.length(*radius), sheet.pen(*stroke)))?;
                }
                Mark::Label(label) => {
                    area.draw(&Text::new((sheet.text)(&label.text), sheet.baseline(label), sheet.text_style(label)))?;
                }
            }
        }
        area.present()
    }
}

impl Sheet {
    fn point(self, at: DVec2) -> (i32, i32) {
        ((at.x * self.scale).round() as i32, (at.y * self.scale).round() as i32)
    }

    fn points(self, points: &[DVec2]) -> Vec<(i32, i32)> {
        points.iter().map(|&at| self.point(at)).collect()
    }

    fn length(self, length: f64) -> u32 {
        (length * self.scale).round().max(1.0) as u32
    }

    fn pen(self, stroke: Stroke) -> ShapeStyle {
        ShapeStyle { color: stroke.color, filled: false, stroke_width: self.length(stroke.width) }
    }

    /// The point that plotters has to be given for the text to stand on its baseline.
    fn baseline(self, label: &Label) -> (i32, i32) {
        let rise = self.rise * label.size;
        self.point(label.at - if label.upwards { DVec2::new(rise, 0.0) } else { DVec2::new(0.0, rise) })
    }

    fn text_style(self, label: &Label) -> TextStyle<'static> {
        let h_pos = match label.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let turn = if label.upwards { FontTransform::Rotate270 } else { FontTransform::None };
        let font = font(label.size * self.font * self.scale).transform(turn);
        TextStyle {
            font,
            color: plotters::style::Color::to_backend_color(&label.color),
            pos: Pos::new(h_pos, VPos::Top),
        }
    }
}

/// A text as a viewer of the SVG sets it in typefaces of its own: all but characters that XML forbids or that are hidden.
fn shown(text: &str) -> String {
    text.chars().map(|character| if is_hidden(character) { STAND_IN } else { character }).collect()
}

/// The straight pieces of a line `width` wide, each as a polygon that reaches a quarter width past its ends, so that
/// no notch opens at a bend.
fn pieces(points: &[DVec2], width: f64) -> impl Iterator<Item = [DVec2; 4]> + '_ {
    points.windows(2).filter(|ends| ends[0] != ends[1]).map(move |ends| {
        let along = (ends[1] - ends[0]).normalize() * (0.5 * width);
        let (across, reach) = (along.perp(), 0.5 * along);
        [ends[0] - reach + across, ends[1] + reach + across, ends[1] + reach - across, ends[0] - reach - across]
    })
}

/// An RGB picture `width` pixels wide, made smaller by averaging blocks of `grain` × `grain` pixels.
fn averaged(large: &[u8], width: usize, grain: usize) -> Vec<u8> {
    let mut small = Vec::with_capacity(large.len() / (grain * grain));
    let mut sums = vec![0_u32; 3 * width / grain];
    for rows in large.chunks_exact(3 * width * grain) {
        sums.fill(0);
        for row in rows.chunks_exact(3 * width) {
            for (index, &value) in row.iter().enumerate() {
                sums[index / (3 * grain) * 3 + index % 3] += u32::from(value);
            }
        }
        small.extend(sums.iter().map(|sum| (sum / (grain * grain) as u32) as u8));
    }
    small
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_pixels_becomes_its_mean() {
        // Two blocks of 2 × 2 pixels side by side.
        let rows = [[10, 0, 0, 20, 0, 0, 0, 8, 0, 0, 8, 0], [30, 0, 0, 40, 0, 0, 0, 8, 0, 0, 8, 4]].concat();
        assert_eq!(averaged(&rows, 4, 2), [25, 0, 0, 0, 8, 1]);
    }

    /// Every character below the surrogates, those that XML forbids and those that mean something in it.
    #[test]
    fn an_svg_is_well_formed_whatever_the_text() {
        let mut canvas = Canvas::new(100.0, 20.0);
        let text: String = (0..0xd800).chain(0xe000..0x1_1000).filter_map(char::from_u32).collect();
        let (at, size) = (DVec2::new(5.0, 15.0), 12.0);
        let color = plotters::style::RGBAColor(0, 0, 0, 1.0);
        canvas.push(Mark::Label(Label { text, at, size, color, anchor: Anchor::Start, upwards: false }));
        let svg = canvas.svg();
        let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
        let words = document.descendants().find(|node| node.has_tag_name("text")).and_then(|node| node.text()).unwrap();
        assert!(['<', '&', '>', '漢'].iter().all(|&character| words.contains(character)));
        assert!(!words.trim().chars().any(is_hidden));
    }

    #[test]
    fn what_the_typeface_lacks_is_seen() {
        let ink = |text: &str| {
            let mut canvas = Canvas::new(60.0, 30.0);
            let color = plotters::style::RGBAColor(0, 0, 0, 1.0);
            let (text, at) = (text.to_owned(), DVec2::new(10.0, 20.0));
            canvas.push(Mark::Label(Label { text, at, size: 16.0, color, anchor: Anchor::Start, upwards: false }));
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("ink.png");
            canvas.png(&file).unwrap();
            let mut reader = png::Decoder::new(io::BufReader::new(File::open(file).unwrap())).read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            pixels.iter().filter(|&&value| value < 128).count()
        };
        let stand_in = ink(&STAND_IN.to_string());
        assert!(stand_in > 100, "{stand_in}");
        for text in ["漢", "م", "\u{1f600}", "\u{1b}"] {
            assert_eq!(ink(text), stand_in, "{text:?}");
        }
        assert_ne!(ink("é"), stand_in);
    }

    #[test]
    fn a_piece_is_as_wide_as_its_pen() {
        let line = [DVec2::ZERO, DVec2::new(10.0, 0.0), DVec2::new(10.0, 0.0), DVec2::new(10.0, 5.0)];
        let pieces: Vec<_> = pieces(&line, 2.0).collect();
        assert_eq!(pieces.len(), 2, "a point drawn twice is no piece");
        assert_eq!(pieces[0][0], DVec2::new(-0.5, 1.0));
        assert_eq!(pieces[0][2], DVec2::new(10.5, -1.0));
    }
}
