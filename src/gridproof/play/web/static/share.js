// Links that hold a level or a trace in their fragment, which never reaches a server by itself.

const BYTES = 0x8000;

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += BYTES) text += String.fromCharCode(...bytes.subarray(at, at + BYTES));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** The fragment of a value: its JSON, compressed. */
export async function packed(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return base64(await through(new CompressionStream("deflate-raw"), bytes));
}

/** The value of a fragment; throws when it is damaged. */
export async function unpacked(fragment) {
  const bytes = await through(new DecompressionStream("deflate-raw"), bytesOf(fragment));
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

export const linkOf = async (value) => `${location.origin}/open#${await packed(value)}`;
