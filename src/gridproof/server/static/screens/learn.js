// A lesson: small tasks on small boards, played by the real rules; what is done stays in this browser.

import { request } from "../api.js";
import { actionWords, deviceWords, heardWords } from "../words.js";
import { announce, button, h, navigate, pause, sentence } from "../dom.js";
import { cursorWords, listenToKeys } from "../keys.js";
import { clearRefusal, TrialBoard } from "../trial_board.js";
import { lessonSteps, nextLessonStep, recordLessonStep } from "../user_data.js";

const BETWEEN = 500; // milliseconds between two moves that are shown

/** The screen at "/learn/GAME/NUMBER"; without the number of a step, the first one that is not done yet. */
export async function learn(game, number) {
  const lesson = await request(`lessons/${encodeURIComponent(game)}`);
  const isStep = lesson.steps[number - 1] !== undefined;
  const screen = new Learn(lesson, Number(isStep ? number : nextLessonStep(game, lesson.steps.length) ?? 1));
  await screen.trial.send([]);
  return screen;
}

class Learn {
  constructor(lesson, number) {
    this.lesson = lesson;
    this.number = number;
    this.trial = new TrialBoard(`Board of ${lesson.title}`, {
      ask: (actions, where) => request(`lessons/${encodeURIComponent(lesson.game)}/${number}`, { actions, ...where }),
      shown: (state, added) => this.#show(state, added),
      asked: () => clearRefusal(this.answer),
      mayPlay: () => !this.trial.state.done && !this.showing,
    });
    this.answer = h("p", { className: "answer", role: "status" });
    this.nothing = h("span", { className: "small muted" });
    this.cursorKeys = h("span", { className: "small muted keyboard cursor-keys" });
    const { undoButton, restartButton, stage, actions, keyActor } = this.trial;
    restartButton.addEventListener("click", () => this.#stopShowing(), true);
    this.hintButton = button("Show me", () => this.showSolution());
    const last = number === lesson.steps.length;
    const next = last ? (lesson.pack ? `/levels/${lesson.pack}` : "/") : `/learn/${lesson.game}/${number + 1}`;
    this.next = button(last ? "Levels" : "Next", () => navigate(next), { className: "next" });
    this.screen = h("div", { className: "play learn" }, stage,
      h("aside", { className: "sidebar", "aria-label": "The lesson" },
        h("section", { className: "panel lesson" }, this.#stepLinks(), h("h1", {}, deviceWords(lesson.steps[number - 1])), this.answer,
          h("div", { className: "row" }, this.next, undoButton, restartButton, this.hintButton)),
        h("section", { className: "panel", "aria-label": "Actions" }, h("div", { className: "asking" }, h("h2", {}, "You can"), this.cursorKeys, keyActor.element), actions, this.nothing),
        h("p", { className: "small" }, h("a", { href: `/rules/${lesson.game}` }, "All rules, with moving pictures"))));
    this.content = [this.screen];
    this.unlisten = listenToKeys((name, event) => this.#onKey(name, event));
  }

  get title() {
    return `Lesson in ${this.lesson.title}, step ${this.number} of ${this.lesson.steps.length}`;
  }

  get breadcrumbs() {
    return [h("a", { href: "/" }, "Games"), " › ", h("a", { href: `/levels/${this.lesson.pack ?? this.lesson.game}` }, this.lesson.title), " › Lesson"];
  }

  onShow() {
    this.trial.stage.focus({ preventScroll: true });
  }

  leave() {
    this.trial.leave();
    this.unlisten();
  }

  #stepLinks() {
    const { game, steps } = this.lesson;
    const link = (task, index) => h("li", {}, h("a", { href: `/learn/${game}/${index + 1}`, "aria-current": index + 1 === this.number && "step", "aria-label": `Step ${index + 1}` }, String(index + 1)));
    this.links = h("ol", { className: "lesson-steps plain", "aria-label": "Steps of the lesson" }, steps.map(link));
    return this.links;
  }

  #show(state, added) {
    const { done, undoButton } = this.trial;
    this.screen.dataset.done = done.length;
    if (state.done) recordLessonStep(this.lesson.game, this.number);
    const heard = added.flatMap(heardWords);
    const kind = state.done ? "done" : state.lost ? "lost" : state.refused ? "refused" : "";
    this.answer.className = `answer ${kind}`;
    this.answer.textContent = [...heard.map((words) => `${words}.`), deviceWords(sentence(state.answer || state.refused?.text))].filter(Boolean).join(" ");
    if (!state.answer) announce(added.map(actionWords).join(", "));
    this.next.classList.toggle("main", state.done);
    this.next.disabled = !state.done;
    undoButton.classList.toggle("main", state.lost);
    const isOwn = state.actions.some(({ actor }) => actor !== "nature"); // what nature does is at no cell
    this.cursorKeys.textContent = isOwn ? cursorWords(this.trial.keys, this.trial.board) : "";
    this.nothing.textContent = state.actions.length ? "" : state.done ? "This step is done." : "Take the move back.";
    const steps = new Set(lessonSteps(this.lesson.game));
    [...this.links.children].forEach((item, index) => item.classList.toggle("done", steps.has(index + 1)));
  }

  #stopShowing() {
    this.showing = null;
  }

  /** Show the solution from the start. */
  async showSolution() {
    const { trial } = this;
    if (this.showing) return;
    const own = (this.showing = {});
    await trial.answered;
    await trial.send([]);
    const solution = trial.state?.solution ?? [];
    for (let count = 1; count <= solution.length; count += 1) {
      await pause(BETWEEN);
      if (trial.left || this.showing !== own) return;
      await trial.send(solution.slice(0, count));
      await trial.board.playing;
    }
    this.showing = null;
  }

  #onKey(name, event) {
    const { trial } = this;
    if (trial.state?.done && name === "enter") {
      this.next.click();
      return true;
    }
    const restart = () => {
      this.#stopShowing();
      trial.restart();
    };
    return trial.onKey(name, event, { hint: () => this.showSolution(), restart });
  }
}
