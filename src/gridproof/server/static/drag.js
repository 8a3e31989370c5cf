// A drag over the board shows what it would do: the first step follows the finger.

const LEAST = 24; // pixels, or a quarter of a cell, that a drag has to go to mean something

export class Dragging {
  /** `preview({x, y, to})` resolves to the steps that a drag would do; `point({x, y, to})` does them. */
  constructor(board, preview, point) {
    this.board = board;
    this.preview = preview;
    this.point = point;
  }

  async began([x, y], [right, down]) {
    this.pulled = null;
    const mine = (this.pulling = {});
    const steps = await this.preview({ x, y, to: [x + right, y + down] });
    if (this.pulling === mine && steps?.length === 1) this.pulled = steps[0].moves;
  }

  went(pixels) {
    if (this.pulled?.length) this.board.drag(this.pulled, Math.max(0, Math.min(1, pixels / this.board.scale)));
  }

  dropped([x, y], [toX, toY], [right, down], pixels) {
    this.letGo();
    if (pixels < Math.min(LEAST, this.board.scale / 4)) return;
    const same = x === toX && y === toY;
    this.point({ x, y, to: same ? [x + right, y + down] : [toX, toY] });
  }

  letGo() {
    this.pulling = null;
    if (this.pulled) this.board.drag(null);
    this.pulled = null;
  }
}
