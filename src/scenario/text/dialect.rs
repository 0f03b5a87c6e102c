//! The dialect of RON that scenarios are written in.

use ron::Options;
use ron::extensions::Extensions;

/// How scenarios are written: `mass: 1` without `Some` for a field that may be left out, and `Lattice(name: ...)`
/// without a second pair of brackets. The limit on nesting is ron's own.
pub(crate) fn options() -> Options {
    Options::default().with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES)
}
