//! carom as a WebAssembly module: the player of a page loads a scenario, has it run, and looks at any instant of it.
//!
//! The interface is plain: numbers go in and come out, texts and arrays lie in the memory of the module. The caller
//! asks for room with [`input`], writes there, and calls; an answer lies at [`text`] (JSON) or [`numbers`] (`f64`).
//! Long work is divided into slices, so that the caller can do something else between two of them.
//!
//! There is one [`Session`] at a time. Its [front](front) runs through the scenario once, takes the hashes and keeps
//! snapshots; its [view](view) goes to any instant from the nearest snapshot before it, with the bits that the front
//! had there.

mod answer;
mod clock;
mod front;
mod session;
mod view;
mod walker;

use std::cell::RefCell;

use carom::scenario::MeshFile;

use answer::{Order, Problems};
use session::Session;

/// All that the module remembers between two calls.
#[derive(Default)]
struct Module {
    input: Vec<u8>,
    text: String,
    numbers: Vec<f64>,
    files: Vec<MeshFile>,
    session: Option<Session>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
    /// The words of a panic, after which the module cannot be used.
    static PANIC: RefCell<String> = RefCell::default();
}

fn with<T>(act: impl FnOnce(&mut Module) -> T) -> T {
    MODULE.with_borrow_mut(act)
}

/// Acts on the session, if there is one.
fn in_session<T: Default>(act: impl FnOnce(&mut Session) -> T) -> T {
    with(|module| module.session.as_mut().map_or_else(T::default, act))
}

/// Room for `length` bytes of input, at the address that comes back.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    with(|module| {
        module.input.clear();
        module.input.resize(length, 0);
        module.input.as_mut_ptr()
    })
}

/// Where the last answer in words begins, and how many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn text() -> *const u8 {
    with(|module| module.text.as_ptr())
}

/// Bytes of the last answer in words.
#[unsafe(no_mangle)]
pub extern "C" fn text_length() -> usize {
    with(|module| module.text.len())
}

/// Where the words of a panic begin: why a call ended with a trap.
#[unsafe(no_mangle)]
pub extern "C" fn panic() -> *const u8 {
    PANIC.with_borrow(|words| words.as_ptr())
}

/// Bytes of these words.
#[unsafe(no_mangle)]
pub extern "C" fn panic_length() -> usize {
    PANIC.with_borrow(String::len)
}

/// Where the last answer in numbers begins.
#[unsafe(no_mangle)]
pub extern "C" fn numbers() -> *const f64 {
    with(|module| module.numbers.as_ptr())
}

/// How many numbers the last answer has.
#[unsafe(no_mangle)]
pub extern "C" fn numbers_length() -> usize {
    with(|module| module.numbers.len())
}

/// The input is a mesh file: first its name, of `name_length` bytes, then what is in it. The next scenario may name it.
#[unsafe(no_mangle)]
pub extern "C" fn file(name_length: usize) {
    with(|module| {
        let Some((name, bytes)) = module.input.split_at_checked(name_length) else { return };
        let name = String::from_utf8_lossy(name).into_owned();
        module.files.push(MeshFile { name, bytes: bytes.into() });
    });
}

/// The input is an [`Order`] as JSON: a scenario. The answer in words is a [`Description`](answer::Description) of it,
/// or [`Problems`]. Returns whether it can be run.
#[unsafe(no_mangle)]
pub extern "C" fn load() -> u32 {
    std::panic::set_hook(Box::new(|panic| PANIC.set(panic.to_string())));
    with(|module| {
        module.session = None;
        let files = std::mem::take(&mut module.files);
        let order: Result<Order, Problems> =
            serde_json::from_slice(&module.input).map_err(|error| Problems::of_words(&error));
        match order.and_then(|order| Session::load(order, files)) {
            Ok((session, description)) => {
                module.text = json(&description);
                module.session = Some(session);
                1
            }
            Err(problems) => {
                module.text = json(&problems);
                0
            }
        }
    })
}

/// The triangles of a mesh, nine numbers each, m, as the answer in numbers.
#[unsafe(no_mangle)]
pub extern "C" fn mesh(number: usize) {
    with(|module| {
        if let Some(session) = &module.session {
            module.numbers = session.triangles(number);
        }
    });
}

/// What the bodies are from row `first` on, as the answer in words: those that have come since.
#[unsafe(no_mangle)]
pub extern "C" fn bodies(first: u32) {
    with(|module| {
        if let Some(session) = &mut module.session {
            module.text = json(&session.bodies(first));
        }
    });
}

/// Lets the front go on for one slice: at most one step, or about so many events. Returns whether there is more to do.
#[unsafe(no_mangle)]
pub extern "C" fn front_slice(events_max: usize) -> u32 {
    in_session(|session| u32::from(session.front_slice(events_max)))
}

/// How far the front is, as a [`Report`](answer::Report) in words.
#[unsafe(no_mangle)]
pub extern "C" fn front_report() {
    with(|module| {
        if let Some(session) = &mut module.session {
            module.text = json(&session.front_report());
        }
    });
}

/// How many impacts there were so far in each of `count` equal parts of the run, as the answer in numbers.
#[unsafe(no_mangle)]
pub extern "C" fn impacts(count: usize) {
    with(|module| {
        if let Some(session) = &module.session {
            module.numbers = session.impacts(count);
        }
    });
}

/// The view is to go to this instant, s.
#[unsafe(no_mangle)]
pub extern "C" fn seek(seconds: f64) {
    in_session(|session| session.seek(seconds));
}

/// The view is to go on to this instant, s, but to stop at the first impact on the way.
#[unsafe(no_mangle)]
pub extern "C" fn seek_until(seconds: f64) {
    in_session(|session| session.seek_until(seconds));
}

/// The view is to go to the end of a step.
#[unsafe(no_mangle)]
pub extern "C" fn seek_step(step: f64) {
    in_session(|session| session.seek_step(step as u64));
}

/// The view is to go to the next impact after its present, or with a negative sign to the last one before it.
#[unsafe(no_mangle)]
pub extern "C" fn seek_impact(sign: i32) {
    in_session(|session| session.seek_impact(sign < 0));
}

/// Lets the view go on for one slice. Returns 0 while there is more to do, 1 when it is there, 2 when there is no such
/// impact.
#[unsafe(no_mangle)]
pub extern "C" fn view_slice(events_max: usize) -> u32 {
    in_session(|session| session.view_slice(events_max) as u32)
}

/// Where all bodies of the view are, as the answer in numbers: the time (s), the last step, how many bodies there were,
/// and nine numbers for each: position (m), velocity (m/s) and spin (rad/s); of a body that is not there, no numbers
/// (NaN).
#[unsafe(no_mangle)]
pub extern "C" fn poses() {
    with(|module| {
        if let Some(session) = &module.session {
            session.poses(&mut module.numbers);
        }
    });
}

/// What has come together up to the present of the view, as the answer in numbers: the kinetic and the potential energy
/// of the free bodies (J), how many impacts there were, and for each body how many it had. Impacts are counted from
/// where the view last went back to.
#[unsafe(no_mangle)]
pub extern "C" fn totals() {
    with(|module| {
        if let Some(session) = &module.session {
            session.totals(&mut module.numbers);
        }
    });
}

/// What the view saw of late, as [`Sights`](answer::Sights) in words: events that are not older than `seconds`,
/// contacts, and the numbers of meshes that have changed.
#[unsafe(no_mangle)]
pub extern "C" fn sights(seconds: f64) {
    with(|module| {
        if let Some(session) = &mut module.session {
            module.text = json(&session.sights(seconds));
        }
    });
}

/// The state hash of the view, as the answer in words.
#[unsafe(no_mangle)]
pub extern "C" fn view_hash() {
    with(|module| {
        if let Some(session) = &module.session {
            module.text = session.view_hash();
        }
    });
}

fn json(answer: &impl serde::Serialize) -> String {
    serde_json::to_string(answer).expect("plain data can be written")
}
