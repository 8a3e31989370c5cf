// Panels of the editor: tools, problems, and the level as text.

import { request } from "../api.js";
import { button, h, s, showToast } from "../dom.js";
import { copy, download } from "../share.js";

/** A piece as a small picture: its pile in one cell. */
function picture(pieces, pile) {
  const drawing = s("svg", { viewBox: "-4 -4 108 108", className: "tool-picture", "aria-hidden": "true" });
  drawing.innerHTML = pile.map((id) => pieces[id].svg).join("");
  return drawing;
}

/** The tools that paint a cell. */
export function palette(answer, edit) {
  const { tools, parts, pieces } = answer;
  const toolButton = (tool, place) => button([picture(pieces, tool.pile), h("span", {}, tool.name)], () => edit.choose(tool.name), { "aria-pressed": String(tool.name === edit.tool), dataset: { tool: tool.name }, title: place < 9 ? `${tool.name} (${place + 1})` : tool.name });
  const part = parts.length > 0 && h("label", { className: "field" }, "Colours go on",
    h("select", { id: "edit-part", onchange: (event) => edit.choosePart(event.target.value) },
      [["", "the whole tile"], ["pointed", "the side that is pointed at"], ...parts.map((name) => [name, `the side ${name}`])]
        .map(([value, words]) => h("option", { value, selected: value === edit.part }, words))));
  return [h("h2", {}, "Put on the board"), part, h("div", { className: "palette", role: "group", "aria-label": "Tools" }, tools.map(toolButton))].filter(Boolean);
}

/** Every broken clause; each leads to its cell. */
export function problems(answer, edit) {
  const item = ({ code, text, cells }) => {
    const words = code ? [h("b", {}, code), ` ${text}`] : [text];
    return h("li", {}, cells.length ? button(words, () => edit.goTo(cells[0]), { className: "quiet" }) : h("span", {}, words));
  };
  const found = answer.problems;
  const title = found.length ? `${found.length} ${found.length === 1 ? "thing is" : "things are"} wrong` : "A valid level";
  return [h("h2", { className: found.length ? "bad" : "good" }, title), found.length > 0 && h("ul", { className: "plain problems" }, found.map(item))].filter(Boolean);
}

/** Panel of the level as text, for export and import. */
export class Texts {
  constructor(edit) {
    this.edit = edit;
    this.area = h("textarea", { id: "edit-text", spellcheck: "false", "aria-label": "The level as text", oninput: () => {
      this.writing = null; // typed text is not overwritten
    } });
    this.error = h("p", { className: "error", role: "alert" });
    this.format = h("select", { id: "edit-format", onchange: () => this.#write() });
    this.asks = h("span", { className: "row" });
    this.file = h("input", { type: "file", id: "edit-file", onchange: async () => this.file.files[0] && this.read(await this.file.files[0].text()) });
    this.element = h("details", { className: "panel" }, h("summary", {}, "Text: import and export"),
      h("label", { className: "field", for: "edit-format" }, "Format", this.format), this.asks, this.area, this.error,
      h("div", { className: "row" },
        button("Draw this text", () => this.read(this.area.value)),
        button("Copy", () => copy(this.area.value, "The text")),
        button("Save as a file", () => this.#save())),
      h("label", { className: "field", for: "edit-file" }, "Or open a file", this.file));
  }

  begin({ formats }) {
    this.format.replaceChildren(...formats.map(({ name, meaning }) => h("option", { value: name }, `${name}: ${meaning}`)));
    this.formats = formats;
  }

  /** Show the text of a draft that has changed. */
  show(answer) {
    this.answer = answer;
    this.error.textContent = "";
    this.#write();
  }

  #options(form) {
    const there = this.asks.dataset.of === form.name;
    if (!there) {
      this.asks.dataset.of = form.name;
      this.asks.replaceChildren(...(form.asks ?? []).map((name) => h("label", { className: "field" }, name, h("input", { type: "number", min: 0, value: 3, dataset: { ask: name }, onchange: () => this.#write() }))));
    }
    return Object.fromEntries([...this.asks.querySelectorAll("input")].map((input) => [input.dataset.ask, Number(input.value)]));
  }

  async #write() {
    const mine = (this.writing = {});
    const form = this.formats.find(({ name }) => name === this.format.value) ?? this.formats[0];
    const options = this.#options(form);
    const { answer } = this;
    let [text, error] = [answer.text, null];
    if (form !== this.formats[0] && this.element.open) {
      try {
        text = await request("texts", { text, game: answer.game, format: form.name, options });
      } catch (refused) {
        [text, error] = ["", refused];
      }
    }
    if (mine !== this.writing) return;
    this.area.value = text;
    if (error) this.error.textContent = error.message;
  }

  /** Load a text into the editor; for several levels, ask which one. */
  async read(text) {
    this.error.textContent = "";
    try {
      await this.edit.open({ text });
    } catch (error) {
      this.error.textContent = error.message;
      if (!this.element.open) showToast(error.message, 8);
    }
  }

  #save() {
    const form = this.formats.find(({ name }) => name === this.format.value);
    const name = (this.answer.draft.title || "level").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
    download(this.area.value, `${name || "level"}${form.ending}`);
  }
}
