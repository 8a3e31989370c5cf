// Links that contain a level or a trace in their fragment; the clipboard, and files.

import { dialog, h, showToast } from "./dom.js";

async function pipeBytes(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Decode base64. */
export const decodeBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** The fragment of a value: its JSON, compressed. */
export async function encodeFragment(value) {
  const bytes = await pipeBytes(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(value)));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A link to a page that opens a value. */
export const createLink = async (value, page = "/open") => `${location.origin}${page}#${await encodeFragment(value)}`;

/** The value in the page's address, or null; throws an error with a message if it is damaged. */
export async function readLink() {
  const fragment = location.hash.slice(1);
  return !fragment || fragment === "main" ? null : decodeFragment(fragment);
}

/** The value of a fragment; throws an error with a message if it is damaged. */
export async function decodeFragment(fragment) {
  try {
    const bytes = await pipeBytes(new DecompressionStream("deflate-raw"), decodeBase64(fragment));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("This link is damaged. Copy the whole link.");
  }
}

/** Copy a text to the clipboard; show the text if there is none. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    showToast(`${what} is on the clipboard.`);
  } catch {
    dialog(what, h("textarea", { readonly: true, "aria-label": what, value: text }));
  }
}

/** Save a text, or bytes, as a file. */
export function download(content, name, type = "text/plain") {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
