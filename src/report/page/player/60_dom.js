// Building the page. Nothing that comes from a scenario is ever read as HTML.
function make(tag, { text, classes, ...rest } = {}, ...children) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (classes) element.className = classes;
  for (const [name, value] of Object.entries(rest)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const ICONS = {
  play: "M8 5v14l11-7z", pause: "M6 5h4v14H6zM14 5h4v14h-4z", forth: "M6 5v14l9-7zM16 5h3v14h-3z", back: "M18 5v14l-9-7zM5 5h3v14H5z",
  next: "M4 6v12l8-6zM15 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0z", previous: "M20 6v12l-8-6zM3 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0z",
  reset: "M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z", reverse: "M16 5v14L5 12z",
  save: "M5 19h14v2H5zM11 3h2v9h4l-5 5-5-5h4z",
};

function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg"), path = document.createElementNS(space, "path");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  picture.append(path);
  return picture;
}

function iconButton(name, label, act) {
  return make("button", { type: "button", classes: "carom-icon", "aria-label": label, title: label, onclick: act }, icon(name));
}

// A number with so many digits that it can be read, and no more, and with a true minus sign.
function shown(number, digits = 4) {
  if (number === 0 || !Number.isFinite(number)) return String(number === 0 ? 0 : number);
  const size = Math.abs(number);
  const isPlain = size < 1e6 && size >= 1e-4, rounded = () => Number(number.toPrecision(Math.max(digits, Math.ceil(Math.log10(size)))));
  return (isPlain ? String(rounded()) : number.toExponential(digits - 1)).replaceAll("-", "−");
}

const vectorShown = (vector) => `(${vector.map((part) => shown(Math.abs(part) < 1e-12 ? 0 : part)).join(", ")})`;
