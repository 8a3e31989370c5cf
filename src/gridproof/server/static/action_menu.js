// A menu at a cell of the board: which of several actions there is meant.

import { actionWords } from "./words.js";
import { announce, h } from "./dom.js";

const KEYS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

export class ActionMenu {
  constructor(play) {
    this.play = play;
    this.element = null;
    this.outside = ({ target }) => !this.element.contains(target) && this.close();
  }

  /** Let the player choose one of the actions at a cell, by mouse or keys. */
  open([x, y], actions) {
    this.close();
    const { board, stage } = this.play;
    const items = actions.map((action) => h("button", { type: "button", role: "menuitem", dataset: { action: action.text }, onclick: () => this.#choose(action) }, actionWords(action)));
    this.element = h("div", { className: "action-menu", role: "menu", "aria-label": "Which action?", onkeydown: (event) => this.#onKey(event, items) }, items);
    stage.append(this.element);
    const [left, top] = board.windowPlace(x + 0.5, y + 0.9);
    const room = stage.getBoundingClientRect();
    const { width, height } = this.element.getBoundingClientRect();
    const limit = (value, most) => Math.max(8, Math.min(most - 8, value));
    this.element.style.left = `${limit(left - room.left - width / 2, room.width - width)}px`;
    this.element.style.top = `${limit(top - room.top, room.height - height)}px`;
    document.addEventListener("pointerdown", this.outside, true);
    announce(`Choose one: ${actions.map(actionWords).join(", ")}`);
    items[0].focus({ preventScroll: true });
  }

  close() {
    if (!this.element) return;
    document.removeEventListener("pointerdown", this.outside, true);
    const hadFocus = this.element.contains(document.activeElement);
    this.element.remove();
    this.element = null;
    if (hadFocus) this.play.stage.focus({ preventScroll: true });
  }

  #choose({ text }) {
    this.close();
    this.play.do(text);
  }

  #onKey(event, items) {
    const step = KEYS[event.key];
    event.stopPropagation(); // keys of the game wait
    if (event.key === "Escape" || event.key === "Tab") this.close();
    else if (step) items[(items.indexOf(document.activeElement) + step + items.length) % items.length].focus();
    else return;
    event.preventDefault();
  }
}
