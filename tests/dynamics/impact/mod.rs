//! Impacts: several at one instant, and impacts that accumulate.

mod coincidence;
mod collapse;
mod together;
