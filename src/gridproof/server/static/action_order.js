// The order in which actions are listed.

/** Actions by the numbers of lines beside the board: row 1 first, also where the rules count from below. */
export function sortByNumber(actions) {
  const kinds = [...new Set(actions.map(({ words }) => words.split(" ")[0]))];
  const place = ({ words }) => [kinds.indexOf(words.split(" ")[0]), Number(words.match(/\d+/)?.[0] ?? 0)];
  const sorted = actions.map((action) => [...place(action), action]);
  return sorted.sort(([kind, number], [otherKind, otherNumber]) => kind - otherKind || number - otherNumber).map(([, , action]) => action);
}
