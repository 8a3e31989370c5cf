// The input for a formula: it suggests names and operators, and shows where an error is.

import { announce, h } from "../dom.js";

const MAX_SUGGESTIONS = 10;
const ACTION = /(?:\be\(|\[)([^)\]]*)$/;
const ACTOR = /<<(?:[^>]*,)?\s*(\w*)$/;
const NAME = /[A-Za-z_]\w*$/;

export class FormulaInput {
  /** `onInput()` is called at each change, `onEnter()` when the line is done. */
  constructor(onInput, onEnter) {
    this.words = { propositions: [], operators: [], domains: [], actions: [], actors: [] };
    this.list = h("ul", { className: "plain suggestions", id: "formula-suggestions", role: "listbox", "aria-label": "Suggestions", hidden: true });
    this.input = h("input", {
      id: "formula", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off", role: "combobox", "aria-expanded": "false",
      "aria-controls": "formula-suggestions", "aria-autocomplete": "list", "aria-describedby": "formula-error", maxlength: 10000,
      oninput: () => {
        this.#suggest();
        onInput();
      },
      onkeydown: (event) => this.#key(event, onEnter),
      onblur: () => setTimeout(() => document.activeElement !== this.input && this.#show([]), 150), // unless it is in use again
    });
    this.errorMark = h("pre", { className: "error-mark", "aria-hidden": "true", hidden: true });
    this.error = h("p", { className: "error", id: "formula-error", role: "alert" });
    this.element = h("div", { className: "formula" }, h("label", { for: "formula" }, "Formula"), this.input, this.errorMark, this.error, this.list);
  }

  get text() {
    return this.input.value;
  }

  set text(text) {
    this.input.value = text;
    this.#show([]);
  }

  /** Show an error under its place; null removes it. */
  showError(error) {
    this.error.textContent = error?.message ?? "";
    this.input.setAttribute("aria-invalid", String(Boolean(error)));
    this.errorMark.hidden = !error?.column;
    if (error?.column) this.errorMark.textContent = `${this.text}\n${" ".repeat(error.column - 1)}^`;
  }

  // -- suggestions at the cursor

  #candidates() {
    const before = this.text.slice(0, this.input.selectionStart);
    const { propositions, operators, domains, actions, actors } = this.words;
    const of = (typed, all) => ({ typed, all: all.filter(({ form }) => form.toLowerCase().startsWith(typed.toLowerCase()) && form !== typed) });
    const actor = ACTOR.exec(before);
    if (actor) return of(actor[1], actors.map((form) => ({ form, meaning: "a player" })));
    const action = ACTION.exec(before);
    if (action) return of(action[1], actions.map((form) => ({ form, meaning: "an action" })));
    const name = NAME.exec(before);
    return name ? of(name[0], [...propositions, ...operators, ...domains]) : { typed: "", all: [] };
  }

  #suggest() {
    const { typed, all } = this.#candidates();
    this.#show(all.slice(0, MAX_SUGGESTIONS), typed);
  }

  #show(suggestions, typed) {
    this.selected = -1;
    const item = ({ form, meaning }, place) => h("li", { id: `suggestion-${place}`, role: "option", "aria-selected": "false", onmousedown: (event) => {
      event.preventDefault();
      this.#insert(form, typed);
    } }, h("b", {}, form), ` ${meaning}`);
    this.suggestions = suggestions.map(({ form }) => [form, typed]);
    this.list.replaceChildren(...suggestions.map(item));
    this.list.hidden = !suggestions.length;
    this.list.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.input.removeAttribute("aria-activedescendant");
  }

  #select(place) {
    this.selected = (place + this.suggestions.length) % this.suggestions.length;
    [...this.list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === this.selected)));
    this.list.children[this.selected].scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", `suggestion-${this.selected}`);
  }

  /** Complete a name that was begun; the cursor goes between its parentheses. */
  #insert(form, typed) {
    const at = this.input.selectionStart;
    const name = form.replace(/[([].*$/, (inside) => inside[0]);
    this.input.setRangeText(name, at - typed.length, at, "end");
    announce(form);
    this.#show([]);
    this.input.focus();
    this.input.dispatchEvent(new Event("input"));
  }

  #key(event, onEnter) {
    const open = !this.list.hidden && this.suggestions?.length;
    if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) this.#select(this.selected < 0 && event.key === "ArrowUp" ? -1 : this.selected + (event.key === "ArrowDown" ? 1 : -1));
    else if (open && this.selected >= 0 && (event.key === "Enter" || event.key === "Tab")) this.#insert(...this.suggestions[this.selected]);
    else if (open && event.key === "Escape") this.#show([]);
    else if (event.key === "Enter") {
      this.#show([]);
      onEnter();
    } else return;
    event.preventDefault();
  }
}
