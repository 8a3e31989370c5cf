// Messages, the latest last. The end stays in sight, unless the reader has scrolled up.

import { h } from "./dom.js";

const MAX_LINES = 40;

export class MessageLog {
  constructor(label) {
    this.lines = h("div", {});
    this.element = h("div", { className: "log", tabindex: "0", role: "log", "aria-label": label, "aria-live": "off" }, this.lines);
  }

  get empty() {
    return !this.lines.childElementCount;
  }

  get last() {
    return this.lines.lastElementChild?.textContent;
  }

  add(...lines) {
    this.lines.append(...lines.slice(-MAX_LINES));
    while (this.lines.childElementCount > MAX_LINES) this.lines.firstChild.remove();
    this.element.scrollTop = 0; // its end, since the style sheet reverses the order
  }

  clear() {
    this.lines.replaceChildren();
  }
}
