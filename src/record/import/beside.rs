//! Files beside the one that is imported.

use std::io;
use std::path::Path;

use crate::scenario::limits::BESIDE_BYTES_MAX;
use crate::scenario::text::files::stays_below;
use crate::scenario::text::source::read_bytes;

/// The bytes of a file that `file`, which is `whole`, calls `name`; it must be in the same folder or below.
pub(super) fn read_beside(file: &Path, whole: &str, name: &str) -> Result<Vec<u8>, String> {
    if !stays_below(name) {
        return Err(format!("it lies outside the folder of {whole}"));
    }
    let place = file.with_file_name(name);
    read_bytes(&place, BESIDE_BYTES_MAX).map_err(|obstacle| format!("it cannot be read: {}", io::Error::from(obstacle)))
}
