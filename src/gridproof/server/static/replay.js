// A game to be watched: at any speed, forward and back, to any place.

import { announce, h, icon } from "./dom.js";
import { speedChoice } from "./speeds.js";

const CHUNK = 100; // steps that are asked for at once

export class ReplayPlayer {
  constructor(play, item) {
    this.play = play;
    this.board = play.board;
    this.number = item.replay;
    this.start = item.board;
    this.startNow = item.now;
    this.loop = item.loop ?? null; // the step after which the rest is done again and again
    this.steps = [];
    this.ended = false;
    this.at = 0;
    this.speed = 2;
    this.board.show(item.board);
    this.board.hint([]);
    this.toggle = h("button", { type: "button", className: "main", onclick: () => this.run(!this.running) }, "Play");
    this.slider = h("input", { type: "range", min: 0, max: 1, value: 0, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.told = h("output", {});
    this.words = h("p", { className: "small" });
    this.speeds = speedChoice(item.speeds, this.speed, (speed) => {
      this.speed = speed;
    });
    this.element = h("section", { "aria-label": item.title }, h("h2", {}, item.title), this.words,
      h("div", { className: "player" },
        h("button", { type: "button", "aria-label": "To the start", onclick: () => this.go(0) }, icon("start")),
        h("button", { type: "button", "aria-label": "One step back", onclick: () => this.go(this.at - 1) }, icon("back")),
        this.toggle,
        h("button", { type: "button", "aria-label": "One step on", onclick: () => this.forward() }, icon("on"))),
      h("div", { className: "player" }, this.slider, this.told),
      h("div", { className: "player" }, this.speeds, h("button", { type: "button", onclick: () => play.endReplay() }, item.back ?? "Back to the game")));
    this.#show();
    this.#more().then(() => (item.at === undefined ? this.run(true) : this.go(item.at)));
  }

  async #more() {
    if (this.ended) return;
    this.asking ??= this.play.connection.send({ type: "steps", replay: this.number, from: this.steps.length, count: CHUNK })
      .then((answer) => {
        const told = answer.told.find(({ kind }) => kind === "steps");
        this.steps.push(...told.steps);
        this.ended = told.end || !told.steps.length;
        this.#show();
      })
      .catch(() => {
        this.ended = true;
      })
      .finally(() => {
        this.asking = null;
      });
    await this.asking;
  }

  #show() {
    this.slider.max = this.steps.length;
    this.slider.value = this.at;
    this.told.textContent = `${this.at} of ${this.steps.length}${this.ended ? "" : "+"}`;
    const step = this.steps[this.at - 1];
    this.words.textContent = (step ? [step.words ?? step.action, ...(step.heard ?? [])].join(". ") : "The start") + this.#round();
    this.toggle.textContent = this.running ? "Pause" : "Play";
    const now = step?.now ?? this.startNow;
    if (now?.counts) this.play.rail.stands({ ...this.play.now, ...now, best: {}, actions: [] });
  }

  /** What is to be said at the end of a path that goes round for ever. */
  #round() {
    if (this.loop === null || !this.ended || this.at < this.steps.length) return "";
    return `: from here it goes on as after step ${this.loop}, again and again`;
  }

  async forward() {
    if (this.at >= this.steps.length) await this.#more();
    if (this.stopped || this.at >= this.steps.length) {
      this.run(false);
      return;
    }
    const step = this.steps[this.at];
    this.at += 1;
    this.#show();
    announce(step.words ?? step.action);
    await this.board.play([step]);
  }

  go(place) {
    this.at = Math.max(0, Math.min(this.steps.length, place));
    this.run(false);
    this.board.jump(this.start, this.steps.slice(0, this.at));
    this.#show();
  }

  run(running) {
    this.running = running && !this.stopped;
    clearTimeout(this.timer);
    if (this.running && this.ended && this.at >= this.steps.length) this.go0();
    this.#show();
    if (this.running) this.#tick();
  }

  go0() {
    this.at = 0;
    this.board.jump(this.start, []);
  }

  #tick() {
    this.timer = setTimeout(async () => {
      await this.forward();
      const over = this.ended && this.at >= this.steps.length;
      if (this.running && over && this.loop !== null && this.loop < this.at) {
        this.at = this.loop;
        this.board.jump(this.start, this.steps.slice(0, this.at));
        this.#tick();
      } else if (this.running && over) this.run(false);
      else if (this.running) this.#tick();
    }, 1000 / this.speed);
  }

  #faster(by) {
    const { options, selectedIndex } = this.speeds;
    this.speeds.selectedIndex = Math.max(0, Math.min(options.length - 1, selectedIndex + by));
    this.speed = Number(this.speeds.value);
    announce(this.speeds.selectedOptions[0].textContent);
  }

  /** What a key means while a replay is shown. */
  pressed(name) {
    const deeds = {
      space: () => this.run(!this.running),
      right: () => {
        this.run(false);
        this.forward();
      },
      left: () => this.go(this.at - 1),
      home: () => this.go(0),
      end: () => this.go(this.steps.length),
      "+": () => this.#faster(1),
      "-": () => this.#faster(-1),
      escape: () => this.play.endReplay(),
    };
    deeds[name]?.();
    return name in deeds;
  }

  stop() {
    this.stopped = true;
    this.run(false);
  }
}
