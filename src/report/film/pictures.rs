//! A film and its pictures.

use std::collections::BTreeSet;

use super::error::FilmError;
use super::play::Play;
use super::request::FilmRequest;
use crate::motion::SimTime;
use crate::record::RunPaths;
use crate::report::drawing::files::reel::Reel;
use crate::scenario::Scenario;

/// A film that can be written.
pub struct Film<'a> {
    pub(super) play: Play<'a>,
    fps: u32,
    pub(super) reel: Reel,
    missing: BTreeSet<char>,
}

impl<'a> Film<'a> {
    /// The film of a part of a run. `scenario` has all its bodies in one list ([`Scenario::with_all_bodies`]).
    ///
    /// # Errors
    /// [`FilmError`] when there is nothing to be shown, or too much.
    pub fn new(scenario: &'a Scenario, paths: &RunPaths, request: &'a FilmRequest) -> Result<Self, FilmError> {
        let (play, backdrop) = Play::new(scenario, paths, request)?;
        let missing = backdrop.missing_characters().collect();
        let reel = Reel::new(&backdrop, play.size);
        Ok(Self { play, fps: request.fps, reel, missing })
    }

    /// Width and height, pixels.
    pub fn size(&self) -> [usize; 2] {
        self.play.size
    }

    /// Frames per second.
    pub fn fps(&self) -> u32 {
        self.fps
    }

    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.play.clock.frames() as usize
    }

    /// The length of the film, s.
    pub fn length(&self) -> f64 {
        self.play.clock.length()
    }

    /// Seconds of the run in a second of the film, outside slow motion.
    pub fn speed(&self) -> f64 {
        self.play.clock.speed
    }

    /// The number of impacts of the bodies that are shown.
    pub fn impacts(&self) -> usize {
        self.play.impacts
    }

    /// The characters on the page that the bundled typeface lacks, in order.
    pub fn missing(&self) -> &BTreeSet<char> {
        &self.missing
    }

    /// The instant of the run that a frame shows.
    pub fn instant(&self, frame: usize) -> SimTime {
        self.play.instant(frame)
    }

    /// A frame as red, green and blue of each pixel, row by row.
    pub fn picture(&mut self, frame: usize) -> Vec<u8> {
        let (marks, again) = self.play.drawn(frame);
        self.reel.picture(&marks, &again)
    }
}
