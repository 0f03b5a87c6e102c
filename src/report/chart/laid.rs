//! What is laid over the data of a plot: measured points, curves from elsewhere, formulas, curves of other runs.

use glam::DVec2;

use super::frame::curve_within;
use super::legend::{Entry, ring};
use crate::report::drawing::files::Seen;
use crate::report::drawing::{Canvas, Color, Dash, Ink, PALETTE, Scales, Stroke, TEXT, Words, fraction, ink};
use crate::scenario::plot::overlay::{Course, Overlay};

/// Radius of a ring, pixels on a screen.
const RADIUS: f64 = 3.2;
/// Width of a curve, pixels on a screen.
const CURVE: f64 = 1.5;
/// A distance at which nothing of a picture is, pixels.
const FAR: f64 = 1e9;
/// How many parts a formula is drawn in.
const PARTS: u32 = 500;

/// Something laid over the data.
#[derive(Debug, Clone)]
pub(crate) struct Laid {
    label: String,
    color: Color,
    /// The pattern of its lines.
    dash: Dash,
    course: Course,
    /// A place of a formula that the frame is to hold.
    held: Option<[f64; 2]>,
}

impl Laid {
    /// The overlays of a style. Curves have patterns of dashes in turn.
    pub(crate) fn all(overlays: &[Overlay]) -> Vec<Self> {
        let mut lines = 0;
        let laid = |overlay: &Overlay| {
            lines += usize::from(overlay.course.is_line());
            let color = overlay.color.map_or(TEXT, |rgb| ink(Ink::Own(rgb)));
            let (label, course) = (overlay.label.clone(), overlay.course.clone());
            Self { label, color, dash: Dash::nth(lines), course, held: None }
        };
        overlays.iter().map(laid).collect()
    }

    /// What the same plot shows of another run called `name`, the one with this index. Its curves have the colours of
    /// the plot and patterns of their own; a single one has its own colour, too.
    pub(crate) fn of_run(picture: &Canvas, name: &str, index: usize) -> Vec<Self> {
        let curves = picture.curves();
        let all = curves.len();
        let laid = |(place, seen): (usize, Seen<'_>)| Self {
            label: if all == 1 { name.to_owned() } else { format!("{}, {name}", seen.name) },
            color: if all == 1 { PALETTE[(index + 1) % PALETTE.len()] } else { seen.color },
            // Where the plot has no patterns, they distinguish the runs; elsewhere all curves differ.
            dash: Dash::nth(if picture.dashed.is_empty() { index + 1 } else { (index + 1) * all + place }),
            course: if seen.is_line { Course::Curve(seen.points) } else { Course::Points(seen.points) },
            held: None,
        };
        curves.into_iter().enumerate().map(laid).collect()
    }

    /// Its line in the legend.
    pub(crate) fn entry(&self) -> Entry {
        match self.course {
            Course::Points(_) => Entry::ring(self.color, RADIUS, Words::label(&self.label)),
            Course::Curve(_) | Course::Formula(_) => Entry::line(self.color, self.dash, Words::label(&self.label)),
        }
    }

    /// Its points; of a formula the one that the frame is to hold.
    pub(crate) fn places(&self) -> &[[f64; 2]] {
        match &self.course {
            Course::Points(points) | Course::Curve(points) => points,
            Course::Formula(_) => self.held.as_slice(),
        }
    }

    /// If it is a formula of which nothing is in a picture, makes the frame hold its value nearest to what is shown.
    /// Returns whether it did.
    pub(crate) fn reach(&mut self, picture: &Canvas) -> bool {
        let Course::Formula(formula) = &self.course else { return false };
        let Some(scales) = picture.scales.iter().find(|scales| scales.takes_more) else { return false };
        let beyond = |at: &[f64; 2]| {
            let share = fraction(scales.ends[1], at[1]);
            (-share).max(share - 1.0).max(0.0)
        };
        let places = samples(scales).map(|x| [x, formula.at(x)]);
        let drawable = places.filter(|at| at[1].is_finite() && fraction(scales.ends[1], at[1]).is_finite());
        let nearest = drawable.min_by(|a, b| beyond(a).total_cmp(&beyond(b)));
        self.held = nearest.filter(|at| beyond(at) > 0.0);
        self.held.is_some()
    }

    /// Draws it in each frame that takes such things, cut at its edge.
    pub(crate) fn draw(&self, canvas: &mut Canvas) {
        canvas.begin(&self.label);
        for scales in canvas.scales.clone().iter().filter(|scales| scales.takes_more) {
            match &self.course {
                Course::Points(points) => {
                    for place in points.iter().map(|&[x, y]| scales.place(x, y)) {
                        if scales.rect.holds(place, 0.0) {
                            ring(canvas, place, canvas.style.fine(RADIUS), self.color);
                        }
                    }
                }
                Course::Curve(points) => self.line(canvas, scales, points.iter().copied()),
                Course::Formula(formula) => {
                    self.line(canvas, scales, samples(scales).map(|x| [x, formula.at(x)]));
                }
            }
        }
    }

    fn line(&self, canvas: &mut Canvas, scales: &Scales, points: impl Iterator<Item = [f64; 2]>) {
        let stroke = Stroke { color: self.color, width: canvas.style.curve(CURVE) };
        // A place beyond all measure is none.
        let near = |place: DVec2| if place.abs().max_element() > FAR { DVec2::NAN } else { place };
        let places: Vec<DVec2> = points.map(|[x, y]| near(scales.place(x, y))).collect();
        curve_within(canvas, scales.rect, &places, (stroke, self.dash));
    }
}

/// What the residuals of a sweep ask.
#[cfg(feature = "study")]
impl Laid {
    /// What the legend calls it.
    pub(crate) fn label(&self) -> String {
        Words::label(&self.label).plain()
    }

    /// Whether it is a line, not points.
    pub(crate) fn is_line(&self) -> bool {
        self.course.is_line()
    }

    /// Where its line is at `x`: the value of the formula, or between two points of a curve.
    pub(crate) fn value(&self, x: f64) -> Option<f64> {
        match &self.course {
            Course::Points(_) => None,
            Course::Formula(formula) => Some(formula.at(x)),
            Course::Curve(points) => points.windows(2).find_map(|ends| {
                let [[left, low], [right, high]] = [ends[0], ends[1]];
                let share = if right == left { 0.0 } else { (x - left) / (right - left) };
                (0.0..=1.0).contains(&share).then_some(low + share * (high - low))
            }),
        }
    }
}

/// Values of the horizontal axis, at equal distances in the picture.
fn samples(scales: &Scales) -> impl Iterator<Item = f64> {
    let ([low, high], is_logarithmic) = scales.ends[0];
    (0..=PARTS).map(move |part| {
        let share = f64::from(part) / f64::from(PARTS);
        if is_logarithmic { low * (high / low).powf(share) } else { low + share * (high - low) }
    })
}
