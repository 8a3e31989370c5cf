// Playing: the board, what can be done, and what is told; every word and rule comes from the server.

import { Connection, Refused } from "../api.js";
import { parted } from "../away/apart.js";
import { Away } from "../away/away.js";
import { waitingDeeds } from "../away/store.js";
import { Board } from "../board.js";
import { listenToKeys, listenToPointers } from "../controls.js";
import { Cursor } from "../cursor.js";
import { announce, h, note } from "../dom.js";
import { Dragging } from "../dragging.js";
import { keep, keepSolved, packOf } from "../kept.js";
import { keysOn } from "../keys.js";
import { help, levels, newGame, players, race, scores, share } from "../dialogs.js";
import { Rail } from "../rail.js";
import { ReplayPlayer } from "../replay.js";
import { asksToType, typing } from "../typing.js";
import { actionsOf, joined, veil, wonNow } from "../veil.js";

const REST = 120; // milliseconds until the mouse is said to rest
const MOST_MARKS = 120; // of actions that are shown on the board all the time

/** The screen at "/play/ID". */
export async function play(id) {
  const screen = new Play(id, await waitingDeeds(id));
  await screen.begun;
  return screen;
}

class Play {
  constructor(id, waiting) {
    this.id = id;
    this.board = new Board();
    this.stage = h("div", { className: "stage", tabindex: "0", role: "application", "aria-roledescription": "board", "aria-describedby": this.board.description.id }, this.board.element, this.board.description);
    this.rail = new Rail(this);
    this.content = [h("div", { className: "play" }, this.stage, this.rail.element)];
    this.held = null; // how the won level stands, and what is known of the next one, while the veil of a win is shown
    this.away = new Away(id, waiting, (message) => this.connection.ask(message), (pieces) => this.board.learn(pieces));
    this.begun = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.connection = new Connection(id, (message) => this.#hear(message), (how) => this.#stand(how), this.away);
    });
    this.cursor = new Cursor(this.board, (where) => this.#point(where), (cell) => this.#look(cell));
    this.unlisten = listenToKeys((name, event) => this.#pressed(name, event));
    const dragging = new Dragging(this.board, (what) => this.#preview(what), (where) => this.#point(where));
    listenToPointers(this.stage, () => this.board, {
      tapped: ([x, y]) => {
        this.board.point(null);
        this.#point({ x, y });
      },
      dragBegan: (cell, way) => dragging.began(cell, way),
      dragged: (pixels) => dragging.went(pixels),
      dropped: (from, to, way, pixels) => dragging.dropped(from, to, way, pixels),
      released: () => dragging.letGo(),
      over: (cell) => this.#look(cell),
    });
  }

  get title() {
    return this.now?.title || this.state?.title;
  }

  get trail() {
    const { game, title } = this.state;
    const pack = packOf(this.id);
    const name = title || game;
    return [h("a", { href: "/" }, "Games"), ...(pack ? [" › ", h("a", { href: `/levels/${pack}` }, name)] : [` › ${name}`])];
  }

  shown() {
    this.stage.focus({ preventScroll: true });
  }

  leave() {
    this.replay?.stop();
    this.unlisten();
    this.away.leave();
    this.connection.close();
  }

  // -- what the server tells

  #stand(how) {
    if (how === "missing" || how === "refused") {
      const error = new Error(how === "missing" ? "This game is not kept here any more." : "The server has refused the connection.");
      this.settle.reject(error);
      this.rail.stand(error.message);
      return;
    }
    if (how === "lost" && !this.state) this.#restore();
    else this.rail.stand(how === "lost" ? this.away.words : this.away.waits ? "The server is back, and is told what was done." : "");
  }

  /** Without the server from the first: the game as it was kept here. */
  async #restore() {
    const state = await this.away.restored();
    if (this.state) return; // it has come meanwhile
    if (!state) {
      this.connection.close();
      this.settle.reject(new Error("The server cannot be reached: games are kept and judged there. What you played is safe, and goes on when the server is back."));
      return;
    }
    this.#show(state);
    this.rail.stand(this.away.words);
  }

  /** The server tells how all stands: before that is shown, it is told what was done here without it. */
  async #arrived(told) {
    let state = told;
    try {
      this.catching = this.away.waits;
      if (this.catching) state = await this.away.catchUp();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return; // it has gone again
    } finally {
      this.catching = false;
    }
    this.#begin(state, state !== told && !state.apart);
    this.rail.stand("");
    parted(this);
  }

  #hear(message) {
    if (message.type === "state") {
      this.#arrived(message);
      return;
    }
    if (this.catching) return;
    if (!message.away) this.away.follow(message);
    else this.rail.stand(this.away.words);
    if (message.state && message.away) this.#show(message.state);
    else if (message.state) this.#begin(message.state);
    if (message.pieces) this.board.learn(message.pieces);
    if (message.type === "error") note(message.text, 6);
    if (message.type === "people") this.rail.people(message.people);
    if (message.type === "badge" && this.held) this.held.badge = message;
    else if (message.type === "badge") this.rail.badge.tell(message);
    if (message.type === "progress") this.rail.progress(message);
    if (message.type === "answer" || message.type === "news") this.#follow(message);
  }

  #begin(state, caughtUp = false) {
    this.away.begin(state);
    const veiled = caughtUp && this.closeVeil && this.ending;
    this.#show(state);
    if (veiled) this.#veil({ ...veiled, moved: state.now.level !== veiled.level, sparks: false });
  }

  #veil(ending) {
    this.closeVeil?.();
    this.ending = ending;
    this.closeVeil = veil(this, ending);
  }

  #show(state) {
    keep(this.id);
    this.settle.resolve();
    this.state = state;
    this.connection.view = state.actor ?? undefined; // with whose eyes it looks when it comes back
    this.closeVeil?.();
    this.held = null;
    this.board.begin(state.pieces);
    this.board.learn(this.away.extra);
    this.board.show(state.board);
    this.keys = keysOn(state);
    this.stage.dataset.plays = state.plays ? "yes" : "no";
    this.stage.setAttribute("aria-label", `Board of ${state.title}`);
    this.rail.begin(state);
    this.#stands(state.now);
  }

  /** Another level: others may act there, and keys mean something else. */
  #about(about) {
    Object.assign(this.state, about);
    this.keys = keysOn(this.state);
    if (!this.held) this.rail.about(this.state);
  }

  #follow(message) {
    const told = message.told ?? [];
    const won = told.find(({ kind }) => kind === "won");
    const before = this.now;
    for (const change of joined(message.changes ?? [])) this.#change(change);
    if (message.requests && this.held) this.held.requests = message.requests;
    else if (message.requests) this.rail.requests.show(message.requests);
    this.#tell(told, message);
    if (message.now) {
      const key = before?.key;
      if (message.now.about) this.#about(message.now.about);
      this.#stands({ ...this.now, ...message.now }); // which leaves out some of what is as it was
      this.rail.gained(pointsOf(message.changes ?? []));
      if (won) this.#won(won, message, key, before);
      else if (told.some(({ kind }) => kind === "lost")) this.#ended(told.find(({ kind }) => kind === "lost").text, message.now);
    }
  }

  #change(change) {
    const moved = change.change === "act" && change.won && change.current !== change.level;
    if (this.closeVeil && change.change !== "act") this.closeVeil();
    this.#turnOver((board) => this.board.play([], board)); // what follows happens there
    this.board.play(change.steps, moved ? undefined : change.board);
    if (change.won) this.state.levels[change.level - 1].done = true;
    if (moved) this.held = { board: change.board, requests: [], told: [], now: wonNow(this.state, this.now, change) };
    if (change.change === "act" && this.state.actors.length > 1) this.rail.requests.add(change.steps);
    const words = change.steps.flatMap(({ words, action, heard = [] }) => [words ?? action, ...heard]);
    if (change.change === "restart") announce("The level begins again");
    else if (words.length) announce(`${change.change === "act" ? "" : `${change.change}: `}${words.slice(-4).join(", ")}`);
  }

  #tell(told, message) {
    for (const item of told) {
      if (item.kind === "replay") this.#watch(item);
      else if (item.kind === "hint") this.#hinted(item);
      else if (item.kind === "working") this.rail.work(item);
      else if (item.kind === "level" && this.held) this.held.told.push(item);
      else if (item.kind === "preview" || item.kind === "steps") continue;
      else if (!(item.kind === "levels" || item.kind === "help")) this.rail.say(item.text, item.kind);
    }
    if (message.job && message.job === this.rail.working?.job) this.rail.work(null);
    const solution = told.find(({ kind }) => kind === "solution");
    if (solution) this.connection.send({ type: "open", trace: solution.trace }).catch(() => undefined);
  }

  #hinted(item) {
    this.rail.say(item.text, "hint");
    this.rail.beckon(item.action);
    const action = this.now.actions.find(({ text }) => text === item.action);
    const marks = item.marks ?? action?.marks ?? [];
    if (!marks.length) queueMicrotask(() => this.foresee({ text: item.action })); // when the work for it is over
    this.board.playing?.then(() => this.board.hint(marks, "hinted")) ?? this.board.hint(marks, "hinted");
  }

  #stands(now) {
    this.now = now;
    if (this.held) {
      this.rail.stands(this.held.now);
      return;
    }
    const outside = now.actions.some(({ marks }) => (marks ?? []).some(([, x, y]) => !this.board.holds(x, y)));
    if (outside !== this.board.marked && (outside || this.board.marked === undefined)) this.board.frame(outside);
    this.rail.stands(now);
    const done = this.board.playing ?? Promise.resolve();
    done.then(() => this.now === now && !this.replay && this.rest());
  }

  /** The marks of all that can be done, when nothing else is pointed at. */
  rest() {
    this.board.foresee([]);
    const marks = this.now.actions.flatMap(({ marks: own }) => own ?? []);
    this.board.hint(this.state.plays && marks.length <= MOST_MARKS ? marks : []);
  }

  async #won(told, message, key, before) {
    const change = (message.changes ?? []).findLast(({ won }) => won);
    this.wonKey = key;
    const [actions, moved] = [actionsOf(before, message), Boolean(this.held)];
    if (key && this.state.plays) keepSolved(key, { actions });
    await this.board.playing;
    this.#veil({ title: told.text, level: change?.level ?? this.now.level, fireworks: true, moved, actions });
  }

  async #ended(text) {
    await this.board.playing;
    this.#veil({ title: text, level: this.now.level, fireworks: false, moved: false });
  }

  /** Show what the veil has kept back. */
  unveil() {
    this.#turnOver((board) => this.board.show(board));
    this.closeVeil = null;
    this.rest();
    this.stage.focus({ preventScroll: true });
  }

  /** The next level takes the place of the one that was won. */
  #turnOver(show) {
    if (!this.held) return;
    const { board, requests, badge, told } = this.held;
    this.held = null;
    show(board);
    this.rail.about(this.state);
    this.rail.requests.show(requests);
    for (const { text, kind } of told) this.rail.say(text, kind);
    if (badge) this.rail.badge.tell(badge);
    this.#stands(this.now);
  }

  // -- what the player does

  /** Do an action or a command; what is refused is told in the rail. */
  async do(text) {
    if (this.closeVeil) this.closeVeil();
    if (this.replay) this.endReplay();
    try {
      return await this.connection.send({ type: "do", text });
    } catch (error) {
      note(error.message);
      return null;
    }
  }

  #point(where) {
    if (this.closeVeil || this.replay || !this.state.plays) return;
    this.connection.send({ type: "point", ...where }).catch((error) => note(error.message));
  }

  #pressed(name, event) {
    if (!this.state) return false;
    if (this.replay) return this.replay.pressed(name);
    if (this.closeVeil) {
      if (!["enter", "escape"].includes(name) && !this.keys[name]) return false;
      this.closeVeil();
      return true;
    }
    if (name === "escape" && this.rail.working) {
      this.connection.send({ type: "cancel" }).catch(() => undefined);
      this.rail.work(null);
      return true;
    }
    const meant = this.keys[name] ?? this.keys[name.toLowerCase()];
    if (!this.state.plays) return false;
    if (!meant && asksToType(name)) {
      typing(this);
      return true;
    }
    if (!meant) return !event.target.closest?.(".talk") && this.cursor.pressed(name, event.shiftKey); // arrows scroll what was told
    if (meant === "help") this.help();
    else if (meant === "proof") this.rail.badge.ask();
    else if (meant === "watch") this.watch();
    else if (meant === "levels") this.levels();
    else if (meant === "new") this.newGame();
    else if (meant === "quit") document.dispatchEvent(new CustomEvent("gridproof:go", { detail: { address: "/" } }));
    else this.do(meant);
    return true;
  }

  /** What pointing there would do, shown a moment after the mouse has come to rest. */
  #look(cell) {
    const key = cell?.join();
    if (key === this.looked) return;
    this.looked = key;
    clearTimeout(this.looking);
    this.board.foresee([]);
    if (cell) this.looking = setTimeout(() => this.foresee({ x: cell[0], y: cell[1] }), REST);
  }

  /** Show what an action, or pointing somewhere, would do. */
  async foresee(what) {
    if (this.rail.working) return;
    const { now } = this;
    const steps = await this.#preview(what);
    if (steps && this.now === now && !this.board.playing) this.board.foresee(steps);
  }

  /** The steps that an action, or pointing somewhere, would do. */
  async #preview(what) {
    if (this.closeVeil || this.replay || !this.state.plays || this.board.playing) return undefined;
    const answer = await this.connection.send({ type: "preview", ...what }).catch(() => null);
    return answer?.told?.find(({ kind }) => kind === "preview")?.steps;
  }

  // -- watching

  #watch(item) {
    this.replay?.stop();
    this.closeVeil?.();
    this.rail.work(null);
    this.replay = new ReplayPlayer(this, item);
    this.rail.replay(this.replay.element);
  }

  /** Go back from a replay to the game, which stands as it stood. */
  endReplay() {
    this.replay?.stop();
    this.replay = null;
    this.rail.replay(null);
    this.connection.send({ type: "state" }).catch((error) => note(error.message));
  }

  help = () => help(this);
  levels = () => levels(this);
  newGame = () => newGame(this);
  share = (level) => share(this, level);
  watch = () => players(this);
  scores = (level) => scores(this, level);
  race = () => race(this);
}

const pointsOf = (changes) =>
  changes.filter(({ change }) => change === "act").flatMap(({ steps }) => steps).reduce((sum, { reward }) => sum + (reward ?? 0), 0);
