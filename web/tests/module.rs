//! The module that the page of a run embeds is that of the present sources: it gives the state hashes of the library,
//! whose bits `tests/golden.rs` checks.
//!
//! The test interprets the module, so it needs neither a browser nor a WebAssembly toolchain.

use std::fs;
use std::path::Path;

use carom::motion::SimTime;
use carom::record::state_hash;
use carom::scenario::{Source, parse};
use miniz_oxide::inflate::decompress_to_vec;
use wasmi::{Engine, Instance, Linker, Memory, Module, Store, WasmParams, WasmResults};

const BUNDLE: &str = "../src/report/page/bundle";

/// Scenarios and their durations (s). They are short enough for an interpreter, and together use every part of carom.
const SHORT: [(&str, f64); 10] = [
    ("break", 0.6),
    ("newtons_cradle", 3.0),
    ("cradle_touching", 3.0),
    ("slope", 2.0),
    ("sensor_gates", 2.0),
    ("lift_and_drop", 2.0),
    ("zeno", 3.0),
    ("piston_gas", 1.0),
    ("hard_spheres", 0.1),
    // With time steps.
    ("heap", 0.25),
];

/// The running module.
struct Player {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
}

impl Player {
    fn new() -> Self {
        let packed = fs::read(Path::new(BUNDLE).join("carom.wasm.gz")).unwrap();
        assert_eq!(packed[..4], [0x1f, 0x8b, 8, 0], "gzip without a name");
        let bytes = decompress_to_vec(&packed[10..packed.len() - 8]).unwrap();
        let engine = Engine::default();
        let module = Module::new(&engine, &bytes).unwrap();
        let mut store = Store::new(&engine, ());
        let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module).unwrap();
        let memory = instance.get_memory(&store, "memory").unwrap();
        Self { store, instance, memory }
    }

    fn call<A: WasmParams, R: WasmResults>(&mut self, name: &str, arguments: A) -> R {
        let function = self.instance.get_typed_func::<A, R>(&self.store, name).unwrap();
        function.call(&mut self.store, arguments).unwrap_or_else(|trap| panic!("{name}: {trap}: {}", self.panic()))
    }

    fn give(&mut self, input: &[u8]) {
        let place: i32 = self.call("input", input.len() as i32);
        self.memory.write(&mut self.store, place as usize, input).unwrap();
    }

    fn text(&mut self) -> String {
        let (place, length): (i32, i32) = (self.call("text", ()), self.call("text_length", ()));
        String::from_utf8(self.memory.data(&self.store)[place as usize..][..length as usize].to_vec()).unwrap()
    }

    fn panic(&mut self) -> String {
        let [place, length] = ["panic", "panic_length"].map(|name| {
            let function = self.instance.get_typed_func::<(), i32>(&self.store, name).unwrap();
            function.call(&mut self.store, ()).unwrap_or_default() as usize
        });
        String::from_utf8_lossy(&self.memory.data(&self.store)[place..][..length]).into_owned()
    }

    /// Calls `load` with a scenario, and returns its answer.
    fn load(&mut self, text: &str, duration: f64) -> Result<serde_json::Value, serde_json::Value> {
        let order = serde_json::json!({ "name": "scenario.ron", "text": text, "duration": duration });
        self.give(order.to_string().as_bytes());
        let loaded: i32 = self.call("load", ());
        let answer = serde_json::from_str(&self.text()).unwrap();
        if loaded == 1 { Ok(answer) } else { Err(answer) }
    }

    /// The state hash at the end of the run.
    fn hash(&mut self) -> String {
        while self.call::<i32, i32>("front_slice", 4096) == 1 {}
        self.call::<(), ()>("front_report", ());
        let report: serde_json::Value = serde_json::from_str(&self.text()).unwrap();
        assert_eq!(report["error"], serde_json::Value::Null);
        report["state_hash"].as_str().unwrap().to_owned()
    }

    /// Advances the view until it arrives at its target, and returns the result code.
    fn arrive(&mut self) -> i32 {
        loop {
            let arrival = self.call("view_slice", 64);
            if arrival != 0 {
                return arrival;
            }
        }
    }

    fn view_hash(&mut self) -> String {
        self.call::<(), ()>("view_hash", ());
        self.text()
    }

    /// The instant of the view, s.
    fn time(&mut self) -> f64 {
        self.call::<(), ()>("poses", ());
        let place: i32 = self.call("numbers", ());
        f64::from_le_bytes(self.memory.data(&self.store)[place as usize..][..8].try_into().unwrap())
    }
}

fn scenario(name: &str) -> String {
    fs::read_to_string(format!("../scenarios/{name}.ron")).unwrap()
}

/// The state hash of the library after `seconds`.
fn native_hash(name: &str, seconds: f64) -> String {
    let scenario = parse(&Source::new(name, &scenario(name))).unwrap().scenario;
    let scenario = scenario.with_times(None, Some(seconds)).unwrap();
    let mut world = scenario.world().unwrap();
    let steps = (seconds / scenario.timestep).ceil() as u64;
    for step in 1..=steps {
        let end = (step as f64 * scenario.timestep).min(seconds);
        world.advance(SimTime::from_seconds(end), usize::MAX).unwrap();
    }
    assert_eq!(world.now(), SimTime::from_seconds(seconds), "{name}");
    state_hash(&world)
}

#[test]
fn the_module_gives_the_hashes_of_the_library() {
    let mut player = Player::new();
    for (name, seconds) in SHORT {
        player.load(&scenario(name), seconds).unwrap_or_else(|problems| panic!("{name}: {problems}"));
        let found = player.hash();
        assert_eq!(
            found,
            native_hash(name, seconds),
            "{name}: the module has other bits than the library; run web/build"
        );
        player.call::<f64, ()>("seek", seconds);
        assert_eq!((player.arrive(), player.view_hash()), (1, found), "{name}: the view is not where the front is");
    }
}

#[test]
fn the_view_goes_to_any_instant_and_back() {
    let mut player = Player::new();
    player.load(&scenario("newtons_cradle"), 2.0).unwrap();
    player.hash();
    let mut at = Vec::new();
    for _ in 0..4 {
        player.call::<i32, ()>("seek_impact", 1);
        assert_eq!(player.arrive(), 1);
        at.push((player.time(), player.view_hash()));
    }
    // One gap of 0.8 m and three of 0.02 m at 1 m/s, apart from a few roundings.
    for ((time, _), wanted) in at.iter().zip([0.8, 0.82, 0.84, 0.86]) {
        assert!((time - wanted).abs() < 1e-14, "{time} s is not {wanted} s");
    }
    player.call::<i32, ()>("seek_impact", 1);
    assert_eq!((player.arrive(), player.time()), (2, at[3].0), "there is no fifth impact");
    for (time, hash) in at.iter().rev().skip(1) {
        player.call::<i32, ()>("seek_impact", -1);
        assert_eq!((player.arrive(), player.time(), &player.view_hash()), (1, *time, hash));
    }
    player.call::<i32, ()>("seek_impact", -1);
    assert_eq!((player.arrive(), player.time()), (2, at[0].0), "there is none before the first");
}

#[test]
fn what_is_wrong_with_a_scenario_is_told_with_its_place() {
    let mut player = Player::new();
    let told = |player: &mut Player, text: &str| player.load(text, 1.0).unwrap_err()["problems"][0].clone();
    let wrong = told(&mut player, "(\n  timestep: 0.1,\n  duration: -1,\n)");
    assert_eq!((&wrong["line"], &wrong["column"], &wrong["field"]), (&3.into(), &13.into(), &"duration".into()));
    let ball = |name: char| format!("(name: \"{name}\", shape: Sphere(radius: 1), mass: 1),");
    let overlap = format!("(timestep: 0.1, duration: 1, bodies: [\n{}\n{}])", ball('a'), ball('b'));
    let wrong = told(&mut player, &overlap);
    assert_eq!(wrong["line"], 3, "{wrong}");
    player.give(b"no order");
    assert_eq!(player.call::<(), i32>("load", ()), 0);
    assert!(player.load(&scenario("zeno"), 1.0).is_ok());
}
