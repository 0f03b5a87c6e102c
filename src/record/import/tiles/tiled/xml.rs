//! Maps as XML.

use roxmltree::{Document, Node, ParsingOptions};

use super::super::super::error::Trouble;
use super::cells::{Chunk, chunk, decoded, grid};
use super::model::{Content, Form, Layer, Map, Object, REMEDY, Tileset, pivot, says_solid};

pub(super) fn read(text: &str) -> Result<Map, Trouble> {
    // Old versions begin with the address of a DTD, which is not read. Entities, which a DTD can make, may be huge.
    let options = ParsingOptions { allow_dtd: !text.contains("<!ENTITY"), ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        Trouble::new(error.to_string(), REMEDY).at(format!("line {}, column {}", at.row, at.col))
    })?;
    let map = document.root_element();
    if !map.has_tag_name("map") {
        return Err(wrong(map, format!("a `map` is wanted, found `{}`", map.tag_name().name())));
    }
    let mut layers = Vec::new();
    push_layers(map, "", [0.0; 2], &mut layers)?;
    let tilesets = map.children().filter(|child| child.has_tag_name("tileset"));
    Ok(Map {
        orientation: map.attribute("orientation").unwrap_or("orthogonal").to_owned(),
        tile: [number(map, "tilewidth", None)?, number(map, "tileheight", None)?],
        tilesets: tilesets.map(tileset).collect::<Result<_, _>>()?,
        layers,
    })
}

fn tileset(node: Node<'_, '_>) -> Result<Tileset, Trouble> {
    let alignment = node.attribute("objectalignment").unwrap_or_default();
    let pivot = (!node.has_attribute("source")).then(|| pivot(alignment));
    Ok(Tileset { first: whole(node, "firstgid")? as u32, pivot })
}

fn push_layers(parent: Node<'_, '_>, path: &str, offset: [f64; 2], layers: &mut Vec<Layer>) -> Result<(), Trouble> {
    for node in parent.children().filter(Node::is_element) {
        let name = format!("{path}{}", node.attribute("name").unwrap_or_default());
        let shift = [number(node, "offsetx", Some(0.0)), number(node, "offsety", Some(0.0))];
        let [x, y] = shift;
        let offset = || Ok::<_, Trouble>([offset[0] + x?, offset[1] + y?]);
        let content = match node.tag_name().name() {
            "group" => {
                push_layers(node, &format!("{name}/"), offset()?, layers)?;
                continue;
            }
            "layer" => Content::Tiles(grid(&chunks(node)?).map_err(|problem| wrong(node, problem))?),
            "objectgroup" => {
                let objects = node.children().filter(|child| child.has_tag_name("object"));
                Content::Objects(objects.map(object).collect::<Result<_, _>>()?)
            }
            "imagelayer" => Content::Other("a picture"),
            _ => continue,
        };
        layers.push(Layer { name, solid: solid(node), offset: offset()?, content });
    }
    Ok(())
}

fn chunks(layer: Node<'_, '_>) -> Result<Vec<Chunk>, Trouble> {
    let data = layer.children().find(|child| child.has_tag_name("data"));
    let data = data.ok_or_else(|| wrong(layer, "the layer has no `data`"))?;
    let part = |node: Node<'_, '_>, first: [i64; 2], of: Node<'_, '_>| {
        let size = [whole(of, "width")? as usize, whole(of, "height")? as usize];
        let cells = match data.attribute("encoding") {
            Some(encoding) => {
                let text: String = node.children().filter_map(|child| child.text()).collect();
                decoded(&text, encoding, data.attribute("compression").unwrap_or_default(), size)
            }
            None => {
                let tiles = node.children().filter(|child| child.has_tag_name("tile"));
                let tiles = tiles.map(|tile| tile.attribute("gid").unwrap_or("0").parse());
                tiles.collect::<Result<_, _>>().map_err(|_| "a `gid` is no number of a tile".to_owned())
            }
        };
        cells.and_then(|cells| chunk(first, size, cells)).map_err(|problem| wrong(node, problem))
    };
    let parts: Vec<_> = data.children().filter(|child| child.has_tag_name("chunk")).collect();
    if parts.is_empty()
        && data.children().any(|child| child.is_element() || child.text().is_some_and(|text| !text.trim().is_empty()))
    {
        return Ok(vec![part(data, [0, 0], layer)?]);
    }
    parts.into_iter().map(|node| part(node, [whole(node, "x")?, whole(node, "y")?], node)).collect()
}

fn object(node: Node<'_, '_>) -> Result<Object, Trouble> {
    let has = |name: &str| node.children().any(|child| child.has_tag_name(name));
    let forms = [
        ("ellipse", Form::Ellipse),
        ("point", Form::Point),
        ("polygon", Form::POLYGON),
        ("polyline", Form::LINE),
        ("text", Form::TEXT),
        ("capsule", Form::CAPSULE),
    ];
    let form = forms.into_iter().find(|(name, _)| has(name)).map(|(_, form)| form);
    let is_tile = node.has_attribute("gid").then(|| whole(node, "gid")).transpose()?;
    let is_elsewhere = node.has_attribute("template").then_some(Form::TEMPLATE);
    let text = |name: &str| node.attribute(name).unwrap_or_default().to_owned();
    Ok(Object {
        id: node.attribute("id").and_then(|id| id.parse().ok()).unwrap_or_default(),
        name: text("name"),
        class: text(if node.has_attribute("class") { "class" } else { "type" }),
        at: [number(node, "x", Some(0.0))?, number(node, "y", Some(0.0))?],
        size: [number(node, "width", Some(0.0))?, number(node, "height", Some(0.0))?],
        rotation: number(node, "rotation", Some(0.0))?,
        form: is_elsewhere.or(is_tile.map(|gid| Form::Tile(gid as u32))).or(form).unwrap_or(Form::Rectangle),
        solid: solid(node),
    })
}

/// The property that says whether a layer or an object is solid.
fn solid(node: Node<'_, '_>) -> Option<bool> {
    let list = node.children().find(|child| child.has_tag_name("properties"))?;
    let found = list.children().find(|child| child.attribute("name").is_some_and(says_solid))?;
    Some(found.attribute("value") == Some("true"))
}

fn number(node: Node<'_, '_>, name: &str, otherwise: Option<f64>) -> Result<f64, Trouble> {
    let Some(word) = node.attribute(name) else {
        return otherwise.ok_or_else(|| wrong(node, format!("the attribute `{name}` is missing")));
    };
    let found = word.parse().ok().filter(|&number| crate::numeric::quantity::is_moderate(number));
    found.ok_or_else(|| wrong(node, format!("`{name}` must be a number, found `{word}`")))
}

fn whole(node: Node<'_, '_>, name: &str) -> Result<i64, Trouble> {
    let word = node.attribute(name).ok_or_else(|| wrong(node, format!("the attribute `{name}` is missing")))?;
    // A map of more cells than this is refused, whatever the sign.
    let found = word.parse().ok().filter(|number: &i64| number.unsigned_abs() < 1 << 40);
    found.ok_or_else(|| wrong(node, format!("`{name}` must be a whole number, found `{word}`")))
}

/// What is wrong with an element.
fn wrong(node: Node<'_, '_>, problem: impl Into<String>) -> Trouble {
    let at = node.document().text_pos_at(node.range().start);
    Trouble::new(problem, REMEDY).at(format!("line {}, column {}", at.row, at.col))
}
