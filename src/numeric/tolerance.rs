//! Every tolerance of the simulator, each with its unit, its derivation, and what grows when it grows.
//!
//! No other file holds a literal tolerance. Decisions about impacts use signs instead: none of these
//! numbers decides whether two bodies meet.

/// Relative grain of an `f64`, 2⁻⁵²: the distance from 1 to the next float.
pub const EPSILON: f64 = f64::EPSILON;

/// How far |n|² of a normal may lie from 1 for the normal to count as a unit vector, no unit.
///
/// Squaring and adding three rounded components, each off by half a grain, moves the sum by at most
/// about four grains. Larger: normals that are visibly not of unit length would be used as they are.
pub const UNIT_SLACK: f64 = 4.0 * EPSILON;

/// Spacing of numbers at a body's place over the body's size from which a warning is given, no unit.
///
/// A millionth: gaps and overlaps of that much of a body are rounding there, and so is the millionth part of the time in
/// which it passes its own size. For a ball of a metre it begins at 4.3e9 m from the origin. It decides nothing in a run.
/// Larger: the warning of coarse results comes later.
pub const COARSENESS_MAX: f64 = 1e-6;

/// Ticks of the clock in a second.
///
/// A power of two, so that counting in ticks rounds nothing. Larger: instants could be told apart more finely, and runs could
/// not last as long.
pub const TICKS_PER_SECOND: f64 = 2048.0;

/// Latest time of a sweep, s from its start: 2⁴², of which the clock counts the ticks without loss.
///
/// A hundred and forty thousand years. Larger: the clock would round whole ticks away.
pub const TIME_MAX: f64 = 2.0 / EPSILON / TICKS_PER_SECOND;

/// Least difference that the clock tells between two instants of any tick, s: 2⁻⁶⁴, what rests from half a tick to a whole
/// one are apart.
///
/// Larger: faster bodies would be refused as too fast for their size.
pub const CLOCK_GRAIN: f64 = 0.5 * EPSILON / TICKS_PER_SECOND;

/// How many of its half widths a body may go in a second: 2⁶⁰, so a sixteenth of one between instants that the clock tells
/// apart.
///
/// The instant of an impact is rounded by half of that at most, so a body that is met is in front of what it met. Larger: a
/// body would stand deeper in what it met, in the end behind it; smaller: slower bodies would be refused.
pub const SPEED_PER_SIZE_MAX: f64 = 0.0625 / CLOCK_GRAIN;

/// How long a fall takes whose speed counts as none when bodies in contact settle, s: 2⁻⁵³.
///
/// The pushes that hold a body up carry the rounding of its weight, and after a second they leave it half a grain of g faster.
/// Larger: bodies in contact that move visibly slowly would be stopped.
pub const STILL_FALL: f64 = 0.5 * EPSILON;

/// How far a projected vector may break a bound, relative to its size; also the least determinant of unit
/// normals that counts as independent.
///
/// A projection on three planes is some thirty roundings. Larger: supports that are nearly parallel would
/// be taken as one.
pub const PROJECTION_SLACK: f64 = 64.0 * EPSILON;

/// How far a 3 × 3 determinant may be off, relative to the sum of the magnitudes of its six products.
///
/// Each product passes through at most seven roundings of half a grain (Shewchuk 1997, §4.3, with the sum itself
/// rounded). Larger: more determinants are looked at twice; smaller: a wrong sign would be believed.
pub const DETERMINANT_SLACK: f64 = 4.0 * EPSILON;

/// How much wider a body's domain is stored than the room it may use, relative to its coordinates; and how much
/// sooner it counts as left, relative to a tick of the clock and to the times involved.
///
/// The time of leaving is computed with a few roundings and counted in grains of the clock; this keeps the body
/// inside until then. Larger: a few more neighbours, and domains that are left a little sooner.
pub const DOMAIN_SLACK: f64 = 64.0 * EPSILON;

/// Room between a box and the edge of the grid's cells that hold it, relative to the edge: 2⁻²⁰.
///
/// Walks through the grid may be off by half of it. Larger: a box that fills its cell exactly would be entered one level
/// higher; smaller: walks of fewer cells could be trusted.
pub const CELL_ROOM: f64 = 4_294_967_296.0 * EPSILON;

/// How far a point computed on a ray may lie from the ray, twice over, relative to the coordinates involved.
///
/// A product and two sums for the parameter of a border, as many for the point with it: eight grains. Larger: rays from
/// far away would look at all bodies where a walk through cells would do.
pub const WALK_SLACK: f64 = 16.0 * EPSILON;

/// Closing speed of a pair in touch that counts as none, relative to the speeds of the two.
///
/// Both velocities carry the rounding of the impact that made them: two products and a sum each, twice
/// over for the normal, some eight grains. Such a pair goes no deeper than the rounding of the way it
/// goes. Larger: a slow approach from touch would be missed.
pub const CLOSING_SLACK: f64 = 16.0 * EPSILON;

/// Overlap along an axis, relative to the coordinates and sizes along it, at which solids that do not move along that
/// axis slide past each other.
///
/// A body that came to rest on one of two equal tables is as high as the roundings of some eight sums say.
/// Larger: a body would pass over a step of that height.
pub const SLIDE_SLACK: f64 = 16.0 * EPSILON;

/// Overlap at the start that counts as touching, relative to the coordinates and sizes of the pair.
///
/// Two bodies written to touch, such as 0.1 + 0.2 against 0.3, overlap by the rounding of a few sums.
/// Larger: a pair that visibly overlaps would be accepted.
pub const START_OVERLAP_SLACK: f64 = 16.0 * EPSILON;

/// How far the corners of two neighbouring triangles may be off for the two to be one facet, relative to the coordinates.
///
/// They carry the roundings of being turned, scaled and shifted, some ten, and those of the products here. Larger: a
/// floor that is visibly bent would be taken as flat.
pub const FACET_SLACK: f64 = 32.0 * EPSILON;

/// How far beyond a seam of its facet a body still counts as supported, and how near two features of a mesh lie that
/// are one, relative to the coordinates.
///
/// The seam is computed from either side with some ten roundings. Larger: a body would leave the end of its support
/// that much too late.
pub const SEAM_SLACK: f64 = 32.0 * EPSILON;

/// How much nearer than it is a box counts when it is left out of what a ball may meet, relative to the way to it: 2⁻²⁶.
///
/// The exact meeting is found from squares of distances, and where these cancel its time can be off by the root of a grain.
/// Larger: a few more triangles are looked at, for the same answer.
pub const REACH_SLACK: f64 = 67_108_864.0 * EPSILON;

/// How much a ray's range within a box is widened when whole boxes are left out, relative to its ends.
///
/// The parameter of a plane has three roundings, a grain and a half; a triangle's vertex that the ray passes by has
/// been moved by up to two and a half grains of its way along each axis. Larger: a few more boxes are looked at.
pub const SLAB_SLACK: f64 = 8.0 * EPSILON;

/// How much farther from a point its foot on a triangle's face may be than the nearest edge and still be taken, as a
/// part of the squared distance.
///
/// Both squares are sums of a few roundings. Larger: above a sliver a foot would be taken that is off along it.
pub const FACE_SLACK: f64 = 16.0 * EPSILON;

/// Product of two squared sides over the squared cross product from which a triangle counts as a sliver: the sine of the
/// angle between them is then less than a quarter, no unit.
///
/// The cross product loses as many digits as that quotient has; at a quarter these are two bits. Larger: normals of slivers
/// would carry the rounding of their longest edge.
pub const SLIVER_RATIO: f64 = 16.0;

/// Sine of the angle at which two directions count as parallel, no unit.
///
/// A direction carries the rounding of its components as given and, if it was divided by its length, of the division:
/// half a grain each, for two directions two grains; twice that. Larger: lines that meet very far away would be called
/// parallel.
pub const PARALLEL_SLACK: f64 = 4.0 * EPSILON;

/// How far apart two things may come out that count as meeting, relative to the coordinates involved.
///
/// Origins and offsets as given, the way between them, two parameters and the points they lead to are some ten
/// roundings of half a grain each. Larger: things that visibly miss each other would be said to meet.
pub const MEETING_SLACK: f64 = 16.0 * EPSILON;

/// How much later a meeting may be predicted that counts as simultaneous: relative to the span it was predicted over, and
/// to the coordinates over the approach speed.
///
/// Two places and two velocities carry some eight roundings each, and so does the time at which the one brings the
/// gap of the other to nothing. Larger: meetings that follow each other would be resolved together.
pub const GROUP_SLACK: f64 = 32.0 * EPSILON;

/// Velocity or acceleration that counts as none when bodies in contact settle, relative to the largest among them.
///
/// A coupled problem of many bodies is solved to some roundings for each joint that the pushes pass through, a
/// thousand at most. Larger: a motion that is slow besides another one would be stopped.
pub const CALM_SLACK: f64 = 4096.0 * EPSILON;
/// How far joints of a large coupled problem may be missed, relative to the largest motion given: 2⁻³⁴.
///
/// In a heap of `n` layers the pushes at the bottom carry `n` weights, and sweeps find them with an error some `n`² times
/// as large as what each joint is missed by: for a hundred layers this leaves pushes good to a millionth. Larger: bodies
/// in a heap at rest would creep, now by less than a nanometre in the first second.
pub const COUPLED_TOLERANCE: f64 = 262_144.0 * EPSILON;

/// Square of the sine of the angle between a path and a surface above which a meeting is looked at no further, no unit: 2⁻²⁰.
///
/// A ball that dips into a surface of radius `r` at the angle `β` goes `r` `β`²/2 deep: at this one half a millionth of it, far
/// above rounding. Larger: more meetings are asked whether they are deeper than rounding; the answers are the same.
pub const GRAZING_SLACK: f64 = 4_294_967_296.0 * EPSILON;

/// How long an overlap lasts at most that its two times cannot tell from an instant, relative to the later of them.
///
/// The time of a crossing carries some ten roundings, and so does the other end of the overlap; twice that. What is judged
/// by it is the gap at that instant, to the same rounding. Larger: a body that misses another by as little as this, and
/// stays near it for as short, would be said to hit.
pub const INSTANT_SLACK: f64 = 32.0 * EPSILON;

/// Part of the speeds involved below which a crossing may be a turning point, no unit: 64 √ε, 2⁻²⁰.
///
/// The time at which a path turns back from a surface is only known to √ε, and so is the speed there; sixty-four times that.
/// Larger: a body that crosses a thin sheet as flatly as that may be taken to come from its other side.
pub const TURNING_SLACK: f64 = GRAZING_SLACK;

/// Default height below which a rebound becomes a contact, m, in a world with gravity.
///
/// A micrometre is invisible in any plot. Larger: bounces end sooner and more energy is taken at the
/// end (at most m·g·this per contact, and the log has it); smaller: more bounces before rest.
pub const REST_LENGTH_DEFAULT: f64 = 1e-6;

const _: () = assert!(UNIT_SLACK < 1e-12, "a unit vector must be one to rounding");

/// Longest span that may count as one instant, s: 2⁻²⁰.
///
/// Times of meetings that rounding cannot tell apart are resolved together. The slower two bodies close, the longer the span
/// in which rounding may put their meeting; this bounds it, however slowly they close. When it grows, more impacts are taken as
/// simultaneous; far below a microsecond nothing visible happens between two of them.
pub const INSTANT_MAX: f64 = 1.0 / 1_048_576.0;

/// By how much a contact constraint may be missed before a problem counts as one without a solution, relative to the motion
/// that causes it, no unit: 2⁻²⁰.
///
/// What the solvers find meets constraints to [`COUPLED_TOLERANCE`] or better; sliding friction that has no solution misses by
/// a part of order one. Anything between the two separates them. Larger: a wedged group may be taken for solved.
pub const UNSOUND: f64 = 1.0 / 1_048_576.0;

/// Most contact updates of bodies in contact by events, within the time of a fall through [`UPDATES_FALL`] rest lengths.
/// More make them an island that is advanced by time steps.
///
/// Larger: heaps settle by events for longer, at a cost that grows with the cube of their contacts.
pub const UPDATES_MAX: u32 = 64;

/// The same on curved surfaces or with friction, where motion has no closed form.
///
/// Larger: as above; a pair of bodies that roll on each other needs fewer.
pub const UPDATES_MAX_HARD: u32 = 8;

/// The same for a single body with friction at walls only.
///
/// Between two walls friction may wedge it: slip that ends at one then begins at the other, every few picoseconds.
/// Larger: more such updates before the body is advanced by time steps.
pub const UPDATES_MAX_ALONE: u32 = 32;

/// Most contact updates of a body at one instant.
///
/// Beyond them slip ends and begins in turn, and time does not advance. Larger: more useless updates.
pub const UPDATES_MAX_NOW: u32 = 32;

/// Height of the fall in whose time contact updates are counted, rest lengths.
///
/// Rebounds that are just visible follow each other in that time. Larger: more islands are advanced by time steps.
pub const UPDATES_FALL: f64 = 4.0;

/// How long a body that friction wedged between walls stays with the time steps: as long as a fall through this height, m.
///
/// Larger: it comes to rest by steps where events would do.
pub const WEDGED_FALL: f64 = 1.0;

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
/// A body that is faster than this allows goes farther. Larger: faster bodies go farther in a step; smaller: an island with
/// a very fast body takes more steps.
pub const STEP_SHORTEST: f64 = 1.0 / 64.0;

/// Part of the fall in a step by which a gap may close faster than it does before the step, for its pair to be a contact.
///
/// It saves a second look only. Larger: more contacts without a force.
pub const STEP_SLOWEST: f64 = 0.1;

/// The gap that time steps keep, relative to the way of a mean speed in a step.
///
/// The solver is exact to a part of it. Larger: fewer sweeps and wider gaps while bodies move.
pub const CUSHION_SHARE: f64 = 0.2;

/// The widest gap that time steps keep, in the smallest half extents.
///
/// Larger: bodies in motion keep visible gaps.
pub const CUSHION_MAX: f64 = 1e-2;

/// The gap that time steps keep at rest, in rest lengths.
///
/// Larger: bodies at rest are farther apart.
pub const GAP_KEPT: f64 = 0.5;

/// Part of a gap, or of the gap that is kept, that a time step must leave.
///
/// A step that leaves less is shortened. Larger: more steps are shortened.
pub const GAP_LEFT: f64 = 0.1;

/// Part of the gap that is kept below which a gap grows in a time step.
///
/// A body that joins by an impact touches. Larger: more energy is used to move bodies apart; smaller: more sweeps.
pub const GAP_RECOVERED: f64 = 1.0 / 64.0;

/// Part of the energy that the last time step took which the growth of such gaps may cost.
///
/// Larger: steps that move bodies apart more often turn out to add energy, and are weakened.
pub const RECOVERY_SHARE: f64 = 0.5;

/// Overlap that time steps allow, relative to the smallest body: 2⁻³³.
///
/// Bodies that begin to touch by an impact have no gap, and no solver is exact. Larger: overlaps that can be measured.
pub const OVERLAP_ALLOWED: f64 = 524_288.0 * EPSILON;

/// How exactly the velocities of a time step keep gaps: part of the gap that is kept by which a contact may still change.
///
/// Larger: fewer sweeps, and more motion that is left by them.
pub const SWEEP_TOLERANCE: f64 = 0.5;

/// Most sweeps there and back for the normal impulses of a step; it is shortened if that is not enough.
///
/// Larger: fewer shortened steps, which then cost more.
pub const SWEEPS_MAX: usize = 200;

/// Sweeps there and back for normal and tangential impulses together.
///
/// They are not solved to an end: friction settles from step to step. Larger: more work for steps that are not better.
pub const FRICTION_SWEEPS: usize = 3;

/// How far a member of an island may go before its candidate pairs are looked for again, in its smallest half extents.
///
/// Speed only. Larger: fewer searches, for longer lists.
pub const REACH_LEAST: f64 = 0.2;

/// How many of the ways that a member goes in a step its candidate pairs are looked for.
///
/// Speed only. Larger: as above.
pub const REACH_SPARE: f64 = 1.5;

/// How far from a member free bodies that are no members are looked for beyond its reach, in its half extents: those that it
/// would touch within the step join.
///
/// Larger: fewer steps are interrupted by an impact.
pub const BYSTANDER_REACH: f64 = 0.5;

/// Height of the fall in whose time slow bodies fall asleep, in their half extents.
///
/// Larger: heaps move for longer, slower than anything visible.
pub const SLEEP_FALL: f64 = 8.0;

/// Share of a time step that must be left when impulses are scaled so that the energy does not grow. With less, the step
/// is solved again, more exactly.
///
/// Larger: more steps are solved again.
pub const SHARE_LEAST: f64 = 0.25;

/// How often a step is solved again for that reason.
///
/// Larger: steps that cannot be saved cost more.
pub const ATTEMPTS_MAX: usize = 2;

/// Share of a time step below which it counts as no progress.
///
/// Gaps shrink to a tenth with each such step. Larger: bodies that are squeezed are found earlier.
pub const BLOCKED_SHARE: f64 = 1.0 / 1024.0;

/// Most consecutive steps without progress before the error that a body is squeezed.
///
/// Larger: the error comes later.
pub const BLOCKED_MAX: u32 = 64;
