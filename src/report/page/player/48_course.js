// Where bodies go in the whole run: the pieces of their paths, and the box that the picture shows.
const SEGMENTS_MAX = 150000, POINTS_MAX = 3000;
// Where one body flies off, the rest would be too small to see: how many times larger the box of all places may be than where
// bodies are most of the time, or than where they begin and meet. Plots have the same rule (src/report/motion/view/leaving.rs).
const SHRINK_USUAL = 5, SHRINK_MET = 50, TAIL = 0.1;
// How much farther a body is than its speed explains where it has been put there.
const LEAP = 4;

class Course {
  constructor(scene) {
    this.scene = scene;
    this.knots = new Map();
    // For graphs: time, kinetic and potential energy and number of impacts; and the time and the impacts of each body.
    this.totals = [];
    this.impacts = new Map();
    this.samples = [];
    this.ranges = [];
    this.isOver = false;
    this.version = 0;
  }

  // Takes what the tracer has found since the last time.
  take({ only, knots, impacts = [], totals = [], samples, ranges, isOver }) {
    if (!only) {
      this.totals = this.totals.concat(totals);
      this.samples = this.samples.concat(samples);
      this.ranges = ranges;
      this.isOver = isOver;
    }
    for (const [id, fresh] of knots) {
      const known = this.knots.get(id) ?? this.knots.set(id, []).get(id);
      for (let at = 0; at < fresh.length; at += 7) known.push(fresh.slice(at, at + 7));
    }
    for (const [id, fresh] of impacts) this.impacts.set(id, (this.impacts.get(id) ?? []).concat(fresh));
    this.version += 1;
  }

  // Keeps the paths of no other bodies than these.
  forget(ids) {
    for (const kept of [this.knots, this.impacts]) for (const id of kept.keys()) if (!ids.includes(id)) kept.delete(id);
    this.version += 1;
  }

  // The pieces of the path of a body: from a knot with its velocity to the place of the next one, as a parabola. There is none
  // to where a command has put it.
  pieces(id) {
    const { periods, gravity } = this.scene.scenario, knots = this.knots.get(id) ?? [], pieces = [];
    for (let rank = 1; rank < knots.length; rank++) {
      const [from, to] = [knots[rank - 1], knots[rank]], seconds = to[0] - from[0];
      const pull = this.scene.bodies[id].motion === "free" ? gravity : [0, 0, 0];
      if (!(seconds > 0) || isLeap(from, to, pull, periods)) continue;
      const place = from.slice(1, 4), velocity = from.slice(4, 7);
      pieces.push({ begin: from[0], seconds, place, velocity, bend: bendBetween(from, to, pull, periods), end: to.slice(1, 4) });
    }
    return pieces;
  }

  // Points on all paths, so close that a chord between two strays from its path by no more than a 3000th of the picture:
  // `line(id, points)` gets those of one body without a gap, each with the time, the place and the speed.
  each(line) {
    const size = Math.max(...sub(...[...this.box()].reverse()), 1e-12);
    let count = 0;
    for (const id of this.knots.keys()) {
      let points = [];
      for (const piece of this.pieces(id)) {
        const bow = norm(piece.bend) * piece.seconds ** 2, bends = Math.ceil(Math.sqrt((bow / 8) * (3000 / size)));
        const parts = Math.min(96, Math.max(1, bends, this.crossings(piece)));
        count += parts;
        if (count > SEGMENTS_MAX) return;
        const last = points[points.length - 1];
        if (!last || last.time !== piece.begin) {
          if (points.length > 0) line(id, points);
          points = [{ time: piece.begin, place: piece.place, speed: norm(piece.velocity) }];
        }
        for (let part = 1; part <= parts; part++) points.push(this.on(piece, part / parts));
      }
      if (points.length > 0) line(id, points);
    }
  }

  // In how many parts a piece is drawn so that none is long beside the periodic cell.
  crossings({ velocity, bend, seconds }) {
    const { periods } = this.scene.scenario, way = [0, 1, 2].map((axis) => (Math.abs(velocity[axis]) + Math.abs(bend[axis]) * seconds) * seconds);
    return Math.max(...periods.map((period, axis) => (period ? Math.ceil((24 * way[axis]) / (period[1] - period[0])) : 1)));
  }

  on({ begin, seconds, place, velocity, bend, end }, part) {
    const passed = seconds * part, { periods } = this.scene.scenario;
    const at = [0, 1, 2].map((axis) => place[axis] + (velocity[axis] + 0.5 * bend[axis] * passed) * passed);
    // The end is exactly where the next piece begins, but for the image of it.
    const exact = part === 1 ? end.map((where, axis) => (periods[axis] ? at[axis] : where)) : at;
    return { time: begin + passed, place: exact, speed: norm(add(velocity, scale(bend, passed))) };
  }

  // The corners of the box of all places of bodies that move, m, with their sizes; of those most bodies are in most of the
  // time where some fly far off.
  box() {
    if (this.boxed?.version === this.version) return this.boxed.box;
    const all = this.whole();
    const extent = ([low, high]) => Math.max(...sub(high, low));
    let box = all;
    for (const [range, shrink, margin] of [[this.usual(), SHRINK_USUAL, 0.25], [this.met(), SHRINK_MET, 0.5]]) {
      if (!range || !(extent(range) > 0) || !(extent(all) > shrink * extent(range))) continue;
      const more = margin * extent(range);
      box = [range[0].map((part, axis) => Math.max(all[0][axis], part - more)), range[1].map((part, axis) => Math.min(all[1][axis], part + more))];
      break;
    }
    this.boxed = { version: this.version, box };
    return box;
  }

  whole() {
    const box = emptyBox();
    const include = (id, place) => {
      const half = this.scene.half(id);
      widen(box, sub(place, half), add(place, half));
    };
    for (const [id, range] of this.ranges) [range.slice(0, 3), range.slice(3)].forEach((place) => include(id, place));
    for (const id of this.knots.keys()) {
      for (const piece of this.pieces(id)) [0, ...this.turns(piece), 1].forEach((part) => include(id, this.on(piece, part).place));
    }
    return box;
  }

  // The parts of a piece at which it turns back along an axis.
  turns({ velocity, bend, seconds }) {
    return [0, 1, 2].map((axis) => -velocity[axis] / bend[axis] / seconds).filter((part) => part > 0 && part < 1);
  }

  // The range along each axis in which bodies are most of the time, with where they begin.
  usual() {
    const { samples } = this, box = emptyBox(), size = this.largest();
    for (let axis = 0; axis < 3; axis++) {
      const along = [];
      for (let at = 0; at < samples.length; at += 5) along.push(samples[at + 1 + axis]);
      along.sort((a, b) => a - b);
      const tail = Math.floor(TAIL * (along.length - 1));
      if (along.length > 0) [box[0][axis], box[1][axis]] = [along[tail], along[along.length - 1 - tail]];
    }
    this.starts().forEach((place) => widen(box, place, place));
    return Number.isFinite(box[0][0]) ? [sub(box[0], size), add(box[1], size)] : null;
  }

  // The range in which bodies begin and meet; nothing if they do not meet.
  met() {
    const box = emptyBox(), size = this.largest();
    let isAny = false;
    for (const id of this.knots.keys()) {
      const pieces = this.pieces(id);
      pieces.slice(1).forEach((piece, rank) => {
        const before = pieces[rank], end = add(before.velocity, scale(before.bend, before.seconds));
        if (norm(sub(piece.velocity, end)) <= 1e-6 * (norm(piece.velocity) + norm(end))) return;
        isAny = true;
        widen(box, piece.place, piece.place);
      });
    }
    if (!isAny) return null;
    this.starts().forEach((place) => widen(box, place, place));
    return [sub(box[0], size), add(box[1], size)];
  }

  // Where each body that is looked at is seen first.
  starts() {
    const seen = new Map();
    for (let at = 0; at < this.samples.length; at += 5) {
      if (!seen.has(this.samples[at])) seen.set(this.samples[at], this.samples.slice(at + 1, at + 4));
    }
    return [...seen.values()];
  }

  largest() {
    return this.ranges.reduce((most, [id]) => most.map((part, axis) => Math.max(part, this.scene.half(id)[axis])), [0, 0, 0]);
  }

  // The bodies that leave the box.
  leavers() {
    const box = this.box();
    if (String(this.whole()) === String(box)) return [];
    return this.ranges.filter(([id, range]) => !this.isIn(id, range.slice(0, 3), range.slice(3), box)).map(([id]) => id);
  }

  // Whether a body with its centre between two places is in a box, or beyond it by a quarter of its size at most.
  isIn(id, from, to, [low, high]) {
    const half = scale(this.scene.half(id), 0.5);
    return [0, 1, 2].every((axis) => from[axis] + half[axis] >= low[axis] && to[axis] - half[axis] <= high[axis]);
  }

  // Points that the picture is to show, each with the radius of the body: of few bodies those on their paths, else corners.
  points() {
    const box = this.box(), points = [], ends = [];
    this.each((id, along) => {
      const radius = norm(this.scene.half(id)) / (this.scene.bodies[id].shape.sphere === undefined ? 1 : Math.sqrt(3));
      const seen = along.filter(({ place }) => this.isIn(id, place, place, box)).map(({ place }) => [...place, radius]);
      seen.forEach((point) => points.push(point));
      // A long straight piece has no other points than its ends.
      const farthest = (axis, side) => seen.reduce((most, point) => (side * point[axis] > side * most[axis] ? point : most));
      if (seen.length > 0) [0, 1, 2].forEach((axis) => ends.push(farthest(axis, 1), farthest(axis, -1)));
    });
    const every = Math.ceil(points.length / POINTS_MAX);
    const few = points.filter((_, rank) => rank % every === 0).concat(ends);
    return this.knots.size < this.ranges.length || few.length === 0 ? cornersOf(box).map((corner) => [...corner, 0]) : few;
  }

  // A speed that few bodies exceed, m/s.
  swiftest() {
    const speeds = [];
    for (let at = 4; at < this.samples.length; at += 5) speeds.push(this.samples[at]);
    speeds.sort((a, b) => a - b);
    return speeds[Math.floor(0.99 * (speeds.length - 1))] || 1;
  }
}

// Whether a body is farther away at a knot than it can have gone since the one before. With a constant acceleration it is fastest at
// one of the ends; the factor is for what is not constant.
function isLeap(from, to, pull, periods) {
  const seconds = to[0] - from[0], [before, after] = [from, to].map((knot) => knot.slice(4, 7));
  const gap = [0, 1, 2].map((axis) => to[1 + axis] - from[1 + axis]).map((part, axis) => part - wholePeriods(part, periods[axis]));
  const swiftest = Math.max(...[before, after, add(before, scale(pull, seconds))].map(norm));
  return norm(gap) > LEAP * swiftest * seconds + 1e-9 * (norm(from.slice(1, 4)) + norm(to.slice(1, 4)));
}

const emptyBox = () => [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];

function widen([low, high], a, b) {
  for (let axis = 0; axis < 3; axis++) {
    low[axis] = Math.min(low[axis], a[axis]);
    high[axis] = Math.max(high[axis], b[axis]);
  }
}

const cornersOf = ([low, high]) => [0, 1, 2, 3, 4, 5, 6, 7].map((number) => low.map((part, axis) => (number & (1 << axis) ? high[axis] : part)));
