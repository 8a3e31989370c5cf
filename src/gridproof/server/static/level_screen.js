// A screen about one level: it is chosen from a pack or given as text, and a job finds traces that are played on its board.

import { JobRunner, request } from "./api.js";
import { Board } from "./board.js";
import { h, reportErrors } from "./dom.js";
import { listenToKeys } from "./keys.js";
import { showTrace } from "./replay.js";

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
    this.picker = [h("label", { className: "field" }, "Pack", this.packs), this.number];
    this.first = (games.find((game) => game.next_level_after_win && game.packs.length) ?? games[0]).packs[0].name;
    this.unlisten = listenToKeys((key) => Boolean(this.replay?.onKey(key)));
  }

  leave() {
    this.clear();
    this.unlisten();
  }

  /** Open the level of a link: its text, or its place in a pack; without either, the first level. */
  openLink(given) {
    return given?.text ? this.openText(given.text, given.game) : this.#choose(given?.pack ?? this.first, given?.level ?? 1);
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

  /** Open a level given as text, such as a file that was dropped on the page. */
  async openText(text, game) {
    this.source = { text, game };
    await this.#open(text, game);
    this.source = this.level;
    this.packs.querySelector("option").hidden = false;
    this.packs.value = OWN;
    this.number.hidden = true;
  }

  async #open(text, game) {
    this.clear();
    this.words = await request("vocabularies", { text, ...(game && { game }) });
    this.level = { text, game: this.words.game };
    this.showLevel();
    this.opened();
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
    this.stage.setAttribute("aria-label", `The level ${this.words.title || ""}, at its start`);
  }

  /** Play a trace, with the options of `showTrace`. */
  async playTrace(trace, options) {
    this.#stopTrace();
    this.replay = await showTrace(this.board, trace, { ...options, back: "Back to the level", ended: () => this.showLevel() });
    this.player.replaceChildren(this.replay.element);
    this.player.hidden = false;
  }

  #stopTrace() {
    this.replay?.stop();
    this.replay = null;
    this.player.hidden = true;
  }
}
