// The editor: draw a level by mouse, touch or keys; the server checks every stroke.

import { request } from "../api.js";
import { Board } from "../board.js";
import { announce, button, dialog, h, navigate, reportErrors, s, showToast } from "../dom.js";
import { Collection } from "../edit/collection.js";
import { History } from "../edit/history.js";
import { LevelTextPanel, loadTypedText } from "../edit/level_text.js";
import { firstProblem, palette, problems, Properties, Solvability } from "../edit/panels.js";
import { Trial } from "../edit/trial.js";
import { backToGame, crumbs, fromGame, gameId, loadGame, loadPlaying } from "../game_link.js";
import { listenToKeys } from "../keys.js";
import { DIRECTIONS } from "../pointer.js";
import { showTrace } from "../replay.js";
import { beginSession, gameCard } from "./start.js";
import { spoil } from "../spoilers.js";
import { copy, createLink, encodeFragment, readLink } from "../share.js";
import { load, save } from "../user_data.js";

const SIDES = ["up", "right", "down", "left"];
const MAX_MARKS = 60; // marked cells at most
const KEPT = "Your draft of this level is back. “Level's start” begins again.";
const draftKey = (game) => `gridproof.draft.${game}`;
const originKey = (game) => `gridproof.draft-origin.${game}`; // the level of a game on which the draft is drawn

/** The screen at "/edit", "/edit/GAME", with a level or a draft in the fragment; "/edit?play=ID" begins with the level of a game. */
export async function edit(game) {
  const { games } = await request("games");
  const id = gameId();
  const link = (await readLink()) ?? (id && !game ? levelOf(await loadGame(id)) : null);
  if (!game && !link) return gameList(games.filter(({ edits }) => edits));
  const opened = link ? await request("drafts", { ...(game && { game }), ...link }) : null;
  const stored = await storedDraft(game ?? opened.game);
  const isKept = Boolean(id && stored && load(originKey(stored.game)) === opened?.text && stored.text !== opened.text);
  const first = (isKept ? stored : opened) ?? stored ?? (await request("drafts", { game }));
  if (opened) save(originKey(first.game), id ? opened.text : null);
  history.replaceState(null, "", fromGame(`/edit/${first.game}`));
  const typed = stored?.text === first.text ? loadTypedText(first.game) : null;
  const screen = new Edit(first, isKept ? opened : opened && stored, await loadPlaying(), isKept && KEPT);
  if (typed) screen.texts.restore(typed);
  return screen;
}

const levelOf = ({ text, game }) => ({ text, game });

const gameList = (games) => ({
  title: "Make a level",
  content: [h("div", { className: "head" }, h("h1", {}, "Make a level")), h("ul", { className: "cards" }, games.map((game) => gameCard(game, `/edit/${game.name}`)))],
});

/** The server's answer about the stored draft of a game; null without one, or if it is of another version. */
async function storedDraft(game) {
  const draft = load(draftKey(game));
  return draft && request("drafts", { game, draft }).catch(() => null);
}

class Edit {
  /** `before` is the draft to which undo leads, and `notice` what to say first. */
  constructor(first, before, playing, notice) {
    Object.assign(this, { playing, notice });
    this.game = first.game;
    this.title = `Make a level of ${first.title}`;
    this.breadcrumbs = gameId() ? crumbs("Editor") : [h("a", { href: "/" }, "Games"), " › ", h("a", { href: "/edit" }, "Make a level")];
    this.tool = (first.tools.slice(1).find(({ whole }) => !whole) ?? first.tools[0]).name;
    this.part = "";
    this.cursor = [0, 0];
    this.board = new Board();
    this.problemMarks = s("g", { className: "problem-marks" });
    this.cursorMark = s("rect", { className: "cursor-mark", width: 92, height: 92, rx: 10 });
    this.stage = h("div", { className: "stage", tabindex: "0", role: "application", "aria-roledescription": "drawing board", "aria-label": "The level that is drawn", "aria-describedby": "edit-keys" }, this.board.element);
    this.solvability = new Solvability({ watch: (trace) => spoil(this.playing, this.answer.key, () => this.watch(trace)), mark: (cells) => this.board.markDead(cells), draw: () => this.#endTrial() });
    this.texts = new LevelTextPanel(this);
    this.texts.begin(first);
    this.collection = new Collection((level) => this.open({ text: this.collection.text, level }));
    this.undoButton = button("Undo", () => this.history.undo(), { dataset: { edit: "undo" }, "aria-keyshortcuts": "Control+Z" });
    this.redoButton = button("Redo", () => this.history.redo(), { dataset: { edit: "redo" }, "aria-keyshortcuts": "Control+Y" });
    this.tryButton = button("Try it", () => this.#try(), { className: "main", title: "Play it here, and go on drawing (T)", "aria-keyshortcuts": "T" });
    this.playButton = button("Play from here", this.#play, { title: "Begin a game with this level" });
    this.analyseButton = button("Analyse", () => this.#analyse());
    this.reason = h("p", { className: "small reason" }); // why buttons beside it are grey
    this.palette = h("section", { className: "panel", "aria-label": "Palette" });
    this.problems = h("section", { className: "panel", "aria-label": "Problems" });
    this.properties = new Properties(this);
    this.player = h("div", { className: "panel", hidden: true });
    this.tried = h("div", { hidden: true });
    this.sidebar = h("aside", { className: "sidebar", "aria-label": "Drawing" },
      h("h1", { className: "visually-hidden" }, this.title),
      h("div", { className: "panel tools", role: "toolbar", "aria-label": "The level" }, this.tryButton, this.undoButton, this.redoButton,
        button("New", async () => this.history.do({ draft: (await request("drafts", { game: this.game })).draft })),
        this.analyseButton, button("Share", () => this.share()), this.playButton, this.reason),
      this.#fromGame(), this.player, this.tried, this.collection.element,
      h("p", { className: "small muted touch" }, `Choose a piece, then tap cells, or draw over several. To take away, choose “${first.tools[0].name}” and tap.`), this.palette, this.problems, this.solvability.element, this.properties.element,
      h("p", { id: "edit-keys", className: "small muted keyboard" }, "Keys: arrows move, Space puts, Delete takes away, 1 to 9 or [ and ] choose, Ctrl+Z undoes, T tries the level. The right mouse button takes away."));
    this.content = [h("div", { className: "play edit" }, this.stage, this.sidebar, this.texts.element)];
    this.history = new History(first, before, (answer) => this.#show(answer));
    this.#listen();
    this.#show(first);
  }

  get answer() {
    return this.history.answer;
  }

  /** The way back to the game from which the editor was opened, and a start from its position; null without one. */
  #fromGame() {
    const id = gameId();
    const open = (name) => reportErrors(async () => {
      const { [name]: text, game, title } = await loadGame(id);
      await this.open({ text, game }, title && (name === "position" ? `Position of ${title}` : title));
    });
    return id && h("section", { className: "panel from-game", "aria-label": "Your game" }, backToGame(id),
      h("div", { className: "row" }, button("Level's start", open("text"), { title: "Draw on the level as it starts" }), button("Your position", open("position"), { title: "Draw on a level that starts in your position" })));
  }

  onShow() {
    this.stage.focus({ preventScroll: true });
    if (this.notice) showToast(this.notice, 8);
  }

  leave() {
    this.left = true;
    this.#endTrial();
    this.solvability.stop();
    this.replay?.stop();
    this.unlisten();
  }

  /** A file that was dropped on the page. */
  openText(text) {
    return this.texts.read(text);
  }

  // -- the server's answer

  #show(answer) {
    if (answer.problems.length) this.#endTrial();
    else this.trial?.update(answer);
    this.endReplay();
    this.board.begin(answer.pieces);
    this.board.show(answer.board);
    const [width, height] = [answer.board.width, answer.board.height];
    this.cursor = [Math.min(this.cursor[0], width - 1), Math.min(this.cursor[1], height - 1)];
    this.board.element.append(this.problemMarks, this.cursorMark);
    this.#markProblems(answer);
    this.#showCursor();
    if (!answer.tools.some(({ name }) => name === this.tool)) this.tool = answer.tools[0].name;
    this.#fill(this.palette, palette(answer, this));
    this.#fill(this.problems, problems(answer, this));
    this.reason.textContent = firstProblem(answer);
    this.properties.show(answer);
    this.texts.show(answer);
    this.#showHistory();
    this.playButton.disabled = this.tryButton.disabled = this.analyseButton.disabled = answer.problems.length > 0;
    if (!this.stroke) this.#finishStroke(answer);
  }

  /** Whether something can be undone or done again. */
  #showHistory() {
    const { at, entries } = this.history;
    this.undoButton.disabled = !at;
    this.redoButton.disabled = at + 1 === entries.length;
  }

  /** Finish a stroke. */
  #finishStroke(answer) {
    if (!this.left) this.solvability.check(answer);
    save(draftKey(answer.game), answer.draft);
  }

  /** Refill a panel, and keep the focus. */
  #fill(panel, content) {
    const active = document.activeElement;
    const place = panel.contains(active) ? [...panel.querySelectorAll("button, input, select")].indexOf(active) : -1;
    const scrolled = panel.querySelector(".palette")?.scrollTop ?? 0;
    panel.replaceChildren(...content);
    if (place >= 0) [...panel.querySelectorAll("button, input, select")][place]?.focus({ preventScroll: true });
    const list = panel.querySelector(".palette");
    if (list) list.scrollTop = scrolled;
  }

  /** Mark the cells of problems; the words of each are its tooltip. */
  #markProblems({ problems: found }) {
    const cells = new Map();
    for (const { text, cells: own } of found) {
      for (const cell of own) cells.set(cell.join(), [...(cells.get(cell.join()) ?? []), text]);
    }
    this.problemTexts = cells;
    const mark = ([key, texts]) => {
      const [x, y] = key.split(",").map((value) => 100 * Number(value));
      return s("g", { dataset: { fault: key } }, s("title", {}, texts.join("\n")),
        s("rect", { x: x + 5, y: y + 5, width: 90, height: 90, rx: 10 }),
        s("text", { x: x + 12, y: y + 28 }, "!"));
    };
    this.problemMarks.replaceChildren(...[...cells].slice(0, MAX_MARKS).map(mark));
  }

  // -- edits

  /** Edit another level: {text} or {draft}, with a title for a text without one, unless another one is opened before the answer. Throws errors to the caller. */
  async open(what, title = "") {
    const isLatest = () => mine === this.opening;
    const mine = (this.opening = {});
    const [answer, error] = await request("drafts", { game: this.game, ...what }).then((found) => [found, null], (refused) => [null, refused]);
    if (!isLatest()) return;
    if (error) {
      await this.#openInOtherGame(what, error, isLatest);
      return;
    }
    await this.history.do({ draft: { ...answer.draft, title: answer.draft.title || title } });
    if (answer.notice) showToast(`Some of the text could not be read: ${answer.notice}`, 12);
    if (what.level) return;
    if (answer.levels > 1) await this.collection.begin(what.text, answer.levels, answer.game);
    else this.collection.close();
  }

  /** Open a text of another game in that game's editor; throw the error if it is of no other game. */
  async #openInOtherGame({ text }, error, isLatest) {
    const other = text && (await request("drafts", { text }).catch(() => null));
    if (this.left || !isLatest()) return;
    if (!other || other.game === this.game) throw error;
    showToast(`This is a level of ${other.title}.`, 8);
    navigate(`${fromGame("/edit")}#${await encodeFragment({ text })}`);
  }

  choose(tool) {
    this.tool = tool;
    this.#fill(this.palette, palette(this.answer, this));
    announce(tool);
  }

  /** Put the cursor on a cell. */
  goTo([x, y]) {
    this.cursor = [x, y];
    this.#showCursor();
    this.stage.focus({ preventScroll: true });
    this.#announceCell();
  }

  #showCursor() {
    this.cursorMark.setAttribute("x", 100 * this.cursor[0] + 4);
    this.cursorMark.setAttribute("y", 100 * this.cursor[1] + 4);
  }

  #announceCell() {
    const [x, y] = this.cursor;
    const wrong = this.problemTexts.get(this.cursor.join()) ?? [];
    announce([this.board.describePlace(x, y), ...wrong].join(". "));
  }

  #put([x, y], tool, part, stroke) {
    const whole = this.answer.tools.find(({ name }) => name === tool)?.whole;
    return this.history.do({ tool, x, y, ...(part && !whole && { part }) }, stroke);
  }

  #play = reportErrors(async () => {
    await this.history.working; // perhaps a title that was just typed
    await beginSession({ text: this.answer.text, game: this.game });
  });

  async #analyse() {
    await this.history.working;
    navigate(`${fromGame("/analyse")}#${await encodeFragment({ text: this.answer.text, game: this.game })}`);
  }

  // -- a trial of the draft

  #try = reportErrors(async () => {
    await this.history.working;
    const begun = this.answer;
    const trial = new Trial(begun, () => this.#endTrial());
    await trial.begin();
    if (!trial.hasBegun || this.left || this.answer.problems.length) return;
    this.#endTrial();
    this.endReplay();
    this.trial = trial;
    if (this.answer !== begun) trial.update(this.answer);
    this.stage.replaceWith(trial.stage);
    this.tried.replaceChildren(trial.element);
    this.tried.hidden = false;
    this.#exchangeButtons(this.#drawing, trial.buttons);
    trial.stage.focus({ preventScroll: true });
  });

  /** The buttons of the drawing in whose place those of a trial stand. */
  get #drawing() {
    return [this.tryButton, this.undoButton, this.redoButton];
  }

  #exchangeButtons(shown, next) {
    for (const [place, one] of shown.entries()) one.replaceWith(next[place]);
  }

  /** Go back to the draft, which is as it was. */
  #endTrial() {
    if (!this.trial) return;
    const { activeElement } = document;
    const isFocused = activeElement === document.body || [this.trial.stage, this.tried, ...this.trial.buttons].some((part) => part.contains(activeElement));
    this.trial.leave();
    this.trial.stage.replaceWith(this.stage);
    this.#exchangeButtons(this.trial.buttons, this.#drawing);
    this.trial = null;
    this.tried.hidden = true;
    this.tried.replaceChildren();
    if (isFocused) this.stage.focus({ preventScroll: true });
  }

  async share() {
    await this.history.working;
    const { draft, text, problems: found } = this.answer;
    const link = (words, value, page) => button(words, async () => copy(await createLink(value, page), words));
    dialog("Share", h("div", { className: "row" },
      link("Link to draw on", { game: this.game, draft }, "/edit"),
      !found.length && link("Link to play it", { text, game: this.game }),
      !found.length && link("Link to ask formulas", { text, game: this.game }, "/formulas")),
    h("p", { className: "small muted" }, "The links contain everything: nothing is stored on the server."));
  }

  // -- replay of the found solution

  watch = reportErrors(async (trace) => {
    this.#endTrial();
    this.replay = await showTrace(this.board, trace, { title: "A way to the win", back: "Back to drawing", ended: () => this.#show(this.answer) });
    this.problemMarks.replaceChildren();
    this.player.replaceChildren(this.replay.element);
    this.player.hidden = false;
  });

  endReplay() {
    this.replay?.stop();
    this.replay = null;
    this.player.hidden = true;
  }

  // -- mouse, touch, keys

  #listen() {
    this.unlisten = listenToKeys((name, event) => this.#onKey(name, event));
    this.stage.addEventListener("contextmenu", (event) => event.preventDefault());
    this.stage.addEventListener("pointerdown", (event) => this.#startStroke(event));
    this.stage.addEventListener("pointermove", (event) => this.stroke && event.pointerId === this.stroke.pointer && this.#draw(event));
    for (const name of ["pointerup", "pointercancel"]) this.stage.addEventListener(name, (event) => event.pointerId === this.stroke?.pointer && this.#endStroke());
  }

  #startStroke(event) {
    if (this.stroke || this.replay || event.button === 1) return;
    const cell = this.board.cellAt(event.clientX, event.clientY);
    if (!this.board.contains(...cell)) return;
    const tool = event.button === 2 ? this.answer.tools[0].name : this.tool;
    this.stroke = { pointer: event.pointerId, number: this.history.begin(), tool, last: cell, done: new Set() };
    this.stage.setPointerCapture(event.pointerId);
    this.#draw(event);
  }

  #draw(event) {
    const { stroke } = this;
    const to = this.board.cellAt(event.clientX, event.clientY);
    const steps = Math.max(1, Math.abs(to[0] - stroke.last[0]), Math.abs(to[1] - stroke.last[1]));
    for (let step = 1; step <= steps; step += 1) {
      const cell = [0, 1].map((axis) => Math.round(stroke.last[axis] + ((to[axis] - stroke.last[axis]) * step) / steps));
      const part = this.part === "pointed" ? this.#side(event, cell) : this.part;
      const key = `${cell} ${part}`;
      if (stroke.done.has(key) || !this.board.contains(...cell)) continue;
      stroke.done.add(key);
      this.cursor = cell;
      this.#showCursor();
      this.#put(cell, stroke.tool, part, stroke.number);
    }
    stroke.last = to;
  }

  async #endStroke() {
    await this.history.working;
    this.stroke = null;
    this.#finishStroke(this.answer);
    this.#announceCell();
  }

  /** The side of a cell under the pointer: the quarter between its diagonals. */
  #side(event, [x, y]) {
    const place = this.board.placeAt(event.clientX, event.clientY);
    const [across, along] = [place[0] - x - 0.5, place[1] - y - 0.5];
    return Math.abs(across) > Math.abs(along) ? SIDES[across > 0 ? 1 : 3] : SIDES[along > 0 ? 2 : 0];
  }

  #onKey(name, event) {
    if (this.trial) return this.trial.onKey(name, event);
    if (this.replay) return this.replay.onKey(name);
    const { tools } = this.answer;
    if (name === "ctrl+y" || (name === "ctrl+z" && event.shiftKey)) this.history.redo();
    else if (name === "ctrl+z") this.history.undo();
    else if (event.ctrlKey || event.metaKey || event.altKey) return false;
    else if (name === "t" && !this.tryButton.disabled) this.#try();
    else if (DIRECTIONS[name]) {
      const [x, y] = this.cursor.map((value, axis) => value + DIRECTIONS[name][axis]);
      if (this.board.contains(x, y)) this.goTo([x, y]);
    } else if (name === "space" || name === "enter") this.#put(this.cursor, this.tool, this.part === "pointed" ? "" : this.part).then(() => this.#announceCell());
    else if (name === "delete" || name === "backspace") this.#put(this.cursor, tools[0].name, "").then(() => this.#announceCell());
    else if (/^[1-9]$/.test(name) && tools[name - 1]) this.choose(tools[name - 1].name);
    else if (name === "[" || name === "]") this.choose(tools[(tools.findIndex((tool) => tool.name === this.tool) + (name === "]" ? 1 : tools.length - 1)) % tools.length].name);
    else return false;
    return true;
  }
}
