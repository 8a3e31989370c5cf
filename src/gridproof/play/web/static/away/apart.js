// What becomes of moves that were made here while the game went on elsewhere.

import { ask } from "../api.js";
import { dialog, h, note } from "../dom.js";

/** Ask the player, of one after the other where there are several. Until that is answered, they are kept. */
export function parted(play) {
  const [one] = play.away.apart;
  if (!one) return;
  const { line, deeds } = one;
  const count = deeds.length === 1 ? "the move" : `the ${deeds.length} moves`;
  const copy = async () => {
    try {
      const { id } = await ask(`sessions/${play.id}/copies`, { line, deeds });
      play.away.reunite(one);
      shown.close();
      document.dispatchEvent(new CustomEvent("gridproof:go", { detail: { address: `/play/${id}` } }));
    } catch (error) {
      note(error.message, 8);
    }
  };
  const letGo = () => {
    play.away.reunite(one);
    shown.close();
    parted(play);
  };
  const shown = dialog("This game went on elsewhere",
    h("p", {}, `While the server was away from here, others (or you, in another tab) played on. So ${count} that you made offline could not be added. What you did can go on in a game of its own.`),
    h("div", { className: "row" },
      h("button", { type: "button", className: "main", onclick: copy }, "Go on with my moves in a copy"),
      h("button", { type: "button", onclick: letGo }, "Let my moves go")));
}
