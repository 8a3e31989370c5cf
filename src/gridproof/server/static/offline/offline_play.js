// Play without the server: fetch tables while it is there, answer from them while it is away, send the moves when it is back.

import { ApiError } from "../api.js";
import { pause } from "../dom.js";
import { EDGE, LocalGame, ONLINE_ONLY, OTHERS, OVER, RANDOM, lineAfter } from "./local_game.js";
import { MoveLine } from "./move_line.js";
import { addConflict } from "./pending_moves.js";
import { evictTables, loadGame, loadLine, loadTable, saveGame, saveLine, saveTable } from "./table_cache.js";
import { TransitionTable } from "./transition_table.js";

const RETRY_DELAY = 20000; // milliseconds before another table is fetched, around a later position or after a failure
const EDGE_DELAY = 3000; // the same at the edge of the current table
const RATE_DELAY = 1000; // milliseconds to wait after too many messages
const SAVE_DELAY = 300;
const MAX_MOVES = 200; // in one message
const OTHER_TAB = "Offline: this game is open in another tab. Play there, or reconnect.";
const idle = () => new Promise((done) => (globalThis.requestIdleCallback ?? ((soon) => setTimeout(soon, 200)))(done, { timeout: 3000 }));

export class OfflinePlay {
  /** `moves` are the session's PendingMoves, `ask` sends a message to the server, `learn` adds pieces to the board. */
  constructor(id, moves, ask, learn) {
    this.id = id;
    this.moves = moves;
    this.ask = ask;
    this.learn = learn;
    this.game = null;
    this.why = ""; // the server's reason why there is no table
    this.extra = []; // pieces of the table that the session does not have
  }

  /** Whether moves are made offline: the server is away, or does not have all offline moves yet. */
  get canPlay() {
    return Boolean(this.game?.canPlay && this.moves.owns) || this.waits;
  }

  get waits() {
    return this.moves.count > 0;
  }

  /** The text to show while the server is away. */
  get statusText() {
    const { game, moves } = this;
    if (!moves.owns) return OTHER_TAB;
    const { count } = moves;
    const unsent = count ? `Offline: ${count} ${count === 1 ? "move waits" : "moves wait"} to be sent.` : "Offline: reconnecting …";
    if (!game?.line || !game.table) return [unsent, this.why].filter(Boolean).join(" ");
    if (game.hasCoPlayers) return `${unsent} ${OTHERS}`;
    if (game.isOver) return `${unsent} ${OVER}`;
    if (!game.canPlay) return `${unsent} ${EDGE}`;
    if (game.needsChance) return `${unsent} ${RANDOM}`;
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
    await saveGame(this.id, { state: this.state, line: game.line.data, told: offer });
    await evictTables(this.id);
  }

  /** Stop all background requests. */
  leave() {
    clearTimeout(this.retry);
    this.fetching?.abort();
    this.fetching = null;
  }

  /** Load a table from the cache or from the server; null without one. */
  async #fetch(name, signal) {
    if (this.fetched?.name === name) return this.fetched.data;
    await idle();
    let text = await loadTable(name);
    if (!text) {
      const answer = await fetch(`/api/surroundings/${name}`, { signal }).catch(() => null);
      text = answer?.ok ? await answer.text().catch(() => null) : null;
      if (text) await saveTable(name, text);
    }
    if (!text) return null;
    this.fetched = { name, data: JSON.parse(text) };
    return this.fetched.data;
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
    return { ...state, pieces, board, now };
  }

  /** Save the server's line after a short delay. */
  #saveLater() {
    clearTimeout(this.saving);
    if (!this.waits) this.saving = setTimeout((line) => saveLine(this.id, line), SAVE_DELAY, this.game.line.data);
  }

  // -- while the server is away

  /** Restore the stored game when the page opens offline: return its state; null if it cannot continue. */
  async restore() {
    const stored = await loadGame(this.id);
    const text = stored && (await loadTable(stored.told.table));
    const { parts } = this.moves;
    const last = parts[0]?.line ?? loadLine(this.id) ?? stored?.line;
    if (!text || last.level !== stored.line.level) return null;
    this.#setState(stored.state);
    const { game } = this;
    game.line = new MoveLine(stored.line);
    this.#useTable(JSON.parse(text), stored.told);
    if (!game.goTo(new MoveLine(last))) return null;
    for (const [kind, action] of parts[0]?.deeds ?? []) game.do(kind === "act" ? action : kind);
    return parts.length > 1 || game.moves.length < this.moves.count ? null : this.state;
  }

  /** The answer that the server would give. */
  async answer(message) {
    const { game, moves } = this;
    if (!game?.line || !game.table) throw new ApiError(0, { code: "offline", text: this.statusText });
    const respond = {
      do: () => game.do(message.text),
      typed: () => game.do(message.text.trim()),
      point: () => game.point(message),
      preview: () => game.preview(message),
      state: () => ({ type: "answer", state: this.state }),
    }[message.type];
    if (!respond) throw new ApiError(0, { code: "offline", text: ONLINE_ONLY });
    const { level } = game.line;
    const known = moves.parts.at(-1);
    const part = known?.line.level === level ? known : { line: game.line.data, deeds: [] };
    game.moves = part.deeds;
    const answer = respond();
    if (part !== known && part.deeds.length) moves.parts.push(part);
    if (this.waits) moves.save();
    return { ...answer, away: true };
  }

  // -- when it is back

  /**
   * Send the moves to the server and return its new state, or null if it had them all. Moves that cannot be added become a
   * conflict. Throws if the connection is lost again; then the rest still waits.
   */
  async sync() {
    const { moves } = this;
    let state = null;
    while (moves.parts.length) {
      const [part] = moves.parts;
      const deeds = part.deeds.slice(0, MAX_MOVES);
      const answer = await this.#answer({ type: "away", ...part.line, deeds });
      const { apart = false, done = 0, refused = answer.text } = answer.caught ?? {};
      const failed = apart || refused;
      const added = failed ? done : deeds.length;
      part.line = lineAfter(part.line, deeds.slice(0, added));
      part.deeds.splice(0, added);
      if (failed) {
        const parts = moves.parts.splice(0).filter(({ deeds: left }) => left.length);
        addConflict(this.id, apart ? { parts } : { parts, refused });
      } else if (!part.deeds.length) moves.parts.shift();
      moves.save();
      if (!failed) saveLine(this.id, part.line);
      state = answer.state ?? (await this.#answer({ type: "state" })).state;
    }
    return state;
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
