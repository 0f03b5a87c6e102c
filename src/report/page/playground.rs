//! The page on which a scenario is edited and run. The player fills it.

use maud::{Markup, html};

use super::words::{outside, outside_lines};
use crate::scenario::Scenario;

/// The title and the body of the page.
pub(super) fn body(scenario: &Scenario, text: &str) -> (String, Markup) {
    let body = html! {
        a.skip href="#main" { "Skip to the playground" }
        header.brief {
            h1 { (outside(&scenario.title)) }
            p.hint { "Move a number, or type one: carom runs the scenario here, in this browser." }
        }
        main #main {
            section #carom-playground aria-label="Playground" {}
            noscript {
                p.note { "The playground needs JavaScript. This is the scenario:" }
                pre { "\n" (outside_lines(text)) }
            }
        }
    };
    (format!("{} – carom playground", scenario.title), body)
}
