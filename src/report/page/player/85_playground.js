// The playground: a scenario to be changed, beside what comes of it.
const TYPING_MS = 400, MOVING_MS = 120, SLIDERS_MAX = 60;

class Playground {
  // `run` is the scenario that the page was made from, and `presets` are others.
  constructor(section, run, presets) {
    this.choices = [run, ...presets];
    this.run = run;
    // The sliders that the scenario names, with the places of their numbers in the text, and what they were made from.
    this.named = [];
    this.madeFrom = "";
    this.build(section);
    this.player = new Player(this.watching, {
      isGraphed: true, problems: (data) => this.tell(data), loaded: (scenario) => this.loaded(scenario),
      time: (time) => this.graph.go(time), learned: () => this.graph.learn(), chosen: (id) => id !== null && id !== this.graph.body && this.graph.choose(id),
    });
    this.editor.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.begin(true);
    });
    window.addEventListener("hashchange", () => this.readLink());
    this.show(run.scenario);
    this.readLink();
  }

  build(section) {
    this.graph = new Graph({ seek: (time) => this.player.jump("time", Math.min(time, this.player.end)), chosen: (id) => id !== this.player.chosen && this.player.choose(id) });
    this.editor = make("textarea", { classes: "carom-editor", spellcheck: "false", "aria-label": "Scenario", autocapitalize: "off", oninput: () => this.typed() });
    this.problems = make("ol");
    // It scrolls, so it can be focused.
    this.wrong = make("div", { classes: "carom-problems", role: "status", tabindex: "0", "aria-label": "What is wrong", hidden: true }, this.problems);
    this.sliders = make("div", { classes: "carom-sliders", role: "group", "aria-label": "Numbers to change" });
    this.numbers = make("details", { classes: "carom-numbers", open: true, hidden: true }, make("summary", { text: "Numbers of the text" }));
    this.link = make("output", { classes: "carom-link" });
    this.choice = make("select", { "aria-label": "Scenario to begin with", onchange: () => this.choose(this.choices[this.choice.selectedIndex]) },
      ...this.choices.map(({ title, name }) => make("option", { text: title || name })));
    this.choosing = make("div", { classes: "carom-row carom-choosing" }, this.choice,
      make("button", { type: "button", text: "As it was", onclick: () => this.show(this.run.scenario) }),
      make("button", { type: "button", text: "Copy link", onclick: () => this.copyLink() }), this.link);
    this.watching = make("div", { classes: "carom-watching" });
    this.writing = make("details", { classes: "carom-writing" }, make("summary", { text: "Text of the scenario" }), this.editor,
      make("div", { classes: "carom-row" }, make("button", { type: "button", text: "Run", classes: "carom-main", onclick: () => this.begin(true) })));
    // What is wrong stands below the graph, which stays where it is.
    const panel = make("div", { classes: "carom-panel" }, this.sliders, this.graph.element, this.wrong, this.numbers);
    section.append(make("div", { classes: "carom-playground" }, this.choosing, this.watching, panel, this.writing));
  }

  // Begins with a scenario of the list.
  choose(run) {
    this.run = run;
    this.show(run.scenario);
    if (location.hash) history.replaceState(null, "", "#");
    this.link.textContent = "";
  }

  // Shows another scenario, and begins with it.
  show(text) {
    this.editor.value = text;
    this.graph.keep(true);
    this.isTyped = true;
    this.begin(false, false);
  }

  // The text is written in. Until it has been read, nobody knows where the numbers of the sliders are.
  typed() {
    this.beginChange();
    this.isTyped = true;
    this.named.forEach(({ control }) => control.enable(false));
    this.changed(TYPING_MS);
  }

  // The run before the first of several changes in a row is kept, to be compared with.
  beginChange() {
    if (!this.isChanging) this.graph.keep(false);
    this.isChanging = true;
  }

  changed(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.isTyped) this.isChanging = false;
      this.begin(false);
    }, pause);
  }

  begin(plays, isChange = !plays) {
    clearTimeout(this.timer);
    const { run, editor } = this, isChanged = editor.value !== run.scenario;
    // What was recorded is of the scenario as it was.
    this.plays = plays;
    this.opened = editor.value;
    this.player.open({ ...run, scenario: editor.value, timestep: isChanged ? null : run.timestep ?? null, duration: isChanged ? null : run.duration ?? null,
      step_hashes: isChanged ? null : run.step_hashes, state_hash: isChanged ? null : run.state_hash }, isChange);
  }

  loaded(scenario) {
    this.graph.show(this.player.scene);
    this.tell({ problems: scenario.warnings ?? [], unlisted: 0 });
    // While a slider is moved the text goes ahead of what is read.
    if (this.opened !== this.editor.value) return;
    const play = scenario.play ?? [];
    this.listNamed(play);
    if (this.isTyped) this.listNumbers(play.length > 0 ? [] : numbersOf(this.editor.value));
    this.isTyped = false;
    const heading = document.querySelector("header h1");
    if (heading) heading.textContent = scenario.title;
  }

  tell({ problems, unlisted }) {
    this.problems.replaceChildren(...problems.map((problem) => this.problem(problem)));
    this.wrong.hidden = problems.length === 0;
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
    this.writing.open = true;
    this.editor.focus();
    this.editor.setSelectionRange(at, at + 1);
    this.editor.scrollTop = Math.max(0, ((line - 4) / lines.length) * this.editor.scrollHeight);
  }

  // The sliders that the scenario names; without them the numbers of the text have some.
  listNamed(play) {
    const madeFrom = JSON.stringify(play.map(({ label, unit, range, step, log }) => [label, unit, range, step, log]));
    if (madeFrom !== this.madeFrom) {
      this.madeFrom = madeFrom;
      this.named = play.map((slider, rank) => ({ control: this.numberSlider(slider, (value, isLast) => this.move(this.named[rank], value, isLast)) }));
      this.sliders.replaceChildren(...this.named.map(({ control }) => control.element));
    }
    this.named.forEach((slider, rank) => {
      const { at, length, value } = play[rank];
      Object.assign(slider, { at, length });
      slider.control.enable(true);
      slider.control.show(value, document.activeElement === slider.control.field);
    });
  }

  numberSlider(slider, moved) {
    return new NumberSlider(slider, { moved, held: (on) => this.player.picture.hold(on) });
  }

  move(slider, value, isLast) {
    this.beginChange();
    if (isLast) this.isChanging = false;
    const word = `${value}`, { value: text } = this.editor, { at, length } = slider;
    if (text.slice(at, at + length) === word) return;
    this.editor.value = text.slice(0, at) + word + text.slice(at + length);
    slider.length = word.length;
    this.named.filter((other) => other.at > at).forEach((other) => (other.at += word.length - length));
    this.changed(MOVING_MS);
  }

  // The numbers of the text, for scenarios that name no sliders.
  listNumbers(numbers) {
    const shownOnes = numbers.slice(0, SLIDERS_MAX).map((number, rank) => this.slider(number, rank));
    const list = make("div", { classes: "carom-sliders" }, ...shownOnes);
    if (numbers.length > SLIDERS_MAX) list.append(make("p", { text: `and ${numbers.length - SLIDERS_MAX} more in the text` }));
    this.numbers.replaceChildren(this.numbers.firstChild, list);
    this.numbers.hidden = numbers.length === 0;
  }

  slider({ label, value, min, max, step }, rank) {
    return this.numberSlider({ label, range: [Math.min(min, value), Math.max(max, value)], step, value }, (moved, isLast) => {
      this.beginChange();
      if (isLast) this.isChanging = false;
      // The text may have moved since.
      const number = numbersOf(this.editor.value)[rank];
      if (!number || number.value === moved) return;
      this.editor.value = `${this.editor.value.slice(0, number.at)}${moved}${this.editor.value.slice(number.at + number.length)}`;
      this.changed(MOVING_MS);
    }).element;
  }

  async copyLink() {
    const address = new URL(location.href);
    address.hash = `s=${await packed(this.editor.value)}`;
    history.replaceState(null, "", address.hash);
    const isCopied = await navigator.clipboard?.writeText(address.href).then(() => true, () => false);
    this.link.textContent = isCopied ? "The link is copied." : "The link is in the address of this page.";
  }

  async readLink() {
    const found = /^#s=(.*)$/.exec(location.hash);
    if (!found) return;
    try {
      const text = await unpacked(found[1]);
      this.link.textContent = "";
      if (text !== this.editor.value) this.show(text);
    } catch {
      this.link.textContent = "The link is damaged: it has no scenario that could be read.";
    }
  }
}
