// Previews of what actions and clicks on cells would do.

import { showToast } from "./dom.js";

const DELAY = 120; // milliseconds until the mouse is said to rest

export class Previews {
  constructor(play) {
    this.play = play;
    this.board = play.board;
  }

  /** What pointing there would do, shown a moment after the mouse has come to rest. */
  hover(cell) {
    const key = cell?.join();
    if (key === this.hovered) return;
    this.hovered = key;
    clearTimeout(this.timer);
    this.board.preview([]);
    if (cell) this.timer = setTimeout(() => this.preview({ x: cell[0], y: cell[1] }), DELAY);
  }

  /** Show what an action, or pointing somewhere, would do. */
  async preview(what) {
    if (this.play.sidebar.runningJob) return;
    const { now } = this.play;
    const steps = await this.steps(what);
    if (steps && this.play.now === now && !this.board.playing) this.board.preview(steps);
  }

  /** The steps that an action, or pointing somewhere, would do. */
  async steps(what) {
    return (await this.#request(what))?.steps;
  }

  /** Point at a cell. What lies beside the board is used at the second tap: the first one shows what that would do. */
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
