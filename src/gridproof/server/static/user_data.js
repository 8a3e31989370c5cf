// What this browser stores: settings, sessions, and the best counts of solved levels.

import { load, save } from "./local_storage.js";

const loadData = (name, otherwise = {}) => ({ ...otherwise, ...load(`gridproof.${name}`) });
const saveData = (name, value) => save(`gridproof.${name}`, value);

export const settings = loadData("settings", { theme: "auto", motion: "on", keys: {}, name: "", badge: "request" });

export function saveSetting(name, value) {
  settings[name] = value;
  saveData("settings", settings);
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  if (settings.motion === "off") root.dataset.motion = "off";
  else delete root.dataset.motion;
}

const MOST = 40;

/** Ids of the sessions of this browser, the latest first. */
export const recentSessions = () => Object.entries(loadData("sessions")).sort((a, b) => b[1] - a[1]).map(([id]) => id);

/** Remember a session, with the pack of its levels if there is one. */
export function rememberSession(id, pack) {
  const all = { ...loadData("sessions"), [id]: Date.now() };
  const latest = Object.entries(all).sort((a, b) => b[1] - a[1]).slice(0, MOST);
  saveData("sessions", Object.fromEntries(latest));
  if (!pack) return;
  const packs = { ...loadData("packs"), [id]: pack };
  saveData("packs", Object.fromEntries(latest.map(([one]) => [one, packs[one]]).filter(([, known]) => known)));
}

/** The pack of a session; undefined without one. */
export const packOf = (id) => loadData("packs")[id];

export function forgetSession(id) {
  const all = loadData("sessions");
  delete all[id];
  saveData("sessions", all);
}

/** Best counts of a level in this browser: {moves: 12}; undefined if it was not solved. */
export const bestCounts = (key) => loadData("solved")[key];

/** Record that a level is solved; the lowest value of each count stays. */
export function recordSolved(key, counts) {
  const all = loadData("solved");
  const best = { ...all[key] };
  for (const [name, value] of Object.entries(counts)) best[name] = Math.min(best[name] ?? Infinity, value);
  saveData("solved", { ...all, [key]: best });
}
