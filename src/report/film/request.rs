//! The request for a film.

use crate::scenario::{Figure, Plane2, Plot, PlotStyle, Scenario};

/// Most frames per second.
pub const FPS_MAX: u32 = 100;

/// Least and greatest width and height, pixels.
pub const SIDES: (u32, u32) = (64, 4096);

/// What a film shows of a run, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct FilmRequest {
    /// Where it is seen from; `None` means as in the first plot of the scenario that shows places.
    pub view: Option<FilmView>,
    /// Seconds of the run in a second of the film; `None` means such a speed that the film lasts about eight seconds.
    pub speed: Option<f64>,
    /// The slow motion around impacts.
    pub slow: Option<Slow>,
    /// Frames per second.
    pub fps: u32,
    /// Width and height, pixels; `None` means a width of 640 and the height that the picture needs, up to 640.
    pub size: Option<[u32; 2]>,
    /// The length of the paths behind bodies, s of the run; `None` means a second of the film if bodies are few, and
    /// none otherwise.
    pub trail: Option<f64>,
    /// The body in the middle of the picture.
    pub follow: Option<String>,
    /// Whether there is a clock.
    pub clock: bool,
    /// Whether there is a legend.
    pub legend: bool,
    /// The bodies; an empty list means those of the plot that gives the view.
    pub bodies: Vec<String>,
    /// Theme, title, size of words, ranges, colours and labels. Sizes in millimetres are those of plots and not used.
    pub style: PlotStyle,
}

/// Where a film is seen from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FilmView {
    /// Along an axis: the side view in the xz or the yz plane, the plan in the xy plane.
    Plane(Plane2),
    /// Obliquely from afar; `None` means the direction of the first oblique plot of the scenario, or −60° and 25°.
    Oblique {
        /// The angle around z, from x towards y, degrees.
        azimuth: Option<f64>,
        /// The angle above the xy plane, degrees.
        elevation: Option<f64>,
    },
}

/// Slow motion around impacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slow {
    /// The factor by which the film is slower there; more than 1.
    pub factor: f64,
    /// How long before and after each impact, s of the run; `None` means a hundredth of the time that is shown.
    pub seconds: Option<f64>,
}

/// The kind of a film's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilmFormat {
    /// An animated GIF.
    Gif,
    /// An animated PNG.
    Apng,
    /// A folder with a PNG for each frame, and a table of their instants.
    Frames,
    /// H.264 in MP4, by ffmpeg.
    Mp4,
    /// VP9 in WebM, by ffmpeg.
    Webm,
}

impl FilmFormat {
    /// The ending of the name of a film. One of [`Frames`](Self::Frames) is a folder.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Gif => ".gif",
            Self::Apng => ".apng",
            Self::Frames => "_frames",
            Self::Mp4 => ".mp4",
            Self::Webm => ".webm",
        }
    }
}

impl Default for FilmRequest {
    fn default() -> Self {
        Self {
            view: None,
            speed: None,
            slow: None,
            fps: 25,
            size: None,
            trail: None,
            follow: None,
            clock: true,
            legend: true,
            bodies: Vec::new(),
            style: PlotStyle::default(),
        }
    }
}

/// Direction of an oblique view if the scenario has none, degrees.
const AZIMUTH: f64 = -60.0;
const ELEVATION: f64 = 25.0;

impl FilmRequest {
    /// The same, with what the first plot of the view gives where nothing is requested: bodies, colours, labels, ranges
    /// and theme.
    #[must_use]
    pub fn completed(mut self, scenario: &Scenario) -> Self {
        let view = self.view_of(scenario);
        let shows = |figure: &&Figure| match (&figure.plot, view) {
            (Plot::Path { plane, .. } | Plot::Strobe { plane, .. }, FilmView::Plane(wanted)) => *plane == wanted,
            (Plot::Oblique { .. }, FilmView::Oblique { .. }) => true,
            _ => false,
        };
        if let Some(figure) = scenario.plots.iter().find(shows) {
            self.style = self.style.over(&figure.style);
            if self.bodies.is_empty() {
                self.bodies = figure.plot.bodies().cloned().unwrap_or_default();
            }
        }
        self.view = Some(view);
        self
    }

    /// The view that is requested; without one that of the first plot of paths, or else of the first oblique one, or
    /// else the plane with the upward axis if there is gravity, or else the plan.
    pub(super) fn view_of(&self, scenario: &Scenario) -> FilmView {
        let flat = scenario.plots.iter().find_map(|figure| match figure.plot {
            Plot::Path { plane, .. } | Plot::Strobe { plane, .. } => Some(FilmView::Plane(plane)),
            _ => None,
        });
        let slanted = scenario.plots.iter().find_map(|figure| match figure.plot {
            Plot::Oblique { azimuth, elevation, .. } => Some([azimuth, elevation]),
            _ => None,
        });
        let is_upright = scenario.settings.gravity.z != 0.0;
        let plane = FilmView::Plane(if is_upright { Plane2::XZ } else { Plane2::XY });
        let oblique = slanted.map(|_| FilmView::Oblique { azimuth: None, elevation: None });
        match self.view.or(flat).or(oblique).unwrap_or(plane) {
            FilmView::Oblique { azimuth, elevation } => {
                let known = slanted.unwrap_or([AZIMUTH, ELEVATION]);
                FilmView::Oblique { azimuth: azimuth.or(Some(known[0])), elevation: elevation.or(Some(known[1])) }
            }
            plane => plane,
        }
    }
}
