//! Ray casts against parameters computed with 60 digits.
//!
//! The cases and the tolerances are those of `tests/geometry/reference/cases.rs`. `tests/cases/ray_*.jsonl` contains
//! one case per line; each is tested in all permutations and mirrorings of the axes. The error allowed for a parameter
//! is its change if the inputs change norm-wise by K ulps. If the least separation over the length of the ray is below
//! K ulps, a hit and a miss are both right. The same holds if a ray touches a solid without entering it: the file marks
//! these cases and does not count them as hits. A few cases have a direction of length 0: such a ray hits nothing.

use carom::geometry::cast::{Crossing, Faces, PlaneCast, Side, ray_aabb, ray_plane, ray_sphere, ray_triangle};
use carom::geometry::{Aabb, Ray, Start, Triangle};
use glam::DVec3;

use crate::common::corpus::{Case, K, View, cases, time_slack};

/// A hit in the terms of the file. A ray leaves a sheet where it enters it.
#[derive(Debug)]
struct Found {
    enter: f64,
    leave: f64,
    start: Start,
    /// Points against the direction of the ray.
    normal: DVec3,
}

impl From<Crossing> for Found {
    fn from(Crossing { enter, leave, normal, start }: Crossing) -> Self {
        Self { enter, leave, start, normal }
    }
}

fn for_each(kind: &str, cast: impl Fn(&Case, View, &Ray) -> Option<Found>) {
    let (mut hits, cases) = (0, cases(kind));
    assert!(cases.len() > 150, "{kind}");
    for case in &cases {
        for view in View::all() {
            let ray = Ray { origin: view.turn(case.vector("o")), direction: view.turn(case.vector("dir")) };
            let found = cast(case, view, &ray);
            if ray.direction == DVec3::ZERO {
                assert!(found.is_none(), "{}: a hit without direction", case.id);
            } else {
                hits += usize::from(check(case, view, found));
            }
        }
    }
    assert!(hits > 48 * cases.len() / 4, "{kind}: only {hits} hits");
}

/// Compares the answer with the case. Returns whether both are hits.
fn check(case: &Case, view: View, found: Option<Found>) -> bool {
    let context = format!("{} {view:?}: {}, found {found:?}", case.id, case.out);
    let number = |key: &str| case.out[key].as_f64().unwrap();
    let touches = matches!(case.class(), "slide" | "graze" | "touch_resting" | "touch_separating" | "touch_degenerate");
    let undecided = touches || number("vu") < K;
    let answers = matches!(case.class(), "hit" | "overlap" | "touch_approach");
    let Some(found) = found else {
        assert!(!answers || undecided, "missed: {context}");
        return false;
    };
    if !answers {
        assert!(undecided, "false hit: {context}");
        return false;
    }
    let class = match found.start {
        Start::Apart => "hit",
        Start::Touching => "touch_approach",
        Start::Inside => "overlap",
    };
    assert!(case.class() == class || number("s0u").abs() < K, "{context}");
    let conditioning = if case.class() == "overlap" { None } else { Some(["vn", "curv", "s_norm"].map(number)) };
    let leave = [0, 1, 2].map(|k| case.out["leave"][k].as_f64().unwrap());
    check_parameter(found.leave, case.decimal("t_leave"), leave, &context);
    if let Some(conditioning) = conditioning {
        check_parameter(found.enter, case.decimal("t_enter"), conditioning, &context);
        check_normal(case, view, &found, conditioning, &context);
    } else {
        assert!(found.enter == 0.0 || number("s0u").abs() < K, "{context}");
    }
    true
}

fn check_parameter(found: f64, wanted: f64, conditioning: [f64; 3], context: &str) {
    let slack = time_slack(conditioning, wanted);
    assert!((found - wanted).abs() <= slack, "off by {:e}, allowed {slack:e}: {context}", found - wanted);
}

/// The error of the normal is the error of the point over the radius of curvature, plus K ulps in each component.
fn check_normal(case: &Case, view: View, found: &Found, conditioning: [f64; 3], context: &str) {
    let time = time_slack(conditioning, found.enter);
    let radius = case.out["R"].as_f64().filter(|&radius| radius > 0.0).unwrap_or(f64::INFINITY);
    let slack = (K * conditioning[2] + case.out["speed"].as_f64().unwrap() * time) / radius + K * f64::EPSILON;
    let right = (found.normal - case.normal(view)).length() <= slack || case.is_tied(found.normal, view, time);
    assert!(right, "allowed {slack:e}: {context}");
}

#[test]
fn rays_meet_balls_where_sixty_digits_say() {
    for_each("ray_sphere", |case, view, ray| {
        let center = view.turn(case.vector("pb"));
        ray_sphere(ray, center, case.number("rb"), case.number("T")).map(Found::from)
    });
}

#[test]
fn rays_meet_boxes_where_sixty_digits_say() {
    for_each("ray_aabb", |case, view, ray| {
        let bounds = Aabb::around(view.turn(case.vector("pb")), view.permute(case.vector("hb")));
        ray_aabb(ray, &bounds, case.number("T")).map(Found::from)
    });
}

/// A hit on a sheet.
fn sheet(t: f64, normal: DVec3) -> Found {
    let start = if t == 0.0 { Start::Touching } else { Start::Apart };
    Found { enter: t, leave: t, start, normal }
}

#[test]
fn rays_meet_planes_where_sixty_digits_say() {
    for_each("ray_plane", |case, view, ray| {
        let plane = case.plane(view);
        let both = ray_plane(ray, &plane, Faces::Both, case.number("T"));
        let front = if matches!(both, PlaneCast::Hit { side: Side::Back, .. }) { PlaneCast::Miss } else { both };
        assert_eq!(ray_plane(ray, &plane, Faces::Front, case.number("T")), front, "{}", case.id);
        match both {
            PlaneCast::Hit { t, normal, .. } => Some(sheet(t, normal)),
            _ => None,
        }
    });
}

#[test]
fn rays_meet_triangles_where_sixty_digits_say() {
    for_each("ray_tri", |case, view, ray| {
        let [a, b, c] = ["v0", "v1", "v2"].map(|key| view.turn(case.vector(key)));
        let triangle = Triangle { a, b, c };
        let both = ray_triangle(ray, &triangle, Faces::Both, case.number("T"));
        let front = both.filter(|found| found.side == Side::Front);
        assert_eq!(ray_triangle(ray, &triangle, Faces::Front, case.number("T")), front, "{}", case.id);
        both.map(|found| sheet(found.t, found.normal))
    });
}
