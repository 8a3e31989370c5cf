// The game from which a screen about a level was opened: its level, its position, and the way back to it.

import { request } from "./api.js";
import { h, icon } from "./dom.js";

/** The id of the game in the page's address; null without one. */
export const gameId = () => new URLSearchParams(location.search).get("play");

/** The number of a won level in the page's address, which the game has left; null for the current one. */
export const leftLevel = () => new URLSearchParams(location.search).get("level");

/** The query of the server's addresses for that level. */
export const ofLevel = (level = leftLevel()) => (level ? `?level=${level}` : "");

/** The level and the position of a game, as texts: {text, position, game, title}, whether it is `over`, and while its level is not won, its state as `playing`, with the `keys` of its level and of its position as a level. */
export async function loadGame(id, level = leftLevel()) {
  const of = ofLevel(level);
  const [session, text, position] = await Promise.all([request(`sessions/${id}`), request(`sessions/${id}/level${of}`), request(`sessions/${id}/position${of}`)]);
  const { game, over, title, key } = session;
  const isWon = level || session.completed.includes(session.level);
  const here = isWon ? null : await request("vocabularies", { text: position, game }).catch(() => null);
  return { text, position, game, over, title, playing: isWon ? null : { ...session, keys: [key, here?.key] } };
}

/** The state of a game whose level is not won, as in `loadGame`; null without one, also for a game that is gone. */
export const loadPlaying = (id = gameId()) => (id ? loadGame(id).then(({ playing }) => playing, () => null) : null);

/** The address of a screen that comes from a game, perhaps from a level that it has left. */
export const fromGame = (address, id = gameId(), level = leftLevel()) => (id ? `${address}?play=${id}${level ? `&level=${level}` : ""}` : address);

/** A link back to the game, which has gone on untouched; null without one. */
export const backToGame = (id = gameId()) => id && h("a", { className: "button back-to-game", href: `/play/${id}` }, icon("back"), "Back to the game");

/** Breadcrumbs of a screen: by way of the game, if it was opened from one. */
export const crumbs = (name, id = gameId()) => [h("a", { href: "/" }, "Games"), id && " › ", id && h("a", { href: `/play/${id}` }, "Your game"), ` › ${name}`].filter(Boolean);
