// Moves that were made offline: those that wait for the server, and those that it could not add. They are in this browser's storage.

import { keysWithPrefix, load, save } from "../local_storage.js";

const MOVES = "gridproof.deeds.";
const CONFLICTS = "gridproof.apart.";
const LOCK_TIMEOUT = 500; // milliseconds within which the page before a reload releases the lock

/** Count the moves of some parts. */
export const countMoves = (parts) => parts.reduce((sum, { deeds }) => sum + deeds.length, 0);

/**
 * The moves of a session that wait for the server: `parts` are [{line, deeds}, ...], the line of a level before the first of
 * its moves, and the moves since. One tab at a time `owns` them, so that no tab overwrites the moves of another.
 */
export class PendingMoves {
  constructor(id) {
    this.id = id;
    this.parts = [];
    this.owns = false;
    this.key = MOVES + id;
    if (!navigator.locks) this.key += `.${Date.now()}`; // a page without HTTPS has no locks: each page stores its moves under its own key
  }

  /**
   * Own the moves, now or as soon as another tab has closed; `onLate` is called if moves are found only then.
   * It waits a moment for another page, but only if moves are stored or the page is offline.
   */
  async open(onLate) {
    this.closing = new AbortController();
    const released = new Promise((resolve) => this.closing.signal.addEventListener("abort", resolve));
    let late = false;
    const owned = new Promise((resolve) => {
      const own = () => {
        this.#load();
        resolve();
        if (late && this.parts.length) onLate();
        return released;
      };
      if (navigator.locks) navigator.locks.request(this.key, { signal: this.closing.signal }, own).catch(() => undefined);
      else own();
    });
    if (this.#keys().length || !navigator.onLine) await Promise.race([owned, new Promise((resolve) => setTimeout(resolve, LOCK_TIMEOUT))]);
    late = true;
  }

  /** Release the moves for another tab. */
  close() {
    this.closing.abort();
  }

  #keys() {
    return keysWithPrefix(MOVES + this.id).filter((key) => key === this.key || key.startsWith(`${MOVES}${this.id}.`));
  }

  #load() {
    this.owns = true;
    for (const key of this.#keys()) {
      const parts = load(key);
      save(key, null); // first, because there may be no room for both
      if (this.parts.length) addConflict(this.id, { parts });
      else this.parts = parts;
      this.save();
    }
  }

  get count() {
    return countMoves(this.parts);
  }

  save() {
    const parts = this.parts.filter(({ deeds }) => deeds.length);
    save(this.key, parts.length ? parts : null);
  }
}

/**
 * The moves that could not be added to a session, [{parts, refused}, ...], until the player has decided about
 * them: `refused` says why the rules refuse the first one; without it, others have played on meanwhile.
 */
export const conflictsOf = (id) => load(CONFLICTS + id) ?? [];

export const addConflict = (id, conflict) => save(CONFLICTS + id, [...conflictsOf(id), conflict]);

export function removeConflict(id, conflict) {
  const left = conflictsOf(id).filter((other) => JSON.stringify(other) !== JSON.stringify(conflict));
  save(CONFLICTS + id, left.length ? left : null);
}
