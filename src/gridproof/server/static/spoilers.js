// The ladder of spoilers: from a nudge to the whole solution, as a button with a menu.

import { request } from "./api.js";
import { ask, button, h } from "./dom.js";
import { acceptHints, mustAskBeforeHint } from "./statistics.js";

const LADDER = [
  ["nudge", "Where to look", "nudge"],
  ["hint", "The next move", "hint"],
  ["hint", "The next three moves", "hint 3"],
  ["solve", "The whole solution", "solve"],
];
const LINES = new Set(["hint 3", "solve"]); // what shows several moves
/** What hints cost, in a game with a score or with stars. */
export const hintRule = (now) => ("score" in now ? "A game with hints does not count as a best" : "A win with hints gets no stars");

/** Show a hint; until the player of each game has accepted one in this browser, say what it costs. */
export function askBeforeHint(play, show) {
  const { game } = play.state;
  if (!mustAskBeforeHint(game)) return show();
  const accept = () => {
    acceptHints(game);
    show();
  };
  return ask("Show a hint?", `${hintRule(play.now)}.`, ["Show it", accept], "Not now");
}

/** Whether a solution of a level, by its key, would help the player of a game: it is the level or the position in play, and no hint was shown in it. */
export const isSpoiler = (playing, key) => Boolean(playing) && playing.keys.includes(key) && !playing.helped;

/** Show a part of a solution of a level; one that helps the player of a game is shown after a question, and noted as a hint. */
export function spoil(playing, key, show) {
  if (!isSpoiler(playing, key)) return show();
  const shown = () => {
    playing.helped = true;
    request(`sessions/${playing.id}/help`, { key: playing.key }).catch(() => undefined); // a game that is gone needs no note
    show();
  };
  return ask("Show a solution?", `You are playing this level. ${hintRule(playing)}.`, ["Show it", shown], "Not now");
}

let menus = 0;

export class SpoilerMenu {
  /** `hint` is the button of a single hint, to which the menu belongs. */
  constructor(play, hint) {
    this.play = play;
    menus += 1;
    const id = `spoilers-${menus}`;
    this.menu = h("div", { id, className: "menu", popover: "auto", role: "group", "aria-label": "How much to tell", ontoggle: (event) => this.#onToggle(event) }, this.#items());
    this.toggle = h("button", { type: "button", className: "more", popovertarget: id, "aria-haspopup": "true", "aria-label": "More hints", title: "How much to tell", dataset: { command: "more hints" } }, "▾");
    this.element = this.menu.querySelectorAll("button").length > 1 ? h("span", { className: "split" }, hint, this.toggle, this.menu) : hint;
  }

  #items() {
    const { play } = this;
    const choose = (action) => () => {
      this.menu.hidePopover();
      play.stage.focus({ preventScroll: true }); // keys play on
      action();
    };
    const hasLine = play.offers("nudge"); // a game whose hints are advice has no line to show
    const rungs = LADDER.filter(([word, , text]) => play.offers(word) && (hasLine || !LINES.has(text)));
    return [
      ...rungs.map(([, words, text]) => button(words, choose(() => askBeforeHint(play, () => play.do(text))), { dataset: text === "hint" ? {} : { command: text } })),
      play.state.tells_worth && button("What each direction is worth", choose(() => askBeforeHint(play, () => play.badgeLine.askWorth())), { dataset: { command: "worth" } }),
      play.offers("watch") && button(hasLine ? "Watch it" : "Watch a program play", choose(() => (hasLine ? askBeforeHint(play, () => play.do("watch")) : play.open("watch"))), { dataset: { command: "watch" } }),
      h("p", { className: "small muted" }, `${hintRule(play.state.now)}.`),
    ].filter(Boolean);
  }

  /** Put the menu below its button, and the focus into it. */
  #onToggle({ newState }) {
    if (newState !== "open") return;
    const box = this.toggle.parentElement.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.menu;
    const below = box.bottom + 4 + offsetHeight <= innerHeight;
    const right = Math.min(innerWidth - 8, document.querySelector("main").getBoundingClientRect().right);
    this.menu.style.left = `${Math.max(8, Math.min(box.left, right - offsetWidth))}px`;
    this.menu.style.top = `${below ? box.bottom + 4 : Math.max(8, box.top - offsetHeight - 4)}px`;
    this.menu.querySelector("button").focus();
  }
}
