// The offline game of this page. It answers as the server would, by a transition table from the server.

import { formatNumber } from "../dom.js";

const MAX_STEPS = 40; // undone steps that are shown one by one
const EDGE = "Reconnect to continue from here.";
const RANDOM = "This move is random: reconnect to play it.";
const OTHERS = "Others play, too: reconnect to continue.";
const OVER = "The level is won: reconnect to continue.";
export const ONLINE_ONLY = "Reconnect to use this.";

export class LocalGame {
  /** Start from a state of the server; without a line and a table, the game only follows the server. */
  constructor(state) {
    this.state = state;
    this.now = state.now;
    this.board = copyBoard(state.board);
    this.line = null;
    this.table = null;
    this.moves = []; // offline moves that the server does not have yet
  }

  /** Whether the table knows the actions of the current position. */
  get canPlay() {
    return Boolean(this.table?.knows(this.line?.here)) && !this.hasCoPlayers;
  }

  /** Whether strategies on the server play other actors. */
  get hasCoPlayers() {
    return Boolean(this.now.race) || Object.keys(this.now.partners ?? {}).length > 0;
  }

  get won() {
    return Boolean(this.table?.won.has(this.line?.here));
  }

  /** Whether the level is finished by a win: another level follows, or nothing. */
  get isOver() {
    const { levels, now } = this.state;
    const another = (levels ?? []).some(({ done }, place) => !done && place + 1 !== (this.line?.level ?? now.level));
    return this.won && (another || !this.table.data.undo_after_win);
  }

  /** Why nothing can be done here without the server; "" if something can. */
  get obstacle() {
    const edges = this.table.edges(this.line.here);
    if (this.hasCoPlayers) return OTHERS;
    if (this.isOver) return OVER;
    if (!this.canPlay) return EDGE;
    return edges.length > 0 && edges.every(({ target }) => target < 0) ? RANDOM : "";
  }

  /** Apply a message of the server with all changes. */
  follow({ changes = [], now, helped }) {
    if (now) this.now = { ...this.now, ...now };
    if (helped) this.now = { ...this.now, helped };
    for (const change of changes) this.#applyChange(change);
    const { line } = this;
    if (changes.length && line && (line.done !== this.now.done || line.undone !== this.now.undone)) this.line = null;
  }

  #applyChange({ change, level, current, steps, board }) {
    const { line } = this;
    if (board) this.board = copyBoard(board);
    else for (const step of steps) this.#setCells(step);
    if (!line) return;
    if (level !== line.level || current !== level) this.line = null;
    else if (change === "act") for (const { action, label } of steps) line.act(action, label ?? "", this.table?.follow(line.here, action) ?? -1);
    else if (["undo", "redo", "restart"].includes(change)) line.done = this.now.done;
    else this.line = null;
  }

  /** Go to another line of the same level by the table; return whether the table leads there. */
  goTo(line) {
    const common = countCommon(line.steps, this.line.steps.slice(0, this.line.done), (one, two) => one[0] === two[0]);
    while (this.line.done > common) if (!this.#back()) return false;
    for (const [text, label] of line.steps.slice(common)) if (!this.#forth(text, label)) return false;
    while (this.line.done > line.done) if (!this.#back()) return false;
    this.line.steps.length = line.steps.length;
    this.#update();
    return true;
  }

  // -- answers in place of the server

  /** Answer an action, or undo, redo and restart. */
  do(text) {
    const { line, table } = this;
    const edge = table.edge(line.here, text);
    if (edge) return edge.target < 0 ? refuse(RANDOM) : this.#answer("act", text, [this.#forth(text, "")]);
    const place = /^goto (\d+)$/.exec(text);
    if (place) return this.#goTo(Number(place[1]));
    if (text === "restart" && this.state.random && this.now.helped) return refuse("Reconnect to begin again without hints.");
    if (["undo", "redo", "restart"].includes(text)) return this.isOver ? refuse(OVER) : this.#doCommand(text);
    if (!this.canPlay) return refuse(EDGE);
    if (this.won) return refuse(OVER);
    return text in (this.state.meanings ?? {}) ? refuse("That cannot be done here.", text) : refuse(ONLINE_ONLY);
  }

  /** Answer the command that goes to the position after a number of actions. */
  #goTo(number) {
    const { line } = this;
    if (number > line.done + line.undone) return refuse(ONLINE_ONLY);
    const kind = number < line.done ? "undo" : "redo";
    return this.#join(Array.from({ length: Math.abs(number - line.done) }, () => this.do(kind)));
  }

  /** Join answers to a single one. */
  #join(answers) {
    const all = (name) => answers.flatMap((answer) => answer[name] ?? []);
    return { type: "answer", now: this.now, ...answers.at(-1), told: all("told"), changes: all("changes") };
  }

  /** Answer undo, redo or restart. */
  #doCommand(kind) {
    const { line } = this;
    const count = { undo: Math.min(1, line.done), redo: Math.min(1, line.undone), restart: line.done }[kind];
    if (!count && kind !== "restart") return refuse(`There is nothing to ${kind}.`);
    const passed = line.trail.slice(line.done - (kind === "redo" ? 0 : count), line.done + 1);
    if (passed.slice(0, kind === "redo" ? 1 : -1).some((number) => !this.table.knows(number))) return refuse(EDGE);
    const from = kind === "redo" ? line.done : line.done - count;
    const isKnown = ([text], place) => this.table.edge(line.trail[from + place], text)?.target >= 0;
    if (!line.steps.slice(from, from + count).every(isKnown)) return refuse(RANDOM); // before any of them is taken back
    const steps = Array.from({ length: count }, () => (kind === "redo" ? this.#forth(...line.steps[line.done], true) : this.#back()));
    return this.#answer(kind, "", kind === "restart" || count > MAX_STEPS ? [] : steps);
  }

  #answer(change, text, steps) {
    const before = this.now.status;
    this.moves.push([change, text]);
    this.#update();
    const { level } = this.line;
    const won = ["act", "redo"].includes(change) && this.won && before !== "WON";
    const told = [won ? this.#win : this.now.end].filter((end) => end && (won || end.kind === "lost"));
    const shown = { change, level, current: level, won, passed: won ? [level] : [], steps, ...(steps.length ? {} : { board: copyBoard(this.board) }) };
    return { type: "answer", told, now: this.now, changes: [shown] };
  }

  /** Answer a click on a cell, or a drag from it. */
  point({ x, y, to }) {
    const texts = this.#actionsAt({ x, y, to });
    if (!texts.length) return refuse(this.canPlay ? this.table.wordsInVain(this.board.cells[y]?.[x], to) : EDGE);
    return this.#join(texts.map((text) => this.do(text)));
  }

  #actionsAt({ x, y, to, text }) {
    if (text !== undefined) return [text];
    const { height, beside } = this.board;
    if (!to && y === height && x >= 0 && x < beside.length) return this.table.actionOfReserve(this.line.here);
    return this.table.actionsAt(this.line.here, [x, y], to, (this.state.actors ?? []).length < 2);
  }

  /** Answer a request for a preview. */
  preview(message) {
    const steps = [];
    let { here } = this.line;
    for (const text of this.#actionsAt(message)) {
      const edge = this.table.edge(here, text);
      if (!edge || edge.target < 0) break;
      steps.push(stepOf(edge.action, edge.step, false));
      here = edge.target;
    }
    return { type: "answer", told: [{ kind: "preview", text: steps[0]?.words ?? "", seen: steps[0]?.seen, steps }] };
  }

  // -- one step on the board and on the line, as it is shown; null if the table does not know its effect

  #forth(text, label, again = false) {
    const { line } = this;
    const edge = this.table.edge(line.here, text);
    if (!edge || edge.target < 0) return null;
    if (again) line.done += 1;
    else line.act(text, label, edge.target);
    return this.#applyStep(edge, false);
  }

  #back() {
    const { line } = this;
    const edge = this.table.edge(line.trail[line.done - 1], line.steps[line.done - 1][0]);
    if (!edge || edge.target < 0) return null;
    line.done -= 1;
    return this.#applyStep(edge, true);
  }

  #applyStep({ action, step }, back) {
    const data = stepOf(action, step, back);
    this.#setCells(data);
    this.#count(step, back ? -1 : 1);
    return data;
  }

  #setCells({ cells, beside }) {
    for (const [x, y, pile] of cells) this.board.cells[y][x] = pile;
    if (beside) this.board.beside = beside;
  }

  /** Update the counts by the differences of a step; counts with unknown differences are omitted. */
  #count({ added, reward }, way) {
    const words = this.table.data.counts;
    const more = (word) => (words.includes(word) ? added[words.indexOf(word)] : { score: reward, "high score": 0 }[word]);
    const known = this.now.counts.filter(([word]) => more(word) !== undefined);
    const write = { score: formatNumber, "high score": formatNumber };
    const total = (word, value) => Number(value.replaceAll(",", "")) + way * more(word);
    this.now = { ...this.now, counts: known.map(([word, value]) => [word, (write[word] ?? String)(total(word, value))]), seen_counts: undefined };
  }

  get #win() {
    const { words, wins } = this.table.data;
    return { kind: "won", text: wins?.[this.line.here] ?? words.won };
  }

  #update() {
    const { table, line } = this;
    const status = this.won ? "WON" : table.lost.has(line.here) ? "LOST" : "PLAYING";
    const actions = table.edges(line.here).map(({ action }) => action);
    const end = this.won && !actions.length ? this.#win : status === "LOST" ? { kind: "lost", text: table.data.words.lost } : null;
    const directionsOf = (actor) => {
      const own = actions.filter((action) => action.way && [undefined, actor].includes(action.actor)).reverse(); // the first one counts
      return Object.fromEntries(own.map(({ way, text }) => [way, text]));
    };
    const directions = directionsOf(this.state.actor ?? this.state.actors?.[0]);
    const each = Object.fromEntries(Object.keys(this.now.each ?? {}).map((actor) => [actor, { directions: directionsOf(actor) }]));
    this.now = { ...this.now, directions, each, place: undefined, status, end, actions, done: line.done, undone: line.undone, question: { ...this.now.question, commands: [] } };
  }
}

/** The line of a level, as the server sends it: {level, steps: [[text, label], ...], done}; and its positions in a table. */
export class MoveLine {
  constructor({ level, steps, done }) {
    this.level = level;
    this.steps = [...steps];
    this.done = done;
    this.trail = []; // numbers of positions, from the start on; -1 for positions that are not in the table
  }

  get data() {
    return { level: this.level, steps: [...this.steps], done: this.done };
  }

  get undone() {
    return this.steps.length - this.done;
  }

  /** The number of the current position. */
  get here() {
    return this.trail[this.done] ?? -1;
  }

  act(text, label, number) {
    this.steps.length = this.done;
    this.trail.length = this.done + 1;
    this.steps.push([text, label]);
    this.trail.push(number);
    this.done += 1;
  }

  /** Find the positions in a table that was built for another line; `first` positions precede it. */
  place(table, { line: other, near, first }) {
    const common = countCommon(other.steps, this.steps, (one, two) => one[0] === two[0] && one[1] === two[1]);
    const known = (index) => (near ? table.data.line[index - first] : index ? undefined : 0) ?? -1;
    this.trail = [];
    for (let index = 0; index <= this.steps.length; index += 1) {
      const given = index <= common ? known(index) : -1;
      this.trail.push(given < 0 && index ? table.follow(this.trail[index - 1], this.steps[index - 1][0]) : given);
    }
  }
}

/** Count the first steps that two lines share. */
function countCommon(steps, others, same) {
  const different = steps.findIndex((step, place) => place >= others.length || !same(step, others[place]));
  return different < 0 ? steps.length : different;
}

/** The line after some moves on its level. */
export function lineAfter(base, deeds) {
  const line = new MoveLine(base);
  for (const [kind, text] of deeds) {
    if (kind === "act") line.act(text, "", -1);
    else line.done = { undo: line.done - 1, redo: line.done + 1, restart: 0 }[kind];
  }
  return line.data;
}

const refuse = (text, blocked) => ({ type: "answer", told: [{ kind: "refusal", text, blocked }] });

function stepOf({ text, words, seen }, { moves, cells, beside, reward }, back) {
  return {
    action: text,
    words,
    ...(seen && { seen }),
    reward,
    label: "",
    moves: moves.map(([piece, x, y, toX, toY]) => (back ? [piece, toX, toY, x, y] : [piece, x, y, toX, toY])),
    cells: cells.map(([x, y, then, before]) => [x, y, back ? before : then]),
    ...(beside ? { beside: beside[back ? 1 : 0] } : {}),
  };
}

const copyBoard = (board) => ({ ...board, cells: board.cells.map((row) => [...row]) });
