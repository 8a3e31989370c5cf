// What was done on a level, as it is known here: steps with their labels, how many of them are done, and the positions
// of a table that they lead through.

/** A line as the server tells it: {level, steps: [[text, label], ...], done}. */
export class MoveLine {
  constructor({ level, steps, done }) {
    this.level = level;
    this.steps = [...steps];
    this.done = done;
    this.trail = []; // numbers of positions, from the start on; -1 for those that the table does not know
  }

  get data() {
    return { level: this.level, steps: [...this.steps], done: this.done };
  }

  get undone() {
    return this.steps.length - this.done;
  }

  /** The number of the present position. */
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

  /** Find the positions of a table that was made for another line, with `first` positions before those it knows. */
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
