//! The program ffmpeg, which makes films of pixels that it is given.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::error::FilmError;
use super::request::FilmFormat;

/// The name of the program.
const PROGRAM: &str = "ffmpeg";

/// Most characters of what it says that are shown.
const SAID_MAX: usize = 600;

/// The program at work.
pub(super) struct Encoder {
    child: Child,
    /// What it says.
    log: PathBuf,
}

impl FilmFormat {
    /// Whether this machine has what the format needs.
    ///
    /// # Errors
    /// [`FilmError::Encoder`] when ffmpeg is needed and cannot be started.
    pub fn look_for_encoder(self) -> Result<(), FilmError> {
        if !matches!(self, Self::Mp4 | Self::Webm) {
            return Ok(());
        }
        let mut command = Command::new(PROGRAM);
        let quiet = command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().map(|_| ()).map_err(|error| not_there(&error))
    }
}

impl Encoder {
    /// Begins a film at `place`.
    pub(super) fn begin(
        format: FilmFormat,
        place: &Path,
        [width, height]: [usize; 2],
        fps: u32,
    ) -> Result<Self, FilmError> {
        if width % 2 == 1 || height % 2 == 1 {
            return Err(FilmError::Odd { width, height });
        }
        let log = place.with_extension("log");
        let said = File::create(&log)?;
        let mut command = Command::new(PROGRAM);
        command.args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24"]);
        command.args(["-video_size", &format!("{width}x{height}"), "-framerate", &fps.to_string(), "-i", "pipe:0"]);
        // The colours as they are, whatever the size: players take them for those of HDTV.
        command.args(["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709"]);
        command.args(["-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]);
        match format {
            FilmFormat::Webm => command.args(["-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-f", "webm"]),
            _ => command.args(["-c:v", "libx264", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"]),
        };
        command.arg(place).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(said);
        let child = command.spawn().map_err(|error| not_there(&error))?;
        Ok(Self { child, log })
    }

    /// Passes the next picture on.
    pub(super) fn add(&mut self, picture: &[u8]) -> io::Result<()> {
        self.child.stdin.as_mut().map_or(Ok(()), |pipe| pipe.write_all(picture))
    }

    /// Ends the film. An error has what the program says.
    pub(super) fn finish(mut self) -> Result<(), FilmError> {
        drop(self.child.stdin.take());
        let status = self.child.wait().map_err(|error| FilmError::Encoder(format!("{PROGRAM} has failed: {error}")))?;
        if status.success() {
            return Ok(());
        }
        let said = fs::read_to_string(&self.log).unwrap_or_default();
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let said: String = said.chars().take(SAID_MAX).collect();
        let words = format!("{PROGRAM} has failed ({status}): {said}; --to gif and --to apng need no other program");
        Err(FilmError::Encoder(words))
    }
}

fn not_there(error: &io::Error) -> FilmError {
    FilmError::Encoder(if error.kind() == io::ErrorKind::NotFound {
        format!(
            "mp4 and webm are made by {PROGRAM}, which is not installed: get it from https://ffmpeg.org or as a package \
             (apt-get install ffmpeg, brew install ffmpeg), or write --to gif or --to apng"
        )
    } else {
        format!("{PROGRAM} cannot be started: {error}")
    })
}
