// What there is to be seen: the bodies of a scenario and where they are, as data for a painter.
const TRAIL_POINTS_MAX = 400, TRAIL_BODIES_MAX = 64, CELL_EDGES = [[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]];

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
    this.trails = new Map();
    const shown = meshes.map((corners) => this.lowered(corners));
    this.meshes = shown.map((corners) => Float32Array.from(corners));
    this.meshBoxes = shown.map(boxAround);
    this.recolor();
  }

  // In a planar world walls are as tall as the largest disc: their own height has no meaning.
  lowered(corners) {
    const tall = Math.max(0, ...this.bodies.map(({ shape: { sphere } }) => sphere ?? 0));
    return this.scenario.planar && tall > 0 ? corners.map((part, at) => (at % 3 === 2 ? Math.sign(part) * tall : part)) : corners;
  }

  recolor() {
    this.colors = bodyColors(this.bodies, this.own);
  }

  // Takes the places of all bodies at another instant; `isNear` says that the last one led here without a jump.
  take({ poses, bodies, sights, meshes }, isNear) {
    for (const [number, corners] of meshes) {
      this.meshes[number] = Float32Array.from(corners);
      this.meshBoxes[number] = boxAround(corners);
    }
    if (bodies.length > 0) {
      this.bodies = [...this.bodies, ...bodies];
      this.recolor();
    }
    const passed = this.poses ? poses[0] - this.poses[0] : 0;
    this.poses = poses;
    this.sights = sights;
    this.turn(isNear ? passed : 0);
    this.trail(isNear);
  }

  get time() {
    return this.poses ? this.poses[0] : 0;
  }

  // Where a body is, or nothing where it is not there.
  place(id) {
    const at = 3 + 9 * id;
    return this.poses && id < this.poses[2] && !Number.isNaN(this.poses[at]) ? [...this.poses.subarray(at, at + 3)] : null;
  }

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

  // Remembers where bodies were on the way to here.
  trail(isNear) {
    const movers = this.movers();
    const followed = movers.length <= TRAIL_BODIES_MAX ? movers : movers.filter((id) => id === this.chosen);
    for (const id of this.trails.keys()) if (!followed.includes(id)) this.trails.delete(id);
    for (const id of followed) {
      const place = this.place(id);
      let points = this.trails.get(id) ?? [];
      points = points.filter((point) => point.time < this.time);
      if (!isNear && points.length > 0) points = [];
      if (place) points.push({ time: this.time, place });
      this.trails.set(id, points.slice(-TRAIL_POINTS_MAX));
    }
  }

  movers() {
    const count = this.poses ? this.poses[2] : this.bodies.length;
    return this.bodies.slice(0, count).map((_, id) => id).filter((id) => this.bodies[id].motion !== "fixed");
  }

  // Takes how far everything went; says whether that is farther than before.
  measure(reach) {
    const isWider = String(reach) !== String(this.reach);
    this.reach = reach;
    // Before the first picture no place is known.
    if (this.poses && (isWider || !this.extent)) this.extent = this.bounds(reach);
    return isWider;
  }

  // A box around all that has a size, as it is now and as far as it went.
  bounds(reach) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const include = (a, b) => [0, 1, 2].forEach((axis) => {
      low[axis] = Math.min(low[axis], a[axis]);
      high[axis] = Math.max(high[axis], b[axis]);
    });
    let size = 0, count = 0;
    this.bodies.forEach((body, id) => {
      const place = this.place(id), half = halfOf(body.shape);
      if (!place || body.shape.plane) return;
      count += 1;
      if (half) {
        include(sub(place, half), add(place, half));
        if (body.motion !== "fixed") size = Math.max(size, ...half);
      } else {
        const [a, b] = this.meshBoxes[body.shape.mesh];
        include(add(place, a), add(place, b));
      }
    });
    const span = Math.max(...sub(high, low).filter(Number.isFinite), size);
    if (reach && Number.isFinite(reach[0][0])) {
      // What flies off is not followed to where the rest would be too small to see, nor a single body to where it would be.
      const most = count > 1 ? 0.6 * span : 50 * span;
      const far = reach.map((corner, side) => corner.map((part, axis) => {
        const near = side === 0 ? low[axis] - most : high[axis] + most;
        return side === 0 ? Math.max(part - size, near) : Math.min(part + size, near);
      }));
      include(far[0], far[1]);
    }
    this.includeWalls(low, high, size);
    this.scenario.periods.forEach((period, axis) => {
      if (period) [low[axis], high[axis]] = [Math.min(low[axis], period[0]), Math.max(high[axis], period[1])];
    });
    if (!Number.isFinite(low[0] + high[0])) return [[-1, -1, -1], [1, 1, 1]];
    return [low, high];
  }

  // Half-spaces across an axis count with where they begin, unless that is far off.
  includeWalls(low, high, size) {
    const span = Math.max(...sub(high, low), size), before = [[...low], [...high]];
    this.bodies.forEach(({ shape: { plane } }, id) => {
      const place = this.place(id), axis = plane?.findIndex((part, rank) => rank < 3 && Math.abs(part) > 0.999) ?? -1;
      if (!place || axis < 0) return;
      const at = plane[3] / plane[axis] + place[axis];
      if (plane[axis] > 0 && at > before[0][axis] - span) low[axis] = Math.min(low[axis], at);
      if (plane[axis] < 0 && at < before[1][axis] + span) high[axis] = Math.max(high[axis], at);
    });
  }

  // How the eye is to face it.
  facing() {
    const [low, high] = this.extent ?? this.bounds(), most = Math.max(...sub(high, low));
    // Along which axes what moves hardly does.
    const span = this.reach && Number.isFinite(this.reach[0][0]) ? sub(this.reach[1], this.reach[0]) : sub(high, low);
    const thin = [0, 1, 2].filter((axis) => span[axis] < 0.12 * most);
    const along = this.up.findIndex((part) => Math.abs(part) > 0.9);
    const hasWeight = norm(this.scenario.gravity) > 0;
    if (thin.includes(along) && !hasWeight) return { up: this.up, flat: thin.length === 1 ? "level" : "upright", side: thin.find((axis) => axis !== along) };
    const side = thin.find((axis) => axis !== along);
    return { up: this.up, flat: hasWeight && side !== undefined ? "upright" : null, side };
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

  paint(painter, camera, { width, height, pixel, marks, showsTrails, showsContacts, chosen }) {
    this.chosen = chosen;
    const theme = themeColors(), target = camera.target;
    painter.begin(camera, width, height, theme.paper);
    if (!this.poses) return;
    const lists = { balls: [], glassBalls: [], boxes: [], glassBoxes: [] }, meshes = [], planes = [];
    for (let id = 0; id < this.poses[2]; id++) {
      const place = this.place(id), body = this.bodies[id];
      if (!place) continue;
      const { sphere, box, plane, mesh } = body.shape, color = this.colors[id];
      const from = sub(place, target);
      const isGlass = body.sensor || (body.motion === "fixed" && box !== undefined);
      if (sphere !== undefined) {
        (body.sensor ? lists.glassBalls : lists.balls).push(...from, sphere, ...color, body.sensor ? 0.25 : 1, ...(this.turns.get(id) ?? [0, 0, 0, 0]));
      } else if (box) {
        (isGlass ? lists.glassBoxes : lists.boxes).push(...from, ...box, ...color, isGlass ? (body.sensor ? 0.14 : 0.3) : 1);
      } else if (plane) {
        planes.push({ normal: plane.slice(0, 3), offset: plane[3] + dot(plane, place) - dot(plane, target) });
      } else {
        meshes.push({ mesh, from, color });
      }
    }
    meshes.forEach(({ mesh, from, color }) => painter.mesh(mesh, from, color, false));
    painter.boxes(Float32Array.from(lists.boxes), false);
    painter.balls(Float32Array.from(lists.balls));
    this.paintPlanes(painter, camera, planes, theme);
    painter.lines(Float32Array.from([...this.cellLines(target, theme), ...(showsTrails ? this.trailLines(target) : [])]));
    painter.boxes(Float32Array.from(lists.glassBoxes), true);
    meshes.forEach(({ mesh, from, color }) => painter.mesh(mesh, from, color, true));
    painter.glassBalls(Float32Array.from(lists.glassBalls));
    painter.marks(Float32Array.from(this.markPoints(target, theme, { marks, showsContacts, chosen, camera, height, pixel })), pixel);
  }

  paintPlanes(painter, camera, planes, theme) {
    const { eye } = camera.frame(), [low, high] = this.extent ?? this.bounds();
    const middle = sub(scale(add(low, high), 0.5), camera.target), size = Math.max(...sub(high, low), 1e-9);
    const slack = 1e-3 * size, cell = 10 ** Math.floor(Math.log10(size / 1.5));
    const { up } = this, [foot, head] = [dot(low, up), dot(high, up)].sort((a, b) => a - b).map((part) => part - dot(camera.target, up));
    const gray = theme.scenery.map((part) => part / 255), line = theme.line.map((part) => part / 255);
    planes.forEach(({ normal, offset }, rank) => {
      // From behind one sees through.
      if (dot(normal, eye) < offset) return;
      const axis = [0, 1, 2].reduce((least, at) => (Math.abs(normal[at]) < Math.abs(normal[least]) ? at : least), 0);
      const along = unit(cross(normal, [0, 1, 2].map((at) => (at === axis ? 1 : 0)))), across = cross(normal, along);
      const onto = (point) => add(point, scale(normal, offset - dot(normal, point)));
      const walls = planes.filter((_, other) => other !== rank).map((wall) => [...wall.normal, wall.offset]);
      // What stands upright is as tall as what is shown.
      if (Math.abs(dot(normal, up)) < 0.5) walls.unshift([...up, foot], [...scale(up, -1), -head]);
      painter.plane({
        middle: onto(middle), along: scale(along, 1.6 * size), across: scale(across, 1.6 * size), anchor: onto(scale(camera.target, -1)),
        cell, slack, walls, tint: [...gray, 0.42], line: [...line, 0.4],
      });
    });
  }

  // The edges of the periodic cell; along open axes, those of what is in it.
  cellLines(target, theme) {
    const { periods } = this.scenario;
    if (!periods.some(Boolean)) return [];
    const box = this.extent ?? this.bounds(), color = [...theme.line.map((part) => part / 255), 0.7];
    const corner = (number) => periods.map((period, axis) => (period ?? [box[0][axis], box[1][axis]])[(number >> axis) & 1] - target[axis]);
    return CELL_EDGES.flatMap(([a, b]) => [...corner(a), ...color, ...corner(b), ...color]);
  }

  trailLines(target) {
    const lines = [], { periods } = this.scenario;
    for (const [id, points] of this.trails) {
      for (let rank = 1; rank < points.length; rank++) {
        const [from, to] = [points[rank - 1].place, points[rank].place];
        const wraps = periods.some((period, axis) => period && Math.abs(to[axis] - from[axis]) > 0.5 * (period[1] - period[0]));
        if (wraps) continue;
        const alpha = 0.85 * (rank / points.length);
        lines.push(...sub(from, target), ...this.colors[id], alpha, ...sub(to, target), ...this.colors[id], alpha);
      }
    }
    return lines;
  }

  markPoints(target, theme, { marks, showsContacts, chosen, camera, height, pixel }) {
    const points = [], red = theme.impact.map((part) => part / 255), amber = theme.contact.map((part) => part / 255);
    for (const { point, age } of marks) {
      const size = isCalm() || marks.length > 30 ? 10 : 10 + 20 * age;
      points.push(...sub(point, target), ...red, 1 - 0.9 * age, size, 0);
    }
    if (showsContacts) {
      for (const contact of this.sights.contacts) {
        const point = this.contactPoint(contact);
        if (point) points.push(...sub(point, target), ...amber, 0.95, 7, 1);
      }
    }
    const place = chosen === null ? null : this.place(chosen);
    if (place) {
      const half = halfOf(this.bodies[chosen].shape) ?? [0, 0, 0];
      const from = sub(sub(place, target), camera.frame().eye);
      const size = (1.25 * Math.max(...half) * height) / (SLOPE * norm(from) * pixel);
      points.push(...sub(place, target), ...theme.text.map((part) => part / 255), 0.9, Math.min(250, Math.max(16, size + 8)), 0);
    }
    return points;
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
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  corners.forEach((part, at) => {
    low[at % 3] = Math.min(low[at % 3], part);
    high[at % 3] = Math.max(high[at % 3], part);
  });
  return [low, high];
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
