// What keys mean on a level: what the game and its commands have, and the player's own, kept for each game.

import { set, settings } from "./kept.js";

const BROWSERS_OWN = ["f5", "ctrl+r"]; // they load a page again, and go on doing so
const INSTEAD = { home: "restart", pageup: "levels" };
const COMMANDS = ""; // what keys of commands are kept under

/** Key -> action or word of a command, on the level that a state is about. */
export function keysOn({ game, keys, commands }) {
  const words = new Set(commands.map(({ word }) => word));
  const usual = { ...Object.fromEntries(Object.entries(INSTEAD).filter(([, word]) => words.has(word))), ...keys };
  for (const key of BROWSERS_OWN) delete usual[key];
  return { ...usual, ...settings.keys[COMMANDS], ...settings.keys[game] };
}

/** Have a key mean an action of a game, or a command of all games. */
export function bind({ game, meanings }, key, text) {
  const tables = { ...settings.keys, [game]: { ...settings.keys[game] } };
  delete tables[game][key]; // or a command would not be heard on it
  const table = text in meanings ? game : COMMANDS;
  tables[table] = { ...tables[table], [key]: text };
  set("keys", tables);
}

/** Whether the player has keys of one's own. */
export const bound = () => Object.keys(settings.keys).length > 0;

export const unbind = () => set("keys", {});

const ARROWS = ["up", "down", "left", "right"];
const CAPS = { up: "↑", down: "↓", left: "←", right: "→", space: "space", pageup: "page up", pagedown: "page down" };

/** A key as it stands on a keyboard. */
export const keyCap = (key) => CAPS[key] ?? key.replace("ctrl+", "Ctrl ");

/** For each text the key to be shown: an arrow where there is one. */
export function keysByText(keys) {
  const found = new Map();
  for (const [key, text] of Object.entries(keys)) if (!found.has(text) || ARROWS.includes(key)) found.set(text, key);
  return found;
}

const NAMES = { backspace: "Backspace", up: "ArrowUp", down: "ArrowDown", left: "ArrowLeft", right: "ArrowRight", space: "Space", home: "Home", pageup: "PageUp", pagedown: "PageDown" };

/** A key as `aria-keyshortcuts` has it. */
export const shortcut = (key) => NAMES[key] ?? (/^f\d+$/.test(key) ? key.toUpperCase() : key.replace("ctrl+", "Control+"));
