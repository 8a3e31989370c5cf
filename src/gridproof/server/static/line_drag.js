// A line of pieces that follows the finger through several steps; in each of them a piece leaves the board and enters it again.

const at = (x, y) => `${x},${y}`;

/** Whether each step moves a line one cell in a direction, and brings a piece from outside the board. */
export const movesLine = (steps, board, [right, down]) =>
  steps.every(({ moves }) => moves.some(([, x, y]) => !board.contains(x, y)) && moves.every(([, x, y, toX, toY]) => toX - x === right && toY - y === down));

/** The moves from the places before all steps to those after `part` of them, which may be a fraction. */
export function movesAfter(steps, part, board) {
  const done = Math.min(Math.floor(part), steps.length - 1);
  let origins = new Map(steps[0].moves.map(([id, x, y]) => [at(x, y), [id, x, y]])); // by the place of a piece: where it was before all steps
  for (const { moves } of steps.slice(0, done)) {
    const [, leftX, leftY] = moves.find(([, , , x, y]) => !board.contains(x, y));
    origins = new Map(moves.map(([, x, y, toX, toY]) => [at(toX, toY), origins.get(board.contains(x, y) ? at(x, y) : at(leftX, leftY))]));
  }
  const fraction = part - done;
  return steps[done].moves.map(([id, x, y, toX, toY]) => {
    const from = board.contains(x, y) ? origins.get(at(x, y)) : [id, x, y];
    return [...from, x + fraction * (toX - x), y + fraction * (toY - y)];
  });
}
