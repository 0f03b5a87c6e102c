// The thread that goes through the run once for the courses of the bodies: where they go, so that the picture can show all of
// it, and the pieces of their paths. It is started from the text of this function, so it uses nothing from outside but what the
// engine adds.
function tracerMain(kit) {
  const EVENTS_PER_SLICE = 128, SLICE_MS = 25, REPORT_MS = 120;
  // Instants at which all are looked at, bodies of which places are remembered for the frame, and bodies whose paths are kept.
  const INSTANTS = 240, SAMPLED_MAX = 400, FOLLOWED_MAX = 64;
  // Instants of a graph for each of these.
  const FINE = 4;
  // States that are looked at in all: beyond, the run is only looked at at the instants above.
  const STATES_MAX = 400000;
  // Stops at one instant, after which a run is taken for one that cannot go on: the clock tells more instants apart than a number.
  const STILL_MAX = 100;
  const channel = new MessageChannel();
  let module = null, wasm = null, order = null, bodies = [], gravity = [0, 0, 0], periods = [], duration = 0;
  let followed = new Map(), ranges = new Map(), samples = [], totals = [], instant = 0, every = 1, instants = INSTANTS, states = 0, last = -1, still = 0, reported = 0, isAiming = false, queued = false, told = 0;

  channel.port1.onmessage = turn;
  self.onmessage = async ({ data }) => {
    try {
      if (data.type === "module") module = data.module;
      else await begin(data);
    } catch (error) {
      stop(error);
    }
  };

  async function begin(asked) {
    order = asked;
    wasm = null;
    const loaded = await kit.load(module, asked, () => order !== asked);
    if (!loaded?.wasm) return;
    ({ wasm } = loaded);
    ({ bodies, gravity, periods, duration } = loaded.answer);
    followed = new Map();
    ranges = new Map();
    samples = [];
    totals = [];
    every = asked.isGraphed ? FINE : 1;
    instants = INSTANTS * every;
    instant = states = 0;
    last = -1;
    still = 0;
    told = bodies.length;
    isAiming = false;
    reported = performance.now();
    wake();
  }

  function wake() {
    if (!queued) channel.port2.postMessage(0);
    queued = true;
  }

  function turn() {
    queued = false;
    if (!wasm) return;
    try {
      const until = performance.now() + SLICE_MS;
      do {
        if (!isAiming) aim();
        if (wasm.view_slice(EVENTS_PER_SLICE)) arrive();
      } while (instant <= instants && performance.now() < until);
      const isOver = instant > instants;
      if (isOver || performance.now() > reported + REPORT_MS) report(isOver);
      if (isOver) {
        kit.drop();
        wasm = null;
      } else {
        wake();
      }
    } catch (error) {
      stop(error);
    }
  }

  function aim() {
    const to = target();
    // With paths to keep, it stops at each impact on the way.
    if (followed.size > 0 && states < STATES_MAX) wasm.seek_until(to);
    else wasm.seek(to);
    isAiming = true;
  }

  const target = () => (instant / instants) * duration;

  function arrive() {
    isAiming = false;
    wasm.poses();
    const count = kit.glance()[2];
    if (count > bodies.length) {
      wasm.bodies(bodies.length);
      bodies.push(...JSON.parse(kit.words()));
      wasm.poses();
    }
    const poses = kit.glance(), time = poses[0], isInstant = time >= target() - 1e-9 * duration;
    still = time > last ? 0 : still + 1;
    if (still > STILL_MAX) {
      instant = instants + 1;
      return;
    }
    last = time;
    if (isInstant) choose();
    for (const body of followed.values()) {
      states += 1;
      note(body, poses, 3 + 9 * body.id, time);
    }
    if (!isInstant) return;
    if (instant % every === 0) look(poses);
    if (order.isGraphed) add(time);
    instant += 1;
  }

  const isMover = (id) => bodies[id].motion !== "fixed" && !bodies[id].shape.plane;

  // Which paths are kept: those of few bodies, and of many that of the one that is asked for.
  function choose() {
    const movers = bodies.map((_, id) => id).filter(isMover);
    const ids = order.only ?? (movers.length <= FOLLOWED_MAX ? movers : []);
    for (const id of ids) if (!followed.has(id) && id < bodies.length) followed.set(id, { id, knot: null, pending: null, fresh: [], impacts: [] });
  }

  // Energies and impacts up to an instant, for graphs.
  function add(time) {
    wasm.totals();
    const numbers = kit.glance();
    totals.push(time, ...numbers.subarray(0, 3));
    for (const { id, impacts } of followed.values()) impacts.push(time, numbers[3 + id]);
  }

  // Where all that move are, at one of the instants.
  function look(poses) {
    const movers = [];
    for (let id = 0; id < poses[2]; id++) {
      const at = 3 + 9 * id;
      if (!isMover(id) || Number.isNaN(poses[at])) continue;
      movers.push(id);
      const range = ranges.get(id) ?? ranges.set(id, [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]).get(id);
      for (let axis = 0; axis < 3; axis++) {
        range[axis] = Math.min(range[axis], poses[at + axis]);
        range[3 + axis] = Math.max(range[3 + axis], poses[at + axis]);
      }
    }
    const every = Math.ceil(movers.length / SAMPLED_MAX);
    movers.filter((_, rank) => rank % every === 0).forEach((id) => {
      const at = 3 + 9 * id;
      samples.push(id, poses[at], poses[at + 1], poses[at + 2], Math.hypot(poses[at + 3], poses[at + 4], poses[at + 5]));
    });
  }

  // Takes the state of a body at one of the stops. A knot is kept where its path changes: between two knots it is a parabola,
  // given by the place and the velocity at the first and the place at the second.
  function note(body, poses, at, time) {
    if (at >= poses.length || Number.isNaN(poses[at])) {
      if (body.pending) keep(body, body.pending);
      if (body.knot) body.fresh.push(NaN, 0, 0, 0, 0, 0, 0);
      body.knot = body.pending = null;
      return;
    }
    const state = [time, ...poses.subarray(at, at + 6)];
    if (!body.knot) return keep(body, state);
    if (body.pending) {
      const { near, is } = met(body, state, body.bend);
      if (near && is) {
        body.pending = state;
        return;
      }
      if (near) return keep(body, state);
      keep(body, body.pending);
    }
    const bend = bendTo(body, state);
    if (met(body, state, bend).is) {
      body.pending = state;
      body.bend = bend;
    } else {
      keep(body, state);
    }
  }

  function keep(body, state) {
    body.fresh.push(...state);
    body.knot = state;
    body.pending = null;
  }

  // The acceleration of the parabola from the last knot to a state.
  function bendTo({ id, knot }, state) {
    if (!(state[0] > knot[0])) return [0, 0, 0];
    return bendBetween(knot, state, bodies[id].motion === "free" ? gravity : [0, 0, 0], periods);
  }

  // Whether a state lies on the parabola from the last knot with this acceleration, by its place and by its velocity.
  function met({ knot }, state, bend) {
    const passed = state[0] - knot[0];
    let near = true, is = true;
    for (let axis = 0; axis < 3; axis++) {
      const [place, speed, pull] = [knot[1 + axis], knot[4 + axis], bend[axis]];
      const gap = state[1 + axis] - (place + (speed + 0.5 * pull * passed) * passed);
      const size = Math.abs(place) + Math.abs(state[1 + axis]) + Math.abs(speed * passed) + Math.abs(pull) * passed ** 2;
      near &&= Math.abs(gap - wholePeriods(gap, periods[axis])) <= 1e-8 * size;
      const swift = Math.abs(speed) + Math.abs(state[4 + axis]) + Math.abs(pull * passed);
      is &&= Math.abs(state[4 + axis] - (speed + pull * passed)) <= 1e-7 * swift + (1e-14 * size) / (passed || Infinity);
    }
    return { near, is };
  }

  function report(isOver) {
    reported = performance.now();
    const knots = [...followed.values()].map((body) => {
      if (isOver && body.pending) keep(body, body.pending);
      return [body.id, body.fresh.splice(0)];
    }).filter(([, fresh]) => fresh.length > 0);
    const impacts = [...followed.values()].map((body) => [body.id, body.impacts.splice(0)]);
    const course = { knots, impacts, totals: totals.splice(0), samples: samples.splice(0), ranges: [...ranges], first: told, bodies: bodies.slice(told) };
    told = bodies.length;
    self.postMessage({ type: "course", load: order.load, only: order.only, isOver, ...course });
  }

  function stop() {
    // What stops the run is told by the player; the courses are known up to there.
    kit.drop();
    wasm = null;
    if (order) report(true);
  }
}
