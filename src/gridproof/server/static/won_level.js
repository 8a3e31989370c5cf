// A won level that was left, as it stood at its end, for a sheet that is shown again after a reload.

import { requestText } from "./api.js";

const CHUNK_SIZE = 200; // steps in one request

const find = (answer, kind) => answer.told.find((message) => message.kind === kind);

/** The start of a level and all steps to its end; throws an error if the server is away or does not tell them, or if the level has been begun again. */
export async function loadWonLevel(play, level) {
  const { id, connection } = play;
  const trace = await requestText(`sessions/${id}/trace?level=${level}`);
  const { replay, board } = find(await play.askUnshown({ type: "open", trace }), "replay");
  const steps = [];
  for (let ended = false; !ended;) {
    const part = find(await connection.ask({ type: "steps", replay, from: steps.length, count: CHUNK_SIZE }), "steps");
    steps.push(...part.steps);
    ended = part.end || !part.steps.length;
  }
  if (steps.at(-1)?.now?.status !== "WON") throw new Error("The level is played again.");
  return { board, steps };
}

/** The steps as the player of one actor may see them: without what others were told. */
export const visibleSteps = (steps, actor) =>
  (actor === null ? steps : steps.map((step) => ({ ...step, heard: undefined, seen_heard: undefined })));

/** The moves of a level as the server sends them. */
export const movesOf = (steps, game) => ({ first: 0, game, list: steps.map(({ action, words, seen }) => [action, words, seen]) });
