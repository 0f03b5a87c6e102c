// The player of a page of carom, and the playground. `web/build` joins the files of web/player in the order of their names; see
// web/README.md. Names and titles come from scenarios, so all text is set with textContent.
(() => {
"use strict";
// The thread that runs carom. It is started from the text of this function, so it uses nothing from outside.
function workerMain() {
  const EVENTS_PER_SLICE = 128;
  const VIEW_MS = 30, FRONT_MS = 12, REPORT_MS = 100;
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  const channel = new MessageChannel();
  let wasm = null, module = null, goal = null, running = false, queued = false, reported = 0, known = 0, load = 0;

  channel.port1.onmessage = turn;
  self.onmessage = async ({ data }) => {
    try {
      if (data.type === "module") {
        module = compiled(data.bytes);
      } else if (data.type === "load") {
        await loadScenario(data);
      } else if (data.type === "go" && wasm && data.load === load) {
        goal = data;
        aim(data);
      } else if (data.type === "verify" && wasm && data.load === load) {
        running = data.on;
      }
      wake();
    } catch (error) {
      fail(error);
    }
  };

  function wake() {
    if (!queued && (goal || running)) {
      queued = true;
      channel.port2.postMessage(0);
    }
  }

  function turn() {
    queued = false;
    if (!wasm) return;
    try {
      if (goal) {
        const until = performance.now() + VIEW_MS;
        let arrival = 0;
        do arrival = wasm.view_slice(EVENTS_PER_SLICE); while (!arrival && performance.now() < until);
        if (arrival) show(arrival);
      }
      if (running) {
        const until = performance.now() + FRONT_MS;
        do running = wasm.front_slice(EVENTS_PER_SLICE) === 1; while (running && performance.now() < until);
        if (!running || performance.now() > reported + REPORT_MS) report();
      }
    } catch (error) {
      return fail(error);
    }
    wake();
  }

  async function compiled(bytes) {
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
  }

  async function loadScenario(order) {
    goal = wasm = null;
    running = false;
    load = order.load;
    // A new instance each time: memory never shrinks, and one that panicked cannot be used.
    const instance = await WebAssembly.instantiate(await module, {});
    // Another scenario may have come in the meantime.
    if (load !== order.load) return;
    wasm = instance.exports;
    for (const [name, bytes] of Object.entries(order.files)) {
      const called = encoder.encode(name);
      const all = new Uint8Array(called.length + bytes.length);
      all.set(called);
      all.set(bytes, called.length);
      give(all);
      wasm.file(called.length);
    }
    const { name, text, timestep, duration, watched } = order;
    give(encoder.encode(JSON.stringify({ name, text, timestep, duration, watched })));
    const isSound = wasm.load() === 1;
    const answer = JSON.parse(words());
    if (!isSound) {
      wasm = null;
      self.postMessage({ type: "problems", load, ...answer });
      return;
    }
    const meshes = [];
    for (let number = 0; number < answer.meshes; number++) {
      wasm.mesh(number);
      meshes.push(numbers());
    }
    known = answer.bodies.length;
    self.postMessage({ type: "loaded", load, scenario: answer, meshes });
  }

  function aim(go) {
    if (go.kind === "time") wasm.seek(go.to);
    else if (go.kind === "until") wasm.seek_until(go.to);
    else if (go.kind === "step") wasm.seek_step(go.to);
    else wasm.seek_impact(go.to);
  }

  function show(arrival) {
    wasm.poses();
    const poses = numbers();
    let bodies = [];
    if (poses[2] > known) {
      wasm.bodies(known);
      bodies = JSON.parse(words());
      known += bodies.length;
    }
    wasm.sights(goal.window);
    const sights = JSON.parse(words());
    const frame = { type: "frame", load, number: goal.number, arrival, poses, bodies, sights };
    goal = null;
    self.postMessage(frame, [poses.buffer]);
  }

  function report() {
    reported = performance.now();
    wasm.front_report();
    const found = JSON.parse(words());
    wasm.impacts(1024);
    self.postMessage({ type: "report", load, report: found, impacts: numbers() });
  }

  function fail(error) {
    let said = String(error);
    if (wasm && error instanceof WebAssembly.RuntimeError) {
      const panic = decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.panic(), wasm.panic_length()));
      if (panic) said = panic;
    }
    wasm = null;
    goal = null;
    running = false;
    self.postMessage({ type: "failed", load, words: said });
  }

  function give(bytes) {
    const place = wasm.input(bytes.length);
    new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
  }

  function words() {
    return decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.text(), wasm.text_length()));
  }

  function numbers() {
    return new Float64Array(wasm.memory.buffer, wasm.numbers(), wasm.numbers_length()).slice();
  }
}
// The worker as the page sees it: one scenario at a time, one goal at a time.
class Engine {
  // `listener` has a function for each type of message that comes.
  constructor(listener) {
    this.listener = listener;
    this.load = 0;
    this.number = 0;
    const source = new Blob([`(${workerMain})()`], { type: "text/javascript" });
    const address = URL.createObjectURL(source);
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.listener.failed({ words: event.message || "the worker cannot be started" });
    };
    const bytes = bytesOf(document.getElementById("carom-wasm").textContent);
    this.worker.postMessage({ type: "module", bytes: bytes.buffer }, [bytes.buffer]);
  }

  hear(data) {
    const isOld = data.load !== undefined && data.load !== this.load;
    if (isOld && data.type !== "failed") return;
    if (data.type === "frame" && data.number !== this.number) return;
    this.listener[data.type]?.(data);
  }

  // Reads a scenario: `loaded` or `problems` answers.
  read({ name, text, files, timestep, duration, watched }) {
    this.load += 1;
    this.worker.postMessage({ type: "load", load: this.load, name, text, files, timestep, duration, watched });
  }

  // Goes to an instant, a step or an impact: `frame` answers. A goal that was not reached yet is given up. `window` says how
  // old events may be that are shown, s.
  go(kind, to, window) {
    this.number += 1;
    this.worker.postMessage({ type: "go", load: this.load, number: this.number, kind, to, window });
  }

  // Begins or stops the way through the whole run: `report` answers now and then.
  verify(on) {
    this.worker.postMessage({ type: "verify", load: this.load, on });
  }

  static isPossible() {
    return typeof WebAssembly === "object" && typeof Worker === "function" && typeof DecompressionStream === "function";
  }
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
}
// Colours: those of the plots (src/report/drawing/ink.rs), by the same rules (src/report/motion/colour_key.rs).
const PALETTE_LIGHT = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [90, 90, 90]];
const PALETTE_DARK = [[64, 156, 224], [240, 126, 48], [34, 190, 146], [222, 150, 190], [240, 184, 60], [150, 210, 245], [168, 168, 168]];
const SPOKEN = {
  blue: 0, red: 1, green: 2, pink: 3, purple: 3, violet: 3, orange: 4, yellow: 4, amber: 4, cyan: 5, grey: 6, gray: 6, black: 6,
};

const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const themeColors = () => isDark()
  ? { palette: PALETTE_DARK, paper: [22, 24, 29], scenery: [116, 123, 136], driven: [150, 140, 116], sensor: [34, 190, 146],
    impact: [255, 120, 96], contact: [240, 184, 60], line: [200, 205, 214], text: [225, 228, 234] }
  : { palette: PALETTE_LIGHT, paper: [250, 250, 248], scenery: [186, 190, 198], driven: [176, 166, 142], sensor: [0, 158, 115],
    impact: [200, 40, 20], contact: [190, 120, 0], line: [96, 102, 112], text: [40, 44, 52] };

// A name without the number that sets it apart.
const stem = (name) => name.replace(/[0-9_\-./ #[\]()]+$/, "") || "bodies";

function spoken(name) {
  const words = name.split(/[^\p{L}]+/u).map((word) => SPOKEN[word.toLowerCase()]);
  return words.find((place) => place !== undefined);
}

// The place in the palette of each body that moves, and how far its shade is from the colour: few bodies have colours of their
// own; of many, those whose names begin alike share one.
function palettePlaces(bodies) {
  const movers = bodies.filter((body) => body.motion !== "fixed").sort((a, b) => a.rank - b.rank);
  const isSingle = movers.length <= PALETTE_LIGHT.length;
  const key = (body) => (isSingle ? body.name : stem(body.name));
  const keys = [...new Set(movers.map(key))].slice(0, 64);
  const said = keys.map(spoken);
  let free = PALETTE_LIGHT.map((_, place) => place).filter((place) => !said.includes(place));
  if (free.length === 0) free = PALETTE_LIGHT.map((_, place) => place);
  let next = 0;
  const places = new Map(keys.map((key, rank) => [key, said[rank] ?? free[next++ % free.length]]));
  const shade = (body) => (isSingle ? 0 : ((body.rank * 0.618034) % 1) - 0.5);
  return new Map(movers.map((body) => [body, { place: places.get(key(body)) ?? 6, shade: shade(body) }]));
}

// Red, green and blue of each body, from 0 to 1; `own` are colours by name, as `#rrggbb`.
function bodyColors(bodies, own) {
  const theme = themeColors();
  const places = palettePlaces(bodies);
  return bodies.map((body) => {
    const said = Object.hasOwn(own, body.name) && /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(own[body.name]);
    if (said) return said.slice(1).map((part) => parseInt(part, 16) / 255);
    if (body.sensor) return theme.sensor.map((part) => part / 255);
    const found = places.get(body);
    if (!found || (body.motion === "kinematic" && body.shape.sphere === undefined)) {
      return (found ? theme.driven : theme.scenery).map((part) => part / 255);
    }
    return theme.palette[found.place].map((part) => Math.min(1, Math.max(0, (part / 255) * (1 + 0.34 * found.shade))));
  });
}
// Vectors of three numbers, and 4 × 4 matrices by columns.
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, by) => [a[0] * by, a[1] * by, a[2] * by];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.sqrt(dot(a, a));
const unit = (a) => scale(a, 1 / (norm(a) || 1));

function perspective(slope, aspect, near, far) {
  const f = 1 / slope, depth = near - far;
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0, (2 * far * near) / depth, 0];
}

// From the world to the eye, which looks along −z; `right`, `up` and `back` are its axes.
function eyeMatrix(right, up, back, eye) {
  return [
    right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1,
  ];
}
// The eye: it turns around a point. All lengths are in metres of the scene.
const SLOPE = Math.tan((38 * Math.PI) / 360);

class Camera {
  constructor() {
    this.target = [0, 0, 0];
    this.distance = 5;
    this.azimuth = -0.9;
    this.elevation = 0.42;
    this.axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    this.isTouched = false;
  }

  // Looks at a scene: what is up, whether all of it lies in a plane, and how large it is.
  face({ up, flat, side }) {
    const along = [0, 1, 2].reduce((best, axis) => (Math.abs(up[axis]) > Math.abs(up[best]) ? axis : best), 2);
    const first = unit(sub([along === 0 ? 0 : 1, along === 0 ? 1 : 0, 0], scale(up, along === 0 ? up[1] : up[0])));
    this.axes = [first, cross(up, first), up];
    // From the side that is thin, and a little askew.
    const front = side !== undefined && Math.abs(first[side]) > 0.5 ? 0.15 : -1.42;
    this.azimuth = flat === "upright" ? front : flat === "level" ? -Math.PI / 2 : -0.95;
    this.elevation = flat === "level" ? 1.2 : flat === "upright" ? 0.12 : 0.4;
    this.isTouched = false;
  }

  // The axes of the eye, and its place relative to the target.
  frame() {
    const [x, y, z] = this.axes;
    const level = add(scale(x, Math.cos(this.azimuth)), scale(y, Math.sin(this.azimuth)));
    const back = add(scale(level, Math.cos(this.elevation)), scale(z, Math.sin(this.elevation)));
    const right = add(scale(x, -Math.sin(this.azimuth)), scale(y, Math.cos(this.azimuth)));
    return { right, up: cross(back, right), back, eye: scale(back, this.distance) };
  }

  // Moves so that a box fits, with these margins; `aspect` is width over height.
  fit([low, high], aspect) {
    this.target = scale(add(low, high), 0.5);
    const half = scale(sub(high, low), 0.5);
    const { right, up, back } = this.frame();
    let distance = 1e-9;
    for (let corner = 0; corner < 8; corner++) {
      const at = half.map((part, axis) => (corner & (1 << axis) ? part : -part));
      const depth = dot(at, back);
      distance = Math.max(distance, depth + Math.abs(dot(at, right)) / (SLOPE * aspect), depth + Math.abs(dot(at, up)) / SLOPE);
    }
    this.distance = distance * 1.12;
  }

  orbit(dx, dy) {
    this.isTouched = true;
    this.azimuth -= dx;
    this.elevation = Math.min(1.55, Math.max(-1.55, this.elevation + dy));
  }

  // Moves by parts of the height of the picture.
  pan(dx, dy) {
    this.isTouched = true;
    const { right, up } = this.frame();
    const size = 2 * SLOPE * this.distance;
    this.target = add(this.target, add(scale(right, -dx * size), scale(up, dy * size)));
  }

  zoom(factor) {
    this.isTouched = true;
    this.distance = Math.min(1e12, Math.max(1e-9, this.distance * factor));
  }

  // Where a point relative to the target is in the picture, from −1 to 1 to the right and up, and how far away.
  project(point, aspect) {
    const { right, up, back, eye } = this.frame();
    const from = sub(point, eye), depth = -dot(from, back);
    return { x: dot(from, right) / (depth * SLOPE * aspect), y: dot(from, up) / (depth * SLOPE), depth };
  }

  // The direction in which a point of the picture is seen.
  ray(x, y, aspect) {
    const { right, up, back, eye } = this.frame();
    const direction = add(add(scale(right, x * SLOPE * aspect), scale(up, y * SLOPE)), scale(back, -1));
    return { eye, direction: unit(direction) };
  }
}
// Programs for the graphics card. Everything is relative to the point the eye turns around, so that single precision is enough.
const SHADERS = {
  // A ball is a square in front of the eye; each of its points is met by a ray, so balls are round at any distance.
  ball: [`#version 300 es
    layout(location=0) in vec4 ball;
    layout(location=1) in vec4 tint;
    layout(location=2) in vec4 turn;
    uniform mat4 eye, lens;
    out vec3 place;
    flat out vec3 center;
    flat out float radius;
    flat out vec4 color, turned;
    void main() {
      vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
      center = (eye * vec4(ball.xyz, 1.0)).xyz;
      radius = ball.w;
      float away = max(dot(center, center), 1.0001 * radius * radius);
      vec3 toward = center / sqrt(away);
      vec3 right = normalize(cross(toward, vec3(0.0, 1.0, 0.0)) + vec3(1e-6, 0.0, 0.0));
      float reach = 1.06 * radius / sqrt(1.0 - radius * radius / away);
      place = center + reach * (corner.x * right + corner.y * cross(right, toward));
      color = tint;
      turned = turn;
      gl_Position = lens * vec4(place, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec3 place;
    flat in vec3 center;
    flat in float radius;
    flat in vec4 color, turned;
    uniform mat4 eye, lens;
    uniform vec3 sun;
    out vec4 shade;
    vec3 turnedBack(vec4 q, vec3 v) { return v + 2.0 * cross(cross(v, q.xyz) + q.w * v, q.xyz); }
    void main() {
      vec3 ray = normalize(place);
      float along = dot(ray, center);
      float miss = length(center - along * ray) / radius;
      float soft = max(fwidth(miss), 1e-4);
      float cover = clamp((1.0 - miss) / soft + 0.5, 0.0, 1.0);
      if (cover <= 0.0) discard;
      float depth = sqrt(max(1.0 - miss * miss, 0.0)) * radius;
      vec3 point = (along - depth) * ray;
      vec3 normal = normalize(point - center);
      vec4 clip = lens * vec4(point, 1.0);
      gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
      vec3 base = color.rgb;
      if (dot(turned, turned) > 0.5) {
        vec3 own = turnedBack(turned, transpose(mat3(eye)) * normal);
        float band = smoothstep(-0.02, 0.02, abs(own.z) - 0.32);
        base = mix(mix(base, vec3(1.0), 0.62), base, band);
      }
      float light = 0.36 + 0.64 * max(0.0, 0.5 + 0.5 * dot(normal, mat3(eye) * sun));
      float gloss = pow(max(0.0, dot(reflect(ray, normal), mat3(eye) * sun)), 40.0);
      shade = vec4(base * light + 0.16 * gloss, color.a * cover);
    }`],
  box: [`#version 300 es
    layout(location=0) in vec3 middle;
    layout(location=1) in vec3 half_;
    layout(location=2) in vec4 tint;
    uniform mat4 eye, lens;
    out vec3 inside;
    flat out vec3 extent, normal;
    flat out vec4 color;
    void main() {
      int face = gl_VertexID / 6, corner = gl_VertexID % 6;
      int axis = face >> 1;
      float side = float(face & 1) * 2.0 - 1.0;
      vec2 at = vec2[6](vec2(-1,-1), vec2(1,-1), vec2(1,1), vec2(-1,-1), vec2(1,1), vec2(-1,1))[corner];
      if (side < 0.0) at = at.yx;
      vec3 unit = axis == 0 ? vec3(side, at) : axis == 1 ? vec3(at.y, side, at.x) : vec3(at, side);
      inside = unit * half_;
      extent = half_;
      normal = axis == 0 ? vec3(side, 0, 0) : axis == 1 ? vec3(0, side, 0) : vec3(0, 0, side);
      color = tint;
      gl_Position = lens * eye * vec4(middle + inside, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec3 inside;
    flat in vec3 extent, normal;
    flat in vec4 color;
    uniform vec3 sun;
    out vec4 shade;
    void main() {
      vec3 gap = extent - abs(inside) + abs(normal) * 1e9;
      vec3 width = max(fwidth(inside), vec3(1e-9));
      vec3 near = gap / width;
      float edge = 1.0 - smoothstep(0.6, 1.6, min(near.x, min(near.y, near.z)));
      float light = 0.5 + 0.5 * max(0.0, 0.5 + 0.5 * dot(normal, sun));
      shade = vec4(color.rgb * light * (1.0 - 0.45 * edge), mix(color.a, max(color.a, 0.85), edge));
    }`],
  mesh: [`#version 300 es
    layout(location=0) in vec3 corner;
    layout(location=1) in vec3 across;
    uniform mat4 eye, lens;
    uniform vec3 shift;
    out vec3 normal;
    void main() {
      normal = across;
      gl_Position = lens * eye * vec4(corner + shift, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec3 normal;
    uniform vec3 sun;
    uniform vec4 tint;
    out vec4 shade;
    void main() {
      vec3 out_ = normalize(normal) * (gl_FrontFacing ? 1.0 : -1.0);
      shade = vec4(tint.rgb * (0.45 + 0.55 * max(0.0, 0.5 + 0.5 * dot(out_, sun))), gl_FrontFacing ? 1.0 : tint.a);
    }`],
  // A half-space: a square of its plane around what is shown, without what is inside another half-space.
  plane: [`#version 300 es
    uniform mat4 eye, lens;
    uniform vec3 middle, along, across;
    out vec3 point;
    out vec2 at;
    void main() {
      at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
      point = middle + at.x * along + at.y * across;
      gl_Position = lens * eye * vec4(point, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec3 point;
    in vec2 at;
    uniform vec4 walls[16];
    uniform int count;
    uniform vec3 along, across, anchor;
    uniform vec4 tint, line;
    uniform float cell, slack;
    out vec4 shade;
    void main() {
      for (int wall = 0; wall < count; wall++) {
        if (dot(walls[wall].xyz, point) < walls[wall].w - slack) discard;
      }
      vec2 grid = vec2(dot(point - anchor, normalize(along)), dot(point - anchor, normalize(across))) / cell;
      vec2 width = max(fwidth(grid), vec2(1e-6));
      vec2 near = abs(fract(grid - 0.5) - 0.5) / width;
      float drawn = (1.0 - min(min(near.x, near.y), 1.0)) * clamp(0.4 / max(width.x, width.y), 0.0, 1.0);
      float fade = 1.0 - smoothstep(0.55, 1.0, length(at));
      vec4 color = mix(tint, line, drawn * line.a);
      shade = vec4(color.rgb, max(tint.a, drawn * line.a) * fade);
    }`],
  line: [`#version 300 es
    layout(location=0) in vec3 place;
    layout(location=1) in vec4 tint;
    uniform mat4 eye, lens;
    out vec4 color;
    void main() {
      color = tint;
      gl_Position = lens * eye * vec4(place, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec4 color;
    out vec4 shade;
    void main() { shade = color; }`],
  // Marks of one size on the screen: 0 is a ring, 1 a disc.
  mark: [`#version 300 es
    layout(location=0) in vec3 place;
    layout(location=1) in vec4 tint;
    layout(location=2) in vec2 look;
    uniform mat4 eye, lens;
    uniform float pixel;
    out vec4 color;
    flat out float kind, size;
    void main() {
      color = tint;
      size = look.x * pixel;
      kind = look.y;
      gl_PointSize = size;
      gl_Position = lens * eye * vec4(place, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec4 color;
    flat in float kind, size;
    out vec4 shade;
    void main() {
      float away = length(gl_PointCoord - 0.5) * size, edge = 0.5 * size - 1.0;
      float disc = clamp(edge - away + 0.5, 0.0, 1.0);
      float ring = disc * clamp(away - edge + clamp(0.14 * size, 2.0, 3.5) + 0.5, 0.0, 1.0);
      float cover = kind > 0.5 ? disc : ring;
      if (cover <= 0.0) discard;
      shade = vec4(color.rgb, color.a * cover);
    }`],
};
// Drawing with WebGL 2.
class GlPainter {
  static create(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    return gl ? new GlPainter(gl) : null;
  }

  constructor(gl) {
    this.gl = gl;
    this.programs = {};
    for (const [name, [vertex, fragment]] of Object.entries(SHADERS)) this.programs[name] = this.link(vertex, fragment);
    this.buffers = new Map();
    this.empty = gl.createVertexArray();
    this.meshes = [];
  }

  link(...sources) {
    const { gl } = this, program = gl.createProgram();
    [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].forEach((kind, rank) => {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, sources[rank].trim());
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    });
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      const logs = gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader));
      throw new Error(`a shader cannot be built: ${logs.join(" ")} ${gl.getProgramInfoLog(program)}`);
    }
    const places = {};
    for (let rank = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) - 1; rank >= 0; rank--) {
      const { name } = gl.getActiveUniform(program, rank);
      places[name.replace("[0]", "")] = gl.getUniformLocation(program, name);
    }
    return { program, places };
  }

  // The triangles of each mesh of a scenario, as numbers relative to the origin of the scene.
  setMeshes(meshes) {
    const { gl } = this;
    this.meshes.forEach(({ array, buffer }) => (gl.deleteVertexArray(array), gl.deleteBuffer(buffer)));
    this.meshes = meshes.map((corners) => {
      const data = new Float32Array((corners.length / 9) * 18);
      for (let from = 0, to = 0; from < corners.length; from += 9) {
        const [a, b, c] = [0, 3, 6].map((offset) => [...corners.subarray(from + offset, from + offset + 3)]);
        const normal = unit(cross(sub(b, a), sub(c, a)));
        for (const corner of [a, b, c]) {
          data.set(corner, to);
          data.set(normal, to + 3);
          to += 6;
        }
      }
      const array = gl.createVertexArray(), buffer = gl.createBuffer();
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      this.attributes([3, 3], false);
      return { array, buffer, count: data.length / 6 };
    });
  }

  // The attributes of the buffer at hand, each of so many numbers.
  attributes(sizes, perInstance) {
    const { gl } = this, stride = 4 * sizes.reduce((sum, size) => sum + size, 0);
    let offset = 0;
    sizes.forEach((size, place) => {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, stride, offset);
      gl.vertexAttribDivisor(place, perInstance ? 1 : 0);
      offset += 4 * size;
    });
  }

  begin(camera, width, height, paper) {
    const { gl } = this, { right, up, back, eye } = camera.frame();
    gl.viewport(0, 0, width, height);
    gl.clearColor(paper[0] / 255, paper[1] / 255, paper[2] / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.eye = eyeMatrix(right, up, back, eye);
    this.lens = perspective(SLOPE, width / height, camera.distance / 60, camera.distance * 60);
    this.sun = unit(add(add(scale(up, 0.75), scale(right, -0.35)), scale(back, 0.6)));
  }

  use(name) {
    const { gl } = this, { program, places } = this.programs[name];
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.eye, false, this.eye);
    gl.uniformMatrix4fv(places.lens, false, this.lens);
    if (places.sun) gl.uniform3fv(places.sun, this.sun);
    return places;
  }

  // Draws so many instances, or lines or points, of numbers in this layout.
  draw(name, data, sizes, mode, corners) {
    const { gl } = this, numbers = sizes.reduce((sum, size) => sum + size, 0), count = data.length / numbers;
    if (count === 0) return;
    if (!this.buffers.has(name)) {
      const array = gl.createVertexArray(), buffer = gl.createBuffer();
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      this.attributes(sizes, Boolean(corners));
      this.buffers.set(name, { array, buffer });
    }
    const { array, buffer } = this.buffers.get(name);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    if (corners) gl.drawArraysInstanced(mode, 0, corners, count);
    else gl.drawArrays(mode, 0, count);
  }

  balls(data) {
    const { gl } = this;
    this.use("ball");
    gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    gl.disable(gl.BLEND);
    this.draw("ball", data, [4, 4, 4], gl.TRIANGLE_STRIP, 4);
    gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    gl.enable(gl.BLEND);
  }

  glassBalls(data) {
    const { gl } = this;
    this.use("ball");
    gl.depthMask(false);
    this.draw("ball", data, [4, 4, 4], gl.TRIANGLE_STRIP, 4);
    gl.depthMask(true);
  }

  boxes(data, isGlass) {
    const { gl } = this;
    this.use("box");
    gl.enable(gl.CULL_FACE);
    gl.depthMask(!isGlass);
    if (isGlass) {
      // What lies behind comes first.
      gl.cullFace(gl.FRONT);
      this.draw("box", data, [3, 3, 4], gl.TRIANGLES, 36);
    }
    gl.cullFace(gl.BACK);
    this.draw("box", data, [3, 3, 4], gl.TRIANGLES, 36);
    gl.disable(gl.CULL_FACE);
    gl.depthMask(true);
  }

  mesh(number, shift, color, isBehind) {
    const { gl } = this, mesh = this.meshes[number], places = this.use("mesh");
    if (!mesh) return;
    gl.uniform3fv(places.shift, shift);
    gl.uniform4f(places.tint, ...color, 0.13);
    gl.bindVertexArray(mesh.array);
    gl.enable(gl.CULL_FACE);
    // Faces that turn away are glass, so that one sees into what is closed.
    gl.cullFace(isBehind ? gl.FRONT : gl.BACK);
    gl.depthMask(!isBehind);
    gl.drawArrays(gl.TRIANGLES, 0, mesh.count);
    gl.depthMask(true);
    gl.disable(gl.CULL_FACE);
  }

  plane({ middle, along, across, anchor, cell, slack, walls, tint, line }) {
    const { gl } = this, places = this.use("plane");
    const few = walls.slice(0, 16);
    gl.uniform3fv(places.middle, middle);
    gl.uniform3fv(places.along, along);
    gl.uniform3fv(places.across, across);
    gl.uniform3fv(places.anchor, anchor);
    gl.uniform1f(places.cell, cell);
    gl.uniform1f(places.slack, slack);
    gl.uniform1i(places.count, few.length);
    if (few.length > 0) gl.uniform4fv(places.walls, few.flat());
    gl.uniform4fv(places.tint, tint);
    gl.uniform4fv(places.line, line);
    gl.bindVertexArray(this.empty);
    gl.depthMask(false);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.depthMask(true);
  }

  lines(data) {
    this.use("line");
    this.draw("line", data, [3, 4], this.gl.LINES);
  }

  marks(data, pixel) {
    const { gl } = this, places = this.use("mark");
    gl.uniform1f(places.pixel, pixel);
    gl.disable(gl.DEPTH_TEST);
    this.draw("mark", data, [3, 4, 2], gl.POINTS);
    gl.enable(gl.DEPTH_TEST);
  }
}
// Drawing without WebGL: the same scene with discs and lines, the farthest first.
class FlatPainter {
  static create(canvas) {
    const context = canvas.getContext("2d", { alpha: false });
    return context ? new FlatPainter(context) : null;
  }

  constructor(context) {
    this.context = context;
    this.corners = [];
  }

  setMeshes(meshes) {
    this.corners = meshes;
  }

  begin(camera, width, height, paper) {
    Object.assign(this, { camera, width, height, aspect: width / height, todo: [] });
    this.context.fillStyle = `rgb(${paper.join(" ")})`;
    this.context.fillRect(0, 0, width, height);
  }

  // Where a point is in the picture, in pixels, and how many pixels a metre is there.
  place(point) {
    const { x, y, depth } = this.camera.project(point, this.aspect);
    if (!(depth > this.camera.distance / 60)) return null;
    return { x: (0.5 + 0.5 * x) * this.width, y: (0.5 - 0.5 * y) * this.height, depth, size: this.height / (2 * SLOPE * depth) };
  }

  color(data, at) {
    const parts = [0, 1, 2].map((part) => Math.round(255 * data[at + part]));
    return `rgb(${parts.join(" ")} / ${data[at + 3]})`;
  }

  balls(data) {
    for (let at = 0; at < data.length; at += 12) {
      const found = this.place([...data.subarray(at, at + 3)]);
      if (found) this.todo.push({ depth: found.depth, draw: () => this.disc(found, data[at + 3] * found.size, this.color(data, at + 4)) });
    }
    this.todo.sort((a, b) => b.depth - a.depth).forEach(({ draw }) => draw());
    this.todo = [];
  }

  glassBalls(data) {
    this.balls(data);
  }

  disc({ x, y }, radius, color) {
    const { context } = this;
    context.fillStyle = color;
    context.strokeStyle = "rgb(0 0 0 / 0.35)";
    context.beginPath();
    context.arc(x, y, Math.max(radius, 1), 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }

  boxes(data) {
    for (let at = 0; at < data.length; at += 10) {
      const middle = [...data.subarray(at, at + 3)], half = [...data.subarray(at + 3, at + 6)];
      const corner = (number) => add(middle, half.map((part, axis) => (number & (1 << axis) ? part : -part)));
      const edges = [];
      for (let from = 0; from < 8; from++) {
        for (let axis = 0; axis < 3; axis++) if (!(from & (1 << axis))) edges.push([corner(from), corner(from | (1 << axis))]);
      }
      this.strokes(edges, this.color(data, at + 6));
    }
  }

  mesh(number, shift, color, isBehind) {
    const corners = this.corners[number];
    if (isBehind || !corners) return;
    const edges = [];
    for (let at = 0; at < Math.min(corners.length, 90000); at += 9) {
      const [a, b, c] = [0, 3, 6].map((offset) => add([...corners.subarray(at + offset, at + offset + 3)], shift));
      edges.push([a, b], [b, c], [c, a]);
    }
    this.strokes(edges, `rgb(${color.map((part) => Math.round(255 * part)).join(" ")} / 0.5)`);
  }

  plane({ middle, along, across, line }) {
    const at = (u, v) => add(middle, add(scale(along, u), scale(across, v)));
    const edges = [];
    for (let rank = -5; rank <= 5; rank++) {
      edges.push([at(rank / 10, -0.5), at(rank / 10, 0.5)], [at(-0.5, rank / 10), at(0.5, rank / 10)]);
    }
    this.strokes(edges, `rgb(${line.slice(0, 3).map((part) => Math.round(255 * part)).join(" ")} / 0.25)`);
  }

  strokes(edges, color) {
    const { context } = this;
    context.strokeStyle = color;
    context.beginPath();
    for (const [from, to] of edges) {
      const [a, b] = [this.place(from), this.place(to)];
      if (!a || !b) continue;
      context.moveTo(a.x, a.y);
      context.lineTo(b.x, b.y);
    }
    context.stroke();
  }

  lines(data) {
    for (let at = 0; at < data.length; at += 14) {
      this.strokes([[[...data.subarray(at, at + 3)], [...data.subarray(at + 7, at + 10)]]], this.color(data, at + 3));
    }
  }

  marks(data, pixel) {
    const { context } = this;
    for (let at = 0; at < data.length; at += 9) {
      const found = this.place([...data.subarray(at, at + 3)]);
      if (!found) continue;
      context.strokeStyle = context.fillStyle = this.color(data, at + 3);
      context.lineWidth = 2 * pixel;
      context.beginPath();
      context.arc(found.x, found.y, 0.5 * data[at + 7] * pixel, 0, 2 * Math.PI);
      if (data[at + 8] > 0.5) context.fill();
      else context.stroke();
      context.lineWidth = 1;
    }
  }
}
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
    this.meshes = meshes.map((corners) => Float32Array.from(corners));
    this.meshBoxes = meshes.map(boxAround);
    this.recolor();
  }

  recolor() {
    this.colors = bodyColors(this.bodies, this.own);
  }

  // Takes the places of all bodies at another instant; `isNear` says that the last one led here without a jump.
  take({ poses, bodies, sights }, isNear) {
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
    let size = 0;
    this.bodies.forEach((body, id) => {
      const place = this.place(id), half = halfOf(body.shape);
      if (!place || body.shape.plane) return;
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
      // What flies off is not followed to where the rest would be too small to see.
      const far = reach.map((corner, side) => corner.map((part, axis) => {
        const near = side === 0 ? low[axis] - 0.6 * span : high[axis] + 0.6 * span;
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
// Building the page. Nothing that comes from a scenario is ever read as HTML.
function make(tag, { text, classes, ...rest } = {}, ...children) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (classes) element.className = classes;
  for (const [name, value] of Object.entries(rest)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const ICONS = {
  play: "M8 5v14l11-7z", pause: "M6 5h4v14H6zM14 5h4v14h-4z", forth: "M6 5v14l9-7zM16 5h3v14h-3z", back: "M18 5v14l-9-7zM5 5h3v14H5z",
  next: "M4 6v12l8-6zM15 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0z", previous: "M20 6v12l-8-6zM3 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
  reset: "M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z", reverse: "M16 5v14L5 12z",
};

function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  picture.append(path);
  return picture;
}

function iconButton(name, label, act) {
  return make("button", { type: "button", classes: "carom-icon", "aria-label": label, title: label, onclick: act }, icon(name));
}

// A number with so many digits that it can be read, and no more.
function shown(number, digits = 4) {
  if (number === 0 || !Number.isFinite(number)) return String(number === 0 ? 0 : number);
  const size = Math.abs(number);
  if (size >= 1e6 || size < 1e-4) return number.toExponential(digits - 1);
  return String(Number(number.toPrecision(Math.max(digits, Math.ceil(Math.log10(size))))));
}

const vectorShown = (vector) => `(${vector.map((part) => shown(Math.abs(part) < 1e-12 ? 0 : part)).join(", ")})`;
// The controls under the picture: they only say what is wanted.
const HELP = [
  ["Space", "play or pause"], ["← →", "one step back or forth"], ["Shift ← →", "to the impact before or after"], ["Home End", "to the beginning or the end"],
  ["+ −", "faster or slower"], ["B", "play backwards"], ["I", "hold at each impact"], ["T C", "show or hide trails, contacts"], ["F", "follow the chosen body"],
  ["R", "reset the view"], ["drag, two fingers, wheel", "turn, move, zoom"], ["Shift drag", "move"], ["click", "choose a body"],
];
const SPEED_MIN = -6, SPEED_MAX = 6;

class Controls {
  constructor(wants) {
    this.wants = wants;
    this.play = iconButton("play", "Play", () => wants.play(1));
    this.reverse = iconButton("reverse", "Play backwards", () => wants.play(-1));
    this.speed = make("input", { type: "range", min: `${SPEED_MIN}`, max: `${SPEED_MAX}`, step: "1", "aria-label": "Speed", oninput: () => wants.speed(Number(this.speed.value)) });
    this.speed.value = "0";
    this.rate = make("output", { classes: "carom-rate" });
    this.chosen = make("select", { "aria-label": "Body", onchange: () => wants.choose(this.chosen.value === "" ? null : Number(this.chosen.value)) });
    this.switches = {};
    const box = (name, label, on) => {
      const input = make("input", { type: "checkbox", checked: on, onchange: () => wants.toggle(name, input.checked) });
      this.switches[name] = input;
      return make("label", { classes: "carom-switch" }, input, document.createTextNode(label));
    };
    this.seeker = make("input", { type: "range", min: "0", max: "1", step: "any", value: "0", classes: "carom-seeker", "aria-label": "Time", oninput: () => wants.seek(Number(this.seeker.value)) });
    this.ticks = make("canvas", { classes: "carom-ticks", "aria-hidden": "true" });
    this.clock = make("output", { classes: "carom-clock" });
    const help = make("details", { classes: "carom-help" }, make("summary", { text: "Keys" }),
      make("dl", {}, ...HELP.flatMap(([keys, what]) => [make("dt", { text: keys }), make("dd", { text: what })])));
    const buttons = make("div", { classes: "carom-buttons", role: "group", "aria-label": "Playing" },
      iconButton("previous", "To the impact before", () => wants.impact(-1)), iconButton("back", "One step back", () => wants.step(-1)),
      this.reverse, this.play,
      iconButton("forth", "One step forth", () => wants.step(1)), iconButton("next", "To the next impact", () => wants.impact(1)));
    this.elements = [
      make("div", { classes: "carom-timeline" }, this.ticks, this.seeker),
      make("div", { classes: "carom-row" }, buttons, this.clock,
        make("label", { classes: "carom-speed" }, document.createTextNode("Speed"), this.speed, this.rate)),
      make("div", { classes: "carom-row carom-options" },
        make("label", { classes: "carom-chosen" }, document.createTextNode("Body"), this.chosen),
        box("follow", "follow", false), box("trails", "trails", true), box("contacts", "contacts", true), box("hold", "hold at impacts", false),
        iconButton("reset", "Reset the view", () => wants.reset()), help),
    ];
  }

  // Lists the bodies that can be chosen.
  list(bodies) {
    const movers = bodies.map((body, id) => ({ body, id })).filter(({ body }) => body.motion !== "fixed").slice(0, 2000);
    this.chosen.replaceChildren(make("option", { value: "", text: "none" }),
      ...movers.map(({ body, id }) => make("option", { value: `${id}`, text: body.name })));
  }

  choose(id, bodies) {
    if (id !== null && ![...this.chosen.options].some((option) => option.value === `${id}`)) {
      this.chosen.append(make("option", { value: `${id}`, text: bodies[id].name }));
    }
    this.chosen.value = id === null ? "" : `${id}`;
  }

  showTime(part, words, spoken) {
    this.seeker.value = `${part}`;
    this.seeker.setAttribute("aria-valuetext", spoken);
    this.clock.textContent = words;
  }

  showPlaying(direction) {
    for (const [button, sign, rest, label] of [[this.play, 1, "play", "Play"], [this.reverse, -1, "reverse", "Play backwards"]]) {
      const name = direction === sign ? "pause" : rest, now = direction === sign ? "Pause" : label;
      if (button.getAttribute("aria-label") === now) continue;
      button.replaceChildren(icon(name));
      button.setAttribute("aria-label", now);
      button.title = now;
    }
  }

  // Draws how many impacts there were in each part of the run, and how far it is known.
  drawTicks(impacts, part) {
    const { ticks } = this, width = Math.round(ticks.clientWidth * devicePixelRatio), height = Math.round(ticks.clientHeight * devicePixelRatio);
    if (width === 0) return;
    [ticks.width, ticks.height] = [width, height];
    const pen = ticks.getContext("2d"), theme = themeColors();
    pen.fillStyle = `rgb(${theme.line.join(" ")} / 0.16)`;
    pen.fillRect(0, 0, width * part, height);
    const most = Math.max(1, ...impacts), bar = Math.max(1, width / impacts.length);
    pen.fillStyle = `rgb(${theme.impact.join(" ")} / 0.85)`;
    impacts.forEach((count, rank) => {
      if (count === 0) return;
      const tall = height * (0.3 + 0.7 * (Math.log1p(count) / Math.log1p(most)));
      pen.fillRect(Math.round((rank / impacts.length) * width), height - tall, bar, tall);
    });
  }

  // Answers a key; returns whether it did.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const { wants } = this, flip = (name) => {
      this.switches[name].checked = !this.switches[name].checked;
      wants.toggle(name, this.switches[name].checked);
    };
    const acts = {
      " ": () => wants.play(1), b: () => wants.play(-1), Home: () => wants.seek(0), End: () => wants.seek(1), r: () => wants.reset(),
      ArrowLeft: () => (event.shiftKey ? wants.impact(-1) : wants.step(-1)), ArrowRight: () => (event.shiftKey ? wants.impact(1) : wants.step(1)),
      "+": () => wants.faster(1), "=": () => wants.faster(1), "-": () => wants.faster(-1),
      i: () => flip("hold"), t: () => flip("trails"), c: () => flip("contacts"), f: () => flip("follow"),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act) act();
    return Boolean(act);
  }
}

// Drags, pinches, the wheel and keys on the picture.
function steer(canvas, camera, { changed, clicked }) {
  const fingers = new Map();
  let moved = 0, spread = 0;
  const middle = () => [...fingers.values()].reduce(([x, y], finger) => [x + finger.x / fingers.size, y + finger.y / fingers.size], [0, 0]);
  const width = () => {
    const [a, b] = [...fingers.values()];
    return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 1) moved = 0;
    spread = width();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = middle();
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [dx, dy] = middle().map((part, axis) => part - before[axis]), size = canvas.clientHeight;
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved < 4) return;
    if (fingers.size > 1 || event.shiftKey || event.buttons & 6) camera.pan(dx / size, dy / size);
    else camera.orbit((2.6 * dx) / size, (2.6 * dy) / size);
    if (fingers.size > 1 && width() > 0) camera.zoom(spread / width());
    spread = width();
    changed();
  });
  const end = (event) => {
    if (fingers.delete(event.pointerId) && fingers.size === 0 && moved < 4 && event.type === "pointerup") {
      const box = canvas.getBoundingClientRect();
      clicked(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    }
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    // A page is scrolled over the picture until that is chosen.
    if (document.activeElement !== canvas && !event.ctrlKey) return;
    event.preventDefault();
    camera.zoom(Math.exp(0.0012 * event.deltaY));
    changed();
  }, { passive: false });
}
// The player: a picture, its controls, and the line that says whether what is computed here is what was recorded.
const HOLD_MS = 450, MARK_S = 0.6;
// After an impact that was held, slow motion: how slow it begins, and how long it takes to be as fast as before.
const SLOWEST = 1 / 16, SLOW_MS = 900;

class Player {
  // `section` is where it is built; `told` hears what a scenario is and what is wrong with it.
  constructor(section, told = {}) {
    this.told = told;
    this.camera = new Camera();
    this.scene = null;
    this.chosen = null;
    this.shows = { trails: true, contacts: true, follow: false, hold: false };
    this.exponent = 0;
    this.direction = 0;
    this.impacts = new Float64Array(1);
    this.part = 0;
    this.canvas = make("canvas", { classes: "carom-canvas", tabindex: "0", role: "img", "aria-label": "The bodies as they move. Drag to turn." });
    this.painter = this.newPainter();
    this.note = make("p", { classes: "carom-note" });
    this.about = make("p", { classes: "carom-about" });
    this.controls = new Controls({
      play: (direction) => this.play(direction), seek: (part) => this.jump("time", Math.min(part * this.duration, this.end)), step: (by) => this.step(by),
      impact: (sign) => this.jump("impact", sign), speed: (exponent) => this.setSpeed(exponent), faster: (by) => this.setSpeed(this.exponent + by),
      choose: (id) => this.choose(id), toggle: (name, on) => this.toggle(name, on), reset: () => this.reset(),
    });
    this.verifier = new VerifierLine((on) => this.engine?.verify(on));
    this.root = make("div", { classes: "carom-player", role: "group", "aria-label": "Player" },
      make("div", { classes: "carom-stage" }, this.canvas, this.note), ...this.controls.elements, this.about, this.verifier.element);
    section.append(this.root);
    this.root.addEventListener("keydown", (event) => {
      const isTyped = /^(SELECT|TEXTAREA)$/.test(event.target.tagName) || (event.target.tagName === "BUTTON" && event.key === " ") || (event.target === this.controls.speed && event.key.startsWith("Arrow"));
      if (!isTyped && this.controls.key(event)) event.preventDefault();
    });
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.painter = this.newPainter();
      this.painter.setMeshes(this.scene?.meshes ?? []);
      this.paint();
    });
    steer(this.canvas, this.camera, { changed: () => this.paint(), clicked: (x, y) => this.pick(x, y) });
    new ResizeObserver(() => (this.paint(), this.drawTicks())).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (this.scene?.recolor(), this.paint(), this.drawTicks()));
    this.engine = new Engine({
      loaded: (data) => this.loaded(data), problems: (data) => this.told.problems?.(data), frame: (data) => this.frame(data),
      report: (data) => this.report(data), failed: (data) => this.failed(data),
    });
  }

  newPainter() {
    try {
      const painter = GlPainter.create(this.canvas);
      if (painter) return painter;
    } catch (error) {
      console.warn(String(error));
      const canvas = this.canvas.cloneNode();
      this.canvas = canvas;
    }
    return FlatPainter.create(this.canvas);
  }

  // Begins with a run: a scenario, and what was recorded of it. Where it is a change of the last one, the instant and the eye
  // stay as they are.
  open(run, isChange = false) {
    const goesOn = isChange && this.scene;
    this.begin = goesOn ? { time: this.scene.time, direction: this.direction } : { time: 0, direction: 0 };
    if (!goesOn) this.camera.isTouched = false;
    this.run = run;
    if (!goesOn) this.chosen = null;
    this.scene = null;
    this.direction = 0;
    this.busy = false;
    this.wanted = null;
    const files = Object.fromEntries(Object.entries(run.files ?? {}).map(([name, base64]) => [name, bytesOf(base64)]));
    const watched = (run.step_hashes ?? []).map(([step]) => step);
    const { name = "scenario.ron", scenario: text, timestep = null, duration = null } = run;
    this.engine.read({ name, text, files, timestep, duration, watched });
  }

  loaded({ scenario, meshes }) {
    this.scene = new Scene(scenario, meshes, this.run.colors ?? {});
    this.duration = this.end = scenario.duration;
    // One second of the run in one here, unless that is too short or too long to look at.
    const fits = this.duration >= 0.5 && this.duration <= 180;
    this.rate = fits ? 1 : 10 ** Math.round(Math.log10(this.duration / 15));
    this.part = 0;
    this.impacts = new Float64Array(1);
    this.painter.setMeshes(this.scene.meshes);
    this.controls.list(scenario.bodies);
    this.choose(this.chosen !== null && this.chosen < scenario.bodies.length ? this.chosen : null);
    this.setSpeed(this.exponent);
    this.isNew = true;
    this.jump("time", Math.min(this.begin.time, this.end));
    this.verifier.begin(this.run, scenario);
    this.engine.verify(true);
    this.told.loaded?.(scenario);
  }

  failed({ words }) {
    this.note.textContent = `The player has stopped: ${words}`;
    this.verifier.fail(words);
    this.told.problems?.({ problems: [{ line: 0, column: 0, field: "", message: words, help: null }], unlisted: 0 });
  }

  report({ report, impacts }) {
    this.impacts = impacts;
    this.part = report.time / this.duration;
    // A run that cannot go on ends there.
    if (report.error !== null) this.end = report.time;
    const isWider = this.scene.measure(report.reach);
    this.verifier.hear(report);
    if (isWider && !this.camera.isTouched && this.scene.poses && !this.direction) this.look();
    this.drawTicks();
  }

  // Goes somewhere, with a jump.
  jump(kind, to) {
    this.direction = 0;
    this.controls.showPlaying(0);
    this.ask(kind, to, false);
  }

  step(by) {
    const step = this.scene.poses ? this.scene.poses[1] : 0, last = this.scene.scenario.steps;
    const end = Math.min(step * this.scene.scenario.timestep, this.duration);
    // Back from within a step is to where it begins.
    const to = by > 0 ? step + 1 : this.scene.time > end ? step : step - 1;
    this.jump("step", Math.min(last, Math.max(0, to)));
  }

  // Asks for an instant, or as soon as what was asked before is there.
  ask(kind, to, isNear) {
    if (!this.scene) return;
    if (this.busy) {
      this.wanted = { kind, to, isNear };
      return;
    }
    this.busy = true;
    this.isNear = isNear;
    this.engine.go(kind, to, MARK_S * this.pace());
  }

  pace() {
    return this.rate * 2 ** this.exponent;
  }

  frame(data) {
    this.busy = false;
    const before = this.scene.time;
    this.scene.take(data, this.isNear);
    if (data.bodies.length > 0) this.controls.list(this.scene.bodies);
    if (this.isNew) {
      this.isNew = false;
      this.scene.measure(this.scene.reach ?? null);
      if (!this.camera.isTouched) this.reset();
      if (this.begin.direction !== 0) this.play(this.begin.direction);
    }
    this.showTime(data.arrival);
    this.paint();
    if (this.wanted) {
      const { kind, to, isNear } = this.wanted;
      this.wanted = null;
      this.ask(kind, to, isNear);
    } else if (this.direction !== 0) {
      const holds = this.shows.hold && this.direction > 0 && this.scene.time > before && this.isAtImpact();
      this.lastTurn = performance.now() + (holds ? HOLD_MS : 0);
      if (holds) this.slowFrom = this.lastTurn;
      requestAnimationFrame(() => this.advance());
    }
  }

  isAtImpact() {
    return this.scene.sights.events.some((event) => event.kind === "impact" && event.time === this.scene.time);
  }

  play(direction) {
    if (!this.scene) return;
    this.direction = this.direction === direction ? 0 : direction;
    this.controls.showPlaying(this.direction);
    if (this.direction === 0) return;
    const isOver = direction > 0 ? this.scene.time >= this.end : this.scene.time <= 0;
    this.lastTurn = performance.now();
    if (isOver) this.ask("time", direction > 0 ? 0 : this.end, false);
    else this.advance();
  }

  // The next picture while it plays.
  advance() {
    if (this.direction === 0 || this.busy) return;
    const now = performance.now();
    if (now < this.lastTurn) {
      requestAnimationFrame(() => this.advance());
      return;
    }
    const passed = Math.min((now - this.lastTurn) / 1000, 0.1);
    const to = this.scene.time + this.direction * passed * this.pace() * this.slowness(now);
    if ((this.direction > 0 && this.scene.time >= this.end) || (this.direction < 0 && this.scene.time <= 0)) {
      this.direction = 0;
      this.controls.showPlaying(0);
      return;
    }
    if (passed === 0) requestAnimationFrame(() => this.advance());
    else this.ask(this.shows.hold && this.direction > 0 ? "until" : "time", Math.min(this.end, Math.max(0, to)), true);
  }

  // How slow it is for now, from 0 to 1.
  slowness(now) {
    const part = this.shows.hold && this.direction > 0 ? (now - (this.slowFrom ?? -Infinity)) / SLOW_MS : 1;
    return part >= 1 ? 1 : SLOWEST ** (1 - Math.max(0, part));
  }

  setSpeed(exponent) {
    this.exponent = Math.min(SPEED_MAX, Math.max(SPEED_MIN, exponent));
    this.controls.speed.value = `${this.exponent}`;
    const pace = this.pace();
    this.controls.rate.textContent = pace >= 1e-3 && pace < 1 && Number.isInteger(1 / pace) ? `1/${1 / pace} ×` : `${shown(pace, 3)} ×`;
    this.controls.speed.setAttribute("aria-valuetext", `${shown(pace, 3)} s per second`);
  }

  toggle(name, on) {
    this.shows[name] = on;
    if (name === "follow" && on && this.chosen === null) this.choose(this.scene?.movers()[0] ?? null);
    this.paint();
  }

  choose(id) {
    this.chosen = id;
    if (this.scene) this.controls.choose(id, this.scene.bodies);
    this.showTime();
    this.paint();
  }

  pick(x, y) {
    if (!this.scene?.poses) return;
    this.choose(this.scene.pick(this.camera.ray(x, y, this.aspect()), this.camera.target));
  }

  aspect() {
    return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
  }

  reset() {
    if (!this.scene) return;
    this.camera.face(this.scene.facing());
    this.look();
  }

  look() {
    this.camera.face(this.scene.facing());
    this.camera.fit(this.scene.extent, this.aspect());
    this.paint();
  }

  showTime(arrival) {
    if (!this.scene?.poses) return;
    const { scene, duration } = this, { time } = scene;
    const digits = Math.min(9, Math.max(2, 3 - Math.floor(Math.log10(duration))));
    const words = `${time.toFixed(digits)} of ${shown(duration, 6)} s`;
    this.controls.showTime(time / duration, words, `${shown(time, 6)} seconds`);
    this.root.dataset.time = `${time}`;
    const struck = scene.sights.events.filter((event) => event.time === time && event.kind === "impact");
    const name = (id) => scene.bodies[id]?.name ?? `body ${id}`;
    const here = struck.slice(0, 2).map((event) => `${name(event.a)} meets ${name(event.b)}`).join(", ");
    const more = struck.length > 2 ? ` and ${struck.length - 2} more` : "";
    this.note.textContent = arrival === 2 ? "There is no further impact." : struck.length > 0 ? `Impact at ${struck[0].exact} s: ${here}${more}` : "";
    const place = this.chosen === null ? null : scene.place(this.chosen);
    const spin = place && norm(scene.vector(this.chosen, 2)) > 0 ? `, spin ${vectorShown(scene.vector(this.chosen, 2))} rad/s` : "";
    this.about.textContent = this.chosen === null ? "" : place
      ? `${name(this.chosen)}: at ${vectorShown(place)} m, velocity ${vectorShown(scene.vector(this.chosen, 1))} m/s${spin}`
      : `${name(this.chosen)} is not there now.`;
    // All digits, for who wants to compare.
    this.about.title = place ? JSON.stringify(place) : "";
  }

  marks() {
    const span = MARK_S * this.pace(), { time } = this.scene;
    const struck = this.scene.sights.events.filter((event) => event.kind === "impact" && event.time <= time);
    return struck.slice(-80).map((event) => ({ point: event.point, age: Math.min(1, (time - event.time) / span) }));
  }

  paint() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      const pixel = devicePixelRatio, width = Math.round(this.canvas.clientWidth * pixel), height = Math.round(this.canvas.clientHeight * pixel);
      if (!this.scene || !this.painter || width * height === 0) return;
      if (this.canvas.width !== width || this.canvas.height !== height) [this.canvas.width, this.canvas.height] = [width, height];
      const place = this.shows.follow && this.chosen !== null ? this.scene.place(this.chosen) : null;
      if (place) this.camera.target = place;
      this.scene.paint(this.painter, this.camera, {
        width, height, pixel, marks: this.scene.poses ? this.marks() : [], showsTrails: this.shows.trails, showsContacts: this.shows.contacts, chosen: this.chosen,
      });
    });
  }

  drawTicks() {
    this.controls.drawTicks(this.impacts, this.part);
  }
}
// The line that says whether the run gives the same bits here as where it was recorded.
class VerifierLine {
  constructor(verify) {
    this.line = make("span", { role: "status" });
    this.bar = make("progress", { max: 1, value: 0, "aria-label": "How much has been computed" });
    this.isOn = true;
    this.stop = make("button", { type: "button", text: "Stop", onclick: () => {
      this.isOn = !this.isOn;
      this.stop.textContent = this.isOn ? "Stop" : "Go on";
      verify(this.isOn);
      this.showProgress();
    } });
    this.element = make("div", { classes: "carom-verifier" }, this.line, this.bar, this.stop);
  }

  begin(run, scenario) {
    this.run = run;
    this.scenario = scenario;
    this.wanted = new Map(run.step_hashes ?? []);
    this.same = -1;
    this.different = null;
    this.isOn = true;
    this.stop.textContent = "Stop";
    this.bar.hidden = this.stop.hidden = false;
    this.bar.value = 0;
    this.began = performance.now();
    this.say("running", "Computing the run once more, here …");
  }

  hear(report) {
    for (const [step, hash] of report.hashes) {
      const wanted = this.wanted.get(step);
      if (wanted === hash) this.same = Math.max(this.same, step);
      else if (wanted !== undefined) this.different ??= step;
    }
    this.bar.value = report.time / this.scenario.duration;
    if (report.state_hash !== null) this.conclude(report);
    else this.showProgress();
  }

  showProgress() {
    const same = this.same >= 0 ? `, the same as recorded up to step ${this.same}` : "";
    const words = this.isOn ? "Computing the run once more, here:" : "Stopped at";
    if (this.different !== null) this.say("differs", this.where());
    else this.say("running", `${words} ${Math.floor(100 * this.bar.value)} %${this.remaining()}${same}`);
  }

  // How long it takes, if it goes on as it did; nothing for what is soon done.
  remaining() {
    const passed = (performance.now() - this.began) / 1000, left = (passed * (1 - this.bar.value)) / Math.max(this.bar.value, 1e-9);
    if (!this.isOn || passed < 2 || left < 5) return "";
    return left > 5400 ? `, some ${Math.round(left / 3600)} hours left` : left > 90 ? `, some ${Math.round(left / 60)} minutes left` : `, some ${Math.round(left)} seconds left`;
  }

  conclude({ state_hash: hash, error, time }) {
    this.bar.hidden = this.stop.hidden = true;
    const { state_hash: wanted = null, error: wantedError = null } = this.run;
    const brief = `${hash.slice(0, 16)}…`;
    document.documentElement.dataset.caromHash = hash;
    const ends = error ? ` It ends at ${shown(time, 6)} s: ${error}.` : "";
    if (this.different === null && wanted === hash && (error ?? null) === wantedError) {
      this.say("done", `Recomputed here: state hash ${brief}, the same as recorded, to the bit.${ends}`);
    } else if (wanted === null && this.different === null) {
      this.say("done", `Computed here: state hash ${brief}${ends}`);
    } else {
      const where = this.different === null ? `The state hash at the end is ${brief} here, but ${String(wanted).slice(0, 16)}… was recorded.` : this.where();
      this.say("differs", `${where}${ends}`);
    }
    this.line.title = hash;
  }

  where() {
    const { scenario: { timestep }, different, same } = this;
    const since = same >= 0 ? `after step ${same}, the last that is the same,` : "from the beginning";
    return `This run differs from the recorded one ${since} and by step ${different} (${shown(different * timestep, 6)} s). ` +
      "Then the scenario or the recording was changed, or another version of carom made it; compare with `carom replay`.";
  }

  fail(words) {
    this.bar.hidden = this.stop.hidden = true;
    this.say("differs", `The run could not be computed here: ${words}`);
  }

  say(state, words) {
    // Progress is not read out, only the outcome.
    this.line.setAttribute("aria-live", state === "running" ? "off" : "polite");
    this.line.textContent = words;
    this.element.dataset.state = state;
    document.documentElement.dataset.caromState = state;
  }
}
// The numbers of a scenario, each with its place in the text, what it is called, and a range in which it can be moved.
const NUMBERS_MAX = 200;

// The tokens of RON, as far as it takes to find numbers: comments and texts are passed over.
function* tokens(text) {
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.|[^'\\])'|[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?|[A-Za-z_][\w-]*|[()[\]{}:,]/g;
  for (const found of text.matchAll(pattern)) {
    const [word] = found;
    if (word.startsWith("//") || word.startsWith("/*")) continue;
    const kind = /^[+-.\d]/.test(word) ? "number" : /^r?#*"/.test(word) ? "text" : /^[A-Za-z_]/.test(word) ? "word" : "sign";
    yield { kind, word, at: found.index };
  }
}

function numbersOf(text) {
  const found = [], stack = [{ field: "", owner: "", count: 0 }];
  let last = null;
  for (const token of tokens(text)) {
    const top = stack[stack.length - 1];
    if (token.word === ":" && last) {
      top.field = last.kind === "text" ? last.word.replace(/^r?#*"|"#*$/g, "") : last.word;
      if (last.kind === "text") top.owner = top.field;
    } else if ("([{".includes(token.word)) {
      stack.push({ field: "", owner: "", count: 0 });
    } else if (")]}".includes(token.word) && stack.length > 1) {
      stack.pop();
    } else if (token.word === ",") {
      top.count += 1;
    } else if (token.kind === "text" && top.field === "name") {
      top.owner = token.word.replace(/^r?#*"|"#*$/g, "");
    } else if (token.kind === "number" && found.length < NUMBERS_MAX) {
      found.push(numberAt(token, stack));
    }
    last = token;
  }
  return found.filter(Boolean);
}

function numberAt({ word, at }, stack) {
  const value = Number(word.replaceAll("_", ""));
  const fields = stack.map((level) => level.field).filter(Boolean), top = stack[stack.length - 1];
  const field = [...stack].reverse().find((level) => level.field)?.field ?? "";
  if (!Number.isFinite(value) || ["plots", "expect", "record", "observe"].includes(fields[0])) return null;
  const owner = [...stack].reverse().find((level) => level.owner)?.owner ?? "";
  const axis = top.field === "" && stack.length > 1 ? ["x", "y", "z"][top.count] ?? `${top.count + 1}` : "";
  const label = [owner || (fields.length > 1 ? fields[0] : ""), field + (axis && `.${axis}`)].filter(Boolean).join(": ");
  return { at, length: word.length, value, label, ...rangeOf(field, value, axis !== "") };
}

// From where to where a number can be moved, and in which steps.
function rangeOf(field, value, isVector) {
  const size = Math.abs(value);
  if (["restitution", "friction", "rolling", "spinning"].some((part) => field.includes(part)) && size <= 1) return { min: 0, max: 1, step: 0.01 };
  if (["seed", "count", "counts", "impacts_max"].includes(field)) return { min: field === "seed" ? 0 : 1, max: Math.max(10, 3 * size), step: 1 };
  if (["radius", "mass", "density", "timestep", "duration", "temperature", "half_extents", "at"].includes(field)) {
    return { min: size / 4 || 0, max: 4 * size || 1, step: (size || 1) / 100 };
  }
  const reach = isVector ? Math.max(2 * size, 1) : 2 * size || 1;
  return { min: -reach, max: reach, step: reach / 200 };
}

// The text with another number in a place.
function withNumber(text, { at, length, step }, value) {
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + 1);
  const word = Number(value.toPrecision(12)).toFixed(Math.min(12, digits)).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  return text.slice(0, at) + word + text.slice(at + length);
}
// The playground: a scenario to be changed, beside what comes of it.
const TYPING_MS = 400, MOVING_MS = 120, SLIDERS_MAX = 60;

class Playground {
  constructor(section, run) {
    this.run = run;
    this.editor = make("textarea", { classes: "carom-editor", spellcheck: "false", "aria-label": "Scenario", autocapitalize: "off", oninput: () => this.changed(TYPING_MS) });
    this.problems = make("ol", { classes: "carom-problems", role: "status", "aria-label": "What is wrong" });
    this.sliders = make("div", { classes: "carom-sliders" });
    this.link = make("output", { classes: "carom-link" });
    const bar = make("div", { classes: "carom-row" },
      make("button", { type: "button", text: "Run", classes: "carom-main", onclick: () => this.begin(true) }),
      make("button", { type: "button", text: "Rewind", onclick: () => this.player.jump("time", 0) }),
      make("button", { type: "button", text: "As it was", onclick: () => this.show(this.run.scenario) }),
      make("button", { type: "button", text: "Copy link", onclick: () => this.copyLink() }), this.link);
    const numbers = make("details", { classes: "carom-numbers", open: true }, make("summary", { text: "Numbers" }), this.sliders);
    const left = make("div", { classes: "carom-writing" }, bar, this.editor, this.problems), right = make("div", { classes: "carom-watching" });
    section.append(make("div", { classes: "carom-playground" }, left, right, numbers));
    this.player = new Player(right, { problems: (data) => this.tell(data), loaded: () => this.tell({ problems: [], unlisted: 0 }) });
    this.editor.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.begin(true);
    });
    window.addEventListener("hashchange", () => this.readLink());
    this.show(run.scenario);
    this.readLink();
  }

  // Shows another scenario, and begins with it.
  show(text) {
    this.editor.value = text;
    this.listNumbers();
    this.begin(false);
  }

  changed(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (pause === TYPING_MS) this.listNumbers();
      this.begin(false);
    }, pause);
  }

  begin(plays) {
    clearTimeout(this.timer);
    const { run, editor } = this, isChanged = editor.value !== run.scenario;
    // What was recorded is of the scenario as it was.
    this.plays = plays;
    this.player.open({ ...run, scenario: editor.value, timestep: isChanged ? null : run.timestep ?? null, duration: isChanged ? null : run.duration ?? null,
      step_hashes: isChanged ? null : run.step_hashes, state_hash: isChanged ? null : run.state_hash }, !plays);
  }

  tell({ problems, unlisted }) {
    this.problems.replaceChildren(...problems.map((problem) => this.problem(problem)));
    if (unlisted > 0) this.problems.append(make("li", { text: `and ${unlisted} more` }));
    this.editor.setAttribute("aria-invalid", `${problems.length > 0}`);
    if (problems.length === 0 && this.plays) this.player.play(1);
    this.plays = false;
  }

  problem({ line, column, field, message, help }) {
    const words = make("span", { text: `${field ? `${field}: ` : ""}${message}` });
    const place = make("button", { type: "button", text: line > 0 ? `line ${line}, column ${column}` : "here", onclick: () => this.point(line, column) });
    return make("li", {}, place, words, ...(help ? [make("small", { text: help })] : []));
  }

  // Puts the cursor there; columns count characters.
  point(line, column) {
    const lines = this.editor.value.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, other) => sum + other.length + 1, 0);
    const at = before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    this.editor.focus();
    this.editor.setSelectionRange(at, at + 1);
    this.editor.scrollTop = Math.max(0, ((line - 4) / lines.length) * this.editor.scrollHeight);
  }

  listNumbers() {
    const numbers = numbersOf(this.editor.value);
    const shownOnes = numbers.slice(0, SLIDERS_MAX).map((number, rank) => this.slider(number, rank));
    this.sliders.replaceChildren(...shownOnes);
    if (numbers.length > SLIDERS_MAX) this.sliders.append(make("p", { text: `and ${numbers.length - SLIDERS_MAX} more in the text` }));
  }

  slider({ label, value, min, max, step }, rank) {
    const output = make("output", { text: shown(value) });
    const input = make("input", { type: "range", min: `${min}`, max: `${max}`, step: `${step}`, oninput: () => {
      // The text may have moved since.
      const number = numbersOf(this.editor.value)[rank];
      if (!number) return;
      this.editor.value = withNumber(this.editor.value, { ...number, step }, Number(input.value));
      output.textContent = shown(Number(input.value));
      this.changed(MOVING_MS);
    } });
    input.value = `${value}`;
    return make("label", {}, make("span", { text: label }), input, output);
  }

  async copyLink() {
    const address = new URL(location.href);
    address.hash = `s=${await packed(this.editor.value)}`;
    history.replaceState(null, "", address.hash);
    const isCopied = await navigator.clipboard?.writeText(address.href).then(() => true, () => false);
    this.link.textContent = isCopied ? "The link is copied." : "The link is in the address of this page.";
  }

  async readLink() {
    const found = /^#s=([\w-]+)$/.exec(location.hash);
    if (!found) return;
    try {
      const text = await unpacked(found[1]);
      if (text !== this.editor.value) this.show(text);
    } catch {
      this.tell({ problems: [{ line: 0, column: 0, field: "", message: "the link is damaged", help: null }], unlisted: 0 });
    }
  }
}

// A text as deflate in base64 for addresses, and back. A text from a link may be as large as a scenario file.
const UNPACKED_MAX = 16 << 20;

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpacked(link) {
  const bytes = bytesOf(link.replaceAll("-", "+").replaceAll("_", "/"));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return await new Blob(parts).text();
    length += value.length;
    if (length > UNPACKED_MAX) throw new Error("too long");
    parts.push(value);
  }
}
// Beginning: the page has a place for a player, or for a playground. Runs that are too large to be carried have no scenario.
const data = JSON.parse(document.getElementById("carom-data").textContent);
const runs = data.runs.filter((run) => run.scenario !== null);

function startPlayer(section) {
  const trouble = make("ul", { classes: "carom-problems" });
  const choice = make("select", { "aria-label": "Run", onchange: () => open(runs[choice.selectedIndex]) },
    ...runs.map((run) => make("option", { text: run.title ? `${run.name}: ${run.title}` : run.name })));
  choice.selectedIndex = Math.max(0, runs.indexOf(data.runs[Number(section.dataset.run ?? 0)]));
  if (runs.length > 1) section.append(make("label", { classes: "carom-chosen" }, document.createTextNode("Run"), choice));
  const player = new Player(section, {
    loaded: () => trouble.replaceChildren(),
    problems: ({ problems }) => trouble.replaceChildren(...problems.map(({ message }) => make("li", { text: message }))),
  });
  section.append(trouble);
  const open = (run) => player.open(run);
  open(runs[choice.selectedIndex]);
}

for (const section of document.querySelectorAll("#carom-player, #carom-playground")) {
  if (runs.length === 0) break;
  if (!Engine.isPossible()) {
    section.append(make("p", { text: "This browser has no WebAssembly, so the run cannot be played here. All other parts of the page are complete." }));
  } else if (section.id === "carom-playground") {
    new Playground(section, runs[0]);
  } else {
    startPlayer(section);
  }
}
})();
