// A formula about a level: typed, proved or refuted, and what shows it is played on the board.

import { ask } from "../api.js";
import { Board } from "../board.js";
import { LevelChoice } from "../choice.js";
import { listenToKeys } from "../controls.js";
import { announce, h, sentence } from "../dom.js";
import { FormulaLine } from "../formula/completion.js";
import { Work } from "../jobs.js";
import { copy, linked, linkOf } from "../share.js";
import { showTrace } from "../shown.js";

const REST = 250; // milliseconds after a key, until a formula is looked at

/** The screen at "/formulas": of a level in the fragment, else of one that comes with a game. */
export async function formulas() {
  const { games } = await ask("games");
  const given = await linked();
  const screen = new Formulas(games);
  await screen.choice.open(given);
  if (given?.formula) screen.ask(given.formula);
  return screen;
}

class Formulas {
  constructor(games) {
    this.title = "Ask a formula";
    this.trail = [h("a", { href: "/" }, "Games"), " › Formulas"];
    this.work = new Work();
    this.board = new Board();
    this.stage = h("div", { className: "stage", tabindex: "0", role: "img", "aria-label": "The level" }, this.board.element);
    this.line = new FormulaLine(() => this.#typed(), () => this.check());
    this.choice = new LevelChoice(games, "formula", (text, game) => this.#begin(text, game));
    this.paths = h("select", { id: "formula-paths" }, h("option", { value: "all" }, "on all paths"), h("option", { value: "some" }, "on some path"));
    this.which = h("label", { className: "field", hidden: true }, "It is to hold", this.paths);
    this.verdict = h("div", { className: "verdict" });
    this.examples = h("ul", { className: "plain examples" });
    this.names = h("dl", { className: "names" });
    this.player = h("div", { className: "panel", hidden: true });
    this.rail = h("aside", { className: "rail", "aria-label": "Formula and verdict" },
      h("section", { className: "panel", "aria-label": "The level" }, h("h1", {}, "Ask a formula"), this.choice.element),
      h("section", { className: "panel", "aria-label": "The formula" }, this.line.element, this.which,
        h("div", { className: "row" },
          h("button", { type: "button", className: "main", dataset: { formula: "check" }, onclick: () => this.check() }, "Check"),
          h("button", { type: "button", onclick: () => this.#share() }, "Share")), this.verdict),
      this.player,
      h("section", { className: "panel", "aria-label": "Examples" }, h("h2", {}, "Worth asking"), this.examples),
      h("details", { className: "panel" }, h("summary", {}, "All names and operators"), this.names));
    this.content = [h("div", { className: "play formulas" }, this.stage, this.rail)];
    this.unlisten = listenToKeys((name) => Boolean(this.replay?.pressed(name)));
  }

  shown() {
    this.line.input.focus({ preventScroll: true });
  }

  leave() {
    this.work.stop();
    this.replay?.stop();
    this.unlisten();
  }

  /** A file that was dropped on the page. */
  opened(text) {
    return this.choice.take(text);
  }

  // -- the level

  async #begin(text, game) {
    this.#forget();
    this.words = await ask("vocabularies", { text, ...(game && { game }) });
    this.level = { text, game: this.words.game };
    this.line.words = this.words;
    this.#start();
    const example = ({ formula, meaning }) => h("li", {}, h("button", { type: "button", className: "quiet", onclick: () => this.ask(formula) }, h("code", {}, formula), h("span", { className: "meaning" }, meaning)));
    this.examples.replaceChildren(...this.words.examples.map(example));
    this.names.replaceChildren(...[...this.words.propositions, ...this.words.operators].flatMap(({ form, meaning }) => [h("dt", {}, h("code", {}, form)), h("dd", {}, meaning)]));
    this.#typed();
    return this.words;
  }

  #start() {
    this.board.begin(this.words.pieces);
    this.board.show(this.words.board);
    this.stage.setAttribute("aria-label", `The level ${this.words.title || ""}, at its start`);
  }

  // -- the formula

  /** Put a formula into the line, and check it. */
  ask(formula) {
    this.line.text = formula;
    this.check();
  }

  #forget() {
    this.work.stop();
    this.replay?.stop();
    this.replay = null;
    this.#see(false);
    this.verdict.replaceChildren();
  }

  #typed() {
    clearTimeout(this.timer);
    this.line.wrong(null);
    if (this.line.text.trim()) this.timer = setTimeout(() => this.#look(this.line.text), REST);
  }

  /** Say what is wrong as one types. */
  async #look(formula) {
    try {
      const { logic } = await ask("formulas", { ...this.level, formula });
      if (formula === this.line.text) this.which.hidden = logic !== "LTL";
    } catch (error) {
      if (formula === this.line.text) this.line.wrong(error);
    }
  }

  async check() {
    clearTimeout(this.timer);
    this.#forget();
    this.#start();
    const formula = this.line.text;
    this.line.wrong(null);
    try {
      const { logic } = await ask("formulas", { ...this.level, formula });
      this.which.hidden = logic !== "LTL";
      this.#say("Checking …");
      announce("Checking …");
      const paths = logic === "LTL" ? this.paths.value : "all";
      const job = await this.work.begin("checks", { ...this.level, formula, paths }, (positions) => this.#say(`Checking: ${positions} positions …`));
      if (job) await this.#told(job);
    } catch (error) {
      this.#say("");
      this.line.wrong(error);
    }
  }

  #say(...content) {
    this.verdict.replaceChildren(...content);
  }

  async #told({ result, error }) {
    if (!result) {
      this.#say(h("p", { className: "error", role: "alert" }, error ?? "There was no answer."));
      return;
    }
    const kind = result.holds === null ? "unknown" : result.holds ? "yes" : "no";
    const words = result.holds === null ? "Not known" : result.holds ? "It holds" : "It does not hold";
    const shows = result.trace && `Shown by a ${result.shows} of ${result.actions} ${result.actions === 1 ? "action" : "actions"}.`;
    this.#say(h("p", { dataset: { verdict: kind } }, h("b", {}, words), `: ${result.work}`),
      ...result.remarks.map((remark) => h("p", { className: "small" }, sentence(remark))), shows ? h("p", { className: "small" }, shows) : "");
    announce(`${words}. ${shows || ""}`);
    if (result.trace) await this.#play(result);
  }

  async #play({ trace, shows, loop }) {
    const title = sentence(shows).slice(0, -1);
    this.replay = await showTrace(this.board, trace, { title, loop, back: "Back to the level", ended: () => {
      this.replay?.stop();
      this.replay = null;
      this.#see(false);
      this.#start();
    } });
    this.player.replaceChildren(this.replay.element);
    this.#see(true);
  }

  /** Whether something is shown on the board, which then stays in sight. */
  #see(showing) {
    this.player.hidden = !showing;
    this.player.classList.toggle("showing", showing);
    if (!showing) return;
    for (const element of [this.player, this.verdict]) element.scrollIntoView({ block: "nearest" });
  }

  async #share() {
    await copy(await linkOf({ ...this.choice.source, formula: this.line.text }, "/formulas"), "The link to level and formula");
  }
}
