// Play without the server: fetch tables while it is there, answer from them while it is away, send the moves when it is back.

import { ApiError } from "../api.js";
import { navigate, pause } from "../dom.js";
import { loadGame, saveGame } from "./game_cache.js";
import { lineAfter, LocalGame, MoveLine, ONLINE_ONLY } from "./local_game.js";
import { isOutdated, loadMoves, saveMoves } from "./pending_moves.js";
import { TransitionTable } from "./transition_table.js";
import { load, save } from "../user_data.js";

const RETRY_DELAY = 20000; // milliseconds before another table is fetched, around a later position or after a failure
const EDGE_DELAY = 3000; // the same at the edge of the current table
const RATE_DELAY = 1000; // milliseconds to wait after too many messages
const SAVE_DELAY = 300;
const LINE = "gridproof.line."; // of the keys of the last lines from the server
const MAX_MOVES = 200; // in one message
const OTHER_TAB = "You played on in another tab: this is its game.";
const idle = () => new Promise((done) => (globalThis.requestIdleCallback ?? ((soon) => setTimeout(soon, 200)))(done, { timeout: 3000 }));

export class OfflinePlay {
  /** `ask` sends a message to the server, `learn` adds pieces to the board. */
  constructor(id, ask, learn) {
    this.id = id;
    this.moves = loadMoves(id); // those that wait for the server
    this.ask = ask;
    this.learn = learn;
    this.game = null;
    this.why = ""; // the server's reason why there is no table
    this.extra = []; // pieces of the table that the session does not have
  }

  /** Whether moves are made offline: the server is away, or does not have all offline moves yet. */
  get canPlay() {
    return Boolean(this.game?.canPlay) || this.waits;
  }

  get waits() {
    return this.moves !== null;
  }

  /** The text to show while the server is away. */
  get statusText() {
    const { game } = this;
    const count = this.moves?.deeds.length;
    const unsent = count ? `Offline: ${count} ${count === 1 ? "move waits" : "moves wait"} to be sent.` : "Offline: reconnecting …";
    if (!game?.line || !game.table) return [unsent, this.why].filter(Boolean).join(" ");
    if (game.obstacle) return `${unsent} ${game.obstacle}`;
    return count ? unsent : "Offline: you can play on.";
  }

  // -- while the server is connected

  /** Start from a state of the server. */
  begin(state) {
    this.#setState(state);
    this.#fetchTable();
  }

  #setState(state) {
    this.game = new LocalGame(state);
    this.extra = [];
    this.pieces = new Map(state.pieces.map((piece, id) => [id, piece]));
    this.ids = new Map(state.pieces.map((piece, id) => [JSON.stringify(piece), id]));
  }

  /** Apply a message of the server. */
  follow(message) {
    for (const [id, piece] of message.pieces ?? []) {
      this.pieces.set(id, piece);
      this.ids.set(JSON.stringify(piece), id);
    }
    const { game } = this;
    const before = game.line;
    game.follow(message);
    if (!message.changes?.length || !before) return;
    if (!game.line) this.#fetchTable();
    else {
      this.#saveLater();
      const { table, line } = game;
      const far = !table?.knows(line.here) || (!table.complete && line.here > table.known / 3);
      const delay = table?.known > 1 && !table.knows(line.here) ? EDGE_DELAY : RETRY_DELAY; // tables do not help where all actions are random
      if (far && !this.fetching && performance.now() - this.fetchedAt > delay) this.#fetchTable(true);
    }
  }

  /** Fetch the table of the level, or the table around the current position, when the page is idle. */
  async #fetchTable(near = false) {
    this.leave(); // stop waiting for another table
    const { signal } = (this.fetching = new AbortController());
    this.fetchedAt = performance.now();
    const { game } = this;
    const offer = await this.#answer({ type: "line", near }).catch(() => null);
    if (signal.aborted) return;
    this.why = offer?.why ?? "";
    if (!offer?.line) game.line = null;
    else game.line ??= new MoveLine(offer.line);
    const table = game.line && (await this.#fetch(offer.table, signal));
    if (signal.aborted) return;
    this.fetching = null;
    if (game.line && !table && !game.table) this.retry = setTimeout(() => this.#fetchTable(), RETRY_DELAY); // perhaps the server is busy
    if (!table || !game.line) return;
    this.#useTable(table, offer);
    if (!game.canPlay && !near) {
      this.#fetchTable(true);
      return;
    }
    this.#saveLater();
    await saveGame(this.id, { state: this.state, line: game.line.data, offer, table });
  }

  /** Stop all background requests. */
  leave() {
    clearTimeout(this.retry);
    this.fetching?.abort();
    this.fetching = null;
  }

  /** Fetch a table from the server; null without one. */
  async #fetch(name, signal) {
    if (this.fetched?.name === name) return this.fetched.data;
    await idle();
    const route = this.id.slice(0, 4); // proxies need it to find the server of the session
    const answer = await fetch(`/api/surroundings/${name}?route=${route}`, { signal }).catch(() => null);
    const data = answer?.ok ? await answer.json().catch(() => null) : null;
    if (data) this.fetched = { name, data };
    return data;
  }

  #useTable(data, offer) {
    const news = [];
    this.game.table = new TransitionTable(data, (piece) => {
      const key = JSON.stringify(piece);
      if (!this.ids.has(key)) {
        const id = `away-${this.ids.size}`; // unlike the server's ids, which are numbers
        this.ids.set(key, id);
        news.push([id, piece]);
      }
      return this.ids.get(key);
    });
    this.extra.push(...news);
    this.learn(news);
    this.game.line.place(this.game.table, offer);
  }

  /** The state as the server would send it. */
  get state() {
    const { state, board, now } = this.game;
    const pieces = [...this.pieces].sort(([a], [b]) => a - b).map(([, piece]) => piece);
    return { ...state, pieces, board, now, moves: this.game.line ? { ...state.moves, first: 0, list: this.game.line.steps.map(([text]) => [text, state.meanings?.[text] ?? text]) } : state.moves };
  }

  /** Save the server's line after a short delay. */
  #saveLater() {
    clearTimeout(this.saving);
    if (!this.waits) this.saving = setTimeout((line) => save(LINE + this.id, line), SAVE_DELAY, this.game.line.data);
  }

  // -- while the server is away

  /** Restore the stored game when the page opens offline: return its state; null if it cannot continue. */
  async restore() {
    const stored = await loadGame(this.id);
    const line = this.moves?.line ?? load(LINE + this.id) ?? stored?.line;
    if (!stored || line.level !== stored.line.level) return null;
    this.#setState(stored.state);
    const { game } = this;
    game.line = new MoveLine(stored.line);
    this.#useTable(stored.table, stored.offer);
    if (!game.goTo(new MoveLine(line))) return null;
    const deeds = this.moves?.deeds ?? [];
    for (const [kind, action] of deeds) game.do(kind === "act" ? action : kind);
    if (game.moves.length < deeds.length) return null;
    if (this.moves) this.moves.deeds = game.moves;
    return this.state;
  }

  /** Open the page again if another tab has added moves or sent them. */
  #compareWithOtherTabs() {
    if (!isOutdated(this.id, this.moves)) return;
    navigate(`/play/${this.id}`, true);
    throw new ApiError(0, { code: "offline", text: OTHER_TAB });
  }

  /** The answer that the server would give. */
  async answer(message) {
    this.#compareWithOtherTabs();
    const { game } = this;
    if (!game?.line || !game.table) throw new ApiError(0, { code: "offline", text: this.statusText });
    const respond = {
      do: () => game.do(message.text),
      typed: () => game.do(message.text.trim()),
      point: () => game.point(message),
      preview: () => game.preview(message),
      state: () => ({ type: "answer", state: this.state }),
    }[message.type];
    if (!respond) throw new ApiError(0, { code: "offline", text: ONLINE_ONLY });
    const line = game.line.data;
    const answer = respond();
    if (game.moves.length) {
      this.moves ??= { line, deeds: game.moves };
      saveMoves(this.id, this.moves);
    }
    return { ...answer, away: true };
  }

  // -- when it is back

  /**
   * Send the moves to the server. Return its new `state`, if it got any; and as a `problem` {moves, refused} those that it
   * could not add: they stay stored. Throws if the connection is lost again, or another tab was faster; then the rest still waits.
   */
  async sync() {
    this.#compareWithOtherTabs();
    let [state, problem] = [null, null];
    while (this.moves) {
      const { moves } = this;
      const deeds = moves.deeds.slice(0, MAX_MOVES);
      const answer = await this.#answer({ type: "away", ...moves.line, deeds });
      const { apart = false, done = 0, refused = answer.text } = answer.caught ?? {};
      const failed = apart || refused;
      const added = failed ? done : deeds.length;
      moves.line = lineAfter(moves.line, deeds.slice(0, added));
      moves.deeds.splice(0, added);
      saveMoves(this.id, moves);
      if (failed) problem = { moves, refused };
      else save(LINE + this.id, moves.line);
      if (failed || !moves.deeds.length) this.moves = null;
      state = answer.state ?? (await this.#answer({ type: "state" })).state;
    }
    return { state, problem };
  }

  /** Request an answer of the server; repeat the request after a rate limit. */
  async #answer(message) {
    for (;;) {
      const answer = await this.ask(message);
      if (answer.code !== "rate") return answer;
      await pause(RATE_DELAY);
    }
  }
}
