// A collection that was opened in the editor: each of its levels can be drawn on.

import { request } from "../api.js";
import { button, h, reportErrors, showToast } from "../dom.js";
import { keepPack, readPack } from "../own_packs.js";
import { textPicture } from "../text_picture.js";

export class Collection {
  /** `open(number)` draws a level of the text; `number` counts broken levels, too. */
  constructor(open) {
    this.open = reportErrors(open);
    this.element = h("section", { className: "panel collection", "aria-label": "Collection", hidden: true });
  }

  /** Show the levels of a text; the first one is drawn. */
  async begin(text, count, game) {
    if (text === this.text) return;
    this.text = text;
    const { levels, title } = await request("collections", { text, game }).catch(() => ({ levels: null, title: "" }));
    if (text !== this.text) return;
    const valid = new Map((levels ?? []).map((level) => [level.in_text, level]));
    const name = (number) => valid.get(number)?.title || `Level ${number}${levels && !valid.has(number) ? ": broken" : ""}`;
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const items = numbers.map((number) => this.#item(number, name(number), valid.get(number)?.text, game));
    this.list = h("ol", { className: "plain levels" }, items);
    this.element.replaceChildren(h("h2", {}, title ? `${title}: ${count} levels` : `A collection of ${count} levels`), this.list,
      h("div", { className: "row" },
        button("Keep it in your packs", reportErrors(async () => {
          const { notices: _, ...pack } = await readPack(text);
          keepPack(pack);
          showToast(`“${pack.title}” is one of your packs now: see All levels.`, 8);
        })),
        button("Close", () => this.close(), { className: "quiet" })));
    this.element.hidden = false;
    this.mark(1);
  }

  #item(number, name, text, game) {
    return h("li", {}, button([text && textPicture({ text, game, level: 1 }, 96), h("span", {}, `${number}. ${name}`)], async () => {
      await this.open(number);
      this.mark(number);
    }, { dataset: { level: number } }));
  }

  /** Mark the level that is drawn. */
  mark(number) {
    for (const one of this.list.querySelectorAll("button")) one.setAttribute("aria-pressed", String(Number(one.dataset.level) === number));
  }

  close() {
    this.text = null;
    this.element.hidden = true;
  }
}
