// The result at the end of a level: it stays until the player chooses what follows, also after a reload.

import { load, save } from "./local_storage.js";
import { recordSolved } from "./user_data.js";
import { countActions, showOverlay } from "./overlay.js";

const AREA = "sessionStorage";
const progressKey = ({ level, done }) => `${level} ${done}`;

export class ResultDialog {
  constructor(play) {
    this.play = play;
    this.key = `gridproof.ending.${play.id}`;
    this.close = null; // closes the overlay
    this.last = null; // the shown result, until it is dismissed
    this.dismissedFor = null;
  }

  get isOpen() {
    return Boolean(this.close);
  }

  /** Report that a level is won or lost; another one may have followed. */
  async report({ kind, text }, message, before, moved) {
    const { play } = this;
    const change = (message.changes ?? []).findLast(({ won }) => won);
    const [won, key, actions] = [kind === "won", before?.key, countActions(before, message)];
    if (won && key && play.state.plays) recordSolved(key, { actions });
    await play.board.playing;
    this.#show({ title: text, key, level: change?.level ?? play.now.level, won, moved, actions, fireworks: won });
  }

  /** Show the result again after a reload or a reconnect, if it was not dismissed. */
  restore({ now, levels }) {
    const before = this.last ?? load(this.key, AREA);
    const followed = before?.won && !now.done && now.level !== before.level && levels[before.level - 1]?.done;
    const { end, level, key } = now;
    if (followed && (before.next ?? level) === level) this.#show({ ...before, moved: true });
    else if (end && this.dismissedFor !== progressKey(now)) this.#show({ title: end.text, key, level, won: end.kind === "won", moved: false });
    else this.#clear();
  }

  #show(result) {
    this.hide();
    const { play } = this;
    this.last = { ...result, next: result.moved ? play.now.level : null, fireworks: false };
    this.dismissedFor = null;
    play.wonKey = result.key;
    save(this.key, result.moved ? this.last : null, AREA); // the server sends any other result
    this.close = showOverlay(play, result);
  }

  /** Hide the result for now. */
  hide() {
    const { close } = this;
    this.close = null;
    close?.();
    if (close) this.play.showNextLevel();
  }

  /** Close the result after a choice. */
  dismiss() {
    if (!this.isOpen) return;
    this.#clear();
    this.dismissedFor = progressKey(this.play.now);
    this.hide();
  }

  #clear() {
    this.last = null;
    save(this.key, null, AREA);
  }
}
