// The page is kept, so that it opens without the server; what is asked of the server never is, but pictures and lists.
"use strict";

const NAME = "gridproof-1";
const GAMES = "gridproof-away"; // which pages keep themselves
const SHELL = [
  "/", "/static/style.css", "/static/play.css", "/static/palette.css", "/static/theme.js", "/static/app.js", "/static/api.js", "/static/badge.js", "/static/players.js", "/static/requests.js", "/static/speeds.js", "/static/talk.js",
  "/static/board.js", "/static/controls.js", "/static/dialogs.js", "/static/dom.js", "/static/kept.js", "/static/storage.js", "/static/keys.js", "/static/cursor.js", "/static/dragging.js", "/static/rail.js",
  "/static/replay.js", "/static/typing.js", "/static/share.js", "/static/veil.js", "/static/screens/start.js", "/static/screens/levels.js",
  "/static/screens/open.js", "/static/screens/play.js", "/static/screens/edit.js", "/static/screens/formulas.js", "/static/screens/analyse.js",
  "/static/edit/about.js", "/static/edit/history.js", "/static/edit/panels.js", "/static/edit/proof.js", "/static/formula/completion.js", "/static/choice.js", "/static/claims.js", "/static/jobs.js", "/static/shown.js",
  "/static/away/apart.js", "/static/away/away.js", "/static/away/game.js", "/static/away/line.js", "/static/away/store.js", "/static/away/tab.js", "/static/away/table.js",
  "/static/tools.css", "/static/icon.svg", "/manifest.webmanifest", "/api/games",
];

self.addEventListener("install", (event) => {
  event.addRoutes?.({ condition: { requestMethod: "DELETE" }, source: "network" }); // sent by pages that go: it does not wait for this worker
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => ![NAME, GAMES].includes(name)).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => event.data === "claim" && event.waitUntil(self.clients.claim()));

async function fresh(request, key) {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    const page = answer.headers.get("Content-Type")?.startsWith("text/html");
    if (answer.ok && (page || key !== "/")) await cache.put(key, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && !pathname.startsWith("/api/")) event.respondWith(fresh(request, "/"));
  else if (pathname.startsWith("/static/") || pathname === "/api/games" || pathname.startsWith("/api/packs/")) event.respondWith(fresh(request, request));
});
