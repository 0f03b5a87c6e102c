// Colours: those of the plots (src/report/drawing/ink.rs), by the same rules (src/report/motion/colour_key.rs).
const PALETTE_LIGHT = [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [90, 90, 90]];
const PALETTE_DARK = [[64, 156, 224], [240, 126, 48], [34, 190, 146], [222, 150, 190], [240, 184, 60], [150, 210, 245], [168, 168, 168]];
const SPOKEN = {
  blue: 0, red: 1, green: 2, pink: 3, purple: 3, violet: 3, orange: 4, yellow: 4, amber: 4, cyan: 5, grey: 6, gray: 6, black: 6,
};

const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
const themeColors = () => isDark()
  ? { palette: PALETTE_DARK, paper: [22, 24, 29], scenery: [116, 123, 136], driven: [150, 140, 116], sensor: [34, 190, 146],
    impact: [255, 120, 96], contact: [240, 184, 60], line: [200, 205, 214], text: [225, 228, 234] }
  : { palette: PALETTE_LIGHT, paper: [250, 250, 248], scenery: [186, 190, 198], driven: [176, 166, 142], sensor: [0, 158, 115],
    impact: [200, 40, 20], contact: [190, 120, 0], line: [96, 102, 112], text: [40, 44, 52] };

// A name without the number that sets it apart.
const stem = (name) => name.replace(/[0-9_\-./ #[\]()]+$/, "") || "bodies";

function spoken(name) {
  const words = name.split(/[^\p{L}]+/u).map((word) => SPOKEN[word.toLowerCase()]);
  return words.find((place) => place !== undefined);
}

// The place in the palette of each body that moves, and how far its shade is from the colour: each body has a colour of its own
// (`isSingle`), or those whose names begin alike share one.
function palettePlaces(bodies, isSingle) {
  const movers = bodies.filter((body) => body.motion !== "fixed").sort((a, b) => a.rank - b.rank);
  const key = (body) => (isSingle ? body.name : stem(body.name));
  const keys = [...new Set(movers.map(key))];
  const said = keys.map(spoken);
  let free = PALETTE_LIGHT.map((_, place) => place).filter((place) => !said.includes(place));
  if (free.length === 0) free = PALETTE_LIGHT.map((_, place) => place);
  let next = 0;
  const places = new Map(keys.map((key, rank) => [key, said[rank] ?? free[next++ % free.length]]));
  const shade = (body) => (isSingle ? 0 : ((body.rank * 0.618034) % 1) - 0.5);
  return new Map(movers.map((body) => [body, { place: places.get(key(body)) ?? 6, shade: shade(body) }]));
}

// Red, green and blue of each body, from 0 to 1; `own` are colours by name, as `#rrggbb`.
function bodyColors(bodies, own, isSingle) {
  const theme = themeColors();
  const places = palettePlaces(bodies, isSingle);
  return bodies.map((body) => {
    const said = Object.hasOwn(own, body.name) && /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(own[body.name]);
    if (said) return said.slice(1).map((part) => parseInt(part, 16) / 255);
    if (body.sensor) return theme.sensor.map((part) => part / 255);
    const found = places.get(body);
    if (!found || (body.motion === "kinematic" && body.shape.sphere === undefined)) {
      return (found ? theme.driven : theme.scenery).map((part) => part / 255);
    }
    return theme.palette[found.place].map((part) => Math.min(1, Math.max(0, (part / 255) * (1 + 0.34 * found.shade))));
  });
}

// A colour with parts from 0 to 1 as a style.
const cssColor = (color, alpha = 1) => `rgb(${color.map((part) => Math.round(255 * part)).join(" ")} / ${alpha})`;

// The colours of speeds, from slow (0) to fast (1): viridis, without the end that is hard to see on the paper.
const RAMP = [[68, 1, 84], [65, 68, 135], [42, 120, 142], [34, 168, 132], [122, 209, 81], [253, 231, 37]];

function rampColor(part) {
  const [begin, end] = isDark() ? [0.16, 1] : [0, 0.86];
  const at = (begin + (end - begin) * Math.min(1, Math.max(0, part))) * (RAMP.length - 1), low = Math.min(Math.floor(at), RAMP.length - 2);
  return RAMP[low].map((from, rank) => (from + (at - low) * (RAMP[low + 1][rank] - from)) / 255);
}
