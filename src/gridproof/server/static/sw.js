// The service worker: it stores the page, so that it opens offline. Of the API, it stores lists and pictures alone.
"use strict";

const NAME = "gridproof-1";
const GAMES = "gridproof-away"; // written by the pages
const SHELL = [
  "/", "/static/style.css", "/static/play.css", "/static/palette.css", "/static/tools.css", "/static/icon.svg", "/manifest.webmanifest", "/api/games",
  "/static/api.js", "/static/app.js", "/static/board.js", "/static/dialogs.js", "/static/dom.js", "/static/keys.js", "/static/level_screen.js",
  "/static/pointer.js", "/static/replay.js", "/static/report.js", "/static/result_dialog.js", "/static/share.js", "/static/sidebar.js", "/static/theme.js", "/static/user_data.js",
  "/static/edit/history.js", "/static/edit/panels.js", "/static/formula/completion.js",
  "/static/offline/game_cache.js", "/static/offline/local_game.js", "/static/offline/offline_play.js", "/static/offline/pending_moves.js", "/static/offline/transition_table.js",
  "/static/screens/analyse.js", "/static/screens/edit.js", "/static/screens/formulas.js", "/static/screens/levels.js", "/static/screens/play.js", "/static/screens/start.js",
];

self.addEventListener("install", (event) => {
  event.addRoutes?.({ condition: { requestMethod: "DELETE" }, source: "network" }); // sent by closing pages: it does not wait for this worker
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
    const stored = await cache.match(key);
    if (stored) return stored;
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
