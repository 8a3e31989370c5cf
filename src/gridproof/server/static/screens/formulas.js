// Check a formula about a level, and play its witness or counterexample on the board.

import { request } from "../api.js";
import { announce, button, h, sentence } from "../dom.js";
import { FormulaInput } from "../formula/completion.js";
import { LevelScreen } from "../level_screen.js";
import { copy, createLink, readLink } from "../share.js";

const DELAY = 250; // milliseconds after a key until the formula is parsed

/** The screen at "/formulas", for a level in the fragment, else for a built-in one. */
export async function formulas() {
  const { games } = await request("games");
  const given = await readLink();
  const screen = new Formulas(games);
  await screen.openLink(given);
  if (given?.formula) screen.ask(given.formula);
  return screen;
}

class Formulas extends LevelScreen {
  constructor(games) {
    super(games, "formula");
    this.title = "Ask a formula";
    this.breadcrumbs = [h("a", { href: "/" }, "Games"), " › Formulas"];
    this.line = new FormulaInput(() => this.#onInput(), () => this.check());
    this.paths = h("select", { id: "formula-paths" }, h("option", { value: "all" }, "on all paths"), h("option", { value: "some" }, "on some path"));
    this.which = h("label", { className: "field", hidden: true }, "It must hold", this.paths);
    this.found.className = "verdict";
    this.examples = h("ul", { className: "plain examples" });
    this.names = h("dl", { className: "glossary" });
    this.sidebar = h("aside", { className: "sidebar", "aria-label": "Formula and verdict" },
      h("section", { className: "panel", "aria-label": "The level" }, h("h1", {}, "Ask a formula"), this.picker),
      h("section", { className: "panel", "aria-label": "The formula" }, this.line.element, this.which,
        h("div", { className: "row" },
          button("Check", () => this.check(), { className: "main", dataset: { formula: "check" } }),
          button("Share", () => this.#share())), this.found),
      this.player,
      h("section", { className: "panel", "aria-label": "Examples" }, h("h2", {}, "Worth asking"), this.examples),
      h("details", { className: "panel" }, h("summary", {}, "All names and operators"), this.names));
    this.content = [h("div", { className: "play formulas" }, this.stage, this.sidebar)];
  }

  onShow() {
    this.line.input.focus({ preventScroll: true });
  }

  opened() {
    this.line.words = this.words;
    const example = ({ formula, meaning }) => h("li", {}, button([h("code", {}, formula), h("span", { className: "meaning" }, meaning)], () => this.ask(formula), { className: "quiet" }));
    this.examples.replaceChildren(...this.words.examples.map(example));
    this.names.replaceChildren(...[...this.words.propositions, ...this.words.operators].flatMap(({ form, meaning }) => [h("dt", {}, h("code", {}, form)), h("dd", {}, meaning)]));
    this.#onInput();
  }

  // -- the formula

  /** Set a formula in the input, and check it. */
  ask(formula) {
    this.line.text = formula;
    this.check();
  }

  #onInput() {
    clearTimeout(this.timer);
    this.line.showError(null);
    if (this.line.text.trim()) this.timer = setTimeout(() => this.#validate(this.line.text), DELAY);
  }

  /** Show errors while the user types. */
  async #validate(formula) {
    try {
      const { logic } = await request("formulas", { ...this.level, formula });
      if (formula === this.line.text) this.which.hidden = logic !== "LTL";
    } catch (error) {
      if (formula === this.line.text) this.line.showError(error);
    }
  }

  async check() {
    clearTimeout(this.timer);
    this.clear();
    this.showLevel();
    const formula = this.line.text;
    this.line.showError(null);
    try {
      const { logic } = await request("formulas", { ...this.level, formula });
      this.which.hidden = logic !== "LTL";
      this.#show("Checking …");
      announce("Checking …");
      const paths = logic === "LTL" ? this.paths.value : "all";
      const job = await this.jobs.run("checks", { ...this.level, formula, paths }, (positions) => this.#show(`Checking: ${positions} positions …`));
      if (job) await this.#showResult(job.result);
    } catch (error) {
      this.#show("");
      this.line.showError(error);
    }
  }

  #show(...content) {
    this.found.replaceChildren(...content);
  }

  async #showResult(result) {
    const kind = result.holds === null ? "unknown" : result.holds ? "yes" : "no";
    const shows = result.trace && `Shown by a ${result.shows} of ${result.actions} ${result.actions === 1 ? "action" : "actions"}.`;
    this.#show(h("p", { dataset: { verdict: kind } }, h("b", {}, result.statement), ` ${result.work}`),
      ...result.remarks.map((remark) => h("p", { className: "small" }, sentence(remark))), shows ? h("p", { className: "small" }, shows) : "");
    announce(`${result.statement} ${shows || ""}`);
    if (result.trace) await this.#play(result);
  }

  async #play({ trace, shows, loop }) {
    await this.playTrace(trace, { title: sentence(shows).slice(0, -1), loop });
    for (const element of [this.player, this.found]) element.scrollIntoView({ block: "nearest" });
  }

  async #share() {
    await copy(await createLink({ ...this.source, formula: this.line.text }, "/formulas"), "The link to level and formula");
  }
}
