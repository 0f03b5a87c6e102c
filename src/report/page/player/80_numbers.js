// The numbers of a scenario, each with its place in the text, what it is called, and a range in which it can be moved.
const NUMBERS_MAX = 200;

// The tokens of RON, as far as it takes to find numbers: comments and texts are passed over.
function* tokens(text) {
  const pattern = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.|[^'\\])'|[+-]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?|[A-Za-z_][\w-]*|[()[\]{}:,]/g;
  for (const found of text.matchAll(pattern)) {
    const [word] = found;
    if (word.startsWith("//") || word.startsWith("/*")) continue;
    const kind = /^[+-.\d]/.test(word) ? "number" : /^r?#*"/.test(word) ? "text" : /^[A-Za-z_]/.test(word) ? "word" : "sign";
    yield { kind, word, at: found.index };
  }
}

function numbersOf(text) {
  const found = [], stack = [{ field: "", owner: "", count: 0 }];
  let last = null;
  for (const token of tokens(text)) {
    const top = stack[stack.length - 1];
    if (token.word === ":" && last) {
      top.field = last.kind === "text" ? last.word.replace(/^r?#*"|"#*$/g, "") : last.word;
      if (last.kind === "text") top.owner = top.field;
    } else if ("([{".includes(token.word)) {
      stack.push({ field: "", owner: "", count: 0 });
    } else if (")]}".includes(token.word) && stack.length > 1) {
      stack.pop();
    } else if (token.word === ",") {
      top.count += 1;
    } else if (token.kind === "text" && top.field === "name") {
      top.owner = token.word.replace(/^r?#*"|"#*$/g, "");
    } else if (token.kind === "number" && found.length < NUMBERS_MAX) {
      found.push(numberAt(token, stack));
    }
    last = token;
  }
  return found.filter(Boolean);
}

function numberAt({ word, at }, stack) {
  const value = Number(word.replaceAll("_", ""));
  const fields = stack.map((level) => level.field).filter(Boolean), top = stack[stack.length - 1];
  const field = [...stack].reverse().find((level) => level.field)?.field ?? "";
  if (!Number.isFinite(value) || ["plots", "expect", "record", "observe"].includes(fields[0])) return null;
  const owner = [...stack].reverse().find((level) => level.owner)?.owner ?? "";
  const axis = top.field === "" && stack.length > 1 ? ["x", "y", "z"][top.count] ?? `${top.count + 1}` : "";
  const label = [owner || (fields.length > 1 ? fields[0] : ""), field + (axis && `.${axis}`)].filter(Boolean).join(": ");
  return { at, length: word.length, value, label, ...rangeOf(field, value, axis !== "") };
}

// From where to where a number can be moved, and in which steps.
function rangeOf(field, value, isVector) {
  const size = Math.abs(value);
  if (["restitution", "friction", "rolling", "spinning"].some((part) => field.includes(part)) && size <= 1) return { min: 0, max: 1, step: 0.01 };
  if (["seed", "count", "counts", "impacts_max"].includes(field)) return { min: field === "seed" ? 0 : 1, max: Math.max(10, 3 * size), step: 1 };
  if (["radius", "mass", "density", "timestep", "duration", "temperature", "half_extents", "at"].includes(field)) {
    return { min: size / 4 || 0, max: 4 * size || 1, step: (size || 1) / 100 };
  }
  const reach = isVector ? Math.max(2 * size, 1) : 2 * size || 1;
  return { min: -reach, max: reach, step: reach / 200 };
}
