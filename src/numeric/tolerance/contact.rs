//! Cutoffs of contacts and of time stepping: when bodies rest, how exactly contact problems are solved, and the length
//! of time steps.

use super::EPSILON;

/// Default height of a rebound below which an impact becomes a contact, m, in a world with gravity.
///
/// A micrometre is invisible in any plot. Larger: bounces end sooner and more energy is removed at the end (at most m·g
/// times this length per contact, and the log has it). Smaller: more bounces before rest.
pub const REST_HEIGHT_DEFAULT: f64 = 1e-6;

/// The same relative to the smallest half extent of the free bodies, where these are known.
///
/// It is invisible in any plot that shows the bodies, and the number of bounces before rest does not depend on their
/// size. Larger and smaller: as above.
pub const REST_HEIGHT_SHARE: f64 = 1e-5;

/// Longest interval that may count as one instant, s: 2⁻²⁰.
///
/// Impacts whose times cannot be distinguished within rounding are resolved together. The slower two bodies close, the
/// longer is the interval of uncertainty of their time of impact; this constant bounds it for every speed. Larger: more
/// impacts count as simultaneous. Within a microsecond nothing visible happens between two impacts.
pub const INSTANT_MAX: f64 = 1.0 / 1_048_576.0;

/// Part of a motion that counts as none of it, no unit: 2⁻²⁰.
///
/// It separates three pairs of cases that differ by far more.
/// - The solvers satisfy constraints to [`COUPLED_TOLERANCE`](super::COUPLED_TOLERANCE) or better; sliding friction
///   without a solution violates them by a part of order one.
/// - An impact at a lasting contact that is slower than this part of the largest speed of its island is not logged: it
///   loses less than a millionth of a millionth of the energy.
/// - A pair has room if it can open with this part of its approach speed. Between walls at rest any positive number
///   would do; between walls that separate slowly, a body has about its inverse of impacts.
///
/// Larger: a wedged group may count as solved, and fewer impacts are logged.
pub const NEGLIGIBLE: f64 = 1.0 / 1_048_576.0;

/// Most constraints of a problem that is solved in a bounded number of steps, to rounding.
///
/// An island of more contacts is advanced by time steps. Larger: more problems are solved to rounding, with work that
/// grows with the cube of their size.
pub const CONSTRAINTS_MAX: usize = 128;

/// Most rounds of that method per constraint, on average.
///
/// More rounds mean that rounding errors make it cycle. Larger: a cycle ends later.
pub const ROUNDS_PER_CONSTRAINT: usize = 8;

/// Most rounds of the iteration for many constraints or friction.
///
/// Larger: problems that converge slowly are solved more exactly, at more cost.
pub const ROUNDS_MAX: usize = 20_000;

/// Most consecutive rounds in which the change does not fall to less than half of its previous bound.
///
/// Further rounds would not help. Larger: useless rounds.
pub const ROUNDS_IDLE: usize = 300;

/// Rounds between two searches for constraints that contradict each other.
///
/// Larger: they differ more clearly from the others, at more cost.
pub const ROUNDS_PER_SEARCH: usize = 100;

/// Most searches for constraints that contradict each other.
///
/// Larger: bodies that are squeezed among many others are found more often.
pub const SEARCHES_MAX: usize = 20;

/// Longest span for which the forces of a moving contact are taken as constant, s.
///
/// On curved surfaces the rest height makes spans far shorter, unless bodies hardly move. Larger: fewer updates of such
/// contacts.
pub const SPAN_MAX: f64 = 0.25;

/// Shortest time after which a span ends because another body is met, as a fraction of the span.
///
/// Smaller: less work before an impact that the rest of the span would take back, with more updates.
pub const MEETING_MIN: f64 = 1.0 / 32.0;

/// Most halvings of a span.
///
/// The span is then about a femtosecond long. Larger: the same results.
pub const HALVINGS_MAX: u32 = 48;

/// Most times that forces are computed again for a span that has become shorter.
///
/// Larger: forces suit their span where it is cut again and again, at more cost.
pub const CUTS_MAX: u32 = 4;

/// Most corrections of the forces at curved contacts before their span is halved.
///
/// Larger: longer spans where the corrections converge slowly.
pub const CORRECTIONS_MAX: u32 = 5;

/// Shortest span for which a solution is searched where bodies are jammed, as a fraction of the original span.
///
/// Smaller: more halvings before overlaps left by rounding are accepted as they are.
pub const JAMMED_SPAN: f64 = 1.0 / 16.0;

/// Time in which an overlap left by rounding is removed, s.
///
/// Smaller: it is removed with larger forces.
pub const RECOVERY_TIME: f64 = 1.0 / 64.0;

/// The largest slip at the end of a span that a contact which friction holds on a curved surface may have gained,
/// relative to the speed of a fall through the rest height.
///
/// It is removed; friction would stop it within microseconds. Larger: slip that a command caused would not be in the
/// log. Smaller: a ball that rolls and spins slips and sticks in turn.
pub const HELD_SLIP: f64 = 1.0 / 16.0;

/// Largest change of velocity with which small motions of opening and slip are removed, relative to their sum.
///
/// Two walls of a groove amplify it by the sine of half their angle. Larger: a body that slides along two normals which
/// are hardly different is stopped.
pub const DRIFT_COST: f64 = 16.0;

/// The largest turn of a direction of slip, as a fraction of the slip, before friction is computed again.
///
/// It bounds spans in which slip is so slow that its direction moves the body by less than a rest height; else spans
/// are shorter. Smaller: more updates where slip ends.
pub const TURN_MAX: f64 = 1.0 / 4.0;

/// Most contact updates of bodies in contact by events, within the time of a fall through [`UPDATES_FALL`] rest
/// heights. More make them an island that is advanced by time steps.
///
/// Larger: where slips do not end, or bodies bounce in turn, islands settle by events for longer, at a cost that grows
/// with the cube of their contacts.
pub const UPDATES_MAX: u32 = 64;

/// The same for few contacts, times the square of their number.
///
/// Where a slip comes to an end, or passes near zero while it turns, some dozens of updates follow each other; and a
/// body that friction wedges between two walls slips at one and then at the other, every few picoseconds. Larger: more
/// such updates before time steps.
pub const UPDATES_MAX_FEW: u32 = 2048;

/// Elastic impacts of a body at one instant after which pairs without room are searched for; then after twice as many.
///
/// Larger: a body exactly between two walls has more impacts before it stops; more chances for other impacts of the
/// instant to free it.
pub const REPEATS_MIN: u32 = 64;

/// Most contact updates of a body at one instant.
/// Beyond them slip ends and begins in turn, and time does not advance. Larger: more useless updates.
pub const UPDATES_MAX_NOW: u32 = 32;

/// Height of the fall in whose time contact updates are counted, rest heights.
/// Rebounds that are just visible follow each other in that time. Larger: more islands are advanced by time steps.
pub const UPDATES_FALL: f64 = 4.0;

/// Longest time step, in units of the square root of the smallest half extent over g.
///
/// A body falls from rest through a thirty-second of its half extent. Larger: fewer steps, which need more
/// sweeps each; at an eighth to a quarter a heap comes to rest with the least work.
pub const STEP_LONGEST: f64 = 0.25;

/// Farthest a body goes in a time step, in its smallest half extents.
///
/// Larger: the normals of contacts turn more within a step.
pub const STEP_DISTANCE: f64 = 0.5;

/// Shortest time step, relative to the longest.
///
/// A body that is faster than this allows goes farther. Larger: faster bodies go farther in a step; smaller: an island
/// with a very fast body takes more steps.
pub const STEP_SHORTEST: f64 = 1.0 / 64.0;

/// Margin on the closing speed of a pair that becomes a contact of a time step, relative to the speed gained by gravity
/// in the step.
///
/// It only saves a second pass, which adds the contacts that were missed. Larger: more contacts without a force.
pub const STEP_SLOWEST: f64 = 0.1;

/// The gap that time steps keep, relative to the distance covered at the mean speed in a step.
///
/// The solver is exact to a part of it. Larger: fewer sweeps and wider gaps while bodies move.
pub const TARGET_GAP_SHARE: f64 = 0.2;

/// The widest gap that time steps keep, in the smallest half extents.
///
/// Larger: bodies in motion keep visible gaps.
pub const TARGET_GAP_MAX: f64 = 1e-2;

/// The gap that time steps keep at rest, in rest heights.
///
/// Larger: bodies at rest are farther apart.
pub const GAP_KEPT: f64 = 0.25;

/// Part of a gap, or of the gap that is kept, that a time step must leave.
///
/// A step that leaves less is shortened. Larger: more steps are shortened.
pub const GAP_LEFT: f64 = 0.1;

/// Part of the gap that is kept below which a gap grows in a time step.
///
/// Impacts and errors of the solver use gaps up. Larger: more energy is used to move bodies apart; smaller: the sweeps
/// must be far more exact, and heaps near rest jam.
pub const GAP_RECOVERED: f64 = 0.25;

/// Largest energy that the growth of such gaps may cost, relative to the energy lost in the last time step.
///
/// Larger: steps that move bodies apart more often turn out to add energy, and are weakened.
pub const RECOVERY_SHARE: f64 = 0.25;

/// Overlap that time steps allow, relative to the smallest body, and with which a world may start: 2⁻³³.
///
/// Bodies that begin to touch by an impact have no gap, and no solver is exact. Larger: overlaps that can be measured.
pub const OVERLAP_ALLOWED: f64 = 524_288.0 * EPSILON;

/// Accuracy with which the velocities of a time step keep gaps: the part of the mean gap under load by which the gap of
/// a contact may still change.
///
/// Larger: fewer sweeps, and more motion that they leave. If the tolerance is relative to the gap that is kept instead,
/// which may be far larger than the actual gaps, smooth heaps take twice as long to come to rest.
pub const SWEEP_TOLERANCE: f64 = 0.5;

/// Most sweeps there and back for the normal impulses of a step; it is shortened if that is not enough.
///
/// A step of a thousand balls in contact takes 50 to 300. Smaller: steps are shortened, gaps are used up, and a smooth
/// heap near rest jams.
pub const SWEEPS_MAX: usize = 1000;

/// The same for so few contacts that they are then solved exactly.
///
/// Larger: more sweeps that converge slowly before the exact solution.
pub const SWEEPS_MAX_FEW: usize = 200;

/// Least number of sweeps there and back for normal and tangential impulses together.
///
/// With many contacts these do not converge within a step; friction converges from step to step. Larger: more work for
/// steps that are not better.
pub const FRICTION_SWEEPS: usize = 3;

/// Least distance that a member of an island may move before its candidate pairs are searched again, in its smallest
/// half extents.
///
/// Speed only. Larger: fewer searches, for longer lists.
pub const REACH_LEAST: f64 = 0.2;

/// Reserve of distance of a member, in distances that it moves in a step. With less left, its candidate pairs are
/// searched again.
///
/// Speed only. Larger: as above.
pub const REACH_SPARE: f64 = 1.5;

/// Edge of the cells in which members are grouped for the search of bodies that are not members, in the largest radii
/// of members including their reach.
///
/// Speed only. Larger: fewer searches, with more bodies in each.
pub const GROUP_EDGE: f64 = 4.0;

/// Interval at which members with no other free body near them may leave an island, as the time of a fall from rest
/// over this height, in half extents of the smallest member.
///
/// Larger: bodies that fly away are advanced by time steps for longer. Smaller: bodies that bounce join and leave again
/// and again, with more searches.
pub const PART_FALL: f64 = 2.0;

/// Distance beyond the reach of a member in which free bodies that are not members are searched, in its half extents.
/// Those that it would touch within the step join the island.
///
/// Larger: fewer steps are interrupted by an impact.
pub const BYSTANDER_REACH: f64 = 0.5;

/// Height of the fall in whose time slow bodies fall asleep, in their half extents. For as long, a body that friction
/// wedged between walls is advanced by time steps. The gaps of an island that is slow shrink to those at rest after a
/// fall of half that height.
///
/// Larger: heaps move for longer, slower than anything visible. Smaller: gaps shrink while bodies still move, which
/// takes many more sweeps.
pub const SLEEP_FALL: f64 = 8.0;

/// Share of a time step that must be left where bodies would overlap at its end. With less, it is solved again, more
/// exactly or as a shorter step.
///
/// Larger: more steps are solved again.
pub const SHARE_LEAST: f64 = 0.25;

/// How often a step is solved in all where its energy asks for smaller impulses.
/// Larger: steps that cannot be saved cost more.
pub const ATTEMPTS_MAX: usize = 3;

/// Factor on the length of a step of up to three members.
///
/// Few bodies are followed more closely, which costs little. Larger: three balls that fall off each other are off by
/// centimetres. Smaller: more steps.
pub const STEP_FEW: f64 = 1.0 / 64.0;

/// Factor on the length of a step that is set up again as a shorter one with a smaller gap.
/// Smaller: steps are shorter than they need to be.
pub const STEP_SHRUNK: f64 = 0.125;

/// The smallest factor on the length of a step that is set up again: [`STEP_SHRUNK`] to the fourth power.
/// Smaller: bodies that are squeezed are found later, with less space left.
pub const SHRUNK_LEAST: f64 = 1.0 / 4096.0;

/// Factor on the tolerance of the sweeps when a step is solved again because of its energy.
/// Smaller: more sweeps.
pub const TOLERANCE_SHRUNK: f64 = 1.0 / 64.0;

/// Most contacts of an island that is solved by the solver for few contacts where the sweeps do not suffice.
///
/// Larger: more nearly jammed islands go on, at a cost that grows with the cube of this number.
pub const JAMMED_MAX: usize = 512;

/// Share of a time step below which it counts as no progress.
///
/// Gaps shrink to a tenth with each such step. Larger: bodies that are squeezed are found earlier.
pub const BLOCKED_SHARE: f64 = 1.0 / 1024.0;

/// Most consecutive steps without progress before the error that a body is squeezed; a step with progress halves their
/// number.
///
/// Larger: the error comes later.
pub const BLOCKED_MAX: u32 = 64;

/// Factor on the tolerance of the sweeps where a gap would still be used up.
/// Smaller: more sweeps.
pub const TOLERANCE_TIGHTER: f64 = 0.25;

/// Largest length of a step along a conjugate direction, in its own units.
///
/// Where only rounding is left, the computed length is arbitrary. Larger: rounding is magnified.
pub const DIRECTION_MAX: f64 = 64.0;

/// Smallest factor by which the gap that is kept changes from one step to the next.
/// Larger: bodies that come to rest sink for longer before they sleep. Smaller: they close their gaps faster, and are
/// stirred by it.
pub const TARGET_GAP_SHRINKS: f64 = 0.8;

/// Largest factor by which it changes.
/// Larger: gaps open faster where bodies begin to move.
pub const TARGET_GAP_GROWS: f64 = 1.5;
