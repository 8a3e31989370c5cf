// The start screen: games, sessions to continue, and tools; and levels that are opened from a text.

import { request } from "../api.js";
import { button, dialog, h, navigate, sentence, showToast } from "../dom.js";
import { offlineGames } from "../offline/game_cache.js";
import { encodeFragment, readLink } from "../share.js";
import { forgetSession, recentSessions, rememberSession } from "../user_data.js";

const FIRST = 4; // sessions that are shown at first
const TOOLS = [
  ["Open a level", "Paste its text or choose a file: levels in any format, or a saved game.", openDialog],
  ["Make a level", "Draw it. Problems are marked on the board, and a proof says whether it can be won.", "/edit"],
  ["Analyse a level", "How hard it is, where the win can be lost, and which pieces it needs.", "/analyse"],
  ["Ask a formula", "Can it be won with one push? Can you get stuck? The proof is shown on the board.", "/formulas"],
];

/** The screen at "/". */
export async function start() {
  const [{ games }, { sessions, offline }] = await Promise.all([request("games"), loadSessions()]);
  const titles = new Map(games.map((game) => [game.name, game.title]));
  return {
    title: "",
    content: [
      h("div", { className: "head" }, h("div", {}, h("h1", {}, "Grid puzzles to play, solve and prove"),
        h("p", {}, "Choose a game. Your progress is saved."))),
      offline && h("p", { className: "panel offline", role: "status" }, offline),
      sessions.length > 0 && [
        h("div", { className: "section" }, h("h2", {}, "Continue"), sessions.length > FIRST && showAllButton(sessions, titles)),
        sessionList(sessions.slice(0, FIRST), titles),
        h("div", { className: "section" }, h("h2", {}, "Games")),
      ],
      h("ul", { className: "cards games" }, games.map((game) => gameCard(game, game.packs[0] && `/levels/${game.packs[0].name}`, sentence(game.meaning)))),
      h("div", { className: "section" }, h("h2", {}, "Your own levels, and proofs")),
      h("ul", { className: "cards" }, TOOLS.map(toolCard)),
    ].flat(3).filter(Boolean),
  };
}

const sessionList = (sessions, titles) => h("ul", { className: "cards levels" }, sessions.map((session) => sessionCard(session, titles)));

/** A button that shows all sessions instead of the latest. */
const showAllButton = (sessions, titles) => button(`All ${sessions.length} games`, ({ target }) => {
  const list = sessionList(sessions, titles);
  target.parentElement.nextElementSibling.replaceWith(list);
  target.remove();
  list.children[FIRST].querySelector("a").focus();
});

/** The sessions of this browser; while the server is away, the sessions that can be played offline, and a note. */
async function loadSessions() {
  const ids = recentSessions();
  if (!ids.length) return { sessions: [] };
  try {
    const { sessions } = await request("sessions/known", { ids });
    const known = new Set(sessions.map(({ id }) => id));
    for (const id of ids) if (!known.has(id)) forgetSession(id);
    return { sessions: sessions.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) };
  } catch (error) {
    if (error.code !== "offline") throw error;
    const sessions = await offlineGames(FIRST);
    return { sessions, offline: `You are offline. Your games are safe: ${sessions.length ? "you can play on with these" : "reconnect to continue"}.` };
  }
}

function sessionCard({ id, game, title, level, levels, completed }, titles) {
  const words = levels > 1 ? `level ${level} of ${levels}, ${completed.length} solved` : "";
  const name = titles.get(game) ?? game;
  return h("li", {}, h("article", { className: "card" },
    h("h2", {}, h("a", { href: `/play/${id}` }, title || name)),
    h("p", {}, [name, words].filter(Boolean).join(" · "))));
}

/** A card with a picture of a game's first level, and a link. */
export const gameCard = ({ title, packs: [first] }, address, words) => h("li", {}, h("article", { className: "card" },
  first && h("img", { src: `/api/packs/${first.name}/1.svg?width=320`, alt: "", width: 320, height: 240, loading: "lazy", onerror: (event) => event.target.remove() }),
  h("h2", {}, address ? h("a", { href: address }, title) : title), words && h("p", {}, words)));

const toolCard = ([words, meaning, where]) => h("li", {}, h("article", { className: "card" },
  h("h2", {}, typeof where === "string" ? h("a", { href: where }, words) : button(words, where, { "aria-haspopup": "dialog" })),
  h("p", {}, meaning)));

/**
 * Create a session and go there, perhaps in place of the current history entry. If the game is over at the
 * end of a trace, play the trace there.
 */
export async function beginSession(body, replace = false) {
  const { id, notices, watch } = await request("sessions", body);
  rememberSession(id, body.pack);
  for (const notice of notices ?? []) showToast(notice, 8);
  navigate(`/play/${id}${watch ? `#${await encodeFragment({ trace: body.trace })}` : ""}`, replace);
}

/** The screen at "/open": opens the fragment's content, or shows an input for a text. */
export async function open() {
  const value = await readLink();
  if (value) {
    await beginSession(value, true); // going back to this address would create another session
    return { content: [] };
  }
  return { title: "Open a level", content: [h("div", { className: "head" }, h("h1", {}, "Open a level")), form()] };
}

export function openDialog() {
  const box = dialog("Open a level", form(() => box.close()));
}

/** Create a session from a text: a trace, else levels. */
export const openText = (text) => beginSession(text.trimStart().startsWith("{") ? { trace: text } : { text });

function form(done = () => undefined) {
  const text = h("textarea", { id: "level-text", spellcheck: "false", required: true });
  const error = h("p", { className: "error", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    error.textContent = "";
    try {
      await openText(text.value);
      done();
    } catch (refused) {
      error.textContent = refused.message;
    }
  };
  const file = h("input", { type: "file", id: "level-file", onchange: async () => {
    text.value = (await file.files[0]?.text()) ?? text.value;
  } });
  return h("form", { className: "panel", onsubmit: send },
    h("label", { for: "level-text" }, "Paste levels in any format, or a saved game (a trace)."), text,
    h("label", { for: "level-file" }, "Or choose a file. You can also drop it on any page."), file, error,
    h("div", { className: "row" }, h("button", { className: "main", type: "submit" }, "Play")));
}
