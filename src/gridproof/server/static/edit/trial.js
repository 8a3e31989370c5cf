// A trial of the draft in the place of the drawing board: it is played by the rules, and the draft stays as it is.

import { request } from "../api.js";
import { actionWords, heardWords } from "../words.js";
import { announce, button, h, sentence } from "../dom.js";
import { clearRefusal, TrialBoard } from "../trial_board.js";

export class Trial {
  /** `back()` returns to drawing. */
  constructor(draft, back) {
    this.draft = draft;
    this.back = back;
    this.trial = new TrialBoard("The draft, to try", {
      ask: (actions, where) => request("trials", { text: this.draft.text, game: this.draft.game, actions, ...where }),
      shown: (state, added) => this.#show(state, added),
      asked: () => clearRefusal(this.answer),
      mayPlay: () => !this.trial.state.over,
    });
    this.answer = h("p", { className: "answer", role: "status" });
    const { undoButton, restartButton, actions, keyActor } = this.trial;
    this.buttons = [button("Back to drawing", back, { className: "main", "aria-keyshortcuts": "Escape" }), undoButton, restartButton];
    this.element = h("section", { className: "panel trial", "aria-label": "Trial" }, h("h2", {}, "Try it"), this.answer, keyActor.element, actions);
  }

  get stage() {
    return this.trial.stage;
  }

  /** Whether the server has answered, so that there is something to play. */
  get hasBegun() {
    return Boolean(this.trial.state);
  }

  begin() {
    return this.trial.send([]);
  }

  /** The draft has changed: do the same actions again, as far as they go. */
  update(draft) {
    this.draft = draft;
    this.trial.reload();
  }

  leave() {
    this.trial.leave();
  }

  #show(state, added) {
    const heard = added.flatMap(heardWords);
    this.answer.className = `answer ${state.won ? "done" : state.refused ? "refused" : ""}`;
    this.answer.textContent = [...heard.map(sentence), sentence(state.refused?.text ?? state.text)].join(" ");
    if (!state.won && !state.refused) announce(added.map(actionWords).join(", "));
  }

  onKey(name, event) {
    if (name === "escape" && !this.trial.board.cursor) {
      this.back();
      return true;
    }
    return this.trial.onKey(name, event);
  }
}
