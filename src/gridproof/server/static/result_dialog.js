// The result at the end of a level: it stays until the player chooses what follows, also after a reload.

import { button, h, isMotionAllowed } from "./dom.js";
import { countLabel } from "./sidebar.js";
import { load, recordSolved, save } from "./user_data.js";

const AREA = "sessionStorage";
const progressKey = ({ level, done }) => `${level} ${done}`;

export class ResultDialog {
  constructor(play) {
    this.play = play;
    this.key = `gridproof.ending.${play.id}`;
    this.overlay = null;
    this.last = null; // the shown result, until it is dismissed
    this.dismissedFor = null;
  }

  get isOpen() {
    return Boolean(this.overlay);
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
    this.overlay = createOverlay(play, result);
    play.stage.append(this.overlay);
    (this.overlay.querySelector(".main") ?? this.overlay.querySelector("button"))?.focus({ preventScroll: true });
  }

  /** Hide the result for now. */
  hide() {
    const { overlay } = this;
    if (!overlay) return;
    this.overlay = null;
    overlay.remove();
    this.play.showNextLevel();
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

/** The overlay on the board at the end of a level, with the next actions; and fireworks. */
function createOverlay(play, { title, level, won, moved, actions, fireworks }) {
  const dismiss = () => play.result.dismiss();
  const thenDo = (action) => () => {
    dismiss();
    action();
  };
  const commands = play.now.question.commands.filter((word) => play.offers(word));
  const buttons = [
    moved && button("Next level", dismiss, { className: "main" }),
    !moved && commands.includes("continue") && button("Continue", thenDo(() => play.do("continue")), { className: "main" }),
    !moved && !commands.includes("continue") && button("See the board", dismiss, { className: !commands.includes("new") && "main" }),
    moved && play.offers("level") && button("Play it again", thenDo(() => play.do(`level ${level}`))),
    !moved && commands.includes("new") && button(won ? "New game" : "Try again", thenDo(() => play.do("new")), { className: !commands.includes("continue") && "main" }),
    !moved && !won && play.now.done > 0 && play.offers("undo") && button("Take it back", thenDo(() => play.do("undo"))),
    won && button("Share", () => play.open("share", level)),
    won && button("Best on this server", () => play.open("scores", level)),
  ];
  const counts = moved ? `${actions} ${actions === 1 ? "action" : "actions"}` : play.now.counts.map(([word, value]) => `${countLabel(word)} ${value}`).join(", ");
  return h("div", { className: "overlay", role: "group", "aria-label": "The end of the level" },
    fireworks && isMotionAllowed() && h("div", { className: "sparks", "aria-hidden": "true", onanimationend: ({ target }) => target.remove() }),
    h("h2", {}, title), counts && h("p", { className: "muted" }, counts), h("div", { className: "row" }, buttons));
}

/** Count the actions of a won level. */
function countActions(before, message) {
  const acts = (message.changes ?? []).filter(({ change }) => change === "act");
  return (before?.done ?? 0) + acts.reduce((sum, { steps }) => sum + steps.length, 0);
}

/** Merge a win and the selection of the next level into one change. */
export function mergeLevelChange(changes) {
  const [won, next] = changes.slice(-2);
  if (changes.length < 2 || !won.won || won.current !== won.level || next.change !== "select") return changes;
  return [...changes.slice(0, -2), { ...won, passed: [...won.passed, ...next.passed], current: next.current, board: next.board }];
}

/** The state of a won level that was left, built from the state before. */
export function wonState({ levels }, now, { counts }) {
  const completed = levels.filter(({ done }) => done).length;
  return { ...now, counts: counts ?? now.counts, completed, actions: [], done: 0, undone: 0 };
}
