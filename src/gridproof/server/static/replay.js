// Replay a game, or a trace on a board alone: at any speed, forward and back, to any step.

import { request } from "./api.js";
import { actionWords, heardWords } from "./words.js";
import { announce, button, h, icon } from "./dom.js";

/** A select of speeds; `onChange(speed)` is called on a change. */
export const speedSelect = (speeds, value, onChange = () => undefined, properties = {}) =>
  h("select", { "aria-label": "Steps a second", ...properties, onchange: (event) => onChange(Number(event.target.value)) },
    speeds.map((speed) => h("option", { value: speed, selected: speed === value }, speed < 1 ? `a step in ${1 / speed} s` : `${speed} steps a second`.replace(/^1 steps/, "1 step"))));

/** The title of a replay: one of the level that is shown already is told by where it begins. */
const titleOf = ({ title, ahead }, shown) => (title !== shown ? title : ahead ? "From here on" : "Replay");

const CHUNK_SIZE = 100; // steps in one request
const FIRST_SIZE = 4; // of the first one of a program, which may think long about each step
const ENDS = { WON: "Won.", LOST: "Lost." };

export class ReplayPlayer {
  constructor(play, item) {
    this.play = play;
    this.board = play.board;
    this.number = item.replay;
    this.isAhead = Boolean(item.ahead);
    this.isOwn = Boolean(item.isOwn); // it shows the moves of the game's list
    this.start = item.board;
    this.startNow = item.now;
    this.onStep = item.onStep ?? (() => undefined);
    this.total = item.total; // of steps, if it is known before they are loaded
    this.thinks = [item.total, item.length, item.result].every((known) => known === undefined); // a program plays: nothing is known before its first step
    this.loop = item.loop ?? null; // the step after which the rest is repeated
    this.steps = item.steps ?? [];
    this.ended = Boolean(item.steps);
    this.at = 0;
    this.speed = 2;
    this.board.show(item.board);
    this.board.mark([]);
    this.toggle = button("Play", () => this.run(!this.running), { className: "main" });
    this.slider = h("input", { type: "range", min: 0, max: 1, value: 0, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.position = h("output", {});
    this.caption = h("p", { className: "small" });
    this.remark = h("p", { className: "small muted", hidden: true }); // such as what each action is worth
    this.speeds = speedSelect(item.speeds, this.speed, (speed) => {
      this.speed = speed;
    });
    this.back = button(item.back ?? "Back to the game", () => play.endReplay(), { className: "return" });
    this.resume = button("Continue from here", () => this.#resume(), { className: "main resume" });
    this.result = h("p", { hidden: true });
    const title = titleOf(item, play.sidebar.levelTitle);
    this.title = h("h2", {}, title);
    this.controls = h("div", { className: "player" },
      button(icon("start"), () => this.go(0), { "aria-label": "To the start" }),
      button(icon("back"), () => this.go(this.at - 1), { "aria-label": "One step back" }),
      this.toggle,
      button(icon("on"), () => this.forward(), { "aria-label": "One step on" }));
    this.progress = h("div", { className: "player" }, this.slider, this.position);
    this.element = h("section", { "aria-label": title }, this.title, this.result, this.caption, this.remark,
      this.controls, this.progress,
      h("div", { className: "player choices" }, item.length !== undefined || item.ahead ? this.resume : "", this.back, this.speeds));
    this.#update();
    this.#load().then(() => (item.at === undefined ? this.run(true) : this.seek(item.at)));
  }

  /** Take the game to the shown place, and go on there: back in its own moves, or on in those of a line from here. */
  #resume() {
    if (!this.isAhead) this.play.do(`goto ${this.at}`);
    else if (this.at) this.play.doAll(this.steps.slice(0, this.at).map(({ action }) => action));
    else this.play.endReplay();
  }

  /** Go to a place, which may be beyond the steps loaded so far. */
  async seek(place) {
    while (this.steps.length < place && !this.ended && !this.stopped) await this.#load();
    if (!this.stopped) this.go(place);
  }

  /** Show the result, and invite the reader to play. */
  invite(result) {
    this.title.textContent = "A shared game";
    this.result.textContent = `${result} Try it yourself.`;
    this.result.hidden = false;
    this.back.textContent = "Try it yourself";
    announce(this.result.textContent);
  }

  async #load() {
    if (this.ended) return;
    this.loading ??= this.play.connection.send({ type: "steps", replay: this.number, from: this.steps.length, count: this.thinks && !this.steps.length ? FIRST_SIZE : CHUNK_SIZE })
      .then((answer) => {
        const chunk = answer.told.find(({ kind }) => kind === "steps");
        this.steps.push(...chunk.steps);
        if (chunk.remark) this.startNow = { ...this.startNow, remark: chunk.remark };
        this.ended = chunk.end || !chunk.steps.length;
        this.#update();
      })
      .catch(() => {
        this.ended = true;
        this.#update();
      })
      .finally(() => {
        this.loading = null;
      });
    await this.loading;
  }

  #update() {
    this.slider.max = this.steps.length;
    this.slider.value = this.at;
    this.position.textContent = `${this.at} of ${this.ended ? this.steps.length : this.total ?? `${this.steps.length}+`}`;
    this.resume.hidden = this.isAhead && this.steps.some(({ label }) => label); // chance would not play along
    const step = this.steps[this.at - 1];
    const end = this.#endText();
    this.caption.replaceChildren((step ? [actionWords(step), ...heardWords(step)].join(". ") : this.thinks && !this.ended && !this.steps.length ? "Thinking …" : "The start") + this.#loopText(), end && ". ", h("b", {}, end));
    if (end && end !== this.told) announce(end);
    this.told = end;
    for (const part of [this.controls, this.progress, this.speeds]) part.hidden = this.ended && !this.steps.length; // there is nothing to step through
    this.toggle.textContent = this.running ? "Pause" : "Play";
    this.onStep(this.at);
    const { remark, ...now } = step?.now ?? this.startNow ?? {};
    this.remark.textContent = remark ?? "";
    this.remark.hidden = !remark;
    if (now.counts) this.play.sidebar.update({ ...(this.play.pending?.now ?? this.play.now), ...now, best: {}, actions: [], isReplayed: true });
  }

  /** What the last step has led to: a win or a loss; "" before it, and where the game goes on. */
  #endText() {
    const isOver = this.ended && this.at > 0 && this.at === this.steps.length && this.loop === null;
    const now = isOver ? this.steps[this.at - 1].now : null;
    return now?.end ?? ENDS[now?.status] ?? "";
  }

  /** The text at the end of a loop. */
  #loopText() {
    if (this.loop === null || !this.ended || this.at < this.steps.length) return "";
    return `: from here it goes on as after step ${this.loop}, again and again`;
  }

  async forward() {
    if (this.at >= this.steps.length) await this.#load();
    if (this.stopped || this.at >= this.steps.length) {
      this.run(false);
      return;
    }
    const step = this.steps[this.at];
    this.at += 1;
    this.#update();
    announce(actionWords(step));
    await this.board.play([step]);
  }

  go(place) {
    this.run(false);
    this.#jump(Math.max(0, Math.min(this.steps.length, place)));
    this.#update();
  }

  #jump(place) {
    this.at = place;
    this.board.show(this.start, this.steps.slice(0, place));
  }

  run(running) {
    this.running = running && !this.stopped && !(this.ended && !this.steps.length);
    clearTimeout(this.timer);
    if (this.running && this.ended && this.at >= this.steps.length) this.#jump(0);
    this.#update();
    if (this.running) this.#schedule();
  }

  #schedule() {
    this.timer = setTimeout(async () => {
      await this.forward();
      const over = this.ended && this.at >= this.steps.length;
      if (this.running && over && this.loop !== null && this.loop < this.at) {
        this.#jump(this.loop);
        this.#schedule();
      } else if (this.running && over) this.run(false);
      else if (this.running) this.#schedule();
    }, 1000 / this.speed);
  }

  #changeSpeed(by) {
    const { options, selectedIndex } = this.speeds;
    this.speeds.selectedIndex = Math.max(0, Math.min(options.length - 1, selectedIndex + by));
    this.speed = Number(this.speeds.value);
    announce(this.speeds.selectedOptions[0].textContent);
  }

  /** Handle a key while a replay is shown. */
  onKey(name) {
    const commands = {
      space: () => this.run(!this.running),
      right: () => {
        this.run(false);
        this.forward();
      },
      left: () => this.go(this.at - 1),
      home: () => this.go(0),
      end: () => this.seek(this.total ?? this.steps.length), // they may still be loaded
      "+": () => this.#changeSpeed(1),
      "-": () => this.#changeSpeed(-1),
      escape: () => this.play.endReplay(),
    };
    commands[name]?.();
    return name in commands;
  }

  stop() {
    this.stopped = true;
    this.run(false);
  }
}

/** Play a trace on a board; returns the player, whose element the caller adds to the page. `at` is the first shown step; without it, the trace runs. `ended` is called when the reader goes back, `onStep(place)` at each step. */
export async function showTrace(board, trace, { title, loop, back, at, ended, onStep }) {
  const item = await request("replays", { trace });
  board.begin(item.pieces);
  const play = { board, now: item.now, sidebar: { update: () => undefined }, endReplay: ended };
  return new ReplayPlayer(play, { ...item, title: title ?? item.title, loop, back, at, onStep });
}
