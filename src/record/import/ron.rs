//! Values as RON.

use glam::DVec3;

/// A text in quotation marks.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A vector in round brackets.
pub(super) fn triple(vector: DVec3) -> String {
    let [x, y, z] = vector.to_array().map(number);
    format!("({x}, {y}, {z})")
}

/// A number in the shortest form that reads back to the same bits.
pub(super) fn number(number: f64) -> String {
    ryu::Buffer::new().format(number).to_owned()
}
