// A game as it stands in this page, which goes on by a table of the server's: it answers as the server would.

import { Line } from "./line.js";

const MOST_STEPS = 40; // that are shown one by one when they are taken back
export const EDGE = "The rules are on the server: beyond this position it must be reached.";
export const LUCK = "Chance has a part in it, and the server draws it: for that it must be reached.";
export const OTHERS = "Others play here with the server's help: for that it must be reached.";
export const OVER = "The level is won: it counts when the server is back.";
export const ELSE = "That needs the server, which cannot be reached.";

export class Game {
  /** As a state of the server says; without a line and a table it only follows. */
  constructor(state) {
    this.state = state;
    this.now = state.now;
    this.board = copied(state.board);
    this.line = null;
    this.table = null;
    this.deeds = []; // what was done here, which the server does not know yet
  }

  /** Whether it is known what can be done. */
  get goesOn() {
    return Boolean(this.table?.knows(this.line?.here)) && !this.others;
  }

  /** Whether others act here, by strategies that the server knows. */
  get others() {
    return Boolean(this.now.race) || Object.keys(this.now.partners ?? {}).length > 0;
  }

  get won() {
    return Boolean(this.table?.won.has(this.line?.here));
  }

  /** Whether the level is won for good: what follows is another level, or nothing. */
  get over() {
    const { levels, now } = this.state;
    const another = (levels ?? []).some(({ done }, place) => !done && place + 1 !== (this.line?.level ?? now.level));
    return this.won && (another || !this.table.data.undo_after_win);
  }

  /** Whether only chance could follow. */
  get needsLuck() {
    const edges = this.goesOn ? this.table.edges(this.line.here) : [];
    return edges.length > 0 && edges.every(({ target }) => target < 0);
  }

  /** The level is won, and the next one takes its place: as the server said that it would stand then. */
  enter({ now, board, line, requests }) {
    const { levels } = this.state;
    levels[this.line.level - 1].done = true;
    this.now = { ...this.now, ...now, completed: levels.filter(({ done }) => done).length };
    this.board = copied(board);
    this.line = new Line(line);
    Object.assign(this.state, now.about, { requests });
    this.table = null;
  }

  /** What the server has told: all that has changed. */
  follow({ changes = [], now }) {
    if (now) this.now = { ...this.now, ...now };
    for (const change of changes) this.#followed(change);
    const { line } = this;
    if (changes.length && line && (line.done !== this.now.done || line.undone !== this.now.undone)) this.line = null;
  }

  #followed({ change, level, current, steps, board }) {
    const { line } = this;
    if (board) this.board = copied(board);
    else for (const step of steps) this.#show(step);
    if (!line) return;
    if (level !== line.level || current !== level) this.line = null;
    else if (change === "act") for (const { action, label } of steps) line.act(action, label ?? "", this.table?.follow(line.here, action) ?? -1);
    else if (["undo", "redo", "restart"].includes(change)) line.done = this.now.done;
    else this.line = null;
  }

  /** Go to another line of the same level by the table alone; whether that leads there. */
  go(line) {
    let common = 0;
    while (common < Math.min(line.steps.length, this.line.done) && line.steps[common][0] === this.line.steps[common][0]) common += 1;
    while (this.line.done > common) if (!this.#back()) return false;
    for (const [text, label] of line.steps.slice(common)) if (!this.#forth(text, label)) return false;
    while (this.line.done > line.done) if (!this.#back()) return false;
    this.line.steps.length = line.steps.length;
    this.#stands();
    return true;
  }

  // -- what the server would answer

  /** To an action, or to undo, redo and restart. */
  do(text) {
    const { line, table } = this;
    const edge = table.edge(line.here, text);
    if (edge) return edge.target < 0 ? refused(LUCK) : this.#did("act", text, [this.#forth(text, "")]);
    if (!["undo", "redo", "restart"].includes(text)) return refused(!this.goesOn ? EDGE : this.won ? OVER : ELSE);
    if (this.over) return refused(OVER);
    return this.#turned(text);
  }

  /** To undo, redo or restart. */
  #turned(kind) {
    const { line } = this;
    const count = { undo: Math.min(1, line.done), redo: Math.min(1, line.undone), restart: line.done }[kind];
    if (!count && kind !== "restart") return refused(`There is nothing to ${kind}.`);
    const passed = line.trail.slice(line.done - (kind === "redo" ? 0 : count), line.done + 1);
    if (passed.slice(0, kind === "redo" ? 1 : -1).some((number) => !this.table.knows(number))) return refused(EDGE);
    const steps = [];
    for (let done = 0; done < count; done += 1) {
      const step = kind === "redo" ? this.#forth(...line.steps[line.done], true) : this.#back();
      if (!step) return refused(LUCK);
      steps.push(step);
    }
    return this.#did(kind, "", kind === "restart" || count > MOST_STEPS ? [] : steps);
  }

  #did(change, text, steps) {
    const before = this.now.status;
    this.deeds.push([change, text]);
    this.#stands();
    const { level } = this.line;
    const { status } = this.now;
    const won = ["act", "redo"].includes(change) && status === "WON" && before !== "WON";
    const { words } = this.table.data;
    const told = won ? [{ kind: "won", text: words.won }] : status === "LOST" ? [{ kind: "lost", text: words.lost }] : [];
    const shown = { change, level, current: level, won, steps, ...(steps.length ? {} : { board: copied(this.board) }) };
    return { type: "answer", told, now: this.now, changes: [shown] };
  }

  /** To pointing at a cell, or dragging something from there. */
  point({ x, y, to }) {
    const texts = this.#way({ x, y, to });
    if (!texts.length) return refused(this.goesOn ? "Nothing can be done there" : EDGE);
    const answers = texts.map((text) => this.do(text));
    const all = (name) => answers.flatMap((answer) => answer[name] ?? []);
    return { ...answers.at(-1), told: all("told"), changes: all("changes") };
  }

  #way({ x, y, to, text }) {
    return text === undefined ? this.table.way(this.line.here, [x, y], to, (this.state.actors ?? []).length < 2) : [text];
  }

  /** To the question what something would do. */
  preview(message) {
    const steps = [];
    let { here } = this.line;
    for (const text of this.#way(message)) {
      const edge = this.table.edge(here, text);
      if (!edge || edge.target < 0) break;
      steps.push(stepOf(edge.action, edge.step, false));
      here = edge.target;
    }
    return { type: "answer", told: [{ kind: "preview", text: "", steps }] };
  }

  // -- one step on the board and on the line: as it is shown; null where it is not known what it does

  #forth(text, label, again = false) {
    const { line } = this;
    const edge = this.table.edge(line.here, text);
    if (!edge || edge.target < 0) return null;
    if (again) line.done += 1;
    else line.act(text, label, edge.target);
    return this.#shown(edge, false);
  }

  #back() {
    const { line } = this;
    const edge = this.table.edge(line.trail[line.done - 1], line.steps[line.done - 1][0]);
    if (!edge || edge.target < 0) return null;
    line.done -= 1;
    return this.#shown(edge, true);
  }

  #shown({ action, step }, back) {
    const data = stepOf(action, step, back);
    this.#show(data);
    this.#count(step, back ? -1 : 1);
    return data;
  }

  #show({ cells, beside }) {
    for (const [x, y, pile] of cells) this.board.cells[y][x] = pile;
    if (beside) this.board.beside = beside;
  }

  /** Counts go on by what a step adds to them; those of which that is not known are left out. */
  #count({ added, reward }, way) {
    const words = this.table.data.counts;
    const more = (word) => (words.includes(word) ? added[words.indexOf(word)] : { score: reward, "high score": 0 }[word]);
    const known = this.now.counts.filter(([word]) => more(word) !== undefined);
    this.now = { ...this.now, counts: known.map(([word, value]) => [word, String(Number(value) + way * more(word))]) };
  }

  #stands() {
    const { table, line } = this;
    const status = this.won ? "WON" : table.lost.has(line.here) ? "LOST" : "PLAYING";
    const actions = table.edges(line.here).map(({ action }) => action);
    this.now = { ...this.now, status, actions, done: line.done, undone: line.undone, question: { ...this.now.question, commands: [] } };
  }
}

/** The line after some deeds on its level. */
export function after(base, deeds) {
  const line = new Line(base);
  for (const [kind, text] of deeds) {
    if (kind === "act") line.act(text, "", -1);
    else line.done = { undo: line.done - 1, redo: line.done + 1, restart: 0 }[kind];
  }
  return line.data;
}

const refused = (text) => ({ type: "answer", told: [{ kind: "refusal", text }] });

function stepOf({ text, words }, { moves, cells, beside, reward }, back) {
  return {
    action: text,
    words,
    reward,
    label: "",
    moves: moves.map(([piece, x, y, toX, toY]) => (back ? [piece, toX, toY, x, y] : [piece, x, y, toX, toY])),
    cells: cells.map(([x, y, then, before]) => [x, y, back ? before : then]),
    ...(beside ? { beside: beside[back ? 1 : 0] } : {}),
  };
}

const copied = (board) => ({ ...board, cells: board.cells.map((row) => [...row]) });
