//! How long frames are seen.

/// How long the last frame of a film that begins again is seen, s.
const HOLD: u64 = 1;

/// The time until the next frame begins, in parts of a second of which a second has `parts`. It is rounded so that the
/// errors of many frames do not add up. The last frame stays.
pub(super) fn delay(frame: usize, frames: usize, fps: u32, parts: u64) -> u64 {
    let begin = |frame: usize| (frame as u64 * parts + u64::from(fps) / 2) / u64::from(fps);
    begin(frame + 1) - begin(frame) + if frame + 1 == frames { HOLD * parts } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_add_up_to_the_length_of_the_film() {
        for (fps, frames) in [(25, 100), (30, 300), (7, 70), (50, 1)] {
            let sum: u64 = (0..frames).map(|frame| delay(frame, frames, fps, 100)).sum();
            assert_eq!(sum, 100 * frames as u64 / u64::from(fps) + 100 * HOLD, "{fps}");
        }
    }
}
