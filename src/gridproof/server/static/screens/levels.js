// The levels of a pack: thumbnails, best counts, difficulty.

import { request } from "../api.js";
import { formatCount, h, sentence } from "../dom.js";
import { check } from "./start.js";
import { bestStars } from "../stars.js";
import { bestCounts, isSolvedWithHints, solvedKeys } from "../user_data.js";

/** The screen at "/levels/GAME": its first pack. */
export async function firstLevels(game) {
  const { games } = await request("games");
  return levels(...games.find((one) => one.name === game).packs[0].name.split("/"));
}

/** The screen at "/levels/GAME/PACK". */
export async function levels(game, name) {
  const [pack, { games }] = await Promise.all([request(`packs/${game}/${name}`), request("games")]);
  const about = games.find((one) => one.name === game);
  const list = h("ul", { className: "cards levels" });
  const puzzles = pack.levels.filter((level) => !level.note);
  const solved = solvedKeys();
  const withHints = puzzles.filter(({ key }) => solved.has(key) && isSolvedWithHints(bestCounts(key))).length;
  const left = puzzles.filter((level) => !solved.has(level.key));
  const showsGoals = new Set(pack.levels.map((level) => level.goal)).size > 1 && puzzles.some((level) => !level.difficulty_word);
  const show = (which) => list.replaceChildren(...(which === "left" ? left : pack.levels).map((level) => card(pack, level, showsGoals)));
  show("all");
  const next = left[0] ?? pack.levels[0];
  return {
    title: `${about.title} · ${pack.title}`,
    breadcrumbs: [h("a", { href: "/" }, "Games"), ` › ${about.title}`],
    content: [
      h("div", { className: "head" },
        h("div", {}, h("h1", {}, `${about.title}\u00a0· ${pack.title}`),
          h("p", {}, [pack.description || sentence(about.meaning), pack.author && `By ${pack.author.replace(/^The /, "the ")}${pack.licence && `, ${pack.licence} licence`}.`, puzzles.length > 0 && `${puzzles.length - left.length} of ${puzzles.length} ${puzzles.length < pack.levels.length ? "puzzles " : ""}solved${withHints ? `, ${withHints} only with hints` : ""}.`, puzzles.length < pack.levels.length && `${pack.levels.length} levels in all: ${pack.levels.length - puzzles.length} are for study.`].filter(Boolean).join(" "))),
        h("div", { className: "row" },
          next && h("a", { className: "button main", href: addressOf(pack, next) }, left.length < puzzles.length && left.length ? "Next unsolved" : "Play"),
          about.puzzles && h("a", { className: "button", href: `/new#${pack.pack}` }, "New puzzle"),
          h("a", { className: "button", href: `/analyse/${pack.pack}` }, "Analyse"),
          pack.levels.length > 1 && h("label", {}, "Show ",
            h("select", { onchange: (event) => show(event.target.value) }, h("option", { value: "all" }, "all levels"), h("option", { value: "left" }, "unsolved levels"))))),
      about.packs.length > 1 && h("nav", { className: "row", "aria-label": "Packs" },
        about.packs.map((other) => h("a", { className: "button", href: `/levels/${other.name}`, "aria-current": other.name === pack.pack && "page" }, other.title))),
      list,
    ].filter(Boolean),
  };
}

/** The difficulty of a level in a word; its number, if it has one, is in the tooltip. */
const difficulty = ({ difficulty: number, difficulty_word: word }) =>
  word && h("span", { className: "difficulty", dataset: { word }, title: Number(number) > 0 && `effort of a search: ${number}` }, word);

const addressOf = ({ pack }, { number }) => `/levels/${pack}/${number}`;

/** A card of a level, with its goal where goals differ in the pack and not all levels are graded. */
function card(pack, level, showsGoals) {
  const here = !level.note && bestCounts(level.key);
  const title = `${level.number}${level.title ? `. ${level.title}` : ""}`;
  const best = here?.actions !== undefined && formatCount(here.actions, level.word);
  return h("li", {}, h("article", { className: "card" },
    here && check(here),
    h("img", { src: `${level.picture}?width=200`, alt: "", width: 200, height: 150, loading: "lazy" }),
    h("h2", {}, h("a", { href: addressOf(pack, level) }, title)),
    showsGoals && level.goal && !level.note && h("p", { className: "goal" }, level.goal),
    level.random && h("p", { className: "small muted" }, "One of its random starts."),
    h("p", {}, difficulty(level), level.note && `For study: ${level.note}`),
    best && h("p", { className: "best" }, bestStars(level.key), `your best ${best}`),
    h("a", { className: "aside small", href: `/analyse/${pack.pack}/${level.number}`, "aria-label": `Analyse ${title}` }, "Analyse")));
}
