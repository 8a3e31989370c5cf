// Games in this browser's cache, for play without the server.

import { recentSessions } from "../user_data.js";

const CACHE = "gridproof-away";
const addressOf = (id) => `/away/games/${id}`;

// Only pages from HTTPS or from this machine have a cache. Other pages lose the fetched tables when they close.

/** A stored game: {state, line, offer, table}, where the server's `offer` says how the table fits the line. */
export async function loadGame(id) {
  try {
    return await (await (await caches.open(CACHE)).match(addressOf(id)))?.json();
  } catch {
    return undefined;
  }
}

/** Store a game, and delete the games that are no longer recent. */
export async function saveGame(id, game) {
  try {
    const cache = await caches.open(CACHE);
    const recent = new Set([id, ...recentSessions()].map(addressOf));
    for (const request of await cache.keys()) if (!recent.has(new URL(request.url).pathname)) await cache.delete(request);
    await cache.put(addressOf(id), Response.json(game));
  } catch {
    // no cache, or a full one: continue without
  }
}

/** The latest games that can be played offline. */
export async function offlineGames(limit) {
  const found = [];
  for (const id of recentSessions()) {
    const state = found.length < limit && (await loadGame(id))?.state;
    if (!state) continue;
    const { game, now, levels, title, words } = state;
    found.push({ id, game, title: now.title || title, level: now.level, levels: levels.length, completed: levels.filter(({ done }) => done), completed_word: words.completed });
  }
  return found;
}
