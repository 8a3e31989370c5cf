// The play screen: board, actions and messages; every word and rule comes from the server.

import { ApiError, Connection } from "../api.js";
import { Board } from "../board.js";
import { help, isTextInputKey, levels, newGame, openTextInput, players, race, scores, share } from "../dialogs.js";
import { announce, h, navigate, showToast } from "../dom.js";
import { keyBindings, keysByText, listenToKeys } from "../keys.js";
import { OfflinePlay } from "../offline/offline_play.js";
import { askAboutMoves } from "../offline/pending_moves.js";
import { Cursor, DIRECTIONS, Pointer, Previews } from "../pointer.js";
import { ReplayPlayer } from "../replay.js";
import { mergeLevelChange, ResultDialog, wonState } from "../result_dialog.js";
import { readLink } from "../share.js";
import { Sidebar } from "../sidebar.js";
import { packOf, rememberSession } from "../user_data.js";

const DIALOGS = { help, levels, new: newGame, race, scores, share, watch: players };
const MAX_MARKS = 120; // with more marks than that, none are shown

/** The screen at "/play/ID". */
export async function play(id) {
  const screen = new Play(id);
  await screen.ready.promise.catch((error) => {
    screen.leave();
    throw error;
  });
  await screen.watchLinked();
  return screen;
}

class Play {
  constructor(id) {
    this.id = id;
    this.board = new Board();
    this.stage = h("div", { className: "stage", tabindex: "0", role: "application", "aria-roledescription": "board", "aria-describedby": this.board.description.id }, this.board.element, this.board.description);
    this.sidebar = new Sidebar(this);
    this.content = [h("div", { className: "play" }, this.stage, this.sidebar.element)];
    this.result = new ResultDialog(this);
    this.pending = null; // while the overlay of a win is shown: the states of the won level and of the next one
    this.offline = new OfflinePlay(id, (message) => this.connection.ask(message), (pieces) => this.board.addPieces(pieces));
    this.ready = Promise.withResolvers();
    this.connection = new Connection(id, (message) => this.#onMessage(message), (how) => this.#onConnection(how), this.offline);
    this.previews = new Previews(this);
    this.cursor = new Cursor(this.board, (where) => this.point(where), (cell) => this.previews.hover(cell));
    this.unlisten = listenToKeys((name, event) => this.#onKey(name, event));
    this.pointer = new Pointer(this.stage, this.board, {
      tap: (cell) => {
        this.board.setCursor(null);
        this.previews.tap(cell);
      },
      hover: (cell) => this.previews.hover(cell),
      point: (where) => this.point(where),
      preview: (what) => this.previews.steps(what),
    });
  }

  get title() {
    return this.now?.title || this.state?.title;
  }

  get breadcrumbs() {
    const { game, title } = this.state;
    const pack = packOf(this.id);
    const name = title || game;
    return [h("a", { href: "/" }, "Games"), ...(pack ? [" › ", h("a", { href: `/levels/${pack}` }, name)] : [` › ${name}`])];
  }

  onShow() {
    (this.stage.querySelector(".overlay .main") ?? this.stage).focus({ preventScroll: true });
  }

  leave() {
    this.replay?.stop();
    this.unlisten();
    this.offline.leave();
    this.connection.close();
  }

  // -- messages of the server

  #onConnection(how) {
    if (how === "missing" || how === "refused") {
      const error = new Error(how === "missing" ? "This game no longer exists." : "You may not open this game.");
      this.ready.reject(error);
      this.sidebar.showConnection(error.message);
      return;
    }
    if (how === "lost" && !this.state) this.#restore();
    else this.sidebar.showConnection(how === "lost" ? this.offline.statusText : this.offline.waits ? "Back online: sending your moves …" : "");
  }

  /** Show the stored game if the server is away when the page opens. */
  async #restore() {
    const state = await this.offline.restore();
    if (this.state) return; // the server's state has arrived meanwhile
    if (!state) {
      this.connection.close();
      this.ready.reject(new Error("You are offline. Your game is safe: reconnect to continue."));
      return;
    }
    this.#show(state);
    this.sidebar.showConnection(this.offline.statusText);
  }

  /** Show the server's state, after the offline moves were sent. */
  async #onState(message) {
    let synced = null;
    try {
      this.syncing = true;
      synced = await this.offline.sync();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return; // the connection is lost again, or the page opens again
    } finally {
      this.syncing = false;
    }
    this.#begin(synced.state ?? message);
    this.sidebar.showConnection("");
    if (synced.problem) askAboutMoves(this.id, synced.problem);
  }

  #onMessage(message) {
    if (message.type === "state") {
      this.#onState(message);
      return;
    }
    if (this.syncing && !message.away) return;
    if (!message.away) this.offline.follow(message);
    else {
      this.sidebar.showConnection(this.offline.statusText);
      this.sidebar.badge.showOffline();
    }
    if (message.state && message.away) this.#show(message.state);
    else if (message.state) this.#begin(message.state);
    if (message.pieces) this.board.addPieces(message.pieces);
    if (message.type === "error") showToast(message.text, 6);
    if (message.type === "people") this.sidebar.showViewers(message.people);
    if (message.type === "badge" && this.pending) this.pending.badge = message;
    else if (message.type === "badge") this.sidebar.badge.show(message);
    if (message.type === "progress") this.sidebar.progress(message);
    if (message.type === "answer" || message.type === "news") this.#applyUpdate(message);
  }

  #begin(state) {
    this.offline.begin(state);
    this.#show(state);
  }

  /** Whether a command is for this player. */
  offers(word) {
    return this.state.plays && this.state.commands.some((command) => command.word === word);
  }

  #show(state) {
    this.pointer.cancel();
    rememberSession(this.id);
    this.ready.resolve();
    this.state = state;
    this.connection.view = state.actor ?? undefined; // the view to request after a reconnect
    this.result.hide();
    this.pending = null;
    this.board.begin(state.pieces);
    this.board.addPieces(this.offline.extra);
    this.board.show(state.board);
    this.keys = keyBindings(state);
    this.stage.dataset.plays = state.plays ? "yes" : "no";
    this.stage.setAttribute("aria-label", `Board of ${state.title}`);
    this.sidebar.begin(state);
    this.#update(state.now);
    this.result.restore(state);
  }

  /** Change to another level, which may have other actors and keys. */
  #updateLevel(about) {
    Object.assign(this.state, about);
    this.keys = keyBindings(this.state);
    if (!this.pending) this.sidebar.updateLevel(this.state);
  }

  #applyUpdate(message) {
    const messages = message.told ?? [];
    const end = messages.find(({ kind }) => kind === "won") ?? messages.find(({ kind }) => kind === "lost");
    const before = this.now;
    for (const change of mergeLevelChange(message.changes ?? [])) this.#applyChange(change);
    if (message.requests && this.pending) this.pending.requests = message.requests;
    else if (message.requests) this.sidebar.requests.show(message.requests);
    this.#showMessages(messages, message);
    if (message.now) {
      if (message.now.about) this.#updateLevel(message.now.about);
      this.#update({ ...this.now, ...message.now }); // which omits unchanged fields
      this.sidebar.showPoints(countPoints(message.changes ?? []));
      if (end) this.result.report(end, message, before, Boolean(this.pending));
    }
  }

  #applyChange(change) {
    this.pointer.cancel(); // the piece may have vanished
    const moved = change.change === "act" && change.won && change.current !== change.level;
    if (change.change !== "act") this.result.dismiss();
    this.#showPending((board) => this.board.play([], board)); // further steps belong to the next level
    this.board.play(change.steps, moved ? undefined : change.board);
    for (const level of change.passed) this.state.levels[level - 1].done = true;
    if (moved) this.pending = { board: change.board, requests: [], messages: [], now: wonState(this.state, this.now, change) };
    if (change.change === "act" && this.state.actors.length > 1) this.sidebar.requests.add(change.steps);
    const words = change.steps.flatMap(({ words, action, heard = [] }) => [words ?? action, ...heard]);
    if (change.change === "restart") announce("The level is restarted");
    else if (words.length) announce(`${change.change === "act" ? "" : `${change.change}: `}${words.slice(-4).join(", ")}`);
  }

  /** Nudge the board, and announce the obstacle. */
  #showBlocked({ blocked, silent, text }) {
    this.board.nudge(DIRECTIONS[keysByText(this.keys).get(blocked)] ?? DIRECTIONS.right);
    if (!silent) announce(text);
  }

  #showMessages(messages, message) {
    for (const item of messages) {
      if (item.kind === "replay") this.#startReplay(item);
      else if (item.kind === "hint") this.#showHint(item);
      else if (item.kind === "working") this.sidebar.showJob(item);
      else if (item.kind === "level" && this.pending) this.pending.messages.push(item);
      else if (item.kind === "preview" || item.kind === "steps") continue;
      else if (item.blocked) this.#showBlocked(item);
      else if (!(item.kind === "levels" || item.kind === "help")) this.sidebar.addMessage(item.text, item.kind);
    }
    if (message.job && message.job === this.sidebar.runningJob?.job) this.sidebar.showJob(null);
    const solution = messages.find(({ kind }) => kind === "solution");
    if (solution) this.connection.send({ type: "open", trace: solution.trace }).catch(() => undefined);
  }

  #showHint(item) {
    this.sidebar.addMessage(item.text, "hint");
    this.sidebar.highlightAction(item.action);
    const action = this.now.actions.find(({ text }) => text === item.action);
    const marks = item.marks ?? action?.marks ?? [];
    if (!marks.length) queueMicrotask(() => this.previews.preview({ text: item.action })); // after this update
    this.board.playing?.then(() => this.board.mark(marks, "hinted")) ?? this.board.mark(marks, "hinted");
  }

  #update(now) {
    this.now = now;
    if (this.pending) {
      this.sidebar.update(this.pending.now);
      return;
    }
    const outside = now.actions.some(({ marks }) => (marks ?? []).some(([, x, y]) => !this.board.contains(x, y)));
    if (outside !== this.board.marked && (outside || this.board.marked === undefined)) this.board.setFrame(outside);
    this.sidebar.update(now);
    const done = this.board.playing ?? Promise.resolve();
    done.then(() => this.now === now && !this.replay && this.showMarks());
  }

  /** Show the marks of all actions while nothing is previewed. */
  showMarks() {
    this.board.preview([]);
    const marks = this.now.actions.flatMap(({ marks: own }) => own ?? []);
    this.board.mark(this.state.plays && marks.length <= MAX_MARKS ? marks : []);
  }

  /** Show the next level after the overlay of a win. */
  showNextLevel() {
    this.#showPending((board) => this.board.show(board));
    this.showMarks();
    this.stage.focus({ preventScroll: true });
  }

  /** Replace the won level by the next one. */
  #showPending(show) {
    if (!this.pending) return;
    const { board, requests, badge, messages } = this.pending;
    this.pending = null;
    show(board);
    this.sidebar.updateLevel(this.state);
    this.sidebar.requests.show(requests);
    for (const { text, kind } of messages) this.sidebar.addMessage(text, kind);
    if (badge) this.sidebar.badge.show(badge);
    this.#update(this.now);
  }

  // -- input of the player

  /** Do an action or a command; the sidebar shows a refusal. */
  async do(text) {
    this.result.dismiss();
    if (this.replay) this.endReplay();
    try {
      return await this.connection.send({ type: "do", text });
    } catch (error) {
      showToast(error.message);
      return null;
    }
  }

  /** Do the action of a click on a cell, or of a drag from it. */
  point(where) {
    if (this.result.isOpen || this.replay || !this.state.plays) return;
    this.connection.send({ type: "point", ...where }).catch((error) => showToast(error.message));
  }

  #onKey(name, event) {
    if (!this.state) return false;
    if (this.replay) return this.replay.onKey(name);
    if (this.result.isOpen) {
      if (name === "escape") this.result.dismiss();
      return name === "escape" || Boolean(this.keys[name]); // keys of the game do not close the overlay
    }
    if (name === "escape" && this.sidebar.runningJob) {
      this.connection.send({ type: "cancel" }).catch(() => undefined);
      this.sidebar.showJob(null);
      return true;
    }
    const meant = this.keys[name] ?? this.keys[name.toLowerCase()];
    if (!this.state.plays) return false;
    if (!meant && isTextInputKey(name)) {
      openTextInput(this);
      return true;
    }
    if (!meant) return !event.target.closest?.(".log") && this.cursor.onKey(name, event.shiftKey); // arrows scroll the messages
    if (["help", "levels", "new", "watch"].includes(meant)) this.open(meant);
    else if (meant === "proof") this.sidebar.badge.ask();
    else if (meant === "quit") navigate("/");
    else this.do(meant);
    return true;
  }

  // -- replays

  /** Play the trace in the page's address. */
  async watchLinked() {
    const trace = (await readLink())?.trace;
    const answer = trace && (await this.connection.send({ type: "open", trace }).catch((error) => showToast(error.message, 8)));
    const replay = answer?.told?.find(({ kind }) => kind === "replay");
    if (replay) this.replay.invite(replay.result);
  }

  #startReplay(item) {
    this.replay?.stop();
    this.result.hide();
    this.sidebar.showJob(null);
    this.replay = new ReplayPlayer(this, item);
    this.sidebar.replay(this.replay.element);
  }

  /** Return from a replay to the unchanged game. */
  endReplay() {
    this.replay?.stop();
    if (location.hash) history.replaceState(null, "", location.pathname);
    this.replay = null;
    this.sidebar.replay(null);
    this.connection.send({ type: "state" }).catch((error) => showToast(error.message));
  }

  /** Open a dialog, perhaps about a level. */
  open(name, level) {
    DIALOGS[name](this, level);
  }
}

const countPoints = (changes) =>
  changes.filter(({ change }) => change === "act").flatMap(({ steps }) => steps).reduce((sum, { reward }) => sum + (reward ?? 0), 0);
