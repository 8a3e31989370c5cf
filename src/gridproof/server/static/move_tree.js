// The moves of a level as a tree: the game's own line, and the lines that were left for it, as variations.

import { load, save } from "./user_data.js";

const STORE = "gridproof.variations"; // session -> level -> {game, start, lines}, the latest session last
const MAX_GAMES = 30;
const MAX_NODES = 3000; // of a stored tree
const SAVE_DELAY = 400;
const LUCK = "luck"; // the verdict of a position that can be won with luck: its moves have no fixed cost
const LOSSES = ["move", "chance"]; // what lost the win; a node has the number of one, from 1

/** The name of a move in a list: an action that is one plain word, else its words. */
export const nameOf = (action, words) => (/^[a-z]+$/.test(action) ? action : words);

const createNode = (action, words, seen) => ({ action, words, ...(seen && { seen }), next: [] });

export class MoveTree {
  /** The `moves` of a level as the server sends them; `place` is [session, key of the level], under which the variations are stored. */
  constructor({ first, list, game }, place) {
    this.first = first; // moves before the listed ones
    this.place = place;
    this.game = game; // variations of an earlier game of the level are left out
    this.root = createNode("", "");
    const stored = load(STORE)?.[place[0]]?.[place[1]];
    if (!first && stored && stored.game === game) Object.assign(this.root, { next: unpack(stored.lines), verdict: stored.start });
    this.line = [];
    for (const step of list) this.#append(...step);
    this.changed = false;
  }

  /** The number of the last listed move. */
  get last() {
    return this.first + this.line.length;
  }

  /** The node after so many moves; undefined if it is not listed. */
  at(number) {
    return number === this.first ? this.root : this.line[number - this.first - 1];
  }

  /** Play moves after `done` others: the line that follows becomes a variation. */
  play(done, steps) {
    if (!this.at(done)) return;
    this.line.length = done - this.first;
    for (const { action, words, seen } of steps) this.#append(action, words ?? action, seen);
    this.#saveSoon();
  }

  #append(action, words, seen) {
    const before = this.line.at(-1) ?? this.root;
    let node = before.next.find((one) => one.action === action);
    if (!node) before.next.push((node = createNode(action, words, seen)));
    this.line.push(node);
  }

  /** Drop listed moves that the game no longer has. */
  shorten(total) {
    if (total < this.last) this.line.length = Math.max(0, total - this.first);
  }

  /** The first moves of the variations after so many moves. */
  variationsAfter(number) {
    const own = this.at(number + 1);
    return (this.at(number)?.next ?? []).filter((node) => node !== own);
  }

  /** Record what is proved of the position after so many moves. */
  judge(number, { standing, left, fewest, luck, fatal }) {
    const known = fewest && typeof left === "number" ? (luck ? LUCK : left) : undefined;
    this.#note(number, standing === "dead" ? "dead" : known);
    if (fatal) this.#note(fatal.move, "dead", fatal.cause);
  }

  #note(number, verdict, cause) {
    const node = this.at(number);
    const loss = LOSSES.indexOf(cause) + 1;
    if (!node || verdict === undefined || (node.verdict === verdict && (!loss || node.loss === loss))) return;
    node.verdict = verdict;
    if (loss) node.loss = loss;
    this.#saveSoon();
  }

  /** What is known of a move, and of those before it that follow a judged node: "move" if it lost the win, "chance" if bad luck after it did, else the moves that they cost beyond the fewest; after a win, none. */
  static cost(before, node, moves = 1) {
    if (node.loss) return LOSSES[node.loss - 1];
    if (typeof before?.verdict === "number" && moves === 1 && node.verdict === "dead") return LOSSES[0];
    if (!before?.verdict || typeof before.verdict !== "number" || typeof node.verdict !== "number") return 0;
    return Math.max(0, node.verdict + moves - before.verdict);
  }

  #saveSoon() {
    this.changed = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), SAVE_DELAY);
  }

  /** Store the tree now, if it holds more than the game itself. */
  save() {
    clearTimeout(this.timer);
    if (!this.changed || this.first) return;
    this.changed = false;
    const [session, level] = this.place;
    const { [session]: own, ...others } = load(STORE) ?? {};
    const packed = pack(this.root.next);
    if (!packed || (!own && !isWorthSaving(this.root))) return;
    const kept = Object.entries(others).slice(1 - MAX_GAMES);
    save(STORE, { ...Object.fromEntries(kept), [session]: { ...own, [level]: { game: this.game, start: this.root.verdict, lines: packed } } });
  }
}

/** Forget the variations of a level of a session. */
export function forgetVariations(session, level) {
  const { [session]: own, ...others } = load(STORE) ?? {};
  if (!own?.[level]) return;
  const { [level]: forgotten, ...kept } = own;
  save(STORE, { ...others, [session]: kept });
}

/** Whether a tree has variations, or verdicts. */
function isWorthSaving(root) {
  for (let node = root; node; [node] = node.next) if (node.next.length > 1 || node.verdict !== undefined) return true;
  return false;
}

/** Nodes as data: [action, words, verdict, loss, following nodes, words on the board], a straight line as a list; null if there are too many. */
function pack(nodes) {
  let count = 0;
  const packLine = (first) => {
    const line = [];
    for (let node = first; node; node = node.next[0]) {
      count += 1;
      const others = node.next.slice(1);
      line.push([node.action, node.words, node.verdict ?? null, node.loss ?? 0, count > MAX_NODES ? [] : others.map(packLine), ...(node.seen ? [node.seen] : [])]);
      if (count > MAX_NODES) break;
    }
    return line;
  };
  const lines = nodes.map(packLine);
  return count > MAX_NODES ? null : lines;
}

function unpack(lines) {
  return lines.map((line) => {
    const nodes = line.map(([action, words, verdict, loss, , seen]) => ({ ...createNode(action, words, seen), ...(verdict !== null && { verdict }), ...(loss && { loss }) }));
    line.forEach(([, , , , others], place) => (nodes[place].next = [nodes[place + 1], ...unpack(others)].filter(Boolean)));
    return nodes[0];
  });
}
