//! The fields of a recording: a recording that an earlier version wrote still has the same meaning.
//!
//! The `postcard` format stores values in the order of the fields, without names. If a field changed its type or its
//! position, a reader would take it for another field, unless [`RECORDING_SCHEMA`] is increased.

use std::collections::BTreeMap;
use std::path::Path;

use carom::record::recording::{RECORDING_SCHEMA, Reader};
use carom::record::text_hash;
use serde_json::{Value, json};

/// Recordings of the scenarios beside them.
const FILES: [&str; 2] = ["tests/record/layout/bodies.carom", "tests/record/layout/gas.carom"];

/// Every field of every frame, with its name and its value.
fn told() -> Vec<Value> {
    FILES.into_iter().flat_map(|file| frames(Path::new(file))).collect()
}

fn frames(file: &Path) -> Vec<Value> {
    let mut reader = Reader::open(file).unwrap_or_else(|error| panic!("{error}"));
    let mut told = vec![json!(reader.header())];
    while let Some(noted) = reader.next_step().unwrap_or_else(|error| panic!("{error}")) {
        told.push(json!([noted.step, noted.time, noted.hash, noted.commands, noted.mark, noted.is_last, noted.error]));
    }
    told
}

#[test]
fn other_fields_are_another_format() {
    let known = (17, "325a2500b087087f");
    let text = json!(told()).to_string();
    assert_eq!(
        (RECORDING_SCHEMA, &text_hash(&text)[..16]),
        known,
        "if a field has only another name, put the new hash here; else count RECORDING_SCHEMA up, run \
         tests/record/layout/*.ron, put their recordings beside them and the new hash here; the changelog says why"
    );
}

/// Records for each field whether it ever contains a value. The key is the path of the field without indices of lists.
fn look(path: &str, value: &Value, into: &mut BTreeMap<String, bool>) {
    let seen = match value {
        Value::Array(values) => {
            values.iter().for_each(|value| look(path, value, into));
            !values.is_empty()
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| look(&format!("{path}.{name}"), value, into));
            true
        }
        value => !value.is_null(),
    };
    *into.entry(path.to_owned()).or_default() |= seen;
}

#[test]
fn the_known_recording_has_something_in_every_field() {
    let mut fields = BTreeMap::new();
    told().iter().for_each(|value| look("", value, &mut fields));
    let empty: Vec<&str> = fields.iter().filter(|(_, seen)| !**seen).map(|(path, _)| path.as_str()).collect();
    // These fields are used only within an instant, or beyond ten million rows.
    let rare = [".checkpoint.sheets.paths_full", ".snapshot.state.contacts.met", ".snapshot.state.contacts.struck"];
    assert_eq!(empty, rare);
}
