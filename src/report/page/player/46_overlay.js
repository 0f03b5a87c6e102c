// What is written on the picture: a scale, the axes, colours, and where bodies are that are outside.
const BAR_PX = 90, ROOM_PX = 14, LEGEND_MAX = 8, OUTSIDE_NAMED_MAX = 4;

class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
  }

  draw(scene, camera, { width, height, pixel, extent, legend }) {
    const { canvas, pen } = this;
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    pen.setTransform(pixel, 0, 0, pixel, 0, 0);
    pen.clearRect(0, 0, width, height);
    Object.assign(this, { wide: width / pixel, tall: height / pixel, theme: themeColors() });
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    this.outside = outsideOf(scene, camera, this.wide / this.tall);
    this.axes(camera);
    this.bar(camera, extent);
    if (legend.speed) this.ramp(legend.speed);
    else this.names(legend.names);
    this.arrows(scene);
  }

  ink(strength = 1) {
    return `rgb(${this.theme.text.join(" ")} / ${strength})`;
  }

  // Words with a rim, so that they can be read on anything.
  say(words, x, y, align = "left") {
    const { pen } = this;
    pen.textAlign = align;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.strokeStyle = `rgb(${this.theme.paper.join(" ")} / 0.85)`;
    pen.strokeText(words, x, y);
    pen.fillStyle = this.ink();
    pen.fillText(words, x, y);
  }

  stroke(points, strength = 1) {
    const { pen } = this;
    for (const [style, wide] of [[`rgb(${this.theme.paper.join(" ")} / 0.7)`, 3.5], [this.ink(strength), 1.4]]) {
      pen.strokeStyle = style;
      pen.lineWidth = wide;
      pen.beginPath();
      points.forEach(([x, y], rank) => (rank === 0 ? pen.moveTo(x, y) : pen.lineTo(x, y)));
      pen.stroke();
    }
  }

  // The axes as they are seen, in the corner.
  axes(camera) {
    const { right, up, back } = camera.frame(), length = 24, middle = [this.wide - ROOM_PX - 26, this.tall - ROOM_PX - 26];
    const all = [0, 1, 2].map((axis) => [0, 1, 2].map((other) => (other === axis ? 1 : 0))).map((axis, rank) => ({ axis, name: "xyz"[rank] }));
    for (const { axis, name } of all.sort((a, b) => dot(a.axis, back) - dot(b.axis, back))) {
      const way = [dot(axis, right), -dot(axis, up)];
      // One that points to the eye is no line.
      if (Math.hypot(...way) < 0.4) continue;
      this.stroke([middle, middle.map((part, rank) => part + length * way[rank])]);
      this.say(name, ...middle.map((part, rank) => part + (length + 9) * way[rank]), "center");
    }
  }

  // A length, as it is at the depth of the middle; and how wide the cells of the grid are.
  bar(camera, extent) {
    const perMetre = this.tall / (2 * SLOPE * camera.distance), length = roundLength(BAR_PX / perMetre);
    const right = this.wide - ROOM_PX - 64, left = right - length * perMetre, y = this.tall - ROOM_PX;
    this.stroke([[left, y - 6], [left, y], [right, y], [right, y - 6]]);
    this.say(lengthShown(length), (left + right) / 2, y - 10, "center");
    if (this.wide > 480) this.say(`grid ${lengthShown(gridCell(extent))}`, left - 12, y - 5, "right");
  }

  ramp({ most }) {
    const { pen } = this, wide = 110, left = this.wide - ROOM_PX - wide, top = ROOM_PX;
    for (let x = 0; x < wide; x++) {
      pen.fillStyle = cssColor(rampColor(x / wide));
      pen.fillRect(left + x, top, 1.5, 8);
    }
    this.say("0", left, top + 18);
    this.say(`${shown(most, 2)} m/s`, left + wide, top + 18, "right");
  }

  names(names) {
    names.slice(0, LEGEND_MAX).forEach(({ name, color }, rank) => {
      const y = ROOM_PX + 6 + 18 * rank, { pen } = this, words = cut(name, 24);
      this.say(words, this.wide - ROOM_PX - 16, y, "right");
      pen.fillStyle = cssColor(color);
      pen.beginPath();
      pen.arc(this.wide - ROOM_PX - 5, y, 5, 0, 2 * Math.PI);
      pen.fill();
    });
  }

  // At the edge, in which direction bodies are that are outside.
  arrows(scene) {
    const { pen, wide, tall } = this;
    this.outside.slice(0, OUTSIDE_NAMED_MAX).forEach(({ id, x, y }) => {
      const most = Math.max(Math.abs(x), Math.abs(y)) || 1;
      const at = [wide * (0.5 + (0.5 * x) / most), tall * (0.5 - (0.5 * y) / most)];
      const [left, top] = [Math.min(wide - 12, Math.max(12, at[0])), Math.min(tall - 12, Math.max(12, at[1]))];
      const angle = Math.atan2(-y, x);
      pen.save();
      pen.translate(left, top);
      pen.rotate(angle);
      pen.fillStyle = cssColor(scene.color(id));
      pen.beginPath();
      [[9, 0], [-5, 6], [-5, -6]].forEach(([u, v], rank) => (rank === 0 ? pen.moveTo(u, v) : pen.lineTo(u, v)));
      pen.fill();
      pen.restore();
      this.say(cut(scene.bodies[id].name, 24), left + (left > wide / 2 ? -14 : 14), top, left > wide / 2 ? "right" : "left");
    });
  }
}

// The bodies that move and whose middle is not in the picture, with where they are.
function outsideOf(scene, camera, aspect) {
  const { right, up, back } = camera.frame(), { poses } = scene, { target, distance } = camera, found = [];
  // There may be very many bodies, so there is no vector made.
  const along = (axis, at) => (poses[at] - target[0]) * axis[0] + (poses[at + 1] - target[1]) * axis[1] + (poses[at + 2] - target[2]) * axis[2];
  for (const id of scene.movers()) {
    const at = 3 + 9 * id;
    if (Number.isNaN(poses[at]) || scene.bodies[id].shape.plane) continue;
    const away = along(back, at), depth = SLOPE * Math.abs(distance - away), x = along(right, at) / (depth * aspect), y = along(up, at) / depth;
    if (away >= distance || Math.abs(x) > 1 || Math.abs(y) > 1) found.push({ id, x, y });
  }
  return found;
}

const cut = (words, most) => ([...words].length > most ? `${[...words].slice(0, most - 1).join("")}…` : words);

// 1, 2 or 5 times a power of ten, at most `length`.
function roundLength(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  return [5, 2, 1].find((digit) => digit * power <= length * 1.0001) * power;
}

function lengthShown(metres) {
  const [factor, word] = metres >= 0.0099 ? [1, "m"] : metres >= 0.99e-3 ? [1e3, "mm"] : metres >= 0.99e-6 ? [1e6, "µm"] : [1e9, "nm"];
  return `${shown(Number((metres * factor).toPrecision(6)), 3)} ${word}`;
}
