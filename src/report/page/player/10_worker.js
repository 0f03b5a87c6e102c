// The thread that runs carom. It is started from the text of this function, so it uses nothing from outside.
function workerMain() {
  const EVENTS_PER_SLICE = 128;
  const VIEW_MS = 30, FRONT_MS = 12, REPORT_MS = 100;
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  const channel = new MessageChannel();
  let wasm = null, module = null, goal = null, running = false, queued = false, reported = 0, known = 0, load = 0;

  channel.port1.onmessage = turn;
  self.onmessage = async ({ data }) => {
    try {
      if (data.type === "module") {
        module = compiled(data.bytes);
      } else if (data.type === "load") {
        await loadScenario(data);
      } else if (data.type === "go" && wasm && data.load === load) {
        goal = data;
        aim(data);
      } else if (data.type === "verify" && wasm && data.load === load) {
        running = data.on;
      }
      wake();
    } catch (error) {
      fail(error);
    }
  };

  function wake() {
    if (!queued && (goal || running)) {
      queued = true;
      channel.port2.postMessage(0);
    }
  }

  function turn() {
    queued = false;
    if (!wasm) return;
    try {
      if (goal) {
        const until = performance.now() + VIEW_MS;
        let arrival = 0;
        do arrival = wasm.view_slice(EVENTS_PER_SLICE); while (!arrival && performance.now() < until);
        if (arrival) show(arrival);
      }
      if (running) {
        const until = performance.now() + FRONT_MS;
        do running = wasm.front_slice(EVENTS_PER_SLICE) === 1; while (running && performance.now() < until);
        if (!running || performance.now() > reported + REPORT_MS) report();
      }
    } catch (error) {
      return fail(error);
    }
    wake();
  }

  async function compiled(bytes) {
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
  }

  async function loadScenario(order) {
    goal = wasm = null;
    running = false;
    load = order.load;
    // A new instance each time: memory never shrinks, and one that panicked cannot be used.
    const instance = await WebAssembly.instantiate(await module, {});
    // Another scenario may have come in the meantime.
    if (load !== order.load) return;
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
    const isSound = wasm.load() === 1;
    const answer = JSON.parse(words());
    if (!isSound) {
      wasm = null;
      self.postMessage({ type: "problems", load, ...answer });
      return;
    }
    const meshes = [];
    for (let number = 0; number < answer.meshes; number++) {
      wasm.mesh(number);
      meshes.push(numbers());
    }
    known = answer.bodies.length;
    self.postMessage({ type: "loaded", load, scenario: answer, meshes });
  }

  function aim(go) {
    if (go.kind === "time") wasm.seek(go.to);
    else if (go.kind === "until") wasm.seek_until(go.to);
    else if (go.kind === "step") wasm.seek_step(go.to);
    else wasm.seek_impact(go.to);
  }

  function show(arrival) {
    wasm.poses();
    const poses = numbers();
    let bodies = [];
    if (poses[2] > known) {
      wasm.bodies(known);
      bodies = JSON.parse(words());
      known += bodies.length;
    }
    wasm.sights(goal.window);
    const sights = JSON.parse(words());
    const meshes = sights.meshes.map((number) => (wasm.mesh(number), [number, numbers()]));
    const frame = { type: "frame", load, number: goal.number, arrival, poses, bodies, sights, meshes };
    goal = null;
    self.postMessage(frame, [poses.buffer]);
  }

  function report() {
    reported = performance.now();
    wasm.front_report();
    const found = JSON.parse(words());
    wasm.impacts(1024);
    self.postMessage({ type: "report", load, report: found, impacts: numbers() });
  }

  function fail(error) {
    let said = String(error);
    if (wasm && error instanceof WebAssembly.RuntimeError) {
      const panic = decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.panic(), wasm.panic_length()));
      if (panic) said = panic;
    }
    wasm = null;
    goal = null;
    running = false;
    self.postMessage({ type: "failed", load, words: said });
  }

  function give(bytes) {
    const place = wasm.input(bytes.length);
    new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
  }

  function words() {
    return decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.text(), wasm.text_length()));
  }

  function numbers() {
    return new Float64Array(wasm.memory.buffer, wasm.numbers(), wasm.numbers_length()).slice();
  }
}
