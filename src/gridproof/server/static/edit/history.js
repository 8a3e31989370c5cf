// The history of a draft, for undo and redo; edits are sent to the server one request at a time.

import { request } from "../api.js";
import { pause, showToast } from "../dom.js";

const PAUSE = 40; // milliseconds between two requests, since drawing is faster than the request rate should be
const MAX_EDITS = 400; // edits in one request
const MAX_ENTRIES = 500;
const latest = new Map(); // game -> its history in this tab, which goes on when the same draft is opened again

export class History {
  /** `first` is the server's answer about the draft, `before` that about the draft to which undo leads, or null; `onChange(answer)` is called whenever the current draft changes. */
  constructor(first, before, onChange) {
    const last = latest.get(first.game);
    const goesOn = last?.answer.text === first.text;
    const start = [before?.text !== first.text && before, first].filter(Boolean).map((answer) => ({ answer, stroke: 0 }));
    this.entries = goesOn ? last.entries : start;
    this.at = goesOn ? last.at : start.length - 1;
    this.strokes = goesOn ? last.strokes : 0;
    this.onChange = onChange;
    this.queue = [];
    latest.set(first.game, this);
  }

  get answer() {
    return this.entries[this.at].answer;
  }

  /** Start a stroke: all of its edits are undone together. */
  begin() {
    this.strokes += 1;
    return this.strokes;
  }

  /** Do an edit of the server's API, or replace the draft: {draft}, or its title or author: {about}. */
  do(edit, stroke = this.begin()) {
    return this.#enqueue({ edit, stroke });
  }

  undo = () => this.#enqueue({ step: -1 });
  redo = () => this.#enqueue({ step: 1 });

  #enqueue(item) {
    this.queue.push(item);
    this.working ??= this.#processAll().finally(() => {
      this.working = null;
    });
    return this.working;
  }

  async #processAll() {
    while (this.queue.length) {
      try {
        await this.#processNext();
      } catch (error) {
        this.queue = [];
        this.onChange(this.answer);
        showToast(error.message, 8);
      }
      if (this.queue.length) await pause(PAUSE);
    }
  }

  async #processNext() {
    const { step, edit, stroke } = this.queue[0];
    if (step) {
      this.queue.shift();
      this.at = Math.max(0, Math.min(this.entries.length - 1, this.at + step));
      this.onChange(this.answer);
      return;
    }
    const { game, draft } = this.answer;
    const replaced = edit.draft ?? (edit.about && { ...draft, ...edit.about });
    const others = this.queue.findIndex((one) => one.stroke !== stroke || one.edit.draft || one.edit.about);
    const count = replaced ? 1 : Math.min(MAX_EDITS, others < 0 ? this.queue.length : others);
    const edits = this.queue.splice(0, count).map((one) => one.edit);
    this.#append(await request("drafts", replaced ? { game, draft: replaced } : { game, draft, edits }), stroke);
  }

  #append(answer, stroke) {
    const same = this.entries[this.at].stroke === stroke;
    this.entries.splice(same ? this.at : this.at + 1, Infinity, { answer, stroke });
    if (this.entries.length > MAX_ENTRIES) this.entries.shift();
    this.at = this.entries.length - 1;
    this.onChange(answer);
  }
}
