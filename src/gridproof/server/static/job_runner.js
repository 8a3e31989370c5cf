// Long work of the server: one question at a time, asked again until it is done; another one ends it.

import { ask } from "./api.js";

const BEAT = 350; // milliseconds between two looks
const running = new Set(); // ids of jobs
let cut = false; // whether jobs were ended because the page went

function end(id) {
  running.delete(id);
  ask(`jobs/${id}`, undefined, "DELETE").catch(() => undefined);
}

addEventListener("pagehide", () => {
  cut = running.size > 0;
  running.forEach(end);
});
addEventListener("pageshow", () => cut && location.reload()); // the browser has kept the page, but nobody its work

export class Work {
  /** Begin work; its job when it is done, or null when it was stopped before. `progress(positions, part)` is called on the way, with what is found so far. */
  async begin(path, body, progress) {
    this.stop();
    const mine = (this.current = {});
    let job = await ask(path, body);
    const { id } = job;
    if (mine !== this.current) {
      end(id);
      return null;
    }
    mine.id = id;
    running.add(id);
    while (!job.done) {
      await new Promise((done) => setTimeout(done, BEAT));
      if (mine !== this.current) return null;
      job = await ask(`jobs/${id}`);
      if (mine !== this.current) return null;
      if (job.positions || job.part) progress(job.positions.toLocaleString("en"), job.part);
    }
    running.delete(id);
    this.current = null;
    return job;
  }

  stop() {
    const old = this.current;
    this.current = null;
    if (old?.id) end(old.id);
  }
}
