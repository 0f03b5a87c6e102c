//! The oracle judges carom itself.

use carom::oracle::{Metric, Verdict, scenes};

use super::{guilty, judged, judged_with_events, scenario, stepped, written};

/// Times and positions are rounded to a relative 1e-16, also where a table has them as decimal seconds.
const ROUNDING: f64 = 1e-9;

/// Checks that no metric fails, and that all metrics except the statistical means are zero within rounding.
fn assert_perfect(name: &str, judgement: &carom::oracle::Judgement) {
    assert_eq!(guilty(judgement), [], "{name}");
    for finding in &judgement.judged[0].findings {
        let is_mean = finding.metric == Metric::Statistics;
        let bound = if is_mean { finding.limit } else { ROUNDING };
        assert!(finding.value.is_none_or(|value| value.abs() <= bound), "{name}: {finding:?}");
    }
}

#[test]
fn carom_is_perfect_at_any_timestep() {
    for scene in scenes() {
        let scenario = scene.scenario().unwrap();
        let own = scenario.timestep;
        let timesteps = if scene.name == "simbench_666" {
            vec![own]
        } else {
            vec![own, 0.37 * own, 7.3 * own, 0.41 * scenario.duration]
        };
        for timestep in timesteps {
            let judgement = judged_with_events(&scenario, &written(&scenario, timestep)).unwrap();
            assert_perfect(&format!("{} at {timestep} s", scene.name), &judgement);
        }
    }
}

/// At its own timestep, every scene has data for the metrics: no scene passes because nothing was judged.
#[test]
fn every_scene_is_judged() {
    for name in [
        "bounce_to_rest",
        "chain_galperin_31",
        "copies_grid",
        "corner_vertex",
        "friction_slide",
        "gap_jump",
        "pair_space",
        "piston_ball",
        "spin_throw",
    ] {
        let scenario = scenario(name);
        let judgement = judged(&scenario, &[stepped(&scenario, scenario.timestep)]).unwrap();
        let has = |metric| judgement.judged[0].finding(metric).is_some_and(|found| found.verdict == Verdict::Pass);
        assert!(has(Metric::PathError) && has(Metric::EnergyGained) && has(Metric::Overlap), "{name}");
        assert!(name == "friction_slide" || (has(Metric::FirstImpactTime) && has(Metric::Restitution)), "{name}");
    }
}

#[test]
fn the_order_of_rows_does_not_matter() {
    for name in ["gas_elastic", "friction_bounce", "chain_cradle_touching"] {
        let scenario = scenario(name);
        let table = stepped(&scenario, scenario.timestep);
        let mut shuffled = table.clone();
        // A stride that has no common divisor with the number of rows visits every row once.
        let count = table.rows.len();
        let stride = (count / 3..)
            .find(|stride| (2..=*stride).all(|d| !stride.is_multiple_of(d) || !count.is_multiple_of(d)))
            .unwrap();
        shuffled.rows = (0..count).map(|rank| table.rows[rank * stride % count]).collect();
        assert_ne!(shuffled.rows, table.rows);
        let [one, other] = [table, shuffled].map(|table| judged(&scenario, &[table]).unwrap().as_json());
        assert_eq!(one, other, "{name}");
    }
}
