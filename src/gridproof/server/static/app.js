// The router, the settings, and levels that are dropped or pasted on the page.

import { announce, button, byId, closeDialogs, dialog, h, isMotionAllowed, sentence, showToast } from "./dom.js";
import { TEXT_FIELDS } from "./keys.js";
import { open, openText, playLevel, start } from "./screens/start.js";
import { saveSetting, settings } from "./user_data.js";

const SCREENS = [
  [/^\/$/, start],
  [/^\/levels$/, async () => (await import("./screens/gallery.js")).gallery()],
  [/^\/levels\/([^/]+)$/, async (game) => (await import("./screens/levels.js")).firstLevels(game)],
  [/^\/levels\/([^/]+)\/([^/]+)$/, async (...pack) => (await import("./screens/levels.js")).levels(...pack)],
  [/^\/levels\/([^/]+)\/([^/]+)\/(\d+)$/, playLevel],
  [/^\/play\/([\w-]+)$/, async (id) => (await import("./screens/play.js")).play(id)],
  [/^\/open$/, open],
  [/^\/new(?:\/([^/]+))?$/, async (id) => (await import("./screens/new_puzzle.js")).newPuzzle(id)],
  [/^\/daily\/([^/]+)$/, async (game) => (await import("./screens/new_puzzle.js")).daily(game)],
  [/^\/rules\/([^/]+)$/, async (game) => (await import("./screens/rules.js")).rules(game)],
  [/^\/learn\/([^/]+)(?:\/(\d+))?$/, async (...place) => (await import("./screens/learn.js")).learn(...place)],
  [/^\/edit(?:\/([^/]+))?$/, async (game) => (await import("./screens/edit.js")).edit(game)],
  [/^\/analyse(?:\/([^/]+)\/([^/]+)(?:\/(\d+))?)?$/, async (...place) => (await import("./screens/analyse.js")).analyse(...place)],
  [/^\/statistics$/, async () => (await import("./screens/statistics.js")).statistics()],
  [/^\/formulas$/, async () => (await import("./screens/formulas.js")).formulas()],
];

let current = null;
let navigation = 0;

addEventListener("keydown", () => (document.documentElement.dataset.keys = "used"), { once: true, capture: true }); // before that, no ring marks the board

async function show() {
  if (location.hash.startsWith("#profile=")) import("./screens/statistics.js").then(({ offerProfile }) => offerProfile());
  navigation += 1;
  const own = navigation;
  const stays = current?.stays;
  current?.leave?.();
  current = null;
  const main = byId("main");
  for (const [pattern, screen] of SCREENS) {
    const match = pattern.exec(location.pathname);
    if (!match) continue;
    if (!stays && main.dataset.first !== location.pathname) main.replaceChildren(h("p", { className: "empty" }, "Loading …"));
    delete main.dataset.first;
    try {
      const next = await screen(...match.slice(1).map((part) => part && decodeURIComponent(part)));
      if (own !== navigation) {
        next.leave?.();
        return;
      }
      current = next;
      document.title = next.title ? `${next.title} – gridproof` : "gridproof";
      byId("breadcrumbs").replaceChildren(...(next.breadcrumbs ?? []).map(crumb));
      await showContent(main, next.content, stays);
      next.onShow?.();
      if (next.title) announce(next.title);
    } catch (error) {
      if (own === navigation) showError(error.message, error.title);
    }
    return;
  }
  showError("Check the address, or go back to the start.", "Page not found");
}

/** Show the content of a screen; a board that stays on the screen moves to its new place. */
async function showContent(main, content, moves) {
  const replace = () => main.replaceChildren(...content);
  if (moves && document.startViewTransition && main.querySelector(".stage") && isMotionAllowed()) await document.startViewTransition(replace).updateCallbackDone;
  else replace();
}

/** A breadcrumb. The last part is the current screen; narrow windows leave it out. */
const crumb = (part, number, parts) => (typeof part === "string" && number === parts.length - 1 ? h("span", { className: "here" }, part) : part);

function showError(text, title = "This page cannot be opened") {
  document.title = "gridproof";
  byId("breadcrumbs").replaceChildren();
  byId("main").replaceChildren(
    h("div", { className: "empty" }, h("h1", {}, title), h("p", {}, sentence(text)),
      h("p", { className: "row" }, h("a", { className: "button main", href: "/" }, "To the start"),
        button("Try again", show))),
  );
  announce(text);
}

function go(address, replace = false) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  scrollTo(0, 0);
  return show();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.target || link.download || link.getAttribute("href").startsWith("#")) return;
  if (/^\/(api|static|docs)\b/.test(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // otherwise the address would change and the screen start again
  (document.querySelector(".stage") ?? byId("main")).focus();
});
document.addEventListener("gridproof:go", (event) => go(event.detail.address, event.detail.replace));
addEventListener("popstate", () => {
  const address = closeDialogs(); // going back closes a dialog, and no more
  if (address) history.pushState(null, "", address);
  else show();
});

// -- levels that are dropped or pasted on the page

document.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
document.addEventListener("drop", async (event) => {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  await openDropped(file.text(), file.name);
});
document.addEventListener("paste", async (event) => {
  const text = event.clipboardData?.getData("text");
  if (!text?.trim() || event.target.closest?.(TEXT_FIELDS)) return;
  event.preventDefault();
  await openDropped(text);
});

/** Open a level or a trace: on the current screen if it can, else to play. The gallery keeps it. */
async function openDropped(source, name) {
  try {
    const text = await source;
    if (current?.keepText) await current.keepText(text, name);
    else await (current?.openText ? current.openText(text) : openText(text));
  } catch (error) {
    showToast(error.message, 8);
  }
}

// -- settings

function select(label, name, options) {
  const element = h("select", { onchange: (event) => saveSetting(name, event.target.value) },
    options.map(([value, words]) => h("option", { value, selected: settings[name] === value }, words)));
  return h("label", { className: "field" }, label, element);
}

byId("settings").addEventListener("click", () =>
  dialog("Settings",
    select("Colours", "theme", [["auto", "as the system"], ["light", "light"], ["dark", "dark"]]),
    select("Motion", "motion", [["on", "as the system"], ["off", "none"]]),
    select("Directions", "directions", [["board", "of the board: up, left"], ["own", "of your piece: ahead, to its left"]]),
    select("Sound", "sound", [["off", "off"], ["on", "quiet tones"]]),
    "vibrate" in navigator && select("Vibration", "vibration", [["off", "off"], ["on", "short"]]),
    h("label", { className: "field" }, "Your name in high scores",
      h("input", { value: settings.name, maxlength: 40, autocomplete: "nickname", onchange: (event) => saveSetting("name", event.target.value.trim()) })),
    h("p", { className: "small muted" }, "The colours are safe for colour-blind people. Settings stay in this browser.")));

navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
navigator.serviceWorker?.ready.then(({ active }) => {
  if (!navigator.serviceWorker.controller) active.postMessage("claim"); // a page that was still loading when the worker started
});
navigator.serviceWorker?.addEventListener("controllerchange", () => {
  const seen = performance.getEntriesByType("resource").filter(({ name }) => new URL(name).pathname.startsWith("/api/packs/"));
  for (const { name } of seen) fetch(name).catch(() => undefined); // files that were loaded before the worker could store them
});
show();
