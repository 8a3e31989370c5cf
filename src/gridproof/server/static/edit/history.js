// What was drawn, to be undone and redone; and the server's answers, one question at a time.

import { ask } from "../api.js";
import { note } from "../dom.js";

const PAUSE = 40; // milliseconds between two questions, since a hand draws faster than a server should be asked
const MOST = 400; // edits of one question
const DEEPEST = 500;

export class History {
  /** `shown(answer)` is called whenever another draft is the present one. */
  constructor(first, shown) {
    this.entries = [{ answer: first, stroke: 0 }];
    this.at = 0;
    this.shown = shown;
    this.waiting = [];
    this.strokes = 0;
  }

  get answer() {
    return this.entries[this.at].answer;
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at + 1 < this.entries.length;
  }

  /** A new stroke: all edits of one are undone together. */
  begin() {
    this.strokes += 1;
    return this.strokes;
  }

  /** Do an edit as the server knows them; replace the draft: {draft}, or its title or author: {about}. */
  do(edit, stroke = this.begin()) {
    this.waiting.push({ edit, stroke });
    return this.#work();
  }

  undo() {
    this.waiting.push({ step: -1 });
    return this.#work();
  }

  redo() {
    this.waiting.push({ step: 1 });
    return this.#work();
  }

  #work() {
    this.working ??= this.#all().finally(() => {
      this.working = null;
    });
    return this.working;
  }

  async #all() {
    while (this.waiting.length) {
      try {
        await this.#next();
      } catch (error) {
        this.waiting = [];
        this.shown(this.answer);
        note(error.message, 8);
      }
      if (this.waiting.length) await new Promise((done) => setTimeout(done, PAUSE));
    }
  }

  async #next() {
    const { step, edit, stroke } = this.waiting[0];
    if (step) {
      this.waiting.shift();
      this.at = Math.max(0, Math.min(this.entries.length - 1, this.at + step));
      const entry = this.entries[this.at];
      if (!entry.answer.board) entry.answer = await ask("drafts", entry.answer);
      this.shown(entry.answer);
      return;
    }
    const { game, draft } = this.answer;
    if (edit.draft || edit.about) {
      this.waiting.shift();
      this.#take(await ask("drafts", { game, draft: edit.draft ?? { ...draft, ...edit.about } }), stroke);
      return;
    }
    const others = this.waiting.findIndex((one) => one.stroke !== stroke || one.edit.draft || one.edit.about);
    const edits = this.waiting.splice(0, Math.min(MOST, others < 0 ? this.waiting.length : others));
    this.#take(await ask("drafts", { game, draft, edits: edits.map((one) => one.edit) }), stroke);
  }

  #take(answer, stroke) {
    const same = this.entries[this.at].stroke === stroke;
    this.entries.splice(same ? this.at : this.at + 1, Infinity, { answer, stroke });
    if (this.entries.length > DEEPEST) this.entries.shift();
    this.at = this.entries.length - 1;
    this.shown(answer);
  }
}
