// Who plays the actors of a game: the player one of them, and programs the others, until the player chooses otherwise.

import { castOf, rememberSession } from "./user_data.js";

export const BY_HAND = "hand";

/** Let those play that this browser remembers: the server forgets programs that nobody watches, and other levels have other actors. */
export async function applyCast(play) {
  const cast = castOf(play.id);
  const { actor, actors, plays, bound, strategies, taken } = play.state;
  if (!cast || !plays || bound || play.now.race) return;
  for (const one of actors.filter((other) => !taken.includes(other))) {
    const wanted = cast.by[one] ?? (actor === null || one === actor ? BY_HAND : strategies[0]);
    if (wanted !== (play.now.partners[one] ?? BY_HAND)) await play.askUnshown({ type: "do", text: `let ${one} ${wanted}` }).catch(() => undefined);
  }
}

/** Play one actor, and let programs play the others; or play all. */
export function playAs(play, actor) {
  if (castOf(play.id)) recordCast(play, actor, {});
  play.connection.send({ type: "view", actor }).catch(() => undefined);
}

/** Let a program play an actor, or take it back. */
export function letPlay(play, actor, name) {
  const cast = castOf(play.id);
  if (cast) recordCast(play, cast.own, { ...cast.by, [actor]: name });
  return play.do(`let ${actor} ${name}`);
}

/** Remember the player's own actor (null: all) and who plays each of the others. */
export const recordCast = (play, own, by) => rememberSession(play.id, { cast: { own, by } });
