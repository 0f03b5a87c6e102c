//! The data for the player, as JSON within the document.

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};

use super::results::Results;
use crate::scenario::text::printable::is_hidden;
use crate::scenario::{Scenario, Source, parse};

/// Most bytes of a scenario and its meshes that a page contains for the player.
const CARRIED_MAX: usize = 1 << 20;

/// Names and texts of the scenarios that a playground has besides its own. They name no files.
const PRESETS: [(&str, &str); 5] = [
    ("galperin_pi", include_str!("../../../scenarios/galperin_pi.ron")),
    ("newtons_cradle", include_str!("../../../scenarios/newtons_cradle.ron")),
    ("zeno", include_str!("../../../scenarios/zeno.ron")),
    ("shaker", include_str!("../../../scenarios/shaker.ron")),
    ("break_shot", include_str!("../../../scenarios/break_shot.ron")),
];

/// Whether the page contains what is needed to run a scenario again.
pub(super) fn is_carried(run: &Results) -> bool {
    let meshes: usize = run.scenario.files.iter().map(|file| file.bytes.len()).sum();
    run.text.len() + meshes <= CARRIED_MAX
}

pub(super) fn of_runs(runs: &[Results]) -> String {
    embedded(&json!({ "runs": runs.iter().map(of_run).collect::<Vec<_>>() }))
}

pub(super) fn of_playground(name: &str, text: &str, scenario: &Scenario) -> String {
    let presets: Vec<Value> = PRESETS
        .iter()
        .filter(|(_, preset)| *preset != text)
        .filter_map(|(name, preset)| {
            Some(of_scenario(name, preset, &parse(&Source::new(*name, preset)).ok()?.scenario))
        })
        .collect();
    embedded(&json!({ "runs": [of_scenario(name, text, scenario)], "presets": presets }))
}

/// A scenario that was not run yet.
fn of_scenario(name: &str, text: &str, scenario: &Scenario) -> Value {
    json!({
        "name": name,
        "title": scenario.title,
        "scenario": text,
        "files": files(scenario),
        "timestep": scenario.timestep,
        "steps": null,
        "duration": scenario.duration,
        "state_hash": null,
        "error": null,
        "step_hashes": null,
        "paths": null,
        "colors": colors(scenario),
    })
}

/// A run. If its scenario is too large for the page, its text and its files are left out.
fn of_run(run: &Results) -> Value {
    let Results { summary, .. } = run;
    let is_carried = is_carried(run);
    let hashes = run
        .recorded
        .as_ref()
        .map(|recorded| recorded.hashes.iter().map(|(step, hash)| json!([step, hash.to_string()])).collect::<Vec<_>>());
    json!({
        "name": run.name,
        "title": summary.title,
        "scenario": is_carried.then_some(&run.text),
        "files": if is_carried { files(&run.scenario) } else { Map::new() },
        "timestep": summary.timestep,
        "steps": summary.steps,
        "duration": summary.duration,
        "state_hash": summary.state_hash,
        "error": summary.error,
        "step_hashes": hashes,
        "paths": null,
        "colors": if is_carried { colors(&run.scenario) } else { Map::new() },
    })
}

fn files(scenario: &Scenario) -> Map<String, Value> {
    scenario.files.iter().map(|file| (file.name.clone(), BASE64_STANDARD.encode(&file.bytes).into())).collect()
}

fn colors(scenario: &Scenario) -> Map<String, Value> {
    scenario.colors.iter().map(|(body, color)| (body.clone(), color.to_string().into())).collect()
}

/// JSON without `<`, so that nothing in it ends the element around it, and without hidden characters. Only strings can
/// contain these, and a string may have an escape for any character.
fn embedded(value: &Value) -> String {
    let (json, mut text) = (value.to_string(), String::new());
    for character in json.chars() {
        if character != '<' && !is_hidden(character) {
            text.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing into a string cannot fail.
            let _ = write!(text, "\\u{unit:04x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_the_data_ends_its_element() {
        let hostile = "</script><!--<script>]]>\u{2028}\u{202e}\u{e0001}\u{7f}\"'&";
        let text = embedded(&json!({ hostile: hostile }));
        assert!(!text.contains('<') && !text.contains(is_hidden));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()[hostile], hostile);
    }

    #[test]
    fn every_preset_is_sound_and_names_its_sliders() {
        for (name, text) in PRESETS {
            let scenario = parse(&Source::new(name, text)).unwrap().scenario;
            assert!(!scenario.play.is_empty() && scenario.files.is_empty(), "{name}");
        }
    }
}
