// A table of positions that the server has computed: their actions, where they lead, and how that looks.

const CHANCE = -1; // where the server alone knows what follows
const MAX_SEARCHED = 20000; // positions that are looked at to find a way

export class TransitionTable {
  /** A table; `number(piece)` is what the page calls a piece. */
  constructor(data, number) {
    const own = data.pieces.map(number);
    const pile = (pieces) => pieces.map((piece) => own[piece]);
    this.data = data;
    this.known = data.degrees.length; // positions of which it is known what can be done
    this.complete = data.complete;
    this.won = new Set(data.won);
    this.lost = new Set(data.lost);
    this.actions = data.actions.map((action) => ({ ...action, marks: (action.marks ?? []).map(([piece, x, y]) => [own[piece], x, y]) }));
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

  /** Whether it is known what can be done in a position. */
  knows(number) {
    return number >= 0 && number < this.known;
  }

  /** All that can be done in a position: {action, target, step}; a target below 0 is for the server to say. */
  edges(number) {
    if (!this.knows(number)) return [];
    const { views, by } = this.data;
    const found = [];
    for (let edge = this.first[number]; edge < this.first[number + 1]; edge += 1) {
      found.push({ action: this.actions[views[edge]], target: this.targets[edge], step: this.steps[by[edge]] });
    }
    return found;
  }

  /** What an action by its text does in a position; undefined where it cannot be done, or that is not known. */
  edge(number, text) {
    return this.edges(number).find(({ action }) => action.text === text);
  }

  /** Where an action leads; -1 where that is not known. */
  follow(number, text) {
    return this.edge(number, text)?.target ?? CHANCE;
  }

  /**
   * The actions that pointing at a cell means, or dragging something from there `to` another: the one that is marked
   * there, the shortest walk of what moves alone, what moves the thing that lies there; [] where it means nothing.
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

  /** The action that uses what lies beside the board, if it is the only one. */
  actionOfReserve(number) {
    const found = this.edges(number).filter(({ step }) => step?.beside);
    return found.length === 1 ? [found[0].action.text] : [];
  }

  /** The fewest actions that bring a thing from a cell to another while no third one moves; from null, what moves alone. */
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
        if (step.moves.length !== 1 && !(state.cell && own)) continue; // something else would move
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
