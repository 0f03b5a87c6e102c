//! Writing a recording: it is called with the world after each step.

use std::io;
use std::path::{Path, PathBuf};

use glam::DVec3;

use super::Noted;
use super::checkpoint::Checkpoint;
use super::format::{Cadence, Ending, Frame, Hash, Header, Mark, Step};
use super::frame::FrameWriter;
use super::hashing::Hashing;
use crate::record::files::WriteError;
use crate::scenario::{Scenario, Source};
use crate::world::{Command, Snapshot, Timed, World};

/// Writes the states of a world, step by step.
pub struct Recorder {
    file: PathBuf,
    frames: FrameWriter,
    cadence: Cadence,
    /// The last step, and the last step that has a frame.
    step: u64,
    noted: Option<u64>,
    /// How many of the scheduled commands are recorded.
    commands: usize,
    /// What was done to the world since the last frame of a step, in words.
    done: Vec<String>,
    hashing: Hashing,
}

impl Recorder {
    /// Begins a recording of `world` as it is now, which is step 0; an existing file is replaced.
    ///
    /// # Errors
    /// [`WriteError`] when the file cannot be written.
    pub fn create(file: &Path, title: &str, world: &World, cadence: Cadence) -> Result<Self, WriteError> {
        let carom = env!("CARGO_PKG_VERSION").to_owned();
        let mut recorder = Self::begin(file, &Header { carom, title: title.to_owned(), script: None, cadence })?;
        recorder.note_state(world, None)?;
        Ok(recorder)
    }

    /// Begins a recording of `world`, which was made from `scenario` and is at its beginning; an existing file is
    /// replaced. If each step is as long as in a run of the scenario, the recording alone is enough for a replay.
    ///
    /// # Errors
    /// [`WriteError`] when the file cannot be written.
    pub fn create_for(
        file: &Path,
        (scenario, source): (&Scenario, &Source),
        world: &World,
        cadence: Cadence,
    ) -> Result<Self, WriteError> {
        let mut recorder = Self::begin(file, &Header { cadence, ..Header::of(scenario, source) })?;
        recorder.note_state(world, None)?;
        Ok(recorder)
    }

    /// Writes the state after a step; to be called after each step.
    ///
    /// # Errors
    /// [`WriteError`] when the disk is full.
    pub fn note(&mut self, world: &World) -> Result<(), WriteError> {
        self.step += 1;
        self.note_state(world, None)
    }

    /// Notes what was done to the world since the last step without a schedule: the command in words, if it was carried
    /// out, and what the program that did it needs to do it again.
    ///
    /// # Errors
    /// [`WriteError`] when the disk is full.
    #[doc(hidden)]
    pub fn note_deed(&mut self, carried_out: Option<&Timed>, bytes: Vec<u8>) -> Result<(), WriteError> {
        self.done.extend(carried_out.map(words));
        self.put(&Frame::Deed(bytes))
    }

    /// Ends the recording, with the state of `world` after the last step, and puts it on the disk.
    ///
    /// # Errors
    /// [`WriteError`] when the disk is full.
    pub fn finish(mut self, world: &World) -> Result<(), WriteError> {
        self.end(world, None, None)
    }

    /// Begins a file that has only a header.
    pub(in crate::record) fn begin(file: &Path, header: &Header) -> Result<Self, WriteError> {
        let failed = |source| WriteError { file: file.to_owned(), source };
        let mut frames = FrameWriter::create(file).map_err(failed)?;
        frames.put(&Frame::Header(header.clone())).and_then(|()| frames.flush()).map_err(failed)?;
        let (file, cadence) = (file.to_owned(), header.cadence);
        Ok(Self {
            file,
            frames,
            cadence,
            step: 0,
            noted: None,
            commands: 0,
            done: Vec::new(),
            hashing: Hashing::default(),
        })
    }

    /// Sets the number of the next step, and returns whether it has a snapshot.
    pub(in crate::record) fn begin_step(&mut self, step: u64) -> bool {
        self.step = step;
        self.cadence.has_snapshot(step)
    }

    /// Writes the present state, with a snapshot if one is due. The snapshot contains `checkpoint`.
    pub(in crate::record) fn note_state(
        &mut self,
        world: &World,
        checkpoint: Option<Checkpoint>,
    ) -> Result<(), WriteError> {
        if !self.cadence.has_hash(self.step) {
            return Ok(());
        }
        let snapshot = world.snapshot();
        if !self.cadence.has_snapshot(self.step) {
            self.put_pending()?;
            let step = self.tell_step(world);
            self.hashing.begin(step, snapshot);
            return Ok(());
        }
        self.put_step(world, &snapshot)?;
        self.put(&Frame::Snapshot(Box::new(Mark { snapshot, checkpoint })))?;
        self.try_file(FrameWriter::flush)
    }

    /// Writes the last frame and puts everything on the disk.
    pub(in crate::record) fn end(
        &mut self,
        world: &World,
        checkpoint: Option<Checkpoint>,
        error: Option<String>,
    ) -> Result<(), WriteError> {
        let snapshot = world.snapshot();
        let has_frame = self.noted == Some(self.step);
        if !has_frame {
            self.put_step(world, &snapshot)?;
        }
        let has_snapshot = has_frame && self.cadence.has_snapshot(self.step);
        let mark = (!has_snapshot).then(|| Box::new(Mark { snapshot, checkpoint }));
        self.put(&Frame::End(Ending { mark, error }))?;
        self.sync()
    }

    /// Writes the last frame, with the state of a run that is halted within the next step, and puts everything on the
    /// disk.
    pub(in crate::record) fn end_amid_step(
        &mut self,
        world: &World,
        checkpoint: Option<Checkpoint>,
    ) -> Result<(), WriteError> {
        let mark = Some(Box::new(Mark { snapshot: world.snapshot(), checkpoint }));
        self.put(&Frame::End(Ending { mark, error: None }))?;
        self.sync()
    }

    /// Copies a step of another recording of a scenario, without the data that it has only because the recording ends
    /// there.
    pub(in crate::record) fn copy(&mut self, noted: Noted) -> Result<(), WriteError> {
        let Noted { step, time, hash, commands, mark, .. } = noted;
        self.step = step;
        if !self.cadence.has_hash(step) {
            return Ok(());
        }
        self.commands += commands.len();
        self.put(&Frame::Step(Step { step, time, hash, commands }))?;
        self.noted = Some(step);
        if let Some(mark) = mark.filter(|_| self.cadence.has_snapshot(step)) {
            self.put(&Frame::Snapshot(mark))?;
        }
        Ok(())
    }

    /// Puts everything on the disk.
    pub(in crate::record) fn sync(&mut self) -> Result<(), WriteError> {
        self.put_pending()?;
        self.try_file(FrameWriter::sync)
    }

    /// The present step without its hash.
    fn tell_step(&mut self, world: &World) -> Step {
        let done = world.carried_out();
        // A world that went back has carried out fewer commands than are recorded.
        let scheduled = done.get(self.commands..).unwrap_or_default().iter().map(words);
        let commands = self.done.drain(..).chain(scheduled).collect();
        (self.commands, self.noted) = (done.len(), Some(self.step));
        Step { step: self.step, time: world.now(), hash: Hash::default(), commands }
    }

    fn put_step(&mut self, world: &World, snapshot: &Snapshot) -> Result<(), WriteError> {
        let (hash, step) = (self.hashing.hash(snapshot), self.tell_step(world));
        self.put(&Frame::Step(Step { hash, ..step }))
    }

    /// Writes the frame of the step whose hash was pending, if there is one.
    fn put_pending(&mut self) -> Result<(), WriteError> {
        match self.hashing.end() {
            Some(step) => self.try_file(|frames| frames.put(&Frame::Step(step))),
            None => Ok(()),
        }
    }

    fn put(&mut self, frame: &Frame) -> Result<(), WriteError> {
        self.put_pending()?;
        self.try_file(|frames| frames.put(frame))
    }

    fn try_file(&mut self, act: impl FnOnce(&mut FrameWriter) -> io::Result<()>) -> Result<(), WriteError> {
        act(&mut self.frames).map_err(|source| WriteError { file: self.file.clone(), source })
    }
}

impl Drop for Recorder {
    /// A recorder that is dropped without its end still writes all steps that were noted, if the disk is not full.
    fn drop(&mut self) {
        let _ = self.put_pending();
    }
}

/// A command and its time, in words.
pub(super) fn words(timed: &Timed) -> String {
    let at = timed.at;
    match &timed.command {
        Command::Kick { body, impulse, offset } if *offset == DVec3::ZERO => {
            format!("{at} s: `{body}` kicked by {impulse} N·s")
        }
        Command::Kick { body, impulse, offset } => {
            format!("{at} s: `{body}` kicked by {impulse} N·s at {offset} m from its centre")
        }
        Command::SetSpin { body, spin } => format!("{at} s: `{body}` given the spin {spin} rad/s"),
        Command::SetVelocity { body, velocity } => format!("{at} s: `{body}` given the velocity {velocity} m/s"),
        Command::SetPosition { body, position } => format!("{at} s: `{body}` put at {position} m"),
        Command::SetMaterial { body, .. } => format!("{at} s: `{body}` given another material"),
        Command::SetLayers { body, .. } => format!("{at} s: `{body}` put into other layers"),
        Command::SetGravity { gravity } => format!("{at} s: gravity {gravity} m/s²"),
        Command::Spawn(named) => format!("{at} s: `{}` came", named.name),
        Command::Despawn { body } => format!("{at} s: `{body}` was taken out"),
        Command::SetCell { body, cell: [x, y, z], solid } => {
            let word = if *solid { "solid" } else { "empty" };
            format!("{at} s: cell ({x}, {y}, {z}) of `{body}` made {word}")
        }
    }
}
