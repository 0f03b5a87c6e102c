// The module as a worker uses it. It goes into the text of each worker, so it uses nothing from outside.
function moduleKit() {
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  let wasm = null;

  const kit = {
    // A new instance with a scenario: memory never shrinks, and one that panicked cannot be used. Returns what the scenario is,
    // or what is wrong with it as `problems`; nothing if `isOld` says that another one has come in the meantime.
    async load(module, order, isOld) {
      const instance = await WebAssembly.instantiate(module, {});
      if (isOld()) return null;
      wasm = instance.exports;
      for (const [name, bytes] of Object.entries(order.files)) {
        const called = encoder.encode(name);
        const all = new Uint8Array(called.length + bytes.length);
        all.set(called);
        all.set(bytes, called.length);
        give(all);
        wasm.file(called.length);
      }
      const { name, text, timestep, duration, watched } = order;
      give(encoder.encode(JSON.stringify({ name, text, timestep, duration, watched })));
      const isSound = wasm.load() === 1, answer = JSON.parse(kit.words());
      return isSound ? { wasm, answer } : { wasm: null, answer };
    },

    words() {
      return decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.text(), wasm.text_length()));
    },

    numbers() {
      return kit.glance().slice();
    },

    // The same numbers where they lie: only until the module runs again.
    glance() {
      return new Float64Array(wasm.memory.buffer, wasm.numbers(), wasm.numbers_length());
    },

    // What is said of an error; a panic of the module has words of its own.
    said(error) {
      if (!(wasm && error instanceof WebAssembly.RuntimeError)) return String(error);
      return decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.panic(), wasm.panic_length())) || String(error);
    },

    drop() {
      wasm = null;
    },
  };

  function give(bytes) {
    const place = wasm.input(bytes.length);
    new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
  }

  return kit;
}
