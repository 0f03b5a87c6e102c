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
    if (data.meshes.length > 0) this.painter.setMeshes(this.scene.meshes);
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
