// Packs of other people that this browser keeps: collections that were dropped, chosen, or came with a link.

import { request } from "./api.js";
import { load, save } from "./user_data.js";

const PACKS = "gridproof.packs";
const MOST_CHARACTERS = 2_000_000; // of all texts: browsers keep about 5 MB for a site

/** The kept packs, the latest first: [{id, title, author, licence, game, game_title, keys, levels, text}, ...]. */
export const ownPacks = () => load(PACKS) ?? [];

export const forgetPack = (id) => save(PACKS, ownPacks().filter((pack) => pack.id !== id));

/** The address that plays a level of a kept pack, in this browser. */
export const packAddress = ({ id }, level) => `/open#pack/${encodeURIComponent(id)}/${level}`;

/** What begins a session of the level at such an address; undefined for other fragments. */
export function readPackAddress(fragment) {
  const [, id, level] = /^#pack\/([^/]+)\/(\d+)$/.exec(fragment) ?? [];
  if (!id) return undefined;
  const pack = ownPacks().find((one) => one.id === decodeURIComponent(id));
  if (!pack) throw new Error("This pack is not in this browser. Add it under “All levels” first.");
  return { text: pack.text, game: pack.game, level: Number(level) };
}

/** Keep a pack; throws an error with a message if there is no room. */
export function keepPack(pack) {
  const packs = [pack, ...ownPacks().filter(({ id }) => id !== pack.id)];
  if (packs.reduce((sum, { text }) => sum + text.length, 0) > MOST_CHARACTERS) throw new Error("There is no room for this pack: remove another one first.");
  save(PACKS, packs);
  return pack;
}

/** A pack made of a text, as the server reads it. Equal texts are one pack. */
export async function readPack(text, name = "") {
  const { notices, levels, ...pack } = await request("collections", { text });
  return { ...pack, levels: levels.map(({ text: _, ...level }) => level), title: pack.title || name || "Untitled", text, id: await digest(text), notices };
}

async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(text)) ?? []);
  return bytes.length ? Array.from(bytes.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("") : text;
}

/** The text of a file that lies at an address: of this site, or in the server's folder of level files. */
export function fetchFile(address) {
  const path = new URL(address, location.href).origin === location.origin && /^(https?:|\/api\/)/.test(address) ? address : `/api/files?address=${encodeURIComponent(address)}`;
  return request(path.replace(`${location.origin}`, "").replace(/^\/api\//, ""));
}
