// The player and the playground in Chromium without a head, opened from disk under the policy of the page of a run.
//
//   node tests/page/check.mjs [PAGE.html...]     own pages, and pages that `carom report` wrote
//
// It takes `npm ci` in this folder once, and a Chromium: CHROMIUM says where, or it is looked for.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
const failures = [];

function check(what, found, wanted) {
  const isRight = JSON.stringify(found) === JSON.stringify(wanted);
  const line = `${isRight ? "ok    " : "FAILED"} ${what}${isRight ? "" : `: ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`}`;
  if (!isRight) failures.push(line);
  console.log(line);
}

// Opens a page, which then does not play by itself; what the browser complains about counts as a failure, and so does any request beyond the disk.
async function open(html, options = {}) {
  const file = html.startsWith("<") ? join(folder, "page.html") : resolve(html);
  if (html.startsWith("<")) writeFileSync(file, html);
  const tab = await browser.newPage({ viewport: { width: 1000, height: 800 }, reducedMotion: "reduce", ...options });
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

const known = (tab) => tab.waitForFunction(() => document.querySelector(".carom-stage").dataset.isKnown === "true", null, { timeout: 120000 });

// Changes a scenario, and waits until the courses of its new run are known. What was known before may still be there when the
// change has been made, so the page keeps watch from before on.
async function rerun(tab, act) {
  await tab.evaluate(() => {
    const stage = document.querySelector(".carom-stage");
    let isNew = false;
    globalThis.rerun = new Promise((done) => new MutationObserver(() => {
      isNew ||= stage.dataset.isKnown === "false";
      if (isNew && stage.dataset.isKnown === "true") done();
    }).observe(stage, { attributeFilter: ["data-is-known"] }));
  });
  await act();
  await tab.evaluate(() => globalThis.rerun);
}

// The clock of the player, without a browser.
function clock() {
  const parts = ["60_dom", "70_player"].map((name) => readFileSync(new URL(`../../src/report/page/player/${name}.js`, import.meta.url), "utf8"));
  const clockShown = new Function(`${parts.join("")}; return clockShown;`)();
  const rows = [[0.25, 2, "0.250 of 2 s"], [2.5e-10, 1e-9, "0.250e-9 of 1e-9 s"], [1e-12, 3.2e-12, "1.000e-12 of 3.2e-12 s"], [100, 5000, "100.00 of 5000 s"]];
  for (const [time, duration, words] of rows) check(`the clock at ${time} s`, clockShown(time, duration), words);
  const [shown, isMeeting] = new Function(`${parts.join("")}; return [shown, isMeeting];`)();
  check("numbers have a true minus sign", [-1, -2.5e-7, 3].map((number) => shown(number)), ["−1", "−2.500e−7", "3"]);
  const events = [["impact", 1], ["rest", 1], ["rest", 0], ["slip", 0]].map(([kind, speed]) => isMeeting({ kind, approach_speed: speed }));
  check("bodies meet with a rebound or without one", events, [true, true, false, false]);
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
  check("to the end", await moved(tab, () => seek(tab, 1)), 2);
  check("ball 1 has not moved since", (await place())[0].toFixed(12), "-0.200000000000");
  check("to the beginning", await moved(tab, () => seek(tab, 0)), 0);
  check("ball 1 where it began", await place(), [-1, 0, 0]);
  await tab.check("text=hold at impacts");
  await tab.click("[aria-label=Play]");
  // It is held for less than half a second.
  const held = await tab.waitForFunction(() => document.querySelector(".carom-note").textContent.startsWith("Impact") && document.querySelector(".carom-player").dataset.time);
  check("held exactly at the first impact", Number(await held.jsonValue()), times[0]);
  await seek(tab, 0);
  await tab.waitForFunction(() => document.querySelector(".carom-player").dataset.time === "0" && document.querySelector("[aria-label=Play]"));
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

const seek = (tab, part) => tab.evaluate((to) => {
  const seeker = document.querySelector(".carom-seeker");
  seeker.value = to;
  seeker.dispatchEvent(new Event("input"));
}, part);

// Waits until the picture has been drawn as it is now.
const drawn = (tab) => tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));

// The bodies that the page says leave the picture; all others have to stay in it.
const LEAVERS = {};

// At the beginning, in the middle and at the end all bodies are in the picture.
async function framing() {
  const names = readdirSync(new URL("../../scenarios/", import.meta.url)).filter((name) => name.endsWith(".ron")).map((name) => name.replace(".ron", ""));
  for (const name of names) {
    for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
      const { tab, complaints } = await open(page([shipped(name)]), { viewport });
      await known(tab);
      const named = JSON.parse((await tab.getAttribute(".carom-away", "data-names")) ?? "[]"), outside = new Set();
      for (const part of [0.35, 0.7, 1, 0]) {
        await moved(tab, () => seek(tab, part));
        await drawn(tab);
        JSON.parse(await tab.getAttribute(".carom-stage", "data-outside")).filter((body) => !named.includes(body)).forEach((body) => outside.add(body));
      }
      check(`${name} at ${viewport.width}: bodies that leave the picture`, [named, [...outside]], [LEAVERS[name] ?? [], []]);
      check(`${name} at ${viewport.width}: no complaint`, complaints, []);
      await tab.close();
    }
  }
}

// Courses, without a browser: the lines go through the knots, and no farther from the parabola than they may.
function courses() {
  const parts = ["06_piece", "25_vector", "48_course"].map((name) => readFileSync(new URL(`../../src/report/page/player/${name}.js`, import.meta.url), "utf8"));
  const Course = new Function(`${parts.join("")}; return Course;`)();
  const courseOf = (knots, ranges, samples, periods = [null, null, null]) => {
    const bodies = ranges.map(() => ({ motion: "free", shape: { sphere: 0.1 } }));
    const course = new Course({ scenario: { gravity: [0, 0, -10], periods }, bodies, half: () => [0.1, 0.1, 0.1] });
    course.take({ only: null, isOver: true, knots, samples, ranges });
    return course;
  };
  const linesOf = (course) => {
    const lines = [];
    course.each((id, points) => lines.push(points));
    return lines;
  };
  // Thrown up at 10 m/s from the ground, it is there again after 2 s, bounces with half the speed, and again.
  const knots = [[0, 0, 0, 0, 1, 0, 10], [2, 2, 0, 0, 1, 0, 5], [3, 3, 0, 0, 1, 0, 5]];
  const thrown = courseOf([[0, knots.flat()]], [[0, [0, 0, 0, 3, 0, 4.9]]], [0, 0, 0, 0, 10, 0, 1, 0, 4.9, 1, 0, 3, 0, 0, 5]);
  const [line] = linesOf(thrown);
  check("a course goes through its impacts", knots.map(([time, x]) => line.some((point) => point.time === time && point.place[0] === x && point.place[2] === 0)), [true, true, true]);
  const height = (time) => (time < 2 ? 10 * time - 5 * time ** 2 : 5 * (time - 2) - 5 * (time - 2) ** 2);
  const gap = Math.max(...line.slice(1).map((point, rank) => Math.abs((point.place[2] + line[rank].place[2]) / 2 - height((point.time + line[rank].time) / 2))));
  check("chords stay near the parabola", gap < 5.2 / 3000, true);
  check("the box has the top of the flight", thrown.box().map((corner) => corner.map((part) => part.toFixed(9))), [["-0.100000000", "-0.100000000", "-0.100000000"], ["3.100000000", "0.100000000", "5.100000000"]]);
  // A body that is away for a while leaves a gap.
  const gone = courseOf([[0, [...knots[0], NaN, 0, 0, 0, 0, 0, 0, ...knots[1], ...knots[2]]]], [[0, [0, 0, 0, 3, 0, 4.9]]], []);
  check("no line where a body is not there", linesOf(gone).map((points) => points[0].time), [2]);
  // No line leads to where a command has put a body, from the last look before.
  const put = courseOf([[0, [0, 0, 0, 0, 1, 0, 0, 0.99, 0.99, 0, 0, 1, 0, 0, 1, 0, 5, 0, 1, 0, 0, 2, 1, 5, 0, 1, 0, 0]]], [[0, [0, 0, 0, 1, 5, 0]]], []);
  put.scene.scenario.gravity = [0, 0, 0];
  check("no line to where a body is put", linesOf(put).map((points) => points.map(({ place }) => place[1])), [[0, 0], [5, 5]]);
  // Through the side of a periodic cell and in again at the other.
  const around = courseOf([[0, [0, 0.9, 0, 0, 1, 0, 0, 1, 0.9, 0, 0, 1, 0, 0]]], [[0, [0, 0, 0, 1, 0, 0]]], [], [[0, 1], null, null]);
  check("across a boundary the nearest image counts", linesOf(around)[0].at(-1).place[0].toFixed(9), "1.900000000");
  const frame = ["06_piece", "25_vector", "48_course", "52_framing"].map((name) => readFileSync(new URL(`../../src/report/page/player/${name}.js`, import.meta.url), "utf8"));
  const framed = new Function(`${frame.join("")}; return framed;`)();
  const far = { points: () => [[5.25, 0, 0, 0.1], [-3.5, 0, 0.5, 0.1]], box: () => [[-4, -1, -1], [6, 1, 1]] };
  const { extent } = framed({ scenario: { periods: [[0, 1], null, null] }, bodies: [], course: far });
  check("however far a course goes, its periodic cell is in view", extent, [[0, -1, -1], [1, 1, 1]]);
  // Nine bodies stay near the middle, and one flies off.
  const samples = [], ranges = [];
  for (let id = 0; id < 10; id++) {
    const far = id === 9 ? 1000 : 0;
    for (const time of [0, 1, 2, 3]) samples.push(id, id / 10 + far * time, 0, 0, 1);
    ranges.push([id, [id / 10, 0, 0, id / 10 + 3 * far, 0, 0]]);
  }
  const shot = courseOf([], ranges, samples);
  check("one that flies off is left out", [shot.leavers(), shot.box()[1][0] < 3], [[9], true]);
}

async function looking() {
  const { tab, complaints } = await open(page([shipped("two_ball_drop")]), { hash: "#t=0.25" });
  await finished(tab);
  await known(tab);
  const time = () => tab.getAttribute(".carom-player", "data-time");
  check("the address says the instant", await time(), "0.25");
  const picture = async () => (await drawn(tab), tab.evaluate(() => document.querySelector(".carom-canvas").toDataURL()));
  const withTrails = await picture();
  await tab.uncheck("text=trails");
  check("courses are drawn", (await picture()) !== withTrails, true);
  await tab.check("text=trails");
  check("and again, the same", (await picture()) === withTrails, true);
  await tab.focus(".carom-canvas");
  for (const [keys, what] of [[["ArrowLeft", "ArrowUp"], "turned"], [["+"], "nearer"]]) {
    const before = await picture();
    for (const key of keys) await tab.keyboard.press(key);
    check(`keys: ${what}`, (await picture()) !== before, true);
  }
  await tab.keyboard.press("0");
  check("keys: as at first", (await picture()) === withTrails, true);
  check("the time has not changed", await time(), "0.25");
  await tab.selectOption("select[aria-label=Colours]", "speed");
  check("colours by speed", (await picture()) !== withTrails, true);
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.click("[aria-label='Save the picture']")]);
  const bytes = readFileSync(await download.path());
  check("the picture is a PNG", [download.suggestedFilename(), bytes.subarray(1, 4).toString(), bytes.length > 5000], ["two_ball_drop_0.25_s.png", "PNG", true]);
  await moved(tab, () => seek(tab, 0.5));
  check("the instant is in the address", await tab.evaluate(() => Number(location.hash.slice(3)) === Number(document.querySelector(".carom-player").dataset.time)), true);
  check("no complaint", complaints, []);
  await tab.close();
  // A body that flies off is named, and an arrow says where it is.
  const ball = (name, x, more = "") => `(name: "${name}", shape: Sphere(radius: 0.1), mass: 1, position: (${x}, 0, 0)${more}),`;
  const balls = [...Array(12).keys()].map((rank) => ball(`ball ${rank}`, 0.3 * rank)).join("");
  const scenario = `(timestep: 0.1, duration: 5, bodies: [${balls}${ball("bullet", -1, ", velocity: (0, 0, 900)")}])`;
  const shot = await open(page([{ ...shipped("zeno"), scenario }]));
  await known(shot.tab);
  await moved(shot.tab, () => seek(shot.tab, 1));
  await drawn(shot.tab);
  check("what flies off is named", [await shot.tab.textContent(".carom-away"), await shot.tab.getAttribute(".carom-stage", "data-outside")], ["Goes out of the picture: bullet", '["bullet"]']);
  check("no complaint", shot.complaints, []);
  await shot.tab.close();
  // By itself, once, unless the reader wants no motion.
  const moving = await open(page([shipped("two_ball_drop")]), { reducedMotion: "no-preference" });
  await moving.tab.waitForFunction(() => Number(document.querySelector(".carom-player").dataset.time) > 0.1);
  check("it plays by itself", moving.complaints, []);
  await moving.tab.close();
  const phone = await open(page([shipped("two_ball_drop")]), { viewport: { width: 390, height: 500 }, hasTouch: true });
  await finished(phone.tab);
  check("it does not where motion is not wanted", await phone.tab.getAttribute(".carom-player", "data-time"), "0");
  const session = await phone.tab.context().newCDPSession(phone.tab), box = await phone.tab.locator(".carom-canvas").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2], touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", { x, y });
  for (let moves = 1; moves <= 12; moves++) {
    await touch("touchMove", { x, y: y - 15 * moves });
    await drawn(phone.tab);
  }
  await touch("touchEnd");
  // It scrolls beside the page's own thread.
  check("a swipe on the picture scrolls the page", await phone.tab.waitForFunction(() => scrollY > 50).then(() => true, () => false), true);
  await phone.tab.close();
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
  check("the text is folded", await tab.isVisible(".carom-editor"), false);
  await tab.click(".carom-writing summary");
  await tab.fill(".carom-editor", "(\n  timestep: 0.1,\n  duration: -1,\n)");
  check("while the text is written in, sliders wait", await tab.isDisabled(".carom-slider input[type=number]"), true);
  await tab.waitForSelector(".carom-problems li");
  check("what is wrong, and where", /line 3, column 13.*duration/.test(await tab.textContent(".carom-problems li:nth-child(1)")), true);
  await tab.click(".carom-problems button");
  check("the cursor is there", await tab.evaluate(() => document.querySelector(".carom-editor").selectionStart), 31);
  await tab.click("text=As it was");
  await tab.waitForFunction((hash) => document.documentElement.dataset.caromHash === hash && document.querySelectorAll(".carom-problems li").length === 0, caromHash);
  await tab.focus(".carom-canvas");
  const instant = await moved(tab, () => tab.keyboard.press("End"));
  await tab.fill("text=speed of the first ball", "1.5");
  check("a number that is typed is written into the text", /velocity: \(1\.5, 0, 0\)/.test(await tab.inputValue(".carom-editor")), true);
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
  check("no complaint", again.complaints, []);
  await again.tab.close();
  const damaged = await open(page([shipped("newtons_cradle")], "playground"), { hash: "#s=AAAA" });
  await finished(damaged.tab);
  check("a damaged link is told", /damaged/.test(await damaged.tab.textContent(".carom-link")), true);
  check("no complaint", damaged.complaints, []);
  await damaged.tab.close();
}

// While a slider is dragged the eye stays, so that one sees what changes; when it is let go the picture has all again.
async function dragging() {
  const { tab, complaints } = await open(page([shipped("newtons_cradle")], "playground"), { viewport: { width: 1440, height: 900 } });
  await known(tab);
  const distance = async () => (await drawn(tab), tab.getAttribute(".carom-stage", "data-distance"));
  const before = await distance(), box = await tab.locator(".carom-slider", { hasText: "speed of the first ball" }).locator("input[type=range]").boundingBox();
  const to = (part, y = box.y + box.height / 2) => tab.mouse.move(box.x + part * box.width, y);
  await to(0.9);
  await rerun(tab, () => tab.mouse.down());
  check("the eye stays when a slider is grasped", await distance(), before);
  await rerun(tab, () => to(0.75));
  check("the eye stays while it is dragged", await distance(), before);
  await to(0.75, 20);
  await tab.mouse.up();
  const after = await distance();
  check("the picture has all when it is let go", Number(after) > Number(before), true);
  await rerun(tab, () => tab.keyboard.press("PageDown"));
  check("and after a key", (await distance()) < after, true);
  // An error in between loses neither the instant nor one that is asked for in the meantime.
  await tab.click(".carom-writing summary");
  const text = await tab.inputValue(".carom-editor");
  for (const [part, asked] of [[0.75, null], [0.5, 0.25]]) {
    await moved(tab, () => seek(tab, part));
    await tab.fill(".carom-editor", text.replace("timestep", "timesteps"));
    await tab.waitForSelector(".carom-problems li");
    if (asked !== null) await seek(tab, asked);
    await rerun(tab, () => tab.fill(".carom-editor", text));
    check(`after an error it goes on at ${asked ?? "the same"}`, Number(await tab.getAttribute(".carom-player", "data-time")), 2 * (asked ?? part));
  }
  check("no complaint", complaints, []);
  await tab.close();
}

// However large the letters are, what is wrong does not move the graph: it has a box of its own that scrolls.
async function problems() {
  for (const [width, height] of [[1440, 900], [768, 1024], [390, 844]]) {
    const { tab, complaints } = await open(page([shipped("zeno")], "playground"), { viewport: { width, height } });
    await tab.click(".carom-writing summary");
    const right = await tab.inputValue(".carom-editor"), wrong = right.replace("timestep", "timesteps");
    const place = () => tab.evaluate(() => document.querySelector(".carom-graph").getBoundingClientRect().top + scrollY);
    for (const size of [16, 40, 64]) {
      await tab.evaluate((pixels) => (document.documentElement.style.fontSize = `${pixels}px`), size);
      await rerun(tab, () => tab.fill(".carom-editor", right));
      const before = await place();
      await tab.fill(".carom-editor", wrong);
      await tab.waitForSelector(".carom-problems li");
      const list = tab.locator(".carom-problems");
      await list.focus();
      const { tall, isCut } = await list.evaluate((box) => ({ tall: box.clientHeight, isCut: box.scrollHeight > box.clientHeight }));
      if (isCut) await tab.keyboard.press("End");
      const isRead = !isCut || (await tab.waitForFunction(() => document.querySelector(".carom-problems").scrollTop > 0).then(() => true, () => false));
      check(`an error at ${width}, letters of ${size}: the graph stays, the list is low and scrolls`, [await place(), tall <= 0.31 * height, isRead, isCut || size < 64], [before, true, true, true]);
    }
    check(`an error at ${width}: no complaint`, complaints, []);
    await tab.close();
  }
}

// What a class does: sliders that the scenario names, their numbers, the graph, other scenarios, a phone.
async function teaching() {
  const presets = ["newtons_cradle", "galperin_pi", "shaker", "break_shot"].map(shipped);
  const { tab, complaints } = await open(page([shipped("zeno")], "playground", presets), { viewport: { width: 1440, height: 900 } });
  await finished(tab);
  const graph = (name) => tab.getAttribute(".carom-graph", `data-${name}`).then(Number);
  const label = () => tab.getAttribute(".carom-graph", "aria-label");
  await known(tab);
  check("only the sliders that the scenario names", await tab.locator(".carom-slider:visible").count(), 4);
  check("the graph is that of three energies", [await label(), await graph("points"), await graph("former")], ["Energy over time", 3 * 961, 0]);
  const bar = tab.locator(".carom-slider", { hasText: "glass ball" }).first().locator("input[type=range]"), field = tab.locator(".carom-slider", { hasText: "glass ball" }).first().locator("input[type=number]");
  await bar.focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) await rerun(tab, () => tab.keyboard.press(key));
  check("arrow keys move it by its steps", await field.inputValue(), "0.91");
  await rerun(tab, () => field.fill("0.5"));
  check("the run before is kept beside it", await graph("former"), 3);
  await moved(tab, () => seek(tab, 1));
  const text = (await tab.textContent(".carom-readings")).replaceAll("\u00a0", " ");
  check("the graph says what there is and what there was", /kinetic .* J before .*potential .*total/.test(text), true);
  await field.fill("3");
  await rerun(tab, () => field.blur());
  check("a number outside of the range is put into it", await field.inputValue(), "1");
  await tab.selectOption("select[aria-label='Graph of']", "z");
  check("the heights of both balls, and of both before", [await label(), await graph("former")], ["Position z over time, with the run before the last change", 2]);
  const box = await tab.locator(".carom-graph").boundingBox();
  const time = await moved(tab, () => tab.mouse.click(box.x + box.width / 2, box.y + box.height / 2));
  check("a click in the graph leads to its instant", Math.abs(time - 5) < 0.5, true);
  // Under the pointer the graph says the values there.
  await tab.mouse.move(0, 0);
  await tab.selectOption("select[aria-label='Scenario to begin with']", { label: "galperin_pi" });
  await tab.waitForFunction(() => document.querySelectorAll(".carom-slider").length === 3 && document.querySelector(".carom-player").dataset.time === "0");
  await known(tab);
  await tab.selectOption("select[aria-label='Bodies in the graph']", { label: "small 2" });
  await moved(tab, () => seek(tab, 1));
  check("31 impacts give two digits of π", [await label(), /small 2 31\b/.test(await tab.textContent(".carom-readings"))], ["Number of impacts over time", true]);
  await tab.locator(".carom-slider", { hasText: "large block" }).locator("input[type=range]").focus();
  await tab.keyboard.press("ArrowRight");
  await tab.waitForFunction(() => /small 2 314\b.*before 31\b/.test(document.querySelector(".carom-readings").textContent), null, { timeout: 60000 });
  check("a step of a logarithmic slider is a factor", await tab.locator(".carom-slider input[type=number]").first().inputValue(), "10000");
  check("no complaint", complaints, []);
  await tab.close();
  for (const name of ["zeno", "newtons_cradle", "galperin_pi", "shaker", "break_shot"]) {
    const phone = await open(page([shipped(name)], "playground", presets), { viewport: { width: 390, height: 844 }, hasTouch: true });
    await finished(phone.tab);
    await known(phone.tab);
    const ends = await phone.tab.evaluate(() => [".carom-canvas", ".carom-graph", ".carom-slider"].map((part) => document.querySelector(part).getBoundingClientRect()).map(({ top, bottom }) => top >= 0 && bottom <= innerHeight));
    check(`${name} on a phone: picture, graph and a slider are in view`, ends, [true, true, true]);
    check(`${name} on a phone: as wide as the window`, await phone.tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    check(`${name} on a phone: no complaint`, phone.complaints, []);
    await phone.tab.close();
  }
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
    for (const [width, height] of [[1440, 900], [768, 1024], [390, 844]]) {
      await tab.setViewportSize({ width, height });
      await tab.evaluate(() => scrollTo(0, 0));
      const low = await tab.evaluate(() => [".carom-canvas", ".carom-seeker", "[aria-label=Play]"].map((part) => document.querySelector(part).getBoundingClientRect().bottom <= innerHeight));
      check(`${file} at ${width}: the picture, the line of time and the controls are in view`, low, [true, true, true]);
      check(`${file} at ${width}: as wide as the window`, await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    }
    await oneClock(tab, file);
    check(`${file}: theories that no pointer can read`, await unread(tab), []);
    await tab.close();
  }
}

// The curves beside the subjects of plots that are not read anywhere under a pointer.
function unread(tab) {
  return tab.evaluate(() => [...document.querySelectorAll(".plot")].flatMap((plot) => {
    const [kind, bytes] = plot.querySelector("img").src.split(","), theories = JSON.parse(plot.dataset.curves).filter(({ isTheory }) => isTheory);
    if (!kind.startsWith("data:image/svg+xml") || theories.length === 0) return [];
    const text = new TextDecoder().decode(Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)));
    const parts = new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("svg > g"), box = plot.getBoundingClientRect(), read = new Set();
    for (let place = 0; place < 60 * 60; place++) {
      const [across, down] = [place % 60, Math.floor(place / 60)].map((part) => (part + 0.5) / 60);
      plot.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + across * box.width, clientY: box.top + down * box.height }));
      if (!plot.querySelector(".spot").hidden) read.add(plot.querySelector(".reading").textContent);
    }
    return theories.map(({ part }) => parts[part].querySelector("title").textContent).filter((name) => ![...read].some((words) => words.endsWith(`(${name})`)));
  }));
}

// Plots over time and the list of events lead to instants, and plots show the one of the player.
async function oneClock(tab, file) {
  await tab.setViewportSize({ width: 1440, height: 900 });
  const place = await tab.evaluate(() => {
    for (const plot of document.querySelectorAll(".plot")) {
      const frame = JSON.parse(plot.dataset.scales).find(({ x }) => x.quantity === "time" && !x.log);
      if (!frame) continue;
      plot.scrollIntoView({ block: "center" });
      const box = plot.getBoundingClientRect(), middle = [0, 1].map((side) => (frame.min[side] + frame.max[side]) / 2);
      return { x: box.left + box.width * middle[0], y: box.top + box.height * middle[1], time: (frame.x.low + frame.x.high) / 2, pixel: (2 * (frame.x.high - frame.x.low)) / box.width };
    }
    return null;
  });
  if (place) {
    const time = await moved(tab, () => tab.mouse.click(place.x, place.y));
    check(`${file}: a click in a plot leads to its instant`, Math.abs(time - place.time) <= place.pixel, true);
    check(`${file}: plots show the instant`, await tab.locator(".instant:not([hidden])").count() > 0, true);
  }
  const energy = tab.locator("figure", { has: tab.locator("img[alt='Plot: Energy over time'][src^='data:image/svg']") }).first().locator(".plot");
  if (await energy.count()) {
    await energy.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await energy.boundingBox();
    const said = async (part) => (await tab.mouse.move(x + 0.4 * width, y + part * height), /\(.*\)$/.exec(await energy.locator(".reading").textContent())?.[0]);
    const found = [await said(0.1), await said(0.12)];
    check(`${file}: under the pointer a plot reads a curve`, [found[0] === found[1], Boolean(found[0]), await energy.locator(".spot").isVisible()], [true, true, true]);
  }
  const row = tab.locator(".events tbody tr").first();
  if (await row.count()) {
    const told = Number(await row.locator("td").first().textContent());
    const time = await moved(tab, () => row.locator("button").click());
    await tab.waitForFunction((wanted) => Math.abs(Number(document.querySelector(".carom-player").dataset.time) - wanted) <= 1e-11 * wanted, told);
    check(`${file}: an event leads to its instant`, Number.isFinite(time), true);
  }
}

for (const part of [courses, clock, hashes, scrubbing, framing, looking, comparing, several, hostile, playground, dragging, problems, teaching, without, example, reports]) {
  console.log(`\n${part.name}`);
  await Promise.resolve().then(part).catch((error) => check(part.name, String(error), "no error"));
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(failures.length === 0 ? "\nall as it should be" : `\n${failures.length} failed\n${failures.join("\n")}`);
process.exit(failures.length === 0 ? 0 : 1);
