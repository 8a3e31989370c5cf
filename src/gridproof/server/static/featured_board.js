// A level that is played at once: its board is shown without a session, which the first action begins.

import { Board, MAX_MARKS } from "./board.js";
import { h } from "./dom.js";
import { keyBindings, listenToKeys } from "./keys.js";
import { Pointer } from "./pointer.js";

export class FeaturedBoard {
  /** `begin(what)` is called once, with the first action: {text} of a key, or the place {x, y, to} of a click, a tap or a swipe. */
  constructor(level, begin) {
    this.level = level;
    this.begin = begin;
    this.board = new Board();
    this.stage = h("div", { className: "stage", tabindex: "0", role: "application", "aria-roledescription": "board", "aria-label": `Board of ${level.title}`, "aria-describedby": this.board.description.id }, this.board.element, this.board.description);
    this.verdict = h("p", { className: "proved" }, h("span", { className: "mark", "aria-hidden": "true" }, "✓ "), level.verdict);
    this.verdict.hidden = !level.verdict;
    this.board.begin(level.pieces);
    this.board.show(level.board);
    this.board.setFrame(level.marks.some(([, x, y]) => !this.board.contains(x, y)));
    if (level.marks.length <= MAX_MARKS) this.board.mark(level.marks);
    const keys = keyBindings({ game: level.game, keys: level.keys, commands: [] });
    this.unlisten = listenToKeys((name, { target }) => {
      const text = target === this.stage && keys[name]; // elsewhere the arrows scroll the page
      if (text) this.#start({ text });
      return Boolean(text);
    });
    const point = (where) => this.#start(where);
    this.pointer = new Pointer(this.stage, this.board, { tap: ([x, y]) => point({ x, y }), hover: () => undefined, point, preview: async () => undefined });
  }

  async #start(what) {
    if (this.begun) return;
    this.begun = true;
    this.begun = await this.begin(what);
  }

  leave() {
    this.unlisten();
  }
}
