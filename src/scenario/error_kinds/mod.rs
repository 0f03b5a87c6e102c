//! Everything that can be wrong with a scenario, in words, and what to do about each.
//!
//! A fault has no place; [`Problem`](crate::scenario::Problem) adds it.

mod command;
mod grid;
mod list;
mod mesh;
mod packing;
mod planar;
mod play;
mod sweep;

use thiserror::Error;

use crate::numeric::{rounded, shown};
use crate::scenario::limits::{BODIES_MAX, LAYERS_MAX, MATERIALS_MAX, SCENARIO_SCHEMA, STEPS_MAX};
use crate::world::{Coarse, SetupError};

pub use super::plot::formula::NoFormula;
pub use super::text::files::FileFault;
pub use command::CommandFault;
pub use grid::GridFault;
pub use list::ListFault;
pub use mesh::MeshFault;
pub use packing::PackingFault;
pub use planar::PlanarFault;
pub use play::PlayFault;
pub use sweep::SweepFault;

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// There is nothing but blanks and comments.
    #[error("the file is empty")]
    Empty,
    /// A file of a later version.
    #[error("the file is of format {found}; this carom reads format {SCENARIO_SCHEMA}")]
    NewerFormat {
        /// The number that the file gives.
        found: u32,
    },
    /// The text is not RON.
    #[error("{wanted}")]
    Syntax {
        /// What the grammar of RON expects here.
        wanted: String,
    },
    /// The text stops inside a bracket, a string or a comment.
    #[error("the file ends too early: {wanted}")]
    EndsEarly {
        /// What the grammar of RON expects here.
        wanted: String,
    },
    /// Brackets nested deeper than the stack of the reader allows.
    #[error("brackets are nested too deeply")]
    TooDeep,
    /// A value of another kind than the field takes.
    #[error("must be {wanted}, found `{found}`")]
    WrongKind {
        /// What the field takes.
        wanted: String,
        /// The text found there.
        found: String,
    },
    /// A misspelt field, or one of something else.
    #[error("there is no field `{found}`{}", of(owner))]
    UnknownField {
        /// The text found there.
        found: String,
        /// The structure that has such fields, if it has a name.
        owner: Option<String>,
        /// The fields there are.
        known: &'static [&'static str],
    },
    /// A misspelt word where one of a few is wanted.
    #[error("`{found}` is not one of the words allowed here")]
    UnknownWord {
        /// The text found there.
        found: String,
        /// The words there are.
        known: &'static [&'static str],
    },
    /// A required field that is missing.
    #[error("the field `{field}` is missing")]
    MissingField {
        /// Its name.
        field: &'static str,
    },
    /// The same field given two times.
    #[error("the field `{field}` is given twice")]
    FieldTwice {
        /// Its name.
        field: String,
    },
    /// A number outside the range of its quantity.
    #[error("must be {allowed}, found `{found}`")]
    OutOfRange {
        /// The allowed values, in words.
        allowed: &'static str,
        /// The text found there.
        found: String,
    },
    /// More steps than the limit.
    #[error("duration / timestep is {} steps, more than the {} allowed", shown(*steps), shown(STEPS_MAX))]
    TooManySteps {
        /// The duration over the timestep.
        steps: f64,
    },
    /// More bodies than the limit.
    #[error("the scenario would have {found} bodies, more than the {BODIES_MAX} allowed")]
    TooManyBodies {
        /// How many there would be, or `more than 2^64`.
        found: String,
    },
    /// More materials than ranks.
    #[error("there are {found} materials, more than the {MATERIALS_MAX} allowed")]
    TooManyMaterials {
        /// How many there are.
        found: usize,
    },
    /// A name or a title that breaks a rule.
    #[error("a {what} {must}")]
    UnfitName {
        /// Name or title.
        what: &'static str,
        /// The rule it breaks.
        must: &'static str,
    },
    /// Two bodies of one name.
    #[error("the name `{name}` is already taken by {owner}")]
    NameTaken {
        /// The name.
        name: String,
        /// The entry that has it, such as `bodies[0]`.
        owner: String,
    },
    /// A material given two times.
    #[error("the material `{name}` is given twice")]
    MaterialTwice {
        /// Its name.
        name: String,
    },
    /// A pair of materials given two times.
    #[error("the pair of `{a}` and `{b}` is given twice")]
    PairTwice {
        /// The one material.
        a: String,
        /// The other material.
        b: String,
    },
    /// A pair of materials without any property.
    #[error("a pair needs a `restitution`, a `friction`, a `rolling_friction` or a `spinning_friction`")]
    EmptyPair,
    /// A material that is not in the table.
    #[error("there is no material `{found}`")]
    UnknownMaterial {
        /// The text found there.
        found: String,
        /// The most similar material, if one is similar enough.
        nearest: Option<String>,
    },
    /// More layers than a set has bits.
    #[error("there are {found} layers, more than the {LAYERS_MAX} allowed beside `default`")]
    TooManyLayers {
        /// How many there are.
        found: usize,
    },
    /// A layer given two times, or the one that is always there.
    #[error("there is a layer `{name}` already")]
    LayerTwice {
        /// Its name.
        name: String,
    },
    /// A layer that is not in the list.
    #[error("there is no layer `{found}`")]
    UnknownLayer {
        /// The text found there.
        found: String,
        /// The most similar layer, if one is similar enough.
        nearest: Option<String>,
    },
    /// A fault of a file beside the scenario.
    #[error(transparent)]
    File(FileFault),
    /// A fault of a list of bodies.
    #[error(transparent)]
    List(ListFault),
    /// A fault of a packing or of its vessel.
    #[error(transparent)]
    Packing(PackingFault),
    /// A fault of a mesh.
    #[error(transparent)]
    Mesh(MeshFault),
    /// A fault of a grid.
    #[error(transparent)]
    Grid(GridFault),
    /// A fault of a command.
    #[error(transparent)]
    Command(CommandFault),
    /// A fault of a sweep.
    #[error(transparent)]
    Sweep(SweepFault),
    /// A text that is no formula.
    #[error("this is no formula: {0}")]
    Formula(NoFormula),
    /// A fault of a slider of the playground.
    #[error(transparent)]
    Play(PlayFault),
    /// A body that does not exist.
    #[error("there is no body `{found}`")]
    UnknownBody {
        /// The text found there.
        found: String,
        /// The most similar name, if one is similar enough.
        nearest: Option<String>,
    },
    /// A prefix with a star that no name begins with.
    #[error("no body's name begins with `{prefix}`")]
    EmptyPrefix {
        /// The prefix without its star.
        prefix: String,
    },
    /// Neither mass nor density.
    #[error("a free body needs a `mass` or a `density`")]
    MassMissing,
    /// Both mass and density.
    #[error("`mass` and `density` exclude each other")]
    MassTwice,
    /// A mass for a body that impacts do not move.
    #[error("a {motion} body takes no `mass` or `density`: nothing moves it")]
    MassUseless {
        /// `Fixed` or `Kinematic`.
        motion: &'static str,
    },
    /// A half-space that is free.
    #[error("a plane cannot be `Free`: its mass would be infinite")]
    FreePlane,
    /// A velocity for a body that is fixed.
    #[error("a `Fixed` body has no velocity, found `{found}`")]
    FixedMoves {
        /// The text found there.
        found: String,
    },
    /// What a planar world does not have, or only a planar world has.
    #[error(transparent)]
    Planar(PlanarFault),
    /// A part of a course that is not allowed.
    #[error("the {what} of the course must be {allowed}; found {}", shown(*found))]
    Course {
        /// Such as `amplitude`.
        what: &'static str,
        /// In words.
        allowed: &'static str,
        /// The number found.
        found: f64,
    },
    /// A field that a body on a course cannot have.
    #[error("a body on a course has no `{field}` of its own")]
    OwnCourse {
        /// Such as `velocity`.
        field: &'static str,
    },
    /// A spin for a body that does not turn.
    #[error("{body} has no spin, because it never turns; found `{found}`")]
    NeverTurns {
        /// Such as `a box`.
        body: &'static str,
        /// The text found there.
        found: String,
    },
    /// A half-space that would meet its own image.
    #[error("a plane cannot have a normal along {axis}, because space repeats there")]
    PlaneAcrossPeriod {
        /// `x`, `y` or `z`.
        axis: &'static str,
    },
    /// A body that would meet its own image.
    #[error("the body is {} m wide along {axis}, where space repeats every {} m", shown(*width), shown(*period))]
    WiderThanPeriod {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Its width, m.
        width: f64,
        /// Length of the period, m.
        period: f64,
    },
    /// A body that begins too many periods away to be counted.
    #[error("the body is 2^30 periods from the periodic cell, or more")]
    FarFromCell,
    /// A range that is empty or has its ends exchanged.
    #[error("the range along {axis} must have its lower end first, found {} to {}", shown(*min), shown(*max))]
    EmptyRange {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Lower end, m.
        min: f64,
        /// Upper end, m.
        max: f64,
    },
    /// A periodic space without a periodic axis, or with two descriptions of one.
    #[error("`Periodic` takes either `min` and `max`, or any of `x`, `y` and `z`")]
    UnclearPeriod,
    /// A lattice with two sizes or none.
    #[error("a lattice takes either `spacing` or `max`")]
    UnclearLattice,
    /// A temperature for bodies that have no thermal motion.
    #[error("only `Free` bodies have a temperature")]
    ColdMotion,
    /// A region with no bounds where the shape does not repeat.
    #[error("the region needs `min` and `max`, because space does not repeat along {axis}")]
    UnboundedRegion {
        /// `x`, `y` or `z`.
        axis: &'static str,
    },
    /// A region in which the solid has no place.
    #[error("the region is {} m wide along {axis}, too narrow for a body {} m wide", shown(*room), shown(*width))]
    NarrowRegion {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Width of the region, m.
        room: f64,
        /// Width of the body, m.
        width: f64,
    },
    /// More volume of bodies than the region has.
    #[error("the bodies would fill {} of the region, more than it holds", rounded(*packing, 4))]
    #[expect(missing_docs, reason = "the message says it")]
    RegionOverfull { packing: f64 },
    /// A higher packing than random places reach, however many are drawn.
    #[error("the bodies would fill {} of the region, and random places of equal bodies reach {reached}", rounded(*packing, 4))]
    #[expect(missing_docs, reason = "the message says it")]
    RegionJammed { packing: f64, reached: f64 },
    /// No free random place was found.
    #[error("placed {placed} of {wanted} bodies: the region is too full for the rest")]
    #[expect(missing_docs, reason = "the message says it")]
    RegionFull { placed: u64, wanted: u64 },
    /// A period too short to distinguish a ball from its images.
    #[error("the period along {axis} is {} diameters of the largest ball, and a compression needs 3", shown(*diameters))]
    #[expect(missing_docs, reason = "the message says it")]
    FewDiameters { axis: &'static str, diameters: f64 },
    /// Two directions that do not span a plane.
    #[error("`direction` and `across` must not be parallel")]
    ParallelDirections,
    /// A bound on a count that no count can meet, or no bound.
    #[error("give `exactly`, or `at_least` and `at_most` in that order of size")]
    UnclearCount,
    /// More names than an event has bodies, or one name twice.
    #[error("{wanted}, found {found} of them")]
    TooManyNames {
        /// How many bodies an event has.
        wanted: &'static str,
        /// How many bodies are named.
        found: usize,
    },
    /// An expectation for a gas that is not measured.
    #[error("this is known only for an observed gas")]
    GasNotObserved,
    /// An expectation or a plot of a packing that is not measured.
    #[error("this is known only for an observed packing")]
    PackingNotObserved,
    /// Something that is not a hash.
    #[error("a hash is 64 hexadecimal digits, found `{found}`")]
    NotAHash {
        /// The text found there.
        found: String,
    },
    /// A body so far away that numbers are coarse there: a warning.
    #[error("{0}; overlaps and impact times are no finer")]
    Coarse(Coarse),
    /// A generator that draws the same velocities as an earlier one: a warning.
    #[error("`{earlier}` has the same seed {seed}, so both draw the same random numbers for their velocities")]
    #[expect(missing_docs, reason = "the message says it")]
    SameSeed { seed: String, earlier: String },
    /// A body with which no world can be made.
    #[error(transparent)]
    Setup(SetupError),
    /// Two solids that overlap at the beginning.
    #[error("`{a}` and `{b}` overlap by {} m at the start", shown(*depth))]
    Overlap {
        /// One body.
        a: String,
        /// The other.
        b: String,
        /// How deep, m.
        depth: f64,
    },
}

fn of(owner: &Option<String>) -> String {
    owner.as_ref().map_or_else(String::new, |owner| format!(" in `{owner}`"))
}

impl Fault {
    /// Whether a run may begin in spite of it.
    pub const fn is_warning(&self) -> bool {
        matches!(self, Self::Coarse(_) | Self::SameSeed { .. } | Self::Play(PlayFault::Outside { .. }))
    }
}
