// Cache of games and transition tables for play without the server.

import { load, save } from "../local_storage.js";
import { recentSessions } from "../user_data.js";

const CACHE = "gridproof-away";
const TABLES = "X-Tables"; // the header of a game that names its tables
const LINE = "gridproof.line.";
const gameAt = (id) => `/away/games/${id}`;
const tableAt = (name) => `/away/tables/${name}`;

// Only pages from HTTPS or from this machine have a cache. Other pages lose the fetched tables when they close.
async function read(address) {
  try {
    return await (await (await caches.open(CACHE)).match(address))?.text();
  } catch {
    return undefined;
  }
}

async function write(address, text, headers = {}) {
  try {
    await (await caches.open(CACHE)).put(address, new Response(text, { headers: { "Content-Type": "application/json", ...headers } }));
  } catch {
    // no cache, or a full one: continue without
  }
}

/** A stored game: {state, line, told}, where `told` names its table. */
export async function loadGame(id) {
  const text = await read(gameAt(id));
  return text && JSON.parse(text);
}

export const saveGame = (id, game) => write(gameAt(id), JSON.stringify(game), { [TABLES]: game.told.table });

/** A table's text. */
export const loadTable = (name) => read(tableAt(name));

export const saveTable = (name, text) => write(tableAt(name), text);

/** Delete the tables and games that are no longer used, but not the game `id`. */
export async function evictTables(id) {
  try {
    const cache = await caches.open(CACHE);
    const games = new Set([id, ...recentSessions()].map(gameAt));
    const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname);
    const used = new Set();
    for (const path of paths.filter((one) => games.has(one))) {
      for (const name of (await cache.match(path)).headers.get(TABLES)?.split(" ") ?? []) used.add(tableAt(name));
    }
    for (const path of paths) if (!games.has(path) && !used.has(path)) await cache.delete(path);
  } catch {
    // as above
  }
}

/** The last line of a game from the server; null without one. */
export const loadLine = (id) => load(LINE + id);

export const saveLine = (id, line) => save(LINE + id, line);

/** The latest games that can be played offline. */
export async function offlineGames(limit) {
  const found = [];
  for (const id of recentSessions()) {
    const game = found.length < limit && (await loadGame(id));
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
