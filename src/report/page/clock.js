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

  // The run that a part of the page belongs to, by its number.
  const runOf = (element) => Number(element.closest("[data-run]")?.dataset.run ?? 0);
  const goTo = (element, time, isImpact = false) => document.dispatchEvent(new CustomEvent("carom-seek", { detail: { time, isImpact, run: runOf(element) } }));

  // A value along an axis at a part of its length, and the part of a value.
  const valueAt = ({ low, high, log }, part) => (log ? low * (high / low) ** part : low + (high - low) * part);
  const partOf = ({ low, high, log }, value) => (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  const isTime = ({ x }) => x.quantity === "time";

  // A value with as many digits as a pixel tells apart, or a few more.
  const said = ({ low, high, log, quantity, unit }, value) => {
    const step = log ? Math.abs(value) : Math.abs(high - low), digits = Math.ceil(Math.log10((Math.abs(value) || step) / step)) + 4;
    return `${quantity || "value"} ${Number(value.toPrecision(Math.min(15, Math.max(3, digits))))}${unit ? ` ${unit}` : ""}`;
  };

  for (const plot of document.querySelectorAll(".plot")) {
    const frames = JSON.parse(plot.dataset.scales);
    if (frames.length === 0) continue;
    const words = make("output", "reading", plot);
    words.setAttribute("aria-hidden", "true");
    words.hidden = true;
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
      return { frame, x: valueAt(frame.x, along), y: valueAt(frame.y, 1 - down), at };
    };
    plot.addEventListener("pointermove", (event) => {
      const hit = found(event);
      words.hidden = !hit;
      plot.classList.toggle("leads", Boolean(hit && isTime(hit.frame)));
      if (!hit) return;
      words.textContent = [[hit.frame.x, hit.x], [hit.frame.y, hit.y]].filter(([axis]) => axis.quantity).map(([axis, value]) => said(axis, value)).join(", ");
      words.style.left = `${100 * hit.at[0]}%`;
      words.style.top = `${100 * hit.at[1]}%`;
      words.classList.toggle("left", hit.at[0] > 0.5);
    });
    plot.addEventListener("pointerleave", () => (words.hidden = true));
    plot.addEventListener("click", (event) => {
      const hit = found(event);
      if (hit && isTime(hit.frame)) goTo(plot, hit.x);
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
  if (!document.getElementById("carom-player")) return;
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
