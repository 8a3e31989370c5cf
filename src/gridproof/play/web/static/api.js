// What is asked of the server, by REST and over a WebSocket.

/** A refusal of the server, in words. */
export class Refused extends Error {
  constructor(status, error) {
    const places = (error.problems ?? []).map((problem) => `${problem.code}: ${problem.message}`);
    super([error.text, ...places.filter((place) => !error.text.includes(place))].join("\n"));
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
    });
  } catch {
    throw new Refused(0, { code: "offline", text: "The server cannot be reached." });
  }
  if (answer.ok) return answer;
  const found = await answer.json().catch(() => null);
  throw new Refused(answer.status, found?.error ?? { code: "input", text: `The server says ${answer.status}.` });
}

const LONGEST_WAIT = 8000;
const GONE_FOR_EVER = new Set([4400, 4403, 4404]);

/** A session's connection. It comes back by itself; `heard` is given every message that answers no question. */
export class Connection {
  constructor(id, heard, stood) {
    this.id = id;
    this.heard = heard;
    this.stood = stood;
    this.waiting = new Map();
    this.ref = 0;
    this.tries = 0;
    this.view = undefined;
    this.#open();
  }

  #open() {
    const view = this.view ? `?view=${encodeURIComponent(this.view)}` : "";
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${this.id}${view}`);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.stood("open");
    };
    socket.onmessage = (event) => this.#took(JSON.parse(event.data));
    socket.onclose = (event) => {
      for (const [, wait] of this.waiting) wait.reject(new Refused(0, { code: "offline", text: "The connection was lost: the board is shown again when it is back." }));
      this.waiting.clear();
      if (this.closed) return;
      if (GONE_FOR_EVER.has(event.code)) {
        this.stood(event.code === 4404 ? "missing" : "refused");
        return;
      }
      this.stood("lost");
      this.tries += 1;
      setTimeout(() => !this.closed && this.#open(), Math.min(LONGEST_WAIT, 250 * 2 ** this.tries));
    };
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

  /** Send a message; its answer, after `heard` has had it. */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Refused(0, { code: "offline", text: "Not connected: trying again." }));
    this.ref += 1;
    const ref = this.ref;
    return new Promise((resolve, reject) => {
      this.waiting.set(ref, { resolve, reject });
      this.socket.send(JSON.stringify({ ...message, ref }));
    });
  }

  close() {
    this.closed = true;
    this.socket.close();
  }
}
