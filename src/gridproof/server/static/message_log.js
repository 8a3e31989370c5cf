// What is told, line by line, the latest last: its end stays in sight whatever its size becomes, unless somebody has scrolled up.

import { h } from "./dom.js";

const MOST = 40;

export class Talk {
  constructor(label) {
    this.lines = h("div", {});
    this.element = h("div", { className: "talk", tabindex: "0", role: "log", "aria-label": label, "aria-live": "off" }, this.lines);
  }

  get empty() {
    return !this.lines.childElementCount;
  }

  add(...lines) {
    this.lines.append(...lines.slice(-MOST));
    while (this.lines.childElementCount > MOST) this.lines.firstChild.remove();
    this.element.scrollTop = 0; // its end, from where the style sheet has it scroll
  }

  clear() {
    this.lines.replaceChildren();
  }
}
