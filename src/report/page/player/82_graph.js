// A graph that grows with the run, beside the run before the last change.
const GRAPH_FONT = "12px system-ui, sans-serif", TICK_PX = 44;

class Graph {
  // `seek` hears of an instant that is clicked on, and `chosen` of a body.
  constructor({ seek, chosen }) {
    this.wants = { seek, chosen };
    this.quantity = "energy";
    this.isAsked = false;
    this.body = null;
    this.time = 0;
    this.scene = this.former = null;
    const option = ([value, { label }]) => make("option", { value, text: label });
    this.choice = make("select", { "aria-label": "Graph of", onchange: () => this.ask(this.choice.value) }, ...Object.entries(QUANTITIES).map(option));
    this.bodies = make("select", { "aria-label": "Bodies in the graph", onchange: () => this.choose(this.bodies.value === "" ? null : Number(this.bodies.value)) });
    this.readings = make("div", { classes: "carom-readings" });
    this.canvas = make("canvas", { classes: "carom-graph", role: "img", onclick: (event) => this.lead(event), onpointermove: (event) => this.read(this.timeOf(event)), onpointerleave: () => this.read(null) });
    this.layers = { base: make("canvas"), curves: make("canvas") };
    this.element = make("div", { classes: "carom-graphing", role: "group", "aria-label": "Graph" },
      make("div", { classes: "carom-row" }, this.choice, this.bodies), this.readings, this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  ask(quantity) {
    this.isAsked = true;
    this.quantity = quantity;
    this.choose(this.body);
  }

  choose(id) {
    this.body = id;
    // Of many bodies only the path of the chosen one is known.
    if (id !== null) this.wants.chosen(id);
    this.draw();
  }

  // Keeps the present run, to be compared with the next one; with `isNew` there is none to compare with.
  keep(isNew) {
    if (isNew) {
      this.former = null;
      this.isAsked = false;
    } else if (this.scene?.course.totals.length > 0) {
      this.former = this.scene;
    }
  }

  // Begins with another run.
  show(scene) {
    this.scene = scene;
    const movers = scene.movers().filter((id) => !scene.bodies[id].shape.plane).slice(0, 2000);
    if (!movers.includes(this.body)) this.body = null;
    this.bodies.replaceChildren(make("option", { value: "", text: "all bodies" }), ...movers.map((id) => make("option", { value: `${id}`, text: scene.bodies[id].name })));
    this.draw();
  }

  // More of the run is known.
  learn() {
    if (this.scene?.course.isOver && !this.isAsked) {
      this.isAsked = true;
      this.quantity = telling(this.scene);
    }
    this.draw();
  }

  // The player is at another instant.
  go(time) {
    this.time = time;
    this.paint();
  }

  read(time) {
    this.hovered = time;
    this.paint();
  }

  timeOf({ clientX }) {
    const box = this.canvas.getBoundingClientRect(), { left, right } = this.frame ?? {};
    const part = (clientX - box.left - left) / (right - left);
    return part >= 0 && part <= 1 ? part * this.until : null;
  }

  lead(event) {
    const time = this.timeOf(event);
    if (time !== null) this.wants.seek(time);
  }

  // Draws all that does not change with the instant.
  draw() {
    const { canvas, scene } = this, pixel = devicePixelRatio, wide = canvas.clientWidth, tall = canvas.clientHeight;
    if (!scene || wide * tall === 0) return;
    const { isOfBodies, axis, unit } = QUANTITIES[this.quantity];
    this.choice.value = this.quantity;
    this.bodies.hidden = !isOfBodies;
    this.bodies.value = this.body === null ? "" : `${this.body}`;
    const of = (run) => curvesOf(run, this.quantity, isOfBodies ? this.body : null).filter(({ times }) => times.length > 0);
    this.curves = of(scene);
    // The former run may have other bodies.
    this.past = this.former ? of(this.former).map((curve) => ({ ...curve, until: this.former.scenario.duration })) : [];
    this.until = Math.max(scene.scenario.duration, ...this.past.map(({ until }) => until));
    this.axis = axisOf([...this.curves, ...this.past]);
    canvas.setAttribute("aria-label", `${QUANTITIES[this.quantity].label} over time${this.past.length > 0 ? ", with the run before the last change" : ""}`);
    for (const layer of [canvas, this.layers.base, this.layers.curves]) [layer.width, layer.height] = [Math.round(wide * pixel), Math.round(tall * pixel)];
    const [base, top] = [this.layers.base, this.layers.curves].map((layer) => layer.getContext("2d"));
    [base, top].forEach((pen) => pen.setTransform(pixel, 0, 0, pixel, 0, 0));
    this.frame = drawAxes(base, { wide, tall, until: this.until, axis: this.axis, title: unit ? `${axis}, ${unit}` : axis });
    base.setLineDash([4, 3]);
    this.past.forEach((curve) => this.stroke(base, curve, `rgb(${themeColors().text.join(" ")} / 0.5)`, 1.2));
    this.curves.forEach((curve) => this.stroke(top, curve, curve.color, 1.8));
    canvas.dataset.points = `${this.curves.reduce((sum, { times }) => sum + times.length, 0)}`;
    canvas.dataset.former = `${this.past.length}`;
    this.paint();
  }

  stroke(pen, { times, values }, color, width) {
    const { left, right, top, bottom } = this.frame, { low, high } = this.axis, { isStep } = QUANTITIES[this.quantity];
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.lineJoin = "round";
    pen.beginPath();
    times.forEach((time, rank) => {
      const x = left + (time / this.until) * (right - left), y = bottom - ((values[rank] - low) / (high - low)) * (bottom - top);
      if (rank === 0) pen.moveTo(x, y);
      else {
        if (isStep) pen.lineTo(x, bottom - ((values[rank - 1] - low) / (high - low)) * (bottom - top));
        pen.lineTo(x, y);
      }
    });
    pen.stroke();
  }

  // Draws the graph at the present instant: what is over is strong, and what is to come is faint.
  paint() {
    if (!this.frame || this.canvas.width === 0) return;
    const { canvas, frame, layers } = this, pen = canvas.getContext("2d"), pixel = devicePixelRatio, { width, height } = canvas;
    const now = Math.round((frame.left + (this.time / this.until) * (frame.right - frame.left)) * pixel);
    pen.clearRect(0, 0, width, height);
    pen.drawImage(layers.base, 0, 0);
    if (now > 0) pen.drawImage(layers.curves, 0, 0, now, height, 0, 0, now, height);
    pen.globalAlpha = 0.35;
    if (now < width) pen.drawImage(layers.curves, now, 0, width - now, height, now, 0, width - now, height);
    pen.globalAlpha = 1;
    for (const [time, style] of [[this.time, themeColors().impact], [this.hovered ?? null, themeColors().text]]) {
      if (time === null) continue;
      pen.fillStyle = `rgb(${style.join(" ")} / 0.7)`;
      pen.fillRect((frame.left + (time / this.until) * (frame.right - frame.left) - 0.5) * pixel, frame.top * pixel, pixel, (frame.bottom - frame.top) * pixel);
    }
    this.say(this.hovered ?? this.time);
  }

  // The values at an instant, with those of the run before.
  say(time) {
    const { unit, isStep } = QUANTITIES[this.quantity], words = (value) => (value === null ? "–" : shown(value, 4));
    const line = ({ name, color, ...curve }) => {
      const before = this.past.find((other) => other.name === name), value = words(valueAt(curve, time, isStep));
      const dot = make("i");
      // The page's policy forbids styles in the text of the page, but not those that a script sets.
      dot.style.background = color;
      return make("span", {}, dot, document.createTextNode(`${name} `), make("b", { text: `${value}${unit && ` ${unit}`}` }),
        ...(before ? [make("small", { text: ` before ${words(valueAt(before, time, isStep))}` })] : []));
    };
    const lines = this.curves.map(line);
    this.readings.replaceChildren(make("span", { text: `t = ${shown(time, 4)} s` }), ...(lines.length > 0 ? lines : [make("span", { text: this.scene.course.isOver ? "choose a body" : "" })]));
  }
}

// The range of values of some curves, with a margin; whole numbers from 0 on stay so.
function axisOf(curves) {
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of curves) for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (!(low <= high)) return { low: 0, high: 1 };
  if (low > 0 && low < 0.4 * high) low = 0;
  // What is the same but for rounding is a level line.
  const size = Math.max(Math.abs(low), Math.abs(high)), span = high - low > 1e-9 * size ? high - low : size || 1;
  return { low: low === 0 ? 0 : low - 0.06 * span, high: high + 0.06 * span };
}

// Round numbers in a range, about so many.
function ticksOf(low, high, count) {
  const least = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(least));
  const step = power * [1, 2, 5, 10].find((digit) => digit * power >= least * (1 - 1e-9)), all = [];
  for (let rank = Math.ceil(low / step - 1e-9); rank * step <= high * (1 + 1e-12); rank++) all.push(Number((rank * step).toPrecision(12)));
  return all;
}

// Axes with their numbers; returns where the frame is.
function drawAxes(pen, { wide, tall, until, axis: { low, high }, title }) {
  const theme = themeColors(), ink = (strength) => `rgb(${theme.text.join(" ")} / ${strength})`;
  pen.clearRect(0, 0, wide, tall);
  pen.font = GRAPH_FONT;
  const [top, bottom] = [20, tall - 32], ups = ticksOf(low, high, (bottom - top) / TICK_PX + 1);
  const word = (value) => shown(value, 3), widest = Math.max(...ups.map((value) => pen.measureText(word(value)).width));
  const frame = { left: Math.ceil(widest) + 12, right: wide - 12, top, bottom }, { left, right } = frame;
  pen.lineWidth = 1;
  pen.textBaseline = "middle";
  for (const value of ups) {
    const y = bottom - ((value - low) / (high - low)) * (bottom - top);
    pen.fillStyle = ink(0.13);
    pen.fillRect(left, Math.round(y), right - left, 1);
    pen.fillStyle = ink(0.8);
    pen.textAlign = "right";
    pen.fillText(word(value), left - 6, y);
  }
  for (const value of ticksOf(0, until, (right - left) / 90)) {
    const x = left + (value / until) * (right - left);
    pen.fillStyle = ink(0.13);
    pen.fillRect(Math.round(x), top, 1, bottom - top);
    pen.fillStyle = ink(0.8);
    pen.textAlign = x > right - 12 ? "right" : "center";
    pen.fillText(word(value), x > right - 12 ? right + 8 : x, bottom + 10);
  }
  pen.textAlign = "left";
  pen.fillText(title, 2, 9);
  pen.textAlign = "right";
  pen.fillText("time, s", right + 8, bottom + 24);
  pen.strokeStyle = ink(0.5);
  pen.strokeRect(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
  return frame;
}
