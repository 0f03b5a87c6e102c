// The curves of a graph: quantities of a run over time, from what the tracer has found so far.
const QUANTITIES = {
  energy: { label: "Energy", axis: "energy", unit: "J" }, impacts: { label: "Number of impacts", axis: "impacts", unit: "", isOfBodies: true, isStep: true },
  x: { label: "Position x", axis: "x", unit: "m", isOfBodies: true }, y: { label: "Position y", axis: "y", unit: "m", isOfBodies: true },
  z: { label: "Position z", axis: "z", unit: "m", isOfBodies: true }, speed: { label: "Speed", axis: "speed", unit: "m/s", isOfBodies: true },
};
// Of more bodies only one is drawn at a time. In how many parts a piece of a path is drawn, of many pieces and of few.
const TOGETHER_MAX = 7, PARTS_FEW = 2, PARTS = 12, MANY_PIECES = 2000;
// Energies that differ by less, as a part of the largest, are the same.
const SAME_ENERGY = 1e-9;

// The curves of a quantity of one body, or of all (`id` is null): names, colours, times and values.
function curvesOf(scene, quantity, id) {
  const { totals, impacts } = scene.course;
  if (quantity === "energy") return energyCurves(totals);
  if (quantity === "impacts" && id === null) return [{ name: "all impacts", color: graphInk("impact"), ...column(totals, 4, (at) => totals[at + 3]) }];
  const ids = id === null ? together(scene) : [id];
  return ids.map((body) => {
    const known = impacts.get(body) ?? [];
    const points = quantity === "impacts" ? column(known, 2, (at) => known[at + 1]) : along(scene, body, quantity);
    return { name: scene.bodies[body]?.name ?? "", color: cssColor(scene.colors[body] ?? [0.5, 0.5, 0.5]), ...points };
  });
}

// The bodies that are drawn together: all that move, if they are few.
function together(scene) {
  const movers = scene.movers().filter((id) => !scene.bodies[id].shape.plane);
  return movers.length <= TOGETHER_MAX ? movers : [];
}

// Kinetic, potential and total energy. Where nothing has weight, all of it is kinetic.
function energyCurves(totals) {
  const most = largest(totals), of = (name, value) => ({ name, color: graphInk(name), ...column(totals, 4, value) });
  const kinetic = of("kinetic", (at) => totals[at + 1]), potential = of("potential", (at) => totals[at + 2]);
  if (potential.values.every((value) => Math.abs(value - potential.values[0]) <= SAME_ENERGY * most)) return [kinetic];
  return [kinetic, potential, of("total", (at) => totals[at + 1] + totals[at + 2])];
}

function largest(totals) {
  let most = 0;
  for (let at = 0; at < totals.length; at += 4) most = Math.max(most, Math.abs(totals[at + 1]), Math.abs(totals[at + 2]));
  return most;
}

// What a reader wants to see first: the energy if it goes from one form to another, many impacts, or where the bodies are.
function telling(scene) {
  const { totals } = scene.course, most = largest(totals);
  for (let at = 4; at < totals.length; at += 4) if (Math.abs(totals[at + 1] - totals[1]) > 1e-6 * most) return "energy";
  return (totals[totals.length - 1] ?? 0) >= 20 || together(scene).length === 0 ? "impacts" : "x";
}

function column(numbers, stride, value) {
  const times = [], values = [];
  for (let at = 0; at < numbers.length; at += stride) {
    times.push(numbers[at]);
    values.push(value(at));
  }
  return { times, values };
}

// A coordinate or the speed of a body along its exact path. Across a periodic boundary it goes on at the other side.
function along(scene, id, quantity) {
  const { course } = scene, axis = "xyz".indexOf(quantity), pieces = course.pieces(id), times = [], values = [];
  const parts = pieces.length > MANY_PIECES ? PARTS_FEW : PARTS;
  const period = axis < 0 ? null : scene.scenario.periods[axis];
  const home = (at) => homeOf(at, period);
  for (const piece of pieces) {
    const isBent = norm(piece.bend) > 0, turns = isBent ? course.turns(piece) : [];
    const stops = [0, ...Array.from({ length: isBent ? parts - 1 : 0 }, (_, rank) => (rank + 1) / parts), ...turns, 1].sort((a, b) => a - b);
    for (const part of stops) {
      const point = course.on(piece, part);
      times.push(point.time);
      values.push(axis < 0 ? point.speed : home(point.place[axis]));
    }
  }
  return { times, values };
}

// The value of a curve at an instant; nothing before its beginning and after its end.
function valueAt({ times, values }, time, isStep) {
  let low = 0, high = times.length - 1;
  if (high < 0 || time < times[0] || time > times[high] * (1 + 1e-12)) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  if (time >= times[high]) return values[high];
  const part = (time - times[low]) / (times[high] - times[low] || 1);
  return isStep ? values[low] : values[low] + part * (values[high] - values[low]);
}

// The colours of the energies and of impacts, as in the plots (src/report/energy.rs).
function graphInk(name) {
  const { palette, text } = themeColors(), place = { kinetic: 0, potential: 2, impact: 1 }[name];
  return `rgb(${(place === undefined ? text : palette[place]).join(" ")})`;
}
