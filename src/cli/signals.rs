//! Signals of the system to the program: to end, or to write no more.
//!
//! By default, Ctrl-C ends the program at once. While an [`Attention`] exists, the first Ctrl-C only raises a flag, so
//! that a run can halt after the next event, where it can be continued. The second one ends the program at once. So
//! does the first one if the program has not ended a little later, because one event takes long: what a run has written
//! can be continued at any time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_default};

use super::exit::{Exit, note};

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

/// What the program says if it has to end amid an event; `None` if it must not.
static LAST_WORDS: Mutex<Option<String>> = Mutex::new(None);

/// How long the program may take to end after it was asked to: less than the two seconds after which users and systems
/// lose patience, and longer than the events that are usual.
const PATIENCE: Duration = Duration::from_millis(1500);

/// How often the thread that ends the program looks whether it was asked to.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// As long as it exists, a first Ctrl-C only raises the flag.
pub(super) struct Attention {
    /// Only [`new`](Self::new) makes one.
    _private: (),
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
            // Without the thread, a second signal ends the program.
            let _ = thread::Builder::new().spawn(end_when_late);
        }
        AT_ONCE.store(ASKED.load(Ordering::SeqCst), Ordering::SeqCst);
        Self { _private: () }
    }

    /// The flag that is raised.
    pub(super) fn flag(&self) -> &'static AtomicBool {
        &ASKED
    }

    /// From now on the program may end amid an event, with these words.
    pub(super) fn may_end_with(&self, words: String) {
        if let Ok(mut last) = LAST_WORDS.lock() {
            *last = Some(words);
        }
    }

    /// How the program is to end, if it was asked to.
    pub(super) fn asked(&self) -> Option<Exit> {
        asked()
    }
}

fn asked() -> Option<Exit> {
    let exit = || if TERMINATED.load(Ordering::SeqCst) { Exit::Terminated } else { Exit::Interrupted };
    ASKED.load(Ordering::SeqCst).then(exit)
}

/// Ends the program if it has not ended in time after it was asked to.
fn end_when_late() {
    while asked().is_none() {
        thread::sleep(LOOK_EVERY);
    }
    thread::sleep(PATIENCE);
    if let (Some(exit), Ok(last)) = (asked(), LAST_WORDS.lock())
        && let Some(words) = &*last
    {
        note(words);
        std::process::exit(exit as i32);
    }
}

impl Drop for Attention {
    fn drop(&mut self) {
        if let Ok(mut last) = LAST_WORDS.lock() {
            *last = None;
        }
        AT_ONCE.store(true, Ordering::SeqCst);
    }
}
