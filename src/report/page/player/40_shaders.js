// Programs for the graphics card. Everything is relative to the point the eye turns around, so that single precision is enough.
const SHADERS = {
  // A ball is a square in front of the eye; each of its points is met by a ray, so balls are round at any distance.
  ball: [`#version 300 es
    layout(location=0) in vec4 ball;
    layout(location=1) in vec4 tint;
    layout(location=2) in vec4 turn;
    uniform mat4 eye, lens;
    out vec3 place;
    flat out vec3 center;
    flat out float radius;
    flat out vec4 color, turned;
    void main() {
      vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
      center = (eye * vec4(ball.xyz, 1.0)).xyz;
      radius = ball.w;
      float away = max(dot(center, center), 1.0001 * radius * radius);
      vec3 toward = center / sqrt(away);
      vec3 right = normalize(cross(toward, vec3(0.0, 1.0, 0.0)) + vec3(1e-6, 0.0, 0.0));
      float reach = 1.06 * radius / sqrt(1.0 - radius * radius / away);
      place = center + reach * (corner.x * right + corner.y * cross(right, toward));
      color = tint;
      turned = turn;
      gl_Position = lens * vec4(place, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec3 place;
    flat in vec3 center;
    flat in float radius;
    flat in vec4 color, turned;
    uniform mat4 eye, lens;
    uniform vec3 sun;
    out vec4 shade;
    vec3 turnedBack(vec4 q, vec3 v) { return v + 2.0 * cross(cross(v, q.xyz) + q.w * v, q.xyz); }
    void main() {
      vec3 ray = normalize(place);
      float along = dot(ray, center);
      float miss = length(center - along * ray) / radius;
      float soft = max(fwidth(miss), 1e-4);
      float cover = clamp((1.0 - miss) / soft + 0.5, 0.0, 1.0);
      if (cover <= 0.0) discard;
      float depth = sqrt(max(1.0 - miss * miss, 0.0)) * radius;
      vec3 point = (along - depth) * ray;
      vec3 normal = normalize(point - center);
      vec4 clip = lens * vec4(point, 1.0);
      gl_FragDepth = 0.5 + 0.5 * clip.z / clip.w;
      vec3 base = color.rgb;
      if (dot(turned, turned) > 0.5) {
        vec3 own = turnedBack(turned, transpose(mat3(eye)) * normal);
        float band = smoothstep(-0.02, 0.02, abs(own.z) - 0.32);
        base = mix(mix(base, vec3(1.0), 0.62), base, band);
      }
      float light = 0.36 + 0.64 * max(0.0, 0.5 + 0.5 * dot(normal, mat3(eye) * sun));
      float gloss = pow(max(0.0, dot(reflect(ray, normal), mat3(eye) * sun)), 40.0);
      shade = vec4(base * light + 0.16 * gloss, color.a * cover);
    }`],
  box: [`#version 300 es
    layout(location=0) in vec3 middle;
    layout(location=1) in vec3 half_;
    layout(location=2) in vec4 tint;
    uniform mat4 eye, lens;
    out vec3 inside;
    flat out vec3 extent, normal;
    flat out vec4 color;
    void main() {
      int face = gl_VertexID / 6, corner = gl_VertexID % 6;
      int axis = face >> 1;
      float side = float(face & 1) * 2.0 - 1.0;
      vec2 at = vec2[6](vec2(-1,-1), vec2(1,-1), vec2(1,1), vec2(-1,-1), vec2(1,1), vec2(-1,1))[corner];
      if (side < 0.0) at = at.yx;
      vec3 unit = axis == 0 ? vec3(side, at) : axis == 1 ? vec3(at.y, side, at.x) : vec3(at, side);
      inside = unit * half_;
      extent = half_;
      normal = axis == 0 ? vec3(side, 0, 0) : axis == 1 ? vec3(0, side, 0) : vec3(0, 0, side);
      color = tint;
      gl_Position = lens * eye * vec4(middle + inside, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec3 inside;
    flat in vec3 extent, normal;
    flat in vec4 color;
    uniform vec3 sun;
    out vec4 shade;
    void main() {
      vec3 gap = extent - abs(inside) + abs(normal) * 1e9;
      vec3 width = max(fwidth(inside), vec3(1e-9));
      vec3 near = gap / width;
      float edge = 1.0 - smoothstep(0.6, 1.6, min(near.x, min(near.y, near.z)));
      float light = 0.5 + 0.5 * max(0.0, 0.5 + 0.5 * dot(normal, sun));
      shade = vec4(color.rgb * light * (1.0 - 0.45 * edge), mix(color.a, max(color.a, 0.85), edge));
    }`],
  mesh: [`#version 300 es
    layout(location=0) in vec3 corner;
    layout(location=1) in vec3 across;
    uniform mat4 eye, lens;
    uniform vec3 shift;
    out vec3 normal;
    void main() {
      normal = across;
      gl_Position = lens * eye * vec4(corner + shift, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec3 normal;
    uniform vec3 sun;
    uniform vec4 tint;
    out vec4 shade;
    void main() {
      vec3 out_ = normalize(normal) * (gl_FrontFacing ? 1.0 : -1.0);
      shade = vec4(tint.rgb * (0.45 + 0.55 * max(0.0, 0.5 + 0.5 * dot(out_, sun))), gl_FrontFacing ? 1.0 : tint.a);
    }`],
  // A half-space: a square of its plane around what is shown, without what is inside another half-space.
  plane: [`#version 300 es
    uniform mat4 eye, lens;
    uniform vec3 middle, along, across;
    out vec3 point;
    out vec2 at;
    void main() {
      at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
      point = middle + at.x * along + at.y * across;
      gl_Position = lens * eye * vec4(point, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec3 point;
    in vec2 at;
    uniform vec4 walls[16];
    uniform int count;
    uniform vec3 along, across, anchor;
    uniform vec4 tint, line;
    uniform float cell, slack;
    out vec4 shade;
    void main() {
      for (int wall = 0; wall < count; wall++) {
        if (dot(walls[wall].xyz, point) < walls[wall].w - slack) discard;
      }
      vec2 grid = vec2(dot(point - anchor, normalize(along)), dot(point - anchor, normalize(across))) / cell;
      vec2 width = max(fwidth(grid), vec2(1e-6));
      vec2 near = abs(fract(grid - 0.5) - 0.5) / width;
      float drawn = (1.0 - min(min(near.x, near.y), 1.0)) * clamp(0.4 / max(width.x, width.y), 0.0, 1.0);
      float fade = 1.0 - smoothstep(0.55, 1.0, length(at));
      vec4 color = mix(tint, line, drawn * line.a);
      shade = vec4(color.rgb, max(tint.a, drawn * line.a) * fade);
    }`],
  // A line as a ribbon of one width on the screen. The fourth number of an end is its time: what is over is strong, and what is
  // to come is faint.
  line: [`#version 300 es
    layout(location=0) in vec4 from;
    layout(location=1) in vec4 to;
    layout(location=2) in vec4 tint;
    layout(location=3) in float wide;
    uniform mat4 eye, lens;
    uniform vec3 shift;
    uniform vec2 view;
    uniform float pixel, near;
    out vec4 color;
    out float time, aside;
    flat out float reach;
    void main() {
      vec4 a = lens * eye * vec4(from.xyz + shift, 1.0), b = lens * eye * vec4(to.xyz + shift, 1.0);
      vec4 first = a.w < near ? mix(a, b, clamp((near - a.w) / max(b.w - a.w, 1e-9), 0.0, 1.0)) : a;
      vec4 last = b.w < near ? mix(b, a, clamp((near - b.w) / max(a.w - b.w, 1e-9), 0.0, 1.0)) : b;
      vec2 way = (last.xy / last.w - first.xy / first.w) * view;
      vec2 along = length(way) > 1e-4 ? normalize(way) : vec2(1.0, 0.0);
      bool isFirst = (gl_VertexID & 1) == 0;
      reach = 0.5 * wide * pixel;
      aside = (float(gl_VertexID >> 1) * 2.0 - 1.0) * (reach + 0.5);
      color = tint;
      time = isFirst ? from.w : to.w;
      gl_Position = isFirst ? first : last;
      gl_Position.xy += vec2(-along.y, along.x) * aside / view * gl_Position.w;
      if (max(a.w, b.w) < near) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec4 color;
    in float time, aside;
    flat in float reach;
    uniform float now, old, fade;
    out vec4 shade;
    void main() {
      float strength = now < 0.0 ? 1.0 : time <= now ? 0.32 * old + 0.6 * exp((time - now) * fade) : 0.17 * old;
      shade = vec4(color.rgb, color.a * strength * clamp(reach + 0.5 - abs(aside), 0.0, 1.0));
    }`],
  // A soft dark disc on the ground.
  shadow: [`#version 300 es
    layout(location=0) in vec3 middle;
    layout(location=1) in vec3 look;
    uniform mat4 eye, lens;
    uniform vec3 along, across;
    out vec2 at;
    flat out float dark;
    void main() {
      at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
      dark = look.z;
      gl_Position = lens * eye * vec4(middle + at.x * look.x * along + at.y * look.y * across, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec2 at;
    flat in float dark;
    out vec4 shade;
    void main() { shade = vec4(0.0, 0.0, 0.0, dark * (1.0 - smoothstep(0.25, 1.0, length(at)))); }`],
  // Marks of one size on the screen: 0 is a ring, 1 a disc.
  mark: [`#version 300 es
    layout(location=0) in vec3 place;
    layout(location=1) in vec4 tint;
    layout(location=2) in vec2 look;
    uniform mat4 eye, lens;
    uniform float pixel;
    out vec4 color;
    flat out float kind, size;
    void main() {
      color = tint;
      size = look.x * pixel;
      kind = look.y;
      gl_PointSize = size;
      gl_Position = lens * eye * vec4(place, 1.0);
    }`, `#version 300 es
    precision highp float;
    in vec4 color;
    flat in float kind, size;
    out vec4 shade;
    void main() {
      float away = length(gl_PointCoord - 0.5) * size, edge = 0.5 * size - 1.0;
      float disc = clamp(edge - away + 0.5, 0.0, 1.0);
      float ring = disc * clamp(away - edge + clamp(0.14 * size, 2.0, 3.5) + 0.5, 0.0, 1.0);
      float cover = kind > 0.5 ? disc : ring;
      if (cover <= 0.0) discard;
      shade = vec4(color.rgb, color.a * cover);
    }`],
};
