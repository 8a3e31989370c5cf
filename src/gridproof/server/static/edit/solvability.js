// Whether the draft can be won, and with how few actions: checked a moment after each change.

import { announce, button, h } from "../dom.js";
import { JobRunner } from "../job_runner.js";

const DELAY = 500; // milliseconds after a change
const TIME_LIMIT = 20;

/** Line that says whether the current draft can be won; `watch(trace)` shows the found solution. */
export class Solvability {
  constructor(watch) {
    this.jobs = new JobRunner();
    this.on = true;
    this.line = h("p", { className: "verdict" });
    this.way = button("Watch it", () => watch(this.trace), { hidden: true });
    const toggle = h("input", { type: "checkbox", checked: true, onchange: () => {
      this.on = toggle.checked;
      this.check(this.answer);
    } });
    this.element = h("section", { className: "panel", "aria-label": "Proof" }, h("h2", {}, "Can it be won?"), this.line,
      h("div", { className: "row" }, this.way, h("label", { className: "checkbox" }, toggle, "Check after each change")));
  }

  #show(words, kind = "") {
    this.line.textContent = words;
    this.line.dataset.verdict = kind;
    if (kind) announce(words); // but not the progress
  }

  /** Check a draft; stop an earlier check. */
  check(answer) {
    this.stop();
    this.answer = answer;
    this.way.hidden = true;
    if (!this.on) this.#show("Off.");
    else if (answer.problems.length) this.#show("Fix the problems first.");
    else {
      this.#show("Checking …");
      this.timer = setTimeout(() => this.#ask(answer), DELAY);
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.answer = null;
    this.jobs.stop();
  }

  async #ask(answer) {
    try {
      const body = { text: answer.text, game: answer.game, seconds: TIME_LIMIT };
      const job = await this.jobs.run("jobs", body, (positions) => this.#show(`Looking: ${positions} positions …`));
      if (job) this.#showResult(job);
    } catch (error) {
      if (answer === this.answer) this.#show(error.message, "unknown");
    }
  }

  #showResult({ result, error, positions }) {
    if (!result) this.#show(error ?? "Unknown: the server did not answer.", "unknown");
    else if (result.found === null) this.#show(`Unknown: the time limit of ${TIME_LIMIT} seconds was reached after ${positions.toLocaleString("en")} positions.`, "unknown");
    else if (!result.found) this.#show("It cannot be won: that is proved.", "no");
    else {
      this.#show(result.optimal ? `It can be won: in ${result.cost} ${result.cost === 1 ? "action" : "actions"}, and not in fewer.` : "It can be won.", "yes");
      this.trace = result.trace;
      this.way.hidden = !result.trace;
    }
  }
}
