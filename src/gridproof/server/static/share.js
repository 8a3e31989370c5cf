// Links that hold a level or a trace in their fragment, which never reaches a server by itself; texts for the clipboard and as files.

import { dialog, h, note } from "./dom.js";

const BYTES = 0x8000;

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += BYTES) text += String.fromCharCode(...bytes.subarray(at, at + BYTES));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What base64 stands for. */
export const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

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

/** A link to a page that opens a value. */
export const linkOf = async (value, page = "/open") => `${location.origin}${page}#${await packed(value)}`;

/** The value that the page's address holds, or null; throws in words when it is damaged. */
export async function linked() {
  const fragment = location.hash.slice(1);
  if (!fragment || fragment === "main") return null;
  try {
    return await unpacked(fragment);
  } catch {
    throw new Error("This link is damaged: perhaps a part of it was lost.");
  }
}

/** Put a text on the clipboard, or show it where there is none. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    note(`${what} is on the clipboard.`);
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
