// The rules of a game: sentences, each beside a small board on which moves are played by the rules, again and again.

import { request } from "../api.js";
import { Board } from "../board.js";
import { actionWords, heardWords } from "../words.js";
import { button, h, isMotionAllowed, pause, sentence } from "../dom.js";
import { nextLessonStep } from "../user_data.js";

const START = 1100; // milliseconds that the start of an example is shown
const BETWEEN = 750; // milliseconds between two moves
const END = 1900; // milliseconds that the end is shown

/** The screen at "/rules/GAME". */
export async function rules(game) {
  const data = await request(`lessons/${encodeURIComponent(game)}`);
  const examples = data.examples.map((example) => new MovingPicture(example));
  const running = () => examples.some((one) => one.running);
  const toggle = button("", () => runAll(!running()));
  const runAll = (run) => {
    for (const one of examples) one.run(run);
    toggle.textContent = run ? "Pause the pictures" : "Play the pictures";
  };
  const session = new URLSearchParams(location.search).get("play");
  const back = session && h("a", { className: "button", href: `/play/${session}` }, "Back to your game");
  return {
    title: `Rules of ${data.title}`,
    breadcrumbs: [h("a", { href: "/" }, "Games"), ` › Rules of ${data.title}`],
    content: [
      h("div", { className: "head" }, h("div", {}, h("h1", {}, `How to play ${data.title}`), h("p", {}, sentence(data.meaning))),
        h("div", { className: "row" }, back, lessonLink(data), toggle)),
      h("ol", { className: "rules" }, examples.map((one) => one.element)),
      ...(data.play.length ? [h("section", { className: "who-plays", "aria-label": "Who plays" }, h("h2", {}, "Who plays, and when"), data.play.map((text) => h("p", {}, text)))] : []),
      h("div", { className: "row after-rules" }, lessonLink(data), data.pack && h("a", { className: "button", href: `/levels/${data.pack}` }, "To the levels")),
    ],
    onShow: () => {
      runAll(isMotionAllowed());
      const place = location.hash && document.getElementById(location.hash.slice(1));
      if (!place) return;
      place.classList.add("pointed");
      if (back) place.lastChild.append(back); // in sight, too
      place.scrollIntoView({ block: "center" });
      place.focus({ preventScroll: true });
    },
    leave: () => {
      for (const one of examples) one.leave();
    },
  };
}

function lessonLink({ game, steps }) {
  const next = nextLessonStep(game, steps.length);
  const words = next === null ? "Play the lesson again" : next > 1 ? `Continue the lesson (${next} of ${steps.length})` : "Play a first lesson";
  return h("a", { className: "button main", href: `/learn/${game}` }, words);
}

/** An example of a rule; while it runs and is in sight, its moves are repeated. */
class MovingPicture {
  constructor({ name, title, text, pieces, board, steps }) {
    this.start = board;
    this.steps = steps;
    this.board = new Board();
    this.board.view.showWhole();
    this.board.begin(pieces);
    this.board.show(board);
    this.caption = h("p", { className: "caption small muted", "aria-hidden": "true" });
    this.running = false;
    this.visible = false;
    this.turn = 0; // the number of the current loop
    const moves = steps.map(actionWords).join(", ");
    this.element = h("li", { id: name, className: "rule", tabindex: "-1" },
      h("figure", {}, this.board.element, h("figcaption", { className: "visually-hidden" }, `Example: ${moves}.`), this.caption),
      h("div", {}, h("h2", {}, title), h("p", {}, text)));
    this.observer = new IntersectionObserver(([{ isIntersecting }]) => {
      this.visible = isIntersecting;
      this.#restart();
    });
    this.observer.observe(this.element);
    this.#say(0);
  }

  run(running) {
    this.running = running;
    this.#restart();
  }

  leave() {
    this.running = false;
    this.turn += 1;
    this.observer.disconnect();
  }

  #restart() {
    this.turn += 1;
    if (this.running && this.visible) this.#loop(this.turn);
  }

  async #loop(turn) {
    const wait = async (milliseconds) => {
      await pause(milliseconds);
      return turn === this.turn;
    };
    while (turn === this.turn) {
      this.board.show(this.start);
      this.#say(0);
      if (!(await wait(START))) return;
      for (const [index, step] of this.steps.entries()) {
        this.#say(index + 1);
        await this.board.play([step]);
        if (!(await wait(index + 1 < this.steps.length ? BETWEEN : END))) return;
      }
    }
  }

  /** Write what has just been done below the board. */
  #say(done) {
    const step = this.steps[done - 1];
    const words = step ? [actionWords(step), ...heardWords(step)].join(": ") : "start";
    this.caption.textContent = `${words} · ${done} of ${this.steps.length}`;
  }
}
