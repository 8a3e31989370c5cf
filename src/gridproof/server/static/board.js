// A board of SVG: one element for each piece, which keeps its identity while it moves.

import { BoardView } from "./board_view.js";
import { h, isMotionAllowed, pause, s } from "./dom.js";

const CELL = 100;
const MARGIN = 14;
const SMALL = 5; // cells of a small board in a row or a column
const [USUAL_CELL, LARGE_CELL] = ["min(88px, 10dvh)", "min(128px, 13dvh)"]; // at most, the larger ones on small boards
const RESERVE = 100;
const NARROW = "(max-width: 820px)"; // pages with larger numbers, as in the style sheet
const NUMBER_ROOM = 30;
const STEP = 140; // milliseconds of a step
const FADE = 220; // milliseconds in which pieces appear or vanish
const NUDGE = 7; // pixels
const ASIDE = 35; // from the middle of an arrow to the number beside it
/** With more marks of actions than that, none are shown. */
export const MAX_MARKS = 120;
const MAX_DURATION = 900; // milliseconds that the steps of one answer take at most

let boards = 0;

const at = (x, y) => `${x},${y}`;
const place = (x, y) => `translate(${x * CELL}px, ${y * CELL}px)`;

export class Board {
  constructor() {
    boards += 1;
    this.name = `board${boards}`;
    this.definitions = s("defs");
    this.ground = s("g");
    this.things = s("g");
    this.top = s("g");
    this.numbering = s("g", { className: "numbers" });
    this.coordinates = s("g", { className: "coordinates" });
    this.ownRing = s("g", { className: "own" }, s("circle", { cx: 50, cy: 50, r: 47 }));
    this.ownRing.style.display = "none";
    this.own = null; // the cell of the player's own piece
    this.marks = s("g", { className: "marks" });
    this.previewLayer = s("g", { className: "preview" });
    this.cursorLayer = s("g", { className: "cursor" });
    this.cursor = null;
    this.deadCells = s("g", { className: "dead-cells" });
    this.outlined = s("g", { className: "outlined" });
    this.clip = s("rect", { x: 0, y: 0 });
    const inside = s("g", { "clip-path": `url(#${this.name}-clip)` }, this.things, this.top);
    this.element = s("svg", { className: "board", "aria-hidden": "true" },
      this.definitions, s("clipPath", { id: `${this.name}-clip` }, this.clip), this.ground, this.ownRing, this.numbering, inside, this.coordinates, this.marks, this.deadCells, this.outlined, this.previewLayer, this.cursorLayer);
    this.view = new BoardView(this.element, CELL);
    this.description = h("p", { className: "visually-hidden", id: `${this.name}-words` });
    this.queue = [];
    this.cells = new Map();
    this.pieces = new Map();
    this.playing = null;
    this.drawings = 0; // number of complete redraws
  }

  /** Take pieces into the table: [[id, piece], ...]. */
  addPieces(pieces) {
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
    this.addPieces(pieces.map((piece, id) => [id, piece]));
  }

  #draw(board) {
    this.drawings += 1;
    if (board.width !== this.width || board.height !== this.height) this.setCursor(null);
    this.width = board.width;
    this.height = board.height;
    this.numbers = board.numbers ?? null;
    this.ground.replaceChildren();
    this.things.replaceChildren();
    this.top.replaceChildren();
    this.mark([]);
    this.preview([]);
    this.cells.clear();
    board.cells.forEach((row, y) => row.forEach((pile, x) => this.#setCell(x, y, pile, [], false)));
    this.#drawCoordinates();
    this.#showReserve(board.beside ?? []);
    this.setFrame(this.marked);
  }

  /** Mark cells that keep the position from being won. */
  markDead(cells) {
    this.deadCells.replaceChildren(...cells.map(([x, y]) => s("rect", { x: x * CELL + 4, y: y * CELL + 4, width: CELL - 8, height: CELL - 8, rx: 12 })));
    this.#makeRoom();
  }

  /** Outline cells that deserve a look. */
  outline(cells) {
    this.outlined.replaceChildren(...cells.map(([x, y]) => s("rect", { x: x * CELL + 4, y: y * CELL + 4, width: CELL - 8, height: CELL - 8, rx: 12 })));
    this.#makeRoom();
  }

  /** Make room for the numbers of rows and columns where they are shown only beside cells that are named: else they would cover pieces. */
  #makeRoom() {
    const isNamed = [this.outlined, this.deadCells].some(({ childElementCount }) => childElementCount);
    this.view.setMargin(isNamed && this.coordinates.childElementCount && matchMedia(NARROW).matches ? NUMBER_ROOM : 0);
  }

  /** Put the keyboard's cursor on a cell, or nowhere. */
  setCursor(cell) {
    this.cursor = cell;
    if (cell) this.view.look(...cell);
    this.cursorLayer.replaceChildren(...(cell ? [s("rect", { x: cell[0] * CELL + 3, y: cell[1] * CELL + 3, width: CELL - 6, height: CELL - 6, rx: 14 })] : []));
  }

  /** Put a ring under the player's own piece, or nowhere; it moves with the piece. */
  setOwn(cell) {
    this.own = cell;
    this.ownRing.style.transition = "";
    this.ownRing.style.display = cell ? "" : "none";
    if (cell) this.ownRing.style.transform = place(...cell);
  }

  /** Add or remove the margin for marks beside the board. */
  setFrame(marked) {
    this.marked = marked;
    const side = marked ? RESERVE : MARGIN;
    const below = this.beside?.length ? RESERVE : side;
    const { left, above } = (this.room = this.#drawNumbers());
    this.clip.setAttribute("width", this.width * CELL);
    this.clip.setAttribute("height", this.height * CELL);
    this.box = { x: -side - left, y: -side - above, width: this.width * CELL + 2 * side + left, height: this.height * CELL + side + below + above };
    this.view.begin(this.box);
    this.element.style.setProperty("--ratio", this.box.width / this.box.height);
    this.element.style.setProperty("--across", this.box.width / CELL);
    this.element.style.setProperty("--down", this.box.height / CELL);
    this.element.parentElement?.style.setProperty("--rows", this.box.height / CELL);
    this.element.parentElement?.style.setProperty("--cell", Math.max(this.width, this.height) <= SMALL ? LARGE_CELL : USUAL_CELL);
  }

  /** Write the numbers of rows and columns at the board's edge; return the room that they take. */
  #drawNumbers() {
    const { rows, columns } = this.numbers ?? { rows: [], columns: [] };
    const size = 18 + 2.4 * Math.max(this.width, this.height); // larger on boards that are drawn smaller
    const number = (className, value, x, y) => s("text", { className, x, y, "font-size": size }, String(value));
    this.numbering.replaceChildren(
      ...rows.map((value, y) => number("row", value, -size * 0.5, (y + 0.5) * CELL)),
      ...columns.map((value, x) => number("column", value, (x + 0.5) * CELL, -size * 0.7)),
    );
    const longest = Math.max(0, ...rows.map((value) => String(value).length));
    return { left: longest && size * (0.4 + 0.6 * longest), above: columns.length && size * 1.2 };
  }

  /** Write the numbers of rows and columns into the margin of a larger board that has none of its own. */
  #drawCoordinates() {
    const isShown = !this.numbers && Math.max(this.width, this.height) > SMALL;
    const numbers = (count) => Array.from({ length: isShown ? count : 0 }, (_, place) => place);
    this.coordinates.replaceChildren(
      ...numbers(this.height).map((y) => s("text", { className: "row", x: -MARGIN / 2, y: (y + 0.5) * CELL }, String(y + 1))),
      ...numbers(this.width).map((x) => s("text", { className: "column", x: (x + 0.5) * CELL, y: -MARGIN / 2 }, String(x + 1))),
    );
  }

  /** A place of the window in cells of the board: [2.5, 1.5] is the middle of the cell [2, 1]. */
  placeAt(clientX, clientY) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.element.getScreenCTM().inverse());
    return [x / CELL, y / CELL];
  }

  /** A place in cells of the board as a place of the window. */
  windowPlace(x, y) {
    const { x: clientX, y: clientY } = new DOMPoint(x * CELL, y * CELL).matrixTransform(this.element.getScreenCTM());
    return [clientX, clientY];
  }

  /** The cell under a place of the window; a cell outside the board for pieces beside it. */
  cellAt(clientX, clientY) {
    const [x, y] = this.placeAt(clientX, clientY).map(Math.floor);
    return [Math.max(-1, Math.min(this.width, x)), Math.max(-1, Math.min(this.height, y))];
  }

  /** Pixels of a cell on the page. */
  get scale() {
    return this.element.getScreenCTM().a * CELL;
  }

  /** Show steps one after another, then perhaps a whole board; resolves when all is shown. */
  play(steps, board) {
    const each = Math.min(STEP, MAX_DURATION / Math.max(1, steps.length));
    this.queue.push(...steps.map((step) => ({ step, each })));
    if (board) this.queue.push({ board });
    if (!this.playing) {
      const playing = this.#playAll(this.queue).finally(() => {
        if (this.playing === playing) this.playing = null;
      });
      this.playing = playing;
    }
    return this.playing;
  }

  async #playAll(queue) {
    while (queue.length) {
      const { step, each, board } = queue.shift();
      if (board) await this.#draw(board); // at once, but wait for requests of the same moment
      else await this.#step(step, queue.length > 1 ? Math.min(each, 60) : each);
    }
    if (queue === this.queue) this.#describe();
  }

  async #step(step, milliseconds) {
    const { drawings } = this;
    const show = isMotionAllowed() && !document.hidden;
    const moving = this.#startStep(step);
    const own = this.own && step.moves.find(([, x, y]) => at(x, y) === at(...this.own));
    if (own) this.own = own.slice(3);
    if (show && moving.length) {
      if (own) this.ownRing.style.transition = `transform ${milliseconds}ms ease-out`;
      if (own) this.ownRing.style.transform = place(...this.own);
      this.top.getBoundingClientRect(); // so that new elements start their motion where they are
      for (const [[, , , x, y], element] of moving) {
        element.style.transition = `transform ${milliseconds}ms ${milliseconds > 60 ? "ease-out" : "linear"}`;
        element.style.transform = place(x, y);
      }
      await pause(milliseconds);
      if (drawings !== this.drawings) return; // another board is shown by now
    }
    this.#finishStep(step, moving, show);
  }

  /** Show a board as it is after some steps, at once. */
  show(board, steps = []) {
    this.queue.length = 0; // the running animation ends,
    this.queue = [];
    this.playing = null; // and nothing waits for it any more
    this.#draw(board);
    for (const step of steps) this.#finishStep(step, this.#startStep(step), false);
    this.#describe();
  }

  #startStep(step) {
    this.mark([]);
    this.preview([]);
    const [, , , x, y] = step.moves.at(-1) ?? [];
    if (this.contains(x, y)) this.view.look(x, y);
    return step.moves.map((move) => [move, this.#takePiece(move)]);
  }

  #finishStep(step, moving, show) {
    const arrived = new Map();
    for (const [[id, , , x, y], element] of moving) {
      element.style.transition = "";
      element.style.transform = place(x, y);
      if (!this.contains(x, y)) element.remove();
      else arrived.set(at(x, y), [...(arrived.get(at(x, y)) ?? []), { id, element }]);
    }
    for (const [x, y, pile] of step.cells) {
      this.#setCell(x, y, pile, arrived.get(at(x, y)) ?? [], show);
      arrived.delete(at(x, y));
    }
    for (const [key, things] of arrived) {
      this.things.append(...things.map(({ element }) => element));
      this.cells.set(key, [...(this.cells.get(key) ?? []), ...things]);
    }
    if (step.beside) this.#showReserve(step.beside);
  }

  /** Take the element of a moving piece from its cell; create it for a piece that enters the board. */
  #takePiece([id, x, y]) {
    const here = this.cells.get(at(x, y)) ?? [];
    const index = here.findLastIndex((thing) => thing.id === id);
    const element = index >= 0 ? here.splice(index, 1)[0].element : this.#create(id, x, y);
    this.top.append(element);
    return element;
  }

  #create(id, x, y, appears = false) {
    const element = s("g", { className: "piece" }, s("use", { className: appears && "appear", href: `#${this.name}-${id}` }));
    element.style.transform = place(x, y);
    return element;
  }

  /** Update the elements of a cell to its new pile: reuse those of equal pieces and of arrivals, add and remove the others. */
  #setCell(x, y, pile, arrived, show) {
    const old = this.cells.get(at(x, y)) ?? [];
    const merged = arrived.length + old.filter(({ id }) => arrived.some((thing) => thing.id === id)).length > 1;
    const now = pile.map((id, depth) => {
      const thing = take(old, id) ?? take(arrived, id) ?? this.#transform(arrived, id, show && merged) ?? { id, element: this.#create(id, x, y, show && depth > 0) };
      const layer = depth === 0 ? this.ground : this.things;
      layer.insertBefore(thing.element, this.#following(layer, x, y));
      return thing;
    });
    for (const { element } of arrived) element.remove();
    for (const { element } of old) this.#remove(element, show && !merged);
    this.cells.set(at(x, y), now);
  }

  /** The first element of a layer that belongs to a cell after this one, row by row: a wall covers its seams with the walls before it. */
  #following(layer, x, y) {
    const count = this.width * this.height;
    if (this.cells.size < count) return null; // a new board is drawn in this order
    for (let number = y * this.width + x + 1; number < count; number += 1) {
      const found = this.cells.get(at(number % this.width, Math.floor(number / this.width)))?.find(({ element }) => element.parentNode === layer);
      if (found) return found.element;
    }
    return null;
  }

  /** Let an arrival become another piece; two equal ones that have met pop. */
  #transform(arrived, id, pops) {
    const thing = arrived.shift();
    if (!thing) return undefined;
    thing.element.firstChild.setAttribute("href", `#${this.name}-${id}`);
    if (pops) flash(thing.element, "pop");
    return { id, element: thing.element };
  }

  #remove(element, show) {
    if (!show || element.parentNode === this.ground) {
      element.remove();
      return;
    }
    this.top.append(element);
    flash(element, "vanish");
    setTimeout(() => element.remove(), FADE);
  }

  #showReserve(pile) {
    this.beside = pile;
    this.reserve?.remove();
    this.reserve = s("g", {}, pile.map((id, x) => this.#create(id, x, this.height)));
    this.element.append(this.reserve);
  }

  /** Show marks of actions: [[id, x, y], ...]; `others` stay as they are, except where one of the marks is. */
  mark(marks, name = "", others = []) {
    this.marks.setAttribute("class", `marks ${name}`);
    const own = new Set(marks.map((mark) => mark.join()));
    const seen = new Map(); // cell -> its marks so far: each lies inside those before it
    this.marks.replaceChildren(...[...new Map(marks.map((mark) => [mark.join(), mark])).values()].map(([id, x, y]) => {
      const before = seen.get(at(x, y)) ?? 0;
      seen.set(at(x, y), before + 1);
      return this.#createMark(id, x, y, before);
    }), ...others.filter((mark) => !own.has(mark.join())).map(([id, x, y]) => {
      const element = this.#createMark(id, x, y, 0);
      element.classList.add("other");
      return element;
    }));
  }

  /** Preview steps: dots where pieces would go, pieces that would turn, perhaps the numbers of the steps, and frames around cells that would change otherwise. */
  preview(steps, isNumbered = false) {
    const dots = new Set(steps.flatMap((step) => this.#ends(step)));
    const left = new Set(steps.flatMap(({ moves: own }) => own.map(([, x, y]) => at(x, y))));
    const after = new Map(steps.flatMap(({ cells }) => cells.map(([x, y, pile]) => [at(x, y), pile])));
    const isLasting = (id) => this.pieces.get(id).shape !== "explosion"; // who loses a race is not what the action changes
    const changes = ([cell, pile]) => this.#describeCell(pile.filter(isLasting)) !== this.#describeCell(this.cells.get(cell).map(({ id }) => id));
    const turns = this.#turns(steps);
    const turned = new Map(turns.map(({ place: cell, id }) => [cell, id]));
    const frames = [...after].filter(changes).map(([cell]) => cell).filter((cell) => !dots.has(cell) && !left.has(cell) && !turned.has(cell));
    const corner = (cell) => this.#cornerOf(...cell.split(",").map(Number)).map((value) => CELL * value);
    this.previewLayer.replaceChildren(
      ...[...turned].map(([cell, id]) => this.#create(id, ...cell.split(",").map(Number))),
      ...[...dots].filter((cell) => !turned.has(cell) && !isNumbered).map(corner).map(([x, y]) => s("circle", { cx: x + 50, cy: y + 50, r: 11 })),
      ...frames.map(corner).map(([x, y]) => s("rect", { x: x + 8, y: y + 8, width: 84, height: 84, rx: 12 })),
      ...(isNumbered ? this.#numberSteps(steps, turns) : []),
    );
  }

  /** The steps that only turn a piece: the cell of each, and the piece after it. */
  #turns(steps) {
    const piles = new Map([...this.cells].map(([cell, things]) => [cell, things.map(({ id }) => id)]));
    return steps.flatMap(({ moves, cells }, index) => {
      const [[x, y, pile] = []] = cells;
      const before = piles.get(at(x, y)) ?? [];
      for (const [right, down, now] of cells) piles.set(at(right, down), now);
      if (moves.length || cells.length !== 1 || pile.length !== before.length) return [];
      const id = pile.find((one) => !before.includes(one));
      return id === undefined ? [] : [{ index, place: at(x, y), id }];
    });
  }

  /** The places where a step leads: beside the board for a line that goes round, which moves as a whole. */
  #ends({ moves }) {
    const outside = moves.filter(([, , , x, y]) => !this.contains(x, y));
    const goesRound = outside.length > 0 && moves.some(([, x, y]) => !this.contains(x, y));
    return [...new Set((goesRound ? outside : moves).map(([, , , x, y]) => at(x, y)))];
  }

  /** The corner of a cell, in cells; places beside the board lie beyond its numbers. */
  #cornerOf(x, y) {
    const { left, above } = this.room;
    return [x - (x < 0 ? left / CELL : 0), y - (y < 0 ? above / CELL : 0)];
  }

  /** The numbers of steps, each at the places where it leads, or where it turns a piece; steps to the same place share it. */
  #numberSteps(steps, turns) {
    const numbers = new Map();
    steps.forEach((step, index) => {
      const here = turns.filter((turn) => turn.index === index).map(({ place: cell }) => cell);
      for (const place of [...this.#ends(step), ...here]) numbers.set(place, [...(numbers.get(place) ?? []), index + 1]);
    });
    return [...numbers].map(([place, shown]) => this.#createNumber(place.split(",").map(Number), shown));
  }

  /** The numbers of the steps that lead to a place; beside the board, they are small and stand beside its arrow. */
  #createNumber([column, row], shown) {
    const isInside = this.contains(column, row);
    const size = isInside ? 24 : 17; // half of its height
    const more = (size / 2) * (shown.length - 1); // room for further numbers, on either side
    const isAboveOrBelow = column >= 0 && column < this.width;
    const [right, down] = isInside ? [0, 0] : isAboveOrBelow ? [ASIDE + more, 0] : [0, -ASIDE];
    const [left, top] = this.#cornerOf(column, row);
    const [x, y] = [(left + 0.5) * CELL + right, (top + 0.5) * CELL + down];
    const shape = `M${x - more} ${y - size}h${2 * more}a${size} ${size} 0 0 1 0 ${2 * size}h${-2 * more}a${size} ${size} 0 0 1 0 ${-2 * size}z`;
    return s("g", { className: "step" }, s("path", { d: shape }), s("text", { x, y, "font-size": (shown.length > 1 ? 1.1 : 1.3) * size }, shown.join(" ")));
  }

  /** Show a direction as an arrow across the board. */
  showArrow([right, down]) {
    const [x, y] = [(this.width * CELL) / 2, (this.height * CELL) / 2];
    const angle = (Math.atan2(down, right) * 180) / Math.PI;
    const scale = Math.min(1, Math.min(this.width, this.height) / 4); // small boards keep their tiles in sight
    this.previewLayer.replaceChildren(s("path", { className: "arrow", d: "M-80 -18H10V-56L90 0L10 56V18H-80Z", transform: `translate(${x} ${y}) rotate(${angle}) scale(${scale})` }));
  }

  /** The identities of a pile's pieces, independent of how neighbours change their drawing: a wall stays the same wall. */
  #describeCell(pile) {
    return JSON.stringify(pile.map((id) => ({ ...this.pieces.get(id), svg: "" })));
  }

  #createMark(id, x, y, before) {
    const element = this.#create(id, ...this.#cornerOf(x, y));
    if (!this.contains(x, y)) element.firstChild.classList.add("outside");
    else if (before) element.firstChild.style.transform = `scale(${1 - 0.16 * before})`;
    return element;
  }

  /** Whether a piece lies beside the board at a place. */
  isReserve([x, y]) {
    return y === this.height && x >= 0 && x < (this.beside?.length ?? 0);
  }

  /** Whether a cell is on the board. */
  contains(x, y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** Show that an action is impossible: a short push in its direction, or a blink without one. */
  nudge([right, down]) {
    this.nudging?.cancel();
    const push = (part) => ({ transform: `translate(${part * right * NUDGE}px, ${part * down * NUDGE}px)` });
    const frames = isMotionAllowed() ? [push(0), push(1), push(-0.4), push(0)] : [{ opacity: 1 }, { opacity: 0.7 }, { opacity: 1 }];
    this.nudging = this.element.animate(frames, { id: "nudge", duration: STEP, easing: "ease-out" });
  }

  /** Show dragged pieces a part of their way: each [id, x, y, toX, toY]; null releases them. */
  drag(pulled, part) {
    if (!pulled) {
      for (const element of this.dragged ?? []) {
        element.style.transform = element.dataset.rest;
        if (element.dataset.outside) element.remove();
      }
      this.dragged = null;
      return;
    }
    this.dragged ??= pulled.map(([id, x, y]) => this.#startDrag(id, x, y));
    pulled.forEach(([, x, y, toX, toY], index) => {
      this.dragged[index].style.transform = place(x + part * (toX - x), y + part * (toY - y));
    });
  }

  #startDrag(id, x, y) {
    const thing = (this.cells.get(at(x, y)) ?? []).findLast((one) => one.id === id);
    if (thing) {
      thing.element.dataset.rest = place(x, y);
      this.things.append(thing.element);
      return thing.element;
    }
    const element = this.#create(id, x, y);
    element.dataset.outside = "yes";
    this.top.append(element);
    return element;
  }

  /** The top piece of a cell. */
  pieceAt(x, y) {
    return this.pieces.get(this.cells.get(at(x, y))?.at(-1)?.id)?.name ?? "nothing";
  }

  /** A cell, or a place beside the board, in words; rows and columns are named as actions name them. */
  describePlace(x, y) {
    const [row, column] = [this.numbers?.rows[y] ?? y + 1, this.numbers?.columns[x] ?? x + 1];
    if (y < 0 || y >= this.height) return `${y < 0 ? "above" : "below"} column ${column}`;
    if (x < 0 || x >= this.width) return `${x < 0 ? "left" : "right"} of row ${row}`;
    return `${this.pieceAt(x, y)}, row ${row}, column ${column}`;
  }

  /** Describe the top piece of each cell, row by row, for screen readers. */
  #describe() {
    const rows = [];
    for (let y = 0; y < this.height; y += 1) {
      const runs = [];
      for (let x = 0; x < this.width; x += 1) {
        const name = this.pieceAt(x, y);
        if (runs.at(-1)?.name === name) runs.at(-1).length += 1;
        else runs.push({ name, length: 1 });
      }
      rows.push(`Row ${this.numbers?.rows[y] ?? y + 1}: ${runs.map(({ name, length }) => (length > 1 ? `${length} times ${name}` : name)).join(", ")}.`);
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
