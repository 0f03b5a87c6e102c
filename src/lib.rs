//! # carom
//!
//! *Carom: to strike and rebound.* A continuous-collision physics stepper: spheres and axis-aligned boxes move on exact
//! ballistic paths and bounce off each other, planes and meshes at the exact instant they meet.
//!
//! Aims, in order of importance: exact, simple, fast.
//!
//! ## Glossary
//!
//! Each word has one meaning in the whole code base.
//!
//! | word | meaning |
//! |---|---|
//! | path | the position of one body as a polynomial of time, and its epoch, the instant from which its time counts |
//! | knot | an instant at which a path begins |
//! | window | a closed interval of time |
//! | sweep | a shape moved along its path, for a collision test |
//! | shape | what a body is: one solid, or a mesh |
//! | solid | one convex shape, as the pair tests see it |
//! | facet | adjacent triangles of a mesh that lie in one plane |
//! | seam | an edge or vertex of a triangle where another triangle continues the surface |
//! | normal | the unit vector from `a` to `b` at their contact point |
//! | separation | the signed gap between two solids, m; negative means overlap |
//! | approach speed | how fast the separation decreases, m/s |
//! | restitution | separation speed after an impact over approach speed before it |
//! | event | something at one instant that changes a path, a contact, a passage or a domain |
//! | impact | an instant at which velocities jump |
//! | impact constraint | a pair that approaches in an impact, as the impact law sees it |
//! | contact | two bodies that touch for longer than an instant |
//! | contact constraint | a contact as the solver sees it: normal, bound and friction |
//! | contact impulse | the impulse of a constraint on `b`, N·s; in lasting contacts it is a force, N |
//! | reaction | the sum of the contact forces on a body |
//! | island | free bodies connected by contacts, directly or through each other |
//! | time stepping | the method for islands of many contacts: the members of an island get new velocities together once per time step |
//! | time step | one step of an island: its members move straight from its beginning to its end |
//! | member | a free body of an island that is advanced by time steps; it joins, and quits or falls asleep |
//! | candidate pair | two bodies that may touch while no member moves farther than its reach |
//! | target gap | the gap that a time step keeps between the bodies of an island, m |
//! | sleep | the end of time stepping for an island at rest: velocities of exactly zero and lasting contacts, until these change |
//! | sensor | a body that others pass through; a passage is its relation to one of them, inside or outside |
//! | body table | the dense rows of all bodies, by id |
//! | ballistic sphere | a free ball under gravity alone: the fast path of prediction and impact |
//! | domain | the region that a body does not leave before its domain exit, which is an event |
//! | neighbours | two bodies in domains that overlap; only neighbours are predicted |
//! | neighbour list | the neighbours of one body, stored |
//! | cell list | cells for balls of similar size in free flight, with the neighbours in the cells around |
//! | hash grid | cells of several sizes for all other domains, found by hashing |
//! | scene | the physical state at the present: all that a prediction depends on |
//! | simulation | the scene and all else that an event may change: broad phase, time stepping, log, counters |
//! | to predict | the bodies and pairs that an event leaves to be predicted again |
//! | prediction | the next event of a body, if no path changes before |
//! | pair event, own event | an event of two bodies; an event of one body: domain exit or contact update |
//! | queue | one slot per body with its first predicted event |
//! | ladder | the priority queue that finds the first of all slots |
//! | command | a change of a world from outside, at an instant |
//! | snapshot | the physical state at one instant, as plain data |
//! | audit | the balance of a run: where energy and momentum went |
//! | hit | what a ray, a sweep or a region query finds |
//! | layer | a group of bodies, to decide which bodies collide and what a query sees |
//!
//! ## Layers
//!
//! `ls src` shows the layers. A layer may use only those to its left:
//!
//! `numeric < geometry < motion < sweep < dynamics < world < scenario < record < study < oracle < report < cli < main`
//!
//! The book in `docs/` has a guide to the library, the method, and the place of each thing in the source.

pub mod geometry;
#[cfg(feature = "record")]
pub mod record;
#[cfg(feature = "plots")]
pub mod report;
#[cfg(feature = "scenario")]
pub mod scenario;
#[cfg(feature = "study")]
pub mod study;
pub mod sweep;

// The rooms of the engine. The tests, benchmarks and tools of this repository look into them; they are no part of the
// public interface and may change at any time.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod dynamics;
#[doc(hidden)]
pub mod motion;
#[doc(hidden)]
pub mod numeric;
#[cfg(feature = "oracle")]
#[doc(hidden)]
pub mod oracle;
#[doc(hidden)]
pub mod world;

#[cfg(test)]
#[path = "../tests/common/random.rs"]
mod random;

pub use dynamics::query::{
    BORDERS_MAX, Extent, Inside, NearHit, RayHit, RegionHit, SLIDE_HITS_MAX, Slide, SlideOptions, SlideShape, Spot,
    SweepHit,
};
pub use dynamics::{
    Audit, BadKnot, Balance, Body, BodyId, Coarseness, ContactInfo, Event, EventKind, Friction, FrictionLength,
    Impacts, Knot, Layers, Mass, Material, MaterialId, Materials, Motion, PairRestitution, Pairing, Period, Progress,
    Response, Restitution, Settings, Space, State, SteppingTotals,
};
pub use motion::time::{ParseTimeError, PartsError};
pub use motion::{Course, Path, Relative, SimTime, Spin};
pub use numeric::OutOfRange;
pub use world::{
    Coarse, Command, CommandError, Filter, History, Hit, Named, RestoreError, RewindError, RunError, SetupError,
    Snapshot, Timed, World,
};

pub use glam;
#[cfg(feature = "hecs")]
pub use hecs;

/// Bodies as entities of an ECS.
#[cfg(feature = "hecs")]
pub mod ecs {
    pub use crate::world::{Entities, Name, Position, Spin, Velocity};
}

/// The examples of the README and of the book in `docs/`, compiled and run as tests.
#[cfg(doctest)]
mod book {
    macro_rules! pages {
        ($($page:ident: $file:literal)+) => {$(#[doc = include_str!($file)] struct $page;)+};
    }

    pages! {
        Readme: "../README.md"
        Introduction: "../docs/introduction.md"
        Tutorial: "../docs/tutorial.md"
        TutorialResearcher: "../docs/tutorials/researcher.md"
        TutorialTeacher: "../docs/tutorials/teacher.md"
        TutorialGameAuthor: "../docs/tutorials/game_author.md"
        TutorialTestEngineer: "../docs/tutorials/test_engineer.md"
        Gallery: "../docs/gallery.md"
        Scenario: "../docs/scenario.md"
        Results: "../docs/results.md"
        Analysis: "../docs/analysis.md"
        Plots: "../docs/plots.md"
        Film: "../docs/film.md"
        Page: "../docs/page.md"
        Player: "../docs/player.md"
        Export: "../docs/export.md"
        Formats: "../docs/formats.md"
        Import: "../docs/import.md"
        Cli: "../docs/cli.md"
        Sweeps: "../docs/sweeps.md"
        Oracle: "../docs/oracle.md"
        Python: "../docs/python.md"
        Library: "../docs/library.md"
        ReplayTests: "../docs/replay_tests_in_ci.md"
        Rollback: "../docs/rollback.md"
        Method: "../docs/method.md"
        Contact: "../docs/contact.md"
        Promises: "../docs/promises.md"
        Catalogue: "../docs/catalogue.md"
        Benchmarks: "../docs/benchmarks.md"
        Limits: "../docs/limits.md"
        Where: "../docs/where.md"
        HowTo: "../docs/howto/index.md"
        HowToBoundaryMap: "../docs/howto/boundary_map.md"
        HowToBulletsAndTriggers: "../docs/howto/bullets_and_triggers.md"
        HowToCastFromTouch: "../docs/howto/cast_from_touch.md"
        HowToCastsOverScale: "../docs/howto/casts_over_scale.md"
        HowToClassroom: "../docs/howto/classroom.md"
        HowToCompareTables: "../docs/howto/compare_tables.md"
        HowToDensePacking: "../docs/howto/dense_packing.md"
        HowToDigAndBuild: "../docs/howto/dig_and_build.md"
        HowToEnergyLoss: "../docs/howto/energy_loss.md"
        HowToEquationOfState: "../docs/howto/equation_of_state.md"
        HowToEscapeTime: "../docs/howto/escape_time.md"
        HowToFigureForAPaper: "../docs/howto/figure_for_a_paper.md"
        HowToFirstDifference: "../docs/howto/first_difference.md"
        HowToGoldenRun: "../docs/howto/golden_run.md"
        HowToLogCollisions: "../docs/howto/log_collisions.md"
        HowToManyValues: "../docs/howto/many_values.md"
        HowToMoveAndSlide: "../docs/howto/move_and_slide.md"
        HowToMovingPlatform: "../docs/howto/moving_platform.md"
        HowToOwnScene: "../docs/howto/own_scene.md"
        HowToPackingInACylinder: "../docs/howto/packing_in_a_cylinder.md"
        HowToPiston: "../docs/howto/piston.md"
        HowToRestitutionTest: "../docs/howto/restitution_test.md"
        HowToRollback: "../docs/howto/rollback.md"
        HowToSameBits: "../docs/howto/same_bits.md"
        HowToScenarioAsTest: "../docs/howto/scenario_as_test.md"
        HowToSomebodysPacking: "../docs/howto/somebodys_packing.md"
        HowToStepsAndOneWay: "../docs/howto/steps_and_one_way.md"
        HowToTiledLevel: "../docs/howto/tiled_level.md"
        HowToVibratedBed: "../docs/howto/vibrated_bed.md"
        HowToWalkOnTiles: "../docs/howto/walk_on_tiles.md"
    }
}
