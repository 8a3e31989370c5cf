// Who plays the actors of a level: the player one of them, and programs the others, until the player chooses otherwise.

import { joinNames, showToast } from "./dom.js";
import { playersOf, rememberSession } from "./user_data.js";

export const BY_HAND = "hand";

export class CoPlayers {
  constructor(play) {
    this.play = play;
    const { actor, isChosen } = this.#remembered ?? {};
    this.chosen = isChosen ? actor : undefined; // the actor (null: all) that the player chose on this page; another tab may have another one
    this.sent = 0; // the player's acts that are not answered yet
    this.waiting = null; // the player's latest act while programs think
    this.changes = Promise.resolve(); // the last of the changes, which are made one after another
  }

  get #remembered() {
    return playersOf(this.play.id);
  }

  #remember(players) {
    if (this.#remembered) rememberSession(this.play.id, { players: { ...this.#remembered, ...players } });
  }

  /** Make a change after all earlier ones; without the server, it is made with the next state. */
  #queue(change) {
    this.changes = this.changes.then(change).catch(() => undefined);
    return this.changes;
  }

  /** Let those play that this browser remembers: the server forgets programs that nobody watches, and other levels have other actors. */
  apply() {
    return this.#queue(() => this.#apply());
  }

  async #apply() {
    const { play } = this;
    await play.result.recalled;
    if (!this.#remembered || !play.state.plays || play.state.bound || play.pending || play.now.race) return; // after the end of a level it is called again
    const wanted = this.#wantedActor;
    if (wanted !== play.state.actor) await this.#view(wanted);
    const { actors, taken } = play.state;
    for (const one of actors.filter((other) => !taken.includes(other))) {
      const name = this.#wantedPlayer(one);
      if (name !== (play.now.partners[one] ?? BY_HAND)) await play.askUnshown({ type: "do", text: `let ${one} ${name}` });
    }
  }

  /** The player's actor on this level: the chosen one, else that of the level; no guest may play it. */
  get #wantedActor() {
    const { actor, actors, default_actor: usual, taken } = this.play.state;
    return [this.chosen, usual, actor, ...actors, null].find((one) => one === null || (actors.includes(one) && !taken.includes(one)));
  }

  /** Who is to play an actor; what was chosen for the player's actor of another level does not count for that of this one. */
  #wantedPlayer(one) {
    const { actor, strategies } = this.play.state;
    if (one === actor && this.chosen === undefined) return BY_HAND;
    return this.#remembered.by[one] ?? (actor === null || one === actor ? BY_HAND : strategies[0]);
  }

  /** When guests leave or come back, the player keeps the actor, and no program takes over. */
  followGuests(actors, before) {
    const { actor, actors: now, taken } = this.play.state;
    const isSameLevel = now.length === actors.length && now.every((one) => actors.includes(one));
    if (!isSameLevel) return;
    const left = before.filter((one) => !taken.includes(one));
    const came = taken.filter((one) => !before.includes(one));
    if (came.length && !came.includes(actor)) showToast(`Another person plays ${joinNames(came)} now.`);
    if (!left.length) return;
    this.chosen = actor;
    this.#remember({ actor, isChosen: true, by: { ...this.#remembered?.by, ...Object.fromEntries(left.map((one) => [one, BY_HAND])) } });
    showToast(`The person who played ${joinNames(left)} has left. ${this.#playerAfter(left)}`, 8);
  }

  /** Who plays the actors that guests have left. */
  #playerAfter(left) {
    const { actor, plays, bound } = this.play.state;
    if (actor === null && plays) return `You play ${joinNames(left)} now.`;
    return `Nobody plays ${joinNames(left)} now${plays && !bound ? ", until somebody comes back or you choose who" : ""}.`;
  }

  async #view(actor) {
    await this.play.connection.ask({ type: "view", actor });
    this.#remember({ actor });
  }

  /** Play one actor, and let programs play the others; or play all. */
  playAs(actor) {
    this.chosen = actor;
    this.#remember({ actor, isChosen: true, by: {} });
    return this.#queue(() => this.#view(actor));
  }

  /** Let a program play an actor, or take it back. */
  let(actor, name) {
    return this.#queue(() => this.#let(actor, name));
  }

  async #let(actor, name) {
    const { play } = this;
    const answer = await play.do(`let ${actor} ${name}`);
    const isRefused = !answer || answer.type === "error" || answer.told?.some(({ kind }) => kind === "refusal");
    if (isRefused || !this.#remembered) return play.sidebar.players.update(play.now);
    if (actor === play.state.actor) this.chosen = actor;
    this.#remember({ isChosen: this.chosen !== undefined, by: { ...this.#remembered.by, [actor]: name } });
  }

  // -- turns

  /** The actor whose program thinks; undefined without one. */
  get thinker() {
    return this.play.sidebar.runningJob?.actor;
  }

  /** Do the player's act now; while programs think it waits, since they would lose their turn. */
  async inTurn(act) {
    const isBefore = this.sent > 0 && Object.keys(this.play.now.partners ?? {}).length > 0; // they begin with the answer
    if (this.thinker || isBefore) {
      this.waiting = act;
      showToast(`${this.thinker ? `${this.thinker} thinks` : "The others answer first"}. Your latest ${this.play.state.word.replace(/s$/, "")} follows.`);
      return null;
    }
    this.sent += 1;
    try {
      return await act();
    } finally {
      this.sent -= 1;
      this.goOn();
    }
  }

  /** Do the act that waits, once no program thinks; it is dropped at the end of a level. */
  goOn() {
    if (!this.waiting || this.thinker || this.sent) return;
    const act = this.waiting;
    this.waiting = null;
    if (!this.play.pending && !this.play.result.isOpen && !this.play.replay) this.inTurn(act);
  }
}
