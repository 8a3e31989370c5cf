// The service worker: it stores the page, so that it opens offline. Of the API, it stores lists and pictures alone.
"use strict";

const VERSION = ""; // written by the server, as are the files
const FILES = [];
const NAME = `gridproof-${VERSION}`;
const GAMES = "gridproof-away"; // written by the pages
const PAGE = "/open"; // the page without the first board of an address
const SHELL = [PAGE, "/manifest.webmanifest", "/api/games", "/api/start", ...FILES];

self.addEventListener("install", (event) => {
  event.addRoutes?.({ condition: { requestMethod: "DELETE" }, source: "network" }); // sent by closing pages: it does not wait for this worker
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => ![NAME, GAMES].includes(name)).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => event.data === "claim" && event.waitUntil(self.clients.claim()));

/** The answer of the server, which is stored; while the server is away, the stored answer. */
async function fresh(request) {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const stored = await cache.match(request);
    if (stored) return stored;
    throw error;
  }
}

/** The page at any address; while the server is away, the stored page. */
const page = (request) => fetch(request).catch(async (error) => (await (await caches.open(NAME)).match(PAGE)) ?? Promise.reject(error));

/** A file whose address depends on its content. */
const immutable = async (request) => (await (await caches.open(NAME)).match(request)) ?? fetch(request);

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && !pathname.startsWith("/api/")) event.respondWith(page(request));
  else if (/^\/static\/bundle\//.test(pathname)) event.respondWith(immutable(request));
  else if (pathname.startsWith("/static/") || ["/api/games", "/api/packs", "/api/start"].includes(pathname) || pathname.startsWith("/api/packs/")) event.respondWith(fresh(request));
});
