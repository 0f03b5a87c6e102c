//! A picture as a list of marks, placed in fractions of a pixel.

use std::ops::Range;

use glam::DVec2;

use super::ink::Color;
use super::rect::Rect;
use super::style::Style;
use super::typeface::{Face, is_drawable};
use super::words::{self, Words};

/// A pen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stroke {
    /// Its colour.
    pub(crate) color: Color,
    /// Its width, pixels.
    pub(crate) width: f64,
}

/// How a text is aligned to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

impl Anchor {
    /// Where a text of this width begins, from its point, pixels.
    pub(crate) fn begin(self, width: f64) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::Middle => -0.5 * width,
            Self::End => -width,
        }
    }
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Label {
    /// The words.
    pub(crate) words: Words,
    /// The point to which it is aligned, on its baseline, pixels.
    pub(crate) at: DVec2,
    /// Pixels per em.
    pub(crate) size: f64,
    /// Its colour.
    pub(crate) color: Color,
    /// How it is aligned to `at`.
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

/// A rectangle of the picture in which places stand for values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scales {
    /// Where it is, pixels.
    pub(crate) rect: Rect,
    /// Of the horizontal and of the vertical axis: the values at its two ends, and whether it is logarithmic.
    pub(crate) ends: [([f64; 2], bool); 2],
    /// The quantity of each axis and the unit of its values.
    pub(crate) measures: [[String; 2]; 2],
    /// Whether measured points and curves from elsewhere are laid over what it shows.
    pub(crate) takes_more: bool,
}

impl Scales {
    /// Where these values are; not a number where a logarithmic axis has no place for them.
    pub(crate) fn place(&self, x: f64, y: f64) -> DVec2 {
        let (size, [along, up]) = (self.rect.size(), self.ends);
        DVec2::new(self.rect.min.x + size.x * fraction(along, x), self.rect.max.y - size.y * fraction(up, y))
    }
}

/// The place of a value along an axis with these ends, which may be logarithmic: 0 at its low end, 1 at its high end. A
/// logarithmic axis has no place for values of zero or less: not a number.
pub(crate) fn fraction(([low, high], is_logarithmic): ([f64; 2], bool), value: f64) -> f64 {
    if is_logarithmic {
        let value = if value > 0.0 { value } else { f64::NAN };
        (value.log10() - low.log10()) / (high.log10() - low.log10())
    } else {
        (value - low) / (high - low).max(0.0)
    }
}

/// What is to be drawn within a frame when all else is.
#[derive(Debug, Clone)]
pub(crate) struct Inset {
    /// What it has; its upper left corner is the origin.
    pub(crate) picture: Box<Canvas>,
    /// Where it may stand, pixels.
    pub(crate) within: Rect,
}

/// A part of a picture.
#[derive(Debug, Clone)]
struct Part {
    /// The index of its first mark.
    first: usize,
    name: String,
    kind: Kind,
}

/// What a part of a picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Axes, words, a legend.
    Around,
    /// Values that are beside the subject: scenery, marks.
    Beside,
    /// Curves that the subject is compared with: theories, fits, means.
    Theory,
    /// The subject.
    Data,
}

/// A part of a picture on which values can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Read {
    /// Its place among the [parts](Canvas::parts).
    pub(crate) place: usize,
    /// Whether the subject is compared with it.
    pub(crate) is_theory: bool,
    /// Whether it has lines that are drawn in dashes.
    pub(crate) is_dashed: bool,
}

/// A picture being made. Later marks cover earlier ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Canvas {
    /// The sizes and the colours of its parts.
    pub(crate) style: Style,
    /// Width and height, pixels.
    pub(crate) size: DVec2,
    /// What is drawn.
    pub(crate) marks: Vec<Mark>,
    parts: Vec<Part>,
    /// The width of the tick labels at the left of frames, pixels, so that captions stand in one line.
    pub(crate) labels: f64,
    /// Where the legend has space for the scale of a map that is still to be drawn.
    pub(crate) scale: Option<Rect>,
    /// What is drawn within a frame when all else is.
    pub(crate) inset: Option<Inset>,
    /// Where the subtitle begins, on its baseline, pixels.
    pub(crate) subtitle: DVec2,
    /// Where values are read off.
    pub(crate) scales: Vec<Scales>,
    /// The lines that are drawn in dashes: the first of their marks, the first after them, and the whole line.
    pub(crate) dashed: Vec<(usize, usize, Vec<DVec2>)>,
    /// What it shows, in one line.
    pub(crate) title: String,
    /// What it shows, in sentences.
    pub(crate) description: String,
}

impl Canvas {
    /// An empty picture.
    pub(crate) fn new(style: Style, size: DVec2) -> Self {
        Self { style, size, ..Self::default() }
    }

    /// Adds a mark on top.
    pub(crate) fn push(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// Everything drawn from here on belongs to a part of the picture called `name`, which shows data.
    pub(crate) fn begin(&mut self, name: &str) {
        self.part(name, Kind::Data);
    }

    /// The same for a part with values that are beside the subject: scenery, marks.
    pub(crate) fn begin_beside(&mut self, name: &str) {
        self.part(name, Kind::Beside);
    }

    /// The same for a curve that the subject is compared with: a theory, a fit, a mean. The legend calls it `name`.
    pub(crate) fn begin_theory(&mut self, name: &str) {
        self.part(name, Kind::Theory);
    }

    /// The same for a part around the data: axes, words, a legend.
    pub(crate) fn begin_around(&mut self, name: &str) {
        self.part(name, Kind::Around);
    }

    fn part(&mut self, name: &str, kind: Kind) {
        self.parts.push(Part { first: self.marks.len(), name: name.to_owned(), kind });
    }

    /// The parts of the picture that have marks, in order, each with its name. Marks before the first part have no
    /// name.
    pub(crate) fn parts(&self) -> Vec<(&str, &[Mark])> {
        let first = self.parts.first().map_or(self.marks.len(), |part| part.first);
        let named = self.ranges().map(|(part, range)| (part.name.as_str(), &self.marks[range]));
        [("", &self.marks[..first])].into_iter().chain(named).filter(|(_, marks)| !marks.is_empty()).collect()
    }

    /// The parts that show values: the name of each, and the indices of its marks.
    pub(crate) fn data(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.ranges().filter(|(part, _)| part.kind != Kind::Around).map(|(part, range)| (part.name.as_str(), range))
    }

    /// The same without what is beside the subject and what it is compared with.
    pub(crate) fn subject(&self) -> impl Iterator<Item = (&str, Range<usize>)> {
        self.ranges().filter(|(part, _)| part.kind == Kind::Data).map(|(part, range)| (part.name.as_str(), range))
    }

    /// The parts that are the subject, and those that it is compared with.
    pub(crate) fn read(&self) -> impl Iterator<Item = Read> {
        let nameless = usize::from(self.parts.first().map_or(self.marks.len(), |part| part.first) > 0);
        let drawn = self.ranges().filter(|(_, range)| !range.is_empty()).enumerate();
        drawn.filter(|(_, (part, _))| matches!(part.kind, Kind::Data | Kind::Theory)).map(
            move |(place, (part, range))| {
                let is_dashed = self.dashed.iter().any(|(first, ..)| range.contains(first));
                Read { place: nameless + place, is_theory: part.kind == Kind::Theory, is_dashed }
            },
        )
    }

    fn ranges(&self) -> impl Iterator<Item = (&Part, Range<usize>)> {
        let ends = self.parts.iter().skip(1).map(|part| part.first).chain([self.marks.len()]);
        self.parts.iter().zip(ends).map(|(part, end)| (part, part.first..end))
    }

    /// The characters of its labels that the bundled typeface lacks.
    pub(crate) fn missing_characters(&self) -> impl Iterator<Item = char> + '_ {
        let texts = self.marks.iter().filter_map(|mark| match mark {
            Mark::Label(label) => Some(label.words.plain()),
            _ => None,
        });
        let characters = texts.flat_map(|text| text.chars().collect::<Vec<_>>());
        characters.filter(|&character| !is_drawable(character))
    }
}

impl Label {
    /// Its parts, each with its face and as a label of uniform style.
    pub(crate) fn parts(&self) -> Vec<(&str, Face, Self)> {
        let (parts, width) = self.words.placed(self.size);
        if let [only] = parts.as_slice() {
            return vec![(only.text, only.face, self.clone())];
        }
        let begin = self.anchor.begin(width);
        let part = |part: &words::Part<'_>| {
            let [along, drop] = [begin + part.at[0], part.at[1]];
            let by = if self.upwards { DVec2::new(drop, -along) } else { DVec2::new(along, drop) };
            Self { words: part.text.into(), at: self.at + by, size: part.size, anchor: Anchor::Start, ..self.clone() }
        };
        parts.into_iter().map(|placed| (placed.text, placed.face, part(&placed))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::drawing::dash::{Dash, patterned};
    use crate::report::drawing::ink::TEXT;
    use crate::scenario::PlotStyle;

    /// The subject and its theories are found by their places among the parts, of which empty ones have none.
    #[test]
    fn theories_are_read_beside_the_subject() {
        let line = [DVec2::ZERO, DVec2::new(90.0, 0.0)];
        let stroke = Stroke { color: TEXT, width: 1.0 };
        for is_begun in [false, true] {
            let mut canvas = Canvas::new(Style::of(&PlotStyle::default()), DVec2::splat(100.0));
            if is_begun {
                canvas.push(Mark::Line(line.to_vec(), stroke));
            }
            canvas.begin_around("axes");
            canvas.push(Mark::Line(line.to_vec(), stroke));
            canvas.begin("nothing");
            for (name, dash) in [("run", Dash::SOLID), ("law", Dash::DASHED), ("scenery", Dash::DASHED)] {
                match name {
                    "run" => canvas.begin(name),
                    "law" => canvas.begin_theory(name),
                    _ => canvas.begin_beside(name),
                }
                patterned(&mut canvas, &line, stroke, dash);
            }
            let parts = canvas.parts();
            let found: Vec<_> =
                canvas.read().map(|read| (parts[read.place].0, read.is_theory, read.is_dashed)).collect();
            assert_eq!(found, [("run", false, false), ("law", true, true)]);
            assert_eq!(canvas.subject().map(|(name, _)| name).collect::<Vec<_>>(), ["nothing", "run"]);
        }
    }
}
