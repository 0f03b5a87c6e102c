//! Projects of the editor LDtk.
//!
//! Source: the documentation of its JSON format, <https://ldtk.io/json>. Each level is a body, with the cells of its
//! layers of the type IntGrid that have a value; levels stand where they stand in the world.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::super::beside::read_beside;
use super::super::draft::{Draft, Names};
use super::super::error::Trouble;
use super::super::lines::unmarked;
use super::super::request::ImportRequest;
use super::super::ron::number;
use super::grid::{CELLS_MAX, Grid, Scale};

const REMEDY: &str = "save the project again with LDtk, as version 1.0 or later";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Project {
    default_grid_size: f64,
    #[serde(default)]
    world_layout: Option<String>,
    #[serde(default)]
    levels: Vec<Level>,
    #[serde(default)]
    worlds: Vec<World>,
    defs: Definitions,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct World {
    world_layout: Option<String>,
    levels: Vec<Level>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Level {
    identifier: String,
    world_x: f64,
    world_y: f64,
    px_wid: f64,
    px_hei: f64,
    external_rel_path: Option<String>,
    layer_instances: Option<Vec<Layer>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layer {
    #[serde(rename = "__identifier")]
    identifier: String,
    #[serde(rename = "__type")]
    kind: String,
    #[serde(rename = "__cWid")]
    width: usize,
    #[serde(rename = "__cHei")]
    height: usize,
    #[serde(rename = "__gridSize")]
    grid_size: f64,
    #[serde(rename = "__pxTotalOffsetX")]
    offset_x: f64,
    #[serde(rename = "__pxTotalOffsetY")]
    offset_y: f64,
    #[serde(default)]
    int_grid_csv: Vec<i64>,
    #[serde(default)]
    entity_instances: Vec<Entity>,
}

#[derive(Deserialize)]
struct Entity {
    #[serde(rename = "__identifier")]
    identifier: String,
    px: [f64; 2],
}

#[derive(Deserialize)]
struct Definitions {
    layers: Vec<LayerDefinition>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LayerDefinition {
    identifier: String,
    #[serde(default)]
    int_grid_values: Vec<ValueDefinition>,
}

#[derive(Deserialize)]
struct ValueDefinition {
    value: i64,
    identifier: Option<String>,
}

pub(crate) fn read(file: &Path, bytes: &[u8], request: &ImportRequest) -> Result<Draft, Trouble> {
    let is_wrong = |error: &serde_json::Error| Trouble::json(error, "a project of LDtk");
    let mut project: Project = serde_json::from_slice(bytes).map_err(|error| is_wrong(&error))?;
    let worlds = std::mem::take(&mut project.worlds).into_iter().map(|world| (world.world_layout, world.levels));
    let alone = (project.world_layout.take(), std::mem::take(&mut project.levels));
    let mut levels = Vec::new();
    for (layout, list) in worlds.chain([alone]) {
        levels.extend(placed(list, layout.as_deref().unwrap_or_default()));
    }
    let list = levels.iter().map(|level| level.identifier.as_str()).collect::<Vec<_>>().join(", ");
    if let Some(name) = request.levels.iter().find(|&name| levels.iter().all(|level| level.identifier != *name)) {
        return Err(Trouble::new(format!("it has no level `{name}`"), format!("its levels are: {list}")));
    }
    levels.retain(|level| request.levels.is_empty() || request.levels.contains(&level.identifier));
    for level in &mut levels {
        if let (None, Some(path)) = (&level.layer_instances, &level.external_rel_path) {
            level.layer_instances = outside(file, path)?;
        }
    }
    draft(&project, &levels, request)
}

/// Levels at their places. Those in a row have none of their own.
fn placed(mut levels: Vec<Level>, layout: &str) -> Vec<Level> {
    let mut end = 0.0;
    for level in &mut levels {
        match layout {
            "LinearHorizontal" => (level.world_x, level.world_y) = (end, 0.0),
            "LinearVertical" => (level.world_x, level.world_y) = (0.0, end),
            _ => {}
        }
        end += if layout == "LinearVertical" { level.px_hei } else { level.px_wid };
    }
    levels
}

/// The layers of a level in a file of its own, below the folder of the project.
fn outside(file: &Path, path: &str) -> Result<Option<Vec<Layer>>, Trouble> {
    let bytes = read_beside(file, "the project", path)
        .map_err(|problem| Trouble::new(problem, "keep the levels beside the project").at(format!("level {path:?}")))?;
    let level: Level = serde_json::from_slice(unmarked(&bytes))
        .map_err(|error| Trouble::json(&error, "a level of LDtk").at(format!("level {path:?}")))?;
    Ok(level.layer_instances)
}

fn draft(project: &Project, levels: &[Level], request: &ImportRequest) -> Result<Draft, Trouble> {
    let scale = Scale::new(request, project.default_grid_size)?;
    let all = || levels.iter().flat_map(|level| level.layer_instances.iter().flatten());
    let grids = || all().filter(|layer| layer.kind == "IntGrid");
    let mut known: Vec<&str> = grids().map(|layer| layer.identifier.as_str()).collect();
    known.sort_unstable();
    known.dedup();
    if let Some(name) = request.layers.iter().find(|name| !known.contains(&name.as_str())) {
        let problem = format!("it has no layer `{name}` of the type IntGrid");
        return Err(Trouble::new(problem, format!("its layers of this type are: {}", known.join(", "))));
    }
    let defined = || project.defs.layers.iter().flat_map(|layer| &layer.int_grid_values);
    let is_name = |word: &String| defined().any(|value| value.identifier.as_ref() == Some(word));
    if let Some(word) = request.values.iter().find(|word| word.parse::<i64>().is_err() && !is_name(word)) {
        let remedy = format!("its values are: {}", listed(defined()));
        return Err(Trouble::new(format!("it has no value `{word}`"), remedy));
    }
    let is_chosen = |name: &str| request.layers.is_empty() || request.layers.iter().any(|asked| asked == name);
    let several = known.iter().filter(|name| is_chosen(name)).count() > 1;
    let mut draft = Draft { has_gravity: true, ..Draft::default() };
    let (mut names, mut left_out) = (Names::default(), BTreeSet::new());
    for level in levels {
        for layer in level.layer_instances.iter().flatten() {
            let offset = [level.world_x + layer.offset_x, level.world_y + layer.offset_y];
            for entity in &layer.entity_instances {
                let at = scale.shown([offset[0] + entity.px[0], offset[1] + entity.px[1]]);
                draft.missing.push(format!("entity {:?} of level {:?} at {at}", entity.identifier, level.identifier));
            }
            let Layer { identifier, kind, .. } = layer;
            match kind.as_str() {
                "IntGrid" if is_chosen(identifier) => {}
                "Entities" => continue,
                _ => {
                    left_out.insert(format!("layer {identifier:?}, of the type {kind}"));
                    continue;
                }
            }
            let path = if several { format!("/{}", layer.identifier) } else { String::new() };
            let name = names.fit(&format!("{}{path}", level.identifier), "level");
            match grid(project, layer, request)?.body(&name, [layer.grid_size; 2], offset, &scale) {
                Some(body) => draft.bodies.push(body),
                None => draft.missing.push(format!("{name:?}: it has no solid cells")),
            }
        }
    }
    if draft.bodies.is_empty() {
        let remedy = "solid cells are those of layers of the type IntGrid; choose by --level, --layer and --value";
        return Err(Trouble::new("no level has solid cells", remedy));
    }
    draft.missing.extend(left_out);
    let width = number(scale.metres(project.default_grid_size));
    draft.notes.push(format!("x to the right, z upwards; a tile is {width} m wide"));
    for layer in project.defs.layers.iter().filter(|layer| known.contains(&layer.identifier.as_str())) {
        let values = listed(layer.int_grid_values.iter());
        draft.notes.push(format!("values of {:?}: {values}; --value chooses", layer.identifier));
    }
    Ok(draft)
}

/// Values with their names, which some have not.
fn listed<'a>(values: impl Iterator<Item = &'a ValueDefinition>) -> String {
    let words = values.map(|value| match &value.identifier {
        Some(name) => format!("{} {name}", value.value),
        None => value.value.to_string(),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// The cells of a layer with the values that are asked for.
fn grid(project: &Project, layer: &Layer, request: &ImportRequest) -> Result<Grid, Trouble> {
    let wrong = |problem: String| Trouble::new(problem, REMEDY).at(format!("layer {:?}", layer.identifier));
    let count = layer.width.checked_mul(layer.height).filter(|&count| count <= CELLS_MAX);
    if count != Some(layer.int_grid_csv.len()) {
        let found = layer.int_grid_csv.len();
        return Err(wrong(format!("{} × {} cells wanted, {found} found", layer.width, layer.height)));
    }
    let defined = project.defs.layers.iter().filter(|known| known.identifier == layer.identifier);
    let defined: Vec<&ValueDefinition> = defined.flat_map(|known| &known.int_grid_values).collect();
    let value = |word: &String| {
        let named = defined.iter().find(|value| value.identifier.as_ref() == Some(word)).map(|value| value.value);
        named.or_else(|| word.parse().ok())
    };
    let values: Vec<i64> = request.values.iter().filter_map(value).collect();
    let is_solid = |value: &i64| *value != 0 && (request.values.is_empty() || values.contains(value));
    Ok(Grid { first: [0, 0], width: layer.width, solid: layer.int_grid_csv.iter().map(is_solid).collect() })
}
