// The player's own results: solved levels, days, times; kept in this browser, and taken along by a link.

import { bestCounts, load, recordSolved, save } from "./user_data.js";

const STORE = "gridproof.statistics"; // {levels: {key: {game, actions, fewest, alone, helped}}, days: ["2026-01-31"], seconds: {device: {game: 60}}, best: {game: 1234}}
const ACCEPTED = "gridproof.acceptedHints"; // games in which the player has accepted what hints cost
const SOLVED = "gridproof.solved";
const SCORES = "gridproof.scores"; // key of the level -> best score
const DAY = 86_400_000;
const EMPTY = { levels: {}, days: [], seconds: {}, best: {} };

const stored = () => ({ ...EMPTY, ...load(STORE) });

// -- hints

/** Whether a player must be asked before a hint in a game: true until `acceptHints` was called for it. */
export const mustAskBeforeHint = (game) => !(load(ACCEPTED) ?? []).includes(game);

/** Record that a player has accepted what hints cost in a game. */
export const acceptHints = (game) => save(ACCEPTED, [...new Set([...(load(ACCEPTED) ?? []), game])]);

// -- results

/** The stars of a win, their rule, and the help about both. */
export const STARS_RULE = "Three stars: at most a tenth more than the fewest. Two stars: at most half more. One star: every other win.";
export const STARS_HELP = `A win without hints gets stars. ${STARS_RULE}`;
export const countStars = (actions, fewest) => (actions <= fewest * 1.1 ? 3 : actions <= fewest * 1.5 ? 2 : 1);

/** The day of a time, as the clock on the wall has it. */
function dayOf(time = new Date()) {
  const pad = (number) => String(number).padStart(2, "0");
  return `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
}

/** Record a win; returns the best number of actions before it, or undefined. A win with hints is no best one. */
export function recordWin({ key, game, actions, helped }) {
  const before = bestCounts(key)?.actions;
  const data = stored();
  data.levels[key] = mergeResults(data.levels[key], { game, ...(helped ? { helped: true } : { actions }) });
  if (!data.days.includes(dayOf())) data.days.push(dayOf());
  save(STORE, data);
  recordSolved(key, helped ? {} : { actions });
  return before;
}

/** Record the proved fewest actions of a solved level. */
export const recordFewest = (key, fewest) => recordProved(key, { fewest });

/** Record the proved fewest actions of the player's own actor, if the others wait. */
export const recordOwnFewest = (key, alone) => recordProved(key, { alone });

function recordProved(key, proved) {
  const data = stored();
  if (!data.levels[key]) return;
  Object.assign(data.levels[key], proved);
  save(STORE, data);
}

export const fewestOf = (key) => stored().levels[key]?.fewest;

const starsOfResult = ({ actions, fewest }) => (actions === undefined || fewest === undefined ? 0 : countStars(actions, fewest));

/** The stars of the best win of a level without hints; 0 without one, or while its fewest actions are not proved. */
export const starsOf = (key) => starsOfResult(stored().levels[key] ?? {});

/** Record a score without hints on a level, and as one of its game, where that is known; returns the best one of the level. */
export function recordScore(key, score, game) {
  const all = load(SCORES) ?? {};
  const best = Math.max(all[key] ?? 0, score);
  if (best > (all[key] ?? 0)) save(SCORES, { ...all, [key]: best });
  const data = stored();
  if (game && best > (data.best[game] ?? 0)) save(STORE, { ...data, best: { ...data.best, [game]: best } });
  return best;
}

export const bestScore = (key) => load(SCORES)?.[key] ?? 0;

function mergeResults(one = {}, other = {}) {
  const actions = Math.min(one.actions ?? Infinity, other.actions ?? Infinity);
  const [fewest, alone] = [one.fewest ?? other.fewest, one.alone ?? other.alone];
  return {
    game: one.game ?? other.game,
    ...(actions < Infinity ? { actions } : { helped: true }),
    ...(fewest !== undefined && { fewest }),
    ...(alone !== undefined && { alone }),
  };
}

// -- time

const ACTIVE = 60_000; // milliseconds after the last input for which a player still plays
const TICK = 5_000;

/** A clock that counts the time in which somebody plays a game. */
export class PlayClock {
  constructor() {
    this.game = "";
    this.seconds = 0;
    this.latest = performance.now();
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    for (const name of ["keydown", "pointerdown"]) addEventListener(name, () => (this.latest = performance.now()), { signal, passive: true, capture: true });
    addEventListener("pagehide", () => this.save(), { signal });
    this.timer = setInterval(() => this.#tick(), TICK);
  }

  #tick() {
    if (document.visibilityState === "visible" && performance.now() - this.latest < ACTIVE) this.seconds += TICK / 1000;
    if (this.seconds >= 60) this.save();
  }

  save() {
    if (!this.seconds || !this.game) return;
    const data = stored();
    const device = deviceName();
    const own = data.seconds[device] ?? {};
    data.seconds[device] = { ...own, [this.game]: (own[this.game] ?? 0) + this.seconds };
    save(STORE, data);
    this.seconds = 0;
  }

  leave() {
    this.save();
    clearInterval(this.timer);
    this.listeners.abort();
  }
}

/** A random name of this browser, so that its time is not counted twice when profiles are merged. */
function deviceName() {
  const name = load("gridproof.device") ?? crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
  save("gridproof.device", name);
  return name;
}

// -- summaries

const NOTHING = { solved: 0, helped: 0, stars: 0, over: 0, proved: 0, seconds: 0 };

/** The results of each game, and of all: {solved, helped, stars, over, proved, seconds}; and the best score of each game that keeps one. */
export function summary() {
  const { levels, seconds, best } = stored();
  const games = new Map();
  const row = (game) => games.get(game) ?? games.set(game, { ...NOTHING }).get(game);
  for (const { game, actions, alone, fewest = alone, helped } of Object.values(levels)) {
    const one = row(game);
    if (helped) one.helped += 1;
    else one.solved += 1;
    if (helped || fewest === undefined) continue;
    one.proved += 1;
    one.stars += starsOfResult({ actions, fewest });
    one.over += Math.max(0, actions - fewest); // others may have helped
  }
  for (const times of Object.values(seconds)) for (const [game, time] of Object.entries(times)) row(game).seconds += time;
  const all = { ...NOTHING };
  for (const one of games.values()) for (const name of Object.keys(all)) all[name] += one[name];
  return { games, all, best };
}

/** The days in a row, up to today or yesterday, on which a level was won; and the most there ever were. */
export function streaks(days = stored().days, today = dayOf()) {
  const number = (day) => Math.round(Date.parse(`${day}T00:00Z`) / DAY);
  const sorted = [...new Set(days)].map(number).sort((one, other) => one - other);
  let [run, longest] = [0, 0];
  sorted.forEach((day, place) => {
    run = place && day === sorted[place - 1] + 1 ? run + 1 : 1;
    longest = Math.max(longest, run);
  });
  const current = sorted.length && number(today) - sorted.at(-1) <= 1 ? run : 0;
  return { current, longest };
}

// -- profiles

/** All own results, for a link. */
export const profile = () => ({ solved: load(SOLVED) ?? {}, scores: load(SCORES) ?? {}, statistics: stored() });

/** Merge another profile into this browser's: the better result of each level stays. */
export function mergeProfile({ solved = {}, scores = {}, statistics = {} }) {
  const own = stored();
  const { levels = {}, days = [], seconds = {}, best = {} } = statistics;
  for (const [key, result] of Object.entries(levels)) own.levels[key] = mergeResults(own.levels[key], result);
  own.days = [...new Set([...own.days, ...days])].sort();
  for (const [device, times] of Object.entries(seconds)) {
    const known = own.seconds[device] ?? {};
    own.seconds[device] = { ...known, ...Object.fromEntries(Object.entries(times).map(([game, time]) => [game, Math.max(known[game] ?? 0, time)])) };
  }
  for (const [game, score] of Object.entries(best)) own.best = { ...own.best, [game]: Math.max(own.best[game] ?? 0, score) };
  save(STORE, own);
  for (const [key, counts] of Object.entries(solved)) recordSolved(key, counts);
  for (const [key, score] of Object.entries(scores)) recordScore(key, score);
}
