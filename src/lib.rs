//! # carom
//!
//! *Carom: to strike and rebound.* A continuous-collision physics stepper: spheres and axis-aligned boxes move on exact
//! ballistic paths and bounce off each other, planes and meshes at the exact instant they meet.
//!
//! Aims, in order of importance: exact, simple, fast.
//!
//! ## Glossary
//!
//! One word, one idea, in the whole code base.
//!
//! | word | meaning |
//! |---|---|
//! | path | one body's position polynomial, with the instant its time counts from |
//! | window | a closed span of time in which something is asked |
//! | sweep | a shape carried along its path |
//! | impact | an instant at which velocities jump |
//! | contact | touching that lasts |
//! | separation | the signed gap between two solids, m; negative means overlap |
//! | approach speed | how fast the separation shrinks, m/s |
//! | restitution | separation speed after an impact over approach speed before it |
//! | normal | the unit vector from `a` to `b` where they touch |
//! | domain | the box that a body is sure to stay in until it must be looked at again |
//! | link | two bodies whose domains touch, with what is predicted for them |
//! | knot | an instant at which a path begins |
//! | command | what somebody does to a world from outside, at an instant |
//! | snapshot | the physical state at one instant, as plain data |
//! | shape | what a body is: one solid, or a mesh |
//! | solid | one convex shape, as the pair tests see it |
//! | facet | neighbouring triangles of a mesh that lie in one plane |
//! | seam | an edge or a vertex of a triangle where another one goes on |
//! | hit | what a ray, a sweep or a region finds |
//! | layer | a group of bodies, for deciding who meets whom and what a query sees |
//!
//! ## Layers
//!
//! `ls src` is the diagram. A layer may use only those to its left:
//!
//! `numeric < geometry < motion < sweep < dynamics < world < scenario < record < report < cli < main`
//!
//! The book in `docs/` has a guide to the library, the method, and the place of each thing in the source.

#[cfg(feature = "cli")]
pub mod cli;
pub mod dynamics;
pub mod geometry;
pub mod motion;
pub mod numeric;
#[cfg(feature = "record")]
pub mod record;
#[cfg(feature = "plots")]
pub mod report;
#[cfg(feature = "scenario")]
pub mod scenario;
pub mod sweep;
pub mod world;

pub use glam;
pub use hecs;

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
        Scenario: "../docs/scenario.md"
        Results: "../docs/results.md"
        Analysis: "../docs/analysis.md"
        Cli: "../docs/cli.md"
        Library: "../docs/library.md"
        Method: "../docs/method.md"
        Promises: "../docs/promises.md"
        Catalogue: "../docs/catalogue.md"
        Benchmarks: "../docs/benchmarks.md"
        Limits: "../docs/limits.md"
        Where: "../docs/where.md"
    }
}
