// Keys: their events, the bindings of the game and of the player, their labels; and buttons that repeat while they are held.

import { saveSetting, settings } from "./user_data.js";

const KEY_NAMES = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", " ": "space", Enter: "enter", Escape: "escape", Backspace: "backspace", Delete: "delete", Tab: "tab" };
const REPEAT_DELAY = 70; // milliseconds between two repetitions of a held key

/** The name of a key as tables of keys have it: "up", "a", "A", "ctrl+z". */
export function keyName(event) {
  const capital = event.shiftKey && event.key.length === 1 && !event.ctrlKey && !event.metaKey;
  const name = KEY_NAMES[event.key] ?? (capital ? event.key : event.key.toLowerCase());
  return (event.ctrlKey || event.metaKey ? "ctrl+" : "") + (event.altKey ? "alt+" : "") + name;
}

/** Elements that take keys and pasted text themselves. */
export const TEXT_FIELDS = "input, textarea, select, dialog, [contenteditable]";

/** Call `onKey(name)` for keys on the board; it returns whether the key had an effect. */
export function listenToKeys(onKey) {
  let last = 0;
  const listener = (event) => {
    if (event.defaultPrevented || event.target.closest?.(TEXT_FIELDS)) return;
    const onButton = event.target.closest?.("button, a, summary");
    if (onButton && (event.key === "Enter" || event.key === " ")) return;
    if (event.key === "Escape" && event.target.closest?.("[popover]")) return; // it closes the menu alone
    if (event.key === "Tab") return; // it moves the focus, as everywhere
    if (event.repeat && event.timeStamp - last < REPEAT_DELAY) {
      event.preventDefault();
      return;
    }
    if (onKey(keyName(event), event)) {
      last = event.timeStamp;
      event.preventDefault();
    }
  };
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}

const HOLD_DELAY = 450; // milliseconds until holding repeats
const HOLD_INTERVAL = 90;

/** A button that repeats its action while it is held. */
export function repeatWhileHeld(button, action) {
  let timer = 0;
  let repeated = false;
  const stop = () => clearTimeout(timer);
  const again = () => {
    repeated = true;
    if (button.disabled) return;
    action();
    timer = setTimeout(again, HOLD_INTERVAL);
  };
  button.addEventListener("pointerdown", () => {
    repeated = false;
    timer = setTimeout(again, HOLD_DELAY);
  });
  for (const name of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(name, stop);
  button.addEventListener("click", (event) => {
    if (!repeated || !event.detail) action(); // by a key, whatever the pointer did before
    repeated = false;
  });
}

const RESERVED_KEYS = ["f5", "ctrl+r"]; // the browser's keys to reload the page
const COMMAND_KEYS = { home: "restart", pageup: "levels" };
const ALL_GAMES = ""; // the key under which bindings of commands are stored

const LETTERS = { h: "left", j: "down", k: "up", l: "right", w: "up", a: "left", s: "down", d: "right" };

/** Let arrows, and the letters that stand for them, mean directions of the board: {up: text of an action, ...}. */
function turnArrows(keys, directions) {
  const arrows = [...ARROWS.map((name) => [name, name]), ...Object.entries(LETTERS).filter(([key, arrow]) => keys[key] && keys[key] === keys[arrow])];
  return Object.fromEntries(arrows.filter(([, arrow]) => directions[arrow]).map(([key, arrow]) => [key, directions[arrow]]));
}

/** Key -> action or word of a command, on the level of a state; arrows by the directions of the current position, if there are any. */
export function keyBindings({ game, keys, commands }, directions = {}) {
  const words = new Set(commands.map(({ word }) => word));
  const usual = { ...Object.fromEntries(Object.entries(COMMAND_KEYS).filter(([, word]) => words.has(word))), ...keys, ...turnArrows(keys, directions) };
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

/** How keys reach actions of a board on which arrows do not act themselves: lines of numbered boards are shifted. */
export const cursorWords = (keys, { numbers }) => ("right" in keys ? "" : numbers ? "Choose a tile by arrows, then shift its line by Shift+arrow" : "Choose a cell by arrows, then press Enter");

const ARIA_KEYS = { backspace: "Backspace", up: "ArrowUp", down: "ArrowDown", left: "ArrowLeft", right: "ArrowRight", space: "Space", home: "Home", pageup: "PageUp", pagedown: "PageDown" };

/** A key as `aria-keyshortcuts` has it. */
export const ariaShortcut = (key) => ARIA_KEYS[key] ?? (/^f\d+$/.test(key) ? key.toUpperCase() : /^[A-Z]$/.test(key) ? `Shift+${key}` : key.replace("ctrl+", "Control+"));
