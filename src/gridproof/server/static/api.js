// The server's REST API, its jobs, and a session's WebSocket.

import { formatNumber, pause, sentence } from "./dom.js";

/** A refused request, with the server's reason. */
export class ApiError extends Error {
  constructor(status, error) {
    super(error.problems?.map(describeProblem).join("\n") || error.text);
    this.status = status;
    this.code = error.code;
    this.column = error.column; // of the error in a text
  }
}

/** A problem of a level in a sentence, with its place, without the number of its clause. */
function describeProblem({ where, message }) {
  const place = Array.isArray(where) ? `(${where.join(", ")})` : where;
  return sentence(where === null || typeof place === "object" ? message : `at ${place}: ${message}`);
}

/** JSON of an address; with a body it is posted. */
export async function request(path, body, method) {
  const answer = await fetchApi(path, body, method);
  const json = answer.headers.get("Content-Type")?.startsWith("application/json");
  return answer.status === 204 ? null : json ? answer.json() : answer.text();
}

/** The text of an address, of JSON too: seeds may be larger than JavaScript's numbers. */
export const requestText = async (path) => (await fetchApi(path)).text();

async function fetchApi(path, body, method) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      keepalive: method === "DELETE", // also when the page closes
    });
  } catch {
    throw new ApiError(0, { code: "offline", text: "The server cannot be reached. Check your connection, and try again." });
  }
  if (answer.ok) return answer;
  const found = await answer.json().catch(() => null);
  throw new ApiError(answer.status, found?.error ?? { code: "input", text: `Something went wrong on the server (error ${answer.status}). Try again in a moment.` });
}

const MAX_RETRY_DELAY = 8000;
const MESSAGE_TOO_BIG = 1009;
const PERMANENT_CLOSE_CODES = new Set([4400, 4403, 4404]);

const LOST = "Connection lost. Reconnecting …";

/**
 * A session's connection. It reconnects by itself; `onMessage` gets every message, `onStatus` the state of the connection.
 * While the server is away, `offline` answers the messages, if it `canPlay`. `view` is the actor whose view is requested.
 */
export class Connection {
  constructor(id, onMessage, onStatus, offline, view) {
    this.id = id;
    this.onMessage = onMessage;
    this.onStatus = onStatus;
    this.offline = offline;
    this.waiting = new Map();
    this.ref = 0;
    this.retries = 0;
    this.view = view;
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    addEventListener("offline", () => this.socket.readyState === WebSocket.OPEN && this.#disconnect(), { signal });
    addEventListener("online", () => this.socket.readyState > WebSocket.OPEN && this.#connect(), { signal });
    this.#connect();
  }

  #connect() {
    clearTimeout(this.timer);
    const view = this.view ? `?view=${encodeURIComponent(this.view)}` : "";
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${this.id}${view}`);
    this.socket = socket;
    socket.onopen = () => {
      this.retries = 0;
      this.onStatus("open");
    };
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.socket === socket) this.#disconnect(event.code);
    };
  }

  /** The connection is lost: answer the open messages offline, where possible. */
  #disconnect(code) {
    clearTimeout(this.timer);
    const unanswered = [...this.waiting.values()];
    this.waiting.clear();
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    if (!this.closed && PERMANENT_CLOSE_CODES.has(code)) this.onStatus(code === 4404 ? "missing" : "refused");
    else if (!this.closed) {
      this.retries += 1;
      this.timer = setTimeout(() => this.#connect(), Math.min(MAX_RETRY_DELAY, 250 * 2 ** this.retries));
      this.onStatus("lost");
    }
    for (const { message, resolve, reject } of unanswered) {
      if (message.type === "do" && this.offline?.canPlay && !this.closed) this.send(message).then(resolve, reject);
      else reject(new ApiError(0, code === MESSAGE_TOO_BIG ? { code: "large", text: "This is too large for the server." } : { code: "offline", text: LOST }));
    }
  }

  #receive(message) {
    const wait = this.waiting.get(message.ref);
    this.waiting.delete(message.ref);
    this.onMessage(message);
    wait?.resolve(message);
  }

  /** Whether the connection is open. */
  get open() {
    return this.socket.readyState === WebSocket.OPEN && !this.offline?.waits;
  }

  /** Send a message and return its answer, after `onMessage` got it. While the server is away, the answer is made offline. */
  async send(message) {
    if (!this.offline?.canPlay || this.open) return this.ask(message);
    const answer = await this.offline.answer(message);
    this.onMessage(answer);
    return answer;
  }

  /** Send a message to the server and return its answer, after `onMessage` got it. */
  ask(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new ApiError(0, { code: "offline", text: "Offline: reconnecting …" }));
    this.ref += 1;
    const ref = this.ref;
    return new Promise((resolve, reject) => {
      this.waiting.set(ref, { message, resolve, reject });
      this.socket.send(JSON.stringify({ ...message, ref }));
    });
  }

  close() {
    this.closed = true;
    this.listeners.abort();
    this.#disconnect();
  }
}

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
  /**
   * Start a job and return it when it has a result, or null if it was stopped; throws if it failed. `progress(positions, part)` is
   * called meanwhile with partial results.
   */
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
      await pause(POLL_INTERVAL);
      if (run !== this.current) return null;
      job = await request(`jobs/${id}`);
      if (run !== this.current) return null;
      if (job.positions > 1 || job.part) progress(formatNumber(job.positions), job.part);
    }
    running.delete(id);
    this.current = null;
    if (!job.result) throw new Error(job.error ?? "The server did not answer.");
    return job;
  }

  stop() {
    const old = this.current;
    this.current = null;
    if (old?.id) end(old.id);
  }
}
