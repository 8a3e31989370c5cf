// Size, fields, title and author of the level that is drawn. What is being typed is not written over by an answer.

import { h } from "../dom.js";

const WAYS = { left: "at the left", right: "at the right", top: "at the top", bottom: "at the bottom" };
const isAcross = (side) => side === "left" || side === "right";

export class About {
  constructor(edit) {
    this.edit = edit;
    this.typed = new Map(); // inputs that say something else than the draft, each with what tells one typing from the next
    this.size = h("h2", {});
    this.steppers = Object.keys(WAYS).map((side) => this.#stepper(side));
    this.fields = h("div", { className: "fields" });
    this.named = ["title", "author"].map((name) => [name, this.#input({ maxlength: 200, dataset: { about: name } }, (value) => ({ about: { [name]: value } }))]);
    this.element = h("section", { className: "panel", "aria-label": "Size and what is said of it" }, this.size,
      h("div", { className: "steppers" }, this.steppers.map(({ element }) => element)), this.fields,
      this.named.map(([name, input]) => h("label", { className: "field" }, name, input)));
  }

  /** Show a draft that has changed. */
  show({ draft, fields, largest, least }) {
    const [width, height] = [draft.cells[0].length, draft.cells.length];
    this.size.textContent = `Size: ${width} × ${height}`;
    for (const { side, shrink, grow } of this.steppers) {
      const [size, axis] = isAcross(side) ? [width, 0] : [height, 1];
      shrink.disabled = size <= least[axis];
      grow.disabled = size >= largest[axis];
    }
    this.#ask(fields);
    for (const { name, value } of fields) this.#tell(this.asked.get(name), value);
    for (const [name, input] of this.named) this.#tell(input, draft[name]);
  }

  /** Add or remove a line of cells at a side. */
  #stepper(side) {
    const button = (verb, does, sign) => h("button", { type: "button", dataset: { [verb]: side }, "aria-label": `${does} a ${isAcross(side) ? "column" : "row"} ${WAYS[side]}`, onclick: () => this.edit.do({ [verb]: side }) }, sign);
    const [shrink, grow] = [button("shrink", "Remove", "−"), button("grow", "Add", "+")];
    return { side, shrink, grow, element: h("div", { className: "stepper" }, h("span", {}, side), shrink, grow) };
  }

  /** Inputs for the game's own fields; they stay as long as the same is asked. */
  #ask(fields) {
    const asks = JSON.stringify(fields.map(({ value, ...asked }) => asked));
    if (asks === this.asks) return;
    this.asks = asks;
    this.asked = new Map(fields.map((field) => [field.name, this.#field(field)]));
    this.fields.replaceChildren(...[...this.asked].map(([name, input]) => h("label", { className: "field" }, name, input)));
  }

  #field({ name, choices, least, most }) {
    const change = (value) => ({ field: name, value });
    if (!choices) return this.#input({ type: "number", min: least, max: most, dataset: { field: name } }, change);
    return h("select", { dataset: { field: name }, onchange: ({ target }) => this.edit.do(change(target.value)) }, choices.map((value) => h("option", { value }, value)));
  }

  /** An input whose value is sent when it is left, and until it is answered stays as it was typed. */
  #input(properties, change) {
    const input = h("input", { ...properties,
      oninput: () => this.typed.set(input, {}),
      onchange: async () => {
        const mine = this.typed.get(input);
        await this.edit.do(change(input.value));
        if (this.typed.get(input) === mine) this.typed.delete(input);
        this.show(this.edit.answer);
      },
      onblur: () => input.value === input.dataset.told && this.typed.delete(input) });
    return input;
  }

  #tell(input, value) {
    input.dataset.told = value;
    if (!this.typed.has(input)) input.value = value;
  }
}
