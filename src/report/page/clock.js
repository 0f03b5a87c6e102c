"use strict";
// One clock for the page: plots read values off and show the instant of the player, and instants in plots and tables lead the
// player there. The player and this script speak by events of the document, so each works without the other.
(() => {
  const make = (tag, classes, parent) => {
    const element = document.createElement(tag);
    element.className = classes;
    parent.append(element);
    return element;
  };

  const hasPlayer = Boolean(document.getElementById("carom-player"));

  // The run that a part of the page belongs to, by its number.
  const runOf = (element) => Number(element.closest("[data-run]")?.dataset.run ?? 0);
  const goTo = (element, time, isImpact = false) => document.dispatchEvent(new CustomEvent("carom-seek", { detail: { time, isImpact, run: runOf(element) } }));

  // A value along an axis at a part of its length, and the part of a value.
  const valueAt = ({ low, high, log }, part) => (log ? low * (high / low) ** part : low + (high - low) * part);
  const partOf = ({ low, high, log }, value) => (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  const isTime = ({ x }) => x.quantity === "time";

  // A value with as many digits as a pixel tells apart.
  const said = ({ low, high, log, quantity, unit }, value, name) => {
    const step = log ? Math.abs(value) : Math.abs(high - low), digits = Math.ceil(Math.log10((Math.abs(value) || step) / step)) + 3;
    return `${quantity || "value"} ${Number(value.toPrecision(Math.min(15, Math.max(3, digits))))}${unit ? ` ${unit}` : ""}${name ? ` (${name})` : ""}`;
  };

  // The longest gap within a dashed line, in units of a picture: six pixels.
  const GAP = 60;
  // How near a theory is pointed at, as a part of the height of a picture, where it is not a line among others.
  const NEAR = 0.04;

  // Dashes as whole lines.
  const joined = (pieces) => pieces.reduce((lines, piece) => {
    const [x, y] = lines.at(-1)?.at(-1) ?? [Infinity, 0];
    if (piece[0][0] >= x && Math.hypot(piece[0][0] - x, piece[0][1] - y) <= GAP) lines.at(-1).push(...piece);
    else lines.push(piece);
    return lines;
  }, []);

  // The lines of a picture that can be read, by the names of its parts, as parts of its width and height: from the picture itself.
  const linesOf = (plot) => {
    const [kind, bytes] = plot.querySelector("img").src.split(",");
    if (!kind.startsWith("data:image/svg+xml")) return [];
    const text = new TextDecoder().decode(Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0)));
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement, [, , wide, tall] = svg.getAttribute("viewBox").split(" ").map(Number);
    const parts = svg.querySelectorAll(":scope > g");
    return JSON.parse(plot.dataset.curves).map(({ part, isTheory, isDashed }) => {
      const pieces = [...parts[part].querySelectorAll("polyline")].map((line) => line.getAttribute("points").trim().split(/\s+/).map((point) => point.split(",").map(Number)));
      const lines = (isDashed ? joined(pieces) : pieces).map((line) => line.map(([x, y]) => [x / wide, y / tall]));
      return { name: parts[part].querySelector("title")?.textContent ?? "", isTheory, lines };
    });
  };

  // Where the nearest curve of a frame is above or below a place: only if all its lines go from left to right. A theory of what
  // is not shown as lines must be near, so that the axes can be read elsewhere.
  const nearest = (curves, { min, max }, [x, y]) => {
    let best = null, isAlone = true;
    for (const { name, isTheory, lines } of curves) {
      const own = lines.filter((line) => line.every((point) => point.every((part, side) => part >= min[side] - 2e-3 && part <= max[side] + 2e-3)));
      if (own.some((line) => line.some(([at], rank) => rank > 0 && at < line[rank - 1][0] - 1e-6))) return null;
      for (const line of own) {
        const rank = line.findIndex(([at], place) => place > 0 && at >= x && line[place - 1][0] <= x);
        if (rank < 1) continue;
        const [[left, before], [right, after]] = [line[rank - 1], line[rank]], height = right > left ? before + ((x - left) / (right - left)) * (after - before) : after;
        isAlone &&= isTheory;
        if (!best || Math.abs(height - y) < Math.abs(best.height - y)) best = { name, height };
      }
    }
    return best && isAlone && Math.abs(best.height - y) > NEAR ? null : best;
  };

  for (const plot of document.querySelectorAll(".plot")) {
    const frames = JSON.parse(plot.dataset.scales);
    if (frames.length === 0) continue;
    const words = make("output", "reading", plot);
    words.setAttribute("aria-hidden", "true");
    words.hidden = true;
    const spot = make("div", "spot", plot);
    spot.hidden = true;
    let curves = null;
    const lines = frames.map((frame) => {
      const line = make("div", "instant", plot);
      line.hidden = true;
      return { frame, line };
    });
    const found = (event) => {
      const box = plot.getBoundingClientRect(), at = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
      const frame = frames.find(({ min, max }) => at.every((part, side) => part >= min[side] && part <= max[side]));
      if (!frame) return null;
      const [along, down] = at.map((part, side) => (part - frame.min[side]) / (frame.max[side] - frame.min[side]));
      // A plot of lines is read on the nearest one.
      curves ??= linesOf(plot);
      const curve = nearest(curves, frame, at), height = curve ? (curve.height - frame.min[1]) / (frame.max[1] - frame.min[1]) : down;
      return { frame, x: valueAt(frame.x, along), y: valueAt(frame.y, 1 - height), at: [at[0], curve?.height ?? at[1]], curve };
    };
    plot.addEventListener("pointermove", (event) => {
      const hit = found(event);
      words.hidden = !hit;
      spot.hidden = !hit?.curve;
      plot.classList.toggle("leads", Boolean(hasPlayer && hit && isTime(hit.frame)));
      if (!hit) return;
      const axes = [[hit.frame.x, hit.x], [hit.frame.y, hit.y, hit.curve?.name]].filter(([axis]) => axis.quantity);
      words.textContent = axes.map((axis) => said(...axis)).join(", ");
      for (const element of [words, spot]) {
        element.style.left = `${100 * hit.at[0]}%`;
        element.style.top = `${100 * hit.at[1]}%`;
      }
      words.classList.toggle("left", hit.at[0] > 0.5);
    });
    plot.addEventListener("pointerleave", () => (words.hidden = spot.hidden = true));
    plot.addEventListener("click", (event) => {
      const hit = found(event);
      if (hasPlayer && hit && isTime(hit.frame)) goTo(plot, hit.x);
    });
    document.addEventListener("carom-time", ({ detail: { time, run } }) => {
      for (const { frame, line } of lines) {
        const part = partOf(frame.x, time);
        line.hidden = !isTime(frame) || run !== runOf(plot) || !(part >= 0 && part <= 1);
        if (line.hidden) continue;
        line.style.left = `${100 * (frame.min[0] + part * (frame.max[0] - frame.min[0]))}%`;
        line.style.top = `${100 * frame.min[1]}%`;
        line.style.height = `${100 * (frame.max[1] - frame.min[1])}%`;
      }
    });
  }

  // The instant of an event leads there. Without a player there is nowhere to go.
  if (!hasPlayer) return;
  for (const box of document.querySelectorAll(".events")) {
    box.querySelectorAll("tbody tr").forEach(({ cells: [cell] }) => {
      const button = make("button", "go", cell);
      button.type = "button";
      button.title = "Show this instant in the player";
      button.append(cell.firstChild);
    });
    box.addEventListener("click", ({ target }) => {
      const row = target.closest(".go")?.closest("tr");
      if (row) goTo(box, Number(row.cells[0].textContent), row.cells[1].textContent === "impact");
    });
  }
})();
