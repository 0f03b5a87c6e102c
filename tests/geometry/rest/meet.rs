//! Lines, rays and planes, compared with integer arithmetic.
//!
//! Every figure has small random integer coordinates, so special positions are frequent. An independent computation in
//! `i128` uses determinants, ranks and fractions. Larger numbers give lines that are nearly parallel.

use carom::geometry::meet::{
    Common, Line, Lines, Planes, Rays, ThreePlanes, line2_line2, plane_plane, plane_plane_plane, ray_ray,
};
use carom::geometry::{Line2, Plane, Ray, Segment};
use glam::{DVec2, DVec3};

use crate::common::Random;

const EPSILON: f64 = f64::EPSILON;

type Whole = [i128; 3];

fn whole(random: &mut Random, size: i32) -> i128 {
    random.between(-f64::from(size), f64::from(size) + 1.0).floor() as i128
}

fn vector(random: &mut Random, size: i32) -> Whole {
    [0; 3].map(|_| whole(random, size))
}

fn direction(random: &mut Random, size: i32) -> Whole {
    loop {
        let v = vector(random, size);
        if v != [0; 3] {
            return v;
        }
    }
}

fn real(v: Whole) -> DVec3 {
    DVec3::from_array(v.map(|x| x as f64))
}

fn dot(v: Whole, w: Whole) -> i128 {
    v[0] * w[0] + v[1] * w[1] + v[2] * w[2]
}

fn cross(v: Whole, w: Whole) -> Whole {
    [v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]]
}

fn minus(v: Whole, w: Whole) -> Whole {
    [v[0] - w[0], v[1] - w[1], v[2] - w[2]]
}

/// Counts each outcome. Each one must occur, otherwise the random cases prove nothing.
struct Census<const N: usize>([u32; N]);

impl<const N: usize> Census<N> {
    fn each_came_up(&self, least: u32) {
        assert!(self.0.iter().all(|&count| count >= least), "{:?}", self.0);
    }
}

/// Lines with coefficients up to `size`. The second line is often a multiple of the first, exactly or nearly.
fn lines(random: &mut Random, size: i32) -> [[i128; 3]; 2] {
    let line = |random: &mut Random| loop {
        let line = vector(random, size);
        if line[0] != 0 || line[1] != 0 {
            return line;
        }
    };
    let (a, mut b) = (line(random), line(random));
    if random.unit() < 0.6 {
        let factor = [-3, -2, -1, 1, 2, 3][(random.unit() * 6.0) as usize];
        b = a.map(|x| factor * x);
        if random.unit() < 0.7 {
            let row = (random.unit() * 3.0) as usize;
            b[row] += 1;
        }
    }
    if b[0] == 0 && b[1] == 0 { lines(random, size) } else { [a, b] }
}

#[test]
fn lines_agree_with_whole_numbers() {
    let mut random = Random::new(1);
    let mut census = Census([0; 3]);
    for row in 0..20_000 {
        let size = if row % 2 == 0 { 4 } else { i32::MAX / 4 };
        let [a, b] = lines(&mut random, size);
        let [a, b] = if row % 4 < 2 { [a, b] } else { [b, a] };
        let determinant = a[0] * b[1] - a[1] * b[0];
        let (x, y) = (a[2] * b[1] - a[1] * b[2], a[0] * b[2] - a[2] * b[0]);
        // Scaling a line or the plane by powers of two changes no decision and no digit.
        for (p, q, size) in [(1.0, 1.0, 1.0), (-8.0, 0.25, 1.0), (1.0, 2f64.powi(-90), 2f64.powi(50))] {
            let line = |l: [i128; 3], k: f64| {
                Line2::new(DVec2::new(l[0] as f64, l[1] as f64) * k, l[2] as f64 * k * size).unwrap()
            };
            match line2_line2(&line(a, p), &line(b, q)) {
                Lines::One(point) => {
                    assert_ne!(determinant, 0, "{a:?} {b:?}");
                    let exact = DVec2::new(x as f64, y as f64) / determinant as f64 * size;
                    // Two ulps for each of two determinants, and half an ulp for each of the few other roundings.
                    assert!((point - exact).abs().cmple(8.0 * EPSILON * exact.abs()).all(), "{a:?} {b:?} {point}");
                    census.0[0] += 1;
                }
                Lines::Parallel { distance } => {
                    assert!(determinant == 0 && (x, y) != (0, 0), "{a:?} {b:?}");
                    // The length of the vector (x, y) = d m⊥ − e n⊥ is the distance times the lengths of both normals.
                    let length = |x: i128, y: i128| (x as f64 * x as f64 + y as f64 * y as f64).sqrt();
                    let exact = length(x, y) / (length(a[0], a[1]) * length(b[0], b[1])) * size;
                    assert!((distance - exact).abs() <= 16.0 * EPSILON * exact, "{a:?} {b:?} {distance} {exact}");
                    census.0[1] += 1;
                }
                Lines::Coincident => {
                    assert!(determinant == 0 && x == 0 && y == 0, "{a:?} {b:?}");
                    census.0[2] += 1;
                }
            }
        }
    }
    census.each_came_up(1000);
}

/// Factors that are no power of two, an angle of one rounding error, and numbers whose products are large and small.
#[test]
fn lines_that_are_hard_to_tell_from_others() {
    let rows = [
        ([0.1, 0.3, 0.2], [0.2, 0.6, 0.4], Lines::Coincident),
        ([1.0, 1.0, 2.0], [1.0 + EPSILON, 1.0, 2.0 + 2.0 * EPSILON], Lines::One(DVec2::new(2.0, 0.0))),
        ([1e70, 1e-70, 1e70], [1e-70, 0.0, 1e70], Lines::One(DVec2::new(1e140, -1e280))),
    ];
    for (a, b, expected) in rows {
        let [a, b] = [a, b].map(|[x, y, offset]: [f64; 3]| Line2::new(DVec2::new(x, y), offset).unwrap());
        assert_eq!([line2_line2(&a, &b), line2_line2(&b, &a)], [expected; 2], "{a:?} {b:?}");
    }
}

/// A pair of rays with integer coordinates: two origins, two directions.
#[derive(Debug, Clone, Copy)]
struct Pair {
    o: Whole,
    v: Whole,
    p: Whole,
    w: Whole,
}

/// The outcome, computed from determinants.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Kind {
    Crossing,
    Skew,
    Parallel,
    SameWay,
    FaceToFace,
    OnePoint,
    BackToBack,
}

impl Pair {
    fn draw(random: &mut Random) -> Self {
        let (o, v) = (vector(random, 2), direction(random, 2));
        let mut pair = Self { o, v, p: vector(random, 2), w: direction(random, 2) };
        let factor = [-2, -1, 1, 2][(random.unit() * 4.0) as usize];
        if random.unit() < 0.4 {
            pair.w = v.map(|x| factor * x);
        }
        if random.unit() < 0.5 {
            let along = whole(random, 2);
            pair.p = [0, 1, 2].map(|k| o[k] + along * v[k]);
        }
        pair
    }

    /// The parameters of the closest points of the lines, as numerators over |v × w|².
    fn fractions(&self) -> (i128, i128, i128) {
        let (r, n) = (minus(self.p, self.o), cross(self.v, self.w));
        (dot(cross(r, self.w), n), dot(cross(r, self.v), n), dot(n, n))
    }

    fn kind(&self) -> Kind {
        let (r, n) = (minus(self.p, self.o), cross(self.v, self.w));
        if n != [0; 3] {
            let (t, u, _) = self.fractions();
            return if dot(r, n) == 0 && t >= 0 && u >= 0 { Kind::Crossing } else { Kind::Skew };
        }
        let same_way = dot(self.v, self.w) > 0;
        match dot(r, self.v) {
            _ if cross(r, self.v) != [0; 3] => Kind::Parallel,
            _ if same_way => Kind::SameWay,
            0 => Kind::OnePoint,
            ahead if ahead > 0 => Kind::FaceToFace,
            _ => Kind::BackToBack,
        }
    }

    /// The least squared distance, computed as a fraction from the crossing of the lines and from both origins.
    fn least_squared(&self) -> f64 {
        let (r, n) = (minus(self.p, self.o), cross(self.v, self.w));
        let (t, u, squared) = self.fractions();
        if squared != 0 && t >= 0 && u >= 0 {
            let height = dot(r, n);
            return (height * height) as f64 / squared as f64;
        }
        let from = |way: Whole, direction: Whole| {
            let (along, squared) = (dot(way, direction), dot(direction, direction));
            if along <= 0 {
                dot(way, way) as f64
            } else {
                (dot(way, way) * squared - along * along) as f64 / squared as f64
            }
        };
        from(r, self.v).min(from(r.map(|x| -x), self.w))
    }

    /// The rays under a permutation and mirroring of the axes, scaled by `size`.
    fn rays(&self, image: impl Fn(DVec3) -> DVec3, size: f64) -> (Ray, Ray) {
        let ray = |o, v| Ray { origin: image(real(o)) * size, direction: image(real(v)) * size };
        (ray(self.o, self.v), ray(self.p, self.w))
    }
}

fn kind(rays: &Rays) -> Kind {
    match rays {
        Rays::Crossing(_) => Kind::Crossing,
        Rays::Skew(_) => Kind::Skew,
        Rays::Parallel(_) => Kind::Parallel,
        Rays::Coincident(Common::Ray(_)) => Kind::SameWay,
        Rays::Coincident(Common::Segment(_)) => Kind::FaceToFace,
        Rays::Coincident(Common::Point(_)) => Kind::OnePoint,
        Rays::Coincident(Common::Nothing { .. }) => Kind::BackToBack,
    }
}

/// The 48 permutations and mirrorings of the axes.
fn images() -> Vec<impl Fn(DVec3) -> DVec3> {
    let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let signs = (0..8).map(|bits| DVec3::from_array([0, 1, 2].map(|k| if bits >> k & 1 == 0 { 1.0 } else { -1.0 })));
    signs
        .flat_map(|sign| orders.map(|[x, y, z]| move |v: DVec3| DVec3::new(v[x], v[y], v[z]) * sign))
        .collect::<Vec<_>>()
}

#[test]
fn rays_agree_with_whole_numbers() {
    let mut random = Random::new(2);
    let mut census = Census([0; 7]);
    let images = images();
    assert_eq!(images.len(), 48);
    for row in 0..20_000 {
        let pair = Pair::draw(&mut random);
        let size = [1.0, 2f64.powi(-60), 2f64.powi(60)][row % 3];
        let (a, b) = pair.rays(&images[row % 48], size);
        let expected = pair.kind();
        census.0[expected as usize] += 1;
        let found = ray_ray(&a, &b).unwrap();
        assert_eq!(kind(&found), expected, "{pair:?} {found:?}");
        assert_eq!(kind(&ray_ray(&b, &a).unwrap()), expected, "{pair:?}");
        let (Rays::Crossing(nearest) | Rays::Skew(nearest) | Rays::Parallel(nearest)) = found else { continue };
        // Coordinates are at most 2 and parameters at most 2 · 12 · 12: few roundings of lengths of about 500.
        let grain = 1000.0 * EPSILON;
        assert!((nearest.gap / size - pair.least_squared().sqrt()).abs() <= grain, "{pair:?} {nearest:?}");
        assert!(nearest.t_a >= 0.0 && nearest.t_b >= 0.0, "{pair:?}");
        assert_eq!((nearest.point_a, nearest.point_b), (a.at(nearest.t_a), b.at(nearest.t_b)), "{pair:?}");
        let distance = nearest.point_a.distance(nearest.point_b);
        assert!((distance - nearest.gap).abs() <= grain * size, "{pair:?} {nearest:?}");
    }
    census.each_came_up(200);
}

/// The common part of two rays on one line has the right ends.
#[test]
fn coincident_rays_share_what_lies_on_both() {
    let a = Ray { origin: DVec3::new(1.0, -2.0, 3.0), direction: DVec3::new(2.0, 1.0, -2.0) };
    for (along, factor) in [(4.0, 0.5), (-4.0, 0.5), (4.0, -0.5), (0.0, 2.0), (0.0, -2.0), (-1.0, -1.0)] {
        let b = Ray { origin: a.at(along), direction: a.direction * factor };
        let expected = match (factor > 0.0, along) {
            (true, along) => Common::Ray(if along > 0.0 { Ray { origin: b.origin, ..a } } else { a }),
            (false, 0.0) => Common::Point(a.origin),
            (false, along) if along > 0.0 => Common::Segment(Segment { start: a.origin, end: b.origin }),
            (false, along) => Common::Nothing { gap: -along * 3.0 },
        };
        assert_eq!(ray_ray(&a, &b), Some(Rays::Coincident(expected)), "{along} {factor}");
    }
}

#[test]
fn rays_without_direction_or_with_wrong_numbers_have_no_answer() {
    let ray = |origin: [f64; 3], direction: [f64; 3]| Ray { origin: origin.into(), direction: direction.into() };
    let fine = ray([1.0; 3], [2.0, 0.0, 0.0]);
    for bad in [f64::NAN, f64::INFINITY] {
        for ray in [ray([bad, 0.0, 0.0], [1.0, 0.0, 0.0]), ray([0.0; 3], [0.0, bad, 0.0]), ray([0.0; 3], [0.0; 3])] {
            assert_eq!([ray_ray(&fine, &ray), ray_ray(&ray, &fine)], [None; 2], "{ray:?}");
        }
    }
}

/// Two rays from arbitrary points to a common target cross there. If one ray is lifted by 1e-9, the rays miss.
#[test]
fn aimed_rays_cross() {
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        let target = random.vector(100.0);
        let (o, p) = (random.vector(100.0), random.vector(100.0));
        let aim = |from: DVec3, scale: f64| Ray { origin: from, direction: (target - from) * scale };
        let (a, b) = (aim(o, random.between(0.01, 3.0)), aim(p, random.between(0.01, 3.0)));
        let sine = a.direction.cross(b.direction).length() / (a.direction.length() * b.direction.length());
        let found = ray_ray(&a, &b);
        let Some(Rays::Crossing(nearest)) = found else { panic!("{a:?} {b:?} {found:?}") };
        // The rounding error of the coordinates is divided by the sine of the angle between the rays.
        assert!(nearest.point_a.distance(target) <= 64.0 * EPSILON * 500.0 / sine, "{a:?} {b:?} {nearest:?}");
        let normal = a.direction.cross(b.direction).normalize();
        let lifted = Ray { origin: p + normal * 1e-9, ..b };
        let found = ray_ray(&a, &lifted);
        let Some(Rays::Skew(nearest)) = found else { panic!("{a:?} {b:?} {found:?}") };
        assert!((nearest.gap - 1e-9).abs() <= 16.0 * EPSILON * 500.0, "{nearest:?}");
    }
}

/// Two rays at an angle of 2⁻ᵏ cross at the exact point, also for very small angles.
#[test]
fn rays_that_are_nearly_parallel() {
    for power in 1..50 {
        let slope = 2f64.powi(-power);
        let a = Ray { origin: DVec3::ZERO, direction: DVec3::X };
        let b = Ray { origin: DVec3::new(0.0, -slope, 0.0), direction: DVec3::new(1.0, slope, 0.0) };
        let Some(Rays::Crossing(nearest)) = ray_ray(&a, &b) else { panic!("{power}") };
        assert_eq!((nearest.t_a, nearest.t_b), (1.0, 1.0), "{power}");
        let lifted = Ray { origin: b.origin + DVec3::Z, ..b };
        let Some(Rays::Skew(nearest)) = ray_ray(&a, &lifted) else { panic!("{power}") };
        assert_eq!((nearest.t_a, nearest.t_b, nearest.gap), (1.0, 1.0, 1.0), "{power}");
    }
    let a = Ray { origin: DVec3::ZERO, direction: DVec3::new(1.0, 1.0, 1.0) / 3f64.sqrt() };
    let b = Ray { origin: DVec3::new(5.0, 5.0, 5.0), direction: DVec3::new(0.1, 0.1, 0.1 + EPSILON * 0.1) };
    assert_eq!(kind(&ray_ray(&a, &b).unwrap()), Kind::SameWay);
}

/// Three planes n·x = d with integer coefficients.
type Trio = [(Whole, i128); 3];

fn trio(random: &mut Random) -> Trio {
    let mut planes = [0; 3].map(|_| (direction(random, 3), whole(random, 4)));
    let factor = [-2, -1, 1, 3][(random.unit() * 4.0) as usize];
    let multiple = |(n, d): (Whole, i128), by: i128| (n.map(|x| by * x), d * factor);
    let shift = i128::from(random.unit() < 0.5);
    match (random.unit() * 5.0) as usize {
        0 => planes[1] = multiple(planes[0], factor),
        1 => {
            planes[1] = multiple(planes[0], factor);
            planes[2] = multiple(planes[0], -factor);
            planes[2].1 += whole(random, 1);
        }
        2 => {
            let ((n, d), (m, e)) = (planes[0], planes[1]);
            planes[2] = ([0, 1, 2].map(|k| n[k] * factor - m[k]), d * factor - e);
        }
        _ => {}
    }
    planes[1].1 += shift;
    if planes[2].0 == [0; 3] { trio(random) } else { planes }
}

/// The exact answer: the index of the outcome, and the point as numerators over a determinant.
fn exact_kind(planes: Trio) -> (usize, Whole, i128) {
    let [(n, d), (m, e), (l, f)] = planes;
    let crosses = [cross(m, l), cross(l, n), cross(n, m)];
    let determinant = dot(n, crosses[0]);
    let sum = |k: usize| d * crosses[0][k] + e * crosses[1][k] + f * crosses[2][k];
    let right = [sum(0), sum(1), sum(2)];
    if determinant != 0 {
        return (0, right, determinant);
    }
    let parallel = crosses.map(|c| c == [0; 3]);
    let same = [0, 1, 2].map(|row| {
        let ((n, d), (m, e)) = (planes[(row + 1) % 3], planes[(row + 2) % 3]);
        parallel[row] && (0..3).all(|k| n[k] * e == m[k] * d)
    });
    let count = |flags: [bool; 3]| flags.iter().filter(|&&flag| flag).count();
    let rank = match (count(parallel), count(same)) {
        // All numerators of Cramer's rule vanish if and only if the equations are consistent.
        (0, _) if right == [0; 3] => 1,
        (0, _) => 2,
        (1, 0) => 3,
        (1, _) => 4,
        (_, 0) => 5,
        (_, 1) => 6,
        _ => 7,
    };
    (rank, right, determinant)
}

fn outcome(planes: &ThreePlanes) -> usize {
    match planes {
        ThreePlanes::Point(_) => 0,
        ThreePlanes::Sheaf(_) => 1,
        ThreePlanes::Prism { .. } => 2,
        ThreePlanes::ParallelPair { .. } => 3,
        ThreePlanes::CoincidentPair { .. } => 4,
        ThreePlanes::Parallel => 5,
        ThreePlanes::ParallelToPair { .. } => 6,
        ThreePlanes::Coincident => 7,
    }
}

/// The planes have rounded unit normals, so this also tests the bounds on rounding errors.
#[test]
fn three_planes_agree_with_whole_numbers() {
    let mut random = Random::new(4);
    let mut census = Census([0; 8]);
    for _ in 0..20_000 {
        let drawn = trio(&mut random);
        let size = 2f64.powi((random.unit() * 80.0) as i32 - 40);
        let [a, b, c] = drawn.map(|(n, d)| Plane::new(real(n), d as f64 * size).unwrap());
        let (expected, right, determinant) = exact_kind(drawn);
        census.0[expected] += 1;
        let found = plane_plane_plane(&a, &b, &c);
        assert_eq!(outcome(&found), expected, "{drawn:?} {found:?}");
        for (a, b, c) in [(a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)] {
            assert_eq!(outcome(&plane_plane_plane(&a, &b, &c)), expected, "{drawn:?}");
        }
        let on_plane = |plane: &Plane, point: DVec3| {
            plane.distance(point).abs() <= 4.0 * EPSILON * (point.length() + plane.offset().abs())
        };
        match found {
            ThreePlanes::Point(point) => {
                assert!([a, b, c].iter().all(|plane| on_plane(plane, point)), "{drawn:?} {point}");
                // Each plane is off by some ulps of its offset and of the point; the inverse has entries |n × m| / det.
                let exact = real(right) * size / determinant as f64;
                let normals = drawn.map(|(n, _)| real(n));
                let [u, v, w] = normals.map(|n| n / n.length());
                let reach = (u.cross(v).length() + v.cross(w).length() + w.cross(u).length()) / u.dot(v.cross(w)).abs();
                let offsets = [a, b, c].map(|plane| plane.offset().abs()).into_iter().fold(0.0, f64::max);
                let bound = 4.0 * EPSILON * (offsets + exact.length()) * reach;
                assert!((point - exact).length() <= bound, "{drawn:?} {point} {exact}");
            }
            ThreePlanes::Sheaf(line) | ThreePlanes::CoincidentPair { line, .. } => {
                for plane in [a, b, c] {
                    let (point, along) = (line.point, plane.normal().dot(line.direction).abs());
                    assert!(plane.distance(point).abs() <= 32.0 * EPSILON * 10.0 * size, "{drawn:?} {line:?}");
                    assert!(along <= 32.0 * EPSILON, "{drawn:?} {line:?}");
                }
            }
            _ => {}
        }
    }
    census.each_came_up(50);
}

/// Where planes along the axes meet, with the sense of each line.
#[test]
fn planes_along_the_axes_meet_exactly() {
    let plane = |n: [f64; 3], d| Plane::new(n.into(), d).unwrap();
    let line = |point: [f64; 3], direction| Line { point: point.into(), direction };
    let (x, y, z) = (plane([1.0, 0.0, 0.0], 1.0), plane([0.0, 2.0, 0.0], 4.0), plane([0.0, 0.0, 1.0], 3.0));
    let (x2, opposite_x) = (plane([1.0, 0.0, 0.0], 2.0), plane([-3.0, 0.0, 0.0], -3.0));
    let diagonal = |offset| plane([1.0, 1.0, 0.0], offset);
    let (up, down) = (line([1.0, 2.0, 0.0], DVec3::Z), line([1.0, 2.0, 0.0], -DVec3::Z));
    assert_eq!(plane_plane_plane(&x, &y, &diagonal(3.0)), ThreePlanes::Sheaf(up));
    assert_eq!(plane_plane_plane(&x, &y, &diagonal(4.0)), ThreePlanes::Prism { direction: DVec3::Z });
    assert_eq!(plane_plane_plane(&x, &opposite_x, &y), ThreePlanes::CoincidentPair { third: 2, line: down });
    assert_eq!(plane_plane_plane(&y, &x, &x), ThreePlanes::CoincidentPair { third: 0, line: down });
    assert_eq!(plane_plane(&x, &z), Planes::Crossing(line([1.0, 0.0, 3.0], -DVec3::Y)));
    assert_eq!([plane_plane(&x, &x2), plane_plane(&x2, &opposite_x)], [Planes::Parallel { distance: 1.0 }; 2]);
    assert_eq!(plane_plane(&x, &opposite_x), Planes::Coincident);
}

/// `third` is the index of the plane that does not belong to the pair, in every order.
#[test]
fn the_third_plane_is_named() {
    let plane = |n: [f64; 3], d| Plane::new(n.into(), d).unwrap();
    let pair = [plane([1.0, 2.0, 3.0], 1.0), plane([-1.0, -2.0, -3.0], -1.0)];
    let apart = plane([1.0, 2.0, 3.0], 2.0);
    let across = plane([3.0, -1.0, 2.0], 1.0);
    for place in 0..3 {
        let with = |a: Plane, b: Plane, third: Plane| {
            let mut planes = vec![a, b];
            planes.insert(place, third);
            plane_plane_plane(&planes[0], &planes[1], &planes[2])
        };
        assert_eq!(with(pair[0], pair[1], apart), ThreePlanes::ParallelToPair { third: place });
        assert_eq!(with(pair[0], apart, across), ThreePlanes::ParallelPair { third: place });
        let found = with(pair[0], pair[1], across);
        assert!(matches!(found, ThreePlanes::CoincidentPair { third, .. } if third == place), "{found:?}");
    }
}

/// Thin wedges: the point is on all three planes to rounding, although the planes are nearly parallel.
#[test]
fn planes_at_a_grazing_angle() {
    let mut random = Random::new(5);
    for power in 1..40 {
        let slope = 2f64.powi(-power);
        let point = random.vector(1.0);
        let [a, b, c] = [DVec3::new(slope, 0.0, 1.0), DVec3::new(0.0, slope, 1.0), DVec3::Z + random.vector(slope)]
            .map(|normal| Plane::new(normal, normal.dot(point)).unwrap());
        let ThreePlanes::Point(found) = plane_plane_plane(&a, &b, &c) else { panic!("{power}") };
        for plane in [a, b, c] {
            assert!(plane.distance(found).abs() <= 8.0 * EPSILON * (1.0 + found.length()), "{power} {found}");
        }
        let Planes::Crossing(line) = plane_plane(&a, &b) else { panic!("{power}") };
        for plane in [a, b] {
            assert!(plane.normal().dot(line.direction).abs() <= 2.0 * EPSILON, "{power} {line:?}");
        }
    }
}
