// The gallery: all packs, a search over their levels, and packs of other people.

import { request } from "../api.js";
import { button, debounce, h, reportErrors, showToast } from "../dom.js";
import { fetchFile, forgetPack, keepPack, ownPacks, packAddress, readPack } from "../own_packs.js";
import { copy, createLink, download, readLink } from "../share.js";
import { textPicture } from "../text_picture.js";
import { bestCounts, solvedKeys } from "../user_data.js";
import { beginSession, check, picture } from "./start.js";

/** The screen at "/levels"; a link to it may carry a pack. */
export async function gallery() {
  const [{ packs }, shared] = await Promise.all([request("packs"), readLink()]);
  const screen = new Gallery(packs);
  if (shared?.pack) await screen.showShared(shared.pack);
  return screen;
}

class Gallery {
  constructor(packs) {
    this.packs = packs;
    this.title = "All levels";
    this.breadcrumbs = [h("a", { href: "/" }, "Games"), " › All levels"];
    this.query = h("input", { type: "search", id: "level-query", placeholder: "Title, pack, author or game", autocomplete: "off", spellcheck: "false", oninput: debounce(() => this.#search(), 150) });
    this.found = h("section", { "aria-live": "polite", "aria-label": "Levels found", hidden: true });
    this.shared = h("section", { "aria-label": "Shared with you", hidden: true });
    this.own = h("section", { "aria-label": "Your packs" });
    this.error = h("p", { className: "error", role: "alert" });
    this.all = h("div", {}, gamesOf(packs).map((game) => this.#game(game)));
    this.content = [
      h("div", { className: "head" }, h("div", {}, h("h1", {}, "All levels"), h("p", {}, this.#summary())),
        h("div", { className: "search" }, h("label", { for: "level-query" }, "Search"), this.query)),
      this.shared, this.found, this.all, this.own, this.#import(), this.error,
    ];
    this.#showOwn();
  }

  #summary() {
    const keys = this.packs.flatMap((pack) => pack.keys);
    const solved = solvedKeys();
    return `${keys.length} levels in ${this.packs.length} packs; you have solved ${keys.filter((key) => solved.has(key)).length}.`;
  }

  #game({ title, packs }) {
    return h("section", { "aria-label": title }, h("div", { className: "section" }, h("h2", {}, title)),
      h("ul", { className: "cards packs" }, packs.map((pack) => packCard(pack, picture(pack.picture, 320), h("a", { href: `/levels/${pack.name}` }, pack.title)))));
  }

  // -- search

  async #search() {
    const query = this.query.value.trim();
    const own = (this.asked = {});
    const answer = query && (await request(`levels?query=${encodeURIComponent(query)}`).catch(({ message }) => ({ levels: [], message })));
    if (own !== this.asked) return;
    this.found.hidden = !query;
    this.all.hidden = this.own.hidden = Boolean(query);
    if (!query) return;
    const kept = searchOwn(query).map((level) => foundCard(level, packAddress(level, level.number)));
    const cards = [...kept, ...answer.levels.map((level) => foundCard(level, `/levels/${level.pack}/${level.number}`))];
    const count = kept.length + (answer.count ?? 0);
    this.found.replaceChildren(
      h("p", { className: "muted" }, answer.message ?? (count ? `${count} ${count === 1 ? "level" : "levels"}${count > cards.length ? `, the first ${cards.length} are shown` : ""}` : "No level has all these words. Try fewer, or a part of one.")),
      h("ul", { className: "cards levels" }, cards));
  }

  // -- packs of other people

  /** Files that are dropped or pasted on this screen are kept as packs. */
  async keepText(text, name) {
    if (text.trimStart().startsWith("{")) return beginSession({ trace: text });
    const { notices, ...pack } = await readPack(text, name);
    keepPack(pack);
    this.#showOwn();
    showToast([`“${pack.title}” is one of your packs now.`, ...(notices ?? []).slice(0, 3)].join(" "), 8);
    this.own.scrollIntoView({ block: "nearest" });
    return undefined;
  }

  async showShared(text) {
    const { notices: _, ...pack } = await readPack(text);
    this.shared.hidden = false;
    const keep = button("Keep it", reportErrors(() => {
      keepPack(pack);
      history.replaceState(null, "", location.pathname);
      this.shared.hidden = true;
      this.#showOwn();
    }));
    this.shared.replaceChildren(h("div", { className: "section" }, h("h2", {}, "Shared with you")),
      h("ul", { className: "cards packs" }, packCard(pack, firstPicture(pack), playButton(pack), h("div", { className: "row" }, keep))));
  }

  #showOwn() {
    const packs = ownPacks();
    const remove = (pack) => {
      forgetPack(pack.id);
      this.#showOwn();
    };
    const card = (pack) => packCard(pack, firstPicture(pack), h("a", { href: packAddress(pack, nextLevel(pack)) }, pack.title),
      h("div", { className: "row" },
        button("Copy link", reportErrors(async () => copy(await createLink({ pack: pack.text }, "/levels"), "Link to this pack")), { title: "The link carries the whole pack" }),
        button("Save", () => download(pack.text, `${pack.title.replaceAll(/[^\w-]+/g, "-").toLowerCase()}.txt`)),
        button("Remove", () => remove(pack), { className: "quiet" })));
    this.own.replaceChildren(h("div", { className: "section" }, h("h2", {}, "Your packs")),
      packs.length ? h("ul", { className: "cards packs" }, packs.map(card)) : h("p", { className: "muted" }, "None yet. Packs that you add stay in this browser, with your progress."));
  }

  #import() {
    const attempt = async (read) => {
      this.error.textContent = "";
      try {
        await read();
      } catch ({ message }) {
        this.error.textContent = message;
      }
    };
    const file = h("input", { type: "file", id: "pack-file", multiple: true, onchange: () => attempt(async () => {
      for (const one of file.files) await this.keepText(await one.text(), one.name);
      file.value = "";
    }) });
    const address = h("input", { id: "pack-address", spellcheck: "false", autocomplete: "off", placeholder: "file:///levels/original.xsb" });
    const fetchIt = (event) => {
      event.preventDefault();
      if (address.value.trim()) attempt(async () => this.keepText(await fetchFile(address.value.trim()), address.value.trim().split("/").at(-1)));
    };
    return h("section", { "aria-label": "Add a collection" }, h("div", { className: "section" }, h("h2", {}, "Add a collection")),
      h("form", { className: "panel import", onsubmit: fetchIt },
        h("p", { className: "muted" }, "Drop level files anywhere on this page, in any format of the games here, or:"),
        h("div", { className: "row" }, h("label", { for: "pack-file" }, "Choose files"), file),
        h("div", { className: "row" }, h("label", { for: "pack-address" }, "Address of a file"), address, h("button", { type: "submit" }, "Add"))));
  }
}

function gamesOf(packs) {
  const games = new Map();
  for (const pack of packs) games.set(pack.game, { title: pack.game_title, packs: [...(games.get(pack.game)?.packs ?? []), pack] });
  return [...games.values()];
}

function searchOwn(query) {
  const words = query.toLowerCase().split(/\s+/);
  return ownPacks().flatMap((pack) => pack.levels.map((level) => ({ ...level, id: pack.id, key: pack.keys[level.number - 1], pack_title: pack.title, game: pack.game, game_title: pack.game_title, text: pack.text, author: pack.author })))
    .filter(({ title, pack_title: pack, game_title: game, author }) => words.every((word) => `${title}\n${pack}\n${game}\n${author}`.toLowerCase().includes(word)));
}

/** The number of the first level that is not solved, else of the first one. */
function nextLevel({ keys }) {
  const solved = solvedKeys();
  return Math.max(0, keys.findIndex((key) => !solved.has(key))) + 1;
}

/** A button in the look of a link, which plays a pack that is not kept. */
const playButton = (pack) => button(pack.title, reportErrors(() => beginSession({ text: pack.text, game: pack.game, level: nextLevel(pack) })));

/** A picture of the first level of a pack that only the browser has. */
const firstPicture = ({ text, game, levels }) => textPicture({ text, game, level: levels[0]?.number ?? 1 }, 320);

/** A card of a pack: author, licence (a built-in pack says it on its own page), difficulty in words, and a bar of the player's progress. */
function packCard({ author, licence, description, difficulty, game_title: game, keys, name }, image, title, ...more) {
  const all = solvedKeys();
  const solved = keys.filter((key) => all.has(key)).length;
  const about = [!name && game, difficulty, author && `by ${author}`, !name && licence && `${licence} licence`].filter(Boolean).join(" · ");
  return h("li", {}, h("article", { className: "card pack" },
    image,
    h("h2", {}, title), description && h("p", {}, firstSentence(description)), h("p", {}, about),
    h("div", { className: "progress" }, h("progress", { max: keys.length, value: solved, "aria-label": `${solved} of ${keys.length} solved` }), h("span", { className: "small" }, `${solved} of ${keys.length}`)),
    more));
}

const firstSentence = (text) => /^.*?[.?!](?=\s|$)/s.exec(text)?.[0] ?? text;

function foundCard({ title, number, key, text, game: name, pack_title: pack, game_title: game, difficulty, picture: source }, address) {
  return h("li", {}, h("article", { className: "card" },
    bestCounts(key) && check(bestCounts(key)), source ? picture(source, 200) : textPicture({ text, game: name, level: number }, 200),
    h("h2", {}, h("a", { href: address }, title || `Level ${number}`)),
    h("p", {}, [game, `${pack} ${number}`, difficulty].filter(Boolean).join(" · "))));
}
