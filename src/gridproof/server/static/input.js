// Keyboard, mouse and touch events.

const KEY_NAMES = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", " ": "space", Enter: "enter", Escape: "escape", Backspace: "backspace", Delete: "delete", Tab: "tab" };
const REPEAT_DELAY = 70; // milliseconds between two repetitions of a held key
const TAP_RADIUS = 10; // pixels that a tap may move

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

/**
 * Listen to fingers and mouse on a stage: `onTap(cell)`, `onDragStart(cell, way)`, `onDrag(pixels)`,
 * `onDrop(from, to, way, pixels)`, `onRelease()`,
 * and `onHover(cell)` while no button is pressed (null when the mouse has left). A way is [1, 0], [0, -1], ...: the main direction of a drag.
 */
export function listenToPointers(stage, board, { onTap, onDragStart, onDrag, onDrop, onRelease, onHover }) {
  let press = null;
  const down = (event) => {
    if (event.button > 0 || event.target.closest(".overlay, button, a")) return;
    press = { id: event.pointerId, x: event.clientX, y: event.clientY, cell: board().cellAt(event.clientX, event.clientY), way: null };
    stage.setPointerCapture(event.pointerId);
  };
  const move = (event) => {
    if (!press && event.pointerType === "mouse") onHover(board().cellAt(event.clientX, event.clientY));
    if (!press || event.pointerId !== press.id) return;
    const [x, y] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.way && Math.hypot(x, y) > TAP_RADIUS) {
      press.way = Math.abs(x) > Math.abs(y) ? [Math.sign(x), 0] : [0, Math.sign(y)];
      onDragStart(press.cell, press.way);
    }
    if (press.way) onDrag(x * press.way[0] + y * press.way[1]);
  };
  const up = (event) => {
    if (!press || event.pointerId !== press.id) return;
    const { cell, way, x, y } = press;
    press = null;
    if (!way) onTap(cell);
    else onDrop(cell, board().cellAt(event.clientX, event.clientY), way, (event.clientX - x) * way[0] + (event.clientY - y) * way[1]);
  };
  const lost = () => {
    if (press) onRelease();
    press = null;
  };
  stage.addEventListener("pointerdown", down);
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerup", up);
  stage.addEventListener("pointercancel", lost);
  stage.addEventListener("pointerleave", () => onHover(null));
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
