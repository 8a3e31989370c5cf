// Generated puzzles: request one, wait while it is being made, and play it.

import { request } from "./api.js";
import { dialog, h, navigate, pause, reportErrors } from "./dom.js";
import { playedPuzzles, rememberNewSession, rememberPuzzle } from "./user_data.js";

const POLL_INTERVAL = 400; // milliseconds between two polls
const ATTEMPTS = 3; // somebody else who waited for the same puzzle may have stopped its job

/** Request the next puzzle of a kind and a difficulty that this browser has not played. */
export const requestNext = ({ game, kind, difficulty }) =>
  request("puzzles", { game, kind, difficulty, played: playedPuzzles().filter((id) => id.startsWith(`${game}-${kind}-${difficulty}-`)) });

/** Play a requested puzzle; if it is being made, wait for it, with a dialog. Resolves to false if the player does not want to wait. */
export async function playPuzzle(answer, replace = false) {
  const { id } = answer.ready ? answer : (await waitForPuzzle(answer)) ?? {};
  if (!id) return false;
  const session = await request("sessions", { puzzle: id });
  rememberPuzzle(id);
  rememberNewSession(session);
  navigate(`/play/${session.id}`, replace);
  return true;
}

/** Return the action that plays the next puzzle like another one; with `isAhead` the puzzle is requested at once, so that it is ready. */
export function likeThis(puzzle, isAhead = false) {
  const next = isAhead ? requestNext(puzzle).catch(() => null) : null;
  return reportErrors(async () => playPuzzle((await next) ?? (await requestNext(puzzle)), puzzle));
}

/** Wait until a puzzle is made; null if the player closes the dialog. */
async function waitForPuzzle(answer) {
  const progress = h("progress", { max: answer.job.attempts, "aria-label": "Boards tried" });
  const box = dialog("Making your puzzle", h("p", {}, `${answer.game_title}: ${answer.title.toLowerCase()}. Nobody has had it yet, so it is made and proved now: this takes a few seconds.`), progress);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await pollJob(answer.job, box, progress);
        const made = box.open && (await request("puzzles", { id: answer.id }));
        if (!made || made.ready) return made || null;
        answer = made;
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        answer = await request("puzzles", { id: answer.id });
        if (answer.ready) return box.open ? answer : null;
      }
    }
  } finally {
    box.close();
  }
}

async function pollJob(job, box, progress) {
  while (!job.done && box.open) {
    await pause(POLL_INTERVAL);
    job = await request(`jobs/${job.id}`);
    if (job.positions) progress.value = job.positions;
  }
  if (job.done && !job.result) throw new Error(job.error ?? "The puzzle could not be made.");
}
