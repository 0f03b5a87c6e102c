//! The scripts and styles in a page.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

/// The contents of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bundle {
    /// Whether it has the player.
    pub(super) player: bool,
}

const PAGE_STYLE: &str = include_str!("page.css");
const PAGE_SCRIPTS: [&str; 2] = [include_str!("clock.js"), include_str!("page.js")];
const PLAYER_STYLE: &str = include_str!("player/player.css");
const MODULE: &[u8] = include_bytes!("bundle/carom.wasm.gz");
const LICENCES: &str = include_str!("bundle/LICENSES.txt");

/// Files as one text.
macro_rules! joined {
    ($($file:literal),+ $(,)?) => {
        concat!($(include_str!($file)),+)
    };
}

/// The parts of the player and the playground, in order, as one classic script.
const PLAYER_SCRIPT: &str = joined!(
    "player/00_begin.js",
    "player/05_module.js",
    "player/06_piece.js",
    "player/10_worker.js",
    "player/12_tracer.js",
    "player/15_engine.js",
    "player/20_palette.js",
    "player/25_vector.js",
    "player/30_camera.js",
    "player/40_shaders.js",
    "player/42_gl.js",
    "player/44_flat.js",
    "player/46_overlay.js",
    "player/48_course.js",
    "player/50_scene.js",
    "player/52_framing.js",
    "player/54_painting.js",
    "player/60_dom.js",
    "player/65_controls.js",
    "player/68_picture.js",
    "player/70_player.js",
    "player/75_verifier.js",
    "player/80_numbers.js",
    "player/81_curves.js",
    "player/82_graph.js",
    "player/83_slider.js",
    "player/84_link.js",
    "player/85_playground.js",
    "player/90_start.js",
    "player/99_end.js",
);

impl Bundle {
    /// Its style sheets.
    pub(super) fn styles(self) -> Vec<&'static str> {
        if self.player { vec![PAGE_STYLE, PLAYER_STYLE] } else { vec![PAGE_STYLE] }
    }

    /// Its scripts.
    pub(super) fn scripts(self) -> Vec<&'static str> {
        PAGE_SCRIPTS.into_iter().chain(self.player.then_some(PLAYER_SCRIPT)).collect()
    }

    /// The stepper, compiled to WebAssembly and compressed, in base64.
    pub(super) fn module(self) -> Option<String> {
        self.player.then(|| BASE64_STANDARD.encode(MODULE))
    }

    /// The licences of the parts made by others.
    pub(super) fn licences(self) -> Option<&'static str> {
        self.player.then_some(LICENCES)
    }

    /// The content security policy of the page. It allows its own scripts and styles, pictures within it, the stepper
    /// in a worker made from its own script, and nothing else.
    pub(super) fn policy(self) -> String {
        let hashes = |texts: Vec<&str>| texts.into_iter().map(|text| format!(" {}", seal(text))).collect::<String>();
        let [styles, scripts] = [self.styles(), self.scripts()].map(hashes);
        let [stepper, worker] = if self.player { [" 'wasm-unsafe-eval'", "blob:"] } else { ["", "'none'"] };
        format!(
            "default-src 'none'; script-src{scripts}{stepper}; style-src{styles}; img-src data:; worker-src {worker}; \
             base-uri 'none'; form-action 'none'"
        )
    }
}

/// The hash of a script or a style sheet in a policy.
fn seal(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise a browser would read other characters than those that were hashed, or end the element too early.
    #[test]
    fn what_is_embedded_is_read_as_it_is_written() {
        let bundle = Bundle { player: true };
        for text in bundle.styles().into_iter().chain(bundle.scripts()) {
            let lower = text.to_ascii_lowercase();
            assert!(!text.contains(['\r', '\0']));
            assert!(["</script", "</style", "<!--"].iter().all(|end| !lower.contains(end)));
        }
    }

    #[test]
    fn every_file_of_the_player_is_embedded() {
        for entry in std::fs::read_dir("src/report/page/player").unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(PLAYER_SCRIPT.contains(&text) || PLAYER_STYLE == text, "{}", path.display());
        }
    }

    /// The hash of the empty text, as published in FIPS 180-4's examples.
    #[test]
    fn a_seal_is_sha_256_in_base64() {
        assert_eq!(seal(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    }
}
