//! Names of bodies on the command line.

use crate::scenario::Scenario;

/// The bodies selected by names, each once; a name may end in `*`. An error is a text.
pub(crate) fn bodies(scenario: &Scenario, names: &[String]) -> Result<Vec<String>, String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        let means = |body: &str| match name.strip_suffix('*') {
            Some(prefix) => body.starts_with(prefix),
            None => body == name,
        };
        let mut meant = scenario.all_bodies().filter(|body| means(&body.name)).peekable();
        if meant.peek().is_none() {
            return Err(format!("the scenario has no body `{name}`"));
        }
        found.extend(meant.map(|body| body.name.clone()));
    }
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|name| seen.insert(name.clone()));
    Ok(found)
}
