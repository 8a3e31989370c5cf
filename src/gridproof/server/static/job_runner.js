// Long work of the server: one job at a time, polled until it is done; a new one ends it.

import { request } from "./api.js";

const POLL_INTERVAL = 350; // milliseconds between two looks
const running = new Set(); // ids of jobs
let interrupted = false; // whether jobs were ended because the page went

function end(id) {
  running.delete(id);
  request(`jobs/${id}`, undefined, "DELETE").catch(() => undefined);
}

addEventListener("pagehide", () => {
  interrupted = running.size > 0;
  running.forEach(end);
});
addEventListener("pageshow", () => interrupted && location.reload()); // the browser has kept the page, but nobody its work

export class JobRunner {
  /** Begin work; its job when it is done, or null when it was stopped before. `progress(positions, part)` is called on the way, with what is found so far. */
  async run(path, body, progress) {
    this.stop();
    const run = (this.current = {});
    let job = await request(path, body);
    const { id } = job;
    if (run !== this.current) {
      end(id);
      return null;
    }
    run.id = id;
    running.add(id);
    while (!job.done) {
      await new Promise((done) => setTimeout(done, POLL_INTERVAL));
      if (run !== this.current) return null;
      job = await request(`jobs/${id}`);
      if (run !== this.current) return null;
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
