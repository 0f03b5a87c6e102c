//! The list of scenes.

/// A family of scenes that test one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "`Family::name` says it")]
#[non_exhaustive]
pub enum Family {
    Flight,
    Bounce,
    Pair,
    Chain,
    Bullet,
    Corner,
    Seam,
    Edge,
    Friction,
    Spin,
    Belt,
    Stack,
    Heap,
    Gas,
    Billiard,
    Piston,
    Copies,
    SimBenchmark,
}

impl Family {
    /// Its name.
    pub const fn name(self) -> &'static str {
        family_name(self)
    }
}

/// A scene of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// Its name, which is also the name of its file in `scenarios/oracle`.
    pub name: &'static str,
    /// Its family.
    pub family: Family,
    /// What it tests.
    pub tests: &'static str,
    /// Its source.
    pub source: &'static str,
    /// Its scenario.
    pub text: &'static str,
}

macro_rules! scenes {
    ($($family:ident $title:literal { $($name:literal: $tests:literal, $source:literal;)+ })+) => {
        const fn family_name(family: Family) -> &'static str {
            match family {
                $(Family::$family => $title,)+
            }
        }

        const SCENES: &[Scene] = &[$($(Scene {
            name: $name,
            family: Family::$family,
            tests: $tests,
            source: $source,
            text: include_str!(concat!("../../../scenarios/oracle/", $name, ".ron")),
        },)+)+];
    };
}

/// All scenes, by family.
pub const fn scenes() -> &'static [Scene] {
    SCENES
}

scenes! {
    Flight "free flight" {
        "flight_parabola": "the integrator: gravity alone", "Galilei, Discorsi, 1638, fourth day";
        "flight_straight": "motion without forces, of a ball and of a box", "Newton's first law";
        "flight_high": "how the error of the integrator grows over 40 s", "Galilei, Discorsi, 1638, fourth day";
    }
    Bounce "bounce" {
        "bounce_elastic": "whether an elastic ball keeps its height", "textbook law of restitution";
        "bounce_restitution": "restitutions 0, 0.2, 0.4, 0.6, 0.8 and 1", "textbook law of restitution";
        "bounce_to_rest": "ever shorter bounces up to rest", "geometric series of the bounces";
        "bounce_box": "a box that falls flat, with a restitution of 0.7", "textbook law of restitution";
        "bounce_oblique": "a slanted bounce without friction keeps the tangential velocity", "textbook law of restitution";
        "bounce_tilted": "the normal of a slope", "law of reflection";
        "bounce_two_walls": "time lost at impacts, which adds up", "law of reflection";
    }
    Pair "pairs" {
        "pair_head_on": "equal elastic balls exchange their velocities", "Huygens, De motu corporum ex percussione, 1703";
        "pair_unequal": "masses 1 and 3, restitution 1/2", "textbook law of restitution";
        "pair_oblique": "the normal of two balls, (0.8, 0, 0.6)", "textbook law of restitution";
        "pair_grazing": "a graze at 0.999 of the sum of the radii", "textbook law of restitution";
        "pair_near_miss": "no impact at 1.001 of the sum of the radii", "straight flight";
        "pair_space": "the normal of two balls in space, (2, 1, 2)/3", "textbook law of restitution";
        "pair_boxes": "two free boxes, restitution 0.8", "textbook law of restitution";
        "pair_ball_box": "a ball and the face of a free box", "textbook law of restitution";
    }
    Chain "chains" {
        "chain_cradle_gaps": "momentum runs through a row of balls, one impact after the other", "equal masses exchange their velocities";
        "chain_cradle_touching": "impacts at one instant in a row of touching balls", "Newton's cradle; carom resolves simultaneous impacts by generalised reflections";
        "chain_galperin_31": "31 impacts between masses 1 and 100", "G. Galperin, Playing pool with π, Regular and Chaotic Dynamics 8, 2003";
        "chain_galperin_314": "314 impacts between masses 1 and 10⁴", "G. Galperin, Playing pool with π, Regular and Chaotic Dynamics 8, 2003";
        "chain_two_balls": "a light ball on a heavy one, in quick succession on the floor", "W. R. Mellen, Superball rebound projectiles, American Journal of Physics 36, 1968";
    }
    Bullet "bullets" {
        "bullet_10cm": "a wall of 10 cm at 300 m/s", "law of reflection";
        "bullet_1cm": "a wall of 1 cm at 300 m/s", "law of reflection";
        "bullet_1mm": "a wall of 1 mm at 300 m/s", "law of reflection";
        "bullet_10um": "a wall of 10 µm at 300 m/s", "law of reflection";
        "bullet_1um": "a wall of 1 µm at 300 m/s", "law of reflection";
        "bullet_half_space": "a half-space at 1000 m/s", "law of reflection";
        "bullet_head_on": "two bullets head on, each at 300 m/s", "equal masses exchange their velocities";
        "bullet_foil": "a free foil of 1 mm", "textbook law of restitution";
        "bullet_box": "a box as a bullet", "law of reflection";
    }
    Corner "corners and edges" {
        "corner_edge": "the normal at the edge of a box", "law of reflection";
        "corner_vertex": "the normal at the corner of a box", "law of reflection";
        "corner_miss": "no impact at 1 mm from an edge", "free fall";
        "corner_two_walls": "two walls send a ball back", "law of reflection";
        "corner_three_walls": "three walls send a ball back", "law of reflection";
    }
    Seam "seams" {
        "seam_ball": "a ball that rolls over flush tiles feels no seam", "motion on one floor; JoltPhysics #717";
        "seam_fast": "70 seams in a second do not lift or slow a smooth ball", "motion on one floor; JoltPhysics #717";
        "seam_box": "a box as wide as a tile does not stop at a seam", "Coulomb's law of friction, on one floor; Godot #89458";
        "seam_bounce": "the normal beside a seam", "law of reflection";
        "seam_wall": "a box that slides down a wall of tiles is not caught", "Coulomb's law of friction, on one wall; Rapier #142";
        "seam_mesh": "a ball and a box feel no edge inside a floor of triangles", "motion on one floor; Rapier #404, ammo.js #383";
    }
    Edge "gaps and steps" {
        "gap_jump": "a fast ball flies off an edge at once, and strikes the far edge of a gap", "fall of a ball, law of restitution; it flies where v² > g r";
        "gap_roll": "a slow ball turns about both edges of a gap", "energy and angular momentum about an edge";
        "step_strike": "the normal at the edge of a step", "law of reflection";
        "step_climb": "a ball turns about the edge of a step and rolls on, higher", "angular momentum about the edge, then energy";
        "edge_ball": "a ball flies off a table and keeps its spin", "fall of a ball; it flies where v² > g r";
        "edge_box": "a box leaves a table with its rear edge", "fall of a box that does not turn";
        "edge_slide": "where a smooth ball leaves an edge around which it slides", "energy, and a force that does not pull";
        "edge_roll": "where a rough ball leaves an edge around which it rolls", "energy with 2/5 m r², and a force that does not pull";
    }
    Friction "friction" {
        "friction_slide": "sliding to rest: v²/(2 µ g)", "Coulomb's law of friction";
        "friction_stick": "no creep on a slope below the angle of friction", "Coulomb's law of friction";
        "friction_slope": "sliding down a slope", "Coulomb's law of friction";
        "friction_roll": "rolling without sliding", "rolling of a solid ball, moment of inertia 2/5 m r²";
        "friction_bowling": "from sliding to rolling", "J.-A. Euler, 1758; G. Coriolis, Théorie mathématique des effets du jeu de billard, 1835";
        "friction_bounce": "friction at an impact: a slide through it, and a grip", "W. Goldsmith, Impact, 1960; Coulomb's law for impulses";
    }
    Spin "spin" {
        "spin_bounce": "backspin and topspin at an impact: a slide through it, and a grip", "W. Goldsmith, Impact, 1960; Coulomb's law for impulses";
        "spin_side": "friction against a slip that is oblique to the motion, and a spin about the normal", "Coulomb's law for impulses";
        "spin_back": "a ball comes back by its backspin", "G. Coriolis, Théorie mathématique des effets du jeu de billard, 1835";
        "spin_curve": "a spin across the motion bends the path to a parabola", "J.-A. Euler, 1758; G. Coriolis, Théorie mathématique des effets du jeu de billard, 1835";
        "spin_throw": "friction between balls throws them sideways and passes spin on", "Coulomb's law for impulses";
    }
    Belt "belts" {
        "belt_box": "a box that is set down on a belt slides for v/(µ g)", "Coulomb's law of friction";
        "belt_ball": "a ball that is set down on a belt rolls with 2/7 of its speed", "rolling of a solid ball, moment of inertia 2/5 m r²";
    }
    Stack "stacks" {
        "stack_two": "a stack of two at rest", "statics";
        "stack_ten": "a stack of ten at rest", "statics";
        "stack_100": "a stack of a hundred at rest", "statics; avian #1033";
        "stack_heavy_top": "masses 1 and 100 at rest", "statics";
    }
    Heap "heaps" {
        "heap_balls": "balls fall into a box and settle", "carom; beyond the first impacts by means only";
    }
    Gas "gases" {
        "gas_elastic": "energy of an elastic gas", "carom; beyond the horizon by means only";
        "gas_mixture": "equal shares of energy of heavy and light balls", "carom; beyond the horizon by means only";
    }
    Billiard "billiards" {
        "billiard_sinai": "the growth of errors on Sinai's table", "Ya. G. Sinai, Dynamical systems with elastic reflections, Russian Mathematical Surveys 25, 1970";
        "billiard_break": "a break without friction", "carom";
    }
    Piston "pistons" {
        "piston_ball": "work of a moving wall on a ball", "P. Ehrenfest, Adiabatische Invarianten, 1916";
        "piston_strike": "a moving wall strikes balls at rest", "textbook law of restitution";
    }
    Copies "copies" {
        "copies_grid": "three copies of a scene, up to a kilometre apart, do the same", "law of restitution; PhysX #666";
    }
    SimBenchmark "SimBenchmark" {
        "simbench_bouncing": "49 balls bounce for 20 s", "SimBenchmark (leggedrobotics, ETH Zurich, 2018), benchmark/res/yaml/bouncing.yaml";
        "simbench_666": "216 balls fall on a floor and settle", "SimBenchmark (leggedrobotics, ETH Zurich, 2018), benchmark/res/yaml/666.yaml";
        "simbench_elastic_666": "energy of 216 elastic balls on a floor", "SimBenchmark (leggedrobotics, ETH Zurich, 2018), benchmark/res/yaml/666-elastic.yaml";
        "simbench_rolling": "a box on a rolling ball", "SimBenchmark (leggedrobotics, ETH Zurich, 2018), benchmark/res/yaml/rolling.yaml; one ball for 25, and a tilted gravity for the force";
    }
}
