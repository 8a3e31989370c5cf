// The order in which actions are listed, and directions that are impossible.

import { h } from "./dom.js";
import { keyLabel } from "./keys.js";

const DIRECTIONS = ["left", "right", "up", "down"];

/** The directions among texts of actions. */
export const directionsIn = (texts = {}) => DIRECTIONS.filter((text) => text in texts);

/** Whether an action leads in some direction, where the board has a word for that. */
const leadsSomewhere = ({ way }) => way !== "";

/** Actions with the directions first, each in a place of its own, also while it is impossible, and those that lead nowhere last. */
export function withDirections(actions, directions) {
  const first = directions.map((direction) => actions.find(({ text }) => text === direction) ?? { direction });
  const others = actions.filter(({ text }) => !directions.includes(text));
  return [...first, ...others.filter(leadsSomewhere), ...others.filter((action) => !leadsSomewhere(action))];
}

/** A direction that is impossible now. */
export const impossibleAction = (words, key) =>
  h("span", { className: "impossible", role: "button", "aria-disabled": "true" }, words, key && h("kbd", { "aria-hidden": "true" }, keyLabel(key)));

/** Actions by the numbers of lines beside the board: row 1 first, also where the rules count from below. */
export function sortByNumber(actions) {
  const kinds = [...new Set(actions.map(({ words }) => words.split(" ")[0]))];
  const place = ({ words }) => [kinds.indexOf(words.split(" ")[0]), Number(words.match(/\d+/)?.[0] ?? 0)];
  const sorted = actions.map((action) => [...place(action), action]);
  return sorted.sort(([kind, number], [otherKind, otherNumber]) => kind - otherKind || number - otherNumber).map(([, , action]) => action);
}
