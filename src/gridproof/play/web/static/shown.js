// A trace on a board that belongs to no game: it is asked for once, and watched like any other.

import { ask } from "./api.js";
import { ReplayPlayer } from "./replay.js";

/** Show a trace on a board: a player, whose element is to be put somewhere. `at` is where it is looked at first; without it, it runs. `ended` is called when one goes back. */
export async function showTrace(board, trace, { title, loop, back, at, ended, counts }) {
  const item = await ask("replays", { trace });
  board.begin(item.pieces);
  let given = false;
  const steps = () => {
    const told = { kind: "steps", steps: given ? [] : item.steps, end: true };
    given = true;
    return Promise.resolve({ told: [told] });
  };
  const place = { board, now: item.now, connection: { send: steps }, rail: { stands: (now) => counts?.(now.counts) }, endReplay: ended };
  return new ReplayPlayer(place, { ...item, title: title ?? item.title, loop, back, at });
}
