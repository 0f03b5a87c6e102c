//! Maps of the editor Tiled, as XML (`.tmx`) or JSON (`.tmj`).
//!
//! Source: the pages *TMX Map Format* and *JSON Map Format* of <https://doc.mapeditor.org>. The layers that are asked
//! for are solid. If none is, it is those with the property `solid` or `collides` that is true, and without any such
//! layer all that have tiles or objects; then pictures of tiles among the objects are not solid.

mod cells;
mod json;
mod model;
mod xml;

use self::model::{Content, Form, Layer, Map, Object};
use super::super::draft::{Draft, Names};
use super::super::error::Trouble;
use super::super::request::ImportRequest;
use super::super::ron::{number, quoted, triple};
use super::grid::Scale;
use crate::numeric::functions::turns::sine_and_cosine;

pub(crate) fn read(bytes: &[u8], request: &ImportRequest) -> Result<Draft, Trouble> {
    let text = str::from_utf8(bytes).map_err(|_| Trouble::new("it is no text in UTF-8", model::REMEDY))?;
    let map = if text.trim_start().starts_with('<') { xml::read(text) } else { json::read(text) }?;
    if map.orientation != "orthogonal" {
        let problem = format!("the map is {}: its tiles are no rectangles", map.orientation);
        return Err(Trouble::new(problem, "only orthogonal maps can be imported"));
    }
    draft(&map, request)
}

fn draft(map: &Map, request: &ImportRequest) -> Result<Draft, Trouble> {
    let all = map.layers.iter().map(|layer| layer.name.as_str()).collect::<Vec<_>>().join(", ");
    if let Some(name) = request.layers.iter().find(|&name| map.layers.iter().all(|layer| layer.name != *name)) {
        return Err(Trouble::new(format!("it has no layer `{name}`"), format!("its layers are: {all}")));
    }
    let scale = Scale::new(request, map.tile[0])?;
    let any_solid = map.layers.iter().any(|layer| layer.solid == Some(true));
    let is_chosen = |layer: &Layer| match (request.layers.is_empty(), any_solid) {
        (false, _) => request.layers.contains(&layer.name),
        (true, true) => layer.solid == Some(true),
        (true, false) => layer.solid != Some(false),
    };
    let mut draft = Draft { has_gravity: true, ..Draft::default() };
    let (mut names, mut is_guessed) = (Names::default(), false);
    for layer in &map.layers {
        let left_out = match &layer.content {
            Content::Other(what) => format!("layer {:?}: it is {what}", layer.name),
            _ if !is_chosen(layer) => format!("layer {:?}: it is not solid", layer.name),
            Content::Tiles(grid) => match grid.body(&names.fit(&layer.name, "layer"), map.tile, layer.offset, &scale) {
                Some(body) => {
                    draft.bodies.push(body);
                    continue;
                }
                None => format!("layer {:?}: it has no tiles", layer.name),
            },
            Content::Objects(objects) => {
                for object in objects {
                    let is_meant = any_solid || !request.layers.is_empty();
                    match body(map, object, layer, is_meant, &scale, &mut names) {
                        Ok(body) => {
                            draft.bodies.push(body);
                            is_guessed |= matches!(object.form, Form::Tile(tile) if map.pivot(tile).is_none());
                        }
                        Err(words) => draft.missing.push(words),
                    }
                }
                continue;
            }
        };
        draft.missing.push(left_out);
    }
    if draft.bodies.is_empty() {
        let remedy = if map.layers.iter().all(is_chosen) {
            "a layer can be solid if it has tiles, or rectangles or circles with a size".to_owned()
        } else {
            format!("choose one by --layer; its layers are: {all}")
        };
        return Err(draft.nothing("no layer has solid tiles or objects", remedy));
    }
    if is_guessed {
        let lost = "tilesets in files of their own: their tiles among the objects are placed by the lower left corner";
        draft.missing.push(lost.to_owned());
    }
    draft.notes.push(format!("x to the right, z upwards; a tile is {} m wide", number(scale.metres(map.tile[0]))));
    draft.notes.push("a tile fills its cell, whatever shape a tileset gives it".to_owned());
    Ok(draft)
}

/// An object as a fixed body, or why it cannot be one. `is_meant` is whether its layer is solid by more than a guess.
fn body(
    map: &Map,
    object: &Object,
    layer: &Layer,
    is_meant: bool,
    scale: &Scale,
    names: &mut Names,
) -> Result<String, String> {
    let at = [layer.offset[0] + object.at[0], layer.offset[1] + object.at[1]];
    let [width, height] = object.size;
    let [left, top] = match object.form {
        Form::Tile(tile) => map.pivot(tile).unwrap_or(model::BOTTOM_LEFT),
        _ => [0.0; 2],
    };
    let [x, y] = [width * (0.5 - left), height * (0.5 - top)];
    let [sine, cosine] = sine_and_cosine(object.rotation % 360.0 / 360.0);
    let middle = [at[0] + cosine * x - sine * y, at[1] + sine * x + cosine * y];
    let lost = |why: &str| {
        let words = [object.name.as_str(), object.class.as_str()].into_iter().filter(|word| !word.is_empty());
        let words: String = words.map(|word| format!(" {word:?}")).collect();
        Err(format!("object {}{words} at {}: {why}", object.id, scale.shown(at)))
    };
    let shape = match object.form {
        Form::Other(what) => return lost(what),
        Form::Point => return lost("it is a point"),
        Form::Tile(_) if !is_meant => return lost("it is a picture of a tile; --layer makes those of a layer solid"),
        _ if object.solid == Some(false) => return lost("it is not solid"),
        _ if !(width > 0.0 && height > 0.0) => return lost("it has no size"),
        Form::Ellipse if width != height => return lost("it is an ellipse and no circle"),
        Form::Ellipse => format!("Sphere(radius: {})", number(scale.metres(width) / 2.0)),
        _ if sine != 0.0 && cosine != 0.0 => return lost("it is rotated, and boxes are not"),
        Form::Rectangle | Form::Tile(_) => {
            let size = if cosine == 0.0 { [height, width] } else { object.size };
            format!("Box(half_extents: {})", triple(scale.half(size)))
        }
    };
    let word = if object.name.is_empty() { object.id.to_string() } else { object.name.clone() };
    let name = names.fit(&format!("{}/{}", layer.name, word.replace('/', "_")), "object");
    let position = triple(scale.place(middle));
    Ok(format!("(name: {}, shape: {shape}, motion: Fixed, position: {position})", quoted(&name)))
}
