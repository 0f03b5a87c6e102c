// The thread that runs carom for the picture. It is started from the text of this function, so it uses nothing from
// outside but what the engine adds.
function workerMain(kit) {
  const EVENTS_PER_SLICE = 128;
  const VIEW_MS = 30, FRONT_MS = 12, REPORT_MS = 100;
  const channel = new MessageChannel();
  let wasm = null, module = null, goal = null, running = false, queued = false, reported = 0, known = 0, load = 0;

  channel.port1.onmessage = turn;
  self.onmessage = async ({ data }) => {
    try {
      if (data.type === "module") {
        module = data.module;
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

  async function loadScenario(order) {
    goal = wasm = null;
    running = false;
    load = order.load;
    const loaded = await kit.load(module, order, () => load !== order.load);
    if (!loaded) return;
    const { answer } = loaded;
    if (!loaded.wasm) {
      self.postMessage({ type: "problems", load, ...answer });
      return;
    }
    wasm = loaded.wasm;
    const meshes = [];
    for (let number = 0; number < answer.meshes; number++) {
      wasm.mesh(number);
      meshes.push(kit.numbers());
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
    const poses = kit.numbers();
    let bodies = [];
    const first = known;
    if (poses[2] > known) {
      wasm.bodies(known);
      bodies = JSON.parse(kit.words());
      known += bodies.length;
    }
    wasm.sights(goal.window);
    const sights = JSON.parse(kit.words());
    const meshes = sights.meshes.map((number) => (wasm.mesh(number), [number, kit.numbers()]));
    const frame = { type: "frame", load, number: goal.number, arrival, poses, first, bodies, sights, meshes };
    goal = null;
    self.postMessage(frame, [poses.buffer]);
  }

  function report() {
    reported = performance.now();
    wasm.front_report();
    const found = JSON.parse(kit.words());
    wasm.impacts(1024);
    self.postMessage({ type: "report", load, report: found, impacts: kit.numbers() });
  }

  function fail(error) {
    const words = kit.said(error);
    kit.drop();
    wasm = goal = null;
    running = false;
    self.postMessage({ type: "failed", load, words });
  }
}
