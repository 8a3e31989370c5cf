// What this browser keeps: settings, the games that were begun, and what was solved with which counts.

import { read, write } from "./storage.js";

const kept = (name, otherwise = {}) => ({ ...otherwise, ...read(`gridproof.${name}`) });
const store = (name, value) => write(`gridproof.${name}`, value);

export const settings = kept("settings", { theme: "auto", motion: "on", keys: {}, name: "", badge: "request" });

export function set(name, value) {
  settings[name] = value;
  store("settings", settings);
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  if (settings.motion === "off") root.dataset.motion = "off";
  else delete root.dataset.motion;
}

const MOST = 40;

/** The ids of the games that were begun here, the latest first. */
export const begun = () => Object.entries(kept("sessions")).sort((a, b) => b[1] - a[1]).map(([id]) => id);

/** Keep a game among them; of one that was begun here also the pack that its levels are of. */
export function keep(id, pack) {
  const all = { ...kept("sessions"), [id]: Date.now() };
  const latest = Object.entries(all).sort((a, b) => b[1] - a[1]).slice(0, MOST);
  store("sessions", Object.fromEntries(latest));
  if (!pack) return;
  const packs = { ...kept("packs"), [id]: pack };
  store("packs", Object.fromEntries(latest.map(([one]) => [one, packs[one]]).filter(([, known]) => known)));
}

/** The pack whose levels a game has; undefined where that is not known here. */
export const packOf = (id) => kept("packs")[id];

export function forget(id) {
  const all = kept("sessions");
  delete all[id];
  store("sessions", all);
}

/** Counts that a level was solved with here: {moves: 12}; undefined when it was not. */
export const solved = (key) => kept("solved")[key];

/** Keep the least of each count; of a level without counts, that it was solved. */
export function keepSolved(key, counts) {
  const all = kept("solved");
  const best = { ...all[key] };
  for (const [name, value] of Object.entries(counts)) best[name] = Math.min(best[name] ?? Infinity, value);
  store("solved", { ...all, [key]: best });
}
