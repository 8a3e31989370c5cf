// The page: which screen an address means, settings, and levels that are dropped on it.

import { TYPING } from "./controls.js";
import { announce, byId, dialog, h, note, sentence } from "./dom.js";
import { set, settings } from "./kept.js";
import { levels } from "./screens/levels.js";
import { open, openText } from "./screens/open.js";
import { play } from "./screens/play.js";
import { start } from "./screens/start.js";

const SCREENS = [
  [/^\/$/, start],
  [/^\/levels\/([^/]+)\/([^/]+)$/, levels],
  [/^\/play\/([\w-]+)$/, play],
  [/^\/open$/, open],
  [/^\/edit(?:\/([^/]+))?$/, async (game) => (await import("./screens/edit.js")).edit(game)],
  [/^\/analyse(?:\/([^/]+)\/([^/]+)(?:\/(\d+))?)?$/, async (...place) => (await import("./screens/analyse.js")).analyse(...place)],
  [/^\/formulas$/, async () => (await import("./screens/formulas.js")).formulas()],
];

let current = null;
let turn = 0;

async function show() {
  turn += 1;
  const mine = turn;
  current?.leave?.();
  current = null;
  const main = byId("main");
  for (const [pattern, screen] of SCREENS) {
    const match = pattern.exec(location.pathname);
    if (!match) continue;
    main.replaceChildren(h("p", { className: "empty" }, "One moment …"));
    try {
      const shown = await screen(...match.slice(1).map((part) => part && decodeURIComponent(part)));
      if (mine !== turn) {
        shown.leave?.();
        return;
      }
      current = shown;
      document.title = shown.title ? `${shown.title} – gridproof` : "gridproof";
      byId("trail").replaceChildren(...(shown.trail ?? []).map(way));
      main.replaceChildren(...shown.content);
      shown.shown?.();
      if (shown.title) announce(shown.title);
    } catch (error) {
      if (mine === turn) sorry(error.message);
    }
    return;
  }
  sorry("There is no such page: the address may be mistyped, or the link is not whole.", "There is nothing here");
}

/** A part of the way to a screen: where one is stands last, and is left out where there is no room. */
const way = (part, number, parts) => (typeof part === "string" && number === parts.length - 1 ? h("span", { className: "here" }, part) : part);

function sorry(text, title = "That did not work") {
  document.title = "gridproof";
  byId("trail").replaceChildren();
  byId("main").replaceChildren(
    h("div", { className: "empty" }, h("h1", {}, title), h("p", {}, sentence(text)),
      h("p", { className: "row" }, h("a", { className: "button main", href: "/" }, "To the start"),
        h("button", { type: "button", onclick: show }, "Try again"))),
  );
  announce(text);
}

/** Go to an address of the page without loading it anew. */
export function go(address, replace = false) {
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
  go(link.pathname + link.hash);
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // or it would be another address, and the screen begin anew
  (document.querySelector(".stage") ?? byId("main")).focus();
});
document.addEventListener("gridproof:go", (event) => go(event.detail.address, event.detail.replace));
addEventListener("popstate", show);

// -- levels that are dropped or pasted on the page

document.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
document.addEventListener("drop", async (event) => {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  await opened(file.text());
});
document.addEventListener("paste", async (event) => {
  const text = event.clipboardData?.getData("text");
  if (!text?.trim() || event.target.closest?.(TYPING)) return;
  event.preventDefault();
  await opened(text);
});

/** A level or a trace as text is for the page that is shown, or played. */
async function opened(told) {
  try {
    const text = await told;
    await (current?.opened ? current.opened(text) : openText(text));
  } catch (error) {
    note(error.message, 8);
  }
}

// -- settings

function choice(label, name, options) {
  const select = h("select", { onchange: (event) => set(name, event.target.value) },
    options.map(([value, words]) => h("option", { value, selected: settings[name] === value }, words)));
  return h("label", { className: "field" }, label, select);
}

byId("settings").addEventListener("click", () =>
  dialog("Settings",
    choice("Colours", "theme", [["auto", "as the system"], ["light", "light"], ["dark", "dark"]]),
    choice("Motion", "motion", [["on", "as the system"], ["off", "everything at once"]]),
    h("label", { className: "field" }, "Your name for best counts",
      h("input", { value: settings.name, maxlength: 40, autocomplete: "nickname", onchange: (event) => set("name", event.target.value.trim()) })),
    h("p", { className: "small soft" }, "Colours can be told apart by the colour-blind, and shapes say the same. What is kept here stays in this browser.")));

navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
navigator.serviceWorker?.ready.then(({ active }) => {
  if (!navigator.serviceWorker.controller) active.postMessage("claim"); // a page that was still loading when the worker began
});
navigator.serviceWorker?.addEventListener("controllerchange", () => {
  const seen = performance.getEntriesByType("resource").filter(({ name }) => new URL(name).pathname.startsWith("/api/packs/"));
  for (const { name } of seen) fetch(name).catch(() => undefined); // what was seen before anybody kept it
});
show();
