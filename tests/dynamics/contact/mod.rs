//! Lasting contacts: rest, sliding, rolling, friction, heaps and meshes.

mod across;
mod curved;
mod friction;
mod grids;
mod heap;
mod known_floors;
mod meshes;
mod piles;
mod resting;
mod rolling;
mod rough_curves;
mod seams;
mod spinning;
mod stacked;
mod unequal;
