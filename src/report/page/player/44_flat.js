// Drawing without WebGL: the same scene with discs and lines, the farthest first.
class FlatPainter {
  static create(canvas) {
    const context = canvas.getContext("2d", { alpha: false });
    return context ? new FlatPainter(context) : null;
  }

  constructor(context) {
    this.context = context;
    this.corners = [];
  }

  setMeshes(meshes) {
    this.corners = meshes;
  }

  begin(camera, { width, height, pixel, paper }) {
    Object.assign(this, { camera, width, height, pixel, aspect: width / height, todo: [] });
    this.context.fillStyle = `rgb(${paper.join(" ")})`;
    this.context.fillRect(0, 0, width, height);
  }

  // Where a point is in the picture, in pixels, and how many pixels a metre is there.
  place(point) {
    const { x, y, depth } = this.camera.project(point, this.aspect);
    if (!(depth > this.camera.distance / 60)) return null;
    return { x: (0.5 + 0.5 * x) * this.width, y: (0.5 - 0.5 * y) * this.height, depth, size: this.height / (2 * SLOPE * depth) };
  }

  color(data, at) {
    return cssColor(data.slice(at, at + 3), data[at + 3]);
  }

  balls(data) {
    for (let at = 0; at < data.length; at += 12) {
      const found = this.place([...data.subarray(at, at + 3)]);
      if (found) this.todo.push({ depth: found.depth, draw: () => this.disc(found, data[at + 3] * found.size, this.color(data, at + 4)) });
    }
    this.todo.sort((a, b) => b.depth - a.depth).forEach(({ draw }) => draw());
    this.todo = [];
  }

  glassBalls(data) {
    this.balls(data);
  }

  disc({ x, y }, radius, color) {
    const { context } = this;
    context.fillStyle = color;
    context.strokeStyle = "rgb(0 0 0 / 0.35)";
    context.beginPath();
    context.arc(x, y, Math.max(radius, 1), 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }

  boxes(data) {
    for (let at = 0; at < data.length; at += 10) {
      const middle = [...data.subarray(at, at + 3)], half = [...data.subarray(at + 3, at + 6)];
      const corner = (number) => add(middle, half.map((part, axis) => (number & (1 << axis) ? part : -part)));
      const edges = [];
      for (let from = 0; from < 8; from++) {
        for (let axis = 0; axis < 3; axis++) if (!(from & (1 << axis))) edges.push([corner(from), corner(from | (1 << axis))]);
      }
      this.strokes(edges, this.color(data, at + 6));
    }
  }

  mesh(number, shift, color, isBehind) {
    const corners = this.corners[number];
    if (isBehind || !corners) return;
    const edges = [];
    for (let at = 0; at < Math.min(corners.length, 90000); at += 9) {
      const [a, b, c] = [0, 3, 6].map((offset) => add([...corners.subarray(at + offset, at + offset + 3)], shift));
      edges.push([a, b], [b, c], [c, a]);
    }
    this.strokes(edges, cssColor(color, 0.5));
  }

  plane({ middle, along, across, anchor, cell, line }) {
    const size = norm(along) / 2, [u, v] = [unit(along), unit(across)], from = sub(middle, anchor);
    const at = (left, up) => add(anchor, add(scale(u, left), scale(v, up))), edges = [];
    const most = Math.min(40, Math.ceil(size / cell)), [left, up] = [u, v].map((axis) => cell * Math.round(dot(from, axis) / cell));
    for (let rank = -most; rank <= most; rank++) {
      edges.push([at(left + rank * cell, up - most * cell), at(left + rank * cell, up + most * cell)]);
      edges.push([at(left - most * cell, up + rank * cell), at(left + most * cell, up + rank * cell)]);
    }
    this.strokes(edges, cssColor(line.slice(0, 3), 0.25));
  }

  // Shadows are for depth, which this picture has little of.
  shadows() {}

  strokes(edges, color) {
    const { context } = this;
    context.strokeStyle = color;
    context.beginPath();
    for (const [from, to] of edges) {
      const [a, b] = [this.place(from), this.place(to)];
      if (!a || !b) continue;
      context.moveTo(a.x, a.y);
      context.lineTo(b.x, b.y);
    }
    context.stroke();
  }

  lines(data) {
    this.trails({ lines: data, look: {} }, [0, 0, 0], null);
  }

  trails({ lines: data, look: { old, fade } }, shift, now) {
    for (let at = 0; at < data.length; at += 13) {
      const color = data.slice(at + 8, at + 12), time = data[at + 7];
      color[3] *= now === null ? 1 : time <= now ? 0.32 * old + 0.6 * Math.exp((time - now) * fade) : 0.17 * old;
      this.context.lineWidth = data[at + 12] * this.pixel;
      this.strokes([[add([...data.subarray(at, at + 3)], shift), add([...data.subarray(at + 4, at + 7)], shift)]], this.color(color, 0));
    }
    this.context.lineWidth = 1;
  }

  marks(data, pixel) {
    const { context } = this;
    for (let at = 0; at < data.length; at += 9) {
      const found = this.place([...data.subarray(at, at + 3)]);
      if (!found) continue;
      context.strokeStyle = context.fillStyle = this.color(data, at + 3);
      context.lineWidth = 2 * pixel;
      context.beginPath();
      context.arc(found.x, found.y, 0.5 * data[at + 7] * pixel, 0, 2 * Math.PI);
      if (data[at + 8] > 0.5) context.fill();
      else context.stroke();
      context.lineWidth = 1;
    }
  }
}
