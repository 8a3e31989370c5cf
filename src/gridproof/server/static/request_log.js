// Requests of several actors, and the hints for the chosen actor.

import { h } from "./dom.js";
import { MessageLog } from "./message_log.js";

export class RequestLog {
  constructor() {
    this.list = new MessageLog("Requests and hints");
    this.element = h("section", { className: "panel requests", "aria-label": "Requests" }, h("h2", {}, "Requests"), this.list.element);
    this.show([]);
  }

  /** Show all requests, the latest last. */
  show(requests) {
    this.list.clear();
    this.add(requests);
  }

  add(requests) {
    this.list.add(...requests.map(({ words, action, heard = [] }) =>
      h("div", { className: "request" }, h("p", {}, words ?? action), heard.map((line) => h("p", { className: "reply" }, line)))));
    this.element.hidden = this.list.empty;
  }
}
