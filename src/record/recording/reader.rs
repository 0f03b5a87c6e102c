//! Reading a recording step by step, each with all its data.

use std::path::Path;

use super::format::{Frame, Hash, Header, Mark, Step};
use super::frame::{FrameReader, RecordingError};
use crate::motion::SimTime;

/// A recording that is being read.
///
/// Everything is checked: a recording that was damaged or cut short gives all steps before that place, and then an
/// error with the place.
pub struct Reader {
    frames: FrameReader,
    header: Header,
    /// The next frame, which was read to see whether it still belongs to the step before. An error in it is reported
    /// when its step is read.
    ahead: Option<Result<Frame, RecordingError>>,
    ended: bool,
}

/// The data of one step in a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Noted {
    /// Its number; 0 is the beginning.
    pub step: u64,
    /// The instant at which it ends.
    pub time: SimTime,
    /// The hash of the state then.
    pub hash: Hash,
    /// The commands that were carried out since the previous recorded step, in words.
    pub commands: Vec<String>,
    /// The complete state, if it was recorded.
    pub mark: Option<Box<Mark>>,
    /// What was done to the world after this step and before the next, in bytes of the program that did it.
    pub deeds: Vec<Vec<u8>>,
    /// The complete state in which the run was halted within the next step, if it was.
    pub halted: Option<Box<Mark>>,
    /// Whether the recording ends here.
    pub is_last: bool,
    /// The error that ended the run here, if there was one.
    pub error: Option<String>,
}

impl Noted {
    fn new(step: u64, time: SimTime, hash: Hash, commands: Vec<String>) -> Self {
        let (mark, deeds, halted, error) = (None, Vec::new(), None, None);
        Self { step, time, hash, commands, mark, deeds, halted, is_last: false, error }
    }
}

impl Reader {
    /// Opens a recording and reads its header.
    ///
    /// # Errors
    /// [`RecordingError`] when it cannot be read, or is not a recording.
    pub fn open(file: &Path) -> Result<Self, RecordingError> {
        let mut frames = FrameReader::open(file)?;
        match frames.next()? {
            Frame::Header(header) => Ok(Self { frames, header, ahead: None, ended: false }),
            _ => Err(frames.damaged("it should be the header")),
        }
    }

    /// Its header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next step; `None` after the last.
    ///
    /// # Errors
    /// [`RecordingError`] when the frames are not in a valid order, or stop before the end.
    pub fn next_step(&mut self) -> Result<Option<Noted>, RecordingError> {
        if self.ended {
            return Ok(None);
        }
        let Step { step, time, hash, commands } = match self.next_frame()? {
            Frame::Step(next) if self.frames.step.is_none_or(|last| last < next.step) => next,
            _ => return Err(self.frames.damaged("it is out of its place")),
        };
        self.frames.step = Some(step);
        let mut noted = Noted::new(step, time, hash, commands);
        match self.next_frame() {
            Ok(Frame::Snapshot(mark)) => noted.mark = Some(mark),
            other => self.ahead = Some(other),
        }
        let ended = loop {
            match self.next_frame() {
                Ok(Frame::Deed(bytes)) => noted.deeds.push(bytes),
                other => break other,
            }
        };
        match ended {
            Ok(Frame::End(ending)) => {
                self.frames.end()?;
                (noted.is_last, self.ended) = (true, true);
                match ending.mark {
                    Some(mark) if mark.snapshot.now() != time => noted.halted = Some(mark),
                    // It is the state after the deeds, which is not that of the step.
                    mark => noted.mark = noted.mark.or(mark.filter(|_| noted.deeds.is_empty())),
                }
                noted.error = ending.error;
            }
            other => self.ahead = Some(other),
        }
        Ok(Some(noted))
    }

    /// The hashes of some steps, with the numbers of the steps: of the first, of the last, and of each step that is at
    /// least `stride` steps after the one before.
    ///
    /// # Errors
    /// [`RecordingError`], as for [`next_step`](Self::next_step).
    #[doc(hidden)]
    pub fn hashes(mut self, stride: u64) -> Result<Vec<(u64, Hash)>, RecordingError> {
        let (mut hashes, mut due) = (Vec::new(), 0);
        while let Some(noted) = self.next_step()? {
            if noted.step >= due || noted.is_last {
                hashes.push((noted.step, noted.hash));
                due = noted.step.saturating_add(stride);
            }
        }
        Ok(hashes)
    }

    fn next_frame(&mut self) -> Result<Frame, RecordingError> {
        self.ahead.take().unwrap_or_else(|| self.frames.next())
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::super::Recorder;
    use super::super::format::{Cadence, Ending};
    use super::super::frame::FrameWriter;
    use super::*;
    use crate::dynamics::{Body, Settings};
    use crate::world::{Command, Timed, World};

    #[test]
    fn deeds_come_after_their_step() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deeds.carom");
        let mut world = World::new(Settings::default(), [("ball", Body::sphere(0.5, 1.0).unwrap())]).unwrap();
        let mut recorder = Recorder::create(&file, "", &world, Cadence { hashes: 1, snapshots: Some(9) }).unwrap();
        let command = Command::SetGravity { gravity: DVec3::Z };
        let carried_out = Timed { at: SimTime::ZERO, command, origin: String::new() };
        recorder.note_deed(Some(&carried_out), vec![1, 2]).unwrap();
        world.step(1.0).unwrap();
        recorder.note(&world).unwrap();
        recorder.note_deed(None, vec![3]).unwrap();
        recorder.finish(&world).unwrap();
        let mut reader = Reader::open(&file).unwrap();
        let [first, last] = [(); 2].map(|()| reader.next_step().unwrap().unwrap());
        assert_eq!((first.deeds, first.commands.len(), first.mark.is_some()), (vec![vec![1, 2]], 0, true));
        assert_eq!((last.deeds, last.commands.len(), last.is_last), (vec![vec![3]], 1, true));
        // Its snapshot is that after the deed.
        assert_eq!(last.mark, None);
    }

    #[test]
    fn steps_come_once_and_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("steps.carom");
        for (steps, sound) in [([0, 1, 2], true), ([0, 1, 1], false), ([0, 2, 1], false), ([0, 0, 1], false)] {
            let mut frames = FrameWriter::create(&file).unwrap();
            let carom = env!("CARGO_PKG_VERSION").to_owned();
            let header = Header { carom, title: String::new(), script: None, cadence: Cadence::EACH };
            frames.put(&Frame::Header(header)).unwrap();
            for step in steps {
                let step = Step { step, time: SimTime::ZERO, hash: Hash::default(), commands: Vec::new() };
                frames.put(&Frame::Step(step)).unwrap();
            }
            frames.put(&Frame::End(Ending { mark: None, error: None })).unwrap();
            frames.flush().unwrap();
            let mut reader = Reader::open(&file).unwrap();
            let read = (0..3).map(|_| reader.next_step()).collect::<Result<Vec<_>, _>>();
            assert_eq!(read.is_ok(), sound, "{steps:?}");
        }
    }
}
