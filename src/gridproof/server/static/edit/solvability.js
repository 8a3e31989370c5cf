// Whether the level that is drawn can be won, and with how few actions: asked again a moment after each change.

import { announce, h } from "../dom.js";
import { Work } from "../jobs.js";

const REST = 500; // milliseconds after a change
const SECONDS = 20;

/** What is known of the present draft, in a line; `watch(trace)` shows the way that was found. */
export class Proof {
  constructor(watch) {
    this.work = new Work();
    this.on = true;
    this.line = h("p", { className: "verdict" });
    this.way = h("button", { type: "button", hidden: true, onclick: () => watch(this.trace) }, "Watch it");
    const toggle = h("input", { type: "checkbox", checked: true, onchange: () => {
      this.on = toggle.checked;
      this.of(this.answer);
    } });
    this.element = h("section", { className: "panel", "aria-label": "Proof" }, h("h2", {}, "Can it be won?"), this.line,
      h("div", { className: "row" }, this.way, h("label", { className: "tick" }, toggle, "Ask after each change")));
  }

  #say(words, kind = "") {
    this.line.textContent = words;
    this.line.dataset.verdict = kind;
    if (kind) announce(words); // and not how far it is
  }

  /** Ask of a draft; what was asked before is no longer of interest. */
  of(answer) {
    this.stop();
    this.answer = answer;
    this.way.hidden = true;
    if (!this.on) this.#say("Not asked.");
    else if (answer.problems.length) this.#say("Not yet: it is no valid level.");
    else {
      this.#say("Asking …");
      this.timer = setTimeout(() => this.#ask(answer), REST);
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.answer = null;
    this.work.stop();
  }

  async #ask(answer) {
    try {
      const body = { text: answer.text, game: answer.game, seconds: SECONDS };
      const job = await this.work.begin("jobs", body, (positions) => this.#say(`Looking: ${positions} positions …`));
      if (job) this.#found(job);
    } catch (error) {
      if (answer === this.answer) this.#say(error.message, "unknown");
    }
  }

  #found({ result, error, positions }) {
    if (!result) this.#say(error ?? "Not known: there was no answer.", "unknown");
    else if (result.found === null) this.#say(`Not known: no answer within ${SECONDS} seconds and ${positions.toLocaleString("en")} positions.`, "unknown");
    else if (!result.found) this.#say("It cannot be won: that is proved.", "no");
    else {
      this.#say(result.optimal ? `It can be won: in ${result.cost} ${result.cost === 1 ? "action" : "actions"}, and not in fewer.` : "It can be won.", "yes");
      this.trace = result.trace;
      this.way.hidden = !result.trace;
    }
  }
}
