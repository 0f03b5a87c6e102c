//! Imports: files of other programs as scenarios that a person can read.
//!
//! Each format is read into a [`Draft`](draft::Draft), and [`text`] writes a draft as a scenario. What a scenario
//! cannot have is listed in its first lines, and by the command.

mod balls;
mod beside;
mod draft;
mod error;
mod gltf;
mod lines;
mod request;
mod ron;
mod text;
mod tiles;

use std::path::Path;

use self::lines::unmarked;
use crate::scenario::limits::BESIDE_BYTES_MAX;
use crate::scenario::text::source::read_bytes;

pub use draft::Imported;
pub use error::ImportError;
pub use request::{ImportFormat, ImportRequest};

/// Reads `file`, and makes a scenario of it. `name` is the name of the scenario without its ending, by which the files
/// beside it are called; without a name the scenario has everything in itself.
///
/// # Errors
/// [`ImportError`] when the file cannot be read, is not of its format, or has nothing that a scenario can have.
pub fn import(file: &Path, request: &ImportRequest, name: Option<&str>) -> Result<Imported, ImportError> {
    let bytes = read_bytes(file, BESIDE_BYTES_MAX)
        .map_err(|obstacle| ImportError::Unreadable { file: file.to_owned(), error: obstacle.into() })?;
    let text = unmarked(&bytes);
    let draft = match request.format {
        ImportFormat::Tiled => tiles::tiled::read(text, request),
        ImportFormat::Ldtk => tiles::ldtk::read(file, text, request),
        ImportFormat::Sph => balls::sph::read(text, request),
        ImportFormat::Lammps => balls::lammps::read(text, request),
        ImportFormat::Xyzd => balls::xyzd::read(file, &bytes, request),
        ImportFormat::Gsd => balls::gsd::read(&bytes, request),
        ImportFormat::Gltf => gltf::read(file, text, request),
    };
    let mut draft = draft.map_err(|trouble| trouble.of(file))?;
    let factor = request.shrink.unwrap_or(1.0);
    draft.balls.iter_mut().for_each(|ball| ball.radius *= factor);
    Ok(text::write(file, request.format, &draft, name))
}
