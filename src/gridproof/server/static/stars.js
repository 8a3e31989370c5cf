// The stars of a win, as the sheet at its end, cards of levels and lists show them.

import { h } from "./dom.js";
import { STARS_RULE, starsOf } from "./statistics.js";

/** Show so many of three stars in an element. */
export function showStars(element, count) {
  element.replaceChildren(...[1, 2, 3].map((number) => h("span", { className: number <= count && "won" }, "★")));
  element.setAttribute("aria-label", count ? `${count} of 3 stars` : "No stars yet");
}

/** An element for stars. */
export const createStars = () => h("span", { className: "stars", title: STARS_RULE, role: "img" });

/** The stars of the player's best win of a level; null without any. */
export function bestStars(key) {
  const count = starsOf(key);
  if (!count) return null;
  const element = createStars();
  showStars(element, count);
  return element;
}
