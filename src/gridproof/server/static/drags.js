// Drags of several moves: Undo and Redo treat each as one.

export class Drags {
  constructor() {
    this.forget();
  }

  forget() {
    this.list = []; // [moves before the drag, moves after it]
  }

  add(before, after) {
    this.list.push([before, after]);
  }

  /** Drop the drags that a move after `done` others replaces. */
  replace(done) {
    this.list = this.list.filter(([, after]) => after <= done);
  }

  /** The command for Undo or Redo after `done` moves: a drag as a whole; another text is returned as it is. */
  command(text, done) {
    const before = text === "undo" && this.list.find(([, after]) => after === done);
    const after = text === "redo" && this.list.find(([start]) => start === done);
    return before ? `goto ${before[0]}` : after ? `goto ${after[1]}` : text;
  }
}
