// The controls under the picture: they only say what is wanted.
const HELP = [
  ["Space", "play or pause"], [", .", "one step back or forth"], ["Shift ← →", "to the impact before or after"], ["Home End", "to the beginning or the end"],
  ["< >", "slower or faster"], ["B", "play backwards"], ["I", "hold at each impact"], ["T C V", "show or hide trails, contacts, velocities"], ["F", "follow the chosen body"],
  ["R", "reset the view"], ["arrows, + −, 0", "on the picture: turn, zoom, reset"], ["drag, two fingers, wheel", "turn, move, zoom"], ["Shift drag", "move"], ["click", "choose a body"],
];
const COLORS = [["body", "by body"], ["kind", "by kind"], ["speed", "by speed"]];
// Above this part of the time line with impacts in it their number is drawn, and not a mark for each.
const DENSE = 0.3;
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
    this.color = make("select", { "aria-label": "Colours", onchange: () => wants.color(this.color.value) },
      ...COLORS.map(([value, text]) => make("option", { value, text })));
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
      make("div", { classes: "carom-row" }, buttons, this.clock),
      make("div", { classes: "carom-row carom-options" },
        make("label", { classes: "carom-speed" }, document.createTextNode("Speed"), this.speed, this.rate),
        make("label", { classes: "carom-chosen" }, document.createTextNode("Body"), this.chosen),
        box("follow", "follow", false), make("label", { classes: "carom-chosen" }, document.createTextNode("Colours"), this.color),
        box("trails", "trails", true), box("arrows", "velocities", false), box("contacts", "contacts", true), box("hold", "hold at impacts", false),
        make("div", { classes: "carom-buttons" }, iconButton("reset", "Reset the view", () => wants.reset()), iconButton("save", "Save the picture", () => wants.save())), help),
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
    const most = Math.max(1, ...impacts), known = Math.max(1, impacts.length * part), struck = impacts.filter((count) => count > 0).length;
    const ink = (strength) => (pen.fillStyle = `rgb(${theme.impact.join(" ")} / ${strength})`);
    ticks.title = struck > 0 ? `Impacts: at most ${most} in a thousandth of the run` : "";
    if (struck > DENSE * known) return this.drawDensity(pen, impacts, { width, height, ink });
    const bar = Math.max(devicePixelRatio, width / impacts.length);
    ink(0.85);
    impacts.forEach((count, rank) => {
      if (count === 0) return;
      const tall = height * (0.3 + 0.7 * (Math.log1p(count) / Math.log1p(most)));
      pen.fillRect(Math.round((rank / impacts.length) * width), height - tall, bar, tall);
    });
  }

  // Draws how many impacts there are in spans of at least four pixels, all of them equal.
  drawDensity(pen, impacts, { width, height, ink }) {
    const spans = 2 ** Math.floor(Math.log2(Math.min(impacts.length, Math.max(1, width / (4 * devicePixelRatio))))), counts = new Array(spans).fill(0);
    impacts.forEach((count, rank) => (counts[Math.floor((rank * spans) / impacts.length)] += count));
    const most = Math.max(...counts), wide = width / spans;
    counts.forEach((count, rank) => {
      if (count === 0) return;
      const tall = 0.85 * height * Math.sqrt(count / most);
      ink(0.3);
      pen.fillRect(rank * wide, height - tall, wide, tall);
      ink(0.9);
      pen.fillRect(rank * wide, height - tall, wide, 1.2 * devicePixelRatio);
    });
  }

  switch(name, on) {
    this.switches[name].checked = on;
    this.wants.toggle(name, on);
  }

  // Answers a key; returns whether it did.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const { wants } = this, flip = (name) => this.switch(name, !this.switches[name].checked);
    const acts = {
      " ": () => wants.play(1), b: () => wants.play(-1), Home: () => wants.seek(0), End: () => wants.seek(1), r: () => wants.reset(),
      ArrowLeft: () => (event.shiftKey ? wants.impact(-1) : wants.step(-1)), ArrowRight: () => (event.shiftKey ? wants.impact(1) : wants.step(1)),
      ",": () => wants.step(-1), ".": () => wants.step(1), "<": () => wants.faster(-1), ">": () => wants.faster(1),
      "+": () => wants.faster(1), "=": () => wants.faster(1), "-": () => wants.faster(-1),
      i: () => flip("hold"), t: () => flip("trails"), c: () => flip("contacts"), v: () => flip("arrows"), f: () => flip("follow"),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act) act();
    return Boolean(act);
  }
}
