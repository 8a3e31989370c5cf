// The sidebar of the board: title, counts, buttons, players, actions, messages, and the proof status.

import { announce, button, h } from "./dom.js";
import { ariaShortcut, keyLabel, keysByText, repeatWhileHeld } from "./keys.js";
import { speedSelect } from "./replay.js";
import { saveSetting, settings } from "./user_data.js";

const MAX_LINES = 40;

class MessageLog {
  constructor(label) {
    this.lines = h("div", {});
    this.element = h("div", { className: "log", tabindex: "0", role: "log", "aria-label": label, "aria-live": "off" }, this.lines);
  }

  add(...lines) {
    this.lines.append(...lines.slice(-MAX_LINES));
    while (this.lines.childElementCount > MAX_LINES) this.lines.firstChild.remove();
    this.element.scrollTop = 0; // its end, since the style sheet reverses the order
  }
}

class RequestLog {
  constructor() {
    this.list = new MessageLog("Requests and hints");
    this.element = h("section", { className: "panel requests", "aria-label": "Requests" }, h("h2", {}, "Requests"), this.list.element);
    this.show([]);
  }

  /** Show all requests, the latest last. */
  show(requests) {
    this.list.lines.replaceChildren();
    this.add(requests);
  }

  add(requests) {
    this.list.add(...requests.map(({ words, action, heard = [] }) =>
      h("div", { className: "request" }, h("p", {}, words ?? action), heard.map((line) => h("p", { className: "reply" }, line)))));
    this.element.hidden = !this.list.lines.hasChildNodes();
  }
}

const MODES = { always: "always", dead: "only when it is dead", request: "when I ask", off: "never" };
const ASK = "Can it still be won?";
const THINKING = { text: "", standing: "unknown", complete: false };
const OFFLINE = "Offline: reconnect to check this position.";

class StatusBadge {
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

/** The label of a count: the best ones are those of all players on the server. */
export const countLabel = (word) => (/^(best|high) /.test(word) ? `${word} on this server` : word);

export const BY_HAND = "hand";

const PLAYERS = { [BY_HAND]: "by hand", hints: "by following hints", planner: "by a plan, seeing all", random: "at random" };
const describePlayer = (name) => PLAYERS[name] ?? `by ${name}`;

/** A select for the player of an actor. */
export const playerSelect = (actor, names, value, onChange) =>
  h("label", { className: "field" }, `${actor} is played`,
    h("select", { dataset: { actor }, onchange: (event) => onChange(event.target.value) },
      names.map((name) => h("option", { value: name, selected: name === value }, describePlayer(name)))));

class Players {
  constructor(play) {
    this.play = play;
    this.summary = h("span", {});
    this.element = h("div", { className: "players small" });
  }

  /** Show the players of another level; guests see them, but cannot change them. */
  begin({ actors, strategies }) {
    this.element.hidden = actors.length < 2 || !strategies.length;
    const choice = (actor) => playerSelect(actor, [BY_HAND, ...strategies], BY_HAND, (name) => this.play.do(`let ${actor} ${name}`));
    const choices = this.play.offers("let") && h("details", {}, h("summary", {}, this.summary), actors.map(choice));
    this.element.replaceChildren(choices || this.summary);
  }

  update(partners, race) {
    const who = Object.entries(partners).map(([actor, name]) => `${actor} is played ${describePlayer(name)}`);
    this.summary.textContent = who.join(", ") || (race ? "All play by themselves" : "All are played by hand");
    for (const select of this.element.querySelectorAll("select")) select.value = partners[select.dataset.actor] ?? BY_HAND;
  }
}

const MAX_ACTIONS = 48;
const LABELS = { undo: "Undo", redo: "Redo", restart: "Restart", hint: "Hint", solve: "Solve", watch: "Watch" };

export class Sidebar {
  constructor(play) {
    this.play = play;
    this.runningJob = null;
    this.heading = h("h1", {});
    this.place = h("p", { className: "small muted" });
    this.counts = h("dl", { className: "counts" });
    this.connection = h("p", { className: "connection", role: "status", hidden: true });
    this.viewpoint = h("div", { className: "viewpoint", role: "group", "aria-label": "Point of view", hidden: true });
    this.players = new Players(play);
    this.tools = h("div", { className: "tools panel", role: "toolbar", "aria-label": "Commands" });
    this.jobLine = h("div", { className: "job", role: "status", hidden: true });
    this.badge = new StatusBadge(play);
    this.player = h("div", { hidden: true, className: "panel" });
    this.actions = h("div", { className: "actions" });
    this.ask = h("h2", {});
    this.requests = new RequestLog();
    this.messages = new MessageLog("Answers");
    this.others = h("p", { className: "small muted", hidden: true });
    this.act = h("section", { className: "panel", "aria-label": "Actions" }, this.ask, this.actions);
    this.element = h("aside", { className: "sidebar", "aria-label": "The game" },
      h("section", { className: "panel title", "aria-label": "Status" }, this.heading, this.place, this.connection, this.counts, this.viewpoint, this.players.element, this.others),
      this.tools, this.player,
      h("section", { className: "panel messages", "aria-label": "Messages" }, this.jobLine, this.messages.element),
      this.act, this.badge.element, this.requests.element);
  }

  // -- a new state

  begin(state) {
    this.updateLevel(state);
    this.requests.show(state.requests);
    this.showViewers(state.people);
    this.showJob(null);
    this.badge.begin();
    this.act.hidden = !state.plays;
  }

  /** Show the constant parts of a level: its actions and actors. */
  updateLevel(state) {
    this.#tools(state);
    this.#viewpoint(state);
  }

  #tools(state) {
    const there = new Map(state.commands.map((command) => [command.word, command]));
    const buttons = Object.keys(LABELS).filter((word) => this.play.offers(word)).map((word) => this.#command(there.get(word)));
    const more = [
      "score" in state.now && this.play.offers("new") && button("New", () => this.play.open("new"), { "aria-label": "New game" }),
      state.levels.length > 1 && this.play.offers("level") && button("Levels", () => this.play.open("levels")),
      state.races && state.owner && button("Race", () => this.play.open("race")),
      button("Share", () => this.play.open("share")),
      button("Help", () => this.play.open("help")),
    ];
    this.tools.replaceChildren(...buttons, ...more.filter(Boolean));
  }

  #command({ word, meaning }) {
    const key = keysByText(this.play.keys).get(word);
    const button = h("button", { type: "button", title: key ? `${meaning} (${keyLabel(key)})` : meaning, dataset: { command: word }, "aria-keyshortcuts": key && ariaShortcut(key) }, LABELS[word]);
    if (word === "undo" || word === "redo") repeatWhileHeld(button, () => this.play.do(word));
    else button.addEventListener("click", () => (word === "watch" ? this.play.open("watch") : this.play.do(word)));
    return button;
  }

  #viewpoint({ actors, actor, bound, plays }) {
    this.viewpoint.hidden = actors.length < 2 || Boolean(bound);
    const name = (one) => (one === null ? "all" : one);
    const choose = (one) => this.play.connection.send({ type: "view", actor: one }).catch(() => undefined);
    this.viewpoint.replaceChildren(h("span", { className: "small muted" }, plays ? "Play as" : "View as"),
      ...[null, ...actors].map((one) => button(name(one), () => choose(one), { "aria-pressed": String(one === actor) })));
    if (bound) this.place.dataset.bound = actor;
    this.players.begin(this.play.state);
  }

  // -- the state of the level

  update(now) {
    this.heading.textContent = now.title || this.play.state.title;
    this.place.textContent = [
      now.levels > 1 && `Level ${now.level} of ${now.levels}, ${now.completed} solved`,
      this.play.state.bound && `You play ${this.play.state.actor}`,
      !this.play.state.plays && "You watch",
    ].filter(Boolean).join(" · ");
    this.place.hidden = !this.place.textContent;
    this.#counts(now);
    for (const button of this.tools.querySelectorAll("[data-command]")) {
      const word = button.dataset.command;
      button.disabled = (word === "undo" && !now.done) || (word === "redo" && !now.undone) || (word === "restart" && !now.done && !now.undone);
    }
    this.ask.textContent = now.actions.length ? "You can" : "Nothing can be done";
    this.#actions(now.actions);
    this.players.update(now.partners ?? {}, now.race);
    this.#race(now.race);
  }

  #counts(now) {
    const counts = [...now.counts];
    for (const [name, value] of Object.entries(now.best ?? {})) counts.push([`best ${name}`, String(value)]);
    this.counts.replaceChildren(...counts.map(([word, value]) =>
      h("div", { className: value.length > 9 && "wide", dataset: { count: word } }, h("dt", {}, countLabel(word)), h("dd", {}, value))));
  }

  /** Highlight the hinted action. */
  highlightAction(text) {
    for (const button of this.actions.children) button.classList?.toggle("hinted", button.dataset.action === text);
  }

  /** Let gained points float up beside the score. */
  showPoints(points) {
    if (points) this.counts.querySelector("[data-count=score]")?.append(h("span", { className: "points", "aria-hidden": "true" }, `+${points}`));
  }

  #actions(actions) {
    const keys = keysByText(this.play.keys ?? {});
    const listed = actions.slice(0, MAX_ACTIONS);
    const { board } = this.play;
    const focused = this.actions.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.actions.replaceChildren(
      ...listed.map(({ text, words, marks }) => {
        const show = () => (marks?.length ? board.mark(marks, "hinted") : this.play.previews.preview({ text }));
        const key = keys.get(text);
        return button([words, key && h("kbd", { "aria-hidden": "true" }, keyLabel(key))], () => this.play.do(text), { title: text, dataset: { action: text }, onpointerenter: show, onfocus: show, onpointerleave: () => this.play.showMarks(), onblur: () => this.play.showMarks() });
      }),
      actions.length > listed.length ? h("span", { className: "small muted" }, `and ${actions.length - listed.length} more, on the board`) : "",
    );
    if (focused !== null) (this.actions.querySelector(`[data-action="${CSS.escape(focused)}"]`) ?? this.actions.firstElementChild ?? this.play.stage).focus();
  }

  #race(race) {
    if (!race) {
      this.racing?.remove();
      this.racing = null;
      return;
    }
    if (this.racing) {
      const choice = this.racing.querySelector("select");
      if (choice !== document.activeElement) choice.value = race.speed; // unless the player is using it
      return;
    }
    const { owner: leads, speeds } = this.play.state; // guests see the speed
    const speed = speedSelect(speeds, race.speed, (chosen) => this.play.connection.send({ type: "speed", speed: chosen }).catch(() => undefined), { disabled: !leads });
    const stop = leads && button("Stop the race", () => this.play.connection.send({ type: "stop" }).catch(() => undefined));
    this.racing = h("div", { className: "panel player racing" }, h("span", { className: "small" }, "A race, live"), speed, stop);
    this.tools.after(this.racing);
  }

  // -- messages

  addMessage(text, kind) {
    if (!text) return;
    if (kind !== "refusal" || this.messages.lines.lastChild?.textContent !== text) this.messages.add(h("p", { className: kind }, text));
    announce(text);
  }

  showJob(job) {
    this.runningJob = job;
    this.jobLine.hidden = !job;
    if (!job) return;
    this.searched = h("span", { "aria-hidden": "true" }); // otherwise every count would be read aloud
    const stop = button("Stop", () => {
      this.play.connection.send({ type: "cancel" }).catch(() => undefined);
      this.showJob(null);
    });
    this.jobLine.replaceChildren(h("span", {}, job.what ?? job.text, this.searched), stop);
  }

  progress({ positions }) {
    if (!this.runningJob || !positions) return;
    this.searched.textContent = ` ${positions.toLocaleString("en")} positions`;
  }

  showViewers(people) {
    const others = (people?.playing ?? 1) + (people?.watching ?? 0) - 1;
    this.others.hidden = others < 1;
    if (others < 1) return;
    const parts = [people.playing > 1 && `${people.playing} people are playing`, people.watching && `${people.watching} ${people.watching === 1 ? "person is" : "people are"} watching`].filter(Boolean);
    this.others.textContent = parts.join(", ");
  }

  showConnection(text) {
    this.connection.hidden = !text;
    this.connection.textContent = text;
  }

  replay(element) {
    this.player.hidden = !element;
    this.player.replaceChildren(...(element ? [element] : []));
    this.act.hidden = Boolean(element) || !this.play.state.plays;
  }
}
