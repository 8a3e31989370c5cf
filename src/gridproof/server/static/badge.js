// The proof status of the position, and the player's choice when it is shown.

import { announce, button, h } from "./dom.js";
import { saveSetting, settings } from "./user_data.js";

const MODES = { always: "always", dead: "only when it is dead", request: "when I ask", off: "never" };
const ASK = "Can it still be won?";
const THINKING = { text: "", standing: "unknown", complete: false };
const OFFLINE = "Offline: reconnect to check this position.";

export class StatusBadge {
  constructor(play) {
    this.play = play;
    this.line = button([], () => this.press(), { className: "line" });
    this.when = h("select", { onchange: () => this.choose(this.when.value) },
      ...Object.entries(MODES).map(([mode, words]) => h("option", { value: mode }, words)));
    this.when.value = settings.badge;
    this.element = h("section", { className: "panel status", "aria-label": "Proof status" }, this.line,
      h("label", { className: "small muted" }, "Show the proof status ", this.when));
    this.show({ text: "" });
  }

  /** A new state: send the mode again. */
  begin() {
    const automatic = settings.badge !== "off" && settings.badge !== "request";
    if (this.wanted && this.play.connection.open) this.ask();
    else if (automatic) this.#send({ mode: settings.badge });
    else this.show({ text: "" });
  }

  /** Without the server, the status of the position is unknown. */
  showOffline() {
    this.show({ text: "" });
    if (this.wanted) this.line.textContent = OFFLINE;
  }

  choose(mode) {
    saveSetting("badge", mode);
    this.show({ text: "" });
    this.#send({ mode });
  }

  /** Show the server's status of the current position. */
  show(badge) {
    this.badge = badge;
    this.element.dataset.when = settings.badge;
    this.line.hidden = !badge.text && settings.badge === "off";
    this.line.textContent = badge.text || (badge.standing && !badge.complete ? "Thinking …" : ASK);
    this.line.dataset.standing = badge.text ? badge.standing : "";
    this.line.title = badge.standing === "dead" && this.play.offers("mistake") ? "Show the last position that could be won (F8)" : "Show the proof status (F7)";
    if (badge.text && badge.complete) announce(badge.text);
    this.play.board.markDead(badge.text ? badge.cells ?? [] : []);
  }

  /** Request the status of this position; in a dead position, show the last winnable one. */
  press() {
    if (this.badge.standing === "dead" && this.play.offers("mistake")) this.play.do("mistake");
    else this.ask();
    if (!this.play.connection.open) announce(OFFLINE);
  }

  ask() {
    this.#send({ mode: settings.badge === "off" ? "request" : settings.badge, ask: true });
  }

  /** Request the status, now or after the reconnect. */
  #send(what) {
    this.wanted = Boolean(what.ask) && !this.play.connection.open;
    if (!this.play.connection.open) {
      this.showOffline();
      return;
    }
    if (what.mode === "always" || what.mode === "dead" || what.ask) this.show(THINKING);
    this.play.connection.send({ type: "badge", ...what }).catch(() => this.showOffline());
  }
}
