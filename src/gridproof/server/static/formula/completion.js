// A line in which a formula is typed: names and operators are offered, and what is wrong is shown under its place.

import { announce, h } from "../dom.js";

const MOST = 10;
const ACTION = /(?:\be\(|\[)([^)\]]*)$/;
const ACTOR = /<<(?:[^>]*,)?\s*(\w*)$/;
const NAME = /[A-Za-z_]\w*$/;

export class FormulaLine {
  /** `changed()` is called at each change, `entered()` when the line is done. */
  constructor(changed, entered) {
    this.words = { propositions: [], operators: [], actions: [], actors: [] };
    this.list = h("ul", { className: "plain offers", id: "formula-offers", role: "listbox", "aria-label": "What could stand here", hidden: true });
    this.input = h("input", {
      id: "formula", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off", role: "combobox", "aria-expanded": "false",
      "aria-controls": "formula-offers", "aria-autocomplete": "list", "aria-describedby": "formula-fault", maxlength: 10000,
      oninput: () => {
        this.#offer();
        changed();
      },
      onkeydown: (event) => this.#key(event, entered),
      onblur: () => setTimeout(() => this.#close(), 150),
    });
    this.place = h("pre", { className: "place", "aria-hidden": "true", hidden: true });
    this.fault = h("p", { className: "error", id: "formula-fault", role: "alert" });
    this.element = h("div", { className: "formula" }, h("label", { for: "formula" }, "Formula"), this.input, this.place, this.fault, this.list);
  }

  get text() {
    return this.input.value;
  }

  set text(text) {
    this.input.value = text;
    this.#close();
  }

  /** Show what is wrong, under its place; null when nothing is. */
  wrong(error) {
    this.fault.textContent = error?.message ?? "";
    this.input.setAttribute("aria-invalid", String(Boolean(error)));
    this.place.hidden = !error?.column;
    if (error?.column) this.place.textContent = `${this.text}\n${" ".repeat(error.column - 1)}^`;
  }

  // -- what could stand where the cursor is

  #found() {
    const before = this.text.slice(0, this.input.selectionStart);
    const { propositions, operators, actions, actors } = this.words;
    const of = (typed, all) => ({ typed, all: all.filter(({ form }) => form.toLowerCase().startsWith(typed.toLowerCase()) && form !== typed) });
    const actor = ACTOR.exec(before);
    if (actor) return of(actor[1], actors.map((form) => ({ form, meaning: "a player" })));
    const action = ACTION.exec(before);
    if (action) return of(action[1], actions.map((form) => ({ form, meaning: "an action" })));
    const name = NAME.exec(before);
    return name ? of(name[0], [...propositions, ...operators]) : { typed: "", all: [] };
  }

  #offer() {
    const { typed, all } = this.#found();
    this.chosen = -1;
    const item = ({ form, meaning }, place) => h("li", { id: `offer-${place}`, role: "option", "aria-selected": "false", onmousedown: (event) => {
      event.preventDefault();
      this.#take(form, typed);
    } }, h("b", {}, form), ` ${meaning}`);
    this.offered = all.slice(0, MOST).map(({ form }) => [form, typed]);
    this.list.replaceChildren(...all.slice(0, MOST).map(item));
    this.list.hidden = !all.length;
    if (all.length) this.list.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-expanded", String(Boolean(all.length)));
    this.input.removeAttribute("aria-activedescendant");
  }

  #close() {
    this.list.hidden = true;
    this.offered = [];
    this.chosen = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  #choose(place) {
    this.chosen = (place + this.offered.length) % this.offered.length;
    [...this.list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === this.chosen)));
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", `offer-${this.chosen}`);
  }

  /** Put a name where its beginning was typed; the cursor goes between its parentheses. */
  #take(form, typed) {
    const at = this.input.selectionStart;
    const name = form.replace(/[([].*$/, (inside) => inside[0]);
    this.input.setRangeText(name, at - typed.length, at, "end");
    announce(form);
    this.#close();
    this.input.focus();
    this.input.dispatchEvent(new Event("input"));
  }

  #key(event, entered) {
    const open = !this.list.hidden && this.offered?.length;
    if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) this.#choose(this.chosen < 0 && event.key === "ArrowUp" ? -1 : this.chosen + (event.key === "ArrowDown" ? 1 : -1));
    else if (open && this.chosen >= 0 && (event.key === "Enter" || event.key === "Tab")) this.#take(...this.offered[this.chosen]);
    else if (open && event.key === "Escape") this.#close();
    else if (event.key === "Enter") {
      this.#close();
      entered();
    } else return;
    event.preventDefault();
  }
}
