// Scenarios in the address of the page.
// A text as deflate in base64 for addresses, and back. A text from a link may be as large as a scenario file.
const UNPACKED_MAX = 16 << 20;

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpacked(link) {
  const bytes = bytesOf(link.replaceAll("-", "+").replaceAll("_", "/"));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return await new Blob(parts).text();
    length += value.length;
    if (length > UNPACKED_MAX) throw new Error("too long");
    parts.push(value);
  }
}
