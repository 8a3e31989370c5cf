// What becomes of moves that were made here and could not be added to the game: others went on with it, or the rules refused one.

import { ask } from "../api.js";
import { dialog, h, note, sentence } from "../dom.js";
import { copy } from "../share.js";
import { countOf } from "./store.js";

const nameOf = ([kind, text]) => (kind === "act" ? text : kind);

/** The moves as text, each level's on a line. */
const listOf = (parts) => parts.map(({ deeds }) => deeds.map(nameOf).join(" ")).join("\n");

const counted = (count, one, more) => (count === 1 ? one : more.replace("#", count));

/** Ask the player, of one after the other where there are several. Until that is answered, they are kept. */
export function parted(play) {
  const [one] = play.away.apart;
  if (!one) return;
  const { parts, refused } = one;
  const settled = () => {
    play.away.reunite(one);
    shown.close();
  };
  const goOn = (from) => async () => {
    try {
      const [first, ...then] = parts.slice(from);
      const { id } = await ask(`sessions/${play.id}/copies`, { ...first, then });
      settled();
      document.dispatchEvent(new CustomEvent("gridproof:go", { detail: { address: `/play/${id}` } }));
    } catch (error) {
      note(error.message, 8);
    }
  };
  const letGo = () => {
    settled();
    parted(play);
  };
  const count = countOf(parts);
  const told = refused
    ? `The server did what you made offline, up to a move that the rules refuse. ${sentence(refused)} So ${counted(count, "this move", "this move and those after it, # in all,")} could not be added. They are kept until you let them go.`
    : `While the server was away from here, others (or you, in another tab) played on. So ${counted(count, "the move", "the # moves")} that you made offline could not be added. What you did can go on in a game of its own.`;
  const copies = refused ? parts.length > 1 && button("Go on in a copy, on the next level", goOn(1)) : button("Go on with my moves in a copy", goOn(0));
  const shown = dialog(refused ? "A move that you made offline is refused" : "This game went on elsewhere",
    h("p", {}, told),
    refused && h("textarea", { readonly: true, rows: 3, "aria-label": "Your moves", value: listOf(parts) }),
    h("div", { className: "row" }, copies,
      refused && button("Copy my moves as text", () => copy(listOf(parts), "What you did"), parts.length > 1),
      button("Let my moves go", letGo, true)));
}

const button = (words, onclick, soft = false) => h("button", { type: "button", className: !soft && "main", onclick }, words);
