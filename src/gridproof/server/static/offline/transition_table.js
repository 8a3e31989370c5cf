// Transition table from the server: positions, their actions and targets, and the drawn steps.

const CHANCE = -1; // a random action: only the server can draw its outcome
const MAX_SEARCHED = 20000; // positions that a search for a walk expands

export class TransitionTable {
  /** Build a table from its data; `number(piece)` returns the page's number of a piece. */
  constructor(data, number) {
    const own = data.pieces.map(number);
    const pile = (pieces) => pieces.map((piece) => own[piece]);
    this.data = data;
    this.known = data.degrees.length; // positions whose actions are in the table
    this.complete = data.complete;
    this.won = new Set(data.won);
    this.lost = new Set(data.lost);
    this.actions = data.actions.map((action) => ({ ...action, marks: (action.marks ?? []).map(([piece, x, y]) => [own[piece], x, y]) }));
    this.inVain = new Map(Object.entries(data.in_vain ?? {}).map(([piece, texts]) => [own[piece], texts]));
    this.steps = data.steps.map(([moves, cells, beside, added, reward]) => ({
      moves: moves.map(([piece, ...places]) => [own[piece], ...places]),
      cells: cells.map(([x, y, after, before]) => [x, y, pile(after), pile(before)]),
      beside: beside?.map(pile),
      added,
      reward,
    }));
    this.#index(data);
  }

  #index({ degrees, targets, line }) {
    this.first = new Int32Array(degrees.length + 1);
    degrees.forEach((degree, number) => {
      this.first[number + 1] = this.first[number] + degree;
    });
    let newest = Math.max(...line);
    this.targets = Int32Array.from(targets, (short) => {
      const target = short === CHANCE ? CHANCE : newest + 1 - short;
      newest = Math.max(newest, target);
      return target;
    });
  }

  /** Whether the actions of a position are in the table. */
  knows(number) {
    return number >= 0 && number < this.known;
  }

  /** The actions of a position: {action, target, step}; a target below 0 needs the server. */
  edges(number) {
    if (!this.knows(number)) return [];
    const { views, by } = this.data;
    const found = [];
    for (let edge = this.first[number]; edge < this.first[number + 1]; edge += 1) {
      found.push({ action: this.actions[views[edge]], target: this.targets[edge], step: this.steps[by[edge]] });
    }
    return found;
  }

  /** The edge of an action, by its text, in a position; undefined if it is impossible or not in the table. */
  edge(number, text) {
    return this.edges(number).find(({ action }) => action.text === text);
  }

  /** The target of an action; -1 if it is not in the table. */
  follow(number, text) {
    return this.edge(number, text)?.target ?? CHANCE;
  }

  /**
   * The actions of a click on a cell, or of a drag from there `to` another: the marked action
   * there, the shortest walk of the piece that moves alone, or a move of the piece there; [] without effect.
   */
  actionsAt(number, [x, y], to, walks) {
    if (to) return this.#search(number, [x, y], to);
    const edges = this.edges(number);
    const marked = edges.filter(({ action }) => action.marks.some((mark) => mark[1] === x && mark[2] === y));
    if (marked.length === 1) return [marked[0].action.text];
    const walk = walks ? this.#search(number, null, [x, y]) : [];
    if (walk.length) return walk;
    const moving = edges.filter(({ step }) => step?.moves.some((move) => move[1] === x && move[2] === y));
    return moving.length === 1 ? [moving[0].action.text] : [];
  }

  /** Why a click on a cell with these pieces, or a drag from it, means no action. */
  wordsInVain(pile, isDrag) {
    return this.inVain.get(pile?.at(-1))?.[isDrag ? 1 : 0] ?? "Nothing can be done there";
  }

  /** The action that uses a piece beside the board, if there is exactly one. */
  actionOfReserve(number) {
    const found = this.edges(number).filter(({ step }) => step?.beside);
    return found.length === 1 ? [found[0].action.text] : [];
  }

  /** The fewest actions that bring a piece from a cell to another while no other piece moves; from null, the piece that moves alone. */
  #search(number, from, [toX, toY]) {
    const key = (state) => `${state.number} ${state.cell}`;
    const seen = new Set();
    const queue = [{ number, cell: from, texts: [] }];
    for (let at = 0; at < queue.length && at < MAX_SEARCHED; at += 1) {
      const state = queue[at];
      for (const { action, target, step } of this.edges(state.number)) {
        if (target < 0) continue;
        const own = state.cell ? step.moves.find((move) => move[1] === state.cell[0] && move[2] === state.cell[1]) : step.moves[0];
        if (!own && !state.cell) continue;
        if (step.moves.length !== 1 && !(state.cell && own)) continue; // another piece would move
        const cell = own ? [own[3], own[4]] : state.cell;
        const texts = [...state.texts, action.text];
        if (own && cell[0] === toX && cell[1] === toY) return texts;
        const next = { number: target, cell: state.cell && cell, texts };
        if (!seen.has(key(next))) queue.push(next);
        seen.add(key(next));
      }
    }
    return [];
  }
}
