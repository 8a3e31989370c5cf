// What this browser stores: settings, sessions, and the best counts of solved levels.

const memory = new Map();

/** The value of a key; null where there is none. An `area` is "localStorage", or "sessionStorage" for this tab alone. */
export function load(key, area = "localStorage") {
  if (memory.has(key)) return memory.get(key);
  try {
    return JSON.parse(globalThis[area].getItem(key));
  } catch {
    return null;
  }
}

/** Store a value under a key; null deletes it. */
export function save(key, value, area = "localStorage") {
  memory.delete(key);
  try {
    if (value === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, JSON.stringify(value));
  } catch {
    memory.set(key, structuredClone(value));
  }
}

export const settings = { theme: "auto", motion: "on", keys: {}, name: "", badge: "always", worth: "request", directions: "board", sound: "off", vibration: "off", ...load("gridproof.settings") };

export function saveSetting(name, value) {
  settings[name] = value;
  save("gridproof.settings", settings);
  const { theme, motion } = settings;
  Object.assign(document.documentElement.dataset, { theme, motion });
  document.dispatchEvent(new CustomEvent("gridproof:setting", { detail: { name } }));
}

/** Whether arrows and words mean directions of the board, not those of an actor. */
export const isBoardDirected = () => settings.directions !== "own";

const MAX_SESSIONS = 40;
const loadSessions = () => load("gridproof.games") ?? []; // [{id, pack, players}, ...], the latest first
const saveSessions = (sessions) => save("gridproof.games", sessions.slice(0, MAX_SESSIONS));

/** Ids of the sessions of this browser, the latest first. */
export const recentSessions = () => loadSessions().map(({ id }) => id);

/** The pack of a session; undefined without one. */
export const packOf = (id) => loadSessions().find((session) => session.id === id)?.pack;

export const forgetSession = (id) => saveSessions(loadSessions().filter((session) => session.id !== id));

/** Remember a session as the latest one. */
export const rememberSession = (id, more = {}) =>
  saveSessions([{ ...loadSessions().find((session) => session.id === id), ...more, id }, ...loadSessions().filter((session) => session.id !== id)]);

/** Remember a session that has just begun, with the pack of its levels if there is one: programs play the other actors. */
export const rememberNewSession = ({ id, default_actor: actor }, pack) => rememberSession(id, { pack, players: { actor, isChosen: false, by: {} } });

/**
 * Who plays in a session: the player's actor (null: all), whether the player chose it, and who was chosen to play each of the others;
 * undefined for a session that was not begun in this browser.
 */
export const playersOf = (id) => loadSessions().find((session) => session.id === id)?.players;

/** Where a tab keeps the sheet at the end of a level, which is shown again after a reload. */
export const endingKey = (id) => `gridproof.ending.${id}`;

/** Go on with a session at the level that follows, without the sheet of the one before. */
export const forgetEnding = (id) => save(endingKey(id), null, "sessionStorage");

const PUZZLES = "gridproof.puzzles";
const MAX_PUZZLES = 500;

/** Ids of the generated puzzles that this browser has played, the latest first. */
export const playedPuzzles = () => load(PUZZLES) ?? [];

export const rememberPuzzle = (id) => save(PUZZLES, [id, ...playedPuzzles().filter((other) => other !== id)].slice(0, MAX_PUZZLES));

const LESSONS = "gridproof.lessons";

/** The steps of a game's lesson that this browser has done: their numbers, from 1. */
export const lessonSteps = (game) => load(LESSONS)?.[game] ?? [];

/** Record that a step of a game's lesson is done. */
export const recordLessonStep = (game, number) =>
  save(LESSONS, { ...load(LESSONS), [game]: [...new Set([...lessonSteps(game), number])].sort((one, other) => one - other) });

/** The number of the first step that is not done yet; null if all are. */
export function nextLessonStep(game, count) {
  const done = new Set(lessonSteps(game));
  return Array.from({ length: count }, (_, index) => index + 1).find((number) => !done.has(number)) ?? null;
}

const SOLVED = "gridproof.solved";

/** Best counts of a level in this browser: {moves: 12}; undefined if it was not solved. */
export const bestCounts = (key) => load(SOLVED)?.[key];

/** Whether a solved level was only ever solved with hints, by its best counts: such a win counts nothing. */
export const isSolvedWithHints = ({ actions }) => actions === undefined;

/** A solved level in words, by its best counts. */
export const solvedWords = (counts) => (isSolvedWithHints(counts) ? "solved with hints" : "solved");

/** The mark of a solved level in a list, by its best counts. */
export const solvedMark = (counts) => (isSolvedWithHints(counts) ? "✓ with hints" : "✓");

/** The keys of all levels that were solved in this browser. */
export const solvedKeys = () => new Set(Object.keys(load(SOLVED) ?? {}));

/** Record that a level is solved; the lowest value of each count stays. */
export function recordSolved(key, counts) {
  const all = load(SOLVED) ?? {};
  const best = { ...all[key] };
  for (const [name, value] of Object.entries(counts)) best[name] = Math.min(best[name] ?? Infinity, value);
  save(SOLVED, { ...all, [key]: best });
}
