// A board of SVG: one element for each piece, which keeps its identity while it moves.

import { h, moves, s } from "./dom.js";

const CELL = 100;
const MARGIN = 14;
const BESIDE = 100;
const STEP = 140; // milliseconds of a step
const CHANGE = 220; // until what appears or vanishes has done so
const ALL = 900; // the most that the steps of one answer take together

let boards = 0;

const at = (x, y) => `${x},${y}`;
const place = (x, y) => `translate(${x * CELL}px, ${y * CELL}px)`;
const rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export class Board {
  constructor() {
    boards += 1;
    this.name = `board${boards}`;
    this.definitions = s("defs");
    this.ground = s("g");
    this.things = s("g");
    this.top = s("g");
    this.marks = s("g", { className: "marks" });
    this.foreseen = s("g", { className: "foreseen" });
    this.pointed = s("g", { className: "cursor" });
    this.cursor = null;
    this.blamed = s("g", { className: "blamed" });
    this.clip = s("rect", { x: 0, y: 0 });
    const inside = s("g", { "clip-path": `url(#${this.name}-clip)` }, this.things, this.top);
    this.element = s("svg", { className: "board", "aria-hidden": "true" },
      this.definitions, s("clipPath", { id: `${this.name}-clip` }, this.clip), this.ground, inside, this.marks, this.blamed, this.foreseen, this.pointed);
    this.description = h("p", { className: "unseen", id: `${this.name}-words` });
    this.queue = [];
    this.cells = new Map();
    this.pieces = new Map();
    this.playing = null;
  }

  /** Take pieces into the table: [[id, piece], ...]. */
  learn(pieces) {
    for (const [id, piece] of pieces) {
      this.pieces.set(id, piece);
      const group = s("g", { id: `${this.name}-${id}` });
      group.innerHTML = piece.svg;
      this.definitions.append(group);
    }
  }

  /** Forget all pieces: the table of a new state. */
  begin(pieces) {
    this.pieces.clear();
    this.definitions.replaceChildren();
    this.learn(pieces.map((piece, id) => [id, piece]));
  }

  /** Show a board as it is, at once. */
  show(board) {
    this.jump(board, []);
  }

  #draw(board) {
    if (board.width !== this.width || board.height !== this.height) this.point(null);
    this.width = board.width;
    this.height = board.height;
    this.ground.replaceChildren();
    this.things.replaceChildren();
    this.top.replaceChildren();
    this.hint([]);
    this.foresee([]);
    this.cells.clear();
    board.cells.forEach((row, y) => row.forEach((pile, x) => this.#become(x, y, pile, [], false)));
    this.#lieBeside(board.beside ?? []);
    this.frame(this.marked);
  }

  /** Mark cells that keep the position from being won. */
  blame(cells) {
    this.blamed.replaceChildren(...cells.map(([x, y]) => s("rect", { x: x * CELL + 4, y: y * CELL + 4, width: CELL - 8, height: CELL - 8, rx: 12 })));
  }

  /** Put the keyboard's cursor on a cell, or nowhere. */
  point(cell) {
    this.cursor = cell;
    this.pointed.replaceChildren(...(cell ? [s("rect", { x: cell[0] * CELL + 3, y: cell[1] * CELL + 3, width: CELL - 6, height: CELL - 6, rx: 14 })] : []));
  }

  /** Leave room for marks beside the board, or not. */
  frame(marked) {
    this.marked = marked;
    const side = marked ? BESIDE : MARGIN;
    const below = this.beside?.length ? BESIDE : side;
    this.clip.setAttribute("width", this.width * CELL);
    this.clip.setAttribute("height", this.height * CELL);
    this.box = { x: -side, y: -side, width: this.width * CELL + 2 * side, height: this.height * CELL + side + below };
    this.element.setAttribute("viewBox", `${this.box.x} ${this.box.y} ${this.box.width} ${this.box.height}`);
    this.element.style.aspectRatio = `${this.box.width} / ${this.box.height}`;
    this.element.style.setProperty("--ratio", this.box.width / this.box.height);
  }

  /** The cell under a place of the window; one outside for what lies beside the board. */
  cellAt(clientX, clientY) {
    const box = this.element.getBoundingClientRect();
    const scale = Math.min(box.width / this.box.width, box.height / this.box.height);
    const left = box.left + (box.width - scale * this.box.width) / 2;
    const up = box.top + (box.height - scale * this.box.height) / 2;
    const limit = (value, most) => Math.max(-1, Math.min(most, value));
    return [
      limit(Math.floor(((clientX - left) / scale + this.box.x) / CELL), this.width),
      limit(Math.floor(((clientY - up) / scale + this.box.y) / CELL), this.height),
    ];
  }

  /** Pixels of a cell on the page. */
  get scale() {
    const box = this.element.getBoundingClientRect();
    return Math.min(box.width / this.box.width, box.height / this.box.height) * CELL;
  }

  /** Show steps one after another, then perhaps a whole board; resolves when all is shown. */
  play(steps, board) {
    const each = Math.min(STEP, ALL / Math.max(1, steps.length));
    this.queue.push(...steps.map((step) => ({ step, each })));
    if (board) this.queue.push({ board });
    this.playing ??= this.#playAll().finally(() => {
      this.playing = null;
    });
    return this.playing;
  }

  async #playAll() {
    while (this.queue.length) {
      const { step, each, board } = this.queue.shift();
      if (board) await this.#draw(board); // at once; but what is asked for in the same breath is waited for
      else await this.#step(step, this.queue.length > 1 ? Math.min(each, 60) : each);
    }
    this.#describe();
  }

  async #step(step, milliseconds) {
    const show = moves() && !document.hidden;
    const moving = this.#setOut(step);
    if (show && moving.length) {
      this.top.getBoundingClientRect(); // so that what has just been made begins where it is
      for (const [[, , , x, y], element] of moving) {
        element.style.transition = `transform ${milliseconds}ms ${milliseconds > 60 ? "ease-out" : "linear"}`;
        element.style.transform = place(x, y);
      }
      await rest(milliseconds);
    }
    this.#arrive(step, moving, show);
  }

  /** Show a board and what it is after some steps, at once. */
  jump(board, steps) {
    this.queue = [];
    this.#draw(board);
    for (const step of steps) this.#arrive(step, this.#setOut(step), false);
    this.#describe();
  }

  #setOut(step) {
    this.hint([]);
    this.foresee([]);
    return step.moves.map((move) => [move, this.#taken(move)]);
  }

  #arrive(step, moving, show) {
    const arrived = new Map();
    for (const [[id, , , x, y], element] of moving) {
      element.style.transition = "";
      element.style.transform = place(x, y);
      if (!this.holds(x, y)) element.remove();
      else arrived.set(at(x, y), [...(arrived.get(at(x, y)) ?? []), { id, element }]);
    }
    for (const [x, y, pile] of step.cells) {
      this.#become(x, y, pile, arrived.get(at(x, y)) ?? [], show);
      arrived.delete(at(x, y));
    }
    for (const [key, things] of arrived) this.#stay(key, things);
    if (step.beside) this.#lieBeside(step.beside);
  }

  /** The element of a piece that sets out, taken from its cell; made where it comes in from outside. */
  #taken([id, x, y]) {
    const here = this.cells.get(at(x, y)) ?? [];
    const index = here.findLastIndex((thing) => thing.id === id);
    const element = index >= 0 ? here.splice(index, 1)[0].element : this.#made(id, x, y);
    this.top.append(element);
    return element;
  }

  #made(id, x, y) {
    const element = s("g", { className: "piece" }, s("use", { href: `#${this.name}-${id}` }));
    element.style.transform = place(x, y);
    return element;
  }

  #stay(key, things) {
    for (const { element } of things) this.things.append(element);
    this.cells.set(key, [...(this.cells.get(key) ?? []), ...things]);
  }

  /** Make a cell's pile true: what is there stays, what arrived becomes what is new, the rest comes and goes. */
  #become(x, y, pile, arrived, show) {
    const old = this.cells.get(at(x, y)) ?? [];
    const now = pile.map((id, depth) => {
      const thing = take(old, id) ?? take(arrived, id) ?? this.#changed(arrived, id, show) ?? this.#new(id, x, y, show && depth > 0);
      (depth === 0 ? this.ground : this.things).append(thing.element);
      return thing;
    });
    for (const { element } of arrived) element.remove();
    for (const { element } of old) this.#vanish(element, show);
    this.cells.set(at(x, y), now);
  }

  #changed(arrived, id, show) {
    const thing = arrived.shift();
    if (!thing) return undefined;
    thing.element.firstChild.setAttribute("href", `#${this.name}-${id}`);
    if (show && arrived.length) flash(thing.element, "pop");
    return { id, element: thing.element };
  }

  #new(id, x, y, show) {
    const element = this.#made(id, x, y);
    if (show) flash(element, "appear");
    return { id, element };
  }

  #vanish(element, show) {
    if (!show || element.parentNode === this.ground) {
      element.remove();
      return;
    }
    this.top.append(element);
    flash(element, "vanish");
    setTimeout(() => element.remove(), CHANGE);
  }

  #lieBeside(pile) {
    this.beside = pile;
    this.besides?.remove();
    this.besides = s("g", {}, pile.map((id, x) => this.#made(id, x, this.height)));
    this.element.append(this.besides);
  }

  /** Show marks of actions: [[id, x, y], ...]. */
  hint(marks, name = "") {
    this.marks.setAttribute("class", `marks ${name}`);
    this.marks.replaceChildren(...marks.map(([id, x, y]) => this.#marked(id, x, y)));
  }

  /** Show what steps would do: dots where something would go, frames round cells that would change without. */
  foresee(steps) {
    const reached = steps.flatMap(({ moves: own }) => own.map(([, , , x, y]) => at(x, y)));
    const left = new Set(steps.flatMap(({ moves: own }) => own.map(([, x, y]) => at(x, y))));
    const changed = steps.flatMap(({ cells }) => cells.map(([x, y]) => at(x, y))).filter((cell) => !left.has(cell));
    const dots = new Set(reached);
    const frames = new Set(changed.filter((cell) => !dots.has(cell)));
    const middle = (cell) => cell.split(",").map((value) => CELL * Number(value));
    this.foreseen.replaceChildren(
      ...[...dots].map(middle).map(([x, y]) => s("circle", { cx: x + 50, cy: y + 50, r: 11 })),
      ...[...frames].map(middle).map(([x, y]) => s("rect", { x: x + 8, y: y + 8, width: 84, height: 84, rx: 12 })),
    );
  }

  #marked(id, x, y) {
    const element = this.#made(id, x, y);
    if (!this.holds(x, y)) element.firstChild.classList.add("outside");
    return element;
  }

  /** Whether a cell is on the board. */
  holds(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** Pieces that a finger drags: each [id, x, y, toX, toY] is shown a part of its way; null lets go. */
  drag(pulled, part) {
    if (!pulled) {
      for (const element of this.dragged ?? []) {
        element.style.transform = element.dataset.rest;
        if (element.dataset.outside) element.remove();
      }
      this.dragged = null;
      return;
    }
    this.dragged ??= pulled.map(([id, x, y]) => this.#pulled(id, x, y));
    pulled.forEach(([, x, y, toX, toY], index) => {
      this.dragged[index].style.transform = place(x + part * (toX - x), y + part * (toY - y));
    });
  }

  #pulled(id, x, y) {
    const thing = (this.cells.get(at(x, y)) ?? []).findLast((one) => one.id === id);
    if (thing) {
      thing.element.dataset.rest = place(x, y);
      this.things.append(thing.element);
      return thing.element;
    }
    const element = this.#made(id, x, y);
    element.dataset.outside = "yes";
    this.top.append(element);
    return element;
  }

  /** What lies on top in a cell. */
  word(x, y) {
    return this.pieces.get(this.cells.get(at(x, y))?.at(-1)?.id)?.name ?? "nothing";
  }

  /** A cell, or a place beside the board, in words; rows and columns are counted as actions count them, from 0. */
  place(x, y) {
    if (y < 0 || y >= this.height) return `${y < 0 ? "above" : "below"} column ${x}`;
    if (x < 0 || x >= this.width) return `${x < 0 ? "left" : "right"} of row ${y}`;
    return `${this.word(x, y)}, row ${y}, column ${x}`;
  }

  /** Say in words what lies on top in each cell, row by row, for those who do not see the board. */
  #describe() {
    const rows = [];
    for (let y = 0; y < this.height; y += 1) {
      const runs = [];
      for (let x = 0; x < this.width; x += 1) {
        const name = this.word(x, y);
        if (runs.at(-1)?.name === name) runs.at(-1).length += 1;
        else runs.push({ name, length: 1 });
      }
      rows.push(`Row ${y}: ${runs.map(({ name, length }) => (length > 1 ? `${length} times ${name}` : name)).join(", ")}.`);
    }
    this.description.textContent = rows.join(" ");
  }
}

function take(things, id) {
  const index = things.findIndex((thing) => thing.id === id);
  return index < 0 ? undefined : things.splice(index, 1)[0];
}

function flash(element, name) {
  const inner = element.firstChild;
  inner.classList.remove("pop", "appear", "vanish");
  inner.classList.add(name);
}
