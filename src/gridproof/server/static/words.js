// Requests of several actors and their answers, as a conversation; in directions of the board, or of the actor.

import { h, isTouched } from "./dom.js";
import { isBoardDirected } from "./user_data.js";

const choose = (own, seen) => (seen && isBoardDirected() ? seen : own);

/** The words of an action or a step, in the directions that the player has chosen. */
export const actionWords = ({ words, seen, action }) => choose(words ?? action, seen);

/** The text of a message. */
export const messageText = ({ text, seen }) => choose(text, seen);

/** What one actor's player alone is told by a step. */
export const heardWords = ({ heard = [], seen_heard: seen }) => choose(heard, seen);

/** The counts of a state. */
export const countsOf = ({ counts, seen_counts: seen }) => choose(counts, seen);

/** Why an action is refused, as an answer to its request; undefined if no reason is known. */
export const refusalReason = ({ reason, own_reason: own }) => choose(own, reason);

/** The lines of a request: what is asked, what is answered, and what the player alone is told. */
export function requestLines(step) {
  const heard = heardWords(step).map((line) => h("p", { className: "reply" }, line));
  if (!step.dialogue) return [h("p", {}, actionWords(step)), heard];
  const { asker, question, own, answers } = step.dialogue;
  return [
    h("p", { className: "asks" }, asker && h("strong", {}, `${asker}: `), isBoardDirected() ? question : own),
    answers.map((line) => h("p", { className: "answer" }, line)),
    heard,
  ];
}

/** A text for fingers, which press no keys: taps in place of clicks, and no word on keys. */
export const touchWords = (text) =>
  text.replaceAll("Click", "Tap").replaceAll("click", "tap").replace(/, or (press an arrow key|the key \w)/, "").replace(/ On a keyboard, [^.]*\./, "");

/** A text with the words for how this device is used. */
export const deviceWords = (text) => (text && isTouched() ? touchWords(text) : text);
