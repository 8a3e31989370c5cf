// Helpers: elements, toasts, dialogs, and announcements for screen readers.

import { markEdges } from "./scroll_edges.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(element.dataset, value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name === "className" ? "class" : name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element of HTML: `h("button", { onclick }, "Undo")`. */
export const h = (name, properties, ...children) => fill(document.createElement(name), properties, children);

/** An element of SVG. */
export const s = (name, properties, ...children) => fill(document.createElementNS(SVG, name), properties, children);

/** A button: `button("Undo", undo, { title: "Take it back" })`. */
export const button = (content, onclick, properties = {}) => h("button", { type: "button", onclick, ...properties }, content);

export const byId = (id) => document.getElementById(id);

const ANNOUNCE_DELAY = 150; // milliseconds in which announcements are joined

/** An element of the page, or of the dialog that covers it. */
const topmost = (selector) => ([...document.querySelectorAll("dialog[open]")].at(-1) ?? document).querySelector(selector);

let announcements = [];

/** Announce a text to screen readers, joined with texts that follow within a moment. */
export function announce(text) {
  if (!text) return;
  if (!announcements.length) setTimeout(flushAnnouncements, ANNOUNCE_DELAY);
  announcements.push(text);
}

function flushAnnouncements() {
  const live = topmost(".live");
  const text = announcements.map((words) => (/[.!?…]$/.test(words) || words === announcements.at(-1) ? words : `${words}.`)).join(" ");
  live.textContent = text === live.textContent ? `${text}\u00a0` : text; // otherwise an equal text is not announced again
  announcements = [];
}

/**
 * Show a short message for some seconds, above the board if there is one; it replaces the last one. `top` is its place in the window,
 * `from` where the room for it begins at its left.
 */
export function showToast(text, seconds = 4, top = null, from = null) {
  const element = h("p", { className: "toast" }, text);
  const stage = document.querySelector("main .stage")?.getBoundingClientRect();
  const { style } = document.querySelector("body > .toasts");
  const left = from ?? stage?.left;
  style.left = stage ? `${(left + stage.right) / 2}px` : "";
  style.width = from === null ? "" : `${stage.right - from - 16}px`;
  style.top = top === null ? "" : `${top}px`;
  topmost(".toasts").replaceChildren(element);
  announce(text);
  setTimeout(() => element.remove(), 1000 * seconds);
}

/** A small button that explains a word beside it: fingers see no titles. */
export const whyButton = (label, text) => button("?", () => showToast(text, 12), { className: "quiet why", "aria-label": label });

/** Whether the page is used with fingers: then it names no keys. The style sheet asks the same. */
export const isTouched = () => matchMedia("(hover: none), (pointer: coarse)").matches;

/** Whether an element reaches beyond the window, or under the short message. */
export function isOutOfSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  const message = topmost(".toasts").getBoundingClientRect();
  return top < 0 || bottom > innerHeight || (top < message.bottom && bottom > message.top);
}

/** Scroll the page until an element is in sight. */
export const scrollIntoSight = (element) =>
  isOutOfSight(element) && element.scrollIntoView({ block: "nearest", behavior: isMotionAllowed() ? "smooth" : "auto" });

/** Scroll a column that scrolls by itself until all of a part is in sight, or as much of its beginning as there is room for. */
export function scrollWithin(column, part) {
  const [room, place] = [column.getBoundingClientRect(), part.getBoundingClientRect()];
  column.scrollTop += Math.max(0, Math.min(place.bottom - room.bottom, place.top - room.top));
}

/** Hide short messages that are about an earlier position. */
export const hideToasts = () => document.querySelector("body > .toasts")?.replaceChildren();

/** A dialog that is closed with Escape, by its button, or by a click beside it. */
export const dialog = (title, ...content) => openDialog(title, content, (close) => [button("Close", close)]);

/** A question with two answers: the first one does something, the second, `no`, does not. */
export const ask = (title, text, [yes, action], no) => openDialog(title, [h("p", {}, text)], (close) => [
  button(yes, () => {
    close();
    action();
  }, { className: "main" }),
  button(no, close),
]);

function openDialog(title, content, buttonsOf) {
  const element = h("dialog", { "aria-label": title, dataset: { address: location.href } },
    h("div", { className: "inside" }, h("h2", {}, title), ...content, h("div", { className: "row end" }, buttonsOf(() => element.close()))),
    h("p", { className: "visually-hidden live", role: "status" }), h("div", { className: "toasts" }));
  element.addEventListener("click", (event) => event.target === element && element.close());
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  markEdges(element);
  element.showModal();
  return element;
}

/** Close all dialogs, the last one first; the address of the page below them, or undefined without any. */
export function closeDialogs() {
  const open = [...document.querySelectorAll("dialog[open]")].reverse();
  for (const element of open) element.close();
  return open.at(-1)?.dataset.address;
}

/** Whether animations are shown: by the page's setting, else by the system's. */
export const isMotionAllowed = () =>
  document.documentElement.dataset.motion !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Words that begin with a capital letter. */
export const sentenceCase = (words) => words && `${words[0].toUpperCase()}${words.slice(1)}`;

/** Words as a sentence. */
export const sentence = (words) => words && `${sentenceCase(words)}${/[.!?]$/.test(words) ? "" : "."}`;

/** A word of the plural as one of the singular: "move", "push", "box". */
export const singular = (word) => word.replace(/(sh|ch|x)es$/, "$1").replace(/([^s])s$/, "$1");

/** A number as people write it: "4,008". */
export const formatNumber = (number) => number.toLocaleString("en");

/** Join names as a person lists them: "a, b and c". */
export const joinNames = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

/** A number with its word in the plural: "1 move", "3 moves". */
export const formatCount = (number, word) => `${formatNumber(number)} ${number === 1 ? singular(word) : word}`;

const ICONS = { start: "M3 2h2v12H3zM14 2v12L6 8z", back: "M12 2v12L4 8z", on: "M4 2v12l8-6z" };

/** A small picture for a button, in the colour of its text. */
export const icon = (name) => s("svg", { viewBox: "0 0 16 16", className: "icon", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

/** Resolve after a number of milliseconds. */
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Call a function once a number of milliseconds have passed without another call. */
export function debounce(action, milliseconds) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), milliseconds);
  };
}

/** Go to an address of the page without a reload. */
export const navigate = (address, replace = false) =>
  document.dispatchEvent(new CustomEvent("gridproof:go", { detail: { address, replace } }));

/** Wrap a function so that its errors are shown in a toast. */
export const reportErrors = (action) => async (...given) => {
  try {
    return await action(...given);
  } catch (error) {
    showToast(error.message, 8);
    return undefined;
  }
};
