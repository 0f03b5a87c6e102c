// Drawing with WebGL 2.
class GlPainter {
  static create(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    return gl ? new GlPainter(gl) : null;
  }

  constructor(gl) {
    this.gl = gl;
    this.programs = {};
    for (const [name, [vertex, fragment]] of Object.entries(SHADERS)) this.programs[name] = this.link(vertex, fragment);
    this.buffers = new Map();
    this.empty = gl.createVertexArray();
    this.meshes = [];
  }

  link(...sources) {
    const { gl } = this, program = gl.createProgram();
    [gl.VERTEX_SHADER, gl.FRAGMENT_SHADER].forEach((kind, rank) => {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, sources[rank].trim());
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    });
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      const logs = gl.getAttachedShaders(program).map((shader) => gl.getShaderInfoLog(shader));
      throw new Error(`a shader cannot be built: ${logs.join(" ")} ${gl.getProgramInfoLog(program)}`);
    }
    const places = {};
    for (let rank = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) - 1; rank >= 0; rank--) {
      const { name } = gl.getActiveUniform(program, rank);
      places[name.replace("[0]", "")] = gl.getUniformLocation(program, name);
    }
    return { program, places };
  }

  // The triangles of each mesh of a scenario, as numbers relative to the origin of the scene.
  setMeshes(meshes) {
    const { gl } = this;
    this.meshes.forEach(({ array, buffer }) => (gl.deleteVertexArray(array), gl.deleteBuffer(buffer)));
    this.meshes = meshes.map((corners) => {
      const data = new Float32Array((corners.length / 9) * 18);
      for (let from = 0, to = 0; from < corners.length; from += 9) {
        const [a, b, c] = [0, 3, 6].map((offset) => [...corners.subarray(from + offset, from + offset + 3)]);
        const normal = unit(cross(sub(b, a), sub(c, a)));
        for (const corner of [a, b, c]) {
          data.set(corner, to);
          data.set(normal, to + 3);
          to += 6;
        }
      }
      const array = gl.createVertexArray(), buffer = gl.createBuffer();
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      this.attributes([3, 3], false);
      return { array, buffer, count: data.length / 6 };
    });
  }

  // The attributes of the buffer at hand, each of so many numbers.
  attributes(sizes, perInstance) {
    const { gl } = this, stride = 4 * sizes.reduce((sum, size) => sum + size, 0);
    let offset = 0;
    sizes.forEach((size, place) => {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, stride, offset);
      gl.vertexAttribDivisor(place, perInstance ? 1 : 0);
      offset += 4 * size;
    });
  }

  begin(camera, { width, height, pixel, paper }) {
    const { gl } = this, { right, up, back, eye } = camera.frame();
    Object.assign(this, { pixel, view: [width / 2, height / 2], near: camera.distance / 60 });
    gl.viewport(0, 0, width, height);
    gl.clearColor(paper[0] / 255, paper[1] / 255, paper[2] / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.eye = eyeMatrix(right, up, back, eye);
    this.lens = perspective(SLOPE, width / height, this.near, camera.distance * 60);
    this.sun = unit(add(add(scale(up, 0.75), scale(right, -0.35)), scale(back, 0.6)));
  }

  use(name) {
    const { gl } = this, { program, places } = this.programs[name];
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.eye, false, this.eye);
    gl.uniformMatrix4fv(places.lens, false, this.lens);
    if (places.sun) gl.uniform3fv(places.sun, this.sun);
    return places;
  }

  // Draws so many instances, or points, of numbers in this layout; `name` is that of the buffer.
  draw(name, data, sizes, mode, corners) {
    const { gl } = this, numbers = sizes.reduce((sum, size) => sum + size, 0), count = data.length / numbers;
    if (count === 0) return;
    if (!this.buffers.has(name)) {
      const array = gl.createVertexArray(), buffer = gl.createBuffer();
      gl.bindVertexArray(array);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      this.attributes(sizes, Boolean(corners));
      this.buffers.set(name, { array, buffer });
    }
    const { array, buffer } = this.buffers.get(name);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    // What is drawn again as it was lies there.
    if (this.buffers.get(name).held !== data) gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    this.buffers.get(name).held = data;
    if (corners) gl.drawArraysInstanced(mode, 0, corners, count);
    else gl.drawArrays(mode, 0, count);
  }

  balls(data) {
    const { gl } = this;
    this.use("ball");
    gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    gl.disable(gl.BLEND);
    this.draw("ball", data, [4, 4, 4], gl.TRIANGLE_STRIP, 4);
    gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE);
    gl.enable(gl.BLEND);
  }

  glassBalls(data) {
    const { gl } = this;
    this.use("ball");
    gl.depthMask(false);
    this.draw("ball", data, [4, 4, 4], gl.TRIANGLE_STRIP, 4);
    gl.depthMask(true);
  }

  boxes(data, isGlass) {
    const { gl } = this;
    this.use("box");
    gl.enable(gl.CULL_FACE);
    gl.depthMask(!isGlass);
    if (isGlass) {
      // What lies behind comes first.
      gl.cullFace(gl.FRONT);
      this.draw("box", data, [3, 3, 4], gl.TRIANGLES, 36);
    }
    gl.cullFace(gl.BACK);
    this.draw("box", data, [3, 3, 4], gl.TRIANGLES, 36);
    gl.disable(gl.CULL_FACE);
    gl.depthMask(true);
  }

  mesh(number, shift, color, isBehind) {
    const { gl } = this, mesh = this.meshes[number], places = this.use("mesh");
    if (!mesh) return;
    gl.uniform3fv(places.shift, shift);
    gl.uniform4f(places.tint, ...color, 0.13);
    gl.bindVertexArray(mesh.array);
    gl.enable(gl.CULL_FACE);
    // Faces that turn away are glass, so that one sees into what is closed.
    gl.cullFace(isBehind ? gl.FRONT : gl.BACK);
    gl.depthMask(!isBehind);
    gl.drawArrays(gl.TRIANGLES, 0, mesh.count);
    gl.depthMask(true);
    gl.disable(gl.CULL_FACE);
  }

  plane({ middle, along, across, anchor, cell, slack, walls, tint, line }) {
    const { gl } = this, places = this.use("plane");
    const few = walls.slice(0, 16);
    gl.uniform3fv(places.middle, middle);
    gl.uniform3fv(places.along, along);
    gl.uniform3fv(places.across, across);
    gl.uniform3fv(places.anchor, anchor);
    gl.uniform1f(places.cell, cell);
    gl.uniform1f(places.slack, slack);
    gl.uniform1i(places.count, few.length);
    if (few.length > 0) gl.uniform4fv(places.walls, few.flat());
    gl.uniform4fv(places.tint, tint);
    gl.uniform4fv(places.line, line);
    gl.bindVertexArray(this.empty);
    gl.depthMask(false);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.depthMask(true);
  }

  lines(data) {
    this.ribbons("line", data, { shift: [0, 0, 0], now: -1, look: { old: 1, fade: 0 } });
  }

  // Lines with times, relative to a point; `now` is the time that it is. `look` says how strong old parts are, and how soon
  // parts are old, and whether they are drawn over all that is there already.
  trails({ lines, look }, shift, now) {
    if (look.isOver) this.gl.disable(this.gl.DEPTH_TEST);
    this.ribbons("trail", lines, { shift, now, look });
    this.gl.enable(this.gl.DEPTH_TEST);
  }

  ribbons(name, data, { shift, now, look: { old, fade } }) {
    const { gl } = this, places = this.use("line");
    gl.uniform3fv(places.shift, shift);
    gl.uniform2fv(places.view, this.view);
    gl.uniform1f(places.pixel, this.pixel);
    gl.uniform1f(places.near, this.near);
    gl.uniform1f(places.now, now);
    gl.uniform1f(places.old, old);
    gl.uniform1f(places.fade, fade);
    gl.depthMask(false);
    this.draw(name, data, [4, 4, 4, 1], gl.TRIANGLE_STRIP, 4);
    gl.depthMask(true);
  }

  // Dark discs in the plane of two axes.
  shadows(data, [along, across]) {
    const { gl } = this, places = this.use("shadow");
    gl.uniform3fv(places.along, along);
    gl.uniform3fv(places.across, across);
    gl.depthMask(false);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(-1, -1);
    this.draw("shadow", data, [3, 3], gl.TRIANGLE_STRIP, 4);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.depthMask(true);
  }

  marks(data, pixel) {
    const { gl } = this, places = this.use("mark");
    gl.uniform1f(places.pixel, pixel);
    gl.disable(gl.DEPTH_TEST);
    this.draw("mark", data, [3, 4, 2], gl.POINTS);
    gl.enable(gl.DEPTH_TEST);
  }
}
