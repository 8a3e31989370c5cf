// What is proved of the position: a line that says it, and the player's choice when it is told.

import { announce, h } from "./dom.js";
import { set, settings } from "./kept.js";

const MODES = { always: "always", dead: "only when it is dead", request: "when I ask", off: "never" };
const ASK = "Can it still be won?";

export class BadgeLine {
  constructor(play) {
    this.play = play;
    this.line = h("button", { type: "button", className: "line", onclick: () => this.press() });
    this.when = h("select", { onchange: () => this.choose(this.when.value) },
      ...Object.entries(MODES).map(([mode, words]) => h("option", { value: mode }, words)));
    this.when.value = settings.badge;
    this.element = h("section", { className: "panel proved", "aria-label": "What is proved" }, this.line,
      h("label", { className: "small soft" }, "Tell me what is proved ", this.when));
    this.tell({ text: "" });
  }

  /** A new state: the server is told again what is wanted. */
  begin() {
    this.tell({ text: "" });
    if (settings.badge !== "off" && settings.badge !== "request") this.#say({ mode: settings.badge });
  }

  choose(mode) {
    set("badge", mode);
    this.tell({ text: "" });
    this.#say({ mode });
  }

  /** What the server tells of the position as it is now. */
  tell(badge) {
    this.badge = badge;
    this.element.dataset.when = settings.badge;
    this.line.hidden = !badge.text && settings.badge === "off";
    this.line.textContent = badge.text || (badge.standing && !badge.complete ? "Looking for a proof …" : ASK);
    this.line.dataset.standing = badge.text ? badge.standing : "";
    this.line.title = badge.standing === "dead" ? "See the last position that could be won (F8)" : "What is proved of this position (F7)";
    if (badge.text && badge.complete) announce(badge.text);
    this.play.board.blame(badge.text ? badge.cells ?? [] : []);
  }

  /** Ask about this position; of a dead one, show where it could be won for the last time. */
  press() {
    if (this.badge.standing === "dead") this.play.do("mistake");
    else this.ask();
  }

  ask() {
    this.#say({ mode: settings.badge === "off" ? "request" : settings.badge, ask: true });
  }

  #say(what) {
    this.play.connection.send({ type: "badge", ...what }).catch(() => undefined);
  }
}
