// The play screen: board, actions and messages; every word and rule comes from the server.

import { ActionMenu } from "../action_menu.js";
import { ApiError, Connection } from "../api.js";
import { Board, MAX_MARKS } from "../board.js";
import { CoPlayers } from "../co_players.js";
import { help, isTextInputKey, levels, newGame, openTextInput, players, race, scores, share } from "../dialogs.js";
import { Drags } from "../drags.js";
import { actionWords, heardWords, messageText, refusalReason } from "../words.js";
import { announce, h, hideToasts, navigate, scrollIntoSight, sentenceCase, showToast } from "../dom.js";
import { giveFeedback } from "../feedback.js";
import { KeyActor } from "../key_actor.js";
import { keysByText, listenToKeys } from "../keys.js";
import { OfflinePlay } from "../offline/offline_play.js";
import { takeFirstAction } from "../first_action.js";
import { askAboutMoves } from "../offline/pending_moves.js";
import { Cursor, DIRECTIONS, Pointer, Previews, topOfNote } from "../pointer.js";
import { ReplayPlayer } from "../replay.js";
import { readLink } from "../share.js";
import { Sidebar } from "../sidebar.js";
import { askBeforeHint } from "../spoilers.js";
import { PlayClock } from "../statistics.js";
import { packOf, playersOf, rememberSession } from "../user_data.js";
import { BadgeLine } from "../badge.js";
import { mergeLevelChange, ownActions, WinSheet, wonState } from "../win_sheet.js";
import { loadWonLevel, movesOf, visibleSteps } from "../won_level.js";

const DIALOGS = { help, levels, new: newGame, race, scores, share, watch: players };
const SPOILERS = new Set(["nudge", "hint", "next", "solution"]); // messages after which a win is one with hints
const HINTS = { nudge: "hint", hint: "hint 3", next: "hint 3" }; // after what was told on the same position
const ENDED = {
  missing: { title: "This game is gone", text: "It was deleted, or its link is incomplete. Choose another game at the start." },
  refused: { title: "This game is not yours", text: "Ask whoever began it for a link to play or to watch." },
};
const STEPS = { ",": -1, ".": 1 }; // keys that step through the moves, in games that do not use them

/** The screen at "/play/ID". */
export async function play(id) {
  const screen = new Play(id);
  await screen.ready.promise.catch((error) => {
    screen.leave();
    throw error;
  });
  await screen.result.recalled;
  await screen.watchLinked();
  const first = takeFirstAction(id);
  if (first?.text) screen.do(first.text);
  else if (first) screen.point(first);
  return screen;
}

class Play {
  constructor(id) {
    this.id = id;
    this.board = new Board();
    this.stage = h("div", { className: "stage", tabindex: "0", role: "application", "aria-roledescription": "board", "aria-describedby": this.board.description.id }, this.board.element, this.board.description);
    this.keyActor = new KeyActor(this);
    this.sidebar = new Sidebar(this);
    this.badgeLine = new BadgeLine(this);
    this.content = [h("div", { className: "play" }, this.stage, this.badgeLine.element, this.sidebar.element)];
    this.result = new WinSheet(this);
    this.menu = new ActionMenu(this);
    this.coPlayers = new CoPlayers(this);
    this.clock = new PlayClock();
    this.unshownRef = null; // of the latest request whose answer in words or as a replay is not shown
    this.pending = null; // while the overlay of a win is shown: the states of the won level and of the next one
    this.drags = new Drags();
    this.namedCells = []; // by the answers to the last requests: two tiles that were exchanged
    this.offline = new OfflinePlay(id, (message) => this.connection.ask(message), (pieces) => this.board.addPieces(pieces));
    this.ready = Promise.withResolvers();
    this.connection = new Connection(id, (message) => this.#onMessage(message), (how) => this.#onConnection(how), this.offline, playersOf(id)?.actor ?? undefined);
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
      preview: (where) => this.previews.steps(this.keyActor.meaningOf(where)),
    });
    this.onSettings = ({ detail }) => detail.name === "directions" && this.#showDirections();
    document.addEventListener("gridproof:setting", this.onSettings);
  }

  get title() {
    const title = this.now?.title || this.state?.title;
    return this.state?.puzzle ? `${this.state.title}: ${title}` : title; // puzzles of several games have equal titles
  }

  get breadcrumbs() {
    const { game, title } = this.state;
    const pack = packOf(this.id);
    const name = pack?.split("/")[1].replaceAll("-", " ");
    return [h("a", { href: "/" }, "Games"), " › ", h("a", { href: `/levels/${pack ?? game}` }, title || game), name && h("span", { className: "here" }, ` › ${sentenceCase(name)}`)].filter(Boolean);
  }

  onShow() {
    this.board.view.update();
    this.#lookAtFirst();
    (this.sidebar.element.querySelector(".overlay .main") ?? this.stage).focus({ preventScroll: true });
  }

  leave() {
    hideToasts(); // they are about this game
    this.replay?.stop();
    this.badgeLine.leave();
    this.menu.close();
    document.removeEventListener("gridproof:setting", this.onSettings);
    this.unlisten();
    this.clock.leave();
    this.sidebar.moves.leave();
    this.offline.leave();
    this.connection.close();
  }

  // -- messages of the server

  #onConnection(how) {
    if (how === "missing" || how === "refused") {
      const error = new Error(ENDED[how].text);
      error.title = ENDED[how].title;
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
    for (const [place, level] of (message.state?.levels ?? []).entries()) level.key ??= this.state?.levels[place].key;
    if (message.type === "state") {
      this.#onState(message);
      return;
    }
    if (this.syncing && !message.away) return;
    if (!message.away) this.offline.follow(message);
    else {
      this.sidebar.showConnection(this.offline.statusText);
      this.badgeLine.showOffline();
    }
    if (message.state && message.away) this.#show(message.state);
    else if (message.state) this.#begin(message.state);
    if (message.pieces) this.board.addPieces(message.pieces);
    if (message.type === "error" && message.ref !== this.unshownRef) showToast(message.text, 6);
    if (message.type === "people") this.sidebar.showViewers(message.people);
    if (message.type === "badge" && this.pending) this.pending.badge = message;
    else if (message.type === "badge") this.#judge(message);
    if (message.type === "progress") this.sidebar.progress(message);
    if (message.type === "answer" || message.type === "news") this.#applyUpdate(message);
  }

  /** Request the whole state once more, without the keys of the levels: they stay. */
  #requestState() {
    return this.connection.send({ type: "state", keys: false });
  }

  #begin(state) {
    this.offline.begin(state);
    this.#show(state);
  }

  /** Show what is proved of the current position. */
  #judge(badge) {
    const isLost = this.now.status === "WON" && this.now.end?.kind === "lost" && this.state.actors.length > 1; // another actor has won
    const isOver = this.now.status === "WON" && "score" in this.now && !this.now.actions.length; // the chance of a next target is none
    this.badgeLine.show(isOver || this.isRacing ? { text: "" } : isLost && badge.line ? { ...badge, line: "Lost", standing: "dead" } : badge);
    this.sidebar.moves.judge(badge);
    if (!this.now.done && badge.fewest) this.fewest = { key: this.now.key, number: badge.left };
    if (!this.now.done && badge.own_left) this.ownFewest = { key: this.now.key, number: badge.own_left };
  }

  /** Whether programs race on the board: then the player watches. */
  get isRacing() {
    return Boolean(this.now?.race) && !this.pending;
  }

  /** Whether the player can act on this board. */
  get mayAct() {
    return Boolean(this.state?.plays) && !this.isRacing;
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
    this.drags.forget(); // the game may have changed elsewhere
    this.board.begin(state.pieces);
    this.board.addPieces(this.offline.extra);
    this.board.show(state.board);
    this.bindKeys(state.now);
    this.stage.setAttribute("aria-label", `Board of ${state.title}`);
    this.clock.game = state.game;
    this.sidebar.moves.begin(state.moves, state.now);
    this.sidebar.begin(state);
    this.badgeLine.begin();
    this.#update(state.now);
    this.result.restore(state);
    this.coPlayers.apply();
  }

  /** Look at what the first possible action would move, on a board of which only a part is shown. */
  async #lookAtFirst() {
    if (!this.board.view.isLost) return;
    const { now } = this;
    const steps = now.actions.length ? await this.previews.steps({ text: now.actions[0].text }) : [];
    const [, x, y] = steps?.flatMap(({ moves }) => moves)[0] ?? [];
    if (this.now === now && this.board.contains(x, y)) this.board.view.look(x, y);
  }

  /** The keys of the level, and of the position where arrows mean directions of the board. */
  bindKeys(now = this.now) {
    this.keys = this.keyActor.bindings(now);
  }

  /** Show which actor keys move now. */
  showKeyActor() {
    this.sidebar.update(this.pending?.now ?? this.now);
  }

  /** The words of an action by its text, possible or not. */
  actionWords(text) {
    const action = this.now.actions.find((one) => one.text === text);
    return actionWords(action ?? { words: this.state.meanings[text], seen: this.now.seen_meanings?.[text] });
  }

  /** Show keys, actions and requests in the directions that the player has just chosen. */
  #showDirections() {
    this.bindKeys();
    if (!this.replay && !this.pending) this.#requestState().catch(() => undefined);
  }

  /** Change to another level, which may have other actors and keys. */
  #updateLevel(about) {
    const { actors, taken } = this.state;
    Object.assign(this.state, about);
    this.coPlayers.followGuests(actors, taken);
    this.bindKeys();
    if (!this.pending) this.sidebar.updateLevel(this.state);
    this.coPlayers.apply();
  }

  #applyUpdate(message) {
    if (this.pending) for (const { kind, text } of message.told ?? []) if (kind === "notice") this.result.tell(text);
    if (this.pending && message.changes?.length) {
      this.pending.isBehind = true; // others have gone on; the player follows after the sheet
      return;
    }
    const messages = message.told ?? [];
    const end = messages.find(({ kind }) => kind === "won") ?? messages.find(({ kind }) => kind === "lost");
    const before = this.now;
    this.done = before.done;
    for (const change of mergeLevelChange(message.changes ?? [])) this.#applyChange(change, end);
    if (message.requests && this.pending) this.pending.requests = message.requests;
    else if (message.requests) this.sidebar.requests.show(message.requests);
    if (message.moves && this.pending) this.pending.moves = message.moves;
    else if (message.moves && message.now) this.sidebar.moves.begin(message.moves, { ...this.now, ...message.now }, true);
    if (message.helped) this.#noteHelp();
    this.#showMessages(messages, message);
    if (message.now) {
      if (message.now.about) this.#updateLevel(message.now.about);
      this.#update({ ...this.now, ...message.now }); // which omits unchanged fields
      this.sidebar.showPoints(countPoints(message.changes ?? []));
      if (end) giveFeedback(end.kind);
      else if (message.changes?.some(({ change }) => change === "act")) giveFeedback("step");
      if (end) this.board.setCursor(null); // it may have stood beside the board
      if (!this.pending && message.changes?.at(-1)?.change === "select") this.result.choose(this.state, this.now);
      else if (end) this.result.report(end, message, before, Boolean(this.pending));
    }
  }

  #applyChange(change, end) {
    this.menu.close(); // its actions may be impossible now
    this.pointer.cancel(); // the piece may have vanished
    const moved = change.change === "act" && change.won && change.current !== change.level;
    if (change.change !== "act") this.result.dismiss();
    this.sidebar.showJob(null); // a search for an earlier position is over
    if (change.change === "act") this.drags.replace(this.done);
    else if (!["undo", "redo", "restart"].includes(change.change)) this.drags.forget();
    this.sidebar.messages.forget();
    hideToasts();
    this.previews.forget();
    this.sidebar.moves.follow(change, this.done);
    this.done += change.change === "act" ? change.steps.length : 0;
    this.namedCells = change.change === "act" ? change.steps.flatMap(({ dialogue }) => dialogue?.cells ?? []) : [];
    this.#showPending((board) => this.board.play([], board)); // further steps belong to the next level
    this.board.play(change.steps, moved ? undefined : change.board);
    for (const level of change.passed) this.state.levels[level - 1].done = true;
    if (moved) this.badgeLine.showEnd(end?.own !== 0);
    if (moved) this.pending = { board: change.board, requests: [], messages: [], now: wonState(this.now, change, ownActions(end)), about: this.sidebar.actorsShown };
    if (change.change === "act" && this.state.actors.length > 1) this.sidebar.requests.add(change.steps);
    const words = change.steps.flatMap((step) => [actionWords(step), ...heardWords(step)]);
    if (change.change === "restart") announce("The level is restarted");
    else if (words.length) announce(`${change.change === "act" ? "" : `${change.change}: `}${words.slice(-4).join(", ")}`);
  }

  /** Nudge the board, and announce the obstacle. */
  #showBlocked(refusal) {
    const { blocked, silent, text } = refusal;
    const reason = refusalReason(refusal);
    giveFeedback("blocked");
    this.board.nudge(DIRECTIONS[keysByText(this.keys).get(blocked)] ?? DIRECTIONS.right);
    if (reason && this.state.actors.length > 1) this.sidebar.requests.addRefused(reason);
    if (reason && this.sidebar.requests.isInSight) announce(reason);
    else if (reason) showToast(reason, 4, topOfNote(this.board, this.pointed));
    else if (!silent) announce(text);
  }

  #showMessages(messages, message) {
    for (const item of messages) {
      if (SPOILERS.has(item.kind)) this.hinted = { now: this.now, kind: item.kind };
      if (["replay", "message"].includes(item.kind) && message.ref === this.unshownRef) continue;
      else if (item.kind === "replay") this.#startReplay(item);
      else if (item.kind === "hint") this.#showHint(item);
      else if (item.kind === "working") this.sidebar.showJob(item);
      else if (item.kind === "level" && this.pending) this.pending.messages.push(item);
      else if (["preview", "steps", "best", "choice"].includes(item.kind)) continue;
      else if (item.kind === "lost" && !(message.now ?? this.now).done) continue; // the actions say it
      else if (item.kind === "notice") this.#showNotice(item.text);
      else if (item.kind === "pass") this.sidebar.requests.addPass(item.text);
      else if (item.kind === "nudge") this.#showNudge(item);
      else if (item.kind === "next") this.#showNext(item);
      else if (["won", "lost"].includes(item.kind)) announce(messageText(item)); // the sheet says it
      else if (item.blocked) this.#showBlocked(item);
      else if (!(item.kind === "levels" || item.kind === "help")) this.sidebar.addMessage(messageText(item), item.kind);
    }
    if (message.job && message.job === this.sidebar.runningJob?.job) this.sidebar.showJob(null);
    const solution = messages.find(({ kind }) => kind === "solution");
    if (!solution) return;
    this.watchFrom = 0; // its moves are listed: the player starts them
    this.connection.send({ type: "open", trace: solution.trace }).catch(() => undefined);
  }

  /** Note that hints were shown on this level. */
  #noteHelp() {
    this.now.helped = true;
    this.sidebar.showPlace(this.pending?.now ?? this.now);
  }

  /** Note a hint of which only this page knows, also on the server. */
  noteOwnHelp() {
    if (this.now.helped) return;
    this.#noteHelp();
    this.connection.send({ type: "note_help" }).catch(() => undefined);
  }

  /** Ask for the next hint: which piece, then the next move, then the next three; a game without solutions has one hint. */
  hint() {
    if (this.sidebar.runningJob) return; // it answers
    if (this.badgeLine.explainDead()) return; // the reason is free
    askBeforeHint(this, () => this.#askHint());
  }

  #askHint() {
    const told = this.hinted?.now === this.now ? this.hinted.kind : null;
    if (told === "next") showToast("The next moves are shown. For more, choose the whole solution beside Hint.");
    this.do(this.offers("nudge") ? HINTS[told] ?? "nudge" : "hint");
  }

  #showHint(item) {
    this.sidebar.addMessage(messageText(item), "hint");
    this.sidebar.highlightAction(item.action);
    const action = this.now.actions.find(({ text }) => text === item.action);
    const marks = item.marks ?? action?.marks ?? [];
    if (!marks.length) queueMicrotask(() => this.#showWay(item.action)); // after this update
    const show = () => this.board.mark(marks, "hinted", marks.length ? this.outsideMarks : []);
    if (this.board.playing) this.board.playing.then(show);
    else show();
  }

  /** Show what an action moves, or at least its direction. */
  async #showWay(text) {
    const { now } = this;
    const steps = "score" in now && DIRECTIONS[text] ? [] : await this.previews.preview({ text }); // games with a score slide all pieces
    if (!steps?.length && DIRECTIONS[text] && this.now === now && !this.replay) this.board.showArrow(DIRECTIONS[text]);
  }

  /** Show the next actions in words, and on the board where they lead. */
  #showNext(item) {
    this.sidebar.addMessage(messageText(item), "hint");
    queueMicrotask(() => this.previews.preview({ texts: item.actions }));
  }

  /** Say what another player has done to the game of all. */
  #showNotice(text) {
    if (this.pending) return; // the sheet says it
    this.sidebar.messages.add(h("p", { className: "notice" }, text));
    showToast(text, 8);
  }

  /** Point at the piece that moves next. */
  #showNudge({ text, cells }) {
    this.sidebar.addMessage(text, "hint");
    const { now } = this;
    (this.board.playing ?? Promise.resolve()).then(() => this.now === now && this.board.outline(cells));
  }

  /** Show a race that has begun as one that is watched, and the own game again after it. */
  #showRace() {
    this.sidebar.showRole();
    if (this.isRacing) this.badgeLine.show({ text: "" }); // what it says is for one who plays
    else this.badgeLine.begin();
  }

  #update(now) {
    const wasRacing = this.isRacing;
    this.now = now;
    this.stage.dataset.plays = this.mayAct ? "yes" : "no";
    if (this.isRacing !== wasRacing) this.#showRace();
    this.badgeLine.follow();
    if (now.directions) this.bindKeys();
    this.board.outline([]);
    if (this.pending) {
      this.sidebar.update(this.pending.now);
      this.sidebar.moves.update(this.pending.now);
      return;
    }
    const outside = now.actions.some(({ marks }) => (marks ?? []).some(([, x, y]) => !this.board.contains(x, y)));
    if (outside !== this.board.marked && (outside || this.board.marked === undefined)) this.board.setFrame(outside);
    this.sidebar.update(now);
    this.sidebar.moves.update(now);
    const done = this.board.playing ?? Promise.resolve();
    done.then(() => {
      if (this.now !== now || this.replay) return;
      const place = (this.mayAct ? this.keyActor.place : undefined) ?? now.place;
      if (place !== undefined) this.board.setOwn(place);
      this.showMarks();
      this.board.outline(this.namedCells);
    });
    done.then(() => this.#lookAtFirst());
  }

  /** The marks beside the board, which stay while others are shown: they stand in fixed places, and act. */
  get outsideMarks() {
    return this.now.actions.flatMap(({ marks }) => marks ?? []).filter(([, x, y]) => !this.board.contains(x, y));
  }

  /** Show the marks of all actions while nothing is previewed. */
  showMarks() {
    this.board.preview([]);
    const marks = this.pending ? [] : this.now.actions.flatMap(({ marks: own }) => own ?? []); // those of the next level
    this.board.mark(this.mayAct && marks.length <= MAX_MARKS ? marks : []);
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
    if (this.pending.isBehind) {
      this.pending = null;
      this.#requestState().catch((error) => showToast(error.message));
      return;
    }
    const { board, requests, badge, messages, moves } = this.pending;
    this.pending = null;
    show(board);
    this.sidebar.updateLevel(this.state);
    this.sidebar.requests.show(requests);
    for (const item of messages) this.sidebar.addMessage(messageText(item), item.kind);
    this.sidebar.moves.begin(moves, this.now, true);
    if (badge) this.#judge(badge);
    this.#update(this.now);
    this.coPlayers.apply();
  }

  /** Send a message and return its answer; a replay or words in it are not shown. */
  askUnshown(message) {
    const answer = this.connection.ask(message);
    this.unshownRef = this.connection.ref;
    return answer;
  }

  /** Show a level that was won and left as it stood at its end, until the player goes on. */
  recall({ board, steps }, { level, key, title, game, won, own, helped, about }) {
    const now = wonState({ ...this.now, level, key, title, helped, each: {}, end: null }, steps.at(-1)?.now ?? {}, ownActions({ kind: won ? "won" : "lost", own }));
    this.pending = { board, steps, now, messages: [], isBehind: true, about };
    this.board.show(board, steps);
    this.board.setOwn(null);
    this.sidebar.showActors(about);
    this.sidebar.requests.show(this.state.actors.length > 1 ? visibleSteps(steps, this.state.actor) : []);
    this.sidebar.moves.begin(movesOf(steps, game), { ...now, done: steps.length });
    this.badgeLine.showEnd(own !== 0);
    this.#update(this.now);
  }

  // -- input of the player

  /** Do an action or a command; the sidebar shows a refusal. */
  async do(text) {
    this.pointed = null;
    if (text === "undo" && this.sidebar.moves.canTakeBackWin) return this.sidebar.moves.takeBackWin();
    if (text === "redo" && this.sidebar.moves.lastOfWin) return this.do(this.sidebar.moves.lastOfWin);
    if (text === "restart" && this.sidebar.moves.canRestartEnded) return this.do(`level ${this.pending.now.level}`);
    if (this.replay) this.endReplay();
    if (this.pending && text.startsWith("level ")) this.pending.messages = []; // the level that waits is not shown
    this.result.dismiss();
    const send = () => this.connection.send({ type: "do", text: this.drags.command(text, this.now.done) }).catch((error) => {
      showToast(error.message);
      return null;
    });
    if (this.#isAction(text)) return this.coPlayers.inTurn(send);
    this.coPlayers.waiting = null;
    return send();
  }

  /** Whether a text is an action, rather than a command. */
  #isAction(text) {
    return text in this.state.meanings || this.now.actions.some((action) => action.text === text);
  }

  /** Do actions one after the other, as far as they go. */
  doAll(texts) {
    this.endReplay();
    this.result.dismiss();
    return this.connection.send({ type: "do", texts }).catch((error) => showToast(error.message));
  }

  /** Do the action of a click on a cell, or of a drag from it. */
  async point(where) {
    if (this.result.isOpen || this.replay || !this.mayAct) return;
    this.menu.close();
    this.pointed = where; // a refusal is said beside it
    if (this.keyActor.chooseAt(where)) return; // an actor that turns on a click turns on the next one
    const meaning = this.keyActor.meaningOf(where);
    if (meaning.text) return this.do(meaning.text);
    const { actions, done } = this.now;
    const answer = await this.coPlayers.inTurn(() => this.connection.send({ type: "point", ...where }).catch((error) => showToast(error.message)));
    const step = answer?.changes?.find(({ change }) => change === "act")?.steps[0];
    if (where.to && this.now.done > done + 1 && !this.now.each) this.drags.add(done, this.now.done);
    this.keyActor.follow(step?.action, actions);
    const choice = answer?.told?.find(({ kind }) => kind === "choice");
    if (choice) this.menu.open([where.x, where.y], this.now.actions.filter(({ text }) => choice.actions.includes(text)));
  }

  #onKey(name, event) {
    if (!this.state) return false;
    if (this.replay) return this.replay.onKey(name);
    if (this.result.isOpen) {
      if (name === "escape") this.result.dismiss();
      else if (this.keys[name] === "undo" && this.state.plays && (!this.pending || this.sidebar.moves.canTakeBackWin)) this.do("undo");
      return name === "escape" || Boolean(this.keys[name]); // other keys of the game do not close the overlay
    }
    if (name === "escape" && this.sidebar.runningJob) {
      this.connection.send({ type: "cancel" }).catch(() => undefined);
      this.sidebar.showJob(null);
      return true;
    }
    const actor = this.keyActor.ofKey(name);
    const meant = actor ? undefined : (this.keys[name] ?? this.keys[name.toLowerCase()]);
    if (!this.mayAct) return false;
    if (!meant && STEPS[name]) {
      this.sidebar.moves.step(STEPS[name]);
      return true;
    }
    if (!meant && isTextInputKey(name)) {
      openTextInput(this);
      return true;
    }
    if (actor) {
      this.keyActor.choose(actor);
      return true;
    }
    if (!meant) return !event.target.closest?.(".log") && this.cursor.onKey(name, event.shiftKey); // arrows scroll the messages
    if (["help", "levels", "new", "watch"].includes(meant)) this.open(meant);
    else if (meant === "proof") this.badgeLine.ask();
    else if (meant === "quit") navigate("/");
    else if (meant === "hint") this.hint();
    else this.#doByKey(meant);
    return true;
  }

  #doByKey(text) {
    const action = this.now.actions.find((one) => one.text === text);
    if (action?.confirm) this.previews.press(action);
    else this.do(text);
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
    const isOwn = this.result.isOpen || (item.length !== undefined && !item.ahead); // it shows the moves in the list
    if (this.pending) this.result.suspend();
    else this.result.hide();
    this.sidebar.showJob(null);
    hideToasts();
    this.board.outline([]);
    this.board.preview([]);
    this.board.setCursor(null);
    this.board.setOwn(null);
    this.sidebar.moves.showReplayed(null);
    this.replay = new ReplayPlayer(this, { at: this.watchFrom, ...item, isOwn, onStep: isOwn ? (place) => this.sidebar.moves.showReplayed(place) : undefined });
    this.watchFrom = undefined;
    this.sidebar.messages.remove("hint"); // it is about the game, which waits
    this.sidebar.replay(this.replay.element);
    scrollIntoSight(this.stage); // on a phone the page may be scrolled
    this.badgeLine.pause();
  }

  /** Return from a replay to the unchanged game. */
  endReplay() {
    this.replay?.stop();
    if (location.hash) history.replaceState(null, "", location.pathname);
    this.replay = null;
    this.sidebar.moves.showReplayed(null);
    this.sidebar.replay(null);
    this.badgeLine.resume();
    if (this.pending) {
      this.#showWonLevel(this.pending).catch((error) => showToast(error.message));
      this.sidebar.update(this.pending.now);
      this.result.resume();
      return;
    }
    this.#requestState().catch((error) => showToast(error.message));
  }

  /** Show the board of a won level as it was at its end. */
  async #showWonLevel(pending) {
    const { board, steps } = pending.steps ? pending : await loadWonLevel(this, pending.now.level);
    if (this.pending === pending && !this.replay) this.board.show(board, steps);
  }

  /** Open a dialog, perhaps about a level; a replay pauses behind it. */
  open(name, level) {
    this.replay?.run(false);
    DIALOGS[name](this, level);
  }
}

const countPoints = (changes) =>
  changes.filter(({ change }) => change === "act").flatMap(({ steps }) => steps).reduce((sum, { reward }) => sum + (reward ?? 0), 0);
