// What there is to be seen: the bodies of a scenario and where they are.
class Scene {
  // `own` are colours that bodies have by their names, as `#rrggbb`.
  constructor(scenario, meshes, own = {}) {
    this.scenario = scenario;
    this.own = own;
    this.bodies = scenario.bodies;
    this.up = upOf(scenario.gravity);
    this.poses = null;
    this.sights = { events: [], contacts: [] };
    this.turns = new Map();
    this.mode = this.movers().length <= PALETTE_LIGHT.length ? "body" : "kind";
    const shown = meshes.map((corners) => this.lowered(corners));
    this.meshes = shown.map((corners) => Float32Array.from(corners));
    this.meshBoxes = shown.map(boxAround);
    this.course = new Course(this);
    this.recolor();
  }

  // In a planar world walls are as tall as the largest disc: their own height has no meaning.
  lowered(corners) {
    const tall = Math.max(0, ...this.bodies.map(({ shape: { sphere } }) => sphere ?? 0));
    return this.scenario.planar && tall > 0 ? corners.map((part, at) => (at % 3 === 2 ? Math.sign(part) * tall : part)) : corners;
  }

  // Colours each body of its own, those of a kind alike, or by speed.
  recolor(mode = this.mode) {
    this.mode = mode;
    this.colors = bodyColors(this.bodies, this.own, mode === "body");
    this.paths = null;
  }

  // The color of a body, now.
  color(id) {
    if (this.mode !== "speed" || this.bodies[id].motion === "fixed") return this.colors[id];
    return rampColor(norm(this.vector(id, 1)) / this.swiftest());
  }

  // The speed that has the last colour, m/s.
  swiftest() {
    if (this.swift?.version !== this.course.version) this.swift = { version: this.course.version, speed: this.course.swiftest() };
    return this.swift.speed;
  }

  // Takes the places of all bodies at another instant; `isNear` says that the last one led here without a jump.
  take({ poses, first, bodies, sights, meshes }, isNear) {
    for (const [number, corners] of meshes) {
      this.meshes[number] = Float32Array.from(corners);
      this.meshBoxes[number] = boxAround(corners);
    }
    this.extend(first, bodies);
    const passed = this.poses ? poses[0] - this.poses[0] : 0;
    this.poses = poses;
    this.sights = sights;
    this.turn(isNear ? passed : 0);
  }

  // Takes bodies that come later in the run; returns whether they are new.
  extend(first, bodies) {
    const fresh = bodies.slice(this.bodies.length - first);
    if (fresh.length === 0) return false;
    this.bodies = [...this.bodies, ...fresh];
    this.recolor();
    return true;
  }

  get time() {
    return this.poses ? this.poses[0] : 0;
  }

  // Where a body is, or nothing where it is not there.
  place(id) {
    const at = 3 + 9 * id;
    return this.poses && id < this.poses[2] && !Number.isNaN(this.poses[at]) ? [...this.poses.subarray(at, at + 3)] : null;
  }

  // Its velocity (1) or its spin (2).
  vector(id, which) {
    const at = 3 + 9 * id + 3 * which;
    return [...this.poses.subarray(at, at + 3)];
  }

  // How far a ball has turned does not matter to its motion, so it is no part of its state: it is summed up here for the eye.
  turn(seconds) {
    for (let id = 0; id < this.poses[2]; id++) {
      if (this.bodies[id].shape.sphere === undefined || !this.place(id)) continue;
      const spin = this.vector(id, 2), speed = norm(spin);
      if (!(speed > 0) && !this.turns.has(id)) continue;
      const old = this.turns.get(id) ?? [0, 0, 0, 1];
      const angle = Math.min(Math.abs(speed * seconds), 1e4) * Math.sign(seconds), axis = scale(spin, Math.sin(angle / 2) / (speed || 1));
      this.turns.set(id, turned([...axis, Math.cos(angle / 2)], old));
    }
  }

  movers() {
    const count = this.poses ? this.poses[2] : this.bodies.length, { known } = this;
    if (known?.bodies === this.bodies && known.count === count) return known.ids;
    const ids = this.bodies.slice(0, count).map((_, id) => id).filter((id) => this.bodies[id].motion !== "fixed");
    this.known = { bodies: this.bodies, count, ids };
    return ids;
  }

  // Half the size of a body along each axis; nothing for a half-space.
  half(id) {
    const { shape } = this.bodies[id] ?? { shape: {} };
    if (shape.mesh === undefined) return halfOf(shape) ?? [0, 0, 0];
    const [low, high] = this.meshBoxes[shape.mesh] ?? [[0, 0, 0], [0, 0, 0]];
    return low.map((part, axis) => Math.max(-part, high[axis]));
  }

  // The body that a ray meets first.
  pick({ eye, direction }, target) {
    let best = { id: null, away: Infinity };
    this.bodies.forEach((body, id) => {
      const place = this.place(id), half = halfOf(body.shape);
      if (!place || !half || (body.motion === "fixed" && body.shape.box)) return;
      const to = sub(sub(place, target), eye), along = dot(to, direction), miss = dot(to, to) - along * along;
      // A little more than its size, so that small ones can be hit.
      const size = Math.max(body.shape.sphere ?? Math.max(...half), 0.012 * along);
      if (along > 0 && miss < size * size && along < best.away) best = { id, away: along };
    });
    return best.id;
  }

  // A point where two bodies touch, as far as their shapes say.
  contactPoint({ a, b, normal }) {
    for (const [id, sign] of [[a, 1], [b, -1]]) {
      const place = this.place(id), radius = this.bodies[id]?.shape.sphere;
      if (place && radius !== undefined) return add(place, scale(normal, sign * radius));
    }
    for (const [id, sign] of [[a, 1], [b, -1]]) {
      const place = this.place(id), box = this.bodies[id]?.shape.box;
      if (place && box && this.bodies[id].motion !== "fixed") return add(place, [0, 1, 2].map((axis) => sign * normal[axis] * box[axis]));
    }
    return null;
  }
}

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Against gravity; along z where there is none.
function upOf(gravity) {
  const against = unit(scale(gravity, -1));
  const along = against.findIndex((part) => Math.abs(part) > 0.7);
  return along < 0 ? [0, 0, 1] : [0, 1, 2].map((axis) => (axis === along ? Math.sign(against[axis]) : 0));
}

function halfOf({ sphere, box }) {
  return sphere !== undefined ? [sphere, sphere, sphere] : box;
}

function boxAround(corners) {
  // A grid without a solid cell has none.
  if (corners.length === 0) return [[0, 0, 0], [0, 0, 0]];
  const box = emptyBox();
  for (let at = 0; at < corners.length; at += 3) {
    const corner = [...corners.subarray(at, at + 3)];
    widen(box, corner, corner);
  }
  return box;
}

// The turn `a` after the turn `b`, as quaternions with the real part last.
function turned(a, b) {
  const product = [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
  const size = Math.hypot(...product) || 1;
  return product.map((part) => part / size);
}
