// Difficulty in five steps of plain words.

import { h } from "./dom.js";

/** As many bars as the difficulty has steps. */
export const difficultySteps = (difficulties, word) =>
  h("span", { className: "steps", "aria-hidden": "true" }, difficulties.map((one, place) => h("i", { className: place <= difficulties.indexOf(word) && "on" })));
