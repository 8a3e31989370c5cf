// The rail beside the board: title, counts, buttons, what can be done, and what was told.

import { BadgeLine } from "./badge.js";
import { announce, h } from "./dom.js";
import { whileHeld } from "./controls.js";
import { keyCap, keysByText, shortcut } from "./keys.js";
import { Players } from "./players.js";
import { Requests } from "./requests.js";
import { speedChoice } from "./speeds.js";
import { Talk } from "./talk.js";

const MOST_ACTIONS = 48;
const WORDS = { undo: "Undo", redo: "Redo", restart: "Restart", hint: "Hint", solve: "Solve", watch: "Watch" };

export class Rail {
  constructor(play) {
    this.play = play;
    this.working = null;
    this.heading = h("h1", {});
    this.place = h("p", { className: "small soft" });
    this.counts = h("dl", { className: "counts" });
    this.connection = h("p", { className: "state", role: "status", hidden: true });
    this.who = h("div", { className: "who", role: "group", "aria-label": "Whose eyes", hidden: true });
    this.players = new Players(play);
    this.tools = h("div", { className: "tools panel", role: "toolbar", "aria-label": "What can be done besides acting" });
    this.job = h("div", { className: "work", role: "status", hidden: true });
    this.badge = new BadgeLine(play);
    this.player = h("div", { hidden: true, className: "panel" });
    this.actions = h("div", { className: "actions" });
    this.ask = h("h2", {});
    this.requests = new Requests();
    this.talk = new Talk("Answers");
    this.others = h("p", { className: "small soft", hidden: true });
    this.act = h("section", { className: "panel", "aria-label": "Actions" }, this.ask, this.actions);
    this.element = h("aside", { className: "rail", "aria-label": "The game" },
      h("section", { className: "panel title", "aria-label": "How it stands" }, this.heading, this.place, this.connection, this.counts, this.who, this.players.element, this.others),
      this.tools, this.player,
      h("section", { className: "panel told", "aria-label": "What was told" }, this.job, this.talk.element),
      this.act, this.badge.element, this.requests.element);
  }

  // -- a new state

  begin(state) {
    this.play.plays = state.plays;
    this.about(state);
    this.requests.show(state.requests);
    this.people(state.people);
    this.work(null);
    this.badge.begin();
    this.act.hidden = !state.plays;
  }

  /** What holds on the whole level: what can be done, and by whom. */
  about(state) {
    this.#tools(state);
    this.#who(state);
  }

  #tools(state) {
    const there = new Map(state.commands.map((command) => [command.word, command]));
    const buttons = Object.keys(WORDS).filter((word) => there.has(word) && state.plays).map((word) => this.#command(there.get(word)));
    const more = [
      "score" in state.now && state.plays && h("button", { type: "button", "aria-label": "New game", onclick: () => this.play.newGame() }, "New"),
      state.levels.length > 1 && state.plays && h("button", { type: "button", onclick: () => this.play.levels() }, "Levels"),
      state.races && state.plays && h("button", { type: "button", onclick: () => this.play.race() }, "Race"),
      h("button", { type: "button", onclick: () => this.play.share() }, "Share"),
      h("button", { type: "button", onclick: () => this.play.help() }, "Help"),
    ];
    this.tools.replaceChildren(...buttons, ...more.filter(Boolean));
  }

  #command({ word, meaning }) {
    const key = keysByText(this.play.keys).get(word);
    const button = h("button", { type: "button", title: key ? `${meaning} (${keyCap(key)})` : meaning, dataset: { command: word }, "aria-keyshortcuts": key && shortcut(key) }, WORDS[word]);
    if (word === "undo" || word === "redo") whileHeld(button, () => this.play.do(word));
    else button.addEventListener("click", () => (word === "watch" ? this.play.watch() : this.play.do(word)));
    return button;
  }

  #who({ actors, actor, bound, plays }) {
    this.who.hidden = actors.length < 2 || Boolean(bound);
    const name = (one) => (one === null ? "all" : one);
    const choose = (one) => this.play.connection.send({ type: "view", actor: one }).catch(() => undefined);
    this.who.replaceChildren(h("span", { className: "small soft" }, plays ? "Play as" : "View as"),
      ...[null, ...actors].map((one) => h("button", { type: "button", "aria-pressed": String(one === actor), onclick: () => choose(one) }, name(one))));
    if (bound) this.place.dataset.bound = actor;
    this.players.begin(this.play.state);
  }

  // -- how it stands

  stands(now) {
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
    this.players.stands(now.partners ?? {}, now.race);
    this.#race(now.race);
  }

  #counts(now) {
    const shown = [...now.counts];
    for (const [name, value] of Object.entries(now.best ?? {})) shown.push([`best ${name}`, String(value)]);
    this.counts.replaceChildren(...shown.map(([word, value]) =>
      h("div", { className: value.length > 9 && "wide", dataset: { count: word } }, h("dt", {}, word), h("dd", {}, value))));
  }

  /** Mark an action as the one to do. */
  beckon(text) {
    for (const button of this.actions.children) button.classList?.toggle("hinted", button.dataset.action === text);
  }

  /** Points that were made float up where they are counted. */
  gained(points) {
    if (!points) return;
    const place = this.counts.querySelector("[data-count=score]");
    place?.append(h("span", { className: "gained", "aria-hidden": "true" }, `+${points}`));
  }

  #actions(actions) {
    const keys = keysByText(this.play.keys ?? {});
    const shown = actions.slice(0, MOST_ACTIONS);
    const { board } = this.play;
    const focused = this.actions.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.actions.replaceChildren(
      ...shown.map(({ text, words, marks }) => {
        const show = () => (marks?.length ? board.hint(marks, "hinted") : this.play.foresee({ text }));
        const key = keys.get(text);
        return h("button", { type: "button", title: text, dataset: { action: text }, onclick: () => this.play.do(text), onpointerenter: show, onfocus: show, onpointerleave: () => this.play.rest(), onblur: () => this.play.rest() },
          words, key && h("kbd", { "aria-hidden": "true" }, keyCap(key)));
      }),
      actions.length > shown.length ? h("span", { className: "small soft" }, `and ${actions.length - shown.length} more, on the board`) : "",
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
      if (choice !== document.activeElement) choice.value = race.speed; // no hand is on it
      return;
    }
    const { plays, bound, speeds } = this.play.state;
    const leads = plays && !bound; // guests see how quick it is
    const speed = speedChoice(speeds, race.speed, (chosen) => this.play.connection.send({ type: "speed", speed: chosen }).catch(() => undefined), { disabled: !leads });
    const stop = leads && h("button", { type: "button", onclick: () => this.play.connection.send({ type: "stop" }).catch(() => undefined) }, "Stop the race");
    this.racing = h("div", { className: "panel player racing" }, h("span", { className: "small" }, "A race, live"), speed, stop);
    this.tools.after(this.racing);
  }

  // -- what is told

  say(text, kind) {
    if (!text) return;
    this.talk.add(h("p", { className: kind }, text));
    announce(text);
  }

  work(work) {
    this.working = work;
    this.job.hidden = !work;
    if (!work) return;
    this.searched = h("span", { "aria-hidden": "true" }); // or every count would be read aloud
    const stop = h("button", { type: "button", onclick: () => {
      this.play.connection.send({ type: "cancel" }).catch(() => undefined);
      this.work(null);
    } }, "Stop");
    this.job.replaceChildren(h("span", {}, work.what ?? work.text, this.searched), stop);
  }

  progress({ positions }) {
    if (!this.working || !positions) return;
    this.searched.textContent = ` ${positions.toLocaleString("en")} positions`;
  }

  people(people) {
    const others = (people?.playing ?? 1) + (people?.watching ?? 0) - 1;
    this.others.hidden = others < 1;
    if (others < 1) return;
    const parts = [people.playing > 1 && `${people.playing} play`, people.watching && `${people.watching} ${people.watching === 1 ? "watches" : "watch"}`].filter(Boolean);
    this.others.textContent = parts.join(", ");
  }

  stand(text) {
    this.connection.hidden = !text;
    this.connection.textContent = text;
  }

  replay(element) {
    this.player.hidden = !element;
    this.player.replaceChildren(...(element ? [element] : []));
    this.act.hidden = Boolean(element) || !this.play.state.plays;
  }
}
