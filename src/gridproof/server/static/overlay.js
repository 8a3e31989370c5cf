// The overlay on the board at the end of a level, with the next actions; and fireworks.

import { countLabel } from "./counts.js";
import { button, h, isMotionAllowed } from "./dom.js";

const SPARKS = 36;
const COLOURS = ["#e69f00", "#0072b2", "#c8400a", "#009e73", "#f0d91e", "#b0578f"];

/** Show an overlay on the stage; returns a function that closes it. */
export function showOverlay(play, { title, level, won, moved, actions, fireworks }) {
  const dismiss = () => play.result.dismiss();
  const thenDo = (action) => () => {
    dismiss();
    action();
  };
  const commands = play.now.question.commands.filter((word) => play.offers(word));
  const buttons = [
    moved && button("Next level", dismiss, { className: "main" }),
    !moved && commands.includes("continue") && button("Continue", thenDo(() => play.do("continue")), { className: "main" }),
    !moved && !commands.includes("continue") && button("See the board", dismiss, { className: !commands.includes("new") && "main" }),
    moved && play.offers("level") && button("Play it again", thenDo(() => play.do(`level ${level}`))),
    !moved && commands.includes("new") && button(won ? "New game" : "Try again", thenDo(() => play.do("new")), { className: !commands.includes("continue") && "main" }),
    !moved && !won && play.now.done > 0 && play.offers("undo") && button("Take it back", thenDo(() => play.do("undo"))),
    won && button("Share", () => play.share(level)),
    won && button("Best on this server", () => play.scores(level)),
  ].filter(Boolean);
  const counts = moved ? `${actions} ${actions === 1 ? "action" : "actions"}` : play.now.counts.map(([word, value]) => `${countLabel(word)} ${value}`).join(", ");
  const sparks = fireworks && isMotionAllowed() ? launchFireworks(play.stage) : null;
  const element = h("div", { className: "overlay", role: "group", "aria-label": "The end of the level" },
    h("h2", {}, title), counts && h("p", { className: "muted" }, counts), h("div", { className: "row" }, buttons));
  play.stage.append(element);
  (buttons.find((one) => one.classList.contains("main")) ?? buttons[0])?.focus({ preventScroll: true });
  return () => {
    element.remove();
    sparks?.remove();
  };
}

/** Count the actions of a won level. */
export function countActions(before, message) {
  const acts = (message.changes ?? []).filter(({ change }) => change === "act");
  return (before?.done ?? 0) + acts.reduce((sum, { steps }) => sum + steps.length, 0);
}

/** Merge a win and the selection of the next level into one change. */
export function mergeLevelChange(changes) {
  const [won, next] = changes.slice(-2);
  if (changes.length < 2 || !won.won || won.current !== won.level || next.change !== "select") return changes;
  return [...changes.slice(0, -2), { ...won, passed: [...won.passed, ...next.passed], current: next.current, board: next.board }];
}

/** The state of a won level that was left, built from the state before. */
export function wonState({ levels }, now, { counts }) {
  const completed = levels.filter(({ done }) => done).length;
  return { ...now, counts: counts ?? now.counts, completed, actions: [], done: 0, undone: 0 };
}

function launchFireworks(stage) {
  const sparks = h("div", { className: "sparks", "aria-hidden": "true" });
  stage.append(sparks);
  for (let number = 0; number < SPARKS; number += 1) {
    const spark = h("i", {});
    spark.style.background = COLOURS[number % COLOURS.length];
    sparks.append(spark);
    const angle = (2 * Math.PI * number) / SPARKS + Math.random();
    const far = 80 + 160 * Math.random();
    spark.animate(
      [
        { transform: "translate(0, 0) scale(1)", opacity: 1 },
        { transform: `translate(${far * Math.cos(angle)}px, ${far * Math.sin(angle) - 30}px) scale(1)`, opacity: 1, offset: 0.6 },
        { transform: `translate(${1.1 * far * Math.cos(angle)}px, ${1.1 * far * Math.sin(angle) + 50}px) scale(0.3)`, opacity: 0 },
      ],
      { duration: 1200 + 500 * Math.random(), easing: "cubic-bezier(0.2, 0.7, 0.4, 1)", fill: "forwards" },
    );
  }
  setTimeout(() => sparks.remove(), 2000);
  return sparks;
}
