// Who plays each of several actors: the player by hand, or a strategy that acts after each action.

import { h } from "./dom.js";

export const BY_HAND = "hand";

const LABELS = { [BY_HAND]: "by hand", hints: "by following hints", planner: "by a plan, seeing all", random: "at random" };
const describePlayer = (name) => LABELS[name] ?? `by ${name}`;

/** A select for the player of an actor. */
export const playerSelect = (actor, names, value, onChange) =>
  h("label", { className: "field" }, `${actor} is played`,
    h("select", { dataset: { actor }, onchange: (event) => onChange(event.target.value) },
      names.map((name) => h("option", { value: name, selected: name === value }, describePlayer(name)))));

export class Players {
  constructor(play) {
    this.play = play;
    this.summary = h("span", {});
    this.element = h("div", { className: "players small" });
  }

  /** Show the players of another level; guests see them, but cannot change them. */
  begin({ actors, strategies }) {
    this.element.hidden = actors.length < 2 || !strategies.length;
    const choice = (actor) => playerSelect(actor, [BY_HAND, ...strategies], BY_HAND, (name) => this.play.do(`let ${actor} ${name}`));
    const choices = this.play.offers("let") && h("details", {}, h("summary", {}, this.summary), actors.map(choice));
    this.element.replaceChildren(choices || this.summary);
  }

  update(partners, race) {
    const who = Object.entries(partners).map(([actor, name]) => `${actor} is played ${describePlayer(name)}`);
    this.summary.textContent = who.join(", ") || (race ? "All play by themselves" : "All are played by hand");
    for (const select of this.element.querySelectorAll("select")) select.value = partners[select.dataset.actor] ?? BY_HAND;
  }
}
