// The picture: where it is drawn, how it is looked at, and what is written on it.
const LABEL = "The bodies as they move. Drag, or use the arrow keys, to turn.";

class Picture {
  // `clicked` hears of a click at a place of the picture, from −1 to 1; `play` of the button on it.
  constructor({ clicked, play }) {
    this.camera = new Camera();
    this.scene = null;
    this.isHeld = false;
    this.shows = { trails: true, contacts: true, arrows: false };
    this.frame = null;
    this.canvas = make("canvas", { classes: "carom-canvas", tabindex: "0", role: "img", "aria-label": LABEL });
    this.painter = this.newPainter();
    this.overlay = new Overlay(make("canvas", { classes: "carom-overlay", "aria-hidden": "true" }));
    this.note = make("p", { classes: "carom-note" });
    this.away = make("p", { classes: "carom-away" });
    this.start = make("button", { type: "button", classes: "carom-start", "aria-label": "Play the run", onclick: play }, icon("play"));
    const words = make("div", { classes: "carom-words" }, this.note, this.away);
    this.element = make("div", { classes: "carom-stage" }, this.canvas, this.overlay.canvas, words, this.start);
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.painter = this.newPainter();
      this.painter.setMeshes(this.scene?.meshes ?? []);
      this.paint();
    });
    steer(this.canvas, this.camera, { changed: () => this.paint(), clicked, reset: () => this.reset() });
    new ResizeObserver(() => this.resized()).observe(this.canvas);
  }

  newPainter() {
    try {
      const painter = GlPainter.create(this.canvas);
      if (painter) return painter;
    } catch (error) {
      console.warn(String(error));
      this.canvas = this.canvas.cloneNode();
    }
    return FlatPainter.create(this.canvas);
  }

  // Shows another scene; where it is a change of the last one, the eye stays as it is if it was moved.
  show(scene, isChange) {
    this.scene = scene;
    this.frame = null;
    this.chosen = null;
    this.element.dataset.isKnown = "false";
    if (!isChange) this.camera.isTouched = false;
    this.painter.setMeshes(scene.meshes);
  }

  // Takes the courses of the bodies as far as they are known.
  learn() {
    const { scene } = this;
    if (!scene?.poses) return;
    this.frame = framed(scene);
    const names = scene.course.leavers().map((id) => scene.bodies[id].name), few = names.slice(0, 3).join(", ");
    this.away.textContent = names.length === 0 ? "" : `Goes out of the picture: ${few}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;
    this.away.dataset.names = JSON.stringify(names);
    this.element.dataset.isKnown = `${scene.course.isOver}`;
    this.refit();
  }

  resized() {
    this.refit();
  }

  // While a slider is held the eye stays, so that one sees what changes. Then it looks at all that there is.
  hold(on) {
    this.isHeld = on;
    this.refit();
  }

  // Looks at the whole course, unless the reader has chosen where to look from.
  refit() {
    if (this.frame && !this.camera.isTouched && !this.isHeld) this.look();
    this.paint();
  }

  aspect() {
    return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
  }

  // The view of the beginning.
  reset() {
    if (!this.frame) return;
    this.look();
    this.camera.isTouched = false;
    this.paint();
  }

  look() {
    this.camera.face(facing(this.scene));
    this.camera.fit(this.frame.points, this.aspect());
  }

  pick(x, y) {
    return this.scene.pick(this.camera.ray(x, y, this.aspect()), this.camera.target);
  }

  // The names beside their colours, or the speeds.
  legend() {
    const { scene } = this;
    if (scene.mode === "speed") return { speed: { most: scene.swiftest() } };
    const key = (id) => (scene.mode === "body" ? scene.bodies[id].name : stem(scene.bodies[id].name)), names = new Map();
    for (const id of scene.movers()) {
      if (names.size > LEGEND_MAX) break;
      if (!scene.bodies[id].shape.plane && scene.place(id) && !names.has(key(id))) names.set(key(id), scene.colors[id]);
    }
    return { names: names.size > 1 && names.size <= LEGEND_MAX ? [...names].map(([name, color]) => ({ name, color })) : [] };
  }

  paint() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      const { canvas, scene, camera, chosen } = this, pixel = devicePixelRatio;
      const width = Math.round(canvas.clientWidth * pixel), height = Math.round(canvas.clientHeight * pixel);
      if (!scene?.poses || !this.frame || !this.painter || width * height === 0) return;
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
      const place = this.shows.follow && chosen !== null ? scene.place(chosen) : null, { extent } = this.frame;
      if (place) camera.target = place;
      paintScene(scene, this.painter, camera, { extent, width, height, pixel, marks: this.marks?.() ?? [], shows: this.shows, chosen });
      this.overlay.draw(scene, camera, { extent, width, height, pixel, legend: this.legend() });
      this.element.dataset.distance = `${camera.distance}`;
      this.element.dataset.outside = JSON.stringify(this.overlay.outside.slice(0, 100).map(({ id }) => scene.bodies[id].name));
    });
  }

  // Hands the picture over as a PNG, with the time in it.
  save(name) {
    const { canvas, overlay, scene } = this, whole = make("canvas"), pixel = devicePixelRatio;
    [whole.width, whole.height] = [canvas.width, canvas.height];
    const pen = whole.getContext("2d");
    [canvas, overlay.canvas].forEach((layer) => pen.drawImage(layer, 0, 0));
    pen.font = `${13 * pixel}px system-ui, sans-serif`;
    pen.fillStyle = overlay.ink();
    pen.fillText(`t = ${shown(scene.time, 6)} s`, 14 * pixel, canvas.height - 14 * pixel);
    whole.toBlob((blob) => {
      const address = URL.createObjectURL(blob), time = String(Number(scene.time.toPrecision(6)));
      make("a", { href: address, download: `${name.replace(/\.ron$/, "")}_${time}_s.png` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
    }, "image/png");
  }
}

// How far a key turns the eye, radians.
const TURN = 0.12;

// Drags, pinches, the wheel and keys on the picture.
function steer(canvas, camera, { changed, clicked, reset }) {
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
    // One finger that goes up or down scrolls the page.
    else camera.orbit((2.6 * dx) / size, event.pointerType === "touch" ? 0 : (2.6 * dy) / size);
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
  const keys = {
    ArrowLeft: () => camera.orbit(-TURN, 0), ArrowRight: () => camera.orbit(TURN, 0), ArrowUp: () => camera.orbit(0, TURN), ArrowDown: () => camera.orbit(0, -TURN),
    "+": () => camera.zoom(1 / 1.15), "=": () => camera.zoom(1 / 1.15), "-": () => camera.zoom(1.15), 0: reset,
  };
  canvas.addEventListener("keydown", (event) => {
    const isArrow = event.key.startsWith("Arrow");
    if (event.ctrlKey || event.metaKey || event.altKey || (isArrow && event.shiftKey) || !Object.hasOwn(keys, event.key)) return;
    keys[event.key]();
    changed();
    event.preventDefault();
    event.stopPropagation();
  });
}
