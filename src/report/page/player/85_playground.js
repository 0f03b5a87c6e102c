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
