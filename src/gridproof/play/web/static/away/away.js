// Being ready for when the server is away: its tables are fetched while nothing else is to be done, what is done without
// it is kept, and when it is back it is told all of that, and judges it.

import { Refused } from "../api.js";
import { EDGE, ELSE, Game, LUCK, OTHERS, OVER, after } from "./game.js";
import { Line } from "./line.js";
import { addApart, dropApart, keepDeeds, keepGame, keepLine, keepTable, keptApart, keptGame, keptLine, keptTable } from "./store.js";
import { Table } from "./table.js";

const AGAIN = 20000; // milliseconds before another table is asked for, around a position that has moved on
const SOON = 3000; // the same, where the one that is there has come to its edge
const MOST_DEEDS = 200; // in one message
const RATE = 1000; // milliseconds to wait when too much was said
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const idle = () => new Promise((done) => (globalThis.requestIdleCallback ?? ((soon) => setTimeout(soon, 200)))(done, { timeout: 3000 }));

export class Away {
  /**
   * Of a session, with the deeds that wait (see `waitingDeeds`): `ask` sends a message to the server, `learn` takes pieces
   * [[id, piece], ...] into the page's board.
   */
  constructor(id, { key, line, deeds }, ask, learn) {
    this.id = id;
    this.ask = ask;
    this.learn = learn;
    this.game = null;
    this.why = "";
    this.extra = []; // pieces that the table has and the session has not
    this.key = key; // under which they are kept
    this.base = line; // where the server stood when the first deed was done
    this.deeds = deeds;
  }

  /** Whether one goes on without the server: it cannot be reached, or does not know yet what was done meanwhile. */
  get goesOn() {
    return Boolean(this.game?.goesOn) || this.waits;
  }

  get waits() {
    return this.deeds.length > 0;
  }

  /** What is said while the server is away. */
  get words() {
    const { game, deeds } = this;
    const wait = this.waits ? `Offline: ${deeds.length} ${deeds.length === 1 ? "move waits" : "moves wait"} for the server.` : "Offline: trying again …";
    if (!game?.line || !game.table) return [wait, this.why].filter(Boolean).join(" ");
    if (game.others) return `${wait} ${OTHERS}`;
    if (game.over) return `${wait} ${OVER}`;
    if (!game.goesOn) return `${wait} ${EDGE}`;
    if (game.needsLuck) return `${wait} ${LUCK}`;
    return this.waits ? wait : "Offline: you can go on, and moves wait here.";
  }

  // -- while the server is there

  /** The server tells how all stands. */
  begin(state) {
    this.#set(state);
    this.#take();
  }

  #set(state) {
    this.game = new Game(state);
    this.game.deeds = this.deeds;
    this.extra = [];
    this.pieces = new Map(state.pieces.map((piece, id) => [id, piece]));
    this.spelt = new Map(state.pieces.map((piece, id) => [JSON.stringify(piece), id]));
  }

  /** The server tells what has changed. */
  follow(message) {
    for (const [id, piece] of message.pieces ?? []) {
      this.pieces.set(id, piece);
      this.spelt.set(JSON.stringify(piece), id);
    }
    const { game } = this;
    const there = game.line;
    game.follow(message);
    if (!message.changes?.length || !there) return;
    if (game.line) this.#moved();
    else this.#take();
  }

  #moved() {
    this.#note();
    const { table, line } = this.game;
    const far = !table?.knows(line.here) || (!table.complete && line.here > table.known / 3);
    const wait = table?.known > 1 && !table.knows(line.here) ? SOON : AGAIN; // where all is chance, tables are of no use
    if (far && !this.taking && performance.now() - this.tookAt > wait) this.#take(true);
  }

  /** Ask where the level stands, and fetch its table when nothing else is to be done. */
  async #take(near = false) {
    this.taking?.abort(); // nobody waits for that table any more
    const mine = (this.taking = new AbortController());
    this.tookAt = performance.now();
    const { game } = this;
    const told = await this.#answer({ type: "line", near }).catch(() => null);
    if (mine !== this.taking) return;
    this.why = told?.why ?? "";
    if (!told?.line) game.line = null;
    else game.line ??= new Line(told.line);
    const table = game.line && (await this.#fetched(told.table, mine.signal));
    if (mine !== this.taking) return;
    this.taking = null;
    if (!table || !game.line) return;
    this.#use(table, told);
    if (game.goesOn || near) await this.#keep(told);
    else await this.#take(true);
  }

  /** The game is left. */
  leave() {
    this.taking?.abort();
    this.taking = null;
  }

  async #fetched(name, signal) {
    if (this.fetched?.name === name) return this.fetched.data;
    await idle();
    let data = await keptTable(name);
    if (!data) {
      const answer = await fetch(`/api/surroundings/${name}`, { signal }).catch(() => null);
      const text = answer?.ok ? await answer.text().catch(() => null) : null;
      if (!text) return null;
      data = JSON.parse(text);
      await keepTable(name, text);
    }
    this.fetched = { name, data };
    return data;
  }

  #use(data, told) {
    const news = [];
    this.game.table = new Table(data, (piece) => {
      const key = JSON.stringify(piece);
      if (!this.spelt.has(key)) {
        const id = `away-${this.spelt.size}`; // no number, as those that the server will give
        this.spelt.set(key, id);
        news.push([id, piece]);
      }
      return this.spelt.get(key);
    });
    this.extra.push(...news);
    this.learn(news);
    this.game.line.place(this.game.table, told);
  }

  #keep(told) {
    this.#note();
    return keepGame(this.id, { state: this.state, line: this.game.line.data, told, table: told.table });
  }

  /** How all stands, as the server would tell it. */
  get state() {
    const { state, board, now } = this.game;
    const pieces = [...this.pieces].sort(([a], [b]) => a - b).map(([, piece]) => piece);
    return { ...state, pieces, board, now };
  }

  /** Keep where the game stands: at once what nobody else knows of. */
  #note() {
    clearTimeout(this.noting);
    if (this.waits) keepDeeds(this.key, this.base, this.deeds);
    else this.noting = setTimeout((line) => keepLine(this.id, line), 300, this.game.line.data);
  }

  // -- while it is away

  /** The game as it was kept, when the page is opened without the server: a state; null where that is not enough to go on. */
  async restored() {
    const kept = await keptGame(this.id);
    const data = kept && (await keptTable(kept.table));
    const last = this.base ?? keptLine(this.id) ?? kept?.line;
    if (!data || last.level !== kept.line.level) return null;
    this.#set(kept.state);
    const { game } = this;
    game.line = new Line(kept.line);
    this.#use(data, kept.told);
    const waiting = [...this.deeds];
    this.deeds = game.deeds = [];
    const there = game.go(new Line(last));
    if (there) for (const [kind, text] of waiting) game.do(kind === "act" ? text : kind);
    const all = there && this.deeds.length === waiting.length;
    this.deeds = game.deeds = waiting;
    return all ? this.state : null;
  }

  /** What the server would answer. */
  async say(message) {
    const { game } = this;
    if (!game?.line || !game.table) throw new Refused(0, { code: "offline", text: this.words });
    const said = {
      do: () => game.do(message.text),
      point: () => game.point(message),
      preview: () => game.preview(message),
      state: () => ({ type: "answer", state: this.state }),
    }[message.type];
    if (!said) throw new Refused(0, { code: "offline", text: ELSE });
    this.base ??= game.line.data;
    const answer = said();
    if (this.waits) this.#note();
    else this.base = null;
    return { ...answer, away: true };
  }

  // -- when it is back

  /**
   * Have done by the server what was done here: its state then, with `apart` where others have moved the game meanwhile,
   * and `refused` where the rules say no. Throws when the server has gone again: then all of it still waits.
   */
  async catchUp() {
    let state = null;
    while (this.waits) {
      const deeds = this.deeds.slice(0, MOST_DEEDS);
      const answer = await this.#answer({ type: "away", ...this.base, deeds });
      const { apart = false, refused = answer.text } = answer.caught ?? {};
      if (apart || refused) return this.#parted(apart, refused, answer.state);
      this.base = after(this.base, deeds);
      this.deeds.splice(0, deeds.length);
      keepLine(this.id, this.base);
      keepDeeds(this.key, this.base, this.deeds);
      state = answer.state;
    }
    this.base = null;
    return state;
  }

  /** The server's answer; where too much was said, it is asked again after a pause. */
  async #answer(message) {
    for (;;) {
      const answer = await this.ask(message);
      if (answer.code !== "rate") return answer;
      await pause(RATE);
    }
  }

  async #parted(apart, refused, state) {
    const all = { line: this.base, deeds: this.deeds.splice(0) };
    this.base = null;
    keepDeeds(this.key, null, []);
    if (apart) addApart(this.id, all);
    return { ...(state ?? (await this.#answer({ type: "state" })).state), apart, refused };
  }

  /** What was done here while others moved the game on, [{line, deeds}, ...]. */
  get apart() {
    return keptApart(this.id);
  }

  /** Forget one of those. */
  reunite(one) {
    dropApart(this.id, one);
  }
}
