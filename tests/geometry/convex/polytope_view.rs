//! Frusta and lassos: a point is inside the region if and only if its image is inside the outline.

use carom::geometry::polytope::{Depth, LassoError, Lens, PLANES_MAX, Pose, View, ViewError};
use carom::geometry::{Aabb, Polytope, Triangle};
use glam::{DVec2, DVec3};

use crate::common::Random;

fn at(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// A camera at (0, 0, 5) that looks along −z, with y up and x to the right.
fn pose() -> Pose {
    Pose { eye: DVec3::Z * 5.0, forward: DVec3::NEG_Z, up: DVec3::Y }
}

fn lenses() -> [Lens; 2] {
    [Lens::perspective(0.5, 2.0), Lens::Orthographic { half_width: 4.0, half_height: 3.0 }]
}

fn view(lens: Lens) -> View {
    View::new(pose(), lens, Depth { near: 1.0, far: 9.0 }).unwrap()
}

/// The point at depth `distance` whose image is at `place` in the picture of [`pose`].
fn seen_at(lens: Lens, place: DVec2, distance: f64) -> DVec3 {
    let size = match lens {
        Lens::Perspective { half_width, half_height } => at(half_width, half_height) * distance,
        Lens::Orthographic { half_width, half_height } => at(half_width, half_height),
    };
    (place * size).extend(5.0 - distance)
}

#[test]
fn frusta_of_known_cameras() {
    let [perspective, orthographic] = lenses();
    assert_eq!(perspective, Lens::perspective_at(4.0, 4.0, 2.0));
    let rows = [
        (perspective, [4.0, -2.0, 1.0], true),
        (perspective, [4.0, 2.0, 1.0], true),
        (perspective, [-4.0, -2.0, 1.0], true),
        (perspective, [4.0 + 1e-12, 0.0, 1.0], false),
        (perspective, [0.0, 2.0 + 1e-12, 1.0], false),
        (perspective, [0.0, 0.0, 4.0], true),
        (perspective, [0.0, 0.0, 4.0 + 1e-12], false),
        (perspective, [0.0, 0.0, -4.0], true),
        (perspective, [0.0, 0.0, -4.0 - 1e-12], false),
        (perspective, [0.0, 0.0, 9.0], false),
        (orthographic, [4.0, 3.0, 4.0], true),
        (orthographic, [-4.0, -3.0, -4.0], true),
        (orthographic, [-4.0 - 1e-12, 0.0, 0.0], false),
        (orthographic, [0.0, 3.0 + 1e-12, 0.0], false),
        (orthographic, [0.0, 0.0, 4.0 + 1e-12], false),
    ];
    for (lens, point, expected) in rows {
        // The planes of a perspective view have rounded normals, so points on its corners move inwards by a few ulps.
        let point = DVec3::from(point) * if expected { 1.0 - 1e-15 } else { 1.0 };
        assert_eq!(view(lens).frustum().contains(point), expected, "{lens:?} {point}");
    }
    for lens in lenses() {
        let view = view(lens);
        assert_eq!(view.frustum().planes().len(), 6);
        assert_eq!(view.frustum().planes()[0], *view.frustum().reference());
        assert_eq!(view.frustum().reference().distance(DVec3::ZERO), 4.0, "from the near plane into the picture");
        let endless = View::new(pose(), lens, Depth { near: 1.0, far: f64::INFINITY }).unwrap();
        assert_eq!(endless.frustum().planes().len(), 5);
        assert!(endless.frustum().contains(DVec3::NEG_Z * 1e9) && !endless.frustum().contains(DVec3::Z * 4.5));
        assert_eq!(view.project(seen_at(lens, at(0.25, -0.5), 4.0)), Some(at(0.25, -0.5)));
        assert_eq!(view.project(DVec3::splat(f64::NAN)), None);
    }
    assert_eq!(view(perspective).project(DVec3::Z * 5.0), None);
    assert_eq!(view(perspective).project(DVec3::Z * 6.0), None);
}

#[test]
fn a_frustum_catches_in_all_three_cases() {
    let view = view(lenses()[0]);
    let frustum = view.frustum();
    let triangle = |points: [[f64; 3]; 3]| {
        let [a, b, c] = points.map(DVec3::from);
        frustum.triangle(&Triangle { a, b, c }, frustum.mask())
    };
    let inside = triangle([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap();
    let pierced = triangle([[-90.0, -90.0, 1.0], [90.0, -90.0, 1.0], [0.0, 90.0, 1.0]]).unwrap();
    let cut = triangle([[0.0, 0.0, 1.0], [90.0, 0.0, 1.0], [90.0, 1.0, 1.0]]).unwrap();
    assert_eq!((inside.farthest, inside.points.as_slice().len()), (4.0, 3));
    assert_eq!((pierced.farthest, pierced.centroid_distance, pierced.points.as_slice().len()), (3.0, 3.0, 4));
    assert!((pierced.centroid - DVec3::Z).length() < 1e-14, "{pierced:?}");
    assert_eq!(cut.points.as_slice().len(), 3);
    assert_eq!(triangle([[90.0, 0.0, 1.0], [91.0, 0.0, 1.0], [90.0, 1.0, 1.0]]), None);
}

fn random_view(random: &mut Random, perspective: bool) -> (View, Pose, Depth) {
    let pose = Pose { eye: random.vector(10.0), forward: random.vector(3.0), up: random.vector(3.0) };
    let (half_width, half_height) = (random.between(0.2, 2.0), random.between(0.2, 2.0));
    let lens = match perspective {
        true => Lens::Perspective { half_width, half_height },
        false => Lens::Orthographic { half_width, half_height },
    };
    let near = random.between(0.1, 1.0);
    let depth = Depth { near, far: near + random.between(0.5, 5.0) };
    (View::new(pose, lens, depth).unwrap(), pose, depth)
}

/// The distance of `place` from the edges of `outline`, and whether `outline` encloses it (by counting crossings).
fn enclosed(outline: &[DVec2], place: DVec2) -> (f64, bool) {
    let (mut nearest, mut inside) = (f64::INFINITY, false);
    for (row, &a) in outline.iter().enumerate() {
        let b = outline[(row + 1) % outline.len()];
        let along = b - a;
        let t = ((place - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min((a + along * t).distance(place));
        if (a.y > place.y) != (b.y > place.y) {
            inside ^= place.x < a.x + along.x * (place.y - a.y) / along.y;
        }
    }
    (nearest, inside)
}

/// Compares the lasso with the image of random points. Returns the number of points inside.
fn check_lasso(view: &View, pose: Pose, depth: Depth, outline: &[DVec2], random: &mut Random) -> usize {
    let parts = view.lasso(outline).unwrap();
    assert!(parts.iter().all(|part| part.planes().len() <= PLANES_MAX));
    let forward = pose.forward.normalize();
    let mut caught = 0;
    for _ in 0..300 {
        let distance = random.between(depth.near - 0.5, depth.far + 0.5);
        let point = pose.eye + forward * distance + random.vector(distance.abs().max(2.0));
        let distance = (point - pose.eye).dot(forward);
        let Some(place) = view.project(point) else { continue };
        let (margin, inside) = enclosed(outline, place);
        // The error of an image is the rounding error of the eye's coordinates over the distance.
        if margin.min((distance - depth.near).abs()).min((distance - depth.far).abs()) < 1e-9 {
            continue;
        }
        let expected = inside && (depth.near..=depth.far).contains(&distance);
        let found = parts.iter().filter(|part| part.contains(point)).count();
        assert_eq!(found, usize::from(expected), "{outline:?} {place} {distance}");
        caught += found;
    }
    caught
}

#[test]
fn frusta_agree_with_projecting() {
    let mut random = Random::new(31);
    let mut caught = 0;
    for round in 0..400 {
        let (view, pose, depth) = random_view(&mut random, round % 2 == 0);
        let picture = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
        let [whole] = &view.lasso(&picture).unwrap()[..] else { panic!("a convex outline is one part") };
        assert!(whole.planes().len() == 6 && view.frustum().planes().iter().all(|p| whole.planes().contains(p)));
        caught += check_lasso(&view, pose, depth, &picture, &mut random);
    }
    assert!(caught > 10_000, "{caught}");
}

/// A star-shaped outline with random radii, in general not convex.
fn random_outline(random: &mut Random, count: usize) -> Vec<DVec2> {
    let spoke = |k: usize| {
        let angle = std::f64::consts::TAU * (k as f64 + 0.8 * random.unit()) / count as f64;
        at(angle.cos(), angle.sin()) * random.between(0.2, 1.5)
    };
    (0..count).map(spoke).collect()
}

fn letters() -> Vec<Vec<DVec2>> {
    let comb = (0..12).flat_map(|k| {
        let x = f64::from(k) / 8.0 - 0.75;
        let y = if k % 2 == 0 { 1.0 } else { -0.25 };
        [at(x, y), at(x + 0.125, y)]
    });
    let comb: Vec<DVec2> = comb.chain([at(0.75, -1.0), at(-0.75, -1.0)]).collect();
    // A spiral strip with a width of 0.12 and about two and a half turns.
    let turns = 24;
    let arm = |k: i32, out: f64| {
        let angle = f64::from(k) * 0.7;
        at(angle.cos(), angle.sin()) * (0.15 + 0.045 * f64::from(k) + out)
    };
    let spiral = (0..turns).map(|k| arm(k, 0.0)).chain((0..turns).rev().map(|k| arm(k, 0.12))).collect();
    let ell = [[-1.0, -1.0], [1.0, -1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [-1.0, 1.0]].map(DVec2::from).to_vec();
    vec![comb, spiral, ell]
}

#[test]
fn lassos_agree_with_projecting() {
    let mut random = Random::new(32);
    let mut caught = 0;
    for round in 0..300 {
        let (view, pose, depth) = random_view(&mut random, round % 2 == 0);
        let count = 3 + (random.unit() * 30.0) as usize;
        let mut outlines = letters();
        outlines.push(random_outline(&mut random, count));
        for mut outline in outlines {
            if round % 3 == 0 {
                outline.reverse();
            }
            caught += check_lasso(&view, pose, depth, &outline, &mut random);
        }
    }
    assert!(caught > 10_000, "{caught}");
}

/// Neighbouring parts share the same bits in their cuts: a point on a cut, or a few ulps beside it, is in one of the
/// parts.
#[test]
fn parts_leave_no_gap() {
    let mut random = Random::new(33);
    let mut shared = 0;
    for round in 0..200 {
        let lens = lenses()[round % 2];
        let view = view(lens);
        let outline = random_outline(&mut random, 12);
        let parts = view.lasso(&outline).unwrap();
        for i in 0..outline.len() {
            for j in 0..i {
                let place = outline[i].lerp(outline[j], random.unit());
                let (margin, inside) = enclosed(&outline, place);
                if margin < 1e-9 || !inside {
                    continue;
                }
                let point = seen_at(lens, place, random.between(1.5, 8.5));
                for ulps in -3i32..=3 {
                    let near = (0..ulps.abs()).fold(point.x, |x, _| if ulps < 0 { x.next_down() } else { x.next_up() });
                    let near = DVec3::new(near, point.y, point.z);
                    let found = parts.iter().filter(|part| part.contains(near)).count();
                    assert!(found >= 1, "{outline:?} {near}");
                    shared += usize::from(found == 2);
                }
            }
        }
    }
    assert!(shared > 100, "{shared} points on a cut");
}

#[test]
fn parts_are_few_and_cover_the_outline() {
    let view = view(lenses()[1]);
    let circle = |count: usize| -> Vec<DVec2> {
        (0..count)
            .map(|k| {
                let angle = std::f64::consts::TAU * k as f64 / count as f64;
                at(angle.cos(), angle.sin())
            })
            .collect()
    };
    let square = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
    let repeated = [square[0], square[0], square[1], at(1.0, 0.0), square[2], square[3], square[0]];
    let ell = letters().pop().unwrap();
    let rows = [
        (square.to_vec(), 1, "a square"),
        (repeated.to_vec(), 1, "points repeated, or on a straight edge"),
        (circle(30), 1, "as many edges as a part can have"),
        (circle(31), 2, "one more"),
        (circle(400), 15, "14 parts of 28 new edges each, and the rest"),
        (ell, 2, "an L"),
    ];
    for (outline, most, name) in rows {
        let parts = view.lasso(&outline).unwrap();
        assert!(parts.len() <= most, "{name}: {} parts", parts.len());
        // A plate as large as the picture, at half of the depth: the areas of the parts add up to the area of the
        // outline.
        let plate = |z: f64| Aabb::around(DVec3::Z * z, DVec3::new(9.0, 9.0, 0.0));
        let face = carom::geometry::polytope::Quad::faces(&plate(0.0))[4];
        let area = |points: &[DVec3]| -> f64 {
            (2..points.len()).map(|k| (points[k - 1] - points[0]).cross(points[k] - points[0]).z.abs() / 2.0).sum()
        };
        let caught = |part: &Polytope| part.quad(&face, part.mask()).map_or(0.0, |hit| area(hit.points.as_slice()));
        let total: f64 = parts.iter().map(caught).sum();
        let sides = (0..outline.len()).map(|k| (outline[k], outline[(k + 1) % outline.len()]));
        let drawn: f64 = sides.map(|(p, q)| p.perp_dot(q) / 2.0).sum::<f64>() * 4.0 * 3.0;
        // Rounding of four hundred sums of numbers up to 48.
        assert!((total - drawn).abs() <= 1e-11, "{name}: {total} of {drawn}");
    }
}

#[test]
fn bad_lassos_are_refused() {
    let view = view(lenses()[0]);
    let (a, b, c, d) = (at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0));
    let rows: [(&[DVec2], LassoError); 12] = [
        (&[], LassoError::TooFewPoints { found: 0 }),
        (&[a, b], LassoError::TooFewPoints { found: 2 }),
        (&[a, a, a, a], LassoError::NoArea),
        (&[a, b, a], LassoError::NoArea),
        (&[a, at(0.5, 0.0), b], LassoError::NoArea),
        (&[a, c, b, d], LassoError::Crosses { first: 0, second: 2 }),
        (&[a, b, c, at(2.0, 1.0), at(0.5, 1.0), d], LassoError::Crosses { first: 2, second: 3 }),
        // A spike out and back, a corner that touches an edge, an hourglass that meets in a point.
        (&[a, b, at(2.0, 0.0), b, c], LassoError::Crosses { first: 0, second: 2 }),
        // If several pairs of edges meet, the first pair from left to right is reported.
        (&[a, b, c, at(0.5, 0.0), d], LassoError::Crosses { first: 0, second: 3 }),
        (&[a, at(0.5, 0.5), d, c, at(0.5, 0.5), b], LassoError::Crosses { first: 0, second: 3 }),
        (&[a, b, at(1e71, 0.0)], LassoError::NotFinite { index: 2, found: at(1e71, 0.0) }),
        (&[a, at(f64::INFINITY, 0.0), c], LassoError::NotFinite { index: 1, found: at(f64::INFINITY, 0.0) }),
    ];
    for (outline, expected) in rows {
        assert_eq!(view.lasso(outline), Err(expected), "{outline:?}");
    }
    let nan = view.lasso(&[a, b, at(f64::NAN, 0.0)]).unwrap_err();
    assert!(matches!(nan, LassoError::NotFinite { index: 2, .. }));
    let crossed = view.lasso(&[a, c, b, d]).unwrap_err().to_string();
    assert_eq!(crossed, "the outline crosses or touches itself: its edges from point 0 and from point 2 meet");
}

/// Random scribbles on a coarse grid are refused or divided into parts, without a panic, and the areas of the parts add
/// up.
#[test]
fn scribbles_are_refused_or_taken_apart() {
    let mut random = Random::new(34);
    let view = view(lenses()[1]);
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let count = 3 + (random.unit() * 6.0) as usize;
        let mut grid = || (random.unit() * 5.0).floor() / 2.0 - 1.0;
        let outline: Vec<DVec2> = (0..count).map(|_| at(grid(), grid())).collect();
        match view.lasso(&outline) {
            Err(LassoError::Crosses { .. } | LassoError::NoArea) => refused += 1,
            Err(other) => panic!("{other}: {outline:?}"),
            Ok(parts) => {
                taken += 1;
                for _ in 0..20 {
                    let place = at(random.between(-1.2, 1.2), random.between(-1.2, 1.2));
                    let point = seen_at(lenses()[1], place, 5.0);
                    let (margin, inside) = enclosed(&outline, place);
                    let found = parts.iter().filter(|part| part.contains(point)).count();
                    assert!(margin < 1e-9 || found == usize::from(inside), "{outline:?} {place}: {found}");
                }
            }
        }
    }
    assert!(taken > 2_000 && refused > 2_000, "{taken} taken, {refused} refused");
}

#[test]
fn bad_cameras_are_refused() {
    let depth = Depth { near: 1.0, far: 9.0 };
    let lens = lenses()[0];
    let no_orientation = |forward, up| {
        assert_eq!(
            View::new(Pose { forward, up, ..pose() }, lens, depth),
            Err(ViewError::NoOrientation { forward, up })
        );
    };
    no_orientation(DVec3::Z, DVec3::Z * 7.0);
    no_orientation(DVec3::ZERO, DVec3::Z);
    no_orientation(DVec3::Z, DVec3::ZERO);
    no_orientation(DVec3::Z, DVec3::new(0.0, f64::INFINITY, 0.0));
    no_orientation(DVec3::Z, DVec3::new(1e-9, 0.0, 1.0));
    for (near, far) in [(1.0, 1.0), (2.0, 1.0)] {
        assert_eq!(View::new(pose(), lens, Depth { near, far }), Err(ViewError::NoDepth { near, far }));
    }
    let nan = View::new(pose(), lens, Depth { near: 1.0, far: f64::NAN });
    assert!(matches!(nan, Err(ViewError::NoDepth { .. })));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let lens = Lens::perspective(bad, 1.0);
        assert!(matches!(View::new(pose(), lens, depth), Err(ViewError::OutOfRange(_))), "{bad}");
        let early = Depth { near: bad, far: 9.0 };
        assert!(matches!(View::new(pose(), lenses()[0], early), Err(ViewError::OutOfRange(_))), "{bad}");
        if bad <= 0.0 {
            assert!(View::new(pose(), lenses()[1], early).is_ok(), "an orthographic view may begin behind the eye");
        }
    }
    for eye in [DVec3::NAN, DVec3::INFINITY, DVec3::splat(1e71)] {
        assert!(matches!(View::new(Pose { eye, ..pose() }, lens, depth), Err(ViewError::OutOfRange(_))), "{eye}");
    }
}
