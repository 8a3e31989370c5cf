// The level as text, beside the board: what is drawn is written, and what is typed is drawn.

import { request } from "../api.js";
import { button, debounce, h, showToast } from "../dom.js";
import { copy, download } from "../share.js";
import { load, save } from "../user_data.js";

const DELAY = 400; // milliseconds after the last letter until a text is drawn

const typedKey = (game) => `gridproof.draft-text.${game}`; // a text that is not drawn, such as one that cannot be read

/** The text that was typed beside the stored draft of a game and is not drawn; null without one. */
export const loadTypedText = (game) => load(typedKey(game));

export class LevelTextPanel {
  constructor(edit) {
    this.edit = edit;
    const draw = debounce(() => this.typed && this.read(this.area.value), DELAY);
    this.typed = false; // whether the text is the reader's own, which is not overwritten
    this.refused = null; // the last text that could not be read
    this.area = h("textarea", { id: "edit-text", spellcheck: "false", autocapitalize: "off", wrap: "off", "aria-label": "The level as text", "aria-describedby": "edit-text-error",
      oninput: () => {
        this.writing = null;
        this.typed = true;
        this.#store(this.area.value);
        draw();
      },
      onblur: () => this.#finish() });
    this.error = h("p", { className: "error", id: "edit-text-error", role: "alert" });
    this.format = h("select", { id: "edit-format", onchange: () => this.#rewrite() });
    this.asks = h("span", { className: "row" });
    this.file = h("input", { type: "file", id: "edit-file", onchange: async () => this.file.files[0] && this.read(await this.file.files[0].text()) });
    this.element = h("section", { className: "panel level-text", "aria-label": "Text" }, h("h2", {}, "The level as text"),
      this.area, this.error,
      h("div", { className: "row" }, button("Copy", () => copy(this.area.value, "The text")), button("Save as a file", () => this.#save())),
      h("label", { className: "field", for: "edit-format" }, "Format", this.format), this.asks,
      h("label", { className: "field", for: "edit-file" }, "Open a file: a level, or a whole collection", this.file));
  }

  begin({ formats }) {
    this.format.replaceChildren(...formats.map(({ name, meaning }) => h("option", { value: name }, `${name}: ${meaning}`)));
    this.formats = formats;
  }

  /** Show the text of a draft that has changed; a text that is being typed stays as it is, and one that was refused stays until the next change. */
  show(answer) {
    const isRefused = this.area.value === this.refused && document.activeElement !== this.area;
    if (isRefused && answer !== this.answer) this.typed = false;
    this.answer = answer;
    if (this.typed) return;
    this.#store(null);
    this.latest = null;
    this.error.textContent = "";
    this.#write();
  }

  /** Show again a text that was not drawn when the reader left the page, and what is wrong with it. */
  restore(text) {
    this.writing = null;
    this.area.value = text;
    this.typed = true;
    this.#store(text);
    return this.read(text);
  }

  #store(text) {
    save(typedKey(this.edit.game), text);
  }

  /** When the reader leaves the text, it is written as the server writes it, if it could be read. */
  async #finish() {
    if (!this.typed) return;
    await this.read(this.area.value);
    if (this.error.textContent || document.activeElement === this.area) return;
    this.#rewrite();
  }

  #rewrite() {
    this.typed = false;
    this.#write();
  }

  #options(form) {
    const there = this.asks.dataset.of === form.name;
    if (!there) {
      this.asks.dataset.of = form.name;
      this.asks.replaceChildren(...(form.asks ?? []).map((name) => h("label", { className: "field" }, name, h("input", { type: "number", min: 0, value: 3, dataset: { ask: name }, onchange: () => this.#rewrite() }))));
    }
    return Object.fromEntries([...this.asks.querySelectorAll("input")].map((input) => [input.dataset.ask, Number(input.value)]));
  }

  async #write() {
    const mine = (this.writing = {});
    const form = this.formats.find(({ name }) => name === this.format.value) ?? this.formats[0];
    const options = this.#options(form);
    const { answer } = this;
    let [text, error] = [answer.text, null];
    if (form !== this.formats[0]) {
      try {
        text = await request("texts", { text, game: answer.game, format: form.name, options });
      } catch (refused) {
        [text, error] = ["", refused];
      }
    }
    if (mine !== this.writing || this.typed) return;
    this.area.value = text;
    if (error) this.error.textContent = error.message;
  }

  /** Draw a text; of a collection, each level can be chosen. */
  async read(text) {
    if (text === this.latest && !this.error.textContent) return;
    this.latest = text;
    if (text !== this.area.value) this.typed = false; // it is of a file
    this.error.textContent = "";
    try {
      await this.edit.open({ text });
      if (text === this.area.value) this.#store(null); // it is drawn
    } catch (error) {
      if (text !== this.latest) return;
      this.refused = text;
      this.error.textContent = error.message;
      if (!this.typed) showToast(error.message, 8);
    }
  }

  #save() {
    const form = this.formats.find(({ name }) => name === this.format.value);
    const name = (this.answer.draft.title || "level").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
    download(this.area.value, `${name || "level"}${form.ending}`);
  }
}
