// A board that is played without a session: the server plays all actions from the start, whenever one is added.

import { ActionMenu } from "./action_menu.js";
import { directionsIn, impossibleAction, sortByNumber, withDirections } from "./action_order.js";
import { Board } from "./board.js";
import { actionWords } from "./words.js";
import { button, h, hideToasts, reportErrors } from "./dom.js";
import { KeyActor } from "./key_actor.js";
import { ariaShortcut, keyLabel, keysByText } from "./keys.js";
import { askOnceMore, Cursor, DIRECTIONS, Pointer } from "./pointer.js";
import { markEdges } from "./scroll_edges.js";

/** Clear an answer that refuses an action, since another one is asked about. */
export const clearRefusal = (answer) => answer.classList.contains("refused") && answer.replaceChildren();

export class TrialBoard {
  /**
   * `ask(actions, where)` requests the state after actions, and those of a click; `shown(state, added)` is called with each state and
   * the steps that it adds; `asked()` is called when an action waits to be confirmed; `mayPlay()` says whether the player can act now.
   */
  constructor(label, { ask, shown, asked = () => undefined, mayPlay = () => true }) {
    Object.assign(this, { ask, shown, mayPlay, onAsked: asked });
    this.done = []; // the actions done so far
    this.state = null;
    this.isChanged = false; // whether the level has changed since the state
    this.answered = Promise.resolve(); // when the last request is answered
    this.board = new Board();
    this.stage = h("div", { className: "stage", tabindex: "0", role: "application", "aria-roledescription": "board", "aria-label": label, "aria-describedby": this.board.description.id }, this.board.element, this.board.description);
    this.keyActor = new KeyActor(this);
    this.actions = h("div", { className: "actions" });
    markEdges(this.actions);
    this.undoButton = button("Undo", () => this.undo());
    this.restartButton = button("Restart", () => this.restart());
    this.menu = new ActionMenu({ board: this.board, stage: this.stage, do: (text) => this.act(text) });
    const point = (where) => this.#point(where);
    this.cursor = new Cursor(this.board, point, () => undefined);
    this.pointer = new Pointer(this.stage, this.board, {
      tap: (at) => this.#tap(at, point),
      hover: () => undefined,
      point,
      preview: (where) => this.#stepsOf(where),
    });
    this.send = reportErrors(this.send.bind(this));
  }

  leave() {
    this.left = true;
    this.menu.close();
  }

  /** The state of the position: a trial has one for the level and the position. */
  get now() {
    return this.state;
  }

  /** Do an action after the answers to all before it. */
  act(text) {
    this.#after(() => this.state && this.mayPlay() && this.send([...this.done, text]));
  }

  /** Do what a click or a drag means, after the answers to all before it; the first click on another actor chooses it. */
  #point(where) {
    this.#after(async () => {
      if (!this.state || !this.mayPlay() || this.keyActor.chooseAt(where)) return;
      const { done, state: { actions } } = this;
      const [texts, at] = this.#meaningOf(where);
      await this.send([...done, ...texts], at);
      this.keyActor.follow(this.done[done.length], actions);
    });
  }

  /** The actions and the place that a click or a drag asks the server about. */
  #meaningOf(where) {
    const { text, x, y, to } = this.keyActor.meaningOf(where);
    return text ? [[text], {}] : [[], { x, y, to }];
  }

  /** The steps of a drag, which its pieces follow; none once the position has changed. */
  async #stepsOf(where) {
    await this.answered;
    const { done, state } = this;
    if (!state || !this.mayPlay() || this.board.playing) return [];
    const [texts, at] = this.#meaningOf(where);
    const { pieces, steps } = await this.ask([...done, ...texts], at).catch(() => ({ steps: [] }));
    if (this.left || this.state !== state) return [];
    if (pieces) this.board.begin(pieces); // those on the board keep their numbers
    return steps.slice(done.length);
  }

  /** Do an action; one that uses up a piece beside the board is done at the second press, and the first shows its effect. */
  #press(action) {
    const { state } = this;
    if (!action.confirm || this.asked === state) this.act(action.text);
    else {
      this.asked = state;
      askOnceMore(actionWords(action), this.board);
      this.onAsked();
      this.#after(() => this.#preview(action.text));
    }
  }

  /** Show the effect of an action, if the position is still the same when the server answers. */
  async #preview(text) {
    const { done, state } = this;
    const { pieces, steps } = await this.ask([...done, text], {});
    if (this.left || this.state !== state || !this.mayPlay()) return;
    this.board.begin(pieces); // those on the board keep their numbers
    this.board.preview(steps.slice(done.length));
  }

  #tap([x, y], point) {
    const uses = this.board.isReserve([x, y]) && this.state?.actions.find(({ confirm }) => confirm);
    if (uses) this.#press(uses);
    else point({ x, y });
  }

  undo() {
    this.#after(() => this.done.length && this.send(this.done.slice(0, -1)));
  }

  restart() {
    this.#after(() => this.send([]));
  }

  /** Play the same actions again, on a level that has changed. */
  reload() {
    this.#after(() => {
      this.isChanged = true;
      return this.send(this.done);
    });
  }

  #after(play) {
    this.answered = this.answered.then(reportErrors(play));
  }

  /** Let the server play actions from the start, and show the result. */
  async send(actions, where = {}) {
    hideToasts();
    this.menu.close(); // its actions may be impossible now
    const state = await this.ask(actions, where);
    if (!this.left) this.#show(state, where);
  }

  /** Let the player choose one of several actions at the cell of a click. */
  #offer({ actions, choice = [] }, { x, y }) {
    const offered = actions.filter(({ text }) => choice.includes(text));
    if (offered.length) this.menu.open([x, y], offered);
  }

  #show(state, where) {
    const before = this.isChanged ? null : this.state;
    this.isChanged = false;
    this.pointer.cancel(); // the piece may have vanished
    const done = state.steps.map(({ action }) => action);
    const isNext = before && done.length >= this.done.length && this.done.every((text, index) => done[index] === text);
    const added = state.steps.slice(this.done.length);
    this.state = state;
    this.bindKeys();
    this.board.begin(state.pieces); // those on the board keep their numbers, those of marks do not
    if (isNext) this.board.play(added);
    else this.board.show(state.board, state.steps);
    this.done = done;
    this.#update();
    this.shown(state, isNext ? added : []);
    this.#offer(state, where);
    if (state.refused) this.board.nudge(DIRECTIONS[keysByText(this.keys).get(state.refused.action)] ?? DIRECTIONS.right);
  }

  bindKeys() {
    this.keys = this.keyActor.bindings();
  }

  /** Show which actor keys move now. */
  showKeyActor() {
    this.keyActor.showButtons(this.state.each);
    this.#listActions();
  }

  /** The cell of the piece that keys and swipes move; null at the end. */
  get #ownPlace() {
    const { actions, place } = this.state;
    return actions.length ? this.keyActor.place ?? place ?? null : null;
  }

  #update() {
    const { state } = this;
    for (const one of [this.undoButton, this.restartButton]) one.disabled = !this.done.length;
    this.showKeyActor();
    const marks = state.actions.flatMap((action) => action.marks ?? []);
    const outside = marks.some(([, x, y]) => !this.board.contains(x, y));
    if (outside && !this.board.marked) this.board.setFrame(true);
    (this.board.playing ?? Promise.resolve()).then(() => {
      if (this.state !== state) return;
      this.board.setOwn(this.#ownPlace);
      this.board.mark(marks);
    });
  }

  #listActions() {
    const keys = keysByText(this.keys);
    const focused = this.actions.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    const { actions, meanings } = this.state;
    const listed = withDirections(this.board.numbers ? sortByNumber(actions) : actions, actions.length ? directionsIn(meanings) : []);
    this.actions.replaceChildren(...listed.map((action) => {
      const { text, direction } = action;
      if (!text) return impossibleAction(meanings[direction], keys.get(direction));
      const key = keys.get(text);
      return button([actionWords(action), key && h("kbd", { "aria-hidden": "true" }, keyLabel(key))], () => this.#press(action), { dataset: { action: text }, "aria-keyshortcuts": key && ariaShortcut(key) });
    }));
    if (focused !== null) (this.actions.querySelector(`[data-action="${CSS.escape(focused)}"]`) ?? this.stage).focus();
  }

  /** Handle a key; `commands` do what keys mean besides actions. */
  onKey(name, event, commands = {}) {
    if (!this.state) return false;
    const actor = this.keyActor.ofKey(name);
    if (actor && this.mayPlay()) {
      this.keyActor.choose(actor);
      return true;
    }
    const meant = this.keys[name] ?? this.keys[name.toLowerCase()];
    if (!meant) return this.cursor.onKey(name, event.shiftKey);
    const all = { undo: () => this.undo(), restart: () => this.restart(), ...commands };
    const action = this.state.actions.find(({ text }) => text === meant) ?? { text: meant };
    (all[meant] ?? (() => this.#press(action)))();
    return true;
  }
}
