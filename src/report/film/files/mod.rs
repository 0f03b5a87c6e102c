//! The files of a film: GIF, animated PNG, a folder of pictures, and what ffmpeg makes.

mod apng;
mod change;
mod delay;
mod gif;
mod palette;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::encoder::Encoder;
use super::error::FilmError;
use super::pictures::Film;
use super::request::FilmFormat;
use apng::Apng;
use gif::Gif;

/// The table of the instants, in a folder of pictures.
const TABLE: &str = "frames.csv";

impl Film<'_> {
    /// Writes the film to `place`: a file, or a new folder for [`FilmFormat::Frames`]. `watch` receives the number of
    /// frames that are drawn, and `halt` ends it after the next frame.
    ///
    /// # Errors
    /// [`FilmError`]; the film at `place` is then incomplete.
    pub fn write(
        &mut self,
        format: FilmFormat,
        place: &Path,
        halt: Option<&AtomicBool>,
        watch: impl FnMut(usize),
    ) -> Result<(), FilmError> {
        match format {
            FilmFormat::Gif => {
                let mut gif = Gif::new(self.size(), self.fps())?;
                self.each(halt, watch, |picture| {
                    gif.add(picture);
                    Ok(())
                })?;
                gif.write(BufWriter::new(File::create(place)?))
            }
            FilmFormat::Apng => {
                let file = BufWriter::new(File::create(place)?);
                let mut apng = Apng::new(file, self.size(), self.fps(), self.frames())?;
                self.each(halt, watch, |picture| apng.add(picture))?;
                apng.finish()
            }
            FilmFormat::Frames => self.write_frames(place, halt, watch),
            FilmFormat::Mp4 | FilmFormat::Webm => {
                let mut encoder = Encoder::begin(format, place, self.size(), self.fps())?;
                let drawn = self.each(halt, watch, |picture| encoder.add(&picture));
                match (encoder.finish(), drawn) {
                    // What the program says is more than that it has closed the pipe.
                    (Err(error), Ok(()) | Err(FilmError::Write(_))) => Err(error),
                    (_, drawn) => drawn,
                }
            }
        }
    }

    /// Passes the frames to `take`, one after the other. `watch` receives the number of frames that are drawn, and
    /// `halt` ends it after the next frame.
    ///
    /// # Errors
    /// [`FilmError`], also that of `take`.
    pub fn each(
        &mut self,
        halt: Option<&AtomicBool>,
        watch: impl FnMut(usize),
        mut take: impl FnMut(Vec<u8>) -> io::Result<()>,
    ) -> Result<(), FilmError> {
        self.each_frame(halt, watch, |_, _, picture| take(picture))
    }

    /// The same with the number of each frame.
    fn each_frame(
        &mut self,
        halt: Option<&AtomicBool>,
        mut watch: impl FnMut(usize),
        mut take: impl FnMut(&Self, usize, Vec<u8>) -> io::Result<()>,
    ) -> Result<(), FilmError> {
        for frame in 0..self.frames() {
            if halt.is_some_and(|halt| halt.load(Ordering::Relaxed)) {
                return Err(FilmError::Interrupted);
            }
            let picture = self.picture(frame);
            take(self, frame, picture)?;
            watch(frame + 1);
        }
        Ok(())
    }

    fn write_frames(
        &mut self,
        place: &Path,
        halt: Option<&AtomicBool>,
        watch: impl FnMut(usize),
    ) -> Result<(), FilmError> {
        fs::create_dir(place)?;
        let digits = (self.frames() - 1).to_string().len().max(4);
        let mut table = BufWriter::new(File::create(place.join(TABLE))?);
        writeln!(table, "file,film_time,time,rate")?;
        self.each_frame(halt, watch, |film, frame, picture| {
            let name = format!("frame_{frame:0digits$}.png");
            fs::write(place.join(&name), film.reel.png(&picture))?;
            let time = film.play.clock.film_time(frame);
            writeln!(table, "{name},{time},{},{}", film.instant(frame).seconds(), film.play.clock.rate(time))
        })?;
        Ok(table.flush()?)
    }
}

/// Whether a folder of frames may have a file of this name.
pub fn is_film_file(name: &str) -> bool {
    let is_frame = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    name == TABLE || name.strip_prefix("frame_").and_then(|name| name.strip_suffix(".png")).is_some_and(is_frame)
}
