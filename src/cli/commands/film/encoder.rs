//! The program ffmpeg, which makes films of pixels that it is given.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::cli::arguments::film::FilmKind;

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

impl Encoder {
    /// Whether the program can be started. An error is a text.
    pub(super) fn look_for() -> Result<(), String> {
        let mut command = Command::new(PROGRAM);
        let quiet = command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().map(|_| ()).map_err(|error| not_there(&error))
    }

    /// Begins a film at `place`. An error is a text.
    pub(super) fn begin(kind: FilmKind, place: &Path, [width, height]: [usize; 2], fps: u32) -> Result<Self, String> {
        if width % 2 == 1 || height % 2 == 1 {
            return Err(format!(
                "mp4 and webm need an even width and height, not {width} × {height}: give --size others"
            ));
        }
        let log = place.with_extension("log");
        let said = File::create(&log).map_err(|error| format!("cannot write the film: {error}"))?;
        let mut command = Command::new(PROGRAM);
        command.args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24"]);
        command.args(["-video_size", &format!("{width}x{height}"), "-framerate", &fps.to_string(), "-i", "pipe:0"]);
        // The colours as they are, whatever the size: players take them for those of HDTV.
        command.args(["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709"]);
        command.args(["-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]);
        match kind {
            FilmKind::Webm => command.args(["-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-f", "webm"]),
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

    /// Ends the film. An error is what the program says.
    pub(super) fn finish(mut self) -> Result<(), String> {
        drop(self.child.stdin.take());
        let status = self.child.wait().map_err(|error| format!("{PROGRAM} has failed: {error}"))?;
        if status.success() {
            return Ok(());
        }
        let said = fs::read_to_string(&self.log).unwrap_or_default();
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let said: String = said.chars().take(SAID_MAX).collect();
        Err(format!("{PROGRAM} has failed ({status}): {said}; --to gif and --to apng need no other program"))
    }
}

fn not_there(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        return format!(
            "mp4 and webm are made by {PROGRAM}, which is not installed: get it from https://ffmpeg.org or as a package \
             (apt-get install ffmpeg, brew install ffmpeg), or write --to gif or --to apng"
        );
    }
    format!("{PROGRAM} cannot be started: {error}")
}
