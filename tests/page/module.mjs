// The bundled module in Node: runs that `carom run` made are computed once more, and must give the state hash of their summary.
//
//   node tests/page/module.mjs OUTPUT_DIR...
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const bundle = new URL("../../src/report/page/bundle/carom.wasm.gz", import.meta.url);
const module = await WebAssembly.compile(gunzipSync(readFileSync(bundle)));
const encoder = new TextEncoder(), decoder = new TextDecoder();
let failures = 0;

for (const folder of process.argv.slice(2)) {
  if (!existsSync(join(folder, "summary.json"))) continue;
  const summary = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8"));
  const found = stateHash(folder, summary);
  const isSame = found === summary.state_hash;
  failures += isSame ? 0 : 1;
  console.log(`${isSame ? "same  " : "DIFFERS"} ${folder}${isSame ? "" : `: ${found}, recorded ${summary.state_hash}; run web/build`}`);
}
process.exit(failures === 0 ? 0 : 1);

function stateHash(folder, { timestep, duration }) {
  const wasm = new WebAssembly.Instance(module, {}).exports;
  const give = (bytes) => {
    // First, for it may move the memory.
    const place = wasm.input(bytes.length);
    new Uint8Array(wasm.memory.buffer, place, bytes.length).set(bytes);
  };
  const answer = () => JSON.parse(decoder.decode(new Uint8Array(wasm.memory.buffer, wasm.text(), wasm.text_length())));
  const text = readFileSync(join(folder, "scenario.ron"), "utf8");
  for (const [, name] of text.matchAll(/file: "([^"]+)"/g)) {
    give(Buffer.concat([encoder.encode(name), readFileSync(join(folder, name))]));
    wasm.file(encoder.encode(name).length);
  }
  give(encoder.encode(JSON.stringify({ name: folder, text, timestep, duration })));
  if (wasm.load() !== 1) return JSON.stringify(answer());
  while (wasm.front_slice(4096) === 1);
  wasm.front_report();
  return answer().state_hash;
}
