// Previews of actions and of clicks on cells.

import { showToast } from "./dom.js";

const DELAY = 120; // milliseconds without movement after which the mouse rests

export class Previews {
  constructor(play) {
    this.play = play;
    this.board = play.board;
  }

  /** Preview a click on a cell, a moment after the mouse has come to rest. */
  hover(cell) {
    const key = cell?.join();
    if (key === this.hovered) return;
    this.hovered = key;
    clearTimeout(this.timer);
    this.board.preview([]);
    if (cell) this.timer = setTimeout(() => this.preview({ x: cell[0], y: cell[1] }), DELAY);
  }

  /** Show the effect of an action, or of a click. */
  async preview(what) {
    if (this.play.sidebar.runningJob) return;
    const { now } = this.play;
    const steps = await this.steps(what);
    if (steps && this.play.now === now && !this.board.playing) this.board.preview(steps);
  }

  /** The steps of an action, or of a click. */
  async steps(what) {
    return (await this.#request(what))?.steps;
  }

  /** Point at a cell. A piece beside the board is used at the second tap; the first tap shows its effect. */
  async tap([x, y]) {
    const { pending, play } = this;
    this.pending = null;
    if (!this.board.isReserve([x, y]) || (pending?.now === play.now && pending.x === x)) {
      play.point({ x, y });
      return;
    }
    await this.board.playing;
    const { now } = play;
    const answer = await this.#request({ x, y });
    if (!answer || play.now !== now) return;
    if (!answer.text) {
      play.point({ x, y });
      return;
    }
    this.pending = { now, x };
    this.board.preview(answer.steps);
    showToast(`Once more to confirm: ${answer.text}.`);
  }

  /** The server's preview: the steps, and the first one in words. */
  async #request(what) {
    const { play } = this;
    if (play.result.isOpen || play.replay || !play.state.plays || this.board.playing) return undefined;
    const answer = await play.connection.send({ type: "preview", ...what }).catch(() => null);
    return answer?.told?.find(({ kind }) => kind === "preview");
  }
}
