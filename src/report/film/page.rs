//! The page around the pictures of a film, and the view.

use super::error::FilmError;
use super::lens::{FILL, Flat, Lens, Slant};
use super::request::{FilmRequest, FilmView};
use crate::report::chart::{Axis, Entry, Frames, Page, Setup, Span};
use crate::report::coordinates::{axis_name, plane_axes};
use crate::report::drawing::{Canvas, Dash, Rect, SCENERY_EDGE, Style, TEXT_FAINT, faded, pale};
use crate::report::motion::colour_key::Group;
use crate::report::motion::scene::Scene;
use crate::report::motion::view::sizes::half_size;
use crate::report::motion::view::{self, View, leaving};
use crate::report::oblique::camera::Camera;
use crate::report::oblique::room::Room;
use crate::report::oblique::{self, room};
use crate::report::paths::bodies::Marks;
use crate::report::paths::path::{TALL, axis, inner_size};
use crate::report::solids;
use crate::scenario::PlotStyle;
use crate::world::Named;

/// Width of a film without a requested size, and its greatest height, pixels.
const SIDE: f64 = 640.0;

/// Height of a film in which words have their usual size if its width is [`SIDE`], pixels.
const HEIGHT: f64 = 480.0;

/// Least size of words in a small film, over the usual one.
const WORDS_MIN: f64 = 0.75;

/// Width of the view around a body that is followed, over the largest width of the body.
const AROUND: f64 = 12.0;

/// Height of such a view, over its width.
const ASPECT: f64 = 0.75;

/// A page that is laid out.
pub(super) struct Laid<'a> {
    /// Title, legend and notes.
    pub(super) canvas: Canvas,
    pub(super) lens: Box<dyn Lens + 'a>,
    /// Width and height, pixels of the film.
    pub(super) size: [usize; 2],
    pub(super) marks: Marks,
}

/// Lays the page out for the chosen bodies of a scene, with one body in the middle if it is given, and with paths
/// behind bodies or without.
pub(super) fn lay_out<'a>(
    scene: &Scene<'_>,
    (chosen, groups): (&[usize], &[Group]),
    (followed, has_trails): (Option<&Named>, bool),
    request: &FilmRequest,
    mut setup: Setup<'a>,
) -> Result<Laid<'a>, FilmError> {
    let titled = setup.style.titled;
    setup.style = style(setup.style, request);
    let periods = scene.scenario.settings.space.periods;
    match request.view_of(scene.scenario) {
        FilmView::Plane(plane) => {
            let axes = plane_axes(plane);
            let whole = view::choose(scene, chosen, axes).asked(setup.asked);
            let view = followed.map_or_else(|| whole.clone(), |body| window(&whole, body, setup.asked));
            let inner = inner_size(&view);
            let planned = setup.style.planned(inner);
            let marks = Marks::choose(scene, chosen, planned.x / view.spans[0].length(), setup.style);
            // A view that moves has the labels of both ends.
            let ends = if followed.is_some() { [&whole.spans[1]; 2] } else { [&view.spans[1]; 2] };
            let labels = [ends[0].low, ends[1].high - view.spans[1].length()].map(|low| {
                let spans = [view.spans[0], Span::new(low, low + view.spans[1].length())];
                axis(&View { spans, ..view.clone() }, axes, 1, TALL * planned.y, setup)
            });
            let labels: Vec<&Axis> = labels.iter().collect();
            let mut page = page(scene, groups, &marks, request, titled);
            if titled {
                page.notes =
                    [leaving::notes(&view.leavers), solids::oblique(&scene.scenario.bodies, axes), page.notes].concat();
            }
            let frames = Frames { rigid: true, ..Frames::new(inner, &labels) };
            let (canvas, rect, size) = compose(&page, &mut setup.style, frames, request)?;
            let flat = Flat::new((view, axes, rect), axes.map(|axis| periods[axis]), setup);
            Ok(Laid { canvas, lens: Box::new(flat), size, marks })
        }
        FilmView::Oblique { azimuth, elevation } => {
            let camera = Camera::new(azimuth.unwrap_or_default(), elevation.unwrap_or_default());
            let whole = room(scene, chosen);
            let room = followed.map_or(whole, |body| room_around(whole, body));
            let inner = oblique::inner(camera, room, setup.style);
            let scale = setup.style.planned(inner).x / (room.max - room.min).max_element();
            let marks = Marks::choose(scene, chosen, scale, setup.style);
            let mut page = page(scene, groups, &marks, request, titled);
            if request.legend && has_trails {
                let label = format!("along {}, on the floor", axis_name(2));
                page.legend.push(Entry::line(faded(TEXT_FAINT, 0.45), Dash::SOLID, label));
            }
            let frames = Frames { rigid: true, ..Frames::new(inner, &[]) };
            let (canvas, rect, size) = compose(&page, &mut setup.style, frames, request)?;
            let rect = oblique::inside(rect, camera, room, setup.style);
            let slant = Slant::new((camera, room, rect), periods, setup.style);
            Ok(Laid { canvas, lens: Box::new(slant), size, marks })
        }
    }
}

/// The style of a film: its size is in pixels, and words are larger in a large film.
fn style(mut style: Style, request: &FilmRequest) -> Style {
    let size = request.size.map(|size| size.map(f64::from));
    let resolution = size.map_or(1.0, |[width, height]| (width / SIDE).min(height / HEIGHT).max(WORDS_MIN));
    // The clock stands below the title, where pictures have their subtitle.
    style.titled |= request.clock;
    style.in_pixels(size.map_or(SIDE, |[width, _]| width), size.map(|[_, height]| height), resolution)
}

/// The page with all words, the rectangle for the picture, and the size in pixels of the film.
fn compose(
    page: &Page,
    style: &mut Style,
    frames: Frames<'_>,
    request: &FilmRequest,
) -> Result<(Canvas, Rect, [usize; 2]), FilmError> {
    let asked = PlotStyle::default();
    let setup = |style| Setup::new(&asked).styled(style);
    if style.height.is_none() {
        // An even number, which encoders of films want.
        let natural = page.compose(setup(*style), frames).0.size.y;
        style.height = Some(2.0 * (0.5 * natural.min(SIDE)).ceil());
    }
    let (mut canvas, rect) = page.compose(setup(*style), frames);
    canvas.place_insets(None);
    let whole = |side: f64| (side * style.resolution()).round() as usize;
    let [width, height] = [style.width, style.height].map(|side| whole(side.unwrap_or_default()));
    let least = whole(canvas.size.y);
    if least > height && request.size.is_some() {
        return Err(FilmError::TooSmall { width, height, least });
    }
    Ok((canvas, rect, [width, height.max(least)]))
}

/// Words and legend.
fn page(scene: &Scene<'_>, groups: &[Group], marks: &Marks, request: &FilmRequest, titled: bool) -> Page {
    let mut page = Page::default();
    if titled {
        page.title.clone_from(&scene.scenario.title);
        page.notes.extend(solids::mapped(scene.still().count()));
        page.notes.extend(marks.note());
    }
    if request.legend {
        let theme = request.style.theme.unwrap_or_default();
        let entry = |group: &Group| {
            Entry::patch(pale(group.color, FILL, theme), group.color, Dash::SOLID, group.label.as_str())
        };
        page.legend.extend(groups.iter().map(entry));
        page.legend.extend(solids::entries(&scene.scenario.bodies.iter().collect::<Vec<_>>(), false));
        if scene.scenario.settings.space.periods != [None; 3] {
            page.legend.push(Entry::line(SCENERY_EDGE, Dash::DASHED, "periodic cell"));
        }
        page.legend.extend(marks.entry());
    }
    page
}

/// The view around a body that is followed, as large as the ranges that are requested.
fn window(whole: &View, body: &Named, asked: &PlotStyle) -> View {
    let length = |range: Option<[f64; 2]>| range.map(|[low, high]| high - low);
    let most = whole.spans[0].length().max(whole.spans[1].length());
    let wide = length(asked.x).unwrap_or_else(|| around(body, most));
    let spans = [wide, length(asked.y).unwrap_or(ASPECT * wide)].map(|length| Span::new(0.0, length));
    View { spans, motion: spans, leavers: Vec::new() }
}

fn room_around(whole: Room, body: &Named) -> Room {
    let wide = around(body, (whole.max - whole.min).max_element());
    let span = Span::new(0.0, wide);
    Room::new([span, span, Span::new(0.0, ASPECT * wide)])
}

/// The width of a view around a body, m; at most that of the whole. A plane has no size.
fn around(body: &Named, most: f64) -> f64 {
    let size = 2.0 * half_size(&body.shape).max_element();
    if size > 0.0 { (AROUND * size).min(most) } else { 0.5 * most }
}
