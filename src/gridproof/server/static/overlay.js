// The soft veil over the board at the end of a level, with what can be done then; and fireworks.

import { h, moves } from "./dom.js";

const SPARKS = 36;
const COLOURS = ["#e69f00", "#0072b2", "#c8400a", "#009e73", "#f0d91e", "#b0578f"];

/** Put a veil over the stage; the function that is returned takes it away. */
export function veil(play, { title, level, fireworks, moved, actions, sparks: fired = fireworks }) {
  let open = true;
  const close = () => {
    if (!open) return;
    open = false;
    element.remove();
    sparks?.remove();
    play.unveil();
  };
  const after = (deed) => () => {
    close();
    deed();
  };
  const { commands } = play.now.question;
  const buttons = [
    moved && button("Next level", close, true),
    !moved && commands.includes("continue") && button("Go on", after(() => play.do("continue")), true),
    !moved && !commands.includes("continue") && button("See the board", close, !commands.includes("new")),
    moved && button("Play it again", after(() => play.do(`level ${level}`))),
    !moved && commands.includes("new") && button(fireworks ? "New game" : "Try again", after(() => play.do("new")), !commands.includes("continue")),
    !moved && !fireworks && play.now.done > 0 && button("Take it back", after(() => play.do("undo"))),
    fireworks && button("Share", () => play.share(level)),
    fireworks && button("Best counts", () => play.scores(level)),
  ].filter(Boolean);
  const counts = moved ? `${actions} ${actions === 1 ? "action" : "actions"}` : play.now.counts.map(([word, value]) => `${word} ${value}`).join(", ");
  const sparks = fired && moves() ? fire(play.stage) : null;
  const element = h("div", { className: "veil", role: "group", "aria-label": "The end of the level" },
    h("h2", {}, title), counts && h("p", { className: "soft" }, counts), h("div", { className: "row" }, buttons));
  play.stage.append(element);
  (buttons.find((one) => one.classList.contains("main")) ?? buttons[0])?.focus({ preventScroll: true });
  return close;
}

/** How many actions a level was won with. */
export function actionsOf(before, message) {
  const acts = (message.changes ?? []).filter(({ change }) => change === "act");
  return (before?.done ?? 0) + acts.reduce((sum, { steps }) => sum + steps.length, 0);
}

/** Changes, a win and the choice of the level that follows it as one. */
export function joined(changes) {
  const [won, next] = changes.slice(-2);
  if (changes.length < 2 || !won.won || won.current !== won.level || next.change !== "select") return changes;
  return [...changes.slice(0, -2), { ...won, current: next.current, board: next.board }];
}

/** How a level stands that was won and left, where it stood so before. */
export function wonNow({ levels }, now, { counts }) {
  const completed = levels.filter(({ done }) => done).length;
  return { ...now, counts: counts ?? now.counts, completed, actions: [], done: 0, undone: 0 };
}

function button(words, onclick, main = false) {
  return h("button", { type: "button", className: main && "main", onclick }, words);
}

function fire(stage) {
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
