//! What the fields of a recording are called, as it says itself.
//!
//! The format of `postcard` has values and no names, in the order of the fields. So the first frame of a recording is a text, in
//! JSON: each type, its fields by name in their order, and the type of each. It is traced from the types as they are
//! (`serde-reflection`), so that no change of a field goes unseen: a recording with other fields is not read.

use serde_reflection::{Error, Tracer, TracerConfig};

use super::format::Frame;
use crate::dynamics::Surface;
use crate::record::gas::Loss;
use crate::scenario::Format;

/// The text.
///
/// # Panics
/// Never, as the test below sees: all types are plain data.
pub(super) fn text() -> String {
    traced().expect("the types can be traced")
}

fn traced() -> Result<String, Error> {
    let mut tracer = Tracer::new(TracerConfig::default().is_human_readable(false));
    // A choice inside a list is seen once, and one of its variants; so those come first, each for itself.
    tracer.trace_simple_type::<Format>()?;
    tracer.trace_simple_type::<Loss>()?;
    tracer.trace_simple_type::<Surface>()?;
    tracer.trace_simple_type::<Frame>()?;
    serde_json::to_string(&tracer.registry()?).map_err(|error| Error::Custom(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::RECORDING_SCHEMA;
    use super::*;
    use crate::record::text_hash;

    #[test]
    fn other_fields_are_another_format() {
        let text = traced().unwrap();
        for part in [r#"{"step":"U64"}"#, r#""0":{"Header":{"#, r#""3":{"Curved":"UNIT"}"#, r#""1":{"Parquet":"UNIT"}"#]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        let known = (3, "d3d08b2779003be9");
        let found = (RECORDING_SCHEMA, &text_hash(&text)[..16]);
        assert_eq!(found, known, "count RECORDING_SCHEMA up and put the new hash here; the changelog says why");
    }
}
