// Being ready for when the server is away: its tables are fetched while nothing else is to be done, what is done without
// it is kept, and when it is back it is told all of that, and judges it.

import { Refused } from "../api.js";
import { EDGE, ELSE, Game, LUCK, OTHERS, OVER, after } from "./game.js";
import { Line } from "./line.js";
import { addApart, countOf, dropApart, keepDeeds, keepGame, keepLine, keepTable, keptApart, keptGame, keptLine, keptTable, tidy } from "./store.js";
import { Table } from "./table.js";

const AGAIN = 20000; // milliseconds before another table is asked for: around a position that has moved on, or where there is none
const SOON = 3000; // the same, where the one that is there has come to its edge
const MOST_DEEDS = 200; // in one message
const AHEAD = 3; // levels after this one that are taken along
const RATE = 1000; // milliseconds to wait when too much was said
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const idle = () => new Promise((done) => (globalThis.requestIdleCallback ?? ((soon) => setTimeout(soon, 200)))(done, { timeout: 3000 }));

export class Away {
  /**
   * Of a session, with what waits (see `waitingDeeds`): `ask` sends a message to the server, `learn` takes pieces
   * [[id, piece], ...] into the page's board.
   */
  constructor(id, { key, parts }, ask, learn) {
    this.id = id;
    this.ask = ask;
    this.learn = learn;
    this.game = null;
    this.why = "";
    this.extra = []; // pieces that the table has and the session has not
    this.key = key; // under which they are kept
    this.parts = parts; // {line, deeds}: where a level stood when the first deed was done on it, and what was done since
    this.ahead = []; // the levels that follow, as the server told of them, each with the text of its table
  }

  /** Whether one goes on without the server: it cannot be reached, or does not know yet what was done meanwhile. */
  get goesOn() {
    return Boolean(this.game?.goesOn) || this.waits;
  }

  get waits() {
    return this.waiting > 0;
  }

  /** How many deeds wait. */
  get waiting() {
    return countOf(this.parts);
  }

  /** What is said while the server is away. */
  get words() {
    const { game, waiting } = this;
    const wait = waiting ? `Offline: ${waiting} ${waiting === 1 ? "move waits" : "moves wait"} for the server.` : "Offline: trying again …";
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
    clearTimeout(this.again);
    this.taking?.abort(); // nobody waits for that table any more
    this.looking?.abort();
    if (!near) this.ahead = [];
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
    if (game.line && !table && !game.table) this.again = setTimeout(() => this.#take(), AGAIN); // the server had too much to do, perhaps
    if (!table || !game.line) return;
    this.#use(table, told);
    if (!game.goesOn && !near) return this.#take(true);
    await this.#keep(told);
    await this.#lookAhead(told);
  }

  /** Take along the levels that follow, one after the other; then what is of no use any more is forgotten. */
  async #lookAhead(told) {
    const mine = (this.looking = new AbortController());
    const over = () => mine.signal.aborted || this.waits || !this.game.line;
    while (this.ahead.length < AHEAD) {
      const answer = await this.#answer({ type: "ahead", number: this.ahead.length + 1 }).catch(() => null);
      const next = answer?.ahead;
      const text = next && !over() && (await this.#text(next.table, mine.signal, true));
      if (over()) return;
      if (!text) break;
      this.ahead.push({ ...next, text });
      await this.#keep(told);
    }
    await tidy(this.id);
  }

  /** The game is left. */
  leave() {
    clearTimeout(this.again);
    this.taking?.abort();
    this.looking?.abort();
    this.taking = null;
  }

  async #fetched(name, signal) {
    if (this.fetched?.name === name) return this.fetched.data;
    const text = await this.#text(name, signal);
    if (text) this.fetched = { name, data: JSON.parse(text) };
    return text && this.fetched.data;
  }

  /** A table as it was kept, or as the server makes it: one of a level `ahead` when nobody waits for another. */
  async #text(name, signal, ahead = false) {
    await idle();
    const kept = await keptTable(name);
    if (kept) return kept;
    const answer = await fetch(`/api/surroundings/${name}${ahead ? "?ahead=true" : ""}`, { signal, priority: ahead ? "low" : "auto" }).catch(() => null);
    const text = answer?.ok ? await answer.text().catch(() => null) : null;
    if (text) await keepTable(name, text);
    return text;
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
    if (!this.game.line) return undefined;
    this.#note();
    const ahead = this.ahead.map(({ text, ...next }) => next);
    return keepGame(this.id, { state: this.state, line: this.game.line.data, told, ahead });
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
    if (this.waits) keepDeeds(this.key, this.parts);
    else this.noting = setTimeout((line) => keepLine(this.id, line), 300, this.game.line.data);
  }

  // -- while it is away

  /** The game as it was kept, when the page is opened without the server: a state; null where that is not enough to go on. */
  async restored() {
    const kept = await keptGame(this.id);
    const text = kept && (await keptTable(kept.told.table));
    const last = this.parts[0]?.line ?? keptLine(this.id) ?? kept?.line;
    if (!text || last.level !== kept.line.level) return null;
    const ahead = await Promise.all(kept.ahead.map(async (next) => ({ ...next, text: await keptTable(next.table) })));
    this.#set(kept.state);
    this.ahead = ahead;
    const { game } = this;
    game.line = new Line(kept.line);
    this.#use(JSON.parse(text), kept.told);
    return game.go(new Line(last)) && this.#replayed() ? this.state : null;
  }

  /** Do again what waits; whether all of it can be done. */
  #replayed() {
    const { parts } = this;
    const all = parts.every(({ line, deeds }) => {
      if (line.level !== this.game.line.level && !this.#entered()) return false;
      this.game.deeds = [];
      for (const [kind, text] of deeds) this.game.do(kind === "act" ? text : kind);
      return line.level === this.game.line.level && this.game.deeds.length === deeds.length;
    });
    if (all && this.game.over) this.#entered();
    return all;
  }

  /** The level that follows takes the place of one that is won, where it was taken along: that level. */
  #entered() {
    const next = this.ahead.shift();
    if (!next?.text) return null;
    this.game.enter(next);
    this.#use(JSON.parse(next.text), next);
    return next;
  }

  /** What the server would answer. */
  async say(message) {
    const { game } = this;
    if (!game?.line || !game.table) throw new Refused(0, { code: "offline", text: this.words });
    const said = {
      do: () => game.do(message.text),
      typed: () => game.do(message.text.trim()),
      point: () => game.point(message),
      preview: () => game.preview(message),
      state: () => ({ type: "answer", state: this.state }),
    }[message.type];
    if (!said) throw new Refused(0, { code: "offline", text: ELSE });
    const part = this.parts.at(-1);
    const there = part?.line.level === game.line.level ? part : { line: game.line.data, deeds: [] };
    game.deeds = there.deeds;
    const answer = said();
    if (there !== part && there.deeds.length) this.parts.push(there);
    if (game.over && answer.changes?.at(-1)?.won) this.#wentOn(answer);
    if (this.waits) this.#note();
    return { ...answer, away: true };
  }

  /** Tell of the level that follows, too, after the deed that has won. */
  #wentOn(answer) {
    const { counts } = this.game.now;
    const next = this.#entered();
    if (!next) return;
    Object.assign(answer.changes.at(-1), { current: next.line.level, board: next.board, counts });
    answer.now = { ...this.game.now, about: next.now.about };
  }

  // -- when it is back

  /**
   * Have done by the server what was done here: its state then, with `apart` where something could not be added and stands
   * apart. Throws when the server has gone again: then what is left still waits.
   */
  async catchUp() {
    let state = null;
    while (this.parts.length) {
      const [part] = this.parts;
      const deeds = part.deeds.slice(0, MOST_DEEDS);
      const answer = await this.#answer({ type: "away", ...part.line, deeds });
      const { apart = false, done = 0, refused = answer.text } = answer.caught ?? {};
      const told = apart || refused ? done : deeds.length;
      part.line = after(part.line, deeds.slice(0, told));
      part.deeds.splice(0, told);
      if (apart || refused) return this.#parted(apart ? "" : refused, answer.state);
      if (!part.deeds.length) this.parts.shift();
      keepLine(this.id, part.line);
      keepDeeds(this.key, this.parts);
      state = answer.state;
    }
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

  async #parted(refused, state) {
    const parts = this.parts.splice(0).filter(({ deeds }) => deeds.length);
    addApart(this.id, refused ? { parts, refused } : { parts });
    keepDeeds(this.key, []);
    return { ...(state ?? (await this.#answer({ type: "state" })).state), apart: true };
  }

  /** What was done here and could not be added to the game (see `keptApart`). */
  get apart() {
    return keptApart(this.id);
  }

  /** Forget one of those. */
  reunite(one) {
    dropApart(this.id, one);
  }
}
