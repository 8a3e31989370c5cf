// The order in which actions are listed.

export const DIRECTIONS = ["left", "right", "up", "down"];

/** Actions with the directions first. */
export function sortByDirection(actions) {
  const place = ({ text }) => (DIRECTIONS.includes(text) ? DIRECTIONS.indexOf(text) : DIRECTIONS.length);
  return [...actions].sort((one, other) => place(one) - place(other));
}

/** Actions by the numbers of lines beside the board: row 1 first, also where the rules count from below. */
export function sortByNumber(actions) {
  const kinds = [...new Set(actions.map(({ words }) => words.split(" ")[0]))];
  const place = ({ words }) => [kinds.indexOf(words.split(" ")[0]), Number(words.match(/\d+/)?.[0] ?? 0)];
  const sorted = actions.map((action) => [...place(action), action]);
  return sorted.sort(([kind, number], [otherKind, otherNumber]) => kind - otherKind || number - otherNumber).map(([, , action]) => action);
}
