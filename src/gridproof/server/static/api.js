// What is asked of the server, by REST and over a WebSocket.

/** A refusal of the server, in words. */
export class Refused extends Error {
  constructor(status, error) {
    const untold = (error.problems ?? []).filter(({ message }) => !error.text.includes(message));
    super([error.text, ...untold.map(({ code, message }) => `${code}: ${message}`)].join("\n"));
    this.status = status;
    this.code = error.code;
    this.column = error.column; // of what is wrong in a text
  }
}

/** JSON of an address; with a body it is posted. */
export async function ask(path, body, method) {
  const answer = await answered(path, body, method);
  const json = answer.headers.get("Content-Type")?.startsWith("application/json");
  return answer.status === 204 ? null : json ? answer.json() : answer.text();
}

/** The text of an address, of JSON too: seeds may be larger than JavaScript's numbers. */
export const askText = async (path) => (await answered(path)).text();

async function answered(path, body, method) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      keepalive: method === "DELETE", // also where the page ends
    });
  } catch {
    throw new Refused(0, { code: "offline", text: "The server cannot be reached." });
  }
  if (answer.ok) return answer;
  const found = await answer.json().catch(() => null);
  throw new Refused(answer.status, found?.error ?? { code: "input", text: `The server says ${answer.status}.` });
}

const LONGEST_WAIT = 8000;
const TOO_LARGE = 1009;
const GONE_FOR_EVER = new Set([4400, 4403, 4404]);

const LOST = "The connection was lost: the board is shown again when it is back.";

/**
 * A session's connection. It comes back by itself; `heard` is given every message, `stood` how it stands.
 * What is sent while the server is away is answered by whoever `goesOn` without it.
 */
export class Connection {
  constructor(id, heard, stood, away) {
    this.id = id;
    this.heard = heard;
    this.stood = stood;
    this.away = away;
    this.waiting = new Map();
    this.ref = 0;
    this.tries = 0;
    this.view = undefined;
    this.listening = new AbortController();
    const { signal } = this.listening;
    addEventListener("offline", () => this.socket.readyState === WebSocket.OPEN && this.#gone(), { signal });
    addEventListener("online", () => this.socket.readyState > WebSocket.OPEN && this.#open(), { signal });
    this.#open();
  }

  #open() {
    clearTimeout(this.timer);
    const view = this.view ? `?view=${encodeURIComponent(this.view)}` : "";
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${this.id}${view}`);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.stood("open");
    };
    socket.onmessage = (event) => this.#took(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.socket === socket) this.#gone(event.code);
    };
  }

  /** It is lost: what has not been answered is done without the server, where that can be. */
  #gone(code) {
    clearTimeout(this.timer);
    const unanswered = [...this.waiting.values()];
    this.waiting.clear();
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    if (!this.closed && GONE_FOR_EVER.has(code)) this.stood(code === 4404 ? "missing" : "refused");
    else if (!this.closed) {
      this.tries += 1;
      this.timer = setTimeout(() => this.#open(), Math.min(LONGEST_WAIT, 250 * 2 ** this.tries));
      this.stood("lost");
    }
    for (const { message, resolve, reject } of unanswered) {
      if (message.type === "do" && this.away?.goesOn && !this.closed) this.send(message).then(resolve, reject);
      else reject(new Refused(0, code === TOO_LARGE ? { code: "large", text: "That is too large for the server." } : { code: "offline", text: LOST }));
    }
  }

  #took(message) {
    const wait = message.ref === undefined ? undefined : this.waiting.get(message.ref);
    if (!wait) {
      this.heard(message);
      return;
    }
    this.waiting.delete(message.ref);
    this.heard(message);
    wait.resolve(message);
  }

  /** Send a message; its answer, after `heard` has had it. While the server is away, it is answered here. */
  async send(message) {
    if (!this.away?.goesOn || (this.socket.readyState === WebSocket.OPEN && !this.away.waits)) return this.ask(message);
    const answer = await this.away.say(message);
    this.heard(answer);
    return answer;
  }

  /** Send a message to the server; its answer, after `heard` has had it. */
  ask(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Refused(0, { code: "offline", text: "Not connected: trying again." }));
    this.ref += 1;
    const ref = this.ref;
    return new Promise((resolve, reject) => {
      this.waiting.set(ref, { message, resolve, reject });
      this.socket.send(JSON.stringify({ ...message, ref }));
    });
  }

  close() {
    this.closed = true;
    this.listening.abort();
    this.#gone();
  }
}
