//! The document around the parts of a page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::bundle::Bundle;
use super::words::outside_lines;

/// The contents of a document.
pub(super) struct Document<'a> {
    /// Its title, as text.
    pub(super) title: &'a str,
    /// Its body.
    pub(super) body: Markup,
    /// The data for the player, as JSON that may stand in a document.
    pub(super) data: Option<String>,
    /// The scripts and styles.
    pub(super) bundle: Bundle,
}

/// A whole file.
pub(super) fn document(of: &Document<'_>) -> String {
    let bundle = of.bundle;
    let page = html! {
        (DOCTYPE)
        html lang="en" data-carom-hash="" data-carom-state="ready" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(bundle.policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "carom " (env!("CARGO_PKG_VERSION")) };
                title { (outside_lines(of.title)) }
                // Without this link a browser requests an icon from the server.
                link rel="icon" href="data:,";
                @for style in bundle.styles() { style { (PreEscaped(style)) } }
            }
            body {
                (of.body)
                (foot(bundle))
                @if let Some(data) = &of.data {
                    script type="application/json" id="carom-data" { (PreEscaped(data)) }
                }
                @if let Some(module) = bundle.module() {
                    script type="text/plain" id="carom-wasm" { (PreEscaped(module)) }
                }
                @for script in bundle.scripts() { script { (PreEscaped(script)) } }
            }
        }
    };
    let mut text = page.into_string();
    text.push('\n');
    text
}

/// A section of a page: the name of its anchor, its title, its content.
pub(super) type Section = (&'static str, &'static str, Markup);

/// The sections of a page, one below the other.
pub(super) fn sections(sections: &[Section]) -> Markup {
    html! {
        @for (place, title, body) in sections {
            section.part id=(place) aria-labelledby={ (place) "-title" } {
                h2 id={ (place) "-title" } { (title) }
                (body)
            }
        }
    }
}

/// The links to sections.
pub(super) fn contents(sections: &[Section]) -> Markup {
    html! {
        nav aria-label="Parts of the page" {
            ul { @for (place, title, _) in sections { li { a href={ "#" (place) } { (title) } } } }
        }
    }
}

/// A table of which parts are seen where there is little room; its name is for screen readers.
pub(super) fn scrolled(label: &str, table: &Markup) -> Markup {
    html! { div.scroll tabindex="0" role="region" aria-label=(label) { table { (table) } } }
}

fn foot(bundle: Bundle) -> Markup {
    html! {
        footer {
            p { "Made by carom " (env!("CARGO_PKG_VERSION")) ". This file loads nothing: all that it shows is in it." }
            @if let Some(licences) = bundle.licences() {
                details {
                    summary { "Licences of the player" }
                    pre { "\n" (outside_lines(licences)) }
                }
            }
        }
    }
}
