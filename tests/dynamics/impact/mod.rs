//! Impacts: several at one instant, and impacts that accumulate.

mod collapse;
mod together;
