// Long work of the server: one question at a time, asked again until it is done; another one ends it.

import { ask } from "./api.js";

const BEAT = 350; // milliseconds between two looks

export class Work {
  /** Begin work; its job when it is done, or null when it was stopped before. `progress(positions, part)` is called on the way, with what is found so far. */
  async begin(path, body, progress) {
    this.stop();
    const mine = (this.current = {});
    let job = await ask(path, body);
    mine.id = job.id;
    if (mine !== this.current) {
      this.#end(mine);
      return null;
    }
    while (!job.done) {
      await new Promise((done) => setTimeout(done, BEAT));
      if (mine !== this.current) return null;
      job = await ask(`jobs/${job.id}`);
      if (mine !== this.current) return null;
      if (job.positions || job.part) progress(job.positions.toLocaleString("en"), job.part);
    }
    this.current = null;
    return job;
  }

  stop() {
    const old = this.current;
    this.current = null;
    if (old?.id) this.#end(old);
  }

  #end({ id }) {
    ask(`jobs/${id}`, undefined, "DELETE").catch(() => undefined);
  }
}
