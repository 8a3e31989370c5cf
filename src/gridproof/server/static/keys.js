// Key bindings: those of the game and its commands, and the player's own, stored for each game.

import { saveSetting, settings } from "./user_data.js";

const RESERVED_KEYS = ["f5", "ctrl+r"]; // the browser's keys to reload the page
const COMMAND_KEYS = { home: "restart", pageup: "levels" };
const ALL_GAMES = ""; // the key under which bindings of commands are stored

/** Key -> action or word of a command, on the level of a state. */
export function keyBindings({ game, keys, commands }) {
  const words = new Set(commands.map(({ word }) => word));
  const usual = { ...Object.fromEntries(Object.entries(COMMAND_KEYS).filter(([, word]) => words.has(word))), ...keys };
  for (const key of RESERVED_KEYS) delete usual[key];
  const own = Object.entries(settings.keys[ALL_GAMES] ?? {}).filter(([, word]) => words.has(word));
  return { ...usual, ...Object.fromEntries(own), ...settings.keys[game] };
}

/** Bind a key to an action of a game, or to a command of all games. */
export function bindKey({ game, meanings }, key, text) {
  const tables = { ...settings.keys, [game]: { ...settings.keys[game] } };
  delete tables[game][key]; // otherwise the key would not run the command
  const table = text in meanings ? game : ALL_GAMES;
  tables[table] = { ...tables[table], [key]: text };
  saveSetting("keys", tables);
}

/** Whether the player has changed keys. */
export const hasOwnBindings = () => Object.keys(settings.keys).length > 0;

export const resetBindings = () => saveSetting("keys", {});

const ARROWS = ["up", "down", "left", "right"];
const KEY_LABELS = { up: "↑", down: "↓", left: "←", right: "→", space: "space", pageup: "page up", pagedown: "page down" };

/** The label of a key, as on a keyboard. */
export const keyLabel = (key) => KEY_LABELS[key] ?? key.replace("ctrl+", "Ctrl ");

/** Text -> the key to show for it: an arrow, if it has one. */
export function keysByText(keys) {
  const found = new Map();
  for (const [key, text] of Object.entries(keys)) if (!found.has(text) || ARROWS.includes(key)) found.set(text, key);
  return found;
}

const ARIA_KEYS = { backspace: "Backspace", up: "ArrowUp", down: "ArrowDown", left: "ArrowLeft", right: "ArrowRight", space: "Space", home: "Home", pageup: "PageUp", pagedown: "PageDown" };

/** A key as `aria-keyshortcuts` has it. */
export const ariaShortcut = (key) => ARIA_KEYS[key] ?? (/^f\d+$/.test(key) ? key.toUpperCase() : key.replace("ctrl+", "Control+"));
