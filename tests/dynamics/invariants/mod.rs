//! Properties of any scene: the promises, random scenes, and an independent simulator.

mod commanded;
mod oracle;
mod promises;
mod random_scenes;
mod rollback;
