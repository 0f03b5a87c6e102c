//! Signals of the system to the program: to end, or to write no more.
//!
//! By default, Ctrl-C ends the program at once. While an [`Attention`] exists, the first Ctrl-C only raises a flag, so
//! that a run can halt where it can be continued. The second one ends the program at once.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_default};

use super::exit::Exit;

/// Whether the next Ctrl-C ends the program.
static AT_ONCE: AtomicBool = AtomicBool::new(true);

/// Whether the program was asked to end, by Ctrl-C or by another process.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Whether that came from another process.
static TERMINATED: AtomicBool = AtomicBool::new(false);

/// Makes a write beyond the limit on the size of files (`ulimit -f`) fail, like a write to a full disk. Otherwise the
/// system would end the program without a message.
pub(super) fn outlive_file_limit() {
    #[cfg(unix)]
    {
        static REACHED: AtomicBool = AtomicBool::new(false);
        // A system without this signal does not send it.
        let _ = register(signal_hook::consts::SIGXFSZ, &REACHED);
    }
}

/// If a run halts within this time after it was asked to, no message is shown.
const MOMENT: Duration = Duration::from_secs(1);

/// As long as it exists, a first Ctrl-C only raises the flag.
#[derive(Default)]
pub(super) struct Attention {
    /// When the request was first noticed, and whether the run has taken longer than a moment since.
    seen: Cell<Option<Instant>>,
    is_late: Cell<bool>,
}

impl Attention {
    /// Begins to catch signals; only one may exist at a time.
    pub(super) fn new() -> Self {
        static REGISTERED: AtomicBool = AtomicBool::new(false);
        if !REGISTERED.swap(true, Ordering::SeqCst) {
            for signal in [SIGINT, SIGTERM] {
                // The order matters. A signal that cannot be caught ends the program, as by default.
                let _ = register_conditional_default(signal, &AT_ONCE)
                    .and_then(|_| register(signal, &AT_ONCE))
                    .and_then(|_| register(signal, &ASKED));
            }
            let _ = register(SIGTERM, &TERMINATED);
        }
        AT_ONCE.store(ASKED.load(Ordering::SeqCst), Ordering::SeqCst);
        Self::default()
    }

    /// The flag that is raised.
    pub(super) fn flag(&self) -> &'static AtomicBool {
        &ASKED
    }

    /// Whether halting takes longer than a moment. It is true only once; to be called again and again.
    pub(super) fn is_late(&self) -> bool {
        if self.is_late.get() || self.asked().is_none() {
            return false;
        }
        let seen = self.seen.get().unwrap_or_else(Instant::now);
        self.seen.set(Some(seen));
        self.is_late.set(seen.elapsed() > MOMENT);
        self.is_late.get()
    }

    /// How the program is to end, if it was asked to.
    pub(super) fn asked(&self) -> Option<Exit> {
        let exit = if TERMINATED.load(Ordering::SeqCst) { Exit::Terminated } else { Exit::Interrupted };
        ASKED.load(Ordering::SeqCst).then_some(exit)
    }
}

impl Drop for Attention {
    fn drop(&mut self) {
        AT_ONCE.store(true, Ordering::SeqCst);
    }
}
