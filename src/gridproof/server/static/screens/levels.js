// The levels of a pack: thumbnails, best counts, difficulty.

import { request } from "../api.js";
import { button, h, sentence } from "../dom.js";
import { beginSession } from "./start.js";
import { bestCounts } from "../user_data.js";

/** The screen at "/levels/GAME/PACK". */
export async function levels(game, name) {
  const [pack, { games }] = await Promise.all([request(`packs/${game}/${name}`), request("games")]);
  const about = games.find((one) => one.name === game);
  const list = h("ul", { className: "cards levels" });
  const error = h("p", { className: "error", role: "alert" });
  const play = (level) => beginSession({ pack: pack.pack, level: level.number }).catch(({ message }) => {
    error.textContent = message;
  });
  const left = pack.levels.filter((level) => !bestCounts(level.key));
  const show = (which) => list.replaceChildren(...(which === "left" ? left : pack.levels).map((level) => card(pack, level, play)));
  show("all");
  const next = left[0] ?? pack.levels[0];
  return {
    title: pack.title,
    breadcrumbs: [h("a", { href: "/" }, "Games"), ` › ${about.title}`],
    content: [
      h("div", { className: "head" },
        h("div", {}, h("h1", {}, pack.title),
          h("p", {}, [sentence(about.meaning), pack.author && `By ${pack.author}.`, `${pack.levels.length - left.length} of ${pack.levels.length} solved here.`].filter(Boolean).join(" "))),
        h("div", { className: "row" },
          next && button(left.length < pack.levels.length && left.length ? "Next unsolved" : "Play", () => play(next), { className: "main" }),
          h("a", { className: "button", href: `/analyse/${pack.pack}` }, "Analyse"),
          pack.levels.length > 1 && h("label", {}, "Show ",
            h("select", { onchange: (event) => show(event.target.value) }, h("option", { value: "all" }, "all levels"), h("option", { value: "left" }, "unsolved levels"))))),
      about.packs.length > 1 && h("nav", { className: "row", "aria-label": "Packs" },
        about.packs.map((other) => h("a", { className: "button", href: `/levels/${other.name}`, "aria-current": other.name === pack.pack && "page" }, other.title))),
      error, list,
    ].filter(Boolean),
  };
}

function card(pack, level, play) {
  const here = bestCounts(level.key);
  const title = `${level.number}${level.title ? `. ${level.title}` : ""}`;
  const best = here && Object.entries(here).map(([name, value]) => `${name} ${value}`).join(", ");
  const open = (event) => {
    event.preventDefault();
    play(level);
  };
  return h("li", {}, h("article", { className: "card" },
    here && h("span", { className: "check", role: "img", "aria-label": "solved", title: "solved" }, "✓"),
    h("img", { src: `${level.picture}?width=200`, alt: "", width: 200, height: 150, loading: "lazy" }),
    h("h2", {}, h("a", { href: "#", onclick: open }, title)),
    h("p", {}, [level.difficulty && `difficulty ${level.difficulty}`, best && `your best ${best}`].filter(Boolean).join(" · ")),
    h("a", { className: "aside small", href: `/analyse/${pack.pack}/${level.number}`, "aria-label": `Analyse ${title}` }, "Analyse")));
}
