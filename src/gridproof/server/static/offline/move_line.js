// The line of a level in this page: steps with their labels, how many of them are done, and the positions
// of a table that they lead through.

/** A line as the server sends it: {level, steps: [[text, label], ...], done}. */
export class MoveLine {
  constructor({ level, steps, done }) {
    this.level = level;
    this.steps = [...steps];
    this.done = done;
    this.trail = []; // numbers of positions, from the start on; -1 for positions that are not in the table
  }

  get data() {
    return { level: this.level, steps: [...this.steps], done: this.done };
  }

  get undone() {
    return this.steps.length - this.done;
  }

  /** The number of the current position. */
  get here() {
    return this.trail[this.done] ?? -1;
  }

  act(text, label, number) {
    this.steps.length = this.done;
    this.trail.length = this.done + 1;
    this.steps.push([text, label]);
    this.trail.push(number);
    this.done += 1;
  }

  /** Find the positions in a table that was built for another line; `first` positions precede it. */
  place(table, { line: other, near, first }) {
    let common = 0;
    while (common < Math.min(other.steps.length, this.steps.length) && same(other.steps[common], this.steps[common])) common += 1;
    const known = (index) => (near ? table.data.line[index - first] : index ? undefined : 0) ?? -1;
    this.trail = [];
    for (let index = 0; index <= this.steps.length; index += 1) {
      const given = index <= common ? known(index) : -1;
      this.trail.push(given < 0 && index ? table.follow(this.trail[index - 1], this.steps[index - 1][0]) : given);
    }
  }
}

const same = ([text, label], [other, drawn]) => text === other && label === drawn;
