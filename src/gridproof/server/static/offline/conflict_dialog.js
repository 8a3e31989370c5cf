// Dialog for offline moves that could not be added: others played on, or the rules refuse a move.

import { request } from "../api.js";
import { button, dialog, h, navigate, reportErrors, sentence } from "../dom.js";
import { copy } from "../share.js";
import { conflictsOf, countMoves, removeConflict } from "./pending_moves.js";

const moveName = ([kind, text]) => (kind === "act" ? text : kind);

/** The moves as text, one line for each level. */
const movesText = (parts) => parts.map(({ deeds }) => deeds.map(moveName).join(" ")).join("\n");

/** Ask the player what to do with them, one conflict after the other. Until then, they are stored. */
export function showConflicts(id) {
  const [conflict] = conflictsOf(id);
  if (!conflict) return;
  const { parts, refused } = conflict;
  const [first, ...then] = parts;
  const count = countMoves(parts);
  const moves = count === 1 ? "Your offline move" : `Your ${count} offline moves`;
  const resolve = () => {
    removeConflict(id, conflict);
    box.close();
  };
  const copyGame = reportErrors(async () => {
    const { id: copied } = await request(`sessions/${id}/copies`, { ...first, then });
    resolve();
    navigate(`/play/${copied}`);
  });
  const discard = () => {
    resolve();
    showConflicts(id);
  };
  const text = movesText(parts);
  const box = dialog(refused ? "A move was refused" : "This game went on elsewhere",
    h("p", {}, refused ? `The rules refuse a move that you made offline: ${sentence(refused)} ${moves} could not be added.` : `Others played on while you were offline. ${moves} could not be added.`),
    refused && h("textarea", { readonly: true, rows: 3, "aria-label": "Your moves", value: text }),
    h("div", { className: "row" },
      refused ? button("Copy my moves", () => copy(text, "The text of your moves"), { className: "main" }) : button("Continue in a copy", copyGame, { className: "main" }),
      button("Discard my moves", discard)));
}
