// Which level a page is about: one of a pack that comes with a game, or one of one's own, as text.

import { ask } from "./api.js";
import { h, note } from "./dom.js";

const OWN = "own";

export class LevelChoice {
  /** `begin(text, game)` is called with each level, before it counts as chosen; `name` tells the choices of pages apart. */
  constructor(games, name, begin) {
    this.begin = begin;
    const tried = (promise) => promise.catch((error) => note(error.message, 8));
    this.packs = h("select", { id: `${name}-pack`, onchange: () => tried(this.pick(this.packs.value, 1)) },
      h("option", { value: OWN, hidden: true }, "a level of one's own"),
      games.map(({ title, packs }) => h("optgroup", { label: title }, packs.map((pack) => h("option", { value: pack.name }, `${title}: ${pack.title}`)))));
    this.levels = h("select", { id: `${name}-level`, onchange: () => tried(this.pick(this.packs.value, Number(this.levels.value))) });
    this.which = h("label", { className: "field" }, "Level", this.levels);
    this.element = [h("label", { className: "field" }, "Pack", this.packs), this.which];
    this.first = games.find((game) => game.name === "sokoban")?.packs[0].name ?? games[0].packs[0].name;
  }

  /** The level of a link: its text, or its place in a pack; without either, the first there is. */
  open(given) {
    return given?.text ? this.take(given.text, given.game) : this.pick(given?.pack ?? this.first, given?.level ?? 1);
  }

  /** A level that comes with a game. */
  async pick(pack, number) {
    if (pack === OWN) return;
    const { levels } = await ask(`packs/${pack}`);
    this.source = { pack, level: number };
    this.packs.value = pack;
    this.which.hidden = false;
    this.levels.replaceChildren(...levels.map((level) => h("option", { value: level.number, selected: level.number === number }, `${level.number}${level.title ? `. ${level.title}` : ""}`)));
    await this.begin(await ask(`packs/${pack}/${number}.txt`), pack.split("/")[0]);
  }

  /** A level as text. */
  async take(text, game) {
    this.source = { text, game };
    this.source = { text, game: (await this.begin(text, game)).game };
    this.packs.querySelector("option").hidden = false;
    this.packs.value = OWN;
    this.which.hidden = true;
  }
}
