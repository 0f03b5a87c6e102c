//! How large a scenario may be. Whatever exceeds these is refused before memory is taken for it.

use crate::numeric::quantity::is_positive;

use crate::dynamics::Layers;

/// Largest scenario file, bytes: half a million bodies written out one by one. Generators need a line.
pub const FILE_BYTES_MAX: u64 = 64 << 20;

/// Most bodies of one scenario, those of generators included.
///
/// The dense rows of a body take some hundred bytes, so this many fit a machine with a few GiB.
pub const BODIES_MAX: u64 = 4_000_000;

/// Largest mesh file, bytes: some millions of triangles as text.
pub const MESH_BYTES_MAX: u64 = 512 << 20;

/// Most triangles of one mesh. With the tree over them they take some hundred bytes each.
pub const TRIANGLES_MAX: usize = 4_000_000;

/// Most steps of one run. A thousand steps per second would take twelve days for this many.
pub const STEPS_MAX: f64 = 1e9;

/// Longest run, s: thirty thousand years, and well inside the 2⁴² seconds that the clock adds exactly.
pub const DURATION_MAX: f64 = 1e12;

/// Longest name, bytes: what common file systems allow for a file name.
pub const NAME_BYTES_MAX: usize = 255;

/// Longest title, characters: some lines of a picture.
pub const TITLE_CHARS_MAX: usize = 500;

/// Most materials: their ranks are 16-bit numbers, and rank 0 is what bodies without a material are made of.
pub const MATERIALS_MAX: usize = 65_535;

/// Most layers that a scenario may name: the one that is there without being named is the 32nd.
pub const LAYERS_MAX: usize = Layers::COUNT - 1;

/// Rows of the file of exact paths when the scenario does not say.
pub const PATHS_MAX_DEFAULT: u64 = 100_000;

/// Most problems of one file that are written out; the rest are counted.
pub const PROBLEMS_MAX: usize = 20;

/// What a timestep and a duration may be, in words.
pub(crate) const SPAN: &str = "a positive finite number of seconds, from 1e-70 to 1e12";

/// Whether `seconds` may be a timestep or a duration.
pub(crate) fn is_span(seconds: f64) -> bool {
    is_positive(seconds) && seconds <= DURATION_MAX
}

/// Most members of one sweep: their results take some hundred bytes each.
pub const MEMBERS_MAX: u64 = 1_000_000;
