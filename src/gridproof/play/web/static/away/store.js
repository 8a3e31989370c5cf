// What this browser keeps for when the server is away: games with their tables, and what was done meanwhile.

import { begun } from "../kept.js";
import { keysFrom, read, write } from "../storage.js";
import { openTabs, tab } from "./tab.js";

const CACHE = "gridproof-away";
const TABLES = "X-Tables"; // the header of a game that names its tables
const LINE = "gridproof.line.";
const DEEDS = "gridproof.deeds.";
const APART = "gridproof.apart.";
const gameAt = (id) => `/away/games/${id}`;
const tableAt = (name) => `/away/tables/${name}`;

// Only pages that came over HTTPS or from this machine have a cache; elsewhere what is kept ends with the page.
async function from(address) {
  try {
    return await (await (await caches.open(CACHE)).match(address))?.text();
  } catch {
    return undefined;
  }
}

async function put(address, text, headers = {}) {
  try {
    await (await caches.open(CACHE)).put(address, new Response(text, { headers: { "Content-Type": "application/json", ...headers } }));
  } catch {
    // no cache, or a full one: the game goes on without
  }
}

/** A game as it was kept: {state, line, told, ahead}, where `told` names its table, and those `ahead` are the levels that follow. */
export async function keptGame(id) {
  const text = await from(gameAt(id));
  return text && JSON.parse(text);
}

/** A table's text. */
export const keptTable = (name) => from(tableAt(name));

export const keepTable = (name, text) => put(tableAt(name), text);

export function keepGame(id, game) {
  const tables = [game.told, ...game.ahead].map(({ table }) => table);
  return put(gameAt(id), JSON.stringify(game), { [TABLES]: tables.join(" ") });
}

/** Forget the tables and games that are no longer gone on with; the game `id` is. */
export async function tidy(id) {
  try {
    const cache = await caches.open(CACHE);
    const games = new Set([id, ...begun()]);
    const there = (await cache.keys()).map(({ url }) => new URL(url).pathname);
    const used = new Set();
    for (const path of there.filter((one) => one.startsWith(gameAt("")))) {
      if (!games.has(path.slice(gameAt("").length))) await cache.delete(path);
      else for (const name of (await cache.match(path)).headers.get(TABLES)?.split(" ") ?? []) used.add(tableAt(name));
    }
    for (const path of there) if (path.startsWith(tableAt("")) && !used.has(path)) await cache.delete(path);
  } catch {
    // as above
  }
}

/** Where a game stood when the server told of it last; null where that is not known. */
export const keptLine = (id) => read(LINE + id);

export const keepLine = (id, line) => write(LINE + id, line);

/**
 * What was done in a game and waits for the server, each tab's by itself: {key, parts}, where a part {line, deeds} is what
 * was done on a level since the server knew that line. Those of tabs that are closed are taken over: the first where none
 * wait here, others stand apart.
 */
export async function waitingDeeds(id) {
  const start = `${DEEDS}${id}.`;
  const key = start + (await tab());
  const open = await openTabs();
  let mine = read(key);
  for (const other of keysFrom(start)) {
    const left = other !== key && !open.has(other.slice(start.length)) && read(other);
    if (!left) continue;
    write(other, null); // first: there may be no room for both
    if (mine) addApart(id, { parts: left });
    else write(key, (mine = left));
  }
  return { key, parts: mine ?? [] };
}

/** How many deeds some parts have. */
export const countOf = (parts) => parts.reduce((sum, { deeds }) => sum + deeds.length, 0);

export function keepDeeds(key, parts) {
  const left = parts.filter(({ deeds }) => deeds.length);
  write(key, left.length ? left : null);
}

/**
 * All that was done here and could not be added to the game, [{parts, refused}, ...], until the player has said what is to
 * become of it: `refused` says why the rules did not allow the first of it; else others have moved the game meanwhile.
 */
export const keptApart = (id) => read(APART + id) ?? [];

export const addApart = (id, one) => write(APART + id, [...keptApart(id), one]);

export function dropApart(id, one) {
  const left = keptApart(id).filter((other) => JSON.stringify(other) !== JSON.stringify(one));
  write(APART + id, left.length ? left : null);
}

/** Those games, the latest first, that can be gone on with while the server is away. */
export async function keptGames(most) {
  const found = [];
  for (const id of begun()) {
    const game = found.length < most && (await keptGame(id));
    if (game) found.push({ id, ...summary(game.state) });
  }
  return found;
}

const summary = ({ game, now, levels, title }) => ({
  game,
  title: now.title || title,
  level: now.level,
  levels: levels.length,
  completed: levels.filter(({ done }) => done),
});
