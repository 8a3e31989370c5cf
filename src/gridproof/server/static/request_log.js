// What several actors have asked for, and what the one whose eyes are looked with was told.

import { h } from "./dom.js";
import { Talk } from "./talk.js";

export class Requests {
  constructor() {
    this.list = new Talk("Requests and hints");
    this.element = h("section", { className: "panel requests", "aria-label": "Requests" }, h("h2", {}, "Requests"), this.list.element);
    this.show([]);
  }

  /** All of them, the latest last. */
  show(requests) {
    this.list.clear();
    this.add(requests);
  }

  add(requests) {
    this.list.add(...requests.map(({ words, action, heard = [] }) =>
      h("div", { className: "asked" }, h("p", {}, words ?? action), heard.map((line) => h("p", { className: "heard" }, line)))));
    this.element.hidden = this.list.empty;
  }
}
