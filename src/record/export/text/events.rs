//! Events as lines of JSON, one object each: the columns of the table of events, with vectors as lists.

use std::fmt::Write;

use glam::DVec3;

use crate::dynamics::Event;
use crate::record::export::pen::push_number;
use crate::record::export::roster::Rows;
use crate::world::World;

/// The line of an event, if one of its bodies is exported.
pub(crate) fn line_of(event: &Event, world: &World, rows: &Rows) -> Option<String> {
    let is_wanted = |id| rows.of(id).is_some();
    let wanted = is_wanted(event.a) || event.partner().is_some_and(is_wanted);
    wanted.then(|| line(event, world.name(event.a), event.partner().map(|id| world.name(id))))
}

/// The line of an event of bodies with these names; all digits of all numbers.
fn line(event: &Event, a: &str, b: Option<&str>) -> String {
    // A name is a word of JSON in any case, and writing into a string cannot fail.
    let word = |word: Option<&str>| serde_json::Value::from(word).to_string();
    let mut text = String::new();
    let (time, kind) = (event.time, event.kind);
    let _ = write!(text, "{{\"time\":{time},\"kind\":\"{kind}\",\"a\":{},\"b\":{}", word(Some(a)), word(b));
    push_vector(&mut text, "point", event.point);
    push_vector(&mut text, "normal", event.normal);
    let numbers = [("approach_speed", event.approach_speed), ("impulse", event.impulse), ("loss", event.loss)];
    for (key, number) in numbers {
        let _ = write!(text, ",\"{key}\":");
        push_number(&mut text, number);
    }
    let _ = writeln!(text, ",\"group\":{}}}", event.group);
    text
}

fn push_vector(text: &mut String, key: &str, vector: DVec3) {
    let _ = write!(text, ",\"{key}\":");
    for (open, number) in ["[", ",", ","].into_iter().zip(vector.to_array()) {
        text.push_str(open);
        push_number(text, number);
    }
    text.push(']');
}
