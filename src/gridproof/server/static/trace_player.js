// A trace on a board without a session: it is requested once, and played like any replay.

import { request } from "./api.js";
import { Board } from "./board.js";
import { h } from "./dom.js";
import { listenToKeys } from "./input.js";
import { ReplayPlayer } from "./replay.js";

/** Play a trace on a board; returns the player, whose element the caller adds to the page. `at` is the first shown step; without it, the trace runs. `ended` is called when the reader goes back. */
export async function showTrace(board, trace, { title, loop, back, at, ended }) {
  const item = await request("replays", { trace });
  board.begin(item.pieces);
  let given = false;
  const steps = () => {
    const chunk = { kind: "steps", steps: given ? [] : item.steps, end: true };
    given = true;
    return Promise.resolve({ told: [chunk] });
  };
  const play = { board, now: item.now, connection: { send: steps }, sidebar: { update: () => undefined }, endReplay: ended };
  return new ReplayPlayer(play, { ...item, title: title ?? item.title, loop, back, at });
}

/** A level at its start on a board, or a trace of it with its player. */
export class LevelView {
  /** `toggled(showing)` is called when a trace is shown, and when it ends. */
  constructor(toggled) {
    this.toggled = toggled;
    this.board = new Board();
    this.stage = h("div", { className: "stage", tabindex: "0", role: "img", "aria-label": "The level" }, this.board.element);
    this.player = h("div", { className: "panel", hidden: true });
    this.replay = null;
    this.unlisten = listenToKeys((name) => Boolean(this.replay?.onKey(name)));
  }

  /** Show a level from the server's data; by default the last one. */
  show(level = this.level) {
    this.stop();
    this.level = level;
    this.board.begin(level.pieces);
    this.board.show(level.board);
    this.stage.setAttribute("aria-label", `The level ${level.title || ""}, at its start`);
  }

  /** Play a trace, with the options of `showTrace`. */
  async play(trace, options) {
    this.stop();
    this.replay = await showTrace(this.board, trace, { ...options, back: "Back to the level", ended: () => this.show() });
    this.player.replaceChildren(this.replay.element);
    this.#toggle(true);
    return this.replay;
  }

  /** End the trace that is shown. */
  stop() {
    this.replay?.stop();
    this.replay = null;
    this.#toggle(false);
  }

  leave() {
    this.stop();
    this.unlisten();
  }

  #toggle(showing) {
    this.player.hidden = !showing;
    this.toggled(showing);
  }
}
