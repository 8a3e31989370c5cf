// The list of moves: a click goes to the position after a move; lines that were left stay as variations.

import { actionWords } from "./words.js";
import { announce, button, formatCount, h, showToast } from "./dom.js";
import { forgetVariations, MoveTree, nameOf } from "./move_tree.js";

const MAX_TEXTS = 200; // actions in one message
const MAX_SHOWN = 24; // moves of a variation
const MAX_DEPTH = 3; // of variations of variations
const EMPTY = { first: 0, list: [] };

const isRefused = (answer) => !answer || answer.told?.some(({ kind }) => kind === "refusal");

export class MoveList {
  constructor(play) {
    this.play = play;
    this.tree = new MoveTree(EMPTY, ["", ""]);
    this.winTakenBack = null; // {level, done, action} of a won level that is played again up to its last move
    this.replayed = null; // the place that a replay of the game shows
    this.list = h("div", { className: "move-list", role: "group", "aria-label": "Moves of this game", onkeydown: (event) => this.#onKey(event), onclick: ({ detail }) => detail && play.stage.focus({ preventScroll: true }) }); // after a click of the mouse, keys play on
    this.legend = h("span", { className: "legend small muted", "aria-hidden": "true" }); // of the costs in the list, which say it in words
    this.element = h("section", { className: "panel moves", "aria-labelledby": "moves-title" }, h("h2", { id: "moves-title" }, "Moves", this.legend), this.list);
    new ResizeObserver(() => this.#scrollTo(this.list.querySelector("[aria-current]"))).observe(this.list); // at a win it makes room
    this.saving = new AbortController();
    addEventListener("pagehide", () => this.tree.save(), { signal: this.saving.signal });
  }

  /** What tells this game of the level from earlier ones. */
  get game() {
    return this.tree.game;
  }

  leave() {
    this.tree.save();
    this.saving.abort();
  }

  /** Show the moves of a level, as the server sends them; a new game and a level chosen anew have no variations yet. */
  begin(moves, now, isChosen = false) {
    this.tree.save();
    if (isChosen && !now.done && !now.undone) forgetVariations(this.play.id, now.key);
    const known = moves && moves.first <= now.done && now.done <= moves.first + moves.list.length;
    const told = known ? { ...moves, list: moves.list.slice(0, now.done + now.undone - moves.first) } : { ...moves, first: now.done, list: [] };
    this.tree = new MoveTree(told, [this.play.id, now.key]);
    this.done = now.done;
    this.#draw();
  }

  /** Follow a change of the level, which had `done` moves before. */
  follow(change, done) {
    if (!["undo", "redo", "restart"].includes(change.change)) this.winTakenBack = null;
    if (change.change === "act") this.tree.play(done, change.steps);
  }

  /** Show the place in the game; a won level that was left stays at its end. */
  update({ done, undone }) {
    this.done = this.play.pending ? this.tree.last : done;
    this.tree.shorten(this.done + undone);
    this.#draw();
  }

  /** Show what is proved of this position. */
  judge(badge) {
    if (!badge.text) return;
    this.tree.judge(this.done, badge);
    this.#draw();
  }

  /** Mark the place that a replay of this game shows; null ends that. */
  showReplayed(number) {
    this.replayed = number;
    this.#draw();
  }

  /** The number of moves before the position on the board. */
  get #shown() {
    return this.replayed ?? this.done;
  }

  /** Go back, or on, by so many moves. */
  step(by) {
    this.#goTo(Math.max(0, Math.min(this.tree.last, this.#shown + by)));
  }

  /** Go to the position after so many moves, or show it in a replay of them; not while the next level waits behind a win. */
  #goTo(number) {
    const { replay } = this.play;
    if (replay?.isOwn) replay.seek(number);
    else if (number !== this.done && !this.play.pending && this.play.mayAct) this.play.do(`goto ${number}`);
  }

  /** Go to the end of some moves of a variation that begins after `number` others. */
  async #follow(number, actions) {
    const { play } = this;
    if (play.pending) return;
    if (number === this.done || !isRefused(await play.do(`goto ${number}`))) await this.#doAll(actions);
  }

  /** Do actions in as many messages as they need, as far as they go. */
  async #doAll(actions) {
    for (let first = 0; first < actions.length; first += MAX_TEXTS) {
      const message = { type: "do", texts: actions.slice(first, first + MAX_TEXTS) };
      if (isRefused(await this.play.connection.send(message).catch((error) => showToast(error.message)))) return;
    }
  }

  /** Whether a level that has ended can be begun again while the next level waits behind its end: no guest plays. */
  get canRestartEnded() {
    const { pending, state } = this.play;
    return Boolean(pending) && state.plays && !state.bound && !state.taken.length;
  }

  /** Whether the last move of a won level can be taken back while the next level waits behind the win: no program has moved, too. */
  get canTakeBackWin() {
    const playsAlone = !Object.keys(this.play.pending?.now.partners ?? {}).length;
    return this.canRestartEnded && playsAlone && !this.tree.first && this.tree.last > 0;
  }

  /** Play the won level again up to its last move. */
  async takeBackWin() {
    const { play } = this;
    const { level, helped } = play.pending.now;
    const actions = this.tree.line.map(({ action }) => action);
    const action = actions.pop();
    if (isRefused(await play.do(`level ${level}`))) return;
    if (helped) play.noteOwnHelp(); // it is the same game
    await this.#doAll(actions);
    this.winTakenBack = { level, done: actions.length, action };
    play.sidebar.update(play.now);
    announce(`undo: ${play.actionWords(action)}`);
  }

  /** The last move of a won level that was taken back, where it can be done again; the session forgets it. */
  get lastOfWin() {
    const { level, done, undone } = this.play.now;
    const { winTakenBack: win } = this;
    return win && !this.play.pending && win.level === level && win.done === done && !undone ? win.action : null;
  }

  #draw() {
    const { tree } = this;
    const plays = this.play.mayAct;
    const focused = this.list.contains(document.activeElement);
    const drawn = [tree.first ? h("span", { className: "muted small" }, `${tree.first} before, `) : this.#start(plays)];
    const variations = [];
    let judged = tree.first; // several moves at once leave positions without a verdict between
    for (let number = tree.first; number <= tree.last; number += 1) {
      const node = tree.at(number);
      if (number > tree.first) drawn.push(this.#move(node, MoveTree.cost(tree.at(judged), node, number - judged), number, { plays, onclick: () => this.#goTo(number) }));
      if (node.verdict !== undefined) judged = number;
      variations.push(...tree.variationsAfter(number).map((other) => this.#variation(other, number, [], plays, 1)));
    }
    if (variations.length) drawn.push(h("span", { className: "earlier small muted" }, "Earlier tries"), ...variations);
    this.list.replaceChildren(...drawn);
    this.legend.textContent = this.list.querySelector(".cost:not(.lost, .luck)") ? "+1, +2: extra moves" : "";
    const current = this.list.querySelector("[aria-current]") ?? this.list.querySelector("button");
    if (current) current.tabIndex = 0;
    if (focused) current?.focus({ preventScroll: true });
    this.#scrollTo(current);
  }

  #start(plays) {
    return button("Start", () => this.#goTo(0), { className: "move", tabindex: "-1", disabled: !plays, "aria-current": this.#shown === 0 && "step" });
  }

  /** A move that can be clicked, with its number, and a mark if it is proved to have cost something. */
  #move(node, found, number, { plays, onclick, variation }) {
    const cost = typeof found === "string" || !this.play.state.actor ? found : 0; // the fewest of all says little to one who races
    const current = !variation && number === this.#shown;
    const { mark, meaning } = this.#createMark(cost);
    return button([h("span", { className: "number" }, String(number)), " ", nameOf(node.action, actionWords(node)), mark], onclick,
      { className: !variation && number > this.#shown ? "move undone" : "move", title: [actionWords(node), meaning].filter(Boolean).join(". "), tabindex: "-1", disabled: !plays, "aria-current": current && "step" });
  }

  /** The mark of what a move has cost, and its meaning, also where the legend has no room. */
  #createMark(cost) {
    if (cost === "chance") return { mark: h("span", { className: "cost luck" }, "bad luck"), meaning: "After it, what came by chance made the position dead" };
    if (cost === "move") return { mark: h("span", { className: "cost lost" }, "✕", h("span", { className: "visually-hidden" }, " lost the win")), meaning: "After it the position is dead" };
    if (!cost) return { mark: null, meaning: "" };
    return { mark: h("span", { className: "cost" }, `+${cost}`, h("span", { className: "visually-hidden" }, " more than the fewest")), meaning: `${formatCount(cost, this.play.state.word)} more than the fewest` };
  }

  /** A line that was left, with its own variations. */
  #variation(first, after, before, plays, depth) {
    const moves = [];
    const actions = [...before];
    let [node, parent, number] = [first, this.tree.at(after), after + before.length];
    while (node && moves.length < MAX_SHOWN) {
      number += 1;
      actions.push(node.action);
      const way = [...actions];
      moves.push(this.#move(node, MoveTree.cost(parent, node), number, { plays, variation: true, onclick: () => this.#follow(after, way) }));
      if (depth < MAX_DEPTH) for (const other of node.next.slice(1)) moves.push(this.#variation(other, after, way, plays, depth + 1));
      [parent, node] = [node, node.next[0]];
    }
    return h("span", { className: "variation", role: "group", "aria-label": "Variation" }, moves, node ? h("span", { className: "muted" }, " …") : null);
  }

  #scrollTo(current) {
    if (!current) return;
    const { list } = this;
    const above = current.offsetTop; // from the top of the list, which is positioned
    if (above < list.scrollTop) list.scrollTop = above;
    else if (above + current.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = above + current.offsetHeight - list.clientHeight;
  }

  /** The arrows step through the game while the list has the focus. */
  #onKey(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(by);
  }
}
