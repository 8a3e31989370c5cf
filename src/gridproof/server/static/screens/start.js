// Four cards with a living picture each; before them, what can be gone on with.

import { ask } from "../api.js";
import { keptGames } from "../away/store.js";
import { h, note, sentence } from "../dom.js";
import { begun, forget, keep } from "../kept.js";
import { openDialog } from "./open.js";

const FIRST = 4; // games to go on with that are shown at once
const WAYS = [
  ["Open a level", "Paste its text, or choose a file: in any format, or a game that was saved.", openDialog],
  ["Make a level", "Draw it; what is wrong stands on its cell, and whether it can be won is proved.", "/edit"],
  ["Analyse a level", "How hard it is, where the win can be lost, and which pieces it needs.", "/analyse"],
  ["Ask a formula", "Can it be won with one push? Can one get stuck? The proof is shown on the board.", "/formulas"],
];

/** The screen at "/". */
export async function start() {
  const [{ games }, { sessions, away }] = await Promise.all([ask("games"), goOn()]);
  const titles = new Map(games.map((game) => [game.name, game.title]));
  return {
    title: "",
    content: [
      h("div", { className: "head" }, h("div", {}, h("h1", {}, "Grid puzzles to play, solve and prove"),
        h("p", {}, "Choose a game; it is kept as you play."))),
      away && h("p", { className: "panel away", role: "status" }, away),
      sessions.length > 0 && [
        h("div", { className: "section" }, h("h2", {}, "Go on"), sessions.length > FIRST && all(sessions, titles)),
        goingOn(sessions.slice(0, FIRST), titles),
        h("div", { className: "section" }, h("h2", {}, "Games")),
      ],
      h("ul", { className: "cards games" }, games.map(card)),
      h("div", { className: "section" }, h("h2", {}, "Levels of your own, and proofs")),
      h("ul", { className: "cards" }, WAYS.map(way)),
    ].flat(3).filter(Boolean),
  };
}

const goingOn = (sessions, titles) => h("ul", { className: "cards levels" }, sessions.map((session) => kept(session, titles)));

/** A button that shows all games to go on with, in the place of the latest. */
const all = (sessions, titles) => h("button", { type: "button", onclick: ({ target }) => {
  const list = goingOn(sessions, titles);
  target.parentElement.nextElementSibling.replaceWith(list);
  target.remove();
  list.children[FIRST].querySelector("a").focus();
} }, `All ${sessions.length} games`);

/** What was begun here; while the server is away, what goes on without it, and that in words. */
async function goOn() {
  const ids = begun();
  if (!ids.length) return { sessions: [] };
  const sessions = await known(ids);
  if (!sessions) return without(await keptGames(FIRST));
  const there = new Set(sessions.map(({ id }) => id));
  for (const id of ids) if (!there.has(id)) forget(id);
  return { sessions: sessions.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) };
}

/** Those sessions that the server keeps; null while it cannot be reached. */
async function known(ids) {
  try {
    return (await ask("sessions/known", { ids })).sessions;
  } catch (error) {
    if (error.code !== "offline") throw error;
    return null;
  }
}

const without = (sessions) => ({ sessions, away: `The server cannot be reached: what you played is safe, and ${sessions.length ? "these games go on without it" : "goes on when it is back"}.` });

function kept({ id, game, title, level, levels, completed }, titles) {
  const words = levels > 1 ? `level ${level} of ${levels}, ${completed.length} solved` : "";
  const name = titles.get(game) ?? game;
  return h("li", {}, h("article", { className: "card" },
    h("h2", {}, h("a", { href: `/play/${id}` }, title || name)),
    h("p", {}, [name, words].filter(Boolean).join(" · "))));
}

function card(game) {
  const [first] = game.packs;
  const address = first && `/levels/${first.name}`;
  return h("li", {}, h("article", { className: "card" },
    first && h("img", { src: `/api/packs/${first.name}/1.svg?width=320`, alt: "", width: 320, height: 240, loading: "lazy", onerror: (event) => event.target.remove() }),
    h("h2", {}, address ? h("a", { href: address }, game.title) : game.title),
    h("p", {}, sentence(game.meaning))));
}

const way = ([words, meaning, where]) => h("li", {}, h("article", { className: "card" },
  h("h2", {}, typeof where === "string" ? h("a", { href: where }, words) : h("button", { type: "button", onclick: where, "aria-haspopup": "dialog" }, words)),
  h("p", {}, meaning)));

/** Begin a session and go there; the page's address may be replaced by it in the browser's history. */
export async function begin(body, replace = false) {
  const { id, notices } = await ask("sessions", body);
  keep(id, body.pack);
  for (const notice of notices ?? []) note(notice, 8);
  document.dispatchEvent(new CustomEvent("gridproof:go", { detail: { address: `/play/${id}`, replace } }));
}
