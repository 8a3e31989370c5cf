// Choose the level of a page: one of a pack, or your own as text.

import { request } from "./api.js";
import { h, showToast } from "./dom.js";

const OWN = "own";

export class LevelPicker {
  /** `onPick(text, game)` is called with each level, before it is stored as the choice; `name` is the key of the stored choice. */
  constructor(games, name, onPick) {
    this.onPick = onPick;
    const tried = (promise) => promise.catch((error) => showToast(error.message, 8));
    this.packs = h("select", { id: `${name}-pack`, onchange: () => tried(this.pick(this.packs.value, 1)) },
      h("option", { value: OWN, hidden: true }, "Your own level"),
      games.map(({ title, packs }) => h("optgroup", { label: title }, packs.map((pack) => h("option", { value: pack.name }, `${title}: ${pack.title}`)))));
    this.levels = h("select", { id: `${name}-level`, onchange: () => tried(this.pick(this.packs.value, Number(this.levels.value))) });
    this.which = h("label", { className: "field" }, "Level", this.levels);
    this.element = [h("label", { className: "field" }, "Pack", this.packs), this.which];
    this.first = (games.find((game) => game.next_level_after_win && game.packs.length) ?? games[0]).packs[0].name;
  }

  /** Open the level of a link: its text, or its place in a pack; without either, the first level. */
  open(given) {
    return given?.text ? this.openText(given.text, given.game) : this.pick(given?.pack ?? this.first, given?.level ?? 1);
  }

  /** Choose a built-in level. */
  async pick(pack, number) {
    if (pack === OWN) return;
    const { levels } = await request(`packs/${pack}`);
    this.source = { pack, level: number };
    this.packs.value = pack;
    this.which.hidden = false;
    this.levels.replaceChildren(...levels.map((level) => h("option", { value: level.number, selected: level.number === number }, `${level.number}${level.title ? `. ${level.title}` : ""}`)));
    await this.onPick(await request(`packs/${pack}/${number}.txt`), pack.split("/")[0]);
  }

  /** Choose a level given as text. */
  async openText(text, game) {
    this.source = { text, game };
    this.source = { text, game: (await this.onPick(text, game)).game };
    this.packs.querySelector("option").hidden = false;
    this.packs.value = OWN;
    this.which.hidden = true;
  }
}
