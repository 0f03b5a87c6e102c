//! The numbers of a picture as a table, for journals that ask for source data and for other programs.

use std::ops::Range;

use glam::DVec2;

use crate::numeric::shown;
use crate::report::drawing::canvas::{Canvas, Mark, Scales};
use crate::report::drawing::ink::{Color, Ink, SHADES};

/// The columns.
const COLUMNS: [&str; 8] = ["panel", "x_axis", "y_axis", "series", "mark", "x", "y", "shade"];
/// The last digit of a value, over the span of its axis.
const DIGITS: f64 = 1e-12;

/// A mark with its values.
struct Shape<'a> {
    mark: &'static str,
    points: &'a [DVec2],
    /// The shade of a map, from 0 to 1.
    shade: Option<f64>,
}

/// What a picture shows of one part of its subject.
#[derive(Debug)]
pub(crate) struct Seen<'a> {
    /// The name of the part.
    pub(crate) name: &'a str,
    /// Its colour.
    pub(crate) color: Color,
    /// Whether it is lines, or dots.
    pub(crate) is_line: bool,
    /// Its points, in the units of the axes.
    pub(crate) points: Vec<[f64; 2]>,
}

impl Canvas {
    /// What stands in the frames, as rows of a CSV file: a row for each point of a line, for each dot, and for each
    /// corner of an area. Values are in the units of the axes. A picture without frames has no rows.
    pub(super) fn values(&self) -> String {
        let mut table = csv::Writer::from_writer(Vec::new());
        let mut row = |fields: [&str; 8]| table.write_record(fields).expect("a vector takes all that is written");
        row(COLUMNS);
        let mut number = 0;
        for (series, Range { start: mut index, end }) in self.data() {
            while index < end {
                let (shape, next) = self.shape(index);
                index = next;
                let Some(shape) = shape else { continue };
                let Some((panel, scales)) = self.panel(shape.points) else { continue };
                number += 1;
                let [x_axis, y_axis] = scales.measures.each_ref().map(measure);
                let (panel, mark) = ((panel + 1).to_string(), format!("{} {number}", shape.mark));
                let shade = shape.shade.map_or_else(String::new, shown);
                for point in shape.points {
                    let [x, y] = scales.values_at(*point).map(digits);
                    row([&panel, &x_axis, &y_axis, series, &mark, &x, &y, &shade]);
                }
            }
        }
        let bytes = table.into_inner().expect("a vector takes all that is written");
        String::from_utf8(bytes).expect("it was written as text")
    }

    /// The lines and the dots of the subject, in the frames that take more: the name of each part with its colour, and
    /// its points. Lines are separated by points that are not a number.
    pub(crate) fn curves(&self) -> Vec<Seen<'_>> {
        let mut curves: Vec<Seen<'_>> = Vec::new();
        for (name, Range { start: mut index, end }) in self.subject() {
            while index < end {
                let first = index;
                let (shape, next) = self.shape(index);
                index = next;
                let taken = shape.as_ref().and_then(|shape| self.panel(shape.points)).filter(|(_, at)| at.takes_more);
                let (Some(shape), Some((_, scales))) = (shape, taken) else { continue };
                let is_line = shape.mark == "line";
                let color = match &self.marks[first] {
                    Mark::Line(_, stroke) | Mark::Ring(_, _, stroke) => stroke.color,
                    Mark::Disc(_, _, color) => *color,
                    Mark::Area(..) | Mark::Label(_) => continue,
                };
                let points = shape.points.iter().map(|point| scales.values_at(*point));
                match curves.last_mut().filter(|last| last.name == name && last.is_line == is_line) {
                    Some(last) => last.points.extend(is_line.then_some([f64::NAN; 2]).into_iter().chain(points)),
                    None => curves.push(Seen { name, color, is_line, points: points.collect() }),
                }
            }
        }
        curves
    }

    /// The mark with this index, and the index of the next. Dashes are one line.
    fn shape(&self, index: usize) -> (Option<Shape<'_>>, usize) {
        let of = |mark, points, shade| (Some(Shape { mark, points, shade }), index + 1);
        if let Ok(found) = self.dashed.binary_search_by_key(&index, |dashed| dashed.0) {
            let (_, end, points) = &self.dashed[found];
            return (Some(Shape { mark: "line", points, shade: None }), *end);
        }
        match &self.marks[index] {
            Mark::Line(points, _) => of("line", points, None),
            // A halo around a dot is paper.
            Mark::Disc(_, _, color) if color.ink == Ink::Paper => (None, index + 1),
            Mark::Disc(at, ..) | Mark::Ring(at, ..) => of("dot", std::slice::from_ref(at), None),
            Mark::Area(points, color) => {
                let shade = match color.ink {
                    Ink::Shade(shade) | Ink::StillShade(shade) => Some(f64::from(shade) / f64::from(SHADES)),
                    _ => None,
                };
                of("area", points, shade)
            }
            Mark::Label(_) => (None, index + 1),
        }
    }

    /// The frame in which all these points are.
    fn panel(&self, points: &[DVec2]) -> Option<(usize, &Scales)> {
        let holds = |scales: &Scales| {
            let (min, max) = (scales.rect.min - 0.5, scales.rect.max + 0.5);
            points.iter().all(|point| point.cmpge(min).all() && point.cmple(max).all())
        };
        self.scales.iter().enumerate().find(|(_, scales)| holds(scales))
    }
}

impl Scales {
    /// The values of the axes at a point of the picture; not a number where there is none.
    fn values_at(&self, point: DVec2) -> [f64; 2] {
        let share = (point - self.rect.min) / self.rect.size();
        let [x, y] = self.ends;
        [value(x, share.x), value(y, 1.0 - share.y)]
    }
}

/// The value at a share of an axis, to twelve digits: a place in a picture has rounding errors.
fn value(([low, high], logarithmic): ([f64; 2], bool), share: f64) -> f64 {
    let value = if logarithmic {
        10_f64.powf(low.log10() + share * (high.log10() - low.log10()))
    } else {
        low + share * (high - low)
    };
    let is_zero = !logarithmic && value.abs() < DIGITS * (high - low);
    let rounded = if is_zero { Ok(0.0) } else { format!("{value:.11e}").parse::<f64>() };
    rounded.unwrap_or(f64::NAN)
}

fn digits(value: f64) -> String {
    if value.is_nan() { String::new() } else { value.to_string() }
}

fn measure([quantity, unit]: &[String; 2]) -> String {
    if unit.is_empty() { quantity.clone() } else { format!("{quantity} ({unit})") }
}
