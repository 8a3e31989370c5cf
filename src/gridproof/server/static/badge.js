// The verdict: one line with the board that says what is proved about the position; it never moves the layout.

import { announce, button, formatNumber, h, isOutOfSight, sentence } from "./dom.js";
import { hintRule } from "./spoilers.js";
import { saveSetting, settings } from "./user_data.js";

const MODES = { always: "Always", dead: "Only when it is dead", request: "When I ask", off: "Never" };
const ASK = "Can it still be won?";
const THINKING = { text: "", standing: "unknown", complete: false };
const BEFORE = "Verdict before your last move; updating …";
const SLEEPS = "The verdict sleeps while you are offline";
const PATIENCE = 300; // milliseconds in which the last verdict stays, dimmed, while the next one is found
const MARKS = { winnable: "✓", dead: "✕", unknown: "≈" };
const NEUTRAL = "•"; // a chance, or the end of a race of programs, is neither good nor bad news

export class BadgeLine {
  constructor(play) {
    this.play = play;
    this.badge = { text: "" };
    this.mark = h("span", { className: "mark", "aria-hidden": "true" });
    this.text = h("span", { className: "text" });
    this.detail = h("span", { className: "detail" });
    this.worths = h("span", { className: "worths", "aria-hidden": "true" }); // the buttons say it, too
    this.asking = button(ASK, () => this.ask(), { className: "ask", title: "Show what is proved about this position (F7)" });
    this.why = button("Why?", () => this.#toggleReason(), { "aria-expanded": "false" });
    this.back = button("Go back", () => this.#goBack(), { title: "Go back to the last position that could be won" });
    this.explanation = h("p", { className: "explanation", hidden: true });
    this.menu = this.#menu();
    this.element = h("section", { className: "verdict", "aria-label": "Verdict" },
      h("p", { className: "line" }, this.mark, this.text, this.worths, this.detail), this.asking,
      h("div", { className: "choices" }, this.why, this.back), this.menu, this.explanation);
    this.show(this.badge);
  }

  // -- when it is shown

  #menu() {
    const choose = ({ target }) => this.choose(target.value);
    const modes = Object.entries(MODES).map(([mode, words]) =>
      h("label", {}, h("input", { type: "radio", name: "verdict", value: mode, checked: mode === settings.badge, onchange: choose }), words));
    this.worthChoice = h("div", { className: "worth-choice", hidden: true });
    const menu = h("details", { className: "when" },
      h("summary", { "aria-label": "When to show the verdict", title: "When to show the verdict" }, "…"),
      h("fieldset", {}, h("legend", {}, "Show the verdict"), modes, this.worthChoice));
    const close = () => {
      menu.open = false;
    };
    menu.addEventListener("keydown", (event) => {
      if (!menu.open) return;
      event.stopPropagation(); // the arrows choose here, and do not play
      if (event.key !== "Escape") return;
      close();
      menu.querySelector("summary").focus();
    });
    menu.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !menu.contains(relatedTarget) && close());
    document.addEventListener("pointerdown", this.closing = ({ target }) => !menu.contains(target) && close());
    return menu;
  }

  leave() {
    clearTimeout(this.timer);
    document.removeEventListener("pointerdown", this.closing);
  }

  choose(mode) {
    saveSetting("badge", mode);
    this.show({ text: "" });
    this.#send({ mode });
  }

  /** Offer to show always what each direction is worth, which is a hint on each position. */
  #offerWorth() {
    const { state } = this.play;
    this.worthChoice.hidden = !state.tells_worth || !state.plays;
    if (this.worthChoice.hidden) return;
    const change = ({ target }) => {
      saveSetting("worth", target.checked ? "always" : "request");
      this.worthPlace = null;
      this.#showWorth();
    };
    this.worthChoice.replaceChildren(
      h("label", {}, h("input", { type: "checkbox", checked: settings.worth === "always", onchange: change }), "With what each direction is worth"),
      h("p", { className: "small muted" }, `That is a hint. ${hintRule(state.now)}.`));
  }

  /** Show what each direction is worth in this position, on the player's request. */
  askWorth() {
    this.worthPlace = placeOf(this.play.now);
    if (Object.keys(this.worth).length) this.#showWorth();
    else this.ask();
  }

  /** Show what each direction is worth where the player wants it; that is noted as a hint. */
  #showWorth() {
    const { worth } = this;
    this.play.sidebar.showWorth(worth);
    const all = Object.entries(worth);
    const listed = all.length && isOutOfSight(this.play.sidebar.actions) ? all : []; // a phone shows the board, not the buttons
    this.worths.textContent = sentence(listed.map(([action, { text }]) => `${this.play.actionWords(action)} ${text}`).join(", "));
    if (Object.keys(worth).length && this.play.state.plays) this.play.noteOwnHelp();
  }

  // -- the server's answers

  /** A new state: send the mode again. */
  begin() {
    this.#offerWorth();
    const automatic = settings.badge !== "off" && settings.badge !== "request";
    if (this.wanted && this.play.connection.open) this.ask();
    else if (automatic) this.#send({ mode: settings.badge });
    else this.show({ text: "" });
  }

  /** Without the server, nothing is proved. */
  showOffline() {
    this.show({ text: "" });
    this.#write(SLEEPS, "");
    this.asking.hidden = true;
  }

  /** Show the end of a level that was left: the server's verdicts are about the next one. */
  showEnd(isWon) {
    this.show(settings.badge === "always" ? { text: "", line: isWon ? "Won" : "Lost", standing: isWon ? "winnable" : "dead", complete: true } : { text: "" });
  }

  /** Hide the verdict while a replay is shown: it is about the game. */
  pause() {
    this.#explain(false);
    this.element.dataset.replay = "yes";
  }

  resume() {
    this.element.dataset.replay = "no";
  }

  /** Show the server's status of the current position; a search that has just begun leaves the last one for a moment. */
  show(badge) {
    const isThinking = !badge.line && badge.standing && !badge.complete;
    const keepsChance = Boolean(isThinking && this.#showsEarlierChance);
    this.element.dataset.stale = isThinking ? "yes" : "no";
    if (keepsChance && this.keepsChance) return; // each progress of the search is a message: the time runs on
    clearTimeout(this.timer);
    this.keepsChance = keepsChance;
    if (keepsChance) this.timer = setTimeout(() => (this.detail.textContent = BEFORE), PATIENCE);
    else if (isThinking && this.text.textContent && !badge.searched) this.timer = setTimeout(() => this.#show(badge), PATIENCE);
    else this.#show(badge);
  }

  /** Whether a chance is shown of an earlier position of this game: it says more than nothing until the next one is known. */
  get #showsEarlierChance() {
    const { now } = this.play;
    return this.element.dataset.chance === "yes" && this.text.textContent && now.done > 0 && this.place?.startsWith(`${now.level} `);
  }

  #show(badge) {
    clearTimeout(this.timer);
    this.keepsChance = false;
    const isDead = badge.standing === "dead" && Boolean(badge.line);
    const isThinking = !badge.line && badge.standing && !badge.complete;
    this.badge = badge;
    this.place = placeOf(this.play.now);
    this.element.dataset.stale = "no";
    this.element.dataset.complete = badge.complete ? "yes" : "no";
    const isChance = !isDead && Object.keys(badge.worth ?? {}).length > 0;
    const standing = badge.rival ? "unknown" : badge.standing; // a win of others is no good news
    this.element.dataset.standing = badge.line ? standing : "";
    this.element.dataset.chance = isChance ? "yes" : "no";
    if (isThinking) this.#write(thinkingText(badge), badge.detail ?? "");
    else this.#write(badge.line ?? this.#silence(), badge.detail || searchText(badge), badge.text);
    const isWatched = badge.rival && this.play.now.status === "WON";
    if (!badge.line) this.mark.textContent = "";
    else if (isChance || isWatched) this.mark.textContent = NEUTRAL;
    else this.mark.textContent = standing === "unknown" && this.play.state.tells_worth ? "" : MARKS[standing]; // "≈" would promise an estimate
    this.asking.hidden = Boolean(badge.line) || isThinking || settings.badge !== "request";
    this.why.hidden = !isDead || !badge.why;
    this.back.hidden = !isDead || !(badge.since?.winnable >= 0) || !this.play.offers("goto");
    this.#explain(isDead && !this.explanation.hidden);
    this.#showWorth();
    this.#announce(badge);
  }

  /** After a move, the last word is about another position. */
  follow() {
    if (this.play.pending || this.place === placeOf(this.play.now)) return; // it says how the shown level ended
    this.element.dataset.complete = "no";
    this.worths.textContent = "";
  }

  /** What each action is worth in the shown position; {} where that is not known yet, or not wanted. */
  get worth() {
    const place = placeOf(this.play.now);
    const isWanted = settings.worth === "always" || this.worthPlace === place;
    return isWanted && this.place === place ? this.badge.worth ?? {} : {};
  }

  /** Show a line, what else is known beside it, and all that is proved where the mouse rests. */
  #write(text, detail, proved = "") {
    this.text.textContent = text;
    this.detail.textContent = detail;
    this.text.title = sentence(proved);
  }

  #silence() {
    return settings.badge === "dead" ? "No verdict while it may still be won" : "";
  }

  /** Announce a verdict that was asked for, and a change from winnable to dead or back. */
  #announce({ line, why, standing, complete }) {
    if (!line || !complete) return;
    if (this.isAsked && why) this.#explain(true);
    if (this.isAsked || standing !== this.announced) announce(this.isAsked && why ? `${line}. ${why}` : line);
    this.isAsked = false;
    this.announced = standing;
  }

  // -- the player's questions

  /** Request the status of this position. */
  ask() {
    this.isAsked = true;
    this.#send({ mode: settings.badge === "off" ? "request" : settings.badge, ask: true });
    if (!this.play.connection.open) announce(SLEEPS);
  }

  /** Mark the cells that keep the position from being won, and say why it is dead; or hide both. */
  #explain(shown) {
    const { badge } = this;
    this.explanation.hidden = !shown;
    this.explanation.textContent = shown ? badge.why : "";
    this.why.setAttribute("aria-expanded", String(shown));
    this.play.board.markDead(shown ? badge.cells ?? [] : []);
  }

  /** In a position that is proved dead, say and show why, since there is no hint; whether it is one. */
  explainDead() {
    if (this.badge.standing !== "dead" || !this.badge.why || this.place !== placeOf(this.play.now)) return false;
    this.#explain(true);
    announce(this.badge.why);
    return true;
  }

  #toggleReason() {
    const shown = this.explanation.hidden;
    this.#explain(shown);
    if (shown) announce(this.badge.why);
  }

  /** Go back to the last position that could be won; the moves after it can be redone. */
  async #goBack() {
    await this.play.do(`goto ${this.badge.since.winnable}`);
    this.play.stage.focus({ preventScroll: true });
  }

  /** Request the status, now or after the reconnect. */
  #send(what) {
    this.wanted = Boolean(what.ask) && !this.play.connection.open;
    if (!this.play.connection.open) {
      this.showOffline();
      return;
    }
    if (what.ask) this.#show(THINKING);
    else if (what.mode === "always" || what.mode === "dead") this.show(THINKING);
    this.play.connection.send({ type: "badge", ...what }).catch(() => this.showOffline());
  }
}

const placeOf = (now) => now && `${now.level} ${now.done}`;

const thinkingText = ({ searched }) => (searched ? `Thinking … ${formatNumber(searched)} positions` : "Thinking …");

/** What is still looked for when a win is known, but not the fewest moves. */
const searchText = ({ standing, complete, fewest, luck, searched }) =>
  standing !== "winnable" || complete || fewest || luck ? "" : `Looking for fewer … ${searched ? `${formatNumber(searched)} positions` : ""}`;
