//! A small picture within another one, where it covers least of it.

use glam::DVec2;

use super::canvas::{Anchor, Canvas, Inset, Label, Mark};
use super::ink::{PAPER, TEXT, faded};
use super::rect::Rect;
use super::style::Style;
use super::words::Words;

/// Between an inset and the frame, and around what is in it, pixels if captions have their usual size.
const MARGIN: f64 = 6.0;
/// How far apart lines are looked at, pixels.
const STEP: f64 = 3.0;
/// Along each side, the places at which areas are looked at.
const PROBES: usize = 6;

/// The corners of a frame, as shares of its width and height.
const CORNERS: [(f64, f64); 4] = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
/// The places of an inset.
const PLACES: [(f64, f64); 8] =
    [(1.0, 0.0), (0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.0), (0.5, 1.0), (1.0, 0.5), (0.0, 0.5)];

impl Inset {
    /// Whether a picture of this size, with the paper around it, has room in a frame, pixels.
    pub(crate) fn fits(picture: DVec2, frame: DVec2, style: Style) -> bool {
        (picture + 4.0 * style.scaled(MARGIN)).cmple(frame).all()
    }
}

impl Canvas {
    /// Draws what stands within frames when all else is drawn: the inset, if there is one, and the letters of the
    /// panels from `first` on.
    pub(crate) fn place_insets(&mut self, first: Option<char>) {
        let frames: Vec<Rect> = self.scales.iter().map(|scales| scales.rect).collect();
        let mut taken = Vec::new();
        if let Some(Inset { picture, within }) = self.inset.take() {
            // Of several frames the first.
            let within = frames.first().map_or(within, |rect| *rect);
            taken.push(self.place(&picture, within, (&PLACES, &[])));
        }
        for (within, letter) in frames.into_iter().zip(first.into_iter().flat_map(|first| first..='z')) {
            let words = Words::from(format!("({letter})"));
            let size = self.style.label_size;
            let mut picture = Self::new(self.style, DVec2::new(words.width(size), 0.8 * size));
            let (at, anchor) = (DVec2::new(0.0, 0.75 * size), Anchor::Start);
            picture.begin_around(&format!("letter: {letter}"));
            picture.push(Mark::Label(Label { words, at, size, color: TEXT, anchor, upwards: false }));
            self.place(&picture, within, (&CORNERS, &taken));
        }
    }

    /// Draws a picture in a frame, at the place where it covers least of the data and nothing of what is `taken`; of
    /// equal ones at the first.
    fn place(&mut self, picture: &Self, within: Rect, (places, taken): (&[(f64, f64)], &[Rect])) -> Rect {
        let margin = DVec2::splat(self.style.scaled(MARGIN));
        let size = picture.size + 2.0 * margin;
        let room = within.size() - size - 2.0 * margin;
        let rect = |&(x, y): &(f64, f64)| {
            let min = within.min + margin + room * DVec2::new(x, y);
            Rect { min, max: min + size }
        };
        let data: Vec<&Mark> = self.data().flat_map(|(_, range)| &self.marks[range]).collect();
        let cost = |rect: &Rect| match taken.iter().any(|other| rect.meets(*other)) {
            true => f64::INFINITY,
            false => data.iter().map(|mark| cost(mark, rect)).sum::<f64>(),
        };
        let rects = places.iter().map(rect);
        let best = rects.map(|rect| (cost(&rect), rect)).reduce(|best, next| if next.0 < best.0 { next } else { best });
        let best = best.map_or(within, |(_, rect)| rect);
        self.begin_around("legend: paper");
        self.push(Mark::Area(best.corners()[..4].to_vec(), faded(PAPER, 0.85)));
        for (part, marks) in picture.parts() {
            self.begin_around(part);
            marks.iter().for_each(|mark| self.push(mark.moved(best.min + margin)));
        }
        best
    }
}

/// How much of a mark a rectangle covers: about the length of its lines and a share of its areas, pixels.
fn cost(mark: &Mark, rect: &Rect) -> f64 {
    match mark {
        Mark::Line(points, _) => points.windows(2).map(|ends| length_within([ends[0], ends[1]], rect)).sum(),
        Mark::Disc(at, radius, _) | Mark::Ring(at, radius, _) => {
            let gap = (*at - at.clamp(rect.min, rect.max)).length();
            if gap < *radius { 2.0 * radius } else { 0.0 }
        }
        Mark::Area(corners, color) => {
            let probe = |n: usize| (n as f64 + 0.5) / PROBES as f64;
            let all =
                (0..PROBES * PROBES).map(|n| rect.min + rect.size() * DVec2::new(probe(n % PROBES), probe(n / PROBES)));
            let share = all.filter(|&at| is_inside(at, corners)).count() as f64 / (PROBES * PROBES) as f64;
            share * color.alpha * rect.size().x
        }
        Mark::Label(label) => {
            let wide = label.words.width(label.size);
            let from = label.at + DVec2::new(label.anchor.begin(wide), -0.36 * label.size);
            length_within([from, from + DVec2::new(wide, 0.0)], rect)
        }
    }
}

fn length_within([from, to]: [DVec2; 2], rect: &Rect) -> f64 {
    let length = (to - from).length();
    let pieces = (length / STEP).ceil().max(1.0);
    let at = |n: f64| from.lerp(to, (n + 0.5) / pieces);
    (0..pieces as usize).filter(|&n| rect.holds(at(n as f64), 0.0)).count() as f64 * (length / pieces)
}

/// Whether a polygon has a point in it, by the crossings of a ray.
fn is_inside(at: DVec2, corners: &[DVec2]) -> bool {
    let after = corners.iter().cycle().skip(1);
    let crosses = |(a, b): &(&DVec2, &DVec2)| {
        (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    corners.iter().zip(after).filter(crosses).count() % 2 == 1
}

impl Mark {
    fn moved(&self, by: DVec2) -> Self {
        let all = |points: &[DVec2]| points.iter().map(|&at| at + by).collect();
        match self {
            Self::Line(points, stroke) => Self::Line(all(points), *stroke),
            Self::Area(points, color) => Self::Area(all(points), *color),
            Self::Disc(at, radius, color) => Self::Disc(*at + by, *radius, *color),
            Self::Ring(at, radius, stroke) => Self::Ring(*at + by, *radius, *stroke),
            Self::Label(label) => Self::Label(Label { at: label.at + by, ..label.clone() }),
        }
    }
}
