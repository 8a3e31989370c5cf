// Runs the server's jobs: one at a time, polled until it is done; a new job stops the former.

import { request } from "./api.js";

const POLL_INTERVAL = 350; // milliseconds between two polls
const running = new Set(); // ids of jobs
let interrupted = false; // whether jobs were stopped because the page was closed

function end(id) {
  running.delete(id);
  request(`jobs/${id}`, undefined, "DELETE").catch(() => undefined);
}

addEventListener("pagehide", () => {
  interrupted = running.size > 0;
  running.forEach(end);
});
addEventListener("pageshow", () => interrupted && location.reload()); // the browser has restored the page, but its job was stopped

export class JobRunner {
  /** Start a job and return it when it is done, or null if it was stopped. `progress(positions, part)` is called meanwhile with partial results. */
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
