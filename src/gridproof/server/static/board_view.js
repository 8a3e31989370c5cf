// The part of a board that is shown: where a whole board would have tiny cells, the view is closer and follows what moves.

import { isMotionAllowed } from "./dom.js";

const LEAST = 28; // pixels of a cell
const MOST = 72;
const EDGE = 0.25; // part of the view at each side; what moves into it is followed
const FOLLOW = 200; // milliseconds

const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

export class BoardView {
  /** `cell` is the size of a cell in the units of the SVG element. */
  constructor(element, cell) {
    this.element = element;
    this.cell = cell;
    this.zoom = LEAST; // pixels of a cell, where only a part is shown
    this.focus = null; // [x, y]: what is followed
    this.part = null; // {x, y, width, height}; null while the whole board is shown
    this.margin = 0; // more room at the left of the whole board and above it
    new ResizeObserver(() => this.update()).observe(element);
    element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** Show a board that fills a box: {x, y, width, height}. */
  begin(box) {
    const isSame = this.box && Object.keys(box).every((name) => box[name] === this.box[name]);
    this.box = box;
    if (!isSame) this.part = this.focus = null;
    this.update();
  }

  /** Show the whole board always, however small its cells are. */
  showWhole() {
    this.zoom = 0;
    this.update();
  }

  /** Whether only a part of the board is shown, and nobody has said which. */
  get isLost() {
    return this.part !== null && !this.focus;
  }

  /** Pixels of a cell if the whole board is shown. */
  get #wholeCell() {
    const { clientWidth, clientHeight } = this.element;
    return this.cell * Math.min(clientWidth / this.box.width, clientHeight / this.box.height);
  }

  /** Show the part for the element's size. */
  update() {
    const { box, element, cell, part } = this;
    if (!box) return;
    const isWhole = !element.clientWidth || this.#wholeCell >= this.zoom;
    const across = isWhole ? box.width : Math.min(box.width, box.height); // a part of a wide board may be as high as it is wide
    element.style.aspectRatio = `${across} / ${box.height}`;
    if (isWhole) {
      this.part = null;
      this.#write(box);
      return;
    }
    const [width, height] = [element.clientWidth, element.clientHeight].map((pixels) => (pixels / this.zoom) * cell);
    const [x, y] = part ? [part.x + part.width / 2, part.y + part.height / 2] : this.focus ?? [box.x + box.width / 2, box.y + box.height / 2];
    this.#move({ x: x - width / 2, y: y - height / 2, width, height });
  }

  /** Show a part of the board, within its box; perhaps slowly. */
  #move({ x, y, width, height }, milliseconds = 0) {
    const { box } = this;
    const within = (start, size, first, room) => (size >= room ? first - (size - room) / 2 : clamp(start, first, first + room - size));
    const part = (this.part = { x: within(x, width, box.x, box.width), y: within(y, height, box.y, box.height), width, height });
    const from = this.shown;
    cancelAnimationFrame(this.frame);
    const begin = performance.now();
    const step = (now) => {
      const done = milliseconds ? clamp((now - begin) / milliseconds, 0, 1) : 1;
      const between = (name) => part[name] + (from[name] - part[name]) * (1 - done) ** 2;
      this.#write({ ...part, x: between("x"), y: between("y") });
      if (done < 1) this.frame = requestAnimationFrame(step);
    };
    step(begin);
  }

  #write(shown) {
    this.shown = shown;
    const more = this.part ? 0 : this.margin;
    this.element.setAttribute("viewBox", `${shown.x - more} ${shown.y - more} ${shown.width + more} ${shown.height + more}`);
  }

  /** Leave more room at the left of the whole board and above it; the element keeps its size. */
  setMargin(margin) {
    this.margin = margin;
    if (this.shown) this.#write(this.shown);
  }

  /** Follow something that goes to a cell. */
  look(column, row) {
    this.focus = [(column + 0.5) * this.cell, (row + 0.5) * this.cell];
    const { part } = this;
    if (!part) return;
    const follow = (place, start, size) => start + Math.min(0, place - start - EDGE * size) + Math.max(0, place - start - (1 - EDGE) * size);
    const [x, y] = [follow(this.focus[0], part.x, part.width), follow(this.focus[1], part.y, part.height)];
    if (x !== part.x || y !== part.y) this.#move({ ...part, x, y }, isMotionAllowed() ? FOLLOW : 0);
  }

  /** Move the view by pixels. */
  pan(right, down) {
    if (!this.part) return;
    const unit = this.cell / this.zoom;
    this.#move({ ...this.part, x: this.part.x - right * unit, y: this.part.y - down * unit });
  }

  /** Make cells larger or smaller, up to where the whole board is shown. */
  scale(factor) {
    const smallest = Math.min(LEAST, this.#wholeCell);
    this.zoom = clamp((this.part ? this.zoom : this.#wholeCell) * factor, smallest, Math.max(MOST, this.#wholeCell));
    this.update();
  }

  #wheel(event) {
    if (!this.part || event.ctrlKey) return;
    event.preventDefault();
    this.pan(-event.deltaX, -event.deltaY);
  }
}
