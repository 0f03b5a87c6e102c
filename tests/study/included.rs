//! The studies in `scenarios/studies`, each compared with its closed form or with the literature.

use std::f64::consts::PI;
use std::path::Path;

use carom::scenario::plot::overlay::Course;
use carom::scenario::sweep_file::SweepPlot;
use carom::study::{Folder, Merged, Point, Status, Study, Workload, merge, points};

fn run(name: &str) -> Merged {
    let study = Study::read(&Path::new("scenarios/studies").join(name)).unwrap();
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::new(place.path());
    let ended = study.run(&folder, Workload::default(), |_| {}).unwrap();
    assert!(ended.is_complete());
    let merged = merge(&[folder]).unwrap();
    assert_eq!(merged.count(Status::Done), merged.rows.len(), "every member meets what its scenario expects");
    merged
}

/// The first plot, its points, and points of the curve beside them, at the same places if it is a formula.
fn drawn(merged: &Merged) -> (SweepPlot, Vec<Point>, Vec<[f64; 2]>) {
    let plot = merged.study.sweep.plots[0].clone();
    let points = points(&merged.study.sweep, &plot, &merged.rows);
    let reference = match &plot.style.over[0].course {
        Course::Formula(formula) => {
            points.iter().map(|point| plot.scale[0] * point.x).map(|x| [x, formula.at(x)]).collect()
        }
        Course::Curve(points) => points.clone(),
        other => panic!("{other:?}"),
    };
    (plot, points, reference)
}

/// Checks that the curve in the file agrees with the formula, to the digits in the file.
fn is_formula(reference: &[[f64; 2]], formula: impl Fn(f64) -> f64) {
    for &[x, y] in reference {
        assert!((y / formula(x) - 1.0).abs() < 1e-8, "{y} for {x}: {}", formula(x));
    }
}

#[test]
fn a_ball_rests_at_the_end_of_its_series() {
    let merged = run("rest_time.ron");
    let (_, points, reference) = drawn(&merged);
    let first = (2.0_f64 / 9.81).sqrt();
    let formula = |e: f64| first * (1.0 + e) / (1.0 - e);
    is_formula(&reference, formula);
    assert_eq!(points.len(), 19);
    for point in points {
        // The rest height r cuts off all flights that would rise less than r, that is, those with a speed below √(2 g
        // r).
        let cut = 2.0 * (2.0e-12_f64 / 9.81).sqrt() / (1.0 - point.x);
        let off = formula(point.x) - point.mean;
        assert!((0.0..cut).contains(&off), "{off} at {}, at most {cut}", point.x);
    }
}

#[test]
fn blocks_count_as_galperin_says() {
    let merged = run("galperin.ron");
    let (_, points, reference) = drawn(&merged);
    let count = |ratio: f64| {
        let turns = PI / (1.0 / ratio).sqrt().atan();
        // At a ratio of 1, `turns` is 4. Rounding must not raise its ceiling to 5.
        (turns - 1e-9).ceil() - 1.0
    };
    assert_eq!([1.0, 1e2, 1e4, 1e6].map(count), [3.0, 31.0, 314.0, 3141.0]);
    is_formula(&reference, count);
    assert_eq!(points.len(), 25);
    for point in points {
        assert_eq!(point.mean, count(point.x), "ratio {}", point.x);
    }
}

#[test]
fn hard_spheres_press_as_carnahan_and_starling_say() {
    let merged = run("compressibility.ron");
    let (_, points, reference) = drawn(&merged);
    let formula = |eta: f64| (1.0 + eta + eta * eta - eta.powi(3)) / (1.0 - eta).powi(3);
    is_formula(&reference, formula);
    assert_eq!(points.len(), 6);
    for point in points {
        // The plot shows thousandths of the number of spheres.
        let (wanted, error) = (formula(1e-3 * point.x), point.error.unwrap());
        // The tolerance is four standard errors, and 1 % for the small number of spheres and for the theory itself.
        assert!((point.mean - wanted).abs() < 4.0 * error + 0.01 * wanted, "{point:?}, {wanted}");
        assert!(error < 0.02 * wanted, "{point:?}");
    }
}

#[test]
fn a_granular_gas_cools_as_haff_says() {
    let merged = run("haff.ron");
    let (_, points, reference) = drawn(&merged);
    let (eta, e) = (0.1_f64, 0.9_f64);
    let chi = (1.0 - eta / 2.0) / (1.0 - eta).powi(3);
    let rate = 24.0 * eta * chi / PI.sqrt();
    let tau = 6.0 / ((1.0 - e * e) * rate);
    let formula = |time: f64| 1.5 * 999.0 / (1.0 + time / tau).powi(2);
    is_formula(&reference, formula);
    assert_eq!(points.len(), 12);
    for point in points {
        let (wanted, error) = (formula(point.x), point.error.unwrap());
        // The tolerance is four standard errors, and 5 % for two reasons: the velocities deviate from Maxwell's law (a₂
        // = −0.02 for this restitution), and Enskog's rate is accurate to 1 %, which counts twice after many τ.
        assert!((point.mean - wanted).abs() < 4.0 * error + 0.05 * wanted, "{point:?}, {wanted}");
    }
}

/// The energy of the viscoelastic gas at a time, s: Runge and Kutta's method for ln T over ln (1 + t/τ).
fn viscoelastic_energy(time: f64) -> f64 {
    const GAMMA: [f64; 2] = [1.046_485_846_853_560_6, 1.101_802_490_879_713];
    let (eta, c) = (0.1_f64, 0.1_f64);
    let rate = 24.0 * eta * (1.0 - eta / 2.0) / (1.0 - eta).powi(3) / PI.sqrt();
    let tau = 10.0 / (rate * c * 4.0_f64.powf(1.1) * GAMMA[0]);
    let slope = |s: f64, log: f64| {
        let scale = 4.0 * log.exp();
        let lost = (2.0 * c * GAMMA[0] * scale.powf(1.1) - c * c * GAMMA[1] * scale.powf(1.2)) / scale;
        -rate * (0.5 * log).exp() * lost / 3.0 * tau * s.exp()
    };
    let steps = 1000;
    let h = (1.0 + time / tau).ln() / f64::from(steps);
    let log = (0..steps).fold(0.0, |log, step| {
        let s = h * f64::from(step);
        let first = slope(s, log);
        let second = slope(s + 0.5 * h, log + 0.5 * h * first);
        let third = slope(s + 0.5 * h, log + 0.5 * h * second);
        let fourth = slope(s + h, log + h * third);
        log + h / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)
    });
    1.5 * 999.0 * log.exp()
}

#[test]
fn a_viscoelastic_gas_cools_more_slowly_than_haff_says() {
    let merged = run("viscoelastic.ron");
    let (_, points, reference) = drawn(&merged);
    is_formula(&reference, viscoelastic_energy);
    assert_eq!(points.len(), 13);
    for point in &points {
        let (wanted, error) = (viscoelastic_energy(point.x), point.error.unwrap());
        // As for Haff's law; the loss is smaller here, and so is the deviation from Maxwell's law.
        assert!((point.mean - wanted).abs() < 4.0 * error + 0.05 * wanted, "{point:?}, {wanted}");
    }
    // From 30 to 1700 τ, where the formula has a slope of −1.661: 1 + t/τ is not yet t/τ. The energies of both ends are
    // known to 5 % at worst, which is 0.02 of the slope. Haff's law has −1.98 over as many of its τ.
    let [early, late] = [5, 12].map(|row| &points[row]);
    let slope = (late.mean / early.mean).ln() / (late.x / early.x).ln();
    println!("slope {slope} from {} s to {} s", early.x, late.x);
    assert!((slope + 5.0 / 3.0).abs() < 0.03, "{slope}");
}

/// P. J. Holmes, *The dynamics of repeated impacts with a sinusoidally vibrating table*, J. Sound Vib. 84, 1982.
#[test]
fn the_period_of_a_bouncing_ball_doubles() {
    let merged = run("bifurcation.ron");
    let (plot, points, reference) = drawn(&merged);
    let (e, once) = (0.5_f64, 2.0 * PI * 9.81_f64.sqrt() / 1.5);
    let (first, doubles) = (PI * (1.0 - e) / (1.0 + e), 2.0 * (1.0 + e * e) / ((1.0 + e) * (1.0 + e)));
    let wanted = [[first, once], [first.hypot(doubles), once]];
    for (found, wanted) in reference.iter().flatten().zip(wanted.iter().flatten()) {
        assert!((found / wanted - 1.0).abs() < 1e-8, "{found} for {wanted}");
    }
    let mut counts = Vec::new();
    for at in points.chunk_by(|a, b| a.x == b.x) {
        assert_eq!((at.len(), &plot.y[..]), (48, "speed"));
        assert!(at.iter().all(|point| point.members == 1 && point.error.is_none()));
        let mut speeds: Vec<f64> = Vec::new();
        for point in at {
            if speeds.iter().all(|speed| (speed - point.mean).abs() > 1e-6) {
                speeds.push(point.mean);
            }
        }
        // Near a doubling the motion needs more than 200 impacts to settle.
        match at[0].x {
            x if x < 1.505 => assert!(speeds.len() == 1 && (speeds[0] - once).abs() < 1e-10, "{x}: {speeds:?}"),
            x if x > 1.535 && x < 1.655 => assert!(speeds.len() == 2, "{x}: {speeds:?}"),
            x if x > 1.675 && x < 1.695 => assert!(speeds.len() == 4, "{x}: {speeds:?}"),
            x if x > 1.705 && x < 1.765 => assert!(speeds.len() > 8, "{x}: {speeds:?}"),
            _ => {}
        }
        counts.push(speeds.len());
    }
    assert_eq!(counts.len(), 116);
}
