// Which actor an act is for: where the player has several, keys and drags move the chosen one.

import { announce } from "./dom.js";
import { mainDirection } from "./pointer.js";

export class KeyActor {
  constructor(play) {
    this.play = play;
    this.chosen = undefined; // by the player; undefined before the first choice
  }

  /** The name of the actor that keys move, where the player can choose one. */
  get name() {
    const { keys_of: keysOf = {} } = this.play.state;
    return this.chosen in keysOf ? this.chosen : Object.keys(keysOf)[0];
  }

  /** The cell of the actor that the player has chosen; undefined before a choice. */
  get chosenPlace() {
    return this.chosen === this.name ? this.play.now.each?.[this.name]?.place ?? undefined : undefined;
  }

  /** Let keys move an actor. */
  choose(actor) {
    const { play } = this;
    this.chosen = actor;
    play.bindKeys();
    play.sidebar.update(play.pending?.now ?? play.now);
    play.board.setOwn(play.now.each[actor].place ?? null);
    announce(`Keys move ${actor}`);
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
