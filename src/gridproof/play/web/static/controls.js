// What keys, mouse and fingers mean; what is done is for the screen to say.

const NAMES = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", " ": "space", Enter: "enter", Escape: "escape", Backspace: "backspace", Delete: "delete", Tab: "tab" };
const REPEAT = 70; // milliseconds between two of a key that is held
const SLOP = 10; // pixels that a tap may wander

/** The name of a key as tables of keys have it: "up", "a", "A", "ctrl+z". */
export function keyName(event) {
  const capital = event.shiftKey && event.key.length === 1 && !event.ctrlKey && !event.metaKey;
  const name = NAMES[event.key] ?? (capital ? event.key : event.key.toLowerCase());
  return (event.ctrlKey || event.metaKey ? "ctrl+" : "") + (event.altKey ? "alt+" : "") + name;
}

/** Where keys and what is pasted are for what is typed. */
export const TYPING = "input, textarea, select, dialog, [contenteditable]";

/** Call `pressed(name)` for keys that are meant for the board; it says whether the key meant something. */
export function listenToKeys(pressed) {
  let last = 0;
  const heard = (event) => {
    if (event.defaultPrevented || event.target.closest?.(TYPING)) return;
    const onButton = event.target.closest?.("button, a, summary");
    if (onButton && (event.key === "Enter" || event.key === " ")) return;
    if (event.key === "Tab") return; // it moves the focus, as everywhere
    if (event.repeat && event.timeStamp - last < REPEAT) {
      event.preventDefault();
      return;
    }
    if (pressed(keyName(event), event)) {
      last = event.timeStamp;
      event.preventDefault();
    }
  };
  document.addEventListener("keydown", heard);
  return () => document.removeEventListener("keydown", heard);
}

/**
 * Listen to fingers and mouse on a stage: `tapped(cell)`, `dragBegan(cell, way)`, `dragged(pixels)`,
 * `dropped(from, to, way, pixels)`, `released()`,
 * and `over(cell)` while the mouse only looks (null when it has left). A way is [1, 0], [0, -1], ...: the main direction of a drag.
 */
export function listenToPointers(stage, board, { tapped, dragBegan, dragged, dropped, released, over }) {
  let held = null;
  const down = (event) => {
    if (event.button > 0 || event.target.closest(".veil, button, a")) return;
    held = { id: event.pointerId, x: event.clientX, y: event.clientY, cell: board().cellAt(event.clientX, event.clientY), way: null };
    stage.setPointerCapture(event.pointerId);
  };
  const move = (event) => {
    if (!held && event.pointerType === "mouse") over(board().cellAt(event.clientX, event.clientY));
    if (!held || event.pointerId !== held.id) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.way && Math.hypot(x, y) > SLOP) {
      held.way = Math.abs(x) > Math.abs(y) ? [Math.sign(x), 0] : [0, Math.sign(y)];
      dragBegan(held.cell, held.way);
    }
    if (held.way) dragged(x * held.way[0] + y * held.way[1]);
  };
  const up = (event) => {
    if (!held || event.pointerId !== held.id) return;
    const { cell, way, x, y } = held;
    held = null;
    if (!way) tapped(cell);
    else dropped(cell, board().cellAt(event.clientX, event.clientY), way, (event.clientX - x) * way[0] + (event.clientY - y) * way[1]);
  };
  const lost = () => {
    if (held) released();
    held = null;
  };
  stage.addEventListener("pointerdown", down);
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerup", up);
  stage.addEventListener("pointercancel", lost);
  stage.addEventListener("pointerleave", () => over(null));
}

const WAIT = 450; // milliseconds until holding repeats
const AGAIN = 90;

/** A button that does its deed again and again while it is held. */
export function whileHeld(button, deed) {
  let timer = 0;
  let repeated = false;
  const stop = () => clearTimeout(timer);
  const again = () => {
    repeated = true;
    if (button.disabled) return;
    deed();
    timer = setTimeout(again, AGAIN);
  };
  button.addEventListener("pointerdown", () => {
    repeated = false;
    timer = setTimeout(again, WAIT);
  });
  for (const name of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(name, stop);
  button.addEventListener("click", (event) => {
    if (!repeated || !event.detail) deed(); // by a key, whatever a finger did before
    repeated = false;
  });
}
