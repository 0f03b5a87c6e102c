// The eye: it turns around a point. All lengths are in metres of the scene.
const SLOPE = Math.tan((38 * Math.PI) / 360);
// How much of the picture's width and height what is to be seen may take.
const FIT_WIDE = 0.92, FIT_TALL = 0.84;

class Camera {
  constructor() {
    this.target = [0, 0, 0];
    this.distance = 5;
    this.azimuth = -0.9;
    this.elevation = 0.42;
    this.axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    this.isTouched = false;
  }

  // Looks at a scene: what is up, whether all of it lies in a plane, and how large it is.
  face({ up, flat, side }) {
    const along = [0, 1, 2].reduce((best, axis) => (Math.abs(up[axis]) > Math.abs(up[best]) ? axis : best), 2);
    const first = unit(sub([along === 0 ? 0 : 1, along === 0 ? 1 : 0, 0], scale(up, along === 0 ? up[1] : up[0])));
    this.axes = [first, cross(up, first), up];
    // From the side that is thin, and a little askew.
    const front = side !== undefined && Math.abs(first[side]) > 0.5 ? 0.15 : -1.42;
    this.azimuth = flat === "upright" ? front : flat === "level" ? -Math.PI / 2 : -0.95;
    this.elevation = flat === "level" ? 1.2 : flat === "upright" ? 0.12 : 0.4;
    this.isTouched = false;
  }

  // The axes of the eye, and its place relative to the target.
  frame() {
    const [x, y, z] = this.axes;
    const level = add(scale(x, Math.cos(this.azimuth)), scale(y, Math.sin(this.azimuth)));
    const back = add(scale(level, Math.cos(this.elevation)), scale(z, Math.sin(this.elevation)));
    const right = add(scale(x, -Math.sin(this.azimuth)), scale(y, Math.cos(this.azimuth)));
    return { right, up: cross(back, right), back, eye: scale(back, this.distance) };
  }

  // Moves so that points with their radii fit; `aspect` is width over height. Each point bounds how near the eye may be: seen
  // from the target it must lie within the slopes of the picture's edges.
  fit(points, aspect) {
    const { right, up, back } = this.frame();
    const depths = points.map((point) => dot(point, back));
    let deepest = Infinity, nearest = -Infinity;
    depths.forEach((depth, rank) => {
      deepest = Math.min(deepest, depth);
      nearest = Math.max(nearest, depth + points[rank][3]);
    });
    let eye = nearest + 0.1 * (nearest - deepest);
    const middles = [[right, SLOPE * aspect * FIT_WIDE], [up, SLOPE * FIT_TALL]].map(([axis, slope]) => {
      let high = -Infinity, low = -Infinity;
      points.forEach((point, rank) => {
        const at = dot(point, axis), wide = point[3] * Math.sqrt(1 + slope * slope);
        high = Math.max(high, at + slope * depths[rank] + wide);
        low = Math.max(low, -at + slope * depths[rank] + wide);
      });
      eye = Math.max(eye, (high + low) / (2 * slope));
      return 0.5 * (high - low);
    });
    const depth = 0.5 * (deepest + nearest);
    this.target = add(add(scale(right, middles[0]), scale(up, middles[1])), scale(back, depth));
    this.distance = Math.max(eye - depth, 1e-9);
  }

  orbit(dx, dy) {
    this.isTouched = true;
    this.azimuth -= dx;
    this.elevation = Math.min(1.55, Math.max(-1.55, this.elevation + dy));
  }

  // Moves by parts of the height of the picture.
  pan(dx, dy) {
    this.isTouched = true;
    const { right, up } = this.frame();
    const size = 2 * SLOPE * this.distance;
    this.target = add(this.target, add(scale(right, -dx * size), scale(up, dy * size)));
  }

  zoom(factor) {
    this.isTouched = true;
    this.distance = Math.min(1e12, Math.max(1e-9, this.distance * factor));
  }

  // Where a point relative to the target is in the picture, from −1 to 1 to the right and up, and how far away.
  project(point, aspect) {
    const { right, up, back, eye } = this.frame();
    const from = sub(point, eye), depth = -dot(from, back);
    return { x: dot(from, right) / (depth * SLOPE * aspect), y: dot(from, up) / (depth * SLOPE), depth };
  }

  // The direction in which a point of the picture is seen.
  ray(x, y, aspect) {
    const { right, up, back, eye } = this.frame();
    const direction = add(add(scale(right, x * SLOPE * aspect), scale(up, y * SLOPE)), scale(back, -1));
    return { eye, direction: unit(direction) };
  }
}
