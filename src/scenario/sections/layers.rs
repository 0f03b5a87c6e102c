//! Layers by name, which decide which bodies collide.

use super::settings;
use crate::dynamics::Layers;
use crate::scenario::error_kinds::Fault;
use crate::scenario::limits::LAYERS_MAX;
use crate::scenario::names;
use crate::scenario::problem::syntax;
use crate::scenario::problem::{Entry, Report};
use crate::scenario::schema;
use crate::scenario::text::nearest::nearest;

/// The layer of bodies that name none.
const DEFAULT: &str = "default";

/// The names of the layers of a scenario. The first is `default`, which is always there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerNames {
    names: Vec<String>,
}

impl Default for LayerNames {
    /// Only `default`.
    fn default() -> Self {
        Self { names: vec![DEFAULT.to_owned()] }
    }
}

impl LayerNames {
    /// The set of this one layer, or `None` if no layer has this name.
    pub fn find(&self, name: &str) -> Option<Layers> {
        self.names.iter().position(|known| known == name).map(Layers::one)
    }

    /// The most similar name of a layer, if one is similar enough to have been meant.
    #[doc(hidden)]
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.names.iter().map(String::as_str))
    }

    /// All names, `default` first, then in the order of the file. The index of a name is the number of its layer.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Reads the list at the top of a scenario.
    pub(in crate::scenario) fn lower<'a>(top: &schema::Top<'a>, report: &mut Report<'a>) -> Self {
        let mut layers = Self::default();
        let Some(entry) = settings::field("layers", top.layers) else { return layers };
        let given: Vec<String> = syntax::read(entry, report).unwrap_or_default();
        if given.len() > LAYERS_MAX {
            report.add(entry, "", Fault::TooManyLayers { found: given.len() });
            return layers;
        }
        for (place, name) in given.into_iter().enumerate() {
            let path = format!("[{place}]");
            if let Some(must) = names::unfit(&name) {
                report.add(entry, &path, Fault::UnfitName { what: "name", must });
            } else if layers.find(&name).is_some() {
                report.add(entry, &path, Fault::LayerTwice { name });
            } else {
                layers.names.push(name);
            }
        }
        layers
    }

    /// The layer that the field `layer` of `entry` names.
    pub(in crate::scenario) fn own(
        &self,
        report: &mut Report<'_>,
        entry: Entry<'_>,
        name: Option<&str>,
    ) -> Option<Layers> {
        name.map_or(Some(Layers::FIRST), |name| self.known(report, entry, "layer", name))
    }

    /// The layers that the field `collides_with` of `entry` names; all when there is no such field.
    pub(in crate::scenario) fn others(
        &self,
        report: &mut Report<'_>,
        entry: Entry<'_>,
        names: Option<&[String]>,
    ) -> Option<Layers> {
        let Some(names) = names else { return Some(Layers::ALL) };
        let mut all = Some(Layers::NONE);
        for (place, name) in names.iter().enumerate() {
            let one = self.known(report, entry, &format!("collides_with[{place}]"), name);
            all = all.zip(one).map(|(all, one)| all.and(one));
        }
        all
    }

    fn known(&self, report: &mut Report<'_>, entry: Entry<'_>, path: &str, name: &str) -> Option<Layers> {
        self.find(name).or_else(|| {
            let nearest = self.nearest(name).map(str::to_owned);
            report.fail(entry, path, Fault::UnknownLayer { found: name.to_owned(), nearest })
        })
    }
}
