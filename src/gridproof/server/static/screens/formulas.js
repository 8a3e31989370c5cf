// Check a formula about a level, and play its witness or counterexample on the board.

import { request } from "../api.js";
import { announce, button, formatCount, h, isTouched, sentence } from "../dom.js";
import { FormulaInput } from "../formula/completion.js";
import { TraceTable } from "../formula/trace_table.js";
import { crumbs } from "../game_link.js";
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
    this.title = "Prove a claim";
    this.breadcrumbs = crumbs("Prove");
    this.line = new FormulaInput(() => this.#onInput(), () => this.check());
    this.line.input.addEventListener("focus", () => this.line.text === this.first?.formula && this.line.input.select()); // what is typed replaces the example
    this.paths = h("select", { id: "formula-paths" }, h("option", { value: "all" }, "on all paths"), h("option", { value: "some" }, "on some path"));
    this.which = h("label", { className: "field", hidden: true }, "It must hold", this.paths);
    this.found.className = "verdict";
    this.examples = h("div", { className: "examples" });
    this.states = h("div", {});
    this.names = h("dl", { className: "glossary" });
    this.sidebar = h("aside", { className: "sidebar", "aria-label": "Formula and verdict" },
      h("section", { className: "panel", "aria-label": "The level" }, h("h1", {}, this.title), this.picker),
      h("section", { className: "panel", "aria-label": "The formula" }, this.line.element, this.which,
        h("div", { className: "row" },
          button("Check", () => this.check(), { className: "main", dataset: { formula: "check" } }),
          button("Share", () => this.#share())), this.found),
      this.player, this.states,
      h("section", { className: "panel", "aria-label": "Examples" }, h("h2", {}, "Worth asking"), this.examples),
      h("details", { className: "panel" }, h("summary", {}, "All names and operators"), this.names));
    this.content = [h("div", { className: "play formulas" }, this.stage, this.sidebar)];
  }

  onShow() {
    if (!isTouched()) this.line.input.focus({ preventScroll: true });
  }

  opened() {
    this.line.words = this.words;
    const example = (one) => h("li", {}, button([h("span", { className: "meaning" }, one.meaning), h("code", {}, one.formula)], () => this.ask(one.formula, one), { className: "quiet" }));
    const group = ([about, title]) => {
      const items = this.words.examples.filter((one) => one.about === about);
      return items.length > 0 && [h("h3", {}, title), h("ul", { className: "plain" }, items.map(example))];
    };
    this.examples.replaceChildren(...[["win", "About the win"], ["game", "With the words of this game"]].flatMap(group).filter(Boolean));
    this.#begin();
    this.names.replaceChildren(...[...this.words.propositions, ...this.words.operators, ...this.words.domains].flatMap(({ form, meaning }) => [h("dt", {}, h("code", {}, form)), h("dd", {}, meaning)]));
    this.#onInput();
  }

  /** Begin with the first example of the game at hand, unless the reader has typed something. */
  #begin() {
    if (this.line.text.trim() && this.line.text !== this.first?.formula) return;
    [this.first] = this.words.examples;
    if (!this.first) return;
    this.line.text = this.first.formula;
    this.#show(h("p", { className: "question" }, `${sentence(this.first.meaning)} Check it, or choose another question.`));
  }

  clear() {
    super.clear();
    this.states?.replaceChildren();
  }

  endTrace() {
    this.states.replaceChildren();
    super.endTrace();
  }

  /** What is asked: a formula about the level, or about a position of it. */
  #question(formula) {
    return { ...this.level, formula, ...(this.position && { position: this.position }) };
  }

  // -- the formula

  /** Set a formula in the input, and check it; `example` is the one that was chosen, since several may have the same formula. */
  ask(formula, example = null) {
    this.line.text = formula;
    this.chosen = example;
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
      const { logic } = await request("formulas", this.#question(formula));
      if (formula === this.line.text) this.which.hidden = logic !== "LTL";
    } catch (error) {
      if (formula === this.line.text) this.line.showError(error);
    }
  }

  async check() {
    await this.whenOpen();
    clearTimeout(this.timer);
    this.clear();
    this.showLevel();
    const formula = this.line.text;
    this.line.showError(null);
    try {
      const { logic } = await request("formulas", this.#question(formula));
      this.which.hidden = logic !== "LTL";
      this.#show("Checking …");
      announce("Checking …");
      const paths = logic === "LTL" ? this.paths.value : "all";
      const job = await this.jobs.run("checks", { ...this.#question(formula), paths }, (positions) => this.#show(`Checking: ${positions} positions …`));
      if (job) await this.#showResult(job.result);
    } catch (error) {
      this.#show("");
      this.line.showError(error);
    }
  }

  #show(...content) {
    this.found.replaceChildren(...content.filter(Boolean));
  }

  async #showResult(result) {
    const kind = result.holds === null ? "unknown" : result.holds ? "yes" : "no";
    const shows = result.trace && `${result.holds ? "This shows it" : "This refutes it"}: ${result.actions ? formatCount(result.actions, "actions") : "the position itself"}${result.luck ? ", with luck" : ""}.`;
    this.#show(this.#answer(result, kind), h("p", { dataset: { verdict: kind } }, h("b", {}, result.words)), !result.counted && h("p", { className: "small muted" }, result.work),
      ...result.remarks.map((remark) => h("p", { className: "small" }, sentence(remark))), shows ? h("p", { className: "small" }, shows) : "");
    announce(`${result.words} ${shows || ""}`);
    this.found.scrollIntoView({ block: "nearest" });
    if (!result.trace) return;
    if (result.wins && this.isSpoiler) this.found.append(button("Show it", () => this.spoil(() => this.#play(result)), { "aria-label": "Show it: a solution" }));
    else await this.#play(result);
  }

  /** The answer to an example's question; "" to a formula of the reader's own. */
  #answer({ holds, luck }, kind) {
    const example = [this.chosen, ...this.words.examples].find((one) => one?.formula === this.line.text.trim());
    if (!example || holds === null) return "";
    return h("p", { className: "question", dataset: { verdict: kind } }, `${sentence(example.meaning)} `, h("b", {}, holds ? (luck ? "Yes, with luck." : "Yes.") : "No."));
  }

  async #play({ trace, shows, loop, states, actions }) {
    let list = null;
    await this.playTrace(trace, { title: sentence(shows).slice(0, -1), loop, onStep: (place) => list?.mark(place) });
    this.player.hidden = !actions; // the position itself needs no player
    const table = { states, actions, loop, steps: this.replay.steps, pieces: this.board.pieces };
    list = new TraceTable(table, new Map(this.words.propositions.map(({ name, meaning }) => [name, meaning])), (place) => this.replay?.go(place));
    this.states.replaceChildren(h("section", { className: "panel", "aria-label": "States" }, h("h2", {}, "State by state"), list.element));
    list.mark(this.replay.at);
    for (const element of [this.player, this.found]) element.scrollIntoView({ block: "nearest" });
  }

  async #share() {
    await copy(await createLink({ ...this.source, formula: this.line.text }, "/formulas"), "The link to level and formula");
  }
}
