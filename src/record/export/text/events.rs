//! Events as lines of JSON, one object each: the columns of the table of events, with vectors as lists.

use std::fmt::Write;
use std::path::Path;

use glam::DVec3;

use crate::dynamics::Event;
use crate::record::export::error::ExportError;
use crate::record::export::pen::{Pen, push_number};
use crate::record::export::roster::Roster;
use crate::record::files::WriteError;
use crate::world::World;

/// A file of events that is being written.
pub(crate) struct EventLines {
    pen: Pen,
    /// By id: whether events of the body are wanted. A body beyond the list is not.
    wanted: Vec<bool>,
}

impl EventLines {
    pub(crate) fn begin(place: &Path, roster: &Roster) -> Result<Self, ExportError> {
        let mut wanted = Vec::new();
        for member in &roster.members {
            wanted.resize(wanted.len().max(member.id.index() + 1), false);
            wanted[member.id.index()] = true;
        }
        Ok(Self { pen: Pen::create(place)?, wanted })
    }

    pub(crate) fn event(&mut self, world: &World, event: &Event) -> Result<(), WriteError> {
        let is_wanted = |id: crate::dynamics::BodyId| self.wanted.get(id.index()).copied().unwrap_or(false);
        if !is_wanted(event.a) && !event.partner().is_some_and(is_wanted) {
            return Ok(());
        }
        self.pen.put(line(event, world.name(event.a), event.partner().map(|id| world.name(id))).as_bytes())
    }

    pub(crate) fn finish(self) -> Result<(), WriteError> {
        self.pen.finish()
    }
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
