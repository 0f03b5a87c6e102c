//! Drawing the plots that a scenario asks for.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::chart::{Laid, Setup, Span};
use super::coordinates::{axis_index, axis_name, plane_axes};
use super::diagrams::{boundary_map, passages, phase, separation, space_time, speed, strobe};
use super::drawing::Canvas;
use super::error::ReportError;
use super::events::{event_counts, impacts, impacts_by_body};
use super::gas_structure::{autocorrelation, displacement, radial, speeds, speeds_by_kind};
use super::motion::scene::Scene;
use super::oblique::{self, Camera};
use super::paths::{concentration, height, path};
use super::{energy, gas, profile};
use crate::record::tables::read::ReadError;
use crate::scenario::{EventLog, Figure, Plane2, Plot, PlotStyle, Scenario};

/// What was drawn.
#[derive(Debug, Default)]
pub struct Drawn {
    /// The names of the files, in the order in which they were written.
    pub files: Vec<PathBuf>,
    /// The characters in the pictures that the bundled typeface lacks, in order. A PNG, a PDF and any picture for print
    /// show each as a rhombus with a question mark, �. An SVG for a screen contains the characters themselves, for the
    /// typefaces of its viewer.
    pub missing: BTreeSet<char>,
    /// The plots that could not be drawn, by the names of their files without endings, and why.
    pub failures: Vec<(String, ReportError)>,
}

/// Draws every plot that `scenario` asks for from the tables in `folder`, into the folder `into`.
///
/// Each plot becomes a file of each format that its style has, such as `path_xz.svg` and `path_xz.png`; the second of a
/// kind is called `path_xz_2`. `into` must exist. A plot that cannot be drawn does not stand in the way of the others.
///
/// # Errors
/// [`ReportError`] when a table cannot be read or a picture cannot be written; some pictures may exist then.
pub fn draw(scenario: &Scenario, folder: &Path, into: &Path) -> Result<Drawn, ReportError> {
    draw_only(&stems(scenario), scenario, folder, into)
}

/// Draws only the plots whose files have these `names`, without their endings.
///
/// # Errors
/// [`ReportError`], as for [`draw`].
pub fn draw_only(names: &[String], scenario: &Scenario, folder: &Path, into: &Path) -> Result<Drawn, ReportError> {
    draw_watched(names, scenario, [folder, into], &[], &|_, _| ())
}

/// The same, from the first folder into the second. Curves of `others` are laid over those of the run. `watch` is told
/// how many plots are drawn, and of how many, by any thread.
///
/// # Errors
/// [`ReportError`], as for [`draw`].
pub fn draw_watched(
    names: &[String],
    scenario: &Scenario,
    [folder, into]: [&Path; 2],
    others: &[OtherRun],
    watch: &(dyn Fn(usize, usize) + Sync),
) -> Result<Drawn, ReportError> {
    let whole = scenario.with_all_bodies();
    let wholes: Vec<_> = others.iter().map(|other| (other, other.scenario.with_all_bodies())).collect();
    let drawing = Drawing::new(&whole, folder).beside(&wholes);
    let asked = scenario.plots.iter().zip(stems(scenario)).filter(|(_, stem)| names.contains(stem));
    let (figures, stems): (Vec<&Figure>, Vec<String>) = asked.unzip();
    let done = AtomicUsize::new(0);
    watch(0, figures.len());
    let results = drawing.each(&figures, |index| {
        let figure = figures[index];
        let one =
            catch_unwind(AssertUnwindSafe(|| written(&drawing.canvas(figure)?, (into, &stems[index]), &figure.style)));
        watch(done.fetch_add(1, Ordering::Relaxed) + 1, figures.len());
        one.unwrap_or(Err(ReportError::Panicked))
    });
    let mut drawn = Drawn::default();
    for (stem, result) in stems.into_iter().zip(results) {
        match result {
            Ok(one) => drawn.add(one),
            Err(error @ (ReportError::TooLarge { .. } | ReportError::Panicked)) => drawn.failures.push((stem, error)),
            Err(error) => return Err(error),
        }
    }
    Ok(drawn)
}

impl Drawn {
    /// Adds what one more picture has.
    pub(super) fn add(&mut self, one: Self) {
        self.files.extend(one.files);
        self.missing.extend(one.missing);
        self.failures.extend(one.failures);
    }
}

/// Writes a picture into a folder, as files of this name without an ending.
pub(super) fn written(canvas: &Canvas, (into, stem): (&Path, &str), style: &PlotStyle) -> Result<Drawn, ReportError> {
    let files = canvas.write(into, stem, style.files())?;
    let (files, missing) = (files.into_iter().map(PathBuf::from).collect(), canvas.missing_characters().collect());
    Ok(Drawn { files, missing, failures: Vec::new() })
}

/// The names of the files of each plot of `scenario` without their endings, in order.
pub fn stems(scenario: &Scenario) -> Vec<String> {
    numbered(scenario.plots.iter().map(|figure| stem(&figure.plot)))
}

/// Another run, whose curves are drawn beside those of a run.
#[derive(Debug)]
pub struct OtherRun {
    /// What the legend calls it, unless a plot has another label for this name.
    pub name: String,
    /// Its scenario.
    pub scenario: Scenario,
    /// The folder with its tables.
    pub folder: PathBuf,
}

/// A run whose plots are drawn.
pub(crate) struct Drawing<'a> {
    scenario: &'a Scenario,
    folder: &'a Path,
    /// Other runs by their names, whose curves are laid over its own.
    others: Vec<(&'a str, Self)>,
    /// The data that plots of motion share; read for the first such plot.
    scene: OnceLock<Scene<'a>>,
}

impl<'a> Drawing<'a> {
    /// The run that left its tables in `folder`; `scenario` has all its bodies in one list.
    pub(crate) fn new(scenario: &'a Scenario, folder: &'a Path) -> Self {
        Self { scenario, folder, others: Vec::new(), scene: OnceLock::new() }
    }

    /// The same with the curves of other runs laid over its own.
    pub(crate) fn beside(self, others: &'a [(&OtherRun, Cow<'_, Scenario>)]) -> Self {
        let others = others.iter().map(|(other, whole)| (other.name.as_str(), Self::new(whole, &other.folder)));
        Self { others: others.collect(), ..self }
    }

    /// Calls `make` with the index of each figure, on all cores, and returns the results in order. Those that need the
    /// scene begin when it has been read; what fails then fails again where it is needed.
    pub(crate) fn each<T: Send + Sync>(&self, figures: &[&Figure], make: impl Fn(usize) -> T + Sync) -> Vec<T> {
        let results: Vec<OnceLock<T>> = figures.iter().map(|_| OnceLock::new()).collect();
        let (scenic, others): (Vec<usize>, Vec<usize>) =
            (0..figures.len()).partition(|&index| needs_scene(&figures[index].plot, self.scenario));
        let make = |index: usize| results[index].get_or_init(|| make(index));
        rayon::scope_fifo(|scope| {
            if !scenic.is_empty() {
                scope.spawn_fifo(|scope| {
                    let _ = catch_unwind(AssertUnwindSafe(|| self.scene().is_ok()));
                    scenic.iter().for_each(|&index| scope.spawn_fifo(move |_| _ = make(index)));
                });
            }
            others.iter().for_each(|&index| scope.spawn_fifo(move |_| _ = make(index)));
        });
        results.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    /// The picture of a plot, with what is laid over it.
    pub(crate) fn canvas(&self, figure: &Figure) -> Result<Canvas, ReportError> {
        let mut over = Laid::all(&figure.style.over);
        if !self.others.is_empty() {
            let bare = Figure { style: PlotStyle { over: Vec::new(), ..figure.style.clone() }, ..figure.clone() };
            for (index, (name, other)) in self.others.iter().enumerate() {
                let label = Setup::new(&figure.style).label(name).to_owned();
                over.extend(Laid::of_run(&other.picture(&bare, &[], true)?, &label, index));
            }
        }
        let mut canvas = self.picture(figure, &over, false)?;
        // Only a picture tells whether a formula is seen in it.
        let unseen = over.iter_mut().filter_map(|laid| laid.reach(&canvas).then_some(())).count();
        if unseen > 0 {
            canvas = self.picture(figure, &over, false)?;
        }
        over.iter().for_each(|laid| laid.draw(&mut canvas));
        canvas.place_insets(figure.style.letter);
        Ok(canvas)
    }

    /// The picture of a plot with room for what is laid over it; or, as a guest, one whose curves are laid over
    /// another.
    fn picture(&self, figure: &Figure, over: &[Laid], is_guest: bool) -> Result<Canvas, ReportError> {
        let (scenario, folder) = (self.scenario, self.folder);
        let setup = Setup::new(&figure.style).of_scenario(scenario).shared(over, is_guest);
        let scene = || self.scene().map(|scene| shown(scene, setup));
        Ok(match &figure.plot {
            Plot::Path { plane, bodies } => path::draw(&*scene()?, *plane, bodies, setup)?,
            Plot::Height { axis, bodies } => height::draw(&*scene()?, *axis, bodies, setup)?,
            Plot::Strobe { plane, every, bodies } => strobe::draw(&*scene()?, (*plane, *every), bodies, setup),
            Plot::SpaceTime { axis, bodies } => space_time::draw(&*scene()?, *axis, bodies, setup),
            Plot::Speed { bodies } => speed::draw(&*scene()?, bodies, setup)?,
            Plot::Phase { axis, bodies } => phase::draw(&*scene()?, *axis, bodies, setup),
            Plot::Passages { bodies } => passages::draw(scenario, (folder, scene()?.end.seconds()), bodies, setup)?,
            Plot::Separation { plane, bodies } => separation::draw(&*scene()?, *plane, bodies, setup),
            Plot::BoundaryMap { bodies } => boundary_map::draw(&*scene()?, bodies, setup),
            Plot::Concentration { axis, bodies } => concentration::draw(&*scene()?, *axis, bodies, setup)?,
            Plot::Energy => energy::draw(scenario, folder, setup)?,
            Plot::Oblique { azimuth, elevation, every, bodies } => {
                oblique::draw(&*scene()?, (Camera::new(*azimuth, *elevation), *every), bodies, setup)
            }
            Plot::RadialDistribution { bodies } => radial::draw(&*scene()?, bodies, setup)?,
            Plot::Displacement { bodies } => displacement::draw(&*scene()?, folder, bodies, setup)?,
            Plot::Autocorrelation { bodies } => autocorrelation::draw(&*scene()?, folder, bodies, setup)?,
            Plot::Impacts { bodies } => match scenario.record.events {
                EventLog::All if bodies.is_empty() => impacts::draw(scenario, folder, setup)?,
                EventLog::All => impacts_by_body::draw(scenario, folder, bodies, setup)?,
                EventLog::Counted => event_counts::draw(scenario, folder, setup)?,
            },
            Plot::Gas => gas::draw(scenario, folder, setup)?,
            // The plot of one kind is drawn from its own table alone.
            Plot::Speeds if needs_scene(&figure.plot, scenario) && speeds_by_kind::several(self.scene()?, setup) => {
                speeds_by_kind::draw(self.scene()?, folder, setup)?
            }
            Plot::Speeds => speeds::draw(scenario, folder, setup)?,
            Plot::Profile => profile::draw(scenario, folder, setup)?,
        })
    }

    fn scene(&self) -> Result<&Scene<'a>, ReadError> {
        if let Some(scene) = self.scene.get() {
            return Ok(scene);
        }
        let scene = Scene::gather(self.scenario, self.folder)?;
        Ok(self.scene.get_or_init(|| scene))
    }
}

/// Whether a plot is made from the data that plots of motion share.
fn needs_scene(plot: &Plot, scenario: &Scenario) -> bool {
    match plot {
        Plot::Energy | Plot::Impacts { .. } | Plot::Gas | Plot::Profile => false,
        Plot::Speeds => speeds_by_kind::may_be_several(scenario),
        _ => true,
    }
}

/// The part of a run that a plot shows.
fn shown<'s, 'a>(scene: &'s Scene<'a>, setup: Setup<'_>) -> Cow<'s, Scene<'a>> {
    match setup.asked.time {
        Some([low, high]) => Cow::Owned(scene.within(Span::new(low, high))),
        None => Cow::Borrowed(scene),
    }
}

/// The names of the files of plots of these kinds: the kind, and from the second plot of a kind on also its number.
pub(super) fn numbered(kinds: impl Iterator<Item = String>) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let name = |kind: String| {
        let count = counts.entry(kind.clone()).or_default();
        *count += 1;
        if *count == 1 { kind } else { format!("{kind}_{count}") }
    };
    kinds.map(name).collect()
}

fn stem(plot: &Plot) -> String {
    match plot {
        Plot::Path { plane, .. } => format!("path_{}", plane_name(*plane)),
        Plot::Height { axis, .. } => format!("height_{}", axis_name(axis_index(*axis))),
        Plot::Strobe { plane, .. } => format!("strobe_{}", plane_name(*plane)),
        Plot::SpaceTime { axis, .. } => format!("space_time_{}", axis_name(axis_index(*axis))),
        Plot::Speed { .. } => "speed".to_owned(),
        Plot::Phase { axis, .. } => format!("phase_{}", axis_name(axis_index(*axis))),
        Plot::Passages { .. } => "passages".to_owned(),
        Plot::Separation { .. } => "separation".to_owned(),
        Plot::BoundaryMap { .. } => "boundary_map".to_owned(),
        Plot::Concentration { axis, .. } => format!("concentration_{}", axis_name(axis_index(*axis))),
        Plot::Energy => "energy".to_owned(),
        Plot::Impacts { .. } => "impacts".to_owned(),
        Plot::Oblique { .. } => "oblique".to_owned(),
        Plot::RadialDistribution { .. } => "radial_distribution".to_owned(),
        Plot::Displacement { .. } => "displacement".to_owned(),
        Plot::Autocorrelation { .. } => "autocorrelation".to_owned(),
        Plot::Gas => "gas".to_owned(),
        Plot::Speeds => "speeds".to_owned(),
        Plot::Profile => "profile".to_owned(),
    }
}

fn plane_name(plane: Plane2) -> String {
    plane_axes(plane).map(axis_name).concat()
}
