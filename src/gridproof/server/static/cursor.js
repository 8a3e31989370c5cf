// Pointing by keyboard: arrows move a cursor, Enter clicks, Shift with an arrow drags. For games in which arrows mean nothing else.

import { announce } from "./dom.js";

export const DIRECTIONS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

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
    if (direction && !(dragging && at)) this.#move(at, direction);
    else if (direction) this.point({ x: at[0], y: at[1], to: [at[0] + direction[0], at[1] + direction[1]] });
    else if (at && ["enter", "space"].includes(name)) this.point({ x: at[0], y: at[1] });
    else if (at && name === "escape") this.hide();
    else return false;
    return true;
  }

  #move(at, [right, down]) {
    const { width, height, marked } = this.board;
    const side = marked ? 1 : 0; // marks beside the board can be clicked
    const limit = (value, most) => Math.max(-side, Math.min(most - 1 + side, value));
    const [x, y] = at ? [limit(at[0] + right, width), limit(at[1] + down, height)] : [Math.floor(width / 2), Math.floor(height / 2)];
    this.board.setCursor([x, y]);
    this.hover([x, y]);
    announce(this.board.describePlace(x, y));
  }

  hide() {
    this.board.setCursor(null);
    this.hover(null);
  }
}
