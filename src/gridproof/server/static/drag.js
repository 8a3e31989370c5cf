// A drag on the board: the first step that it would do follows the finger.

const MIN_DISTANCE = 24; // pixels (or a quarter of a cell) below which a drag has no effect

export class Drag {
  /** `preview({x, y, to})` resolves to the steps of a drag; `point({x, y, to})` does them. */
  constructor(board, preview, point) {
    this.board = board;
    this.preview = preview;
    this.point = point;
  }

  async start([x, y], [right, down]) {
    this.moves = null;
    const mine = (this.current = {});
    const steps = await this.preview({ x, y, to: [x + right, y + down] });
    if (this.current === mine && steps?.length === 1) this.moves = steps[0].moves;
  }

  move(pixels) {
    if (this.moves?.length) this.board.drag(this.moves, Math.max(0, Math.min(1, pixels / this.board.scale)));
  }

  drop([x, y], [toX, toY], [right, down], pixels) {
    this.cancel();
    if (pixels < Math.min(MIN_DISTANCE, this.board.scale / 4)) return;
    const same = x === toX && y === toY;
    this.point({ x, y, to: same ? [x + right, y + down] : [toX, toY] });
  }

  cancel() {
    this.current = null;
    if (this.moves) this.board.drag(null);
    this.moves = null;
  }
}
