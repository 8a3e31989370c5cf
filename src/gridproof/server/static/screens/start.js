// The start screen: a level to play at once, sessions to continue, the games, and what else can be done here.

import { request } from "../api.js";
import { button, h, isTouched, navigate, sentence, showToast } from "../dom.js";
import { FeaturedBoard } from "../featured_board.js";
import { keepFirstAction } from "../first_action.js";
import { offlineGames } from "../offline/game_cache.js";
import { readPackAddress } from "../own_packs.js";
import { encodeFragment, readLink } from "../share.js";
import { bestCounts, forgetEnding, forgetSession, isSolvedWithHints, packOf, playedPuzzles, recentSessions, rememberNewSession, rememberPuzzle, rememberSession, solvedWords } from "../user_data.js";
import { touchWords } from "../words.js";

const FIRST = 4; // sessions that are shown at first
const TOOLS = [
  ["New puzzle", "Choose a game, a size and how hard: a fresh one, proved to be winnable.", "/new", "puzzles"],
  ["All levels", "Every pack with its author and your progress. Search, and add collections of your own.", "/levels"],
  ["Make a level", "Draw it. Problems are marked on the board, and a proof says whether it can be won.", "/edit"],
  ["Analyse a level", "How hard it is, where the win can be lost, and which pieces it needs.", "/analyse"],
  ["Prove a claim", "Can it be won with one push? Can you get stuck? The proof is shown on the board.", "/formulas"],
  ["Open a level", "Paste its text or choose a file: levels in any format, or a saved game.", "/open"],
];

const DOCS = [
  ["For teachers", "Lessons on search, deadlock and proof, with tasks and their grading.", "teachers/"],
  ["Documentation", "How to play, the rules, the proofs, and how to add a game of your own.", ""],
];

/** The screen at "/". */
export async function start() {
  const { games, featured, docs } = await request("start");
  const screen = new Start(games, featured, docs);
  screen.fill();
  return screen;
}

class Start {
  constructor(games, featured, docs) {
    this.title = "";
    this.titles = new Map(games.map((game) => [game.name, game.title]));
    this.featured = featured && new FeaturedBoard(featured, (what) => this.#play(featured, what));
    this.error = h("p", { className: "error", role: "alert" });
    this.sessions = h("section", { className: "sessions", hidden: !recentSessions().length, "aria-label": "Continue" }, placeholder());
    const daily = games.filter(({ puzzles }) => puzzles);
    const tools = TOOLS.filter(([, , , needs]) => !needs || games.some((game) => game[needs]));
    this.content = [
      this.#head(featured),
      this.sessions,
      daily.length > 0 && dailySection(daily),
      section("Games", h("ul", { className: "cards games" }, games.map((game) => gameCard(game, game.packs[0] && `/levels/${game.packs[0].name}`, sentence(game.invitation))))),
      section("More to do here", h("ul", { className: "cards tools" }, [...tools, ...(docs ? DOCS.map(([words, meaning, page]) => [words, meaning, `${docs}/${page}`]) : [])].map(toolCard))),
    ].filter(Boolean);
  }

  #head(featured) {
    const { board, verdict } = this.featured ?? {};
    const brand = [h("h1", {}, "Grid puzzles with proof"), h("p", { className: "muted" }, "A proof beside the board tells you whether you can still win.")];
    if (!board) return h("div", { className: "head" }, h("div", {}, brand));
    const gestures = featured.gestures ? featured.gestures[0].toLowerCase() + featured.gestures.slice(1) : "click the board.";
    const solved = bestCounts(featured.key) && h("span", { className: "solved" }, `✓ ${solvedWords(bestCounts(featured.key))}`);
    return h("div", { className: "featured" }, h("div", { className: "brand-line" }, brand), h("div", { className: "board-side" }, this.featured.stage, verdict),
      h("section", { className: "about", "aria-label": "Today's level" },
        h("p", { className: "small muted" }, featured.headline, solved && " · ", solved),
        h("h2", { className: "name" }, featured.title),
        h("p", { className: "goal" }, featured.goal),
        button("Play", () => this.featured.begin(null), { className: "main" }),
        h("p", { className: "small muted keyboard" }, `Or just start: ${featured.keys.right ? "press an arrow key, or click the board." : gestures}`),
        h("p", { className: "small muted touch" }, `Or just start: ${featured.keys.right ? "swipe on the board." : touchWords(gestures)}`), this.error));
  }

  /** Begin the session of the featured level, with the first action; without one, go on with a session of it. Returns whether that worked. */
  async #play({ begin }, what) {
    this.error.textContent = "";
    try {
      const isFeatured = (session) => (begin.puzzle ? session.puzzle === begin.puzzle : packOf(session.id) === begin.pack && session.level === begin.level);
      if (what || !(await continueGame(isFeatured, false))) await beginSession(begin, false, what);
      return true;
    } catch ({ message }) {
      this.error.textContent = message;
      return false;
    }
  }

  /** Show what other requests answer. */
  fill() {
    fillSessions(this.sessions, this.titles);
  }

  onShow() {
    if (!isTouched()) this.featured?.stage.focus({ preventScroll: true });
  }

  get stays() {
    return Boolean(this.featured?.begun); // until its session is shown, so that the board does not vanish in between
  }

  leave() {
    this.featured?.leave();
  }
}

const section = (title, ...content) => h("section", { "aria-label": title }, h("div", { className: "section" }, h("h2", {}, title)), content);

// -- sessions

/** Room for the first session while it is requested, so that nothing moves. */
const placeholder = () => [h("div", { className: "section" }, h("h2", {}, "Continue")), h("ul", { className: "cards levels continue" }, h("li", {}, h("div", { className: "card" }, h("span", { className: "picture" }), h("span", {}, "\u00a0"))))];

async function fillSessions(place, titles) {
  const { sessions, offline } = await loadSessions().catch(({ message }) => ({ sessions: [], offline: message }));
  const first = sessions.filter((session, place) => !session.over && !isSolved(session, sessions) && sessions.findIndex((other) => isSameLevel(session, other)) === place).slice(0, FIRST);
  place.hidden = !sessions.length && !offline;
  place.replaceChildren(...[
    offline && h("p", { className: "panel offline", role: "status" }, offline),
    sessions.length > 0 && h("div", { className: "section" }, h("h2", {}, first.length ? "Continue" : "Your games"), sessions.length > first.length && showAllButton(sessions, titles)),
    sessions.length > 0 && sessionList(first, titles),
  ].filter(Boolean));
}

/** Whether two sessions have the same levels: those of a pack, or one puzzle. */
const hasSameLevels = (one, other) => one === other || (one.puzzle === other.puzzle && packOf(one.id) === packOf(other.id) && Boolean(one.puzzle ?? packOf(one.id)));

const isSameLevel = (one, other) => one.level === other.level && hasSameLevels(one, other);

/** Whether the level of a session is solved, and nobody has played it in this session since. */
function isSolved(session, sessions) {
  const ids = recentSessions();
  const isLater = ({ id }) => ids.indexOf(id) < ids.indexOf(session.id);
  return sessions.some((other) => hasSameLevels(session, other) && other.completed.includes(session.level) && (session.actions === 0 || isLater(other)));
}

const sessionList = (sessions, titles) => h("ul", { className: "cards levels continue" }, sessions.map((session) => sessionCard(session, titles)));

/** A button that shows all sessions instead of the latest. */
const showAllButton = (sessions, titles) => button(sessions.length > 1 ? `All ${sessions.length} saved games` : "The saved game", ({ target }) => {
  const before = target.parentElement.nextElementSibling;
  const list = sessionList(sessions, titles);
  before.replaceWith(list);
  target.previousElementSibling.textContent = "Your games"; // those that are over cannot be continued
  target.remove();
  list.children[before.childElementCount].querySelector("a").focus();
});

/** The sessions of this browser in which somebody has played, the latest first. */
async function knownSessions() {
  const ids = recentSessions();
  const { sessions } = ids.length ? await request("sessions/known", { ids }) : { sessions: [] };
  const known = new Set(sessions.map(({ id }) => id));
  for (const id of ids) if (!known.has(id)) forgetSession(id);
  return sessions.filter(({ begun }) => begun).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** Go on with the latest game of this browser that passes a test and is not over, perhaps in place of this address; whether there is one. */
export async function continueGame(isWanted, replace = true) {
  const found = (await knownSessions()).find((session) => !session.over && isWanted(session));
  if (found) forgetEnding(found.id);
  if (found) navigate(`/play/${found.id}`, replace);
  return Boolean(found);
}

/** These sessions, those that are over last; while the server is away, the sessions that can be played offline, and a note. */
async function loadSessions() {
  try {
    return { sessions: (await knownSessions()).sort((a, b) => a.over - b.over) };
  } catch (error) {
    if (error.code !== "offline") throw error;
    const sessions = await offlineGames(FIRST);
    return { sessions, offline: `You are offline. Your games are safe: ${sessions.length ? "you can play on with these" : "reconnect to continue"}.` };
  }
}

function sessionCard(session, titles) {
  const { id, game, title, level, levels, actions, completed, completed_word: word, of_the_day: isDaily, over } = session;
  const isNext = completed.length > 0 && !completed.includes(level) && actions === 0;
  const words = [levels > 1 && `level ${level} of ${levels}`, levels === 1 && completed.length > 0 && word, over && !completed.includes(level) && "over"];
  const name = titles.get(game) ?? game;
  return h("li", {}, h("article", { className: "card" },
    picture(`/api/sessions/${id}/picture.svg`, 320),
    h("div", {}, h("h2", {}, h("a", { href: `/play/${id}`, onclick: () => forgetEnding(id) }, isNext && "Next: ", isDaily ? "Puzzle of the day" : title || name)),
      h("p", {}, [name, ...words].filter(Boolean).join(" · ")))));
}

// -- puzzles of the day

/** The row of the puzzles of the day; its cards have their links at once, and the rest when the server has answered. */
function dailySection(games) {
  const list = h("ul", { className: "cards daily" }, games.map(({ name, title }) => dailyCard({ game_title: title, address: `/daily/${name}` })));
  const pictures = new Map(games.map(({ name, packs: [first] }) => [name, first && `/api/packs/${first.name}/1.svg`]));
  fillDaily(list, pictures).catch(() => undefined); // without the server
  return h("section", { "aria-label": "Puzzles of the day" },
    h("div", { className: "section" }, h("h2", {}, "Puzzles of the day"), h("p", { className: "small muted" }, "The same for everybody, new each day.")), list);
}

const WAIT = 2000; // milliseconds after which puzzles may have been made
const MOST_REQUESTS = 60;

/** Fill the row, but not while the reader is on it; puzzles that are still being made are requested again, some times. `pictures` stand in for theirs. */
async function fillDaily(list, pictures, requests = 1, shown = 0) {
  const { puzzles } = await request("daily");
  const ready = puzzles.filter((puzzle) => puzzle.ready).length;
  const again = (...state) => list.isConnected && fillDaily(list, pictures, ...state).catch(() => undefined);
  if (list.contains(document.activeElement)) {
    list.addEventListener("focusout", () => again(requests, shown), { once: true });
    return;
  }
  if (requests === 1 || ready > shown) list.replaceChildren(...puzzles.map((puzzle) => dailyCard(puzzle, pictures.get(puzzle.game))));
  if (ready < puzzles.length && requests < MOST_REQUESTS) setTimeout(() => again(requests + 1, ready), WAIT);
}

/** A card; until its puzzle is made, a pale picture of the game stands in for its own. */
function dailyCard({ id, game_title: game, difficulty_words: difficulty, optimum_words: optimum, picture: source, ready, address, key }, standIn) {
  const solved = key && bestCounts(key);
  return h("li", {}, h("article", { className: "card" },
    solved && check(solved),
    ready ? picture(source, 200) : h("span", { className: "picture waiting" }, standIn && picture(standIn, 200)),
    h("h2", {}, h("a", { href: address }, game)), h("p", {}, [difficulty, id && !ready ? "ready in a moment" : optimum, !solved && playedPuzzles().includes(id) && "begun"].filter(Boolean).join(" · ") || "\u00a0")));
}

/** The mark of a solved level with the best counts: without any, each win had hints. */
export function check(counts) {
  const words = solvedWords(counts);
  return h("span", { className: `check${isSolvedWithHints(counts) ? " hollow" : ""}`, role: "img", "aria-label": words, title: words }, "✓");
}

/** A picture for a card; it vanishes if there is none. */
export const picture = (source, width) =>
  h("img", { src: `${source}?width=${width}`, alt: "", width, height: width * 3 / 4, loading: "lazy", onerror: ({ target }) => target.remove() });

// -- cards, and the beginning of sessions

/** A card with a picture of a game's first level, and a link. */
export const gameCard = ({ name, title, rules, packs: [first] }, address, words) => h("li", {}, h("article", { className: "card" },
  first && picture(`/api/packs/${first.name}/1.svg`, 320),
  h("h2", {}, address ? h("a", { href: address }, title) : title), words && h("p", {}, words),
  words && rules && h("a", { className: "aside", href: `/rules/${name}` }, "Rules and a lesson", h("span", { className: "visually-hidden" }, `: ${title}`))));

const toolCard = ([words, meaning, where]) => h("li", {}, h("article", { className: "card" },
  h("h2", {}, h("a", { href: where }, words)),
  h("p", {}, meaning)));

/**
 * Create a session and go there, perhaps in place of the current history entry. If the game is over at the
 * end of a trace, play the trace there. `first` is an action that is done at once.
 */
export async function beginSession(body, replace = false, first = null) {
  const session = await request("sessions", body);
  const { id, notices, watch } = session;
  if (first) keepFirstAction(id, first);
  if (watch) rememberSession(id);
  else rememberNewSession(session, body.pack);
  if (body.puzzle) rememberPuzzle(body.puzzle);
  for (const notice of notices ?? []) showToast(notice, 8);
  navigate(`/play/${id}${watch ? `#${await encodeFragment({ trace: body.trace })}` : ""}`, replace);
}

/** The screen at "/levels/GAME/PACK/NUMBER": goes on with the game of this level, or begins one, in place of this address. */
export async function playLevel(game, name, number) {
  const [pack, level] = [`${game}/${name}`, Number(number)];
  const isBegun = await continueGame((session) => packOf(session.id) === pack && session.level === level);
  if (!isBegun) await beginSession({ pack, level }, true);
  return { content: [] };
}

/** The screen at "/open": opens a pack of this browser or the fragment's content, or shows an input for a text. */
export async function open() {
  const value = readPackAddress(location.hash) ?? (await readLink());
  if (value) {
    await beginSession(value.trace ? { ...value, watch: true } : value, true); // going back to this address would create another session
    return { content: [] };
  }
  return { title: "Open a level", content: [h("div", { className: "head" }, h("h1", {}, "Open a level")), form()] };
}

/** Create a session from a text: a trace, else levels. */
export const openText = (text) => beginSession(text.trimStart().startsWith("{") ? { trace: text } : { text });

function form() {
  const text = h("textarea", { id: "level-text", spellcheck: "false", required: true });
  const error = h("p", { className: "error", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    error.textContent = "";
    try {
      await openText(text.value);
    } catch (refused) {
      error.textContent = sentence(refused.message);
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
