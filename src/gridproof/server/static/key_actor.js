// Which actor an act is for: where the player has several, keys and drags move the chosen one.

import { announce, button, h } from "./dom.js";
import { keyBindings } from "./keys.js";
import { mainDirection } from "./pointer.js";
import { isBoardDirected } from "./user_data.js";

export class KeyActor {
  /**
   * `play` has the `board`, the `state` of the level, `now`, the state of the position, and the `keys`; it follows a choice by
   * `bindKeys()` and `showKeyActor()`.
   */
  constructor(play) {
    this.play = play;
    this.chosen = undefined; // by the player; undefined before the first choice
    this.element = h("div", { className: "key-actors keyboard", role: "group", "aria-label": "Keys move" });
  }

  /** The name of the actor that keys move, where the player can choose one. */
  get name() {
    const { keys_of: keysOf = {} } = this.play.state;
    return this.chosen in keysOf ? this.chosen : Object.keys(keysOf)[0];
  }

  /** The cell of the actor that keys and swipes move; undefined where the player cannot choose one. */
  get place() {
    return this.play.now.each?.[this.name]?.place ?? undefined;
  }

  /** Let keys move an actor. */
  choose(actor) {
    const { play } = this;
    this.chosen = actor;
    play.bindKeys();
    play.showKeyActor();
    play.board.setOwn(this.place ?? null);
    announce(`Keys move ${actor}`);
  }

  /** Show a button for each of the actors; none where there is no choice. */
  showButtons(each = {}) {
    const [actors, chosen] = [Object.keys(each), this.name];
    const buttons = [...this.element.querySelectorAll("button")];
    this.element.hidden = actors.length < 2;
    if (buttons.map(({ textContent }) => textContent).join() !== actors.join()) {
      this.element.replaceChildren(h("span", { className: "small muted", "aria-hidden": "true" }, "Keys move"), ...actors.map((actor) => button(actor, () => this.choose(actor))));
    }
    for (const one of this.element.querySelectorAll("button")) {
      one.setAttribute("aria-pressed", String(one.textContent === chosen));
      one.title = `Key ${this.keyOf(one.textContent)}`;
    }
  }

  /** The keys of the level, and of the position where arrows mean directions of the board. */
  bindings(now = this.play.now) {
    const { state } = this.play;
    const { directions } = now?.each?.[this.name] ?? now ?? {};
    return keyBindings({ ...state, keys: { ...state.keys, ...state.keys_of?.[this.name] } }, isBoardDirected() ? directions : {});
  }

  /** Let keys move the actor that a click has moved: that of one of the actions that were possible. */
  follow(text, actions) {
    const { actor } = actions.find((action) => action.text === text) ?? {};
    if (this.play.now.each?.[actor] && actor !== this.name) this.choose(actor);
  }

  /** The actor that a key chooses: its letter, with Shift where the letter alone means something else. */
  ofKey(key) {
    return Object.keys(this.play.state.keys_of ?? {}).find((actor) => key === this.keyOf(actor));
  }

  keyOf(actor) {
    return actor in this.play.keys ? actor.toUpperCase() : actor;
  }

  /** The actor on a cell, of those that the player can choose. */
  #at({ x, y }) {
    return Object.entries(this.play.now.each ?? {}).find(([, { place }]) => place && place[0] === x && place[1] === y)?.[0];
  }

  /** Let keys move the actor that is clicked; whether another one was chosen. */
  chooseAt(where) {
    const actor = where.to ? undefined : this.#at(where);
    if (!actor || actor === this.name) return false;
    this.choose(actor);
    return true;
  }

  /** A drag that begins beside all actors is the arrow of the chosen one; so is a click beside that one, where no mark is, and a swipe without actors. */
  meaningOf(where) {
    const { now, state } = this.play;
    const { directions = {}, place } = now.each?.[this.name] ?? {};
    if (!(where.to || place) || this.#at(where)) return where;
    const [from, to] = where.to ? [[where.x, where.y], where.to] : [place, [where.x, where.y]];
    const [right, down] = [to[0] - from[0], to[1] - from[1]];
    const isMarked = () => now.actions.some(({ marks }) => marks?.some(([, x, y]) => x === to[0] && y === to[1]));
    if (!where.to && (Math.abs(right) + Math.abs(down) !== 1 || isMarked())) return where;
    const way = mainDirection(from, to);
    const text = directions[way] ?? (where.swipe && way in state.meanings && way);
    return text ? { text } : where;
  }
}
