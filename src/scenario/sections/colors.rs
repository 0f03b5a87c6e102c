//! Colours that a scenario gives its bodies, for plots and players. They do not affect the run.

use std::collections::BTreeMap;

use crate::dynamics::MaterialId;
use crate::scenario::mesh::Meshes;
use crate::scenario::plot::style::Rgb;
use crate::scenario::problem::{Entry, Report};
use crate::world::{Named, Timed};

/// The form of a colour, in words for messages.
pub(crate) const COLOR_WORDS: &str = "a colour, `#` and six hexadecimal digits, such as \"#0072B2\"";

/// Data that is read along with bodies.
pub(crate) struct Beside {
    pub(crate) meshes: Meshes,
    /// The colour that each body has in the file, in the order in which they are read.
    pub(crate) colors: Vec<Option<Rgb>>,
    /// The commands at the knots of courses.
    pub(crate) knots: Vec<Timed>,
}

/// The colour in the field `color` of `entry`; `None` if it is present and wrong.
pub(crate) fn color(report: &mut Report<'_>, entry: Entry<'_>, raw: Option<&str>) -> Option<Option<Rgb>> {
    let Some(text) = raw else { return Some(None) };
    text.parse().map_or_else(|_| report.refuse(entry, "color", COLOR_WORDS), |color| Some(Some(color)))
}

/// The colours of `bodies` by name: their own, or those of their materials.
pub(crate) fn by_name<'n>(
    bodies: impl Iterator<Item = &'n Named>,
    own: &[Option<Rgb>],
    of_material: impl Fn(MaterialId) -> Option<Rgb>,
) -> BTreeMap<String, Rgb> {
    let colored = bodies.zip(own).filter_map(|(named, own)| {
        let color = own.or_else(|| of_material(named.material))?;
        Some((named.name.clone(), color))
    });
    colored.collect()
}
