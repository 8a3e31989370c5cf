// The states of a trace as a list: what was done, and what changed; each state leads to its place in the replay.

import { actionWords } from "../words.js";
import { button, h } from "../dom.js";

const VALUES = { true: "yes", false: "no" };
const valueText = (value) => VALUES[value] ?? value;

/** What changes on the board, in words: the pieces that move, else the number of cells. */
function boardChange({ moves, cells } = { moves: [], cells: [] }, pieces) {
  const names = [...new Set(moves.map(([id]) => pieces.get(id)?.name))].filter(Boolean);
  if (names.length) return `${names.join(", ")} ${names.length > 1 ? "move" : "moves"}`;
  return cells.length ? `${cells.length} ${cells.length > 1 ? "cells change" : "cell changes"}` : "the board stays the same";
}

/** What follows the last listed state; "" at the end of a trace without a loop. */
function endText(more, actions, loop) {
  const begin = more > 0 ? `And ${more} more` : "";
  if (typeof loop !== "number") return begin && `${begin}.`;
  return `${begin ? `${begin}. From there` : "From here"} ${loop < actions ? `it goes on as after state ${loop}, again and again` : "nothing changes any more"}.`;
}

export class TraceTable {
  /** `go(place)` shows a state on the board; `meanings` maps names of propositions to words, `pieces` numbers to pieces. There is a state after each of the `actions`; `states` are the first ones. */
  constructor({ states, actions, steps, loop, pieces }, meanings, go) {
    this.items = states.map((changes, place) => button([
      h("span", { className: "number" }, place ? `${place}. ` : ""), h("span", {}, place ? actionWords(steps[place - 1] ?? { words: "" }) : "The start"),
      h("span", { className: "changes" }, place > 0 && h("span", {}, boardChange(steps[place - 1], pieces)), changes.map((change) => this.#change(change, meanings))),
    ], () => go(place), { className: "quiet", dataset: { state: place } }));
    const end = endText(actions + 1 - states.length, actions, loop);
    const last = end && h("li", { className: "small muted" }, end);
    this.element = h("ol", { className: "plain trace-table", "aria-label": "States of the trace, with what changed" }, this.items.map((item) => h("li", {}, item)), last);
  }

  #change([name, before, now], meanings) {
    const meaning = meanings.get(name.replace(/\(.*$/, ""));
    return h("span", { className: "change", title: meaning }, h("code", {}, name), ` ${before ? `${valueText(before)} → ` : ""}${valueText(now)}`);
  }

  /** Mark the state that the board shows. */
  mark(place) {
    this.items.forEach((item, index) => (index === place ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current")));
    const item = this.items[place];
    if (item && this.element.scrollHeight > this.element.clientHeight) this.element.scrollTop = item.offsetTop - this.element.clientHeight / 2;
  }
}
