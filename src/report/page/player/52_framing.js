// What the picture is to show of a scene: the whole course of the bodies, and the scenery that is near it.

// How far around the course scenery counts, and half-spaces, as parts of its size.
const SCENERY_NEAR = 0.35, WALLS_NEAR = 0.3, ON_WALLS_MAX = 200;

// The points that are to be in the picture, each with a radius, and the box around them.
function framed(scene) {
  const { periods } = scene.scenario;
  // Along a periodic axis all is drawn within the cell, however far it goes.
  const known = scene.course.points().filter((point) => point.every(Number.isFinite)).map((point) => point.map((part, axis) => homeOf(part, periods[axis])));
  // Without a course there is the present.
  const whole = known.length > 0 ? scene.course.box() : presentBox(scene), box = whole.map((corner, side) => corner.map((part, axis) => periods[axis]?.[side] ?? part));
  const around = [...(known.length > 0 ? sceneryCorners(scene, box) : cornersOf(box)), ...wallPoints(scene, box, known), ...cellCorners(scene, box)];
  const points = known.concat(around.map((corner) => [...corner, 0]));
  const extent = emptyBox();
  points.forEach(([x, y, z, radius]) => widen(extent, [x - radius, y - radius, z - radius], [x + radius, y + radius, z + radius]));
  return { points, extent };
}

// The image of a coordinate in the periodic cell.
function homeOf(part, period) {
  return period ? part - Math.floor((part - period[0]) / (period[1] - period[0])) * (period[1] - period[0]) : part;
}

function presentBox(scene) {
  const box = emptyBox();
  scene.bodies.forEach(({ shape }, id) => {
    const place = scene.place(id), half = scene.half(id);
    if (place && !shape.plane) widen(box, sub(place, half), add(place, half));
  });
  return Number.isFinite(box[0][0]) ? box : [[-1, -1, -1], [1, 1, 1]];
}

// Corners of what is fixed near a box, as far as it is near.
function sceneryCorners(scene, [low, high]) {
  const near = SCENERY_NEAR * Math.max(...sub(high, low));
  return scene.bodies.flatMap(({ shape, motion }, id) => {
    const place = scene.place(id);
    if (motion !== "fixed" || shape.plane || !place) return [];
    const [from, to] = shape.mesh === undefined ? [scale(scene.half(id), -1), scene.half(id)] : scene.meshBoxes[shape.mesh];
    const cut = [add(place, from).map((part, axis) => Math.max(part, low[axis] - near)), add(place, to).map((part, axis) => Math.min(part, high[axis] + near))];
    return cut[0].every((part, axis) => part <= cut[1][axis]) ? cornersOf(cut) : [];
  });
}

// The points of the courses on the half-spaces that are near: there bodies bounce off.
function wallPoints(scene, [low, high], points) {
  const near = WALLS_NEAR * Math.max(...sub(high, low)), few = points.filter((_, rank) => rank % Math.ceil(points.length / ON_WALLS_MAX) === 0);
  return scene.bodies.flatMap(({ shape: { plane } }, id) => {
    const place = scene.place(id), axis = plane?.findIndex((part, rank) => rank < 3 && Math.abs(part) > 0.999) ?? -1;
    if (!place || axis < 0) return [];
    const at = plane[3] / plane[axis] + place[axis];
    if (plane[axis] > 0 ? at < low[axis] - near || at > high[axis] : at > high[axis] + near || at < low[axis]) return [];
    return few.map((point) => [0, 1, 2].map((other) => (other === axis ? at : point[other])));
  });
}

function cellCorners({ scenario: { periods } }, box) {
  if (!periods.some(Boolean)) return [];
  return cornersOf([0, 1].map((side) => periods.map((period, axis) => period?.[side] ?? box[side][axis])));
}

// How the eye is to face a scene: what is up, and whether all of it moves in a plane.
function facing(scene) {
  const extent = presentBox(scene), centers = emptyBox();
  const [low, high] = scene.course.ranges.length > 0 ? scene.course.box() : extent;
  const clamped = (place) => place.map((part, axis) => Math.min(high[axis], Math.max(low[axis], part)));
  scene.course.ranges.forEach(([, range]) => [range.slice(0, 3), range.slice(3)].map(clamped).forEach((place) => widen(centers, place, place)));
  const span = Number.isFinite(centers[0][0]) ? sub(centers[1], centers[0]) : sub(high, low), most = Math.max(...span);
  // Along which axes what moves hardly does.
  const thin = [0, 1, 2].filter((axis) => span[axis] < 0.12 * most);
  const along = scene.up.findIndex((part) => Math.abs(part) > 0.9);
  const hasWeight = norm(scene.scenario.gravity) > 0;
  const side = thin.find((axis) => axis !== along);
  if (thin.includes(along) && !hasWeight) return { up: scene.up, flat: thin.length === 1 ? "level" : "upright", side };
  return { up: scene.up, flat: hasWeight && side !== undefined ? "upright" : null, side };
}
