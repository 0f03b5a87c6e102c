//! Exceptions to the rules, each with its reason. An exception that no longer applies fails the test, so the lists only
//! shrink.

/// Numbers outside the file of tolerances that do not affect a result: the file, the constant and the reason.
pub(crate) const MEANT: &[(&str, &str, &str)] = &[
    ("src/motion/time/mod.rs", "TICK", "the unit of the clock, made of the number of ticks in the file of tolerances"),
    ("src/numeric/exact.rs", "SPLITTER", "Dekker's: another number would not split the bits of a float in halves"),
    ("src/numeric/functions/power.rs", "LN_2_HIGH", "the natural logarithm of 2, in two parts"),
    ("src/numeric/functions/power.rs", "LN_2_LOW", "the natural logarithm of 2, in two parts"),
    ("src/numeric/quantity.rs", "MAGNITUDE_MAX", "which numbers are let in at all"),
    ("src/numeric/quantity.rs", "MAGNITUDE_MIN", "which numbers are let in at all"),
    ("src/numeric/shown.rs", "PLAIN_FROM", "how a number is written, not what it is"),
    ("src/numeric/shown.rs", "PLAIN_UNTIL", "how a number is written, not what it is"),
    ("src/dynamics/body/friction.rs", "1e6", "which numbers are let in at all"),
    ("src/dynamics/body/restitution.rs", "0.2", "the exponent of the law of viscoelastic spheres"),
    ("src/dynamics/settings.rs", "2.5", "the moment of inertia of a solid sphere, 2/5 m r²"),
    (
        "src/dynamics/query/slide/near.rs",
        "WIDE",
        "how far a slide looks at once: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/cell_list/mod.rs",
        "0.8",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/cell_list/mod.rs",
        "1.25",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/cell_list/axis.rs",
        "APART",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/cell_list/axis.rs",
        "OVER_MIN",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/cell_list/sizing.rs",
        "CLUSTERED",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/cell_list/sizing.rs",
        "IN_CELL",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/cell_list/sizing.rs",
        "AROUND",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/cell_list/sizing.rs",
        "WIDEST",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/cell_list/sizing.rs",
        "NEIGHBOURS_OF_BOXES",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/cell_list/species.rs",
        "LEFT_OUT",
        "which bodies are in cells: speed only, any value gives the same bits",
    ),
    ("src/numeric/lane.rs", "WHOLE", "a sum with it has no fraction: a property of the format"),
    (
        "src/dynamics/broadphase/cell_list/sizing.rs",
        "STRIDE",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/domain.rs",
        "0.25",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/domain.rs",
        "CLEAR_REACH",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/domain.rs",
        "CLEAR_REACH_CUT",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/domain_update.rs",
        "MARGIN_FIRST",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/domain_update.rs",
        "MARGIN_FIRST_BALL",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/domain_update.rs",
        "MARGIN_LEAST",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/domain_update.rs",
        "STAY_MAX",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/domain_update.rs",
        "STRIDE",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/hash_grid/block.rs",
        "CELL_MAX",
        "how boxes are quantised and found: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/hash_grid/block.rs",
        "FAR",
        "how boxes are quantised and found: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/hash_grid/block.rs",
        "STEPS",
        "how boxes are quantised and found: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/hash_grid/nearest.rs",
        "1.5",
        "how boxes are quantised and found: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/mod.rs",
        "CUBE_IN_BALL",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    (
        "src/dynamics/broadphase/mod.rs",
        "OFFSET_MAX",
        "how far a body looks around: speed only, any value gives the same bits",
    ),
    ("src/dynamics/contact/curved.rs", "0.25", "a quarter of a span, at which a path is looked at"),
    ("src/dynamics/simulation.rs", "BALLISTIC_REACH", "which spheres are predicted together: speed only"),
    ("src/dynamics/prediction/pair_event.rs", "AXIAL", "skips a test whose answer is known: speed only"),
    ("src/dynamics/prediction/simd/approach.rs", "8.0", "which pairs are left to the scalar test: speed only"),
    ("src/dynamics/prediction/simd/quadratic.rs", "FAR", "which pairs are left to the scalar test: speed only"),
    ("src/dynamics/gas/balls.rs", "RADII_MAX", "which loop advances a world: speed only, both give the same bits"),
    ("src/dynamics/gas/calendar.rs", "PER_BIN", "the duration of the bins: speed only, their order is exact"),
    ("src/dynamics/gas/calendar.rs", "UNEVEN", "the duration of the bins: speed only, their order is exact"),
    ("src/dynamics/gas/cells.rs", "EDGE_MIN", "how far a body looks around: speed only, any value gives the same bits"),
    ("src/dynamics/gas/cells.rs", "APART", "how far a body looks around: speed only, any value gives the same bits"),
    ("src/dynamics/gas/cells.rs", "MEAN", "how far a body looks around: speed only, any value gives the same bits"),
    ("src/dynamics/gas/cells.rs", "STRIDE", "how far a body looks around: speed only, any value gives the same bits"),
    ("src/dynamics/gas/lists.rs", "MARGIN", "how far a body looks around: speed only, any value gives the same bits"),
    ("src/dynamics/gas/lists.rs", "AHEAD", "how far a body looks around: speed only, any value gives the same bits"),
    ("src/dynamics/gas/lists.rs", "ROUNDING", "how far a body looks around: speed only, any value gives the same bits"),
    (
        "src/dynamics/gas/mod.rs",
        "PACKING_OF_LISTS",
        "how a body looks around: speed only, any value gives the same bits",
    ),
    ("src/dynamics/gas/search.rs", "8.0", "which pairs are left to the scalar test: speed only"),
    ("src/dynamics/query/periodic.rs", "ASIDE_MAX", "how far a query goes, as its documentation says"),
    ("src/dynamics/settings.rs", "PERIODS_MAX", "which numbers are let in at all"),
    ("src/dynamics/solver/refinement.rs", "1.5", "half as much again as one rounding, in a bound of the refinement"),
];

/// Words that exact layers do not say, where they do not affect a result: the file, the word and the reason.
pub(crate) const SAID: &[(&str, &str, &str)] = &[(
    "src/dynamics/gas/lists.rs",
    "f32",
    "centres of domains, compared with a margin that is larger than their rounding: speed only",
)];
