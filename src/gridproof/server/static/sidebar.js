// The sidebar of the board: title, counts, buttons, players, actions and messages.

import { directionsIn, impossibleAction, sortByNumber, withDirections } from "./action_order.js";
import { BY_HAND } from "./co_players.js";
import { actionWords, countsOf, requestLines } from "./words.js";
import { announce, button, formatNumber, h, isOutOfSight, isTouched, joinNames, sentence, sentenceCase, showToast, singular, whyButton } from "./dom.js";
import { fromGame } from "./game_link.js";
import { ariaShortcut, cursorWords, keyLabel, keysByText, repeatWhileHeld } from "./keys.js";
import { MoveList } from "./move_list.js";
import { topOfNote } from "./pointer.js";
import { likeThis } from "./puzzles.js";
import { speedSelect } from "./replay.js";
import { markEdges, scrollToItem } from "./scroll_edges.js";
import { hintRule, SpoilerMenu } from "./spoilers.js";
import { bestScore, recordScore } from "./statistics.js";
import { bestCounts, solvedKeys } from "./user_data.js";

const MAX_LINES = 40;

class MessageLog {
  constructor(label) {
    this.lines = h("div", {});
    this.element = h("div", { className: "log", tabindex: "0", role: "log", "aria-label": label, "aria-live": "off" }, this.lines);
    markEdges(this.element);
  }

  add(...lines) {
    this.lines.append(...lines.slice(-MAX_LINES));
    while (this.lines.childElementCount > MAX_LINES) this.lines.firstChild.remove();
    this.element.scrollTop = 0; // its end, since the style sheet reverses the order; the start of a solution
  }

  /** Remove lines that are about what is shown no more. */
  remove(kind) {
    for (const line of this.lines.querySelectorAll(`.${kind}`)) line.remove();
  }

  /** Forget the lines: they are about an earlier position. */
  forget() {
    this.lines.replaceChildren();
  }
}

class RequestLog {
  constructor() {
    this.list = new MessageLog("Requests and answers");
    this.latest = h("p", { className: "latest small" }); // above all buttons, so that it is always in sight
    this.element = h("section", { className: "panel requests", "aria-label": "Requests" }, h("h2", {}, "Requests and answers"), this.list.element);
    this.show([]);
  }

  /** Show all requests, the latest last. */
  show(requests) {
    this.list.lines.replaceChildren();
    this.add(requests);
  }

  add(requests) {
    this.#append(requests.map((request) => h("div", { className: "request" }, requestLines(request))));
  }

  /** Add a request that was refused: "b: May I step up? No: it leads off the board." */
  addRefused(words) {
    const [, asker, question, answer] = words.match(/^(\w+: )?(.*\?) (.*)$/) ?? [];
    this.#append([h("div", { className: "refused-request" }, answer ? [h("p", { className: "asks" }, asker && h("strong", {}, asker), question), h("p", { className: "answer" }, answer)] : h("p", {}, words))]);
  }

  /** Add to the latest request that a program has passed, and why: "a passes: its request was refused (it leads off the board)". */
  addPass(words) {
    if (!this.list.lines.lastChild) this.list.add(h("div", { className: "request" }));
    this.list.lines.lastChild.append(h("p", { className: "pass", "data-short": `${words.split(":")[0]}.` }, `${words}.`));
    this.#showLatest();
  }

  /** Whether the latest request is in sight. */
  get isInSight() {
    const isLatestShown = this.latest.offsetParent && getComputedStyle(this.latest).visibility === "visible";
    const { bottom, height } = (isLatestShown ? this.latest : this.list.element).getBoundingClientRect();
    return height > 0 && bottom <= innerHeight;
  }

  #append(lines) {
    this.list.add(...lines);
    this.#showLatest();
  }

  /** Say whom the player plays, until there is a request. */
  introduce(words) {
    this.introduction = words;
    this.#showLatest();
  }

  /** Say whose program thinks, beside the latest request. */
  showThinking(words) {
    this.thinking = words;
    this.#showLatest();
  }

  #showLatest() {
    const last = this.list.lines.lastChild;
    this.element.hidden = !last;
    const words = last ? [...last.children].map((line) => line.dataset.short ?? line.textContent) : [this.introduction, !this.thinking && "No request yet."];
    this.latest.textContent = [...words, this.thinking].filter(Boolean).join(" ");
  }
}

const describePlayer = (name, meanings) => `by ${meanings[name] ?? name}`;

/** A select for the player of an actor, by what the programs do. */
export const playerSelect = (actor, names, meanings, value, onChange) =>
  h("label", { className: "field" }, `${actor} is played`,
    h("select", { dataset: { actor }, onchange: (event) => onChange(event.target.value) },
      names.map((name) => h("option", { value: name, selected: name === value }, describePlayer(name, meanings)))));

class Players {
  constructor(play) {
    this.play = play;
    this.summary = h("span", {});
    this.element = h("div", { className: "players small" });
    this.people = null; // who looks at the session
  }

  /** Show the players of another level; guests see them, but cannot change them. */
  begin({ actors, strategies, player_meanings: meanings, taken }) {
    this.element.hidden = actors.length < 2 || !strategies.length;
    const choice = (actor) => playerSelect(actor, [BY_HAND, ...strategies], meanings, BY_HAND, (name) => this.play.coPlayers.let(actor, name));
    const choices = this.play.offers("let") && h("details", {}, h("summary", {}, this.summary), actors.filter((actor) => !taken.includes(actor)).map(choice));
    this.element.replaceChildren(choices || this.summary);
  }

  update({ partners: coPlayers = {}, race_players: racePlayers, race: isRunning }) {
    const [partners, race] = [racePlayers ?? coPlayers, Boolean(racePlayers)];
    const programs = [...new Set(Object.values(partners))].map((name) => {
      const actors = this.play.state.actors.filter((actor) => partners[actor] === name);
      return `${joinNames(actors)} ${actors.length > 1 ? "are" : "is"} played ${describePlayer(name, this.play.state.player_meanings)}`;
    });
    const who = [];
    const people = race ? [] : this.#playedByOthers(partners);
    if (people.length) who.push(`another person plays ${joinNames(people)}`);
    const left = race ? [] : this.#unplayed(partners);
    const choose = this.play.offers("let");
    if (left.length) who.push(`nobody plays ${joinNames(left)}${choose ? ": choose who" : ""}`);
    const text = programs.length ? `${race ? "Race: " : ""}${[...programs, ...who].join(", ")}` : sentenceCase(who.join(", ")); // an actor's name is no word
    this.element.classList.toggle("idle", !text);
    this.summary.textContent = text || (choose ? "Let a program play" : "All are played by hand");
    for (const select of this.element.querySelectorAll("select")) {
      select.value = coPlayers[select.dataset.actor] ?? BY_HAND;
      select.disabled = Boolean(isRunning);
    }
  }

  /** The actors that other people play, where guests play. */
  #playedByOthers(partners) {
    const { actor, actors, bound, taken } = this.play.state;
    if (!bound && !taken.length) return [];
    const left = this.#unplayed(partners);
    return actors.filter((one) => taken.includes(one) || (actor !== null && one !== actor && !partners[one] && !left.includes(one)));
  }

  /** The actors that stand still, since neither this player nor anybody else plays them. */
  #unplayed(partners) {
    const { actor, actors, plays } = this.play.state;
    const played = this.people?.actors ?? {};
    const playsAll = (this.people?.playing ?? 0) > Object.values(played).reduce((sum, count) => sum + count, 0);
    return plays && actor !== null && !playsAll ? actors.filter((one) => one !== actor && !partners[one] && !played[one]) : [];
  }
}

const HIGH_SCORE = "high score"; // everybody's, which stands in a table of its own
const MAX_ACTIONS = 48;
const WITH_HINTS = "with hints";
const MESSAGE_SECONDS = 8; // in which a new message stays in sight
const RACE_OVER = "The race is over, and others have moved, too: Restart begins it again";
const REPLAYED = "A replay: your game waits";
const LABELS = { undo: "Undo", redo: "Redo", restart: "Restart", hint: "Hint" };
const TITLES = { ...LABELS, restart: "Begin this level again" };

export class Sidebar {
  constructor(play) {
    this.play = play;
    this.runningJob = null;
    this.heading = h("h1", {});
    this.place = h("p", { className: "small muted" });
    this.goal = h("p", { className: "small goal" });
    this.counts = h("dl", { className: "counts" });
    this.connection = h("p", { className: "connection", role: "status", hidden: true });
    this.viewpoint = h("div", { className: "viewpoint", role: "group", "aria-label": "Point of view", hidden: true });
    this.players = new Players(play);
    this.tools = h("div", { className: "tools panel", role: "toolbar", "aria-label": "Commands" });
    this.study = h("nav", { className: "study panel", "aria-label": "Study this position" });
    this.jobLine = h("div", { className: "job", role: "status", hidden: true });
    this.player = h("div", { hidden: true, className: "panel replay" });
    this.actions = h("div", { className: "actions" });
    markEdges(this.actions);
    this.ask = h("h2", {});
    this.requests = new RequestLog();
    this.moves = new MoveList(play);
    this.messages = new MessageLog("Answers");
    this.others = h("p", { className: "small muted", hidden: true });
    this.cursorKeys = h("span", { className: "small muted keyboard cursor-keys" });
    this.act = h("section", { className: "panel act", "aria-label": "Actions" }, h("div", { className: "asking" }, this.ask, this.cursorKeys, play.keyActor.element), this.actions);
    this.element = h("aside", { className: "sidebar", "aria-label": "The game" },
      h("div", { className: "about" },
        h("section", { className: "panel title", "aria-label": "Status" }, this.heading, this.place, this.goal, this.connection, this.counts),
        h("section", { className: "panel co-players", "aria-label": "Players" }, this.viewpoint, this.players.element, this.others, this.requests.latest),
        this.tools, this.study),
      h("div", { className: "course" }, this.player, this.act,
        h("section", { className: "panel messages", "aria-label": "Messages" }, this.jobLine, this.messages.element), // below, so that no button moves
        this.requests.element, this.moves.element));
  }

  // -- a new state

  begin(state) {
    this.updateLevel(state);
    this.requests.show(state.requests);
    this.showViewers(state.people);
    this.showJob(null);
    this.act.hidden = !state.plays;
  }

  /** Show the constant parts of a level: its actions and actors. */
  updateLevel(state) {
    this.goal.hidden = false;
    this.actions.scrollTop = 0;
    this.#tools(state);
    this.#study(state);
    this.#viewpoint(state);
  }

  /** Say again whether the player plays or watches. */
  showRole() {
    this.#viewpoint(this.play.state);
  }

  /** What is shown of a level's goal and actors, for `showActors`. */
  get actorsShown() {
    const { actors, actor } = this.play.state;
    return { goal: this.goal.textContent, actors, actor, players: this.players.summary.textContent };
  }

  /** Show again the goal and the actors of an earlier level, instead of those of the current one, which may be others. */
  showActors({ goal = "", actors = [], actor = null, players = "" } = {}) {
    this.goal.textContent = goal;
    this.#viewpoint({ ...this.play.state, actors, actor });
    this.players.element.hidden = actors.length < 2;
    this.players.summary.textContent = players;
  }

  #tools(state) {
    const isNew = "score" in state.now && this.play.offers("new") && !state.puzzle;
    const words = Object.keys(LABELS).filter((word) => this.play.offers(word) && !(word === "restart" && isNew)); // the same luck once more is no new game
    const buttons = words.map((word) => {
      const command = this.#command(word);
      return word === "hint" ? new SpoilerMenu(this.play, command).element : command;
    });
    const more = [
      isNew && button("New", () => this.play.open("new"), { "aria-label": "New game", title: "Begin a new game on this level, with other luck", dataset: { command: "new" } }),
      state.levels.length > 1 && this.play.offers("level") && button("Levels", () => this.play.open("levels")),
      state.puzzle && h("a", { className: "button", href: `/levels/${state.game}`, title: "Levels of this game" }, "Levels"),
      state.puzzle && state.plays && button("Another", likeThis(state.puzzle), { title: "Another puzzle like this", dataset: { command: "another" } }),
      state.races && state.owner && !state.taken.length && (this.raceButton = button("Race", () => this.play.open("race"))),
      button("Share", () => this.play.open("share")),
      state.rules && h("a", { className: "button", href: this.#rulesAddress() }, "Rules"),
      button("Help", () => this.play.open("help")),
    ];
    this.tools.replaceChildren(...buttons, ...more.filter(Boolean));
  }

  /** Links to the screens that study this level and position, each with a link back; guests may only draw. */
  #study({ owner, edits }) {
    const links = [edits && ["edit", "Edit", "Draw on this level, and try it"], owner && ["analyse", "Analyse", "How hard it is, and where the win can be lost"], owner && ["formulas", "Prove", "Prove a claim about this position"]].filter(Boolean);
    this.study.hidden = !links.length;
    this.study.replaceChildren(...links.map(([page, words, title]) => h("a", { className: "button", title, dataset: { study: page } }, words)));
  }

  /** The address of a place on the page of rules, which leads back to this game. */
  #rulesAddress(place = "") {
    return `/rules/${this.play.state.game}?play=${this.play.id}${place && `#${place}`}`;
  }

  #command(word) {
    const key = keysByText(this.play.keys).get(word);
    const about = word === "hint" && this.play.offers("nudge") ? `Where to look; pressed again: the next move; then the next three. ${hintRule(this.play.state.now)}` : TITLES[word];
    const button = h("button", { type: "button", title: key ? `${about} (${keyLabel(key)})` : about, dataset: { command: word }, "aria-keyshortcuts": key && ariaShortcut(key) }, LABELS[word]);
    if (word === "undo" || word === "redo") repeatWhileHeld(button, () => this.play.do(word));
    else button.addEventListener("click", () => (word === "hint" ? this.play.hint() : this.play.do(word)));
    return button;
  }

  #viewpoint({ actors, actor, bound, taken }) {
    const plays = this.play.mayAct;
    this.viewpoint.hidden = actors.length < 2 || Boolean(bound);
    this.requests.latest.hidden = actors.length < 2;
    const name = (one) => (one === null ? "all" : one);
    const offered = actors.filter((one) => !plays || one === actor || !taken.includes(one));
    this.viewpoint.replaceChildren(h("span", { className: "small muted" }, plays ? "Play as" : "View as"),
      ...[null, ...offered].map((one) => button(name(one), () => this.play.coPlayers.playAs(one), { "aria-pressed": String(one === actor) })));
    if (bound) this.place.dataset.bound = actor;
    this.requests.introduce(plays ? this.#introduction : this.play.isRacing && "You watch: programs play all.");
    this.players.begin(this.play.state);
  }

  /** Whom the player plays on this level, and whether the level or the player chose so. */
  get #introduction() {
    const { actor, actors, bound, default_actor: usual } = this.play.state;
    if (actor === null) return `You play all: ${joinNames(actors)}.`;
    return `You play ${actor}${!bound && actor === usual && this.play.coPlayers.chosen === undefined ? ", as this level suggests" : ""}.`;
  }

  // -- the state of the level

  update(now) {
    this.levelTitle = now.title || this.play.state.title;
    this.heading.textContent = this.#headingOf(this.play.state);
    this.showPlace(now);
    this.goal.textContent = this.play.pending?.about?.goal ?? sentence(now.next_goal || this.play.state.goal);
    this.#counts(now);
    this.#enableCommands(now);
    for (const link of this.study.children) link.href = fromGame(`/${link.dataset.study}`, this.play.id, this.play.pending?.now.level);
    const { actor, taken } = this.play.state;
    this.ask.textContent = taken.includes(actor) ? `Another person plays ${actor}` : now.actions.length ? "You can" : this.#endText(now) ?? "Nothing can be done";
    this.#showActions(now);
    this.cursorKeys.textContent = now.actions.length ? cursorWords(this.play.keys, this.play.board) : "";
    this.play.keyActor.showButtons(now.each);
    this.#actions(now.actions);
    this.#chooseList(now);
    if (!this.play.pending) this.players.update(now); // else the level that follows may have other actors
    this.#race(now.race);
  }

  /** Only what can be done now is enabled; nothing is done to the game while it waits behind a replay. */
  #enableCommands(now) {
    const { pending, replay, isRacing } = this.play;
    const isImpossible = { undo: !now.done || Boolean(now.undo_refusal), redo: !now.undone && !this.moves.lastOfWin, hint: !now.actions.length, "more hints": !now.actions.length, restart: !now.done && !now.undone };
    const isAlways = { another: true, new: true };
    const can = { ...isAlways, undo: this.moves.canTakeBackWin, restart: this.moves.canRestartEnded }; // behind an end
    for (const button of this.tools.querySelectorAll("[data-command]")) {
      const word = button.dataset.command;
      button.disabled = Boolean(replay || (pending ? !can[word] : isImpossible[word]) || (isRacing && !isAlways[word]));
      const isRaceOver = pending && !replay && word === "undo" && this.moves.canRestartEnded && !can.undo;
      button.dataset.title ??= button.title;
      const refusal = word === "undo" && !pending && now.undo_refusal;
      button.title = isRaceOver ? RACE_OVER : refusal ? sentence(refusal) : button.dataset.title;
    }
  }

  /** Who races sees the conversation in place of the moves, which say the same, until moves can be redone or studied. */
  #chooseList({ undone }) {
    const { pending, replay, state } = this.play;
    const isConversation = state.actor !== null && !undone && !pending && !replay;
    this.moves.element.hidden = isConversation || Boolean(replay && !replay.isOwn); // those of another line are not in the list
  }

  /** The title of the level; the puzzle of the day has that of its game and the day, since those of several games are alike. */
  #headingOf({ puzzle }) {
    return puzzle?.daily_title || this.levelTitle;
  }

  /** The words of a win, or of somebody else's; undefined where a game has only come to its end. */
  #endText({ status, end }) {
    return status === "WON" && (end?.kind === "won" || this.play.state.actors.length > 1) ? end?.text : undefined;
  }

  /** Show the place in the pack, and whether a hint was shown. */
  showPlace(now) {
    const { puzzle, levels } = this.play.state;
    const solved = solvedKeys();
    const difficulty = levels[now.level - 1]?.difficulty; // of the level that is shown, also after its win
    const words = now.isReplayed ? REPLAYED : [
      puzzle && (puzzle.of_the_day ? "Puzzle of the day" : `Puzzle ${puzzle.id}`),
      difficulty && (puzzle ? puzzle.of_the_day && difficulty : sentenceCase(difficulty)), // other puzzles have it in their titles
      now.levels > 1 && `Level ${now.level} of ${now.levels}${now.helped ? "" : `, ${levels.filter(({ key }) => solved.has(key)).length} solved`}`,
      !this.play.mayAct ? "You watch" : this.play.state.bound && `You play ${this.play.state.actor}`,
      now.helped && WITH_HINTS, // in place of the number of solved levels, so that the line is no longer
    ].filter(Boolean).join(" · ");
    if (words !== this.place.firstChild?.textContent) this.place.replaceChildren(words, " ", puzzle?.meaning ? whyButton("What the difficulty means", puzzle.meaning) : "");
    this.place.hidden = !words;
  }

  /** Whether the level has ended and nothing is left to do. */
  #isOver({ actions, done, end }) {
    return !actions.length && Boolean((done && end) || this.play.pending);
  }

  #counts(now) {
    const own = now.own_done; // null: the player has done all
    const ofAll = ([word, value, ...label]) => [word, word === this.play.state.word && Number.isInteger(own) ? `${own} of yours, ${value} in all` : value, ...label];
    const isShared = this.play.state.actors.length > 1; // then the counts are a few lines of fixed height
    const all = countsOf(now).map(ofAll).filter(([word]) => word !== HIGH_SCORE); // without a server perhaps none
    const place = isShared ? 1 : all.length;
    const counts = [...all.slice(0, place), ...this.#ownBest(now), ...all.slice(place)];
    const spoken = { actions: this.play.state.word };
    this.counts.classList.toggle("lines", isShared);
    this.counts.replaceChildren(...counts.map(([word, value, label = spoken[word] ?? word]) =>
      h("div", { className: !isShared && value.length > 9 && "wide", dataset: { count: word } }, h("dt", {}, value === "1" ? label.replace(/^\w+/, singular) : label, this.#explanation(word)), h("dd", {}, value))));
  }

  /** A link to the rule that explains a count; null without one. */
  #explanation(word) {
    const [, place] = Object.entries(this.play.state.rules ?? {}).find(([start]) => word.startsWith(start)) ?? [];
    return place ? h("a", { className: "why", href: this.#rulesAddress(place), "aria-label": `${word}: the rule` }, "?") : null;
  }

  /** The player's own best on this level, as counts. */
  #ownBest(now) {
    if ("score" in now) {
      const own = this.play.state.plays && !now.isReplayed && !this.play.replay && !now.helped ? recordScore(now.key, now.score, this.play.state.game) : bestScore(now.key);
      return [["best", formatNumber(own), "your best"]];
    }
    const best = bestCounts(now.key)?.actions;
    return best === undefined ? [] : [["best", String(best), this.play.state.actors.length > 1 ? "best" : "your best"]];
  }

  /** Highlight the hinted action, and bring it into sight in its list. */
  highlightAction(text) {
    for (const button of this.actions.children) button.classList?.toggle("hinted", button.dataset.action === text);
    const hinted = this.actions.querySelector(".hinted");
    if (hinted) scrollToItem(this.actions, hinted);
  }

  /** Show what actions are worth, beside their words. */
  showWorth(worth) {
    for (const button of this.actions.children) {
      const { text, words } = worth[button.dataset?.action] ?? {};
      button.querySelector?.(".worth")?.remove();
      if (text) button.append(h("span", { className: "worth", title: words }, text));
    }
  }

  /** Let gained points stand for a moment in the place of the score's label. */
  showPoints(points) {
    if (points) this.counts.querySelector("[data-count=score]")?.append(h("span", { className: "points", "aria-hidden": "true" }, `+${points}`));
  }

  #actions(actions) {
    const keys = keysByText(this.play.keys ?? {});
    const listed = this.#asNumbered(withDirections(actions, this.#directions)).slice(0, MAX_ACTIONS);
    const { board } = this.play;
    const focused = this.actions.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.actions.replaceChildren(
      ...listed.map((action) => {
        if (!action.text) return impossibleAction(this.play.actionWords(action.direction), keys.get(action.direction));
        const { text, marks } = action;
        const show = () => (marks?.length ? board.mark(marks, "hinted", this.play.outsideMarks) : this.play.previews.preview({ text }));
        const key = keys.get(text);
        let isShown = false; // only the mouse that moves asks: a new button may appear under it
        const showOnce = () => {
          if (!isShown) show();
          isShown = true;
        };
        const hide = () => {
          isShown = false;
          this.play.showMarks();
        };
        return button([actionWords(action), key && h("kbd", { "aria-hidden": "true" }, keyLabel(key))], () => this.play.previews.press(action), { title: actionWords(action), dataset: { action: text }, onpointermove: showOnce, onfocus: show, onpointerleave: hide, onblur: () => this.play.showMarks() });
      }),
      actions.length > listed.length ? h("span", { className: "small muted" }, `and ${actions.length - listed.length} more, on the board`) : "",
    );
    this.showWorth(this.play.badgeLine?.worth ?? {});
    if (focused !== null) (this.actions.querySelector(`[data-action="${CSS.escape(focused)}"]`) ?? this.actions.firstElementChild ?? this.play.stage).focus({ preventScroll: true });
  }

  /** The directions that keys of this level mean, each in a place of its own, also while they are impossible. */
  get #directions() {
    return directionsIn(this.play.state.meanings);
  }

  /** Actions as the board numbers its lines: row 1 first, also where the rules count from below. */
  #asNumbered(actions) {
    return this.play.board.numbers ? sortByNumber(actions) : actions;
  }

  /** The actions give way to a replay, and to the graph of a game that is over; directions stay where they are after a loss. */
  #showActions(now) {
    const { pending, replay } = this.play;
    const stays = now.end?.kind === "lost" && !pending && this.#directions.length;
    this.act.hidden = !this.play.mayAct || Boolean(replay) || Boolean(this.graph) || (this.#isOver(now) && !stays);
  }

  /** Show the graph of a game that is over in the place of its actions; null hides it. */
  showGraph(graph) {
    this.graph?.element.remove();
    this.graph = graph;
    if (graph) this.act.after(graph.element);
    this.#showActions(this.play.pending?.now ?? this.play.now);
  }

  /** Show the sheet at the end of a level in the place of the actions. */
  showSheet(sheet) {
    this.act.before(sheet);
  }

  #race(race) {
    if (this.raceButton) {
      this.raceButton.disabled = Boolean(race);
      this.raceButton.title = race ? "A race is running: stop it first" : "";
    }
    if (!race) {
      this.racing?.remove();
      this.racing = null;
      return;
    }
    if (this.racing) {
      const choice = this.racing.querySelector("select");
      if (choice !== document.activeElement) choice.value = race.speed; // unless the player is using it
      return;
    }
    const { owner: leads, speeds } = this.play.state; // guests see the speed
    const speed = speedSelect(speeds, race.speed, (chosen) => this.play.connection.send({ type: "speed", speed: chosen }).catch(() => undefined), { disabled: !leads });
    const stop = leads && button("Stop the race", () => this.play.connection.send({ type: "stop" }).catch(() => undefined));
    this.racing = h("div", { className: "panel player racing" }, h("span", { className: "small" }, "A race, live"), speed, stop);
    this.tools.after(this.racing);
  }

  // -- messages

  addMessage(words, kind) {
    if (!words) return;
    if (kind !== "refusal") this.messages.remove("refusal"); // the last try is over
    const text = this.play.state.actors.length > 1 ? words : sentence(words); // an actor's name is no word
    if (kind === "hint") this.messages.remove("hint"); // the next one says more
    if (kind === "solution") this.messages.forget(); // it says all that hints have said
    if (this.messages.lines.lastChild?.textContent !== text || kind !== "refusal") this.messages.add(h("p", { className: kind }, text));
    const line = this.messages.lines.lastChild;
    this.#keepMessageInSight();
    const isPointed = kind === "refusal" && this.play.pointed && isTouched(); // fingers look at the board
    const isUnseen = ["refusal", "hint"].includes(kind) && (isPointed || isOutOfSight(line)); // a phone shows the board, not the messages
    if (isUnseen && kind === "refusal") line.remove(); // said once: above the board
    if (isUnseen) showToast(text, 10, this.play.pointed ? topOfNote(this.play.board, this.play.pointed) : null);
    else announce(text);
  }

  /** Keep a new message in sight for a while, in which it may cover buttons below. */
  #keepMessageInSight() {
    const panel = this.messages.element.closest(".messages");
    panel?.classList.add("recent");
    clearTimeout(this.aging);
    this.aging = setTimeout(() => panel?.classList.remove("recent"), 1000 * MESSAGE_SECONDS);
  }

  showJob(job) {
    this.runningJob = job;
    this.jobLine.hidden = !job;
    this.requests.showThinking(job?.actor ? `${job.what} …` : "");
    if (!job) queueMicrotask(() => this.play.coPlayers.goOn()); // after this update, which may begin the next one
    if (!job) return;
    this.searched = h("span", { "aria-hidden": "true" }); // otherwise every count would be read aloud
    const stop = button("Stop", () => {
      this.play.connection.send({ type: "cancel" }).catch(() => undefined);
      this.showJob(null);
    });
    this.jobLine.replaceChildren(h("span", {}, job.what ?? job.text, this.searched), stop);
  }

  progress({ positions }) {
    if (!this.runningJob || !positions) return;
    this.searched.textContent = ` ${formatNumber(positions)} positions`;
  }

  showViewers(people) {
    this.players.people = people;
    if (this.play.now && !this.play.pending) this.players.update(this.play.now);
    const others = (people?.playing ?? 1) + (people?.watching ?? 0) - 1;
    const { plays, bound, turns: rule } = this.play.state;
    const turns = (people?.playing > 1 || bound) && plays && rule;
    const undo = plays && !this.play.offers("undo") && "Only the owner of the game can undo.";
    this.others.hidden = others < 1 && !turns && !undo;
    const parts = [people?.playing > 1 && `${people.playing} people are playing`, people?.watching && `${people.watching} ${people.watching === 1 ? "person is" : "people are"} watching`].filter(Boolean);
    this.others.textContent = [parts.length && `${parts.join(", ")}.`, turns, undo].filter(Boolean).join(" ");
  }

  showConnection(text) {
    this.connection.hidden = !text;
    this.connection.textContent = text;
  }

  replay(element) {
    this.player.hidden = !element;
    this.player.replaceChildren(...(element ? [element] : []));
    const now = this.play.pending?.now ?? this.play.now;
    this.#showActions(now);
    this.#enableCommands(now);
    this.#chooseList(now);
  }
}
