// After which time it says that a scenario is being read.
const READING_MS = 300;

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

  // Another scenario is being read. That may take as long as reading one that was too large and is given up, so it is said.
  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const { line, element, bar, stop } = this;
      this.before ??= { words: line.textContent, state: element.dataset.state, isOver: bar.hidden };
      bar.hidden = stop.hidden = true;
      this.say("running", "Reading the scenario …");
    }, READING_MS);
  }

  // It is no scenario, so all is as it was.
  stay() {
    clearTimeout(this.timer);
    if (!this.before) return;
    const { words, state, isOver } = this.before;
    this.before = null;
    this.bar.hidden = this.stop.hidden = isOver;
    this.say(state ?? "done", words);
  }

  begin(run, scenario) {
    clearTimeout(this.timer);
    this.before = null;
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
    clearTimeout(this.timer);
    this.before = null;
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
