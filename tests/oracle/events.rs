//! Spins and event logs: each fault is found, and a log may contain any number of impacts for bodies that settle.

use carom::dynamics::EventKind;
use carom::glam::DVec3;
use carom::motion::SimTime;
use carom::oracle::Metric::{self, *};
use carom::oracle::{Judgement, Verdict};
use carom::record::foreign::ForeignEvent;

use super::{Written, guilty, judged_with_events, scenario, written};

/// The scene, the fault in words, the metrics that must detect it, and the fault itself.
type Case = (&'static str, &'static str, &'static [Metric], fn(&mut Written));

/// The event with this number, counted from 1.
fn event(written: &mut Written, number: usize) -> &mut ForeignEvent {
    &mut written.events.rows[number - 1]
}

fn shift(written: &mut Written, number: usize, seconds: f64) {
    let event = event(written, number);
    event.time = event.time.plus(seconds);
}

/// Adds a copy of the event with this number at another time.
fn add(written: &mut Written, number: usize, seconds: f64) {
    let like = *event(written, number);
    written.events.rows.push(ForeignEvent { time: SimTime::from_seconds(seconds), ..like });
}

const CASES: &[Case] = &[
    ("bounce_elastic", "the first impact is not told of", &[FirstImpactMissed, ImpactsMissed], |written| {
        written.events.rows.remove(0);
    }),
    ("bounce_elastic", "a later impact is not told of", &[ImpactsMissed], |written| {
        written.events.rows.remove(3);
    }),
    ("bounce_elastic", "there is no event at all", &[FirstImpactMissed, ImpactsMissed], |written| {
        written.events.rows.clear();
    }),
    ("bounce_elastic", "an impact is told of twice", &[ImpactsExtra], |written| {
        let again = *event(written, 2);
        written.events.rows.push(again);
    }),
    ("bounce_elastic", "an impact in full flight", &[ImpactsExtra], |written| add(written, 1, 1.3)),
    ("pair_near_miss", "an impact of bodies that miss each other", &[ImpactsExtra], |written| {
        let (time, kind) = (SimTime::from_seconds(0.5), EventKind::Impact);
        written.events.rows.push(ForeignEvent { place: 2, time, kind, a: 0, b: Some(1) });
    }),
    ("bounce_elastic", "the first impact is told of 2 ms late", &[FirstImpactTime, ImpactTime], |written| {
        shift(written, 1, 0.002);
    }),
    ("bounce_elastic", "a later impact is told of 2 ms early", &[ImpactTime], |written| shift(written, 4, -0.002)),
    (
        "bounce_elastic",
        "the first impact is told of much too late",
        &[FirstImpactMissed, ImpactsMissed, ImpactsExtra],
        |written| shift(written, 1, 0.6),
    ),
    ("chain_cradle_gaps", "another pair meets", &[FirstImpactMissed, ImpactsMissed, ImpactsExtra], |written| {
        let last = written.events.bodies.len() - 1;
        let event = event(written, 1);
        (event.a, event.b) = (0, Some(last));
    }),
    ("friction_bounce", "a ball does not turn", &[Spin], |written| {
        written.table.rows.iter_mut().for_each(|row| row.spin = DVec3::ZERO);
    }),
    ("friction_bounce", "the sign of a spin", &[Spin], |written| {
        written.table.rows.iter_mut().for_each(|row| row.spin = -row.spin);
    }),
    ("friction_roll", "a ball slips by 0.5 % of its speed", &[Slip], |written| {
        written.table.rows.iter_mut().for_each(|row| row.spin *= 0.995);
    }),
    ("friction_roll", "a ball slips by 2 % of its speed", &[Metric::Spin, Slip], |written| {
        written.table.rows.iter_mut().for_each(|row| row.spin *= 1.02);
    }),
    ("stack_two", "a box turns", &[Spin], |written| {
        written.table.rows.iter_mut().filter(|row| row.time.seconds() > 0.5).for_each(|row| row.spin.y = 1.0);
    }),
];

#[test]
fn each_fault_of_spins_and_events_is_found_and_no_other() {
    let mut wrong = Vec::new();
    for &(scene, fault, wanted, change) in CASES {
        let scenario = scenario(scene);
        let mut spoiled = written(&scenario, scenario.timestep);
        let good = spoiled.clone();
        change(&mut spoiled);
        assert!(spoiled != good, "{scene}, {fault}: the fault does something");
        let found = guilty(&judged_with_events(&scenario, &spoiled).unwrap());
        if found != wanted {
            wrong.push(format!("{scene}, {fault}: found {found:?}, wanted {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn has(judgement: &Judgement, metric: Metric, verdict: Verdict) -> bool {
    judgement.judged[0].finding(metric).is_some_and(|found| found.verdict == verdict)
}

/// For bodies that rest on each other, an engine may log the first touch, repeated touches, or none.
#[test]
fn lasting_contacts_may_be_told_of_or_not() {
    for name in ["stack_two", "bounce_to_rest", "friction_slide", "chain_cradle_touching"] {
        let scenario = scenario(name);
        let timestep = scenario.timestep;
        let mut told = written(&scenario, timestep);
        let touching: Vec<ForeignEvent> = match name {
            "chain_cradle_touching" => told.events.rows[1..3].to_vec(),
            _ => told.events.rows.iter().copied().filter(|event| event.kind == EventKind::Rest).collect(),
        };
        let is_late = name == "bounce_to_rest";
        for like in touching {
            for step in 0..20 {
                let time = like.time.plus(if is_late { 1.0 } else { -1.0 } * timestep * f64::from(step));
                if time >= SimTime::ZERO {
                    told.events.rows.push(ForeignEvent { time, ..like });
                }
            }
        }
        assert_eq!(guilty(&judged_with_events(&scenario, &told).unwrap()), [], "{name}, told often");
        told.events.rows.retain(|event| event.kind != EventKind::Rest);
        assert_eq!(guilty(&judged_with_events(&scenario, &told).unwrap()), [], "{name}, told never");
    }
}

/// Each metric is judged where the scene has data for it: spins in a scene with rotation, slip in a scene with rolling,
/// impact times in a scene with impacts. Without spins, only `Spin` and `Slip` are not judged.
#[test]
fn what_there_is_to_judge_is_judged() {
    let rows = [
        ("friction_bowling", Spin),
        ("friction_bowling", Slip),
        ("simbench_rolling", Slip),
        ("friction_bounce", ImpactTime),
        ("gas_elastic", ImpactsMissed),
        ("chain_galperin_314", ImpactTime),
    ];
    for (name, metric) in rows {
        let scenario = scenario(name);
        let mut told = written(&scenario, scenario.timestep);
        let judgement = judged_with_events(&scenario, &told).unwrap();
        assert!(has(&judgement, metric, Verdict::Pass), "{name}: {metric:?}");
        told.table.has_spins = false;
        let judgement = judged_with_events(&scenario, &told).unwrap();
        let is_judged = !has(&judgement, metric, Verdict::NotJudged);
        assert_eq!(is_judged, !matches!(metric, Spin | Slip), "{name} without spins: {metric:?}");
    }
}
