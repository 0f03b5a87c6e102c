// The workers as the page sees them: one scenario at a time, one goal at a time.
class Engine {
  // `listener` has a function for each type of message that comes; `isGraphed` says whether energies and impacts are wanted.
  constructor(listener, isGraphed) {
    this.listener = listener;
    this.isGraphed = isGraphed;
    this.load = 0;
    this.number = 0;
    this.worker = this.begun(workerMain);
    this.tracer = this.begun(tracerMain);
    // The module is compiled once for both.
    const bytes = bytesOf(document.getElementById("carom-wasm").textContent);
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    this.ready = new Response(unpacked).arrayBuffer().then((whole) => WebAssembly.compile(whole)).then(
      (module) => [this.worker, this.tracer].forEach((worker) => worker.postMessage({ type: "module", module })),
      (error) => this.listener.failed({ words: String(error) }),
    );
  }

  begun(main) {
    const source = new Blob([`${bendBetween}\n${wholePeriods}\n(${main})((${moduleKit})())`], { type: "text/javascript" });
    const address = URL.createObjectURL(source), worker = new Worker(address);
    URL.revokeObjectURL(address);
    worker.onmessage = ({ data }) => this.hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.listener.failed({ words: event.message || "the worker cannot be started" });
    };
    return worker;
  }

  hear(data) {
    const isOld = data.load !== undefined && data.load !== this.load;
    if (isOld && data.type !== "failed") return;
    if (data.type === "frame" && data.number !== this.number) return;
    this.listener[data.type]?.(data);
  }

  // Reads a scenario: `loaded` or `problems` answers.
  async read({ name, text, files, timestep, duration, watched }) {
    this.load += 1;
    this.order = { type: "load", load: this.load, name, text, files, timestep, duration, watched };
    const { order } = this;
    await this.ready;
    this.worker.postMessage(order);
  }

  // Goes through the run for the courses of the bodies and, if there is a graph, for energies and impacts, in a large run for that of the bodies `only`: `course` answers now and
  // then.
  trace(only = null) {
    this.tracer.postMessage({ ...this.order, only, isGraphed: this.isGraphed });
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
