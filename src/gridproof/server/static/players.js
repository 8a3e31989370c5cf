// Who plays each of several actors: hands, or a strategy that acts after each action of a player.

import { h } from "./dom.js";

export const BY_HAND = "hand";

const WORDS = { [BY_HAND]: "by hand", hints: "by following hints", planner: "by a plan, seeing all", random: "at random" };
const wordsOf = (name) => WORDS[name] ?? `by ${name}`;

/** A choice of who plays an actor. */
export const playerChoice = (actor, names, value, chosen) =>
  h("label", { className: "field" }, `${actor} is played`,
    h("select", { dataset: { actor }, onchange: (event) => chosen(event.target.value) },
      names.map((name) => h("option", { value: name, selected: name === value }, wordsOf(name)))));

export class Players {
  constructor(play) {
    this.play = play;
    this.told = h("span", {});
    this.element = h("div", { className: "players small" });
  }

  /** For another level; guests are told who plays, and choose nobody. */
  begin({ actors, strategies, plays, bound }) {
    this.element.hidden = actors.length < 2 || !strategies.length;
    const choice = (actor) => playerChoice(actor, [BY_HAND, ...strategies], BY_HAND, (name) => this.play.do(`let ${actor} ${name}`));
    const choices = plays && !bound && h("details", {}, h("summary", {}, this.told), actors.map(choice));
    this.element.replaceChildren(choices || this.told);
  }

  stands(partners, race) {
    const who = Object.entries(partners).map(([actor, name]) => `${actor} is played ${wordsOf(name)}`);
    this.told.textContent = who.join(", ") || (race ? "All play by themselves" : "All are played by hand");
    for (const select of this.element.querySelectorAll("select")) select.value = partners[select.dataset.actor] ?? BY_HAND;
  }
}
