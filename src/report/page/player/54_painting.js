// The scene as data for a painter.
const CELL_EDGES = [[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]];
// Bodies with arrows and shadows, and how long the arrow of the swiftest is, as a part of the size of the picture.
const ARROWS_MAX = 500, SHADOWS_MAX = 1500, ARROW = 0.12;
// Places that nothing fixed may hide; there are many tests where there are many fixed bodies, so there is no vector made.
const SEEN_MAX = 120;
// A ball that does not turn has no band.
const UNTURNED = [0, 0, 0, 0];

// Draws the scene as `camera` sees it. `extent` is the box of what is to be seen.
function paintScene(scene, painter, camera, { extent, width, height, pixel, marks, shows, chosen }) {
  const theme = themeColors(), { target } = camera;
  painter.begin(camera, { width, height, pixel, paper: theme.paper });
  if (!scene.poses) return;
  const { lists, meshes, planes } = sorted(scene, camera), ground = groundOf(scene, extent, planes, target);
  meshes.forEach(({ mesh, from, color }) => painter.mesh(mesh, from, color, false));
  painter.boxes(new Float32Array(lists.boxes), false);
  painter.balls(new Float32Array(lists.balls));
  paintPlanes(scene, painter, camera, { planes: ground.grid ? [...planes, ground.grid] : planes, extent, theme });
  painter.shadows(new Float32Array(shadows(scene, ground, target)), ground.axes);
  if (shows.trails) painter.trails(pathsOf(scene, extent), sub(scale(add(...extent), 0.5), target), scene.time / scene.scenario.duration);
  painter.lines(new Float32Array([...cellLines(scene, extent, target, theme), ...(shows.arrows ? arrowLines(scene, camera, extent) : [])]));
  painter.boxes(new Float32Array(lists.glassBoxes), true);
  meshes.forEach(({ mesh, from, color }) => painter.mesh(mesh, from, color, true));
  painter.glassBalls(new Float32Array(lists.glassBalls));
  painter.marks(new Float32Array(markPoints(scene, camera, { theme, marks, showsContacts: shows.contacts, chosen, height, pixel })), pixel);
}

// The bodies by how they are drawn, relative to the target.
function sorted(scene, camera) {
  const lists = { balls: [], glassBalls: [], boxes: [], glassBoxes: [] }, meshes = [], planes = [], { target } = camera, { poses } = scene;
  const { eye } = camera.frame(), seen = seenPlaces(scene).map((place) => sub(place, target));
  for (let id = 0; id < scene.poses[2]; id++) {
    const body = scene.bodies[id];
    // There may be very many balls that move, so there is no vector made.
    if (body.motion !== "fixed" && !body.sensor && body.shape.sphere !== undefined) {
      const at = 3 + 9 * id, color = scene.color(id), turn = scene.turns.get(id) ?? UNTURNED;
      if (Number.isNaN(poses[at])) continue;
      lists.balls.push(poses[at] - target[0], poses[at + 1] - target[1], poses[at + 2] - target[2], body.shape.sphere, color[0], color[1], color[2], 1, turn[0], turn[1], turn[2], turn[3]);
      continue;
    }
    const place = scene.place(id);
    if (!place) continue;
    const { sphere, box, plane, mesh } = body.shape, color = scene.color(id), from = sub(place, target);
    if (sphere !== undefined) {
      const isGlass = body.sensor || (body.motion === "fixed" && seen.some((other) => isBallBetween(from, sphere, other, eye)));
      (isGlass ? lists.glassBalls : lists.balls).push(...from, sphere, ...color, isGlass ? 0.25 : 1, ...UNTURNED);
    } else if (box) {
      const isGlass = body.sensor || (body.motion === "fixed" && seen.some((other) => isBetween(from, box, other, eye)));
      (isGlass ? lists.glassBoxes : lists.boxes).push(...from, ...box, ...color, isGlass ? (body.sensor ? 0.14 : 0.3) : 1);
    } else if (plane) {
      planes.push({ normal: plane.slice(0, 3), offset: plane[3] + dot(plane, place) - dot(plane, target) });
    } else {
      meshes.push({ mesh, from, color });
    }
  }
  return { lists, meshes, planes };
}

// Some places where bodies are or come through.
function seenPlaces(scene) {
  const movers = scene.movers(), every = Math.ceil(movers.length / SEEN_MAX), { samples } = scene.course, places = [];
  movers.filter((_, rank) => rank % every === 0).forEach((id) => scene.place(id) && places.push(scene.place(id)));
  const count = samples.length / 5, step = Math.max(1, Math.ceil(count / SEEN_MAX));
  for (let rank = 0; rank < count; rank += step) places.push(samples.slice(5 * rank + 1, 5 * rank + 4));
  return places;
}

// Whether a ball is between a place and the eye.
function isBallBetween(middle, radius, place, eye) {
  let size = 0, along = 0, away = 0;
  for (let axis = 0; axis < 3; axis++) {
    const way = eye[axis] - place[axis], to = middle[axis] - place[axis];
    size += way * way;
    along += to * way;
    away += to * to;
  }
  return along > 0 && along < size && away - (along * along) / size < radius * radius;
}

// Whether a box is between a place and the eye.
function isBetween(middle, half, place, eye) {
  const way = sub(eye, place);
  let [first, last] = [0, 1];
  for (let axis = 0; axis < 3; axis++) {
    const bounds = [-1, 1].map((side) => (middle[axis] + side * half[axis] - place[axis]) / (way[axis] || 1e-300)).sort((a, b) => a - b);
    [first, last] = [Math.max(first, bounds[0]), Math.min(last, bounds[1])];
  }
  // What lies on it is not hidden by it.
  return last - first > 1e-6 && last > 0;
}

// The ground: the level half-spaces and the tops of fixed boxes; where nothing else is below, a grid under all.
function groundOf(scene, extent, planes, target) {
  const { up } = scene, along = up.findIndex((part) => Math.abs(part) > 0.9), others = [0, 1, 2].filter((axis) => axis !== along);
  const axes = others.map((axis) => [0, 1, 2].map((other) => (other === axis ? 1 : 0)));
  const levels = planes.filter(({ normal }) => dot(normal, up) > 0.999).map(({ offset }) => offset), isSteep = planes.some(({ normal }) => dot(normal, up) > 0.3);
  const foot = Math.min(...extent.map((corner) => dot(corner, up))) - dot(target, up);
  const grid = levels.length === 0 && !isSteep ? { normal: up, offset: foot, isGrid: true } : null;
  const tops = scene.bodies.flatMap((body, id) => {
    const place = scene.place(id), { box } = body.shape;
    return place && box && body.motion === "fixed" && !body.sensor ? [{ from: sub(place, target), box, level: dot(sub(place, target), up) + box[along] }] : [];
  });
  return { up, axes, others, along, levels: grid ? [foot] : levels, grid, tops };
}

// Soft discs under what is near the ground: place, half widths, darkness.
function shadows(scene, { up, others, along, levels, tops }, target) {
  const found = [], movers = scene.movers();
  if (movers.length > SHADOWS_MAX) return found;
  for (const id of movers) {
    const place = scene.place(id), { shape } = scene.bodies[id];
    if (!place || shape.plane || shape.mesh !== undefined || scene.bodies[id].sensor) continue;
    const from = sub(place, target), half = halfOf(shape), foot = dot(from, up) - half[along], slack = 0.05 * half[along];
    const under = tops.filter(({ from: middle, box }) => others.every((axis) => Math.abs(from[axis] - middle[axis]) <= box[axis])).map(({ level }) => level);
    const level = Math.max(...[...levels, ...under].filter((height) => height <= foot + slack));
    if (!Number.isFinite(level)) continue;
    const away = (foot - level) / Math.max(...half), dark = 0.42 * Math.exp(-0.8 * away) + (movers.length <= 12 ? 0.1 * Math.exp(-0.08 * away) : 0);
    const wide = others.map((axis) => half[axis] * (1.15 + Math.min(0.5, 0.08 * away)));
    if (dark > 0.01) found.push(...sub(from, scale(up, dot(from, up) - level)), ...wide, dark);
  }
  return found;
}

function paintPlanes(scene, painter, camera, { planes, extent: [low, high], theme }) {
  const { eye } = camera.frame(), { up } = scene;
  const middle = sub(scale(add(low, high), 0.5), camera.target), size = Math.max(...sub(high, low), 1e-9), slack = 1e-3 * size;
  const [foot, head] = [dot(low, up), dot(high, up)].sort((a, b) => a - b).map((part) => part - dot(camera.target, up));
  const gray = theme.scenery.map((part) => part / 255), line = theme.line.map((part) => part / 255);
  const solid = planes.filter(({ isGrid }) => !isGrid);
  planes.forEach((plane) => {
    const { normal, offset, isGrid } = plane;
    // From behind one sees through.
    if (dot(normal, eye) < offset) return;
    const axis = [0, 1, 2].reduce((least, at) => (Math.abs(normal[at]) < Math.abs(normal[least]) ? at : least), 0);
    const along = unit(cross(normal, [0, 1, 2].map((at) => (at === axis ? 1 : 0)))), across = cross(normal, along);
    const onto = (point) => add(point, scale(normal, offset - dot(normal, point)));
    const walls = solid.filter((other) => other !== plane).map((wall) => [...wall.normal, wall.offset]);
    // What stands upright is as tall as what is shown.
    if (Math.abs(dot(normal, up)) < 0.5) walls.unshift([...up, foot], [...scale(up, -1), -head]);
    const wide = (isGrid ? 1.1 : 1.6) * size;
    painter.plane({
      middle: onto(middle), along: scale(along, wide), across: scale(across, wide), anchor: onto(scale(camera.target, -1)),
      cell: gridCell([low, high]), slack, walls, tint: [...gray, isGrid ? 0 : 0.42], line: [...line, isGrid ? 0.32 : 0.4],
    });
  });
}

// How wide the cells of the grid are, m.
const gridCell = ([low, high]) => 10 ** Math.floor(Math.log10(Math.max(...sub(high, low), 1e-9) / 1.5));

// A line for `painter.lines`: from, to, colour with its strength, width in pixels of the page.
const line = (from, to, color, strength, wide) => [...from, 0, ...to, 0, ...color, strength, wide];

// The edges of the periodic cell; along open axes, those of what is in it.
function cellLines({ scenario: { periods } }, extent, target, theme) {
  if (!periods.some(Boolean)) return [];
  const color = theme.line.map((part) => part / 255);
  const corners = cornersOf([0, 1].map((side) => periods.map((period, axis) => (period ?? [extent[0][axis], extent[1][axis]])[side] - target[axis])));
  return CELL_EDGES.flatMap(([a, b]) => line(corners[a], corners[b], color, 0.7, 1));
}

// The velocities of bodies as arrows.
function arrowLines(scene, camera, [low, high]) {
  const length = (ARROW * Math.max(...sub(high, low))) / scene.swiftest(), { eye } = camera.frame();
  const ink = themeColors().text.map((part) => part / 255);
  return scene.movers().slice(0, ARROWS_MAX).flatMap((id) => {
    const place = scene.place(id), velocity = place && scene.vector(id, 1);
    if (!place || scene.bodies[id].shape.plane || !(norm(velocity) * length > 1e-4 * norm(sub(high, low)))) return [];
    const from = sub(place, camera.target), way = scale(velocity, length), to = add(from, way);
    const side = scale(unit(cross(way, sub(eye, to))), 0.1 * norm(way)), foot = sub(to, scale(way, 0.24));
    return [...line(from, to, ink, 0.9, 1.6), ...line(to, add(foot, side), ink, 0.9, 1.6), ...line(to, sub(foot, side), ink, 0.9, 1.6)];
  });
}

// The courses as lines, relative to the middle of the picture, with times as parts of the run. Across a periodic boundary a
// course goes on at the other side.
function pathsOf(scene, extent) {
  const { course, paths } = scene;
  if (paths && paths.version === course.version && paths.mode === scene.mode && String(paths.extent) === String(extent)) return paths;
  const { periods, duration } = scene.scenario, middle = scale(add(...extent), 0.5), lines = [], swiftest = scene.swiftest();
  let length = 0;
  const home = (place) => periods.map((period, axis) => (period ? Math.floor((place[axis] - period[0]) / (period[1] - period[0])) * (period[1] - period[0]) : 0));
  course.each((id, points) => {
    for (let rank = 1; rank < points.length; rank++) {
      const [from, to] = [points[rank - 1], points[rank]];
      length += norm(sub(to.place, from.place));
      const color = scene.mode === "speed" ? rampColor((0.5 * (from.speed + to.speed)) / swiftest) : scene.colors[id];
      // The image that both ends are in, and the part outside of the cell left out.
      const shift = home(scale(add(from.place, to.place), 0.5));
      lines.push(...sub(sub(from.place, shift), middle), from.time / duration, ...sub(sub(to.place, shift), middle), to.time / duration, ...color, 1, 1.8);
    }
  });
  // The longer the courses, the fainter all but the last of them: how often they cross the picture, all of them and each.
  const crossings = length / Math.max(...sub(extent[1], extent[0]), 1e-12), each = crossings / Math.max(1, course.knots.size);
  // The course of one body among many is drawn over them.
  const look = { old: Math.min(1, 25 / crossings), fade: Math.max(12, each / 2), isOver: Boolean(course.only) };
  scene.paths = { version: course.version, mode: scene.mode, extent, lines: new Float32Array(lines), look };
  return scene.paths;
}

function markPoints(scene, camera, { theme, marks, showsContacts, chosen, height, pixel }) {
  const points = [], { target } = camera, red = theme.impact.map((part) => part / 255), amber = theme.contact.map((part) => part / 255);
  for (const { point, age } of marks) {
    const size = isCalm() || marks.length > 30 ? 10 : 10 + 20 * age;
    points.push(...sub(point, target), ...red, 1 - 0.9 * age, size, 0);
  }
  const { contacts } = scene.sights;
  for (const contact of showsContacts ? contacts : []) {
    const point = scene.contactPoint(contact);
    if (point) points.push(...sub(point, target), ...amber, 0.95, contacts.length > 60 ? 4 : 7, 1);
  }
  const place = chosen === null ? null : scene.place(chosen);
  if (place) {
    const half = halfOf(scene.bodies[chosen].shape) ?? [0, 0, 0];
    const from = sub(sub(place, target), camera.frame().eye);
    const size = (1.25 * Math.max(...half) * height) / (SLOPE * norm(from) * pixel);
    points.push(...sub(place, target), ...theme.text.map((part) => part / 255), 0.9, Math.min(250, Math.max(16, size + 8)), 0);
  }
  return points;
}
