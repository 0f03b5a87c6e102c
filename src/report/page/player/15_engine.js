// The worker as the page sees it: one scenario at a time, one goal at a time.
class Engine {
  // `listener` has a function for each type of message that comes.
  constructor(listener) {
    this.listener = listener;
    this.load = 0;
    this.number = 0;
    const source = new Blob([`(${workerMain})()`], { type: "text/javascript" });
    const address = URL.createObjectURL(source);
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.listener.failed({ words: event.message || "the worker cannot be started" });
    };
    const bytes = bytesOf(document.getElementById("carom-wasm").textContent);
    this.worker.postMessage({ type: "module", bytes: bytes.buffer }, [bytes.buffer]);
  }

  hear(data) {
    const isOld = data.load !== undefined && data.load !== this.load;
    if (isOld && data.type !== "failed") return;
    if (data.type === "frame" && data.number !== this.number) return;
    this.listener[data.type]?.(data);
  }

  // Reads a scenario: `loaded` or `problems` answers.
  read({ name, text, files, timestep, duration, watched }) {
    this.load += 1;
    this.worker.postMessage({ type: "load", load: this.load, name, text, files, timestep, duration, watched });
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
