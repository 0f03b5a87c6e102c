// The player and the playground in Chromium without a head, opened from disk under the policy of the page of a run.
//
//   node tests/page/check.mjs [PAGE.html...]     own pages, and pages that `carom report` wrote
//
// It takes `npm ci` in this folder once, and a Chromium: CHROMIUM says where, or it is looked for.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { golden, page, shipped } from "./template.mjs";

const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (!executablePath) {
  console.log("skipped: there is no Chromium; apt-get install chromium");
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "carom-page-"));
const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-quic", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
let failures = 0;

function check(what, found, wanted) {
  const isRight = JSON.stringify(found) === JSON.stringify(wanted);
  if (!isRight) failures += 1;
  console.log(`${isRight ? "ok    " : "FAILED"} ${what}${isRight ? "" : `: ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`}`);
}

// Opens a page; what the browser complains about counts as a failure, and so does any request beyond the disk.
async function open(html, options = {}) {
  const file = html.startsWith("<") ? join(folder, "page.html") : resolve(html);
  if (html.startsWith("<")) writeFileSync(file, html);
  const tab = await browser.newPage({ viewport: { width: 1000, height: 800 }, ...options });
  const complaints = [];
  tab.on("console", (message) => ["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text()) && complaints.push(message.text()));
  tab.on("pageerror", (error) => complaints.push(String(error)));
  tab.on("request", (request) => !/^(file|blob|data):/.test(request.url()) && complaints.push(`asks for ${request.url()}`));
  await tab.goto(pathToFileURL(file).href + (options.hash ?? ""));
  return { tab, complaints };
}

const state = (tab) => tab.evaluate(() => ({ ...document.documentElement.dataset }));
async function finished(tab) {
  await tab.waitForFunction(() => ["done", "differs"].includes(document.documentElement.dataset.caromState), null, { timeout: 240000 });
  return state(tab);
}

// The time of the player when it has changed, s.
async function moved(tab, act) {
  const before = await tab.getAttribute(".carom-player", "data-time");
  await act();
  await tab.waitForFunction((old) => document.querySelector(".carom-player").dataset.time !== old, before, { timeout: 60000 });
  return Number(await tab.getAttribute(".carom-player", "data-time"));
}

async function hashes() {
  for (const { name, seconds, hash } of golden()) {
    const { tab, complaints } = await open(page([{ ...shipped(name), duration: seconds }]));
    const { caromState, caromHash } = await finished(tab);
    check(`${name}: the golden hash`, [caromState, caromHash.slice(0, 32)], ["done", hash]);
    check(`${name}: no complaint`, complaints, []);
    await tab.close();
  }
}

async function scrubbing() {
  const { tab, complaints } = await open(page([shipped("newtons_cradle")]));
  await finished(tab);
  await tab.selectOption("select[aria-label=Body]", { label: "ball 1" });
  const place = async () => JSON.parse(await tab.getAttribute(".carom-about", "title"));
  const next = () => tab.click("[aria-label='To the next impact']"), before = () => tab.click("[aria-label='To the impact before']");
  const times = [];
  for (let rank = 0; rank < 3; rank++) times.push(await moved(tab, next));
  check("three impacts forth", times.map((time) => time.toFixed(12)), ["0.800000000000", "0.820000000000", "0.840000000000"]);
  check("ball 1 stands where it met ball 2", (await place()).map((part) => part.toFixed(12)), ["-0.200000000000", "0.000000000000", "0.000000000000"]);
  check("the impact is told", /Impact at 0\.8[34]\d* s: ball 3 meets ball 4/.test(await tab.textContent(".carom-note")), true);
  check("and back", await moved(tab, before), times[1]);
  check("and back", await moved(tab, before), times[0]);
  check("one step forth", await moved(tab, () => tab.click("[aria-label='One step forth']")), 0.81);
  check("one step back", await moved(tab, () => tab.click("[aria-label='One step back']")), 0.8);
  const seek = (part) => tab.evaluate((to) => {
    const seeker = document.querySelector(".carom-seeker");
    seeker.value = to;
    seeker.dispatchEvent(new Event("input"));
  }, part);
  check("to the end", await moved(tab, () => seek(1)), 2);
  check("ball 1 has not moved since", (await place())[0].toFixed(12), "-0.200000000000");
  check("to the beginning", await moved(tab, () => seek(0)), 0);
  check("ball 1 where it began", await place(), [-1, 0, 0]);
  await tab.check("text=hold at impacts");
  await tab.click("[aria-label=Play]");
  await tab.waitForFunction(() => document.querySelector(".carom-note").textContent.startsWith("Impact"));
  check("held exactly at the first impact", Number(await tab.getAttribute(".carom-player", "data-time")), times[0]);
  await tab.click("[aria-label=Pause]");
  await moved(tab, () => seek(0));
  await tab.uncheck("text=hold at impacts");
  await tab.focus(".carom-canvas");
  check("a key goes to an impact", await moved(tab, () => tab.keyboard.press("Shift+ArrowRight")), times[0]);
  await moved(tab, () => tab.keyboard.press("Space"));
  await tab.waitForFunction(() => Number(document.querySelector(".carom-player").dataset.time) > 1);
  await tab.keyboard.press("Space");
  check("nothing drawn is nothing", await tab.evaluate(() => {
    const canvas = document.querySelector(".carom-canvas"), copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const pen = copy.getContext("2d");
    pen.drawImage(canvas, 0, 0);
    return new Set(new Uint32Array(pen.getImageData(0, 0, copy.width, copy.height).data.buffer)).size > 50;
  }), true);
  check("no complaint", complaints, []);
  await tab.close();
}

async function comparing() {
  const whole = shipped("newtons_cradle");
  const first = await open(page([whole]));
  const { caromHash } = await finished(first.tab);
  await first.tab.close();
  const tampered = { ...whole, state_hash: caromHash, scenario: whole.scenario.replace("velocity: (1, 0, 0)", "velocity: (1.0000000000000002, 0, 0)") };
  for (const [what, run, wanted] of [["the same", { ...whole, state_hash: caromHash }, "done"], ["a tampered scenario", tampered, "differs"],
    ["another step hash", { ...whole, state_hash: caromHash, step_hashes: [[3, "0".repeat(32)]] }, "differs"],
    ["another error", { ...whole, state_hash: caromHash, error: "it stalled" }, "differs"]]) {
    const { tab, complaints } = await open(page([run]));
    check(`${what}: ${wanted}`, (await finished(tab)).caromState, wanted);
    if (what === "another step hash") check("the step is told", /by step 3 \(0\.03 s\)/.test(await tab.textContent(".carom-verifier")), true);
    check(`${what}: no complaint`, complaints, []);
    await tab.close();
  }
}

const SQUEEZED = `(timestep: 0.02, duration: 4, bodies: [
  (name: "left", shape: Box(half_extents: (0.1, 1, 1)), motion: Kinematic, position: (-2, 0, 0), velocity: (1, 0, 0)),
  (name: "right", shape: Box(half_extents: (0.1, 1, 1)), motion: Kinematic, position: (2, 0, 0), velocity: (-1, 0, 0)),
  (name: "box", shape: Box(half_extents: (0.5, 0.5, 0.5)), mass: 1),
])`;

// A run that cannot go on, and a page of two runs.
async function several() {
  const runs = [{ ...shipped("zeno"), name: "squeezed", scenario: SQUEEZED }, { ...shipped("zeno"), scenario: null, name: "too large" }, shipped("break")];
  const { tab, complaints } = await open(page(runs));
  await finished(tab);
  check("why it ends is told", /It ends at 1\.4 s: `box` is squeezed/.test(await tab.textContent(".carom-verifier")), true);
  await tab.focus(".carom-canvas");
  check("it ends there", (await moved(tab, () => tab.keyboard.press("End"))).toFixed(6), "1.400000");
  const choices = await tab.locator("select[aria-label=Run] option").allTextContents();
  check("runs that are carried can be chosen", choices, ["squeezed: zeno", "break.ron: break"]);
  const { caromHash } = await state(tab);
  await tab.selectOption("select[aria-label=Run]", { index: 1 });
  await tab.waitForFunction((old) => document.documentElement.dataset.caromHash !== old, caromHash);
  check("the other run ends as it should", (await finished(tab)).caromState, "done");
  check("no complaint", complaints, []);
  await tab.close();
}

async function hostile() {
  const scenario = '(title: "<img src=x onerror=alert(1)></script>", timestep: 0.1, duration: 1, bodies: [(name: "<b>&amp;", shape: Sphere(radius: 1), mass: 1)])';
  const { tab, complaints } = await open(page([{ ...shipped("zeno"), scenario }]));
  await finished(tab);
  check("names are text", await tab.textContent("select[aria-label=Body] option:nth-child(2)"), "<b>&amp;");
  check("no complaint", complaints, []);
  await tab.close();
}

async function playground() {
  const { tab, complaints } = await open(page([shipped("newtons_cradle")], "playground"));
  const { caromHash } = await finished(tab);
  await tab.fill(".carom-editor", "(\n  timestep: 0.1,\n  duration: -1,\n)");
  await tab.waitForSelector(".carom-problems li");
  check("what is wrong, and where", /line 3, column 13.*duration/.test(await tab.textContent(".carom-problems li:nth-child(1)")), true);
  await tab.click(".carom-problems button");
  check("the cursor is there", await tab.evaluate(() => document.querySelector(".carom-editor").selectionStart), 31);
  await tab.click("text=As it was");
  await tab.waitForFunction((hash) => document.documentElement.dataset.caromHash === hash && document.querySelectorAll(".carom-problems li").length === 0, caromHash);
  await tab.focus(".carom-canvas");
  const instant = await moved(tab, () => tab.keyboard.press("End"));
  await tab.evaluate(() => {
    const slider = [...document.querySelectorAll(".carom-sliders label")].find((label) => label.textContent.startsWith("ball 1: velocity.x")).querySelector("input");
    slider.value = "1.5";
    slider.dispatchEvent(new Event("input"));
  });
  check("a slider writes its number", /velocity: \(1\.5, 0, 0\)/.test(await tab.inputValue(".carom-editor")), true);
  await tab.waitForFunction((hash) => document.documentElement.dataset.caromState === "done" && document.documentElement.dataset.caromHash !== hash, caromHash);
  const changed = (await state(tab)).caromHash;
  check("the instant stays", Number(await tab.getAttribute(".carom-player", "data-time")), instant);
  await tab.click("text=Copy link");
  await tab.waitForFunction(() => location.hash.startsWith("#s="));
  const hash = await tab.evaluate(() => location.hash);
  check("no complaint", complaints, []);
  await tab.close();
  const again = await open(page([shipped("newtons_cradle")], "playground"), { hash });
  await again.tab.waitForFunction((wanted) => document.documentElement.dataset.caromHash === wanted, changed);
  check("the link carries the scenario", /velocity: \(1\.5, 0, 0\)/.test(await again.tab.inputValue(".carom-editor")), true);
  await again.tab.evaluate(() => (location.hash = "#s=AAAA"));
  await again.tab.waitForSelector(".carom-problems li");
  check("a damaged link is told", /damaged/.test(await again.tab.textContent(".carom-problems")), true);
  check("no complaint", again.complaints, []);
  await again.tab.close();
}

// Without WebGL there are still discs and lines; without WebAssembly a sentence.
async function without() {
  const html = page([shipped("marble_run")]);
  const file = join(folder, "page.html");
  writeFileSync(file, html);
  const tab = await browser.newPage();
  await tab.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind === "webgl2" ? null : get.call(this, kind, ...rest);
    };
  });
  await tab.goto(pathToFileURL(file).href);
  check("without WebGL", (await finished(tab)).caromState, "done");
  await tab.close();
  const bare = await browser.newPage();
  await bare.addInitScript(() => delete globalThis.WebAssembly);
  await bare.goto(pathToFileURL(file).href);
  check("without WebAssembly", /no WebAssembly/.test(await bare.textContent("#carom-player")), true);
  await bare.close();
}

// The example that has the module without the player: the repository as a site.
async function example() {
  const root = new URL("../../", import.meta.url);
  const tab = await browser.newPage();
  const complaints = [];
  tab.on("pageerror", (error) => complaints.push(String(error)));
  await tab.route("http://localhost/**", (route) => {
    const file = new URL(`.${new URL(route.request().url()).pathname}`, root);
    return existsSync(file) ? route.fulfill({ path: fileURLToPath(file) }) : route.fulfill({ status: 404 });
  });
  await tab.goto("http://localhost/examples/browser.html");
  await tab.waitForFunction(() => /^0\.[2-9].*state hash [0-9a-f]{64}$/.test(document.querySelector("p").textContent), null, { timeout: 60000 });
  // A wall, the floor, and the air.
  const colors = await tab.evaluate(() => {
    const canvas = document.querySelector("canvas").getContext("2d");
    return [40, 320].map((x) => canvas.getImageData(x, 300, 1, 1).data[3]).concat(canvas.getImageData(320, 20, 1, 1).data[3]);
  });
  check("the room is drawn", colors, [255, 255, 0]);
  check("no complaint", complaints, []);
  await tab.close();
}

// Pages of `carom report`: the recorded hash is found again, and nothing is complained about.
async function reports() {
  for (const file of process.argv.slice(2)) {
    const { tab, complaints } = await open(file);
    check(`${file}: the recorded hash`, (await finished(tab)).caromState, "done");
    check(`${file}: no complaint`, complaints, []);
    await tab.close();
  }
}

for (const part of [hashes, scrubbing, comparing, several, hostile, playground, without, example, reports]) {
  console.log(`\n${part.name}`);
  await part().catch((error) => check(part.name, String(error), "no error"));
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(failures === 0 ? "\nall as it should be" : `\n${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
