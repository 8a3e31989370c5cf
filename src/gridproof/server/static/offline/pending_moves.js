// Moves that were made offline. They stay in this browser's storage until the server has them, or the player discards them.

import { request } from "../api.js";
import { button, dialog, h, navigate, reportErrors, sentence } from "../dom.js";
import { copy } from "../share.js";
import { load, save } from "../user_data.js";

const keyOf = (id) => `gridproof.moves.${id}`;
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The waiting moves of a session: {line, deeds}, the line before the first of them, and the moves since; null without any. */
export const loadMoves = (id) => load(keyOf(id));

export const saveMoves = (id, moves) => save(keyOf(id), moves?.deeds.length ? moves : null);

/** Whether another tab has changed the moves that this page knows. */
export const isOutdated = (id, moves) => !same(moves, loadMoves(id));

let question = null;

/** Ask the player about moves that could not be added: the rules have `refused` the first of them, or others played on. */
export function askAboutMoves(id, { moves, refused }) {
  const { line, deeds } = moves;
  const text = deeds.map(([kind, action]) => (kind === "act" ? action : kind)).join(" ");
  const count = deeds.length === 1 ? "Your offline move" : `Your ${deeds.length} offline moves`;
  const reason = refused ? `The rules refuse a move that you made offline: ${sentence(refused)}` : "Others played on while you were offline.";
  const discard = () => {
    if (same(moves, loadMoves(id))) saveMoves(id, null);
    question.close();
  };
  const keepCopy = reportErrors(async () => {
    const { id: copied } = await request(`sessions/${id}/copies`, { line, deeds });
    discard();
    navigate(`/play/${copied}`);
  });
  question?.close();
  question = dialog(refused ? "A move was refused" : "This game went on elsewhere",
    h("p", {}, `${reason} ${count} could not be added.`),
    refused && h("textarea", { readonly: true, rows: 3, "aria-label": "Your moves", value: text }),
    h("div", { className: "row" },
      refused ? button("Copy my moves", () => copy(text, "The text of your moves"), { className: "main" }) : button("Keep them as a copy", keepCopy, { className: "main" }),
      button("Discard my moves", discard)));
}
