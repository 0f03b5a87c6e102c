//! Limits on scenarios: on their size, so that larger ones are refused before memory is allocated for them, and on
//! their format.

use crate::numeric::quantity::is_positive;

use crate::dynamics::Layers;

/// The number of the format of scenarios and sweeps. A file that gives no number is of format 1.
#[doc(hidden)]
pub const SCENARIO_SCHEMA: u32 = 1;

/// Largest scenario file, bytes: half a million bodies written out one by one. A generator needs one line.
pub const FILE_BYTES_MAX: u64 = 64 << 20;

/// Most bodies of one scenario, those of generators included.
///
/// The dense rows of a body take some hundred bytes, so this many bodies fit into a few GiB.
pub const BODIES_MAX: u64 = 4_000_000;

/// Largest file that a scenario names, bytes: some millions of triangles or bodies as text.
pub const BESIDE_BYTES_MAX: u64 = 512 << 20;

/// Most triangles of one mesh. With the tree over them they take some hundred bytes each.
pub const TRIANGLES_MAX: usize = 4_000_000;

/// Most cells of one grid: they take a byte and a seventh each.
pub const CELLS_MAX: u64 = 1 << 27;

/// Most steps of one run: twelve days at a thousand steps per second.
pub const STEPS_MAX: f64 = 1e9;

/// Longest run, s: thirty thousand years, and well below the 2⁴² seconds that the clock adds exactly.
pub const DURATION_MAX: f64 = 1e12;

/// Longest name, bytes: what common file systems allow for a file name.
pub const NAME_BYTES_MAX: usize = 255;

/// Longest title, characters: some lines of a picture.
pub const TITLE_CHARS_MAX: usize = 500;

/// Most materials: their ranks are 16-bit numbers, and rank 0 is the material of bodies that name none.
pub const MATERIALS_MAX: usize = 65_535;

/// Most layers that a scenario may name. The default layer is one more.
pub const LAYERS_MAX: usize = Layers::COUNT - 1;

/// Most sliders of a playground that a scenario may name.
pub const SLIDERS_MAX: usize = 12;

/// Default limit on the rows of the file of exact paths.
pub const PATHS_MAX_DEFAULT: u64 = 100_000;

/// Most problems of one file that are listed; the rest are counted.
pub const PROBLEMS_MAX: usize = 20;

/// The allowed values of a timestep and of a duration, in words.
pub(crate) const SPAN: &str = "a positive finite number of seconds, from 1e-70 to 1e12";

/// Whether `seconds` may be a timestep or a duration.
pub(crate) fn is_span(seconds: f64) -> bool {
    is_positive(seconds) && seconds <= DURATION_MAX
}

/// Most members of one sweep: their results take some hundred bytes each.
pub const MEMBERS_MAX: u64 = 1_000_000;
