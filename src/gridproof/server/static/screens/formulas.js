// Check a formula about a level, and play its witness or counterexample on the board.

import { request } from "../api.js";
import { LevelPicker } from "../level_picker.js";
import { announce, button, h, sentence } from "../dom.js";
import { FormulaInput } from "../formula/completion.js";
import { JobRunner } from "../job_runner.js";
import { copy, readLink, createLink } from "../share.js";
import { LevelView } from "../trace_player.js";

const DELAY = 250; // milliseconds after a key until the formula is parsed

/** The screen at "/formulas", for a level in the fragment, else for a built-in one. */
export async function formulas() {
  const { games } = await request("games");
  const given = await readLink();
  const screen = new Formulas(games);
  await screen.picker.open(given);
  if (given?.formula) screen.ask(given.formula);
  return screen;
}

class Formulas {
  constructor(games) {
    this.title = "Ask a formula";
    this.breadcrumbs = [h("a", { href: "/" }, "Games"), " › Formulas"];
    this.jobs = new JobRunner();
    this.view = new LevelView((showing) => this.view?.player.classList.toggle("showing", showing));
    this.line = new FormulaInput(() => this.#onInput(), () => this.check());
    this.picker = new LevelPicker(games, "formula", (text, game) => this.#openLevel(text, game));
    this.paths = h("select", { id: "formula-paths" }, h("option", { value: "all" }, "on all paths"), h("option", { value: "some" }, "on some path"));
    this.which = h("label", { className: "field", hidden: true }, "It must hold", this.paths);
    this.verdict = h("div", { className: "verdict" });
    this.examples = h("ul", { className: "plain examples" });
    this.names = h("dl", { className: "glossary" });
    this.sidebar = h("aside", { className: "sidebar", "aria-label": "Formula and verdict" },
      h("section", { className: "panel", "aria-label": "The level" }, h("h1", {}, "Ask a formula"), this.picker.element),
      h("section", { className: "panel", "aria-label": "The formula" }, this.line.element, this.which,
        h("div", { className: "row" },
          button("Check", () => this.check(), { className: "main", dataset: { formula: "check" } }),
          button("Share", () => this.#share())), this.verdict),
      this.view.player,
      h("section", { className: "panel", "aria-label": "Examples" }, h("h2", {}, "Worth asking"), this.examples),
      h("details", { className: "panel" }, h("summary", {}, "All names and operators"), this.names));
    this.content = [h("div", { className: "play formulas" }, this.view.stage, this.sidebar)];
  }

  onShow() {
    this.line.input.focus({ preventScroll: true });
  }

  leave() {
    this.jobs.stop();
    this.view.leave();
  }

  /** A file that was dropped on the page. */
  openText(text) {
    return this.picker.openText(text);
  }

  // -- the level

  async #openLevel(text, game) {
    this.#clear();
    this.words = await request("vocabularies", { text, ...(game && { game }) });
    this.level = { text, game: this.words.game };
    this.line.words = this.words;
    this.view.show(this.words);
    const example = ({ formula, meaning }) => h("li", {}, button([h("code", {}, formula), h("span", { className: "meaning" }, meaning)], () => this.ask(formula), { className: "quiet" }));
    this.examples.replaceChildren(...this.words.examples.map(example));
    this.names.replaceChildren(...[...this.words.propositions, ...this.words.operators].flatMap(({ form, meaning }) => [h("dt", {}, h("code", {}, form)), h("dd", {}, meaning)]));
    this.#onInput();
    return this.words;
  }

  // -- the formula

  /** Set a formula in the input, and check it. */
  ask(formula) {
    this.line.text = formula;
    this.check();
  }

  #clear() {
    this.jobs.stop();
    this.view.stop();
    this.verdict.replaceChildren();
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
    this.#clear();
    this.view.show();
    const formula = this.line.text;
    this.line.showError(null);
    try {
      const { logic } = await request("formulas", { ...this.level, formula });
      this.which.hidden = logic !== "LTL";
      this.#show("Checking …");
      announce("Checking …");
      const paths = logic === "LTL" ? this.paths.value : "all";
      const job = await this.jobs.run("checks", { ...this.level, formula, paths }, (positions) => this.#show(`Checking: ${positions} positions …`));
      if (job) await this.#showResult(job);
    } catch (error) {
      this.#show("");
      this.line.showError(error);
    }
  }

  #show(...content) {
    this.verdict.replaceChildren(...content);
  }

  async #showResult({ result, error }) {
    if (!result) {
      this.#show(h("p", { className: "error", role: "alert" }, error ?? "The server did not answer."));
      return;
    }
    const kind = result.holds === null ? "unknown" : result.holds ? "yes" : "no";
    const shows = result.trace && `Shown by a ${result.shows} of ${result.actions} ${result.actions === 1 ? "action" : "actions"}.`;
    this.#show(h("p", { dataset: { verdict: kind } }, h("b", {}, result.statement), ` ${result.work}`),
      ...result.remarks.map((remark) => h("p", { className: "small" }, sentence(remark))), shows ? h("p", { className: "small" }, shows) : "");
    announce(`${result.statement} ${shows || ""}`);
    if (result.trace) await this.#play(result);
  }

  async #play({ trace, shows, loop }) {
    await this.view.play(trace, { title: sentence(shows).slice(0, -1), loop });
    for (const element of [this.view.player, this.verdict]) element.scrollIntoView({ block: "nearest" });
  }

  async #share() {
    await copy(await createLink({ ...this.picker.source, formula: this.line.text }, "/formulas"), "The link to level and formula");
  }
}
