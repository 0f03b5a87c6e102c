//! The formulas of the scenes, in plain `f64` arithmetic. `tests/oracle` checks their values to 60 digits.

use super::closed::{ClosedForm, Quantity};
use crate::scenario::Axis;

/// The closed forms of a scene.
pub(super) fn of(scene: &str) -> Vec<ClosedForm> {
    let groups = [
        flights_and_bounces(scene),
        pairs_and_chains(scene),
        bullets_and_corners(scene),
        seams(scene),
        gaps_and_steps(scene),
        friction_and_others(scene),
        spins(scene),
        belts_and_copies(scene),
    ];
    groups.into_iter().flatten().collect()
}

const fn form(quantity: Quantity, formula: &'static str, value: f64) -> ClosedForm {
    ClosedForm { quantity, formula, value }
}

const fn impact(body: &'static str, number: usize) -> Quantity {
    Quantity::Impact { body, number }
}

const fn place(body: &'static str, axis: Axis, time: f64) -> Quantity {
    Quantity::Place { body, axis, time }
}

const fn speed(body: &'static str, axis: Axis, time: f64) -> Quantity {
    Quantity::Speed { body, axis, time }
}

const fn spin(body: &'static str, axis: Axis, time: f64) -> Quantity {
    Quantity::Spin { body, axis, time }
}

/// √(2h/g), the time of a fall of 1 m, s.
fn fall() -> f64 {
    (2.0 / 9.81_f64).sqrt()
}

/// √(2gh), the speed after a fall of 1 m, m/s.
fn fallen() -> f64 {
    (2.0 * 9.81_f64).sqrt()
}

fn flights_and_bounces(scene: &str) -> Vec<ClosedForm> {
    match scene {
        "flight_parabola" => vec![
            form(place("ball", Axis::X, 2.0), "vx t", 6.0),
            form(place("ball", Axis::Z, 2.0), "z + vz t - g t²/2", 25.0 - 2.0 * 9.81),
            form(speed("ball", Axis::Z, 2.0), "vz - g t", 12.0 - 2.0 * 9.81),
        ],
        "flight_straight" => vec![
            form(place("box", Axis::X, 10.0), "x + vx t", -15.0),
            form(place("ball", Axis::Z, 10.0), "z + vz t", -20.0),
        ],
        "flight_high" => vec![form(place("ball", Axis::Z, 40.0), "vz t - g t²/2", 8000.0 - 800.0 * 9.81)],
        "bounce_elastic" => {
            vec![form(impact("ball", 1), "√(2h/g)", fall()), form(impact("ball", 11), "21 √(2h/g)", 21.0 * fall())]
        }
        "bounce_restitution" => [("e 0.4", 0.4), ("e 0.8", 0.8)]
            .map(|(ball, e)| {
                let value = 9.81 * (e * fall() - (0.5 - fall()));
                form(speed(ball, Axis::Z, 0.5), "g (e t₁ - (t - t₁)), t₁ = √(2h/g)", value)
            })
            .to_vec(),
        "bounce_to_rest" => {
            vec![form(impact("ball", 20), "√(2h/g) (1 + 2 (e + … + e¹⁹))", fall() * (3.0 - 0.5_f64.powi(18)))]
        }
        "bounce_box" => vec![form(impact("box", 2), "√(2h/g) (1 + 2e)", 2.4 * fall())],
        "bounce_oblique" => vec![
            form(impact("ball", 1), "h/vz", 0.5),
            form(place("ball", Axis::Z, 2.0), "r + e vz (t - h/vz)", 2.8),
            form(place("ball", Axis::X, 2.0), "x + vx t", 3.0),
        ],
        "bounce_tilted" => vec![
            form(impact("ball", 1), "√(2h/g)", 0.5),
            form(speed("ball", Axis::X, 1.4), "v - 2 n (n·v)", 4.8),
            form(speed("ball", Axis::Z, 1.4), "v - 2 n (n·v), less the fall since", -7.6),
        ],
        "bounce_two_walls" => vec![form(impact("ball", 46), "(d/2 + 45 d)/v, d = 0.8 m", 36.4 / 7.3)],
        _ => Vec::new(),
    }
}

fn pairs_and_chains(scene: &str) -> Vec<ClosedForm> {
    match scene {
        "pair_head_on" => vec![
            form(impact("a", 1), "gap over closing speed", 1.3 / 4.0),
            form(speed("b", Axis::X, 1.0), "velocities exchanged", 3.0),
        ],
        "pair_unequal" => vec![
            form(impact("a", 1), "gap over closing speed", 0.25),
            form(speed("a", Axis::X, 1.0), "v (m₁ - e m₂)/(m₁ + m₂)", -0.5),
            form(speed("b", Axis::X, 1.0), "v (1 + e) m₁/(m₁ + m₂)", 1.5),
        ],
        "pair_oblique" => vec![
            form(impact("a", 1), "(1 - √(4r² - b²))/v", 0.42),
            form(speed("b", Axis::X, 1.0), "v cos² φ", 1.28),
            form(speed("a", Axis::Z, 1.0), "-v sin φ cos φ", -0.96),
        ],
        "pair_grazing" => vec![
            form(impact("a", 1), "(1 - √(4r² - b²))/v", 0.5 * (1.0 - (0.2_f64 * 0.2 - 0.1998 * 0.1998).sqrt())),
            form(
                speed("b", Axis::Z, 1.0),
                "v sin φ cos φ, sin φ = 0.999",
                2.0 * 0.999 * (0.2_f64 * 0.2 - 0.1998 * 0.1998).sqrt() / 0.2,
            ),
        ],
        "pair_near_miss" => vec![form(Quantity::Impacts { body: "a" }, "none: b > 2r", 0.0)],
        "pair_space" => vec![
            form(impact("a", 1), "(1 - 2r nx)/v", (1.0 - 0.4 / 3.0) / 3.0),
            form(speed("b", Axis::X, 1.0), "(1 + e) m₁/(m₁ + m₂) v nx²", 1.9 / 3.0 * 3.0 * 4.0 / 9.0),
            form(speed("b", Axis::Y, 1.0), "(1 + e) m₁/(m₁ + m₂) v nx ny", 1.9 / 3.0 * 3.0 * 2.0 / 9.0),
        ],
        "pair_boxes" => vec![
            form(impact("a", 1), "gap over closing speed", 0.8 / 3.0),
            form(speed("a", Axis::X, 1.0), "v (m₁ - e m₂)/(m₁ + m₂)", 1.2),
            form(speed("b", Axis::X, 1.0), "v (1 + e) m₁/(m₁ + m₂)", 3.6),
        ],
        "pair_ball_box" => vec![
            form(impact("ball", 1), "gap over closing speed", 0.7 / 3.0),
            form(speed("ball", Axis::X, 1.0), "v (m₁ - m₂)/(m₁ + m₂)", -1.8),
        ],
        "chain_cradle_gaps" => vec![
            form(impact("ball 5", 1), "0.8 m + 3 gaps, over v", 0.86),
            form(speed("ball 5", Axis::X, 1.5), "v", 1.0),
        ],
        "chain_cradle_touching" => vec![
            form(impact("ball 5", 1), "gap over v", 0.75),
            form(place("ball 5", Axis::X, 1.5), "x + v (t - 0.75 s)", 1.5),
        ],
        "chain_galperin_31" => vec![
            form(Quantity::Impacts { body: "small" }, "⌈π/θ⌉ - 1, θ = arctan √(m/M)", 31.0),
            form(impact("small", 31), "(X₀ - x₀ √(m/M) cot kθ)/V", 3.0 - 0.1 / (31.0 * 0.1_f64.atan()).tan()),
        ],
        "chain_galperin_314" => vec![
            form(Quantity::Impacts { body: "small" }, "⌈π/θ⌉ - 1, θ = arctan √(m/M)", 314.0),
            form(impact("small", 314), "(X₀ - x₀ √(m/M) cot kθ)/V", 3.0 - 0.01 / (314.0 * 0.01_f64.atan()).tan()),
        ],
        "chain_two_balls" => vec![
            form(impact("heavy", 1), "√(2h/g)", fall()),
            form(impact("light", 1), "√(2h/g) + gap/(2 √(2gh))", fall() + 0.0005 / fallen()),
            form(speed("light", Axis::Z, 0.6), "2 √(2gh) - g (t - √(2h/g))", 2.0 * fallen() - 9.81 * (0.6 - fall())),
        ],
        _ => Vec::new(),
    }
}

/// The closed forms for a bullet that comes back from a wall of this half thickness, m.
fn off_wall(half: f64) -> Vec<ClosedForm> {
    vec![
        form(impact("bullet", 1), "(1.7 m - r - d/2)/v", (1.69 - half) / 300.0),
        form(place("bullet", Axis::X, 0.1), "-(r + d/2) - v (t - t₁)", 1.68 - 30.0 - 2.0 * half),
    ]
}

fn bullets_and_corners(scene: &str) -> Vec<ClosedForm> {
    match scene {
        "bullet_10cm" => off_wall(0.05),
        "bullet_1cm" => off_wall(0.005),
        "bullet_1mm" => off_wall(0.0005),
        "bullet_10um" => off_wall(0.000005),
        "bullet_1um" => off_wall(0.0000005),
        "bullet_half_space" => vec![form(impact("bullet", 1), "(17 m - r)/v", 0.01699)],
        "bullet_head_on" => vec![form(impact("a", 1), "(14 m - 2r)/2v", 0.0233)],
        "bullet_foil" => vec![
            form(impact("bullet", 1), "(1.7 m - r - d/2)/v", 1.6895 / 300.0),
            form(speed("bullet", Axis::X, 0.1), "v (m₁ - m₂)/(m₁ + m₂)", 300.0 * 9.0 / 11.0),
            form(speed("foil", Axis::X, 0.1), "2 v m₁/(m₁ + m₂)", 300.0 * 20.0 / 11.0),
        ],
        "bullet_box" => vec![form(impact("bullet", 1), "(1.7 m - h - d/2)/v", 1.6895 / 300.0)],
        "corner_edge" => vec![
            form(impact("ball", 1), "√(2h/g)", 0.1_f64.sqrt()),
            form(speed("ball", Axis::X, 0.7), "2 nx nz √(2gh)", 0.96 * 10.0_f64.sqrt()),
        ],
        "corner_vertex" => vec![
            form(speed("ball", Axis::X, 0.7), "2 nx nz √(2gh)", 8.0 / 9.0 * 10.0_f64.sqrt()),
            form(speed("ball", Axis::Y, 0.7), "2 ny nz √(2gh)", 4.0 / 9.0 * 10.0_f64.sqrt()),
        ],
        "corner_miss" => vec![
            form(Quantity::Impacts { body: "ball" }, "none: 101 mm > r", 0.0),
            form(place("ball", Axis::Z, 0.7), "z - g t²/2", -1.95),
        ],
        "corner_two_walls" => {
            vec![form(impact("ball", 2), "h/vz", 0.9 / 1.7), form(speed("ball", Axis::X, 1.5), "-vx", 3.0)]
        }
        "corner_three_walls" => {
            vec![form(impact("ball", 3), "h/vz", 0.9 / 1.3), form(speed("ball", Axis::Y, 2.0), "-vy", 1.9)]
        }
        _ => Vec::new(),
    }
}

fn seams(scene: &str) -> Vec<ClosedForm> {
    match scene {
        "seam_ball" => vec![
            form(place("ball", Axis::X, 2.0), "vx t", 4.0),
            form(place("ball", Axis::Z, 2.0), "r", 0.1),
            form(spin("ball", Axis::Y, 2.0), "vx/r", 20.0),
        ],
        "seam_fast" => {
            vec![form(place("ball", Axis::X, 1.0), "vx t", 7.0), form(place("ball", Axis::Z, 1.0), "r", 0.2)]
        }
        "seam_box" => vec![
            form(Quantity::Stick { body: "box" }, "v/(µ g)", 4.0 / (0.3 * 9.81)),
            form(place("box", Axis::X, 2.0), "x + v²/(2 µ g)", 0.15 + 8.0 / (0.3 * 9.81)),
        ],
        "seam_bounce" => vec![
            form(impact("ball", 10), "19 √(2h/g)", 3.8),
            form(place("ball", Axis::X, 4.0), "x + vx t", 3.157),
            form(place("ball", Axis::Z, 4.0), "r + h", 0.3),
        ],
        "seam_wall" => vec![
            form(place("box", Axis::Z, 1.0), "z + (gz - µ gx) t²/2", -4.15),
            form(speed("box", Axis::Z, 1.0), "(gz - µ gx) t", -8.0),
        ],
        "seam_mesh" => vec![
            form(place("ball", Axis::X, 2.0), "vx t", 4.0),
            form(place("ball", Axis::Z, 2.0), "r", 0.1),
            form(Quantity::Stick { body: "box" }, "v/(µ g)", 4.0 / (0.5 * 9.81)),
            form(place("box", Axis::X, 2.0), "v²/(2 µ g)", 8.0 / (0.5 * 9.81)),
        ],
        _ => Vec::new(),
    }
}

/// The impacts of a body that begins in contact are counted from 2: its contact begins at 0 s.
fn gaps_and_steps(scene: &str) -> Vec<ClosedForm> {
    match scene {
        "gap_jump" => vec![
            form(impact("ball", 2), "x/v + √(2 r (1 - nz)/g)", 0.3),
            form(speed("ball", Axis::X, 0.65), "vx - (1 + e) (n·v) nx", 0.66),
            form(place("ball", Axis::Z, 0.65), "r nz + (vz - (1 + e) (n·v) nz) t - g t²/2 since then", 0.3295),
        ],
        "gap_roll" => vec![form(
            speed("ball", Axis::X, 1.5),
            "√(w² - 10/7 g r (1 - cos α)), w = (2 + 5 cos 2α)/7 √(v² + 10/7 g r (1 - cos α)), sin α = d/2r",
            ((0.25 + 0.4 / 7.0) * (6.216_f64 / 7.0).powi(2) - 0.4 / 7.0).sqrt(),
        )],
        "step_strike" => vec![
            form(impact("ball", 2), "gap over speed", 0.22),
            form(speed("ball", Axis::X, 0.5), "v (1 - 2 nx²)", 0.56),
            form(place("ball", Axis::Z, 0.5), "r - 2 v nx nz t - g t²/2 since then", 0.2456),
        ],
        "step_climb" => vec![
            form(impact("ball", 2), "gap over speed", 0.44 / 0.77),
            form(speed("ball", Axis::X, 2.0), "√(v² (1 - 5h/7r)² - 10/7 g h)", (0.66_f64 * 0.66 - 2.0 / 7.0).sqrt()),
        ],
        "edge_ball" => vec![
            form(impact("ball", 2), "x/v + √(2h/g)", 0.45),
            form(impact("ball", 3), "x/v + (1 + 2e) √(2h/g)", 0.65),
            form(place("ball", Axis::X, 1.2), "x + v t", 1.9),
            form(spin("ball", Axis::Y, 1.2), "v/r", 20.0),
        ],
        "edge_box" => vec![
            form(impact("box", 2), "x/v + √(2h/g)", 0.8),
            form(place("box", Axis::Z, 0.7), "z - g (t - x/v)²/2", 0.05),
            form(place("box", Axis::X, 1.2), "x + v t", 0.7),
        ],
        "edge_slide" => vec![form(
            speed("ball", Axis::X, 1.2),
            "√(g r cos³ θ), cos θ = 2/3 + v²/(3 g r)",
            (2.5_f64 * 0.8 * 0.8 * 0.8).sqrt(),
        )],
        "edge_roll" => vec![form(
            speed("ball", Axis::X, 1.8),
            "√(g r cos³ θ), cos θ = 10/17 + 7 v²/(17 g r)",
            (2.5 * (10.7_f64 / 17.0).powi(3)).sqrt(),
        )],
        _ => Vec::new(),
    }
}

fn friction_and_others(scene: &str) -> Vec<ClosedForm> {
    match scene {
        "friction_slide" => vec![
            form(Quantity::Stick { body: "box" }, "v/(µ g)", 2.0 / (0.3 * 9.81)),
            form(place("box", Axis::X, 1.5), "v²/(2 µ g)", 2.0 / (0.3 * 9.81)),
        ],
        "friction_stick" => vec![form(place("box", Axis::X, 4.0), "it stays: tan α < µ", 0.0)],
        "friction_slope" => vec![form(place("box", Axis::X, 2.0), "(gx - µ gz) t²/2", 3.52)],
        "friction_roll" => vec![form(place("ball", Axis::X, 2.0), "5/7 gx t²/2", 2.0)],
        "friction_bowling" => vec![
            form(Quantity::Stick { body: "ball" }, "2 v/(7 µ g)", 1.0),
            form(speed("ball", Axis::X, 2.0), "5/7 v", 5.0),
            form(place("ball", Axis::X, 2.0), "12/49 v²/(µ g) + 5/7 v (t - 2 v/(7 µ g))", 11.0),
        ],
        "friction_bounce" => vec![
            form(speed("slides", Axis::X, 1.0), "vx - µ (1 + e) vz", 2.92),
            form(speed("grips", Axis::X, 1.0), "5/7 vx", 0.5),
        ],
        "stack_two" => vec![form(place("box 2", Axis::Z, 5.0), "it stays", 0.3)],
        "stack_ten" => vec![form(place("box 10", Axis::Z, 5.0), "it stays", 1.9)],
        "stack_100" => vec![form(place("box/99", Axis::Z, 2.0), "it stays", 19.9)],
        "stack_heavy_top" => vec![form(place("heavy", Axis::Z, 5.0), "it stays", 0.3)],
        "piston_ball" => {
            vec![form(impact("piston", 28), "(1 - L)/u, L = (v - u)/(v - u + 2 n u)", (1.0 - 0.95 / 3.75) / 0.05)]
        }
        "piston_strike" => vec![
            form(impact("elastic", 1), "gap over speed", 0.2),
            form(speed("elastic", Axis::X, 1.0), "2 u", 3.0),
            form(speed("half", Axis::X, 1.0), "(1 + e) u", 2.25),
        ],
        "simbench_bouncing" => vec![form(impact("ball 00", 10), "19 √(2h/g)", 19.0 * (9.8 / 9.81_f64).sqrt())],
        "simbench_rolling" => vec![
            form(place("box", Axis::X, 2.0), "gx (M + m/2)/(M + 7 m/20) t²/2", 2.0 * 10.5 / 10.35),
            form(place("ball", Axis::X, 2.0), "half of the way of the box", 10.5 / 10.35),
        ],
        _ => Vec::new(),
    }
}

/// The slip of a ball at an impact with the speed u along the normal is s = v - r ω, and it is stopped where
/// 2/7 s ≤ µ (1 + e) u.
fn spins(scene: &str) -> Vec<ClosedForm> {
    match scene {
        "spin_bounce" => vec![
            form(speed("backspin slides", Axis::X, 1.0), "v - µ (1 + e) u", 0.92),
            form(spin("backspin slides", Axis::Y, 1.0), "ω + 5/2 µ (1 + e) u/r", -13.0),
            form(speed("backspin grips", Axis::X, 1.0), "v - 2/7 (v - r ω)", -0.5),
            form(speed("spin alone", Axis::X, 1.0), "2/7 r ω", 4.0 / 7.0),
            form(speed("topspin grips", Axis::X, 1.0), "v - 2/7 (v - r ω)", 1.8),
            form(speed("topspin slides", Axis::X, 1.0), "v + µ (1 + e) u", 2.08),
        ],
        "spin_side" => vec![
            form(speed("slides", Axis::X, 1.0), "vx - µ (1 + e) u sx/|s|, s = (vx, r ωx)", 2.352),
            form(speed("slides", Axis::Y, 1.0), "-µ (1 + e) u sy/|s|", -0.864),
            form(spin("slides", Axis::X, 1.0), "ωx - 5/2 µ (1 + e) u sy/(r |s|)", 18.4),
            form(speed("grips", Axis::X, 1.0), "5/7 vx", 6.0 / 7.0),
            form(speed("grips", Axis::Y, 1.0), "-2/7 r ωx", -3.2 / 7.0),
            form(speed("drills", Axis::X, 1.0), "5/7 vx", 0.5),
            form(spin("drills", Axis::Z, 1.0), "ωz", 50.0),
        ],
        "spin_back" => vec![
            form(Quantity::Stick { body: "ball" }, "2 (v - r ω)/(7 µ g)", 10.0 / 7.0),
            form(speed("ball", Axis::X, 3.0), "(5 v + 2 r ω)/7", -6.0 / 7.0),
            form(place("ball", Axis::X, 3.0), "v t₁ - µ g t₁²/2 + (5 v + 2 r ω)/7 (t - t₁)", -26.0 / 49.0),
        ],
        "spin_curve" => vec![
            form(Quantity::Stick { body: "ball" }, "2 |s|/(7 µ g), s = (vx, r ωx)", 5.0 / 14.0),
            form(place("ball", Axis::X, 1.0), "vx t - 2/7 sx (t - t₁/2)", 1.5 - 3.0 / 7.0 * (23.0 / 28.0)),
            form(place("ball", Axis::Y, 1.0), "-2/7 sy (t - t₁/2)", -4.0 / 7.0 * (23.0 / 28.0)),
        ],
        "spin_throw" => vec![
            form(speed("slides target", Axis::X, 1.0), "v", 2.0),
            form(speed("slides target", Axis::Z, 1.0), "-µ v", -0.1),
            form(speed("grips target", Axis::Z, 1.0), "-r ω/7", -0.5 / 7.0),
            form(spin("grips", Axis::Y, 1.0), "9/14 ω", 45.0 / 14.0),
            form(spin("grips target", Axis::Y, 1.0), "-5/14 ω", -25.0 / 14.0),
        ],
        _ => Vec::new(),
    }
}

fn belts_and_copies(scene: &str) -> Vec<ClosedForm> {
    match scene {
        "belt_box" => vec![
            form(Quantity::Stick { body: "box" }, "u/(µ g)", 0.6),
            form(place("box", Axis::X, 2.0), "u t - u²/(2 µ g)", 2.55),
        ],
        "belt_ball" => vec![
            form(Quantity::Stick { body: "ball" }, "2 u/(7 µ g)", 1.2 / 7.0),
            form(speed("ball", Axis::X, 2.0), "2/7 u", 3.0 / 7.0),
            form(place("ball", Axis::X, 2.0), "2/7 u (t - u/(7 µ g))", 3.0 / 7.0 * (2.0 - 0.6 / 7.0)),
        ],
        "copies_grid" => [("ball 0", 0.0), ("ball 32", 32.0), ("ball 1024", 1024.0)]
            .into_iter()
            .flat_map(|(ball, shift)| {
                [
                    form(impact(ball, 1), "z/vz", 0.5),
                    form(impact(ball, 2), "x/vx", 1.0),
                    form(place(ball, Axis::X, 1.25), "x - e vx (t - x/vx)", shift + 1.25),
                    form(place(ball, Axis::Z, 1.25), "r + e vz (t - z/vz)", 0.875),
                ]
            })
            .collect(),
        _ => Vec::new(),
    }
}
