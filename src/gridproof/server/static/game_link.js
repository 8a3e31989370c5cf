// The game from which a screen about a level was opened: its level, its position, and the way back to it.

import { request } from "./api.js";
import { h, icon } from "./dom.js";

/** The id of the game in the page's address; null without one. */
export const gameId = () => new URLSearchParams(location.search).get("play");

/** The number of a won level in the page's address, which the game has left; null for the current one. */
export const leftLevel = () => new URLSearchParams(location.search).get("level");

/** The query of the server's addresses for that level. */
export const ofLevel = (level = leftLevel()) => (level ? `?level=${level}` : "");

/** The session of a game, the text of its position, and while its level is not won, its state as `playing`, with the `keys` of its level and of its position as a level. */
async function loadState(id, level = leftLevel()) {
  const [session, position] = await Promise.all([request(`sessions/${id}`), request(`sessions/${id}/position${ofLevel(level)}`)]);
  const { game, key } = session;
  if (level || session.completed.includes(session.level)) return { session, position, playing: null };
  const here = await request("vocabularies", { text: position, game }).catch(() => null);
  return { session, position, playing: { ...session, keys: [key, here?.key] } };
}

/** The level and the position of a game, as texts: {text, position, game, title}, whether it is `over`, and its state as `playing`, as in `loadState`. */
export async function loadGame(id, level = leftLevel()) {
  const [{ session, position, playing }, text] = await Promise.all([loadState(id, level), request(`sessions/${id}/level${ofLevel(level)}`)]);
  const { game, over, title } = session;
  return { text, position, game, over, title, playing };
}

/** The state of a game whose level is not won, as in `loadState`; null without one, also for a game that is gone. */
export const loadPlaying = (id = gameId()) => (id ? loadState(id).then(({ playing }) => playing, () => null) : null);

/** The address of a screen that comes from a game, perhaps from a level that it has left. */
export const fromGame = (address, id = gameId(), level = leftLevel()) => (id ? `${address}?play=${id}${level ? `&level=${level}` : ""}` : address);

/** A link back to the game, which has gone on untouched; null without one. */
export const backToGame = (id = gameId()) => id && h("a", { className: "button back-to-game", href: `/play/${id}` }, icon("back"), "Back to the game");

/** Breadcrumbs of a screen: by way of the game, if it was opened from one. */
export const crumbs = (name, id = gameId()) => [h("a", { href: "/" }, "Games"), id && " › ", id && h("a", { href: `/play/${id}` }, "Your game"), ` › ${name}`].filter(Boolean);
