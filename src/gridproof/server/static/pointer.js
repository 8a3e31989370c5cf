// Pointing at the board: previews, drags, and a cursor that is moved by keys.

import { actionWords, messageText } from "./words.js";
import { movesAfter, movesLine } from "./line_drag.js";
import { announce, showToast } from "./dom.js";

const DELAY = 120; // milliseconds without movement after which the mouse rests

const ROOM = 64; // pixels that a short message needs
const NEAR = 320; // pixels from a cell within which the place below the board is beside it

/** The top of a short message, in the window: below the board where that is near to a cell, so that it covers none; else below the cell. */
export function topOfNote(board, cell) {
  const stage = board.element.parentElement.getBoundingClientRect();
  const [, below] = board.windowPlace(0, cell ? cell.y + 1 : board.height);
  const isNear = stage.bottom - below <= NEAR && stage.bottom <= innerHeight - ROOM;
  return Math.max(0, Math.min(isNear ? Math.max(below, stage.bottom) : below, innerHeight - ROOM));
}

const LEAST_WIDTH = 240; // pixels of a question

/** Ask before an action that uses up a piece beside the board: at the right of that piece, or below it where there is no room. */
export function askOnceMore(words, board) {
  const [left, top] = board.windowPlace(board.beside.length, board.height + 0.1);
  const { right, bottom } = board.element.getBoundingClientRect();
  const hasRoom = left + LEAST_WIDTH <= right && top >= 0 && top < Math.min(bottom, innerHeight - ROOM);
  showToast(`Once more to confirm: ${words}.`, 4, hasRoom ? top : topOfNote(board, { y: board.height }), hasRoom ? left : null);
}

export class Previews {
  constructor(play) {
    this.play = play;
    this.board = play.board;
  }

  /** Preview a click on a cell, a moment after the mouse has come to rest. */
  hover(cell) {
    const key = cell?.join();
    if (key === this.hovered) return;
    this.hovered = key;
    clearTimeout(this.timer);
    this.board.preview([]);
    if (cell) this.timer = setTimeout(() => this.preview({ x: cell[0], y: cell[1] }, () => this.hovered === key), DELAY);
  }

  /** Show the effect of an action, or of a click, if it is still wanted when the server answers. */
  async preview(what, isWanted = () => true) {
    if (this.play.sidebar.runningJob) return;
    const { now } = this.play;
    const steps = await this.steps(what);
    if (steps && this.play.now === now && !this.board.playing && isWanted()) this.board.preview(steps, Boolean(what.texts));
    return steps;
  }

  /** A first tap is forgotten once the position changes. */
  forget() {
    this.pending = null;
  }

  /** The steps of an action, or of a click. */
  async steps(what) {
    return (await this.#request(what))?.steps;
  }

  /** Point at a cell. A piece beside the board is used at the second tap; the first tap shows its effect. */
  async tap([x, y]) {
    const { pending, play } = this;
    this.pending = null;
    if (this.board.isReserve([x, y]) && pending?.now !== play.now) {
      await this.board.playing;
      const { now } = play;
      const answer = await this.#request({ x, y });
      if (!answer || play.now !== now) return;
      if (answer.text) {
        this.pending = { now };
        this.board.preview(answer.steps);
        askOnceMore(messageText(answer), this.board);
        return;
      }
    }
    play.point({ x, y });
  }

  /** Do the action of a button or a key. One that uses up a piece beside the board is done at the second press; the first shows its effect. */
  async press(action) {
    const { pending, play } = this;
    const { text, confirm } = action;
    this.pending = null;
    if (!confirm || pending?.now === play.now) {
      play.do(text);
      return;
    }
    await this.board.playing;
    const { now } = play;
    const answer = await this.#request({ text });
    if (play.now !== now) return;
    this.pending = { now };
    if (answer) this.board.preview(answer.steps);
    askOnceMore(actionWords(action), this.board);
  }

  /** The server's preview: the steps, and the first one in words. */
  async #request(what) {
    const { play } = this;
    if (play.result.isOpen || play.replay || !play.mayAct || this.board.playing) return undefined;
    const answer = await play.connection.send({ type: "preview", ...what }).catch(() => null);
    return answer?.told?.find(({ kind }) => kind === "preview");
  }
}

const TAP_RADIUS = 10; // pixels that a tap may move
const MIN_DISTANCE = 24; // pixels (or a quarter of a cell) below which a drag has no effect
const FLICK = 300; // milliseconds up to which a swipe means its direction alone, wherever it begins and ends

/** Whether a finger has been down so shortly that its motion is a swipe. */
const isQuick = ({ isTouch, since }, time) => isTouch && time - since < FLICK;

/** Fingers and the mouse on a stage: taps, and drags whose first step follows the finger. */
export class Pointer {
  /**
   * `tap(cell)` is called for a tap, `hover(cell)` while no button is pressed (null when the mouse has left), `point({x, y, to, swipe})`
   * for a drag, with `swipe` for a quick one by a finger; `preview({x, y, to, swipe})` resolves to the steps that it would do.
   */
  constructor(stage, board, { tap, hover, point, preview }) {
    Object.assign(this, { stage, board, tap, hover, point, preview });
    this.fingers = new Map(); // id of a pointer that is down -> its place in the window
    stage.addEventListener("pointerdown", (event) => this.#press(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    stage.addEventListener("pointerup", (event) => this.#release(event));
    stage.addEventListener("pointercancel", ({ pointerId }) => {
      this.fingers.delete(pointerId);
      this.cancel();
      this.pressed = null;
    });
    stage.addEventListener("pointerleave", () => hover(null));
  }

  #press({ button, target, pointerId, pointerType, clientX, clientY, timeStamp }) {
    if (button > 0 || target.closest("button, a")) return;
    this.cancel();
    this.fingers.set(pointerId, [clientX, clientY]);
    if (this.fingers.size > 1) {
      this.pressed = null; // two fingers move the view
      return;
    }
    this.pressed = { id: pointerId, from: [clientX, clientY], cell: this.board.cellAt(clientX, clientY), since: timeStamp, isTouch: pointerType === "touch", way: null, followed: null };
    this.stage.setPointerCapture(pointerId);
  }

  #move({ pointerId, pointerType, clientX, clientY, timeStamp }) {
    const { pressed } = this;
    if (!pressed && pointerType === "mouse") this.hover(this.board.cellAt(clientX, clientY));
    if (this.fingers.size > 1) this.#moveView(pointerId, [clientX, clientY]);
    if (pointerId !== pressed?.id) return;
    const [x, y] = [clientX - pressed.from[0], clientY - pressed.from[1]];
    if (!pressed.way && Math.hypot(x, y) > TAP_RADIUS) {
      this.hover(null);
      pressed.way = Math.abs(x) > Math.abs(y) ? [Math.sign(x), 0] : [0, Math.sign(y)];
      this.#startDrag(pressed, [pressed.cell[0] + pressed.way[0], pressed.cell[1] + pressed.way[1]], isQuick(pressed, timeStamp));
    }
    if (pressed.way) this.#pull(pressed, clientX, clientY, isQuick(pressed, timeStamp));
  }

  /** Let the dragged pieces follow the finger: by one step, or freely if several steps bring a piece to the cell under it. */
  #pull(pressed, clientX, clientY, swipe) {
    const over = this.board.cellAt(clientX, clientY);
    const isElsewhere = ![pressed.cell, pressed.to].some((cell) => cell.join() === over.join());
    if (!swipe && (isElsewhere || pressed.swipe) && !pressed.carried && !pressed.isCancelled) this.#startDrag(pressed, isElsewhere ? over : pressed.to, false);
    if (pressed.carried) {
      const [id, x, y] = pressed.carried;
      const [[right, down], [fromRight, fromDown]] = [this.board.placeAt(clientX, clientY), this.board.placeAt(...pressed.from)];
      this.board.drag([[id, x, y, x + right - fromRight, y + down - fromDown]], 1);
    } else if (pressed.followed) {
      const cells = Math.max(0, this.#distance(clientX, clientY) / this.board.scale);
      this.board.drag(null);
      this.board.drag(movesAfter(pressed.followed, Math.min(pressed.followed.length, cells), this.board), 1);
    }
  }

  /** Move the view with two fingers; the cells grow while they part. */
  #moveView(id, place) {
    if (!this.fingers.has(id)) return;
    const { view } = this.board;
    const spread = () => {
      const [[x, y], [otherX, otherY]] = [...this.fingers.values()];
      return Math.hypot(x - otherX, y - otherY);
    };
    const [[x, y], before] = [this.fingers.get(id), spread()];
    this.fingers.set(id, place);
    view.pan((place[0] - x) / 2, (place[1] - y) / 2);
    if (before > 0) view.scale(spread() / before);
  }

  async #startDrag(pressed, to, swipe) {
    const { cell: [x, y] } = pressed;
    Object.assign(pressed, { to, swipe });
    const steps = await this.preview({ x, y, to, swipe });
    if (this.pressed !== pressed || pressed.swipe !== swipe || !steps?.length) return;
    if (pressed.followed) this.board.drag(null);
    const isFollowed = steps.length === 1 ? steps[0].moves.length > 0 : movesLine(steps, this.board, pressed.way);
    pressed.followed = isFollowed ? steps : null; // one step, or a line through several
    if (steps.length === 1 || isFollowed) return;
    pressed.carried = steps.flatMap(({ moves }) => moves).find(([, left, top]) => left === x && top === y);
  }

  /** Pixels in the main direction of the drag. */
  #distance(clientX, clientY) {
    const { from, way } = this.pressed;
    return (clientX - from[0]) * way[0] + (clientY - from[1]) * way[1];
  }

  #release({ pointerId, clientX, clientY, timeStamp }) {
    this.fingers.delete(pointerId);
    if (pointerId !== this.pressed?.id) return;
    const { cell: [x, y], way } = this.pressed;
    const swipe = isQuick(this.pressed, timeStamp);
    const far = way && this.#distance(clientX, clientY) >= Math.min(MIN_DISTANCE, this.board.scale / 4);
    this.cancel();
    this.pressed = null;
    const [toX, toY] = this.board.cellAt(clientX, clientY);
    if (!way) this.tap([x, y]);
    else if (far) this.point({ x, y, swipe, to: swipe || (x === toX && y === toY) ? [x + way[0], y + way[1]] : [toX, toY] });
  }

  /** Put dragged pieces back; a preview that comes later has no effect. */
  cancel() {
    if (this.pressed?.followed || this.pressed?.carried) this.board.drag(null);
    if (this.pressed) this.pressed = { ...this.pressed, followed: null, carried: null, isCancelled: true };
  }
}

export const DIRECTIONS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

/** The main direction of the way from a cell to another; undefined where it has none. */
export function mainDirection([x, y], [toX, toY]) {
  const [right, down] = [toX - x, toY - y];
  return Object.keys(DIRECTIONS).find((name) => DIRECTIONS[name][0] * right + DIRECTIONS[name][1] * down === Math.max(Math.abs(right), Math.abs(down)));
}

export class Cursor {
  /** `point({x, y, to})` clicks or drags; `hover(cell)` previews a click. */
  constructor(board, point, hover) {
    this.board = board;
    this.point = point;
    this.hover = hover;
  }

  /** Whether a key was for the cursor. */
  onKey(name, dragging) {
    const at = this.board.cursor;
    const direction = DIRECTIONS[name];
    if (direction && dragging) this.#drag(at ?? this.#middle, direction);
    else if (direction) this.#move(at, direction);
    else if (at && ["enter", "space"].includes(name)) this.point({ x: at[0], y: at[1] });
    else if (at && name === "escape") {
      this.board.setCursor(null);
      this.hover(null);
    } else return false;
    return true;
  }

  get #middle() {
    return [Math.floor(this.board.width / 2), Math.floor(this.board.height / 2)];
  }

  /** The nearest place on the board, or up to `side` cells beside it. */
  #within([x, y], side) {
    const limit = (value, size) => Math.max(-side, Math.min(size - 1 + side, value));
    return [limit(x, this.board.width), limit(y, this.board.height)];
  }

  #drag(at, [right, down]) {
    const [x, y] = this.#within(at, 0); // beside the board, the nearest cell is dragged
    this.board.setCursor([x, y]);
    this.point({ x, y, to: [x + right, y + down] });
  }

  #move(at, [right, down]) {
    const side = this.board.marked ? 1 : 0; // marks beside the board can be clicked
    const [x, y] = at ? this.#within([at[0] + right, at[1] + down], side) : this.#middle;
    this.board.setCursor([x, y]);
    this.hover([x, y]);
    announce(this.board.describePlace(x, y));
  }
}
