// The player: a picture, its controls, and the line that says whether what is computed here is what was recorded.
const HOLD_MS = 450, MARK_S = 0.6;
// From this duration on one second of the run does not last one second.
const LONG_S = 180;
// After an impact that was held, slow motion: how slow it begins, and how long it takes to be as fast as before.
const SLOWEST = 1 / 16, SLOW_MS = 900;

// How long the courses are waited for before it plays by itself, and before anything is drawn, ms.
const COURSE_MS = 1500, FIRST_MS = 500;
// Of more bodies contacts are shown only if they are asked for.
const CONTACTS_MAX = 40;

class Player {
  // `section` is where it is built; `told` hears what a scenario is and what is wrong with it, of instants and of courses. With
  // `isAlone` it plays once by itself and keeps the instant in the address of the page; with `isGraphed` energies are found, too.
  constructor(section, { isAlone = false, isGraphed = false, ...told } = {}) {
    this.told = told;
    this.isAlone = isAlone;
    this.scene = null;
    this.chosen = null;
    this.holds = false;
    this.exponent = 0;
    this.direction = 0;
    this.impacts = new Float64Array(1);
    this.part = 0;
    this.picture = new Picture({ clicked: (x, y) => this.scene?.poses && this.choose(this.picture.pick(x, y)), play: () => this.play(1) });
    this.picture.marks = () => this.marks();
    this.about = make("p", { classes: "carom-about" });
    this.controls = new Controls({
      play: (direction) => this.play(direction), seek: (part) => this.jump("time", Math.min(part * this.duration, this.end)), step: (by) => this.step(by),
      impact: (sign) => this.jump("impact", sign), speed: (exponent) => this.setSpeed(exponent), faster: (by) => this.setSpeed(this.exponent + by),
      choose: (id) => this.choose(id), toggle: (name, on) => this.toggle(name, on), reset: () => this.picture.reset(),
      color: (mode) => (this.scene?.recolor(mode), this.picture.paint()), save: () => this.scene?.poses && this.picture.save(this.run.name ?? "run"),
    });
    this.verifier = new VerifierLine((on) => this.engine?.verify(on));
    this.root = make("div", { classes: "carom-player", role: "group", "aria-label": "Player" },
      this.picture.element, ...this.controls.elements, this.about, this.verifier.element);
    section.append(this.root);
    this.root.addEventListener("keydown", (event) => {
      const isTyped = /^(SELECT|TEXTAREA)$/.test(event.target.tagName) || (event.target.tagName === "BUTTON" && event.key === " ") || (event.target === this.controls.speed && event.key.startsWith("Arrow"));
      if (!isTyped && this.controls.key(event)) event.preventDefault();
    });
    new ResizeObserver(() => this.drawTicks()).observe(this.controls.ticks);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (this.scene?.recolor(), this.picture.paint(), this.drawTicks()));
    if (isAlone) window.addEventListener("hashchange", () => this.scene && timeAsked() !== null && this.jump("time", Math.min(timeAsked(), this.end)));
    this.engine = new Engine({
      loaded: (data) => this.loaded(data), problems: (data) => (this.verifier.stay(), this.told.problems?.(data)), frame: (data) => this.frame(data),
      report: (data) => this.report(data), course: (data) => this.learn(data), failed: (data) => this.failed(data),
    }, isGraphed);
  }

  // Begins with a run: a scenario, and what was recorded of it. Where it is a change of the last one, the instant and the eye
  // stay as they are, even if that one has not been read yet or could not be. It begins at `time`.
  open(run, isChange = false, time = 0) {
    const goesOn = Boolean(isChange && (this.scene || this.isChange));
    const asked = this.isAlone && !this.run ? timeAsked() : null;
    if (!goesOn) this.begin = { time: asked ?? time, direction: 0 };
    else if (this.scene?.poses) this.begin = { time: this.scene.time, direction: this.direction };
    // It plays once by itself, unless an instant is asked for.
    this.isStarting = this.isAlone && !this.run && asked === null && !isCalm();
    this.isChange = goesOn;
    this.run = run;
    if (!goesOn) this.chosen = null;
    this.scene = null;
    this.verifier.wait();
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
    const fits = this.duration >= 0.5 && this.duration <= LONG_S;
    this.rate = fits ? 1 : 10 ** Math.round(Math.log10(this.duration / 15));
    this.part = 0;
    this.impacts = new Float64Array(1);
    this.picture.show(this.scene, this.isChange);
    this.controls.list(scenario.bodies);
    this.controls.color.value = this.scene.mode;
    this.choose(this.chosen !== null && this.chosen < scenario.bodies.length ? this.chosen : null);
    this.setSpeed(this.exponent);
    this.isNew = true;
    this.showPlaying();
    this.ask("time", Math.min(this.begin.time, this.end), false);
    this.verifier.begin(this.run, scenario);
    this.engine.trace();
    if (!this.isChange) this.controls.switch("contacts", this.scene.movers().length <= CONTACTS_MAX);
    this.engine.verify(true);
    this.told.loaded?.(scenario);
  }

  failed({ words }) {
    this.picture.note.textContent = `The player has stopped: ${words}`;
    this.verifier.fail(words);
    this.told.problems?.({ problems: [{ line: 0, column: 0, field: "", message: words, help: null }], unlisted: 0 });
  }

  report({ report, impacts }) {
    this.impacts = impacts;
    this.part = report.time / this.duration;
    // A run that cannot go on ends there.
    if (report.error !== null) this.end = report.time;
    this.verifier.hear(report);
    this.drawTicks();
  }

  // Takes what is known of the courses of the bodies.
  learn(data) {
    const { course } = this.scene;
    // It may be the course of a body that was chosen before.
    if (data.only && String(data.only) !== String(course.only)) return;
    if (this.scene.extend(data.first, data.bodies)) this.controls.list(this.scene.bodies);
    course.take(data);
    this.picture.learn();
    this.told.learned?.();
    if (course.isOver && this.duration > LONG_S) this.setRate(this.unhurried(course));
    if (course.isOver && this.isStarting) this.start();
    if (course.isOver && !data.only && this.chosen !== null) this.choose(this.chosen);
  }

  // Begins to play by itself, once, as soon as the picture is in view.
  start() {
    this.isStarting = false;
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      if (this.direction === 0 && this.scene?.time === 0) this.play(1);
    }, { threshold: 0.5 });
    seen.observe(this.picture.element);
  }

  // Goes somewhere, with a jump.
  jump(kind, to) {
    this.direction = 0;
    this.isStarting = false;
    this.showPlaying();
    // A run that is being read begins there.
    if (kind === "time" && !this.scene?.poses) this.begin = { time: to, direction: 0 };
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
    if (data.meshes.length > 0) this.picture.painter.setMeshes(this.scene.meshes);
    if (data.bodies.length > 0) this.controls.list(this.scene.bodies);
    if (this.isNew) {
      this.isNew = false;
      // The first picture waits a moment for the courses, so that it is not seen to change.
      if (this.scene.course.ranges.length > 0) this.picture.learn();
      else setTimeout(() => this.picture.frame ?? this.picture.learn(), FIRST_MS);
      if (this.isStarting) setTimeout(() => this.isStarting && this.start(), COURSE_MS);
      if (this.begin.direction !== 0) this.play(this.begin.direction);
    }
    this.showTime(data.arrival);
    this.picture.paint();
    if (this.direction === 0) this.keepTime();
    if (this.wanted) {
      const { kind, to, isNear } = this.wanted;
      this.wanted = null;
      this.ask(kind, to, isNear);
    } else if (this.direction !== 0) {
      const holds = this.holds && this.direction > 0 && this.scene.time > before && this.isAtImpact();
      this.lastTurn = performance.now() + (holds ? HOLD_MS : 0);
      if (holds) this.slowFrom = this.lastTurn;
      requestAnimationFrame(() => this.advance());
    }
  }

  isAtImpact() {
    return this.scene.sights.events.some((event) => isMeeting(event) && event.time === this.scene.time);
  }

  play(direction) {
    if (!this.scene) return;
    this.isStarting = false;
    this.direction = this.direction === direction ? 0 : direction;
    this.showPlaying();
    if (this.direction === 0) return this.keepTime();
    const isOver = direction > 0 ? this.scene.time >= this.end : this.scene.time <= 0;
    this.lastTurn = performance.now();
    if (isOver) this.ask("time", direction > 0 ? 0 : this.end, false);
    else this.advance();
  }

  showPlaying() {
    this.controls.showPlaying(this.direction);
    this.picture.start.hidden = this.direction !== 0;
  }

  // The instant in the address of the page, so that it can be sent.
  keepTime() {
    if (!this.isAlone || !this.scene?.poses || this.busy) return;
    const { time } = this.scene;
    if (time > 0 || timeAsked() !== null) history.replaceState(null, "", `#t=${time}`);
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
      this.showPlaying();
      return;
    }
    if (passed === 0) requestAnimationFrame(() => this.advance());
    else this.ask(this.holds && this.direction > 0 ? "until" : "time", Math.min(this.end, Math.max(0, to)), true);
  }

  // How slow it is for now, from 0 to 1.
  slowness(now) {
    const part = this.holds && this.direction > 0 ? (now - (this.slowFrom ?? -Infinity)) / SLOW_MS : 1;
    return part >= 1 ? 1 : SLOWEST ** (1 - Math.max(0, part));
  }

  // The pace of a long run, at which bodies do not cross the picture in less than a quarter of a second.
  unhurried(course) {
    const [low, high] = course.box(), crossing = Math.max(...sub(high, low)) / course.swiftest();
    return Math.min(this.rate, Math.max(1, 10 ** Math.floor(Math.log10(4 * crossing))));
  }

  setRate(rate) {
    this.rate = rate;
    this.setSpeed(this.exponent);
  }

  setSpeed(exponent) {
    this.exponent = Math.min(SPEED_MAX, Math.max(SPEED_MIN, exponent));
    this.controls.speed.value = `${this.exponent}`;
    const pace = this.pace();
    this.controls.rate.textContent = pace >= 1e-3 && pace < 1 && Number.isInteger(1 / pace) ? `1/${1 / pace} ×` : `${shown(pace, 3)} ×`;
    this.controls.speed.setAttribute("aria-valuetext", `${shown(pace, 3)} s per second`);
  }

  toggle(name, on) {
    if (name === "hold") this.holds = on;
    else this.picture.shows[name] = on;
    if (name === "follow" && on && this.chosen === null) this.choose(this.scene?.movers()[0] ?? null);
    this.picture.paint();
  }

  choose(id) {
    this.chosen = this.picture.chosen = id;
    const { scene } = this;
    if (scene) this.controls.choose(id, scene.bodies);
    this.told.chosen?.(id);
    // Of many bodies only the path of this one is drawn, and has to be found first.
    if (scene?.poses && scene.course.isOver && (scene.course.knots.size === 0 || scene.course.only)) {
      scene.course.only = id === null ? [] : [id];
      scene.course.forget([]);
      if (id !== null) this.engine.trace([id]);
    }
    this.showTime();
    this.picture.paint();
  }

  showTime(arrival) {
    if (!this.scene?.poses) return;
    const { scene, duration } = this, { time } = scene;
    const words = clockShown(time, duration);
    this.controls.showTime(time / duration, words, `${shown(time, 6)} seconds`);
    this.root.dataset.time = `${time}`;
    this.told.time?.(time);
    if (this.isAlone) document.dispatchEvent(new CustomEvent("carom-time", { detail: { time, run: data.runs.indexOf(this.run) } }));
    const struck = scene.sights.events.filter((event) => event.time === time && isMeeting(event));
    const name = (id) => scene.bodies[id]?.name ?? `body ${id}`;
    const here = struck.slice(0, 2).map((event) => `${name(event.a)} meets ${name(event.b)}`).join(", ");
    const more = struck.length > 2 ? ` and ${struck.length - 2} more` : "";
    this.picture.note.textContent = arrival === 2 ? "There is no further impact." : struck.length > 0 ? `Impact at ${struck[0].exact} s: ${here}${more}` : "";
    const place = this.chosen === null ? null : scene.place(this.chosen);
    const spin = place && norm(scene.vector(this.chosen, 2)) > 0 ? `, spin ${vectorShown(scene.vector(this.chosen, 2))} rad/s` : "";
    this.about.textContent = this.chosen === null ? "" : place
      ? `${name(this.chosen)}: at ${vectorShown(place)} m, velocity ${vectorShown(scene.vector(this.chosen, 1))} m/s${spin}`
      : `${name(this.chosen)} is not there now.`;
    // All digits, for who wants to compare.
    this.about.title = place ? JSON.stringify(place) : "";
  }

  marks() {
    // While another scenario is read, the last picture may be painted again.
    if (!this.scene) return [];
    const span = MARK_S * this.pace(), { time } = this.scene;
    const struck = this.scene.sights.events.filter((event) => isMeeting(event) && event.time <= time);
    return struck.slice(-80).map((event) => ({ point: event.point, age: Math.min(1, (time - event.time) / span) }));
  }

  drawTicks() {
    this.controls.drawTicks(this.impacts, this.part);
  }
}

// Whether bodies met: with a rebound, or without one, as with a restitution of 0.
function isMeeting({ kind, approach_speed: speed }) {
  return kind === "impact" || (kind === "rest" && speed > 0);
}

// The clock: an instant of a run. In a very short run both numbers have the power of ten of its duration.
function clockShown(time, duration) {
  const power = Math.floor(Math.log10(duration));
  if (power < -6) return `${(time / 10 ** power).toFixed(3)}e${power} of ${shown(duration / 10 ** power, 6)}e${power} s`;
  return `${time.toFixed(Math.max(2, 3 - power))} of ${shown(duration, 6)} s`;
}

// The instant that the address of the page asks for, s.
function timeAsked() {
  const found = /^#t=([\d.e+-]+)$/.exec(location.hash), time = Number(found?.[1] ?? NaN);
  return Number.isFinite(time) && time >= 0 ? time : null;
}
