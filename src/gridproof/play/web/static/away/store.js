// What this browser keeps for when the server is away: games with their tables, and what was done meanwhile.

import { begun } from "../kept.js";
import { keysFrom, read, write } from "../storage.js";
import { openTabs, tab } from "./tab.js";

const CACHE = "gridproof-away";
const TABLE = "X-Table"; // the header of a game that names its table
const LINE = "gridproof.line.";
const DEEDS = "gridproof.deeds.";
const APART = "gridproof.apart.";
const gameAt = (id) => `/away/games/${id}`;
const tableAt = (name) => `/away/tables/${name}`;

// Only pages that came over HTTPS or from this machine have a cache; elsewhere what is kept ends with the page.
async function from(address) {
  try {
    return await (await (await caches.open(CACHE)).match(address))?.json();
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

/** A game as it was kept: {state, line, told, table}. */
export const keptGame = (id) => from(gameAt(id));

/** A table's data. */
export const keptTable = (name) => from(tableAt(name));

export const keepTable = (name, text) => put(tableAt(name), text);

/** Keep a game, and forget the tables and games that are no longer gone on with. */
export async function keepGame(id, game) {
  await put(gameAt(id), JSON.stringify(game), { [TABLE]: game.table });
  try {
    const cache = await caches.open(CACHE);
    const games = new Set([id, ...begun()]);
    const there = (await cache.keys()).map(({ url }) => new URL(url).pathname);
    const used = new Set();
    for (const path of there.filter((one) => one.startsWith(gameAt("")))) {
      if (games.has(path.slice(gameAt("").length))) used.add(tableAt((await cache.match(path)).headers.get(TABLE)));
      else await cache.delete(path);
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
 * What was done in a game and waits for the server, each tab's by itself: {key, line, deeds}, where `line` is what the
 * server knew before. Those of tabs that are closed are taken over: the first where none wait here, others stand apart.
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
    if (mine) addApart(id, left);
    else write(key, (mine = left));
  }
  return { key, line: mine?.line ?? null, deeds: mine?.deeds ?? [] };
}

export const keepDeeds = (key, line, deeds) => write(key, deeds.length ? { line, deeds } : null);

/** All that was done here while others moved the game on, [{line, deeds}, ...], until the player has said what is to become of it. */
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
