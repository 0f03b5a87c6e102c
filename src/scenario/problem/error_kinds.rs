//! Everything that can be wrong with a scenario, in words, and what to do about each.
//!
//! A fault does not know where it is: [`Problem`](crate::scenario::Problem) adds the place.

use thiserror::Error;

use crate::scenario::limits::{BODIES_MAX, LAYERS_MAX, MATERIALS_MAX, STEPS_MAX};
use crate::scenario::text::nearest::one_of;

use crate::numeric::{rounded, shown};
use crate::world::Coarse;

pub use super::command_fault::CommandFault;
pub use crate::scenario::mesh::MeshFault;

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Fault {
    /// There is nothing but blanks and comments.
    #[error("the file is empty")]
    Empty,
    /// The text is not RON.
    #[error("{wanted}")]
    Syntax {
        /// What RON's grammar wants here.
        wanted: String,
    },
    /// The text stops inside a bracket, a string or a comment.
    #[error("the file ends too early: {wanted}")]
    EndsEarly {
        /// What RON's grammar wants here.
        wanted: String,
    },
    /// Brackets within brackets beyond the reader's stack.
    #[error("brackets are nested too deeply")]
    TooDeep,
    /// A value of another kind than the field takes.
    #[error("must be {wanted}, found `{found}`")]
    WrongKind {
        /// What the field takes.
        wanted: String,
        /// What stands there.
        found: String,
    },
    /// A misspelt field, or one of something else.
    #[error("there is no field `{found}`{}", of(owner))]
    UnknownField {
        /// What stands there.
        found: String,
        /// Of what, where that has a name.
        owner: Option<String>,
        /// The fields there are.
        known: &'static [&'static str],
    },
    /// A misspelt word where one of a few is wanted.
    #[error("`{found}` is not one of the words allowed here")]
    UnknownWord {
        /// What stands there.
        found: String,
        /// The words there are.
        known: &'static [&'static str],
    },
    /// A field without which the rest means nothing.
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
    /// A number that its quantity does not allow.
    #[error("must be {allowed}, found `{found}`")]
    OutOfRange {
        /// What it may be.
        allowed: &'static str,
        /// What stands there.
        found: String,
    },
    /// More steps than any run could take.
    #[error("duration / timestep is {} steps, more than the {} allowed", shown(*steps), shown(STEPS_MAX))]
    TooManySteps {
        /// The quotient.
        steps: f64,
    },
    /// More bodies than a machine would hold.
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
    /// A name or a title that would be awkward or dangerous where it is used.
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
        /// One.
        a: String,
        /// The other.
        b: String,
    },
    /// A pair of materials of which nothing is said.
    #[error("a pair needs a `restitution`, a `friction`, a `rolling_friction` or a `spinning_friction`")]
    EmptyPair,
    /// A material that is not in the table.
    #[error("there is no material `{found}`")]
    UnknownMaterial {
        /// What stands there.
        found: String,
        /// The material most like it, if any is.
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
        /// What stands there.
        found: String,
        /// The layer most like it, if any is.
        nearest: Option<String>,
    },
    /// A mesh that cannot be one.
    #[error(transparent)]
    Mesh(MeshFault),
    /// A command that cannot be carried out.
    #[error(transparent)]
    Command(CommandFault),
    /// A body that does not exist.
    #[error("there is no body `{found}`")]
    UnknownBody {
        /// What stands there.
        found: String,
        /// The name most like it, if any is.
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
    /// A half-space that impacts would move.
    #[error("a plane cannot be `Free`: its mass would be infinite")]
    FreePlane,
    /// A velocity for a body that does not move.
    #[error("a `Fixed` body has no velocity, found `{found}`")]
    FixedMoves {
        /// What stands there.
        found: String,
    },
    /// A spin for a body that does not turn.
    #[error("{body} has no spin, because it never turns; found `{found}`")]
    NeverTurns {
        /// Such as `a box`.
        body: &'static str,
        /// What stands there.
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
    /// A body that begins beyond all periods that can be counted.
    #[error("the body is 2^30 periods from the periodic cell, or more")]
    FarFromCell,
    /// A range that is empty or upside down.
    #[error("the range along {axis} must have its lower end first, found {} to {}", shown(*min), shown(*max))]
    EmptyRange {
        /// `x`, `y` or `z`.
        axis: &'static str,
        /// Lower end, m.
        min: f64,
        /// Upper end, m.
        max: f64,
    },
    /// A repeating space that repeats along no axis, or in two ways along one.
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
    /// More than there is room for.
    #[error("the bodies would fill {} of the region, more than it holds", rounded(*packing, 4))]
    #[expect(missing_docs, reason = "the message says it")]
    RegionOverfull { packing: f64 },
    /// More than random places reach, whatever is drawn.
    #[error("the bodies would fill {} of the region, and random places of equal spheres reach {reached}", rounded(*packing, 4))]
    #[expect(missing_docs, reason = "the message says it")]
    RegionJammed { packing: f64, reached: f64 },
    /// Random places ran out.
    #[error("placed {placed} of {wanted} bodies: the region is too full for the rest")]
    RegionFull {
        /// How many found a place.
        placed: u64,
        /// How many were asked for.
        wanted: u64,
    },
    /// Two directions that do not span a plane.
    #[error("`direction` and `across` must not be parallel")]
    ParallelDirections,
    /// A bound on a count that no count can meet, or none.
    #[error("give `exactly`, or `at_least` and `at_most` in that order of size")]
    UnclearCount,
    /// More names than an event has bodies.
    #[error("{wanted}, found {found} names")]
    TooManyNames {
        /// How many bodies an event has.
        wanted: &'static str,
        /// How many names there are.
        found: usize,
    },
    /// An expectation of a gas that is not measured.
    #[error("this is known only for an observed gas")]
    GasNotObserved,
    /// Something that is not a hash.
    #[error("a hash is 64 hexadecimal digits, found `{found}`")]
    NotAHash {
        /// What stands there.
        found: String,
    },
    /// A body so far away that numbers are coarse there: a warning.
    #[error("{0}; overlaps and impact times are no finer")]
    Coarse(Coarse),
    /// Two solids that begin inside each other.
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
        matches!(self, Self::Coarse(_))
    }

    /// What to do about it, in a sentence.
    pub fn help(&self) -> Option<String> {
        let text = match self {
            Self::UnknownField { found, known, .. } | Self::UnknownWord { found, known } => {
                return Some(one_of(found, known));
            }
            Self::UnknownMaterial { nearest, .. } => match nearest {
                Some(name) => return Some(format!("did you mean `{name}`?")),
                None => "add it to `materials`, as in materials: { \"steel\": (restitution: 0.95) }",
            },
            Self::UnknownLayer { nearest, .. } => match nearest {
                Some(name) => return Some(format!("did you mean `{name}`?")),
                None => "add it to the scenario's list, as in layers: [\"ground\", \"debris\"]",
            },
            Self::Command(fault) => fault.help(),
            Self::Mesh(fault) => fault.help(),
            Self::UnknownBody { nearest, .. } => match nearest {
                Some(name) => return Some(format!("did you mean `{name}`?")),
                None => {
                    "names are those of `bodies`, and of `fill` with a number, as in \"gas/007\"; \"gas/*\" means all that begin so"
                }
            },
            Self::MissingField { field } => return Some(format!("add `{field}: ...` here")),
            Self::NameTaken { .. } => "give each body a name of its own",
            _ => return self.fixed_help().map(str::to_owned),
        };
        Some(text.to_owned())
    }

    /// Advice that does not depend on what was found.
    fn fixed_help(&self) -> Option<&'static str> {
        Some(match self {
            Self::Empty => "the smallest scenario is Scenario(timestep: 0.01, duration: 1)",
            Self::Syntax { .. } => "a scenario is written in RON: fields as `name: value`, separated by commas",
            Self::EndsEarly { .. } => "look for a bracket or a quotation mark that is opened and not closed",
            Self::TooDeep => "no scenario needs more than ten brackets within each other",
            Self::TooManySteps { .. } => {
                "choose a longer timestep or a shorter duration: the timestep only says when the run is looked at"
            }
            Self::TooManyBodies { .. } => "lower `count` or `counts`",
            Self::TooManyLayers { .. } => "let bodies that meet the same others share a layer",
            Self::LayerTwice { .. } => "leave it out; `default` is the layer of bodies that name none",
            Self::EmptyPair => "for example (between: (\"steel\", \"ice\"), friction: 0.03)",
            Self::MassMissing => "add `mass: 1` (kg) or `density: 1000` (kg/m³), or say `motion: Fixed`",
            Self::MassTwice => "leave one of them out",
            Self::MassUseless { .. } => "leave it out, or make the body `Free`",
            Self::FreePlane => "use `motion: Fixed` or `motion: Kinematic`",
            Self::FixedMoves { .. } => "leave the velocity out, or say `motion: Kinematic`",
            Self::NeverTurns { .. } => "leave the spin out: only a `Sphere` that is `Free` turns",
            Self::PlaneAcrossPeriod { .. } => "let space be open along that axis, or remove the plane",
            Self::WiderThanPeriod { .. } => "make the body smaller or the period longer",
            Self::FarFromCell => "space repeats, so the body can begin in the cell itself",
            Self::UnclearPeriod => "for example Periodic(min: (0, 0, 0), max: (10, 10, 10)) or Periodic(x: (0, 10))",
            Self::UnclearLattice => {
                "`spacing` is the edge of one cell; with `max` the cells divide the region from `min` to `max`"
            }
            Self::ColdMotion => "leave `temperature` out, or make the bodies `Free`",
            Self::UnboundedRegion { .. } => "for example min: (0, 0, 0), max: (1, 1, 1)",
            Self::NarrowRegion { .. } => "widen the region or make the bodies smaller",
            Self::RegionOverfull { .. } => "lower `count`, enlarge the region, or make the bodies smaller",
            Self::RegionFull { .. } | Self::RegionJammed { .. } => {
                "lower `count`, enlarge the region, or use a `Lattice`: random spheres reach about 0.34 of the volume"
            }
            Self::UnclearCount => "for example Impacts(exactly: 5) or Impacts(at_least: 3, at_most: 7)",
            Self::Coarse(_) => "move the scene near the origin, or make the bodies larger",
            Self::GasNotObserved => "add observe: [Gas] to the scenario",
            Self::Overlap { .. } => "move them apart, or make one of them smaller; touching is allowed",
            _ => return None,
        })
    }
}
