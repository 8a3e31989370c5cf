// A screen about one level: it is chosen from a pack or given as text, and a job finds traces that are played on its board.

import { JobRunner, request, requestText } from "./api.js";
import { Board } from "./board.js";
import { button, h, reportErrors } from "./dom.js";
import { actionWords } from "./words.js";
import { backToGame, gameId, leftLevel, loadGame, loadPlaying, ofLevel } from "./game_link.js";
import { listenToKeys } from "./keys.js";
import { showTrace } from "./replay.js";
import { scrollToItem } from "./scroll_edges.js";
import { isSpoiler, spoil } from "./spoilers.js";

const OWN = "own";

export class LevelScreen {
  /** `name` is the prefix of ids. Subclasses define `opened()`, which is called with `words`, the server's words about the level. */
  constructor(games, name) {
    this.jobs = new JobRunner();
    this.board = new Board();
    this.stage = h("div", { className: "stage", tabindex: "0", role: "img", "aria-label": "The level" }, this.board.element);
    this.player = h("div", { className: "panel trace", hidden: true });
    this.found = h("div");
    const choose = reportErrors((number) => this.#choose(this.packs.value, number));
    this.packs = h("select", { id: `${name}-pack`, onchange: () => choose(1) },
      h("option", { value: OWN, hidden: true }, "Your own level"),
      games.map(({ title, packs }) => h("optgroup", { label: title }, packs.map((pack) => h("option", { value: pack.name }, `${title}: ${pack.title}`)))));
    this.levels = h("select", { id: `${name}-level`, onchange: () => choose(Number(this.levels.value)) });
    this.number = h("label", { className: "field" }, "Level", this.levels);
    this.from = h("div", { className: "row from-game", hidden: true });
    this.picker = [this.from, h("label", { className: "field" }, "Level of", this.packs), this.number];
    this.first = (games.find((game) => game.next_level_after_win && game.packs.length) ?? games[0]).packs[0].name;
    this.unlisten = listenToKeys((key) => Boolean(this.replay?.onKey(key)));
  }

  leave() {
    this.clear();
    this.unlisten();
  }

  /** Open the level of a link: its text, or its place in a pack; without either, that of the game in the address, or the first level. */
  async openLink(given) {
    const id = gameId();
    if (id && !given?.text && !given?.pack) return this.#openGame(id);
    if (id) {
      this.#showSource(id, []);
      this.playing = await loadPlaying(id);
    }
    return given?.text ? this.openText(given.text, given.game) : this.#choose(given?.pack ?? this.first, given?.level ?? 1);
  }

  /** Open the position of a game, or one that is over from its start, on some screens with its moves; the others are a click away. */
  async #openGame(id) {
    const { text, position, game, over, playing } = await loadGame(id);
    this.playing = playing;
    const choices = {
      moves: this.showsMoves && ["Your moves", () => this.#openMoves(id, text, game)],
      position: ["Your position", () => this.openText(text, game, position, "position")],
      start: ["The level's start", () => this.openText(text, game, null, "start")],
    };
    const offered = Object.entries(choices).filter(([, choice]) => choice);
    this.#showSource(id, offered.map(([from, [words, open]]) => button(words, reportErrors(open), { dataset: { from } })));
    const first = !leftLevel() && !over ? "position" : this.showsMoves ? "moves" : "start";
    await choices[first][1]();
  }

  /** Whether a solution would help the player in the game. */
  get isSpoiler() {
    return isSpoiler(this.playing, this.words.key);
  }

  /** Show a part of a solution. */
  spoil(show) {
    return spoil(this.playing, this.words.key, show);
  }

  /** Show a game at its start, with its moves: each leads to the position after it. */
  async #openMoves(id, text, game) {
    await this.openText(text, game, null, "moves");
    const { loading } = this;
    const trace = await requestText(`sessions/${id}/trace${ofLevel()}`);
    if (loading !== this.loading) return; // another place is chosen meanwhile
    let items = [];
    const list = h("div", { className: "move-list", role: "group", "aria-label": "Moves of this game" });
    const mark = (place) => {
      items.forEach((item, at) => (at === place ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current")));
      if (items[place]) scrollToItem(list, items[place]);
    };
    await this.playTrace(trace, { title: "Your game", at: 0, onStep: mark });
    if (loading !== this.loading) return;
    const move = (content, place) => button(content, () => this.replay?.go(place), { className: "move" });
    items = [move("Start", 0), ...this.replay.steps.map((step, place) => move([h("span", { className: "number" }, `${place + 1} `), actionWords(step)], place + 1))];
    list.append(...items);
    this.player.append(list);
    mark(this.replay.at);
  }

  #showSource(id, buttons) {
    this.from.hidden = false;
    this.from.replaceChildren(backToGame(id), ...buttons);
  }

  async #choose(pack, number) {
    if (pack === OWN) return;
    const { levels } = await request(`packs/${pack}`);
    this.source = { pack, level: number };
    this.packs.value = pack;
    this.number.hidden = false;
    this.levels.replaceChildren(...levels.map((level) => h("option", { value: level.number, selected: level.number === number }, `${level.number}${level.title ? `. ${level.title}` : ""}`)));
    await this.#open(await request(`packs/${pack}/${number}.txt`), pack.split("/")[0]);
  }

  /** Open a level given as text, such as a file that was dropped on the page; `from` is the name of the place that is opened of a game. */
  async openText(text, game, position = null, from = null) {
    this.source = { text, game };
    await this.#open(text, game, position, from);
    this.source = this.level;
    const own = this.packs.querySelector("option");
    own.hidden = false;
    own.textContent = this.words.title ? `This level: ${this.words.title}` : "Your own level";
    this.packs.value = OWN;
    this.number.hidden = true;
  }

  #open(...place) {
    this.opening = this.#load(...place);
    return this.opening;
  }

  async #load(text, game, position = null, from = null) {
    const isLatest = () => mine === this.loading;
    const mine = (this.loading = {});
    this.clear();
    const words = await request("vocabularies", { text, ...(game && { game }), ...(position && { position }) });
    if (!isLatest()) return;
    this.words = words;
    this.level = { text, game: words.game };
    this.position = position; // of a game; null for the level's start
    for (const one of this.from.querySelectorAll("[data-from]")) one.setAttribute("aria-pressed", String(one.dataset.from === from));
    this.showLevel();
    this.opened();
  }

  /** Wait until the level that was chosen last is open; what is asked meanwhile is about that level. */
  async whenOpen() {
    await Promise.allSettled([this.opening]);
  }

  /** Stop the work, and remove its results. */
  clear() {
    this.jobs.stop();
    this.#stopTrace();
    this.found.replaceChildren();
  }

  /** Show the level at its start. */
  showLevel() {
    this.#stopTrace();
    this.board.begin(this.words.pieces);
    this.board.show(this.words.board);
    this.stage.setAttribute("aria-label", `The level ${this.words.title || ""}, ${this.position ? "in your position" : "at its start"}`);
  }

  /** Play a trace, with the options of `showTrace`. */
  async playTrace(trace, options) {
    this.#stopTrace();
    this.replay = await showTrace(this.board, trace, { ...options, back: this.position ? "Back to your position" : "Back to the level", ended: () => this.endTrace() });
    this.player.replaceChildren(this.replay.element);
    this.player.hidden = false;
  }

  /** Go back from the trace to the level. */
  endTrace() {
    this.showLevel();
  }

  #stopTrace() {
    this.replay?.stop();
    this.replay = null;
    this.player.hidden = true;
  }
}
