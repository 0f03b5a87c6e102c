// A page with nothing but the player, by the same rules as the page of a run: what the player needs, under the same policy.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const part = (name) => readFileSync(new URL(`src/report/page/${name}`, root));
// The parts of the player in the order of their numbers, as the page of a run has them.
const scripts = readdirSync(new URL("src/report/page/player/", root)).filter((name) => name.endsWith(".js")).sort();
const STYLE = `
  body { margin: 0 auto; max-width: 76rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; }
  @media (prefers-color-scheme: dark) { body { background: #16181d; color: #e3e6ea; } }
`;

// The text of a shipped scenario with the mesh files that it names.
export function shipped(name) {
  const folder = new URL("scenarios/", root);
  const scenario = readFileSync(new URL(`${name}.ron`, folder), "utf8");
  const names = [...scenario.matchAll(/file: "([^"]+)"/g)].map(([, file]) => file);
  const files = Object.fromEntries(names.map((file) => [file, readFileSync(new URL(file, folder)).toString("base64")]));
  return { name: `${name}.ron`, title: name, scenario, files, timestep: null, duration: null, state_hash: null, error: null, step_hashes: null, paths: null };
}

// The golden table: name, seconds, first half of the state hash.
export function golden() {
  const text = readFileSync(new URL("tests/golden.rs", root), "utf8");
  return [...text.matchAll(/\("(\w+)", ([\d.]+), "([0-9a-f]{32})"/g)].map(([, name, seconds, hash]) => ({ name, seconds: Number(seconds), hash }));
}

export function page(runs, kind = "player", presets = []) {
  const style = part("player/player.css").toString();
  const script = scripts.map((name) => part(`player/${name}`)).join("");
  const sha = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${sha(script)} 'wasm-unsafe-eval'; style-src ${sha(STYLE)} ${sha(style)}; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'`;
  const data = JSON.stringify({ runs, presets }).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en" data-carom-hash="" data-carom-state="ready">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>The player</title>
<style>${STYLE}</style><style>${style}</style></head>
<body><h1>The player</h1><section id="carom-${kind}" data-run="0"></section>
<script type="application/json" id="carom-data">${data}</script>
<script type="text/plain" id="carom-wasm">${part("bundle/carom.wasm.gz").toString("base64")}</script>
<script>${script}</script></body></html>`;
}
