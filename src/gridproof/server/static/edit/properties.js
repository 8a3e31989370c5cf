// Size, fields, title and author of the draft. An answer does not overwrite what is being typed.

import { button, h } from "../dom.js";

const SIDES = { left: "at the left", right: "at the right", top: "at the top", bottom: "at the bottom" };
const isColumn = (side) => side === "left" || side === "right";

export class Properties {
  constructor(edit) {
    this.edit = edit;
    this.edited = new Map(); // inputs that differ from the draft, each with a mark of its last edit
    this.size = h("h2", {});
    this.steppers = Object.keys(SIDES).map((side) => this.#stepper(side));
    this.fields = h("div", { className: "fields" });
    this.named = ["title", "author"].map((name) => [name, this.#input({ maxlength: 200, dataset: { about: name } }, (value) => ({ about: { [name]: value } }))]);
    this.element = h("section", { className: "panel", "aria-label": "Size and properties" }, this.size,
      h("div", { className: "steppers" }, this.steppers.map(({ element }) => element)), this.fields,
      this.named.map(([name, input]) => h("label", { className: "field" }, name, input)));
  }

  /** Show a draft that has changed. */
  show({ draft, fields, largest, least }) {
    const [width, height] = [draft.cells[0].length, draft.cells.length];
    this.size.textContent = `Size: ${width} × ${height}`;
    for (const { side, shrink, grow } of this.steppers) {
      const [size, axis] = isColumn(side) ? [width, 0] : [height, 1];
      shrink.disabled = size <= least[axis];
      grow.disabled = size >= largest[axis];
    }
    this.#setFields(fields);
    for (const { name, value } of fields) this.#setValue(this.inputs.get(name), value);
    for (const [name, input] of this.named) this.#setValue(input, draft[name]);
  }

  /** Add or remove a line of cells at a side. */
  #stepper(side) {
    const resize = (verb, does, sign) => button(sign, () => this.edit.do({ [verb]: side }), { dataset: { [verb]: side }, "aria-label": `${does} a ${isColumn(side) ? "column" : "row"} ${SIDES[side]}` });
    const [shrink, grow] = [resize("shrink", "Remove", "−"), resize("grow", "Add", "+")];
    return { side, shrink, grow, element: h("div", { className: "stepper" }, h("span", {}, side), shrink, grow) };
  }

  /** Inputs for the game's own fields; they stay while the fields are the same. */
  #setFields(fields) {
    const shape = JSON.stringify(fields.map(({ value, ...rest }) => rest));
    if (shape === this.shape) return;
    this.shape = shape;
    this.inputs = new Map(fields.map((field) => [field.name, this.#field(field)]));
    this.fields.replaceChildren(...[...this.inputs].map(([name, input]) => h("label", { className: "field" }, name, input)));
  }

  #field({ name, choices, least, most }) {
    const change = (value) => ({ field: name, value });
    if (!choices) return this.#input({ type: "number", min: least, max: most, dataset: { field: name } }, change);
    return h("select", { dataset: { field: name }, onchange: ({ target }) => this.edit.do(change(target.value)) }, choices.map((value) => h("option", { value }, value)));
  }

  /** An input whose value is sent on blur; it keeps the typed value until the answer. */
  #input(properties, change) {
    const input = h("input", { ...properties,
      oninput: () => this.edited.set(input, {}),
      onchange: async () => {
        const mine = this.edited.get(input);
        await this.edit.do(change(input.value));
        if (this.edited.get(input) === mine) this.edited.delete(input);
        this.show(this.edit.answer);
      },
      onblur: () => input.value === input.dataset.saved && this.edited.delete(input) });
    return input;
  }

  #setValue(input, value) {
    input.dataset.saved = value;
    if (!this.edited.has(input)) input.value = value;
  }
}
