// The keyboard's way to point, where arrows mean nothing else: they move a cursor, Enter clicks, Shift with an arrow drags.

import { announce } from "./dom.js";

const WAYS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

export class Cursor {
  /** `point({x, y, to})` does what is meant; `look(cell)` shows what it would do. */
  constructor(board, point, look) {
    this.board = board;
    this.point = point;
    this.look = look;
  }

  /** Whether a key was for the cursor. */
  pressed(name, dragging) {
    const at = this.board.cursor;
    const way = WAYS[name];
    if (way && !(dragging && at)) this.#move(at, way);
    else if (way) this.point({ x: at[0], y: at[1], to: [at[0] + way[0], at[1] + way[1]] });
    else if (at && ["enter", "space"].includes(name)) this.point({ x: at[0], y: at[1] });
    else if (at && name === "escape") this.hide();
    else return false;
    return true;
  }

  #move(at, [right, down]) {
    const { width, height, marked } = this.board;
    const side = marked ? 1 : 0; // what stands beside the board can be pointed at
    const limit = (value, most) => Math.max(-side, Math.min(most - 1 + side, value));
    const [x, y] = at ? [limit(at[0] + right, width), limit(at[1] + down, height)] : [Math.floor(width / 2), Math.floor(height / 2)];
    this.board.point([x, y]);
    this.look([x, y]);
    announce(this.board.place(x, y));
  }

  hide() {
    this.board.point(null);
    this.look(null);
  }
}
