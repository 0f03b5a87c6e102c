// A slider with a field for its number: both can be moved with the arrow keys, step by step.
const FINE_PARTS = 200;
let slidersMade = 0;

class NumberSlider {
  // `moved` hears of each value; `isLast` says that it stays for now. `held` hears when the slider is grasped and let go.
  constructor({ label, unit = "", range, step = null, log = false, value }, { moved, held }) {
    Object.assign(this, { range, log, moved, held, value });
    const [low, high] = range;
    // A fine one has round steps.
    this.step = step ?? (log ? (high / low) ** (1 / FINE_PARTS) : roundLength((high - low) / FINE_PARTS));
    this.isFine = step === null;
    const id = `carom-number-${slidersMade++}`;
    this.field = make("input", { type: "number", id, step: "any", min: `${low}`, max: `${high}`, inputmode: "decimal", oninput: () => this.typed(false), onchange: () => this.typed(true), onkeydown: (event) => this.key(event) });
    this.bar = make("input", { type: "range", min: "0", max: "1", step: "any", "aria-label": label, oninput: () => this.put(this.at(Number(this.bar.value)), false), onchange: () => this.put(this.value, true), onkeydown: (event) => this.key(event), onpointerdown: () => this.grasp() });
    this.element = make("div", { classes: "carom-slider" }, make("label", { text: label, for: id, title: label }), make("span", { classes: "carom-number" }, this.field, make("span", { text: unit })), this.bar);
    this.show(value);
  }

  // A pointer may be let go anywhere.
  grasp() {
    const ends = ["pointerup", "pointercancel"], letGo = () => {
      ends.forEach((name) => window.removeEventListener(name, letGo));
      this.held(false);
    };
    ends.forEach((name) => window.addEventListener(name, letGo));
    this.held(true);
  }

  // The value at a part of the way, on the steps.
  at(part) {
    const [low, high] = this.range, steps = this.stepsTo(this.log ? low * (high / low) ** part : low + part * (high - low));
    return this.nth(Math.round(steps));
  }

  stepsTo(value) {
    const [low] = this.range;
    return this.log ? Math.log(value / low) / Math.log(this.step) : (value - low) / this.step;
  }

  nth(steps) {
    const [low, high] = this.range, exact = this.log ? low * this.step ** steps : low + steps * this.step;
    const within = Math.min(high, Math.max(low, exact));
    return Number(within.toPrecision(this.log && this.isFine && within > low && within < high ? 3 : 12));
  }

  key(event) {
    const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10, ...(event.target === this.bar ? { ArrowRight: 1, ArrowLeft: -1 } : {}) }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const steps = this.stepsTo(this.value), near = Math.round(steps), isOn = Math.abs(steps - near) < 1e-6;
    // Fine ratios are rounded, so that the next step may be the same value.
    const next = [by, 2 * by].map((more) => this.nth((isOn ? near : by > 0 ? Math.floor(steps) : Math.ceil(steps)) + more)).find((value) => value !== this.value);
    this.put(next ?? this.value, true);
  }

  // A number that is typed counts as soon as it is one in the range; at the end it is put into it.
  typed(isLast) {
    const value = Number(this.field.value), [low, high] = this.range;
    if (this.field.value === "" || !Number.isFinite(value)) return isLast ? this.show(this.value) : undefined;
    if (isLast) this.put(Math.min(high, Math.max(low, value)), true);
    else if (value >= low && value <= high) this.put(value, false, true);
  }

  put(value, isLast, isTyped = false) {
    this.value = value;
    this.show(value, isTyped);
    this.moved(value, isLast);
  }

  show(value, isTyped = false) {
    const [low, high] = this.range, part = this.log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    this.value = value;
    if (!isTyped && !(this.field.value !== "" && Number(this.field.value) === value)) this.field.value = `${value}`;
    this.bar.value = `${part}`;
    this.bar.setAttribute("aria-valuetext", `${shown(value, 6)}`);
  }

  enable(on) {
    this.field.disabled = this.bar.disabled = !on;
  }
}
