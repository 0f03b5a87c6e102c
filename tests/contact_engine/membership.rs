//! The log records which bodies the time steps advance, from when to when, and which bodies sleep. It records each
//! change once.

use carom::dynamics::{Body, BodyId, Event, EventKind, Stepper, SteppingTotals};
use carom::motion::SimTime;
use glam::DVec3;

use crate::common::Random;
use crate::common::scene::{STUFF, scene_files, scene_of};
use crate::scene::{Mix, Recipe, Z};

/// How a body is advanced according to the log.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    ByEvents,
    Stepped { since: SimTime },
    Asleep,
}

/// The content of the log so far.
struct Watch {
    ways: Vec<Way>,
    /// The rows of bodies that are not free; one of them may carry sleeping bodies.
    walls: Vec<usize>,
    body_seconds: f64,
    /// Numbers of events of one body, by kind, in the order of [`EventKind::ALL`].
    counts: [u64; EventKind::ALL.len()],
}

impl Watch {
    fn new(bodies: &[Body]) -> Self {
        let walls = (0..bodies.len()).filter(|&row| !bodies[row].is_free()).collect();
        Self { ways: vec![Way::ByEvents; bodies.len()], walls, body_seconds: 0.0, counts: [0; EventKind::ALL.len()] }
    }

    fn see(&mut self, event: &Event) {
        if !event.kind.has_one_body() {
            assert_eq!(event.partner(), Some(event.b), "{event:?}");
            return;
        }
        assert_eq!((event.partner(), event.b, event.normal), (None, event.a, DVec3::ZERO), "{event:?}");
        assert_eq!([event.approach_speed, event.impulse, event.loss, event.group as f64], [0.0; 4], "{event:?}");
        self.counts[event.kind as usize] += 1;
        let way = &mut self.ways[event.a.index()];
        *way = match (event.kind, *way) {
            (EventKind::Join, Way::ByEvents | Way::Asleep) => Way::Stepped { since: event.time },
            (EventKind::Quit | EventKind::Sleep, Way::Stepped { since }) => {
                self.body_seconds += event.time.since(since);
                if event.kind == EventKind::Sleep { Way::Asleep } else { Way::ByEvents }
            }
            (EventKind::Wake, Way::Asleep) => Way::ByEvents,
            (_, way) => panic!("{event:?} of a body that is {way:?}"),
        };
    }

    /// Compares the log with the present totals of the stepper.
    fn check(&self, stepper: &Stepper, context: &str) {
        let SteppingTotals { body_seconds, asleep, largest_island, time_steps } = stepper.stepping_totals();
        let mut seconds = self.body_seconds;
        let mut sleepers = 0;
        for (row, way) in self.ways.iter().enumerate() {
            match *way {
                Way::ByEvents => {}
                Way::Stepped { since } => seconds += stepper.now().since(since),
                Way::Asleep => {
                    sleepers += 1;
                    let state = |row: usize| stepper.state(BodyId(row as u32));
                    let velocity = state(row).velocity;
                    let is_carried = self.walls.iter().any(|&wall| state(wall).velocity == velocity);
                    assert!(velocity == DVec3::ZERO || is_carried, "{context}: body {row} has {velocity} m/s");
                    assert_eq!(state(row).spin, DVec3::ZERO, "{context}: body {row}");
                }
            }
        }
        // A thousand sums with one rounding each.
        assert!((body_seconds - seconds).abs() <= 1e-12 * seconds, "{context}: {body_seconds} s, {seconds} s");
        assert_eq!(asleep, sleepers, "{context}");
        let joins = self.counts[EventKind::Join as usize];
        assert_eq!((time_steps > 0, largest_island > 0), (joins > 0, joins > 0), "{context}: {joins} joins");
        for kind in EventKind::ALL.into_iter().filter(|kind| kind.has_one_body()) {
            assert_eq!(stepper.audit().count(kind), self.counts[kind as usize], "{context}: {kind}");
        }
    }

    fn count(&self, kind: EventKind) -> u64 {
        self.counts[kind as usize]
    }
}

/// Advances to an instant, then reads and checks the log.
fn go_to(stepper: &mut Stepper, watch: &mut Watch, seconds: f64, context: &str) {
    stepper.advance(SimTime::from_seconds(seconds), usize::MAX).unwrap_or_else(|error| panic!("{context}: {error}"));
    stepper.take_events().iter().for_each(|event| watch.see(event));
    watch.check(stepper, context);
}

/// Balls in a chamber. The outer balls leave the inner ones no room to roll.
fn balls(count: usize, friction: f64) -> (Recipe, Vec<Body>) {
    let recipe = Recipe {
        mix: Mix::Balls,
        count,
        half: 0.1,
        widths: 1.5,
        masses: 3.0,
        restitution: 0.3,
        friction,
        turning: 0.0,
        speed: 0.5,
    };
    let bodies = recipe.heap(&mut Random::new(7), 4);
    (recipe, bodies)
}

/// The log has no superfluous events: if no body leaves the heap, each body joins once and sleeps once.
#[test]
fn each_body_of_a_heap_joins_once_and_sleeps_once() {
    for (count, friction) in [(60, 0.3), (60, 0.0), (100, 0.5)] {
        let (context, (recipe, bodies)) = (format!("{count} balls, friction {friction}"), balls(count, friction));
        let (mut stepper, mut watch) = (Stepper::new(recipe.settings(), &bodies).unwrap(), Watch::new(&bodies));
        let mut seconds = 0.0;
        while seconds < 30.0 && watch.count(EventKind::Sleep) < count as u64 {
            seconds += 0.25;
            go_to(&mut stepper, &mut watch, seconds, &context);
        }
        let kinds = [EventKind::Join, EventKind::Quit, EventKind::Sleep, EventKind::Wake];
        assert_eq!(kinds.map(|kind| watch.count(kind)), [count as u64, 0, count as u64, 0], "{context}");
        let totals = stepper.stepping_totals();
        assert_eq!((totals.asleep, totals.largest_island), (count as u64, count as u64), "{context}");
    }
}

#[test]
fn a_heap_that_is_kicked_joins_again_and_bodies_that_are_removed_quit_or_wake() {
    // Without resistance to rolling, a ball may roll on over the floor, and keep the others awake.
    let (recipe, bodies) = balls(60, 0.3);
    let recipe = Recipe { turning: 1e-3, ..recipe };
    let (mut stepper, mut watch) = (Stepper::new(recipe.settings(), &bodies).unwrap(), Watch::new(&bodies));
    let free = BodyId((0..bodies.len()).find(|&row| bodies[row].is_free()).unwrap() as u32);
    go_to(&mut stepper, &mut watch, 20.0, "asleep");
    assert_eq!(stepper.stepping_totals().asleep, 60, "all sleep");
    stepper.kick(free, Z * 0.01, DVec3::ZERO).unwrap();
    go_to(&mut stepper, &mut watch, 20.01, "kicked");
    // A ball that only the floor supports continues to sleep.
    let joined = watch.ways.iter().filter(|way| matches!(way, Way::Stepped { .. })).count();
    assert!((50..=60).contains(&joined), "all that contacts connect with it join: {joined}");
    stepper.despawn(free).unwrap();
    go_to(&mut stepper, &mut watch, 20.02, "a member is removed");
    // Another ball may quit too, if no ball is near it any more.
    assert!(watch.count(EventKind::Quit) > 0 && watch.ways[free.index()] == Way::ByEvents);
    go_to(&mut stepper, &mut watch, 40.0, "asleep again");
    let sleeper = BodyId(watch.ways.iter().position(|way| *way == Way::Asleep).expect("most sleep again") as u32);
    stepper.despawn(sleeper).unwrap();
    go_to(&mut stepper, &mut watch, 40.01, "one that sleeps is removed");
    assert!(watch.count(EventKind::Wake) > 0 && watch.ways[sleeper.index()] == Way::ByEvents);
}

/// Time steps never advance a single ball.
#[test]
fn a_body_that_events_bring_to_rest_neither_joins_nor_sleeps() {
    let (recipe, _) = balls(1, 0.3);
    let floor = Body::plane(Z, 0.0).unwrap().made_of(STUFF);
    let ball = Body::sphere(0.1, 1.0).unwrap().made_of(STUFF).at(Z);
    let bodies = [floor, ball];
    let mut stepper = Stepper::new(recipe.settings(), &bodies).unwrap();
    go_to(&mut stepper, &mut Watch::new(&bodies), 10.0, "a ball");
    assert_eq!(stepper.state(BodyId(1)).velocity, DVec3::ZERO);
    assert_eq!(stepper.stepping_totals(), SteppingTotals::default());
}

/// Small islands in which bodies join, quit, sleep and wake.
#[test]
fn the_log_of_known_scenes_tells_all_changes() {
    let mut counts = [0; EventKind::ALL.len()];
    for prefix in ["chamber", "hills", "room"] {
        for file in scene_files(prefix) {
            let (context, (_, settings, bodies)) = (file.display().to_string(), scene_of(&file));
            let (mut stepper, mut watch) = (Stepper::new(settings, &bodies).unwrap(), Watch::new(&bodies));
            for quarter in 1..=16 {
                go_to(&mut stepper, &mut watch, 0.25 * f64::from(quarter), &context);
            }
            counts.iter_mut().zip(watch.counts).for_each(|(sum, count)| *sum += count);
            // A body quits only after it has been alone for more than a few steps, which limits the number of joins.
            let most = 4 * bodies.iter().filter(|body| body.is_free()).count() as u64;
            assert!(watch.count(EventKind::Join) <= most, "{context}: {} joins", watch.count(EventKind::Join));
        }
    }
    for kind in [EventKind::Join, EventKind::Quit, EventKind::Sleep, EventKind::Wake] {
        assert!(counts[kind as usize] > 0, "no {kind} in any scene");
    }
}
