//! Impacts: several at one instant, impacts that accumulate, and restitution by speed.

mod by_speed;
mod coincidence;
mod collapse;
mod together;
