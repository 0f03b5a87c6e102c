//! The settings of the whole world: gravity, space, materials, cutoffs.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use ron::value::RawValue;

use super::colors::color;
use crate::dynamics::{
    BadKnot, Friction, FrictionLength, Material, MaterialId, Materials, Pairing, Period, Restitution, Settings, Space,
};
use crate::numeric::OutOfRange;
use crate::scenario::error_kinds::Fault;
use crate::scenario::limits::MATERIALS_MAX;
use crate::scenario::numbers::Range;
use crate::scenario::plot::style::Rgb;
use crate::scenario::problem::check::{AXES, ends};
use crate::scenario::problem::syntax;
use crate::scenario::problem::{At, Entry, Report, Site};
use crate::scenario::text::locate;
use crate::scenario::text::nearest::nearest;
use crate::scenario::{names, schema};

/// The materials of a scenario by name. The material of rank 0 has no name and loses no energy.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MaterialNames {
    ranks: BTreeMap<String, MaterialId>,
    /// The material of bodies that name none.
    default: MaterialId,
    /// The colours of the materials that have one.
    colors: BTreeMap<MaterialId, Rgb>,
}

impl MaterialNames {
    /// The material of this name, if there is one.
    pub fn get(&self, name: &str) -> Option<MaterialId> {
        self.ranks.get(name).copied()
    }

    /// All names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.ranks.keys().map(String::as_str)
    }

    /// The colour of a material, if it has one.
    pub(crate) fn color(&self, material: MaterialId) -> Option<Rgb> {
        self.colors.get(&material).copied()
    }

    /// The material in the field `path` of `entry`; the default one when there is no such field.
    pub(in crate::scenario) fn find(
        &self,
        report: &mut Report<'_>,
        entry: Entry<'_>,
        path: &str,
        name: Option<&str>,
    ) -> Option<MaterialId> {
        let Some(name) = name else { return Some(self.default) };
        self.get(name).or_else(|| {
            let nearest = nearest(name, self.names()).map(str::to_owned);
            report.fail(entry, path, Fault::UnknownMaterial { found: name.to_owned(), nearest })
        })
    }
}

/// Reads the settings except the rest height, whose default depends on the bodies. A setting that is wrong gets its
/// default, so that the rest can be checked, too.
pub(crate) fn lower<'a>(top: &schema::Top<'a>, report: &mut Report<'a>) -> (Settings, MaterialNames) {
    let defaults = Settings::default();
    let (mut materials, names) = materials(top, report);
    pairs(top, &names, &mut materials, report);
    let default = default_material(top, &names, report).unwrap_or_default();
    let names = MaterialNames { default, ..names };
    let space = space(top, report).unwrap_or_default();
    report.is_planar = space.is_planar;
    let settings = Settings {
        gravity: gravity(top, report).unwrap_or_default(),
        space,
        materials,
        impacts: field("impacts", top.impacts).and_then(|entry| syntax::read(entry, report)).unwrap_or_default(),
        flurry_max: at_least_one("flurry_max", top.flurry_max, report).unwrap_or(defaults.flurry_max),
        impacts_max: at_least_one("impacts_max", top.impacts_max, report).unwrap_or(defaults.impacts_max),
        ..defaults
    };
    (settings, names)
}

/// The field of the top with the value `raw`, if the file has it.
pub(crate) fn field<'a>(name: &'static str, raw: Option<&'a RawValue>) -> Option<Entry<'a>> {
    raw.map(|raw| Entry { site: Site::Field(name), text: raw.get_ron() })
}

fn gravity<'a>(top: &schema::Top<'a>, report: &mut Report<'a>) -> Option<DVec3> {
    let entry = field("gravity", top.gravity)?;
    let value = syntax::read(entry, report)?;
    report.vector(entry, "", value)
}

/// The rest height, if the file has it.
pub(crate) fn rest_height<'a>(top: &schema::Top<'a>, report: &mut Report<'a>) -> Option<f64> {
    let entry = field("rest_height", top.rest_height)?;
    let value = syntax::read(entry, report)?;
    report.not_negative(entry, "", value)
}

pub(crate) fn at_least_one<'a>(name: &'static str, raw: Option<&'a RawValue>, report: &mut Report<'a>) -> Option<u32> {
    let entry = field(name, raw)?;
    let value: u32 = syntax::read(entry, report)?;
    report.count(entry, "", u64::from(value)).map(|_| value)
}

fn space<'a>(top: &schema::Top<'a>, report: &mut Report<'a>) -> Option<Space> {
    let entry = field("space", top.space)?;
    let space: schema::Space = syntax::read(entry, report)?;
    let is_planar = matches!(space, schema::Space::Planar { .. });
    let along_axes = |ranges: [Option<Range>; 3]| {
        [0, 1, 2].map(|axis| ranges[axis].map(|range| (range, [0, 1].map(|end| format!("{}[{end}]", AXES[axis])))))
    };
    let ranges = match space {
        schema::Space::Open => return None,
        schema::Space::Planar { x, y } => along_axes([x, y, None]),
        schema::Space::Periodic { min: Some(min), max: Some(max), x: None, y: None, z: None } => {
            [0, 1, 2].map(|axis| Some(([min[axis], max[axis]], ends("", axis))))
        }
        schema::Space::Periodic { min: None, max: None, x, y, z } if [x, y, z] != [None; 3] => along_axes([x, y, z]),
        schema::Space::Periodic { .. } => return report.fail(entry, "", Fault::UnclearPeriod),
    };
    let mut periods: [Option<Period>; 3] = [None; 3];
    for (axis, range) in ranges.into_iter().enumerate() {
        periods[axis] = range.and_then(|(range, paths)| report.range(entry, &paths, axis, range));
    }
    Some(Space { periods, is_planar })
}

fn materials<'a>(top: &schema::Top<'a>, report: &mut Report<'a>) -> (Materials, MaterialNames) {
    let mut materials = Materials::default();
    let mut known = MaterialNames::default();
    let found = top.materials.0.len();
    if found > MATERIALS_MAX {
        let (_, first) = &top.materials.0[0];
        let entry = Entry { site: Site::Field("materials"), text: first.get_ron() };
        report.add(entry, "", Fault::TooManyMaterials { found });
        return (materials, known);
    }
    for (name, raw) in &top.materials.0 {
        let text = raw.get_ron();
        let entry = Entry { site: Site::Key("materials", name), text };
        report.check_name((entry, ""), "name", names::unfit_word(name));
        let raw = syntax::read::<schema::Material>(entry, report);
        let material = raw.as_ref().and_then(|raw| material(raw, entry, report));
        let rank = materials.add(material.unwrap_or_default());
        let color = raw.and_then(|raw| color(report, entry, raw.color.as_deref())).flatten();
        known.colors.extend(color.map(|color| (rank, color)));
        if known.ranks.insert(name.clone(), rank).is_some() {
            report.add(entry, "", Fault::MaterialTwice { name: name.clone() });
        }
    }
    (materials, known)
}

/// The material of bodies that name none: that of the field, or else the one that loses no energy.
fn default_material<'a>(top: &schema::Top<'a>, names: &MaterialNames, report: &mut Report<'a>) -> Option<MaterialId> {
    let entry = field("default_material", top.default_material)?;
    let name: String = syntax::read(entry, report)?;
    names.find(report, entry, "", Some(&name))
}

fn material(raw: &schema::Material<'_>, entry: Entry<'_>, report: &mut Report<'_>) -> Option<Material> {
    let numbers = [raw.friction, raw.rolling_friction, raw.spinning_friction];
    let given = properties(Some(raw.restitution), numbers, entry, report)?;
    Some(Material {
        restitution: given.restitution?,
        friction: given.friction.unwrap_or(Friction::NONE),
        rolling_friction: given.rolling_friction.unwrap_or(FrictionLength::NONE),
        spinning_friction: given.spinning_friction.unwrap_or(FrictionLength::NONE),
    })
}

/// What a file gives of a restitution and of the three kinds of friction.
fn properties(
    restitution: Option<schema::Raw<'_>>,
    [friction, rolling, spinning]: [Option<f64>; 3],
    entry: Entry<'_>,
    report: &mut Report<'_>,
) -> Option<Pairing> {
    let restitution = restitution.map_or(Some(None), |raw| self::restitution(raw, entry, report).map(Some));
    let friction = optional(report, (entry, "friction"), friction, Friction::new);
    let rolling = optional(report, (entry, "rolling_friction"), rolling, FrictionLength::new);
    let spinning = optional(report, (entry, "spinning_friction"), spinning, FrictionLength::new);
    Some(Pairing {
        restitution: restitution?,
        friction: friction?,
        rolling_friction: rolling?,
        spinning_friction: spinning?,
    })
}

/// A number, or a law of the speed, which begins with its name.
fn restitution(raw: schema::Raw<'_>, entry: Entry<'_>, report: &mut Report<'_>) -> Option<Restitution> {
    const PATH: &str = "restitution";
    let text = raw.get_ron();
    let value = &text[locate::start(text)..];
    if !value.starts_with(char::is_alphabetic) || ["inf", "NaN"].contains(&locate::trim(text)) {
        let number = syntax::read_part((entry, PATH), text, report)?;
        return report.quantity(entry, PATH, Restitution::new(number));
    }
    match syntax::read_part((entry, PATH), text, report)? {
        schema::Law::BySpeed(knots) => {
            let law = Restitution::by_speed(knots.iter().map(|&[speed, e]| (speed, e)));
            let path = |bad: BadKnot| match knots.len() {
                0 => PATH.to_owned(),
                _ => format!("{PATH}[{}][{}]", bad.knot, bad.part),
            };
            law.map_err(|bad| report.out_of_range(entry, &path(bad), bad.allowed)).ok()
        }
        schema::Law::Viscoelastic(c) => report.quantity(entry, PATH, Restitution::viscoelastic(c)),
        schema::Law::Power { v0, exponent, max } => {
            let law = Restitution::power(v0, exponent, max);
            law.map_err(|bad| report.out_of_range(entry, &format!("{PATH}.{}", bad.quantity), bad.allowed)).ok()
        }
    }
}

/// A number that may be left out; `None` if it is present and wrong.
fn optional<T>(
    report: &mut Report<'_>,
    (entry, path): At<'_>,
    raw: Option<f64>,
    check: fn(f64) -> Result<T, OutOfRange>,
) -> Option<Option<T>> {
    raw.map_or(Some(None), |raw| report.quantity(entry, path, check(raw)).map(Some))
}

fn pairs<'a>(top: &schema::Top<'a>, names: &MaterialNames, materials: &mut Materials, report: &mut Report<'a>) {
    let mut seen = BTreeSet::new();
    for (place, raw) in top.pairs.iter().enumerate() {
        let entry = Entry { site: Site::Item("pairs", place), text: raw.get_ron() };
        let Some(pair) = syntax::read::<schema::MaterialPair>(entry, report) else { continue };
        let a = names.find(report, entry, "between[0]", Some(&pair.between.0));
        let b = names.find(report, entry, "between[1]", Some(&pair.between.1));
        let pairing = pairing(&pair, entry, report);
        let (Some(a), Some(b), Some(pairing)) = (a, b, pairing) else { continue };
        let key = (a.min(b), a.max(b));
        if !seen.insert(key) {
            let (a, b) = pair.between;
            report.add(entry, "between", Fault::PairTwice { a, b });
        }
        materials.set_pair(a, b, pairing);
    }
}

/// The properties of a pair that do not follow from its two materials; a pair without any is reported.
fn pairing(raw: &schema::MaterialPair<'_>, entry: Entry<'_>, report: &mut Report<'_>) -> Option<Pairing> {
    let numbers = [raw.friction, raw.rolling_friction, raw.spinning_friction];
    if raw.restitution.is_none() && numbers == [None; 3] {
        report.add(entry, "", Fault::EmptyPair);
    }
    properties(raw.restitution, numbers, entry, report)
}
