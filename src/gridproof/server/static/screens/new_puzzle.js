// The screens "/new", where a kind of puzzle is chosen, "/new/ID" and "/daily/GAME", which open one puzzle.

import { request } from "../api.js";
import { difficultySteps } from "../difficulty.js";
import { h, navigate, reportErrors } from "../dom.js";
import { playPuzzle, requestNext } from "../puzzles.js";
import { load, save } from "../user_data.js";
import { continueGame } from "./start.js";

const CHOICE = "gridproof.new";

/** The screen at "/new"; with an id, its puzzle is opened instead. */
export async function newPuzzle(id) {
  return id === undefined ? chooseKind() : openPuzzle(id);
}

/** The puzzle of the day of a game. */
export async function daily(game) {
  const { puzzles } = await request("daily");
  const found = puzzles.find((puzzle) => puzzle.game === game);
  if (!found) throw new Error("This game has no puzzle of the day.");
  return openPuzzle(found.id);
}

/** Go on with the puzzle of an id, or begin it, in place of this address. */
async function openPuzzle(id) {
  if (await continueGame(({ puzzle }) => puzzle === id)) return { content: [] };
  const answer = await request("puzzles", { id });
  const content = [h("p", { className: "empty" }, "Opening the puzzle …")];
  return { content, onShow: reportErrors(async () => (await playPuzzle(answer, true)) || navigate("/new", true)) };
}

async function chooseKind() {
  const { games, difficulties } = await request("puzzles");
  const form = new KindForm(games, difficulties);
  return {
    title: "New puzzle",
    breadcrumbs: [h("a", { href: "/" }, "Games"), " › New puzzle"],
    content: [
      h("div", { className: "head" }, h("div", {}, h("h1", {}, "New puzzle"),
        h("p", {}, "Fresh puzzles without end. ", form.promise))),
      form.element,
    ],
  };
}

/** A group of radio buttons that look like tiles; `items` are [value, content, title], `others` more of them below a heading of their own. */
function choice(legend, name, items, value, onchange, className = "", [heading, others] = ["", []]) {
  const tiles = (list) => h("div", { className: "tiles" }, list.map(([one, content, title]) =>
    h("label", { className: "tile", title },
      h("input", { type: "radio", name, value: one, checked: one === value, onchange: () => onchange(one) }), content)));
  return h("fieldset", { className: `choice ${className}` }, h("legend", {}, legend), tiles(items),
    others.length > 0 && [h("p", { className: "small other" }, heading), tiles(others)]);
}

class KindForm {
  constructor(games, difficulties) {
    Object.assign(this, { games, difficulties });
    const { game, kind, difficulty } = load(CHOICE) ?? {};
    const [wanted, pack = ""] = (location.hash.slice(1) || game || "").split("/"); // "/new#GAME/PACK" is linked from the levels
    this.game = games.find(({ name }) => name === wanted) ?? games[0];
    this.kind = this.game.kinds.find(({ name }) => pack.split("-").includes(name))?.name ?? kind; // more levels like those of a pack of bombs
    this.difficulty = difficulty ?? difficulties[1];
    this.promise = h("span", {});
    this.kinds = h("div", {});
    this.levels = h("div", {});
    this.id = h("input", { id: "puzzle-id", maxlength: 200, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "puzzle-id-error", oninput: () => this.#showError("") });
    this.error = h("p", { className: "error", id: "puzzle-id-error", role: "alert" });
    this.element = h("div", { className: "new-puzzle" },
      h("form", { className: "panel kinds", onsubmit: (event) => this.#submit(event) },
        choice("Game", "game", games.map((one) => [one.name, gameTile(one), one.meaning]), this.game.name, (name) => this.#choose({ game: name }), "games"),
        this.kinds, this.levels,
        h("div", { className: "row" }, h("button", { type: "submit", className: "main" }, "New puzzle"))),
      h("form", { className: "panel by-id", onsubmit: (event) => this.#submitId(event) },
        h("h2", {}, "Have an id?"),
        h("p", { className: "small muted" }, "The same id is the same puzzle for everybody. Share shows that of the puzzle you play."),
        h("label", { for: "puzzle-id" }, "Id"), this.id, this.error,
        h("div", { className: "row" }, h("button", { type: "submit" }, "Play this one"))));
    this.#showKinds();
  }

  #choose({ game, kind, difficulty }) {
    if (game) this.game = this.games.find(({ name }) => name === game);
    if (kind) this.kind = kind;
    if (difficulty) this.difficulty = difficulty;
    save(CHOICE, this.#chosen());
    if (game) this.#showKinds();
    else if (kind) this.#showDifficulties();
  }

  #chosen() {
    return { game: this.game.name, kind: this.kind, difficulty: this.difficulty };
  }

  #showKinds() {
    const { kinds, promise } = this.game;
    this.promise.textContent = promise;
    if (!kinds.some(({ name }) => name === this.kind)) this.kind = kinds[0].name;
    const tile = ({ name, title, meaning }) => [name, h("span", {}, h("strong", {}, title), h("span", { className: "meaning" }, meaning))];
    const [sizes, others] = [false, true].map((wanted) => kinds.filter(({ special }) => special === wanted).map(tile));
    this.kinds.replaceChildren(choice("Size", "kind", sizes, this.kind, (kind) => this.#choose({ kind }), "sizes", ["Or a special board", others]));
    this.#showDifficulties();
  }

  #showDifficulties() {
    const offered = this.game.kinds.find(({ name }) => name === this.kind).difficulties;
    if (!offered.includes(this.difficulty)) [this.difficulty] = offered;
    this.id.placeholder = `${this.game.name}-${this.kind}-${this.difficulty}-1f3k9`;
    this.levels.replaceChildren(choice("Difficulty", "difficulty", offered.map((word) => [word, h("span", {}, difficultySteps(this.difficulties, word), this.game.difficulty_words[word])]), this.difficulty, (difficulty) => this.#choose({ difficulty }), "difficulties"));
  }

  #showError(text) {
    this.error.textContent = text;
    this.id.setAttribute("aria-invalid", String(Boolean(text)));
  }

  #submit(event) {
    event.preventDefault();
    reportErrors(async () => playPuzzle(await requestNext(this.#chosen())))();
  }

  async #submitId(event) {
    event.preventDefault();
    const id = this.id.value.trim();
    if (!id) this.#showError(`Type an id, such as ${this.id.placeholder}.`);
    else await request("puzzles", { id }).then((answer) => playPuzzle(answer)).catch(({ message }) => this.#showError(message));
    if (this.error.textContent) this.id.focus();
  }
}

const gameTile = ({ title, picture }) => [
  picture && h("img", { src: `${picture}?width=96`, alt: "", width: 72, height: 54, onerror: (event) => event.target.remove() }),
  h("strong", {}, title),
];
