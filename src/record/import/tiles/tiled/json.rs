//! Maps as JSON.

use serde::Deserialize;
use serde_json::Value;

use super::super::super::error::Trouble;
use super::cells::{Chunk, chunk, decoded, grid};
use super::model::{Content, Form, Layer, Map, Object, REMEDY, Tileset, pivot, says_solid};
use crate::numeric::quantity::is_moderate;

#[derive(Deserialize)]
struct RawMap {
    #[serde(default)]
    orientation: Option<String>,
    tilewidth: f64,
    tileheight: f64,
    layers: Vec<RawLayer>,
    #[serde(default)]
    tilesets: Vec<RawTileset>,
}

#[derive(Deserialize)]
struct RawTileset {
    firstgid: u32,
    source: Option<String>,
    #[serde(default)]
    objectalignment: String,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct RawLayer {
    name: String,
    r#type: String,
    offsetx: f64,
    offsety: f64,
    width: usize,
    height: usize,
    data: Option<Cells>,
    encoding: Option<String>,
    compression: String,
    chunks: Option<Vec<RawChunk>>,
    layers: Vec<RawLayer>,
    objects: Vec<RawObject>,
    properties: Vec<Property>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Cells {
    Numbers(Vec<u32>),
    Text(String),
}

#[derive(Deserialize)]
struct RawChunk {
    x: i64,
    y: i64,
    width: usize,
    height: usize,
    data: Cells,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawObject {
    id: u64,
    name: String,
    class: Option<String>,
    r#type: String,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    rotation: f64,
    gid: Option<u32>,
    template: Option<String>,
    ellipse: bool,
    point: bool,
    capsule: bool,
    polygon: Option<Value>,
    polyline: Option<Value>,
    text: Option<Value>,
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    value: Value,
}

pub(super) fn read(text: &str) -> Result<Map, Trouble> {
    let raw: RawMap = serde_json::from_str(text).map_err(|error| Trouble::json(&error, "a map of Tiled"))?;
    let mut layers = Vec::new();
    push_layers(raw.layers, "", [0.0; 2], &mut layers)?;
    let orientation = raw.orientation.unwrap_or_else(|| "orthogonal".to_owned());
    let tilesets = raw
        .tilesets
        .into_iter()
        .map(|raw| Tileset { first: raw.firstgid, pivot: raw.source.is_none().then(|| pivot(&raw.objectalignment)) });
    Ok(Map { orientation, tile: [raw.tilewidth, raw.tileheight], tilesets: tilesets.collect(), layers })
}

fn push_layers(raw: Vec<RawLayer>, path: &str, offset: [f64; 2], layers: &mut Vec<Layer>) -> Result<(), Trouble> {
    for raw in raw {
        let name = format!("{path}{}", raw.name);
        let offset = [offset[0] + raw.offsetx, offset[1] + raw.offsety];
        let wrong = |problem| Trouble::new(problem, REMEDY).at(format!("layer {name:?}"));
        let solid = solid(&raw.properties);
        let content = match raw.r#type.as_str() {
            "group" => {
                push_layers(raw.layers, &format!("{name}/"), offset, layers)?;
                continue;
            }
            "tilelayer" => Content::Tiles(chunks(raw).and_then(|chunks| grid(&chunks)).map_err(wrong)?),
            "objectgroup" => Content::Objects(raw.objects.into_iter().map(object).collect()),
            "imagelayer" => Content::Other("a picture"),
            _ => Content::Other("of an unknown type"),
        };
        layers.push(Layer { name, solid, offset, content });
    }
    Ok(())
}

fn chunks(raw: RawLayer) -> Result<Vec<Chunk>, String> {
    let encoding = raw.encoding.as_deref().unwrap_or("csv");
    let part = |first, size, data| {
        let cells = match data {
            Cells::Numbers(cells) => cells,
            Cells::Text(text) => decoded(&text, encoding, &raw.compression, size)?,
        };
        chunk(first, size, cells)
    };
    match (raw.chunks, raw.data) {
        (Some(chunks), _) => {
            chunks.into_iter().map(|raw| part(place(raw.x, raw.y)?, [raw.width, raw.height], raw.data)).collect()
        }
        (None, Some(data)) => Ok(vec![part([0, 0], [raw.width, raw.height], data)?]),
        (None, None) => Err("it has neither `data` nor `chunks`".to_owned()),
    }
}

/// The place of a chunk, which must be near enough to be counted.
fn place(x: i64, y: i64) -> Result<[i64; 2], String> {
    let is_near = [x, y].iter().all(|place| place.unsigned_abs() < 1 << 40);
    if is_near { Ok([x, y]) } else { Err(format!("a chunk lies at ({x}, {y})")) }
}

fn object(raw: RawObject) -> Object {
    let forms = [
        (raw.template.is_some(), Form::TEMPLATE),
        (raw.gid.is_some(), Form::Tile(raw.gid.unwrap_or_default())),
        (raw.ellipse, Form::Ellipse),
        (raw.point, Form::Point),
        (raw.capsule, Form::CAPSULE),
        (raw.polygon.is_some(), Form::POLYGON),
        (raw.polyline.is_some(), Form::LINE),
        (raw.text.is_some(), Form::TEXT),
        (![raw.x, raw.y, raw.width, raw.height].into_iter().all(is_moderate), Form::Other("it is larger than 1e70")),
    ];
    Object {
        id: raw.id,
        name: raw.name,
        class: raw.class.unwrap_or(raw.r#type),
        at: [raw.x, raw.y],
        size: [raw.width, raw.height],
        rotation: raw.rotation,
        form: forms.into_iter().find(|form| form.0).map_or(Form::Rectangle, |form| form.1),
        solid: solid(&raw.properties),
    }
}

fn solid(properties: &[Property]) -> Option<bool> {
    properties.iter().find(|property| says_solid(&property.name)).map(|property| property.value == Value::Bool(true))
}
