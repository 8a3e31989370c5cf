// What several actors have asked for, and what the one whose eyes are looked with was told.

import { h } from "./dom.js";

const MOST = 40;

export class Requests {
  constructor() {
    this.list = h("div", { className: "talk", tabindex: "0", role: "log", "aria-label": "Requests and hints", "aria-live": "off" });
    this.element = h("section", { className: "panel requests", "aria-label": "Requests" }, h("h2", {}, "Requests"), this.list);
    this.show([]);
  }

  /** All of them, the latest last. */
  show(requests) {
    this.list.replaceChildren();
    this.add(requests);
  }

  add(requests) {
    this.list.append(...requests.slice(-MOST).map(({ words, action, heard = [] }) =>
      h("div", { className: "asked" }, h("p", {}, words ?? action), heard.map((line) => h("p", { className: "heard" }, line)))));
    while (this.list.childElementCount > MOST) this.list.firstChild.remove();
    this.element.hidden = !this.list.childElementCount;
    this.list.scrollTop = this.list.scrollHeight;
  }
}
