// The end of a level: a sheet beside the board, or below it on a phone, stays until the player chooses what follows, also after a reload.

import { JobRunner, request, requestText } from "./api.js";
import { DistanceGraph } from "./distance_graph.js";
import { announce, button, formatCount, formatNumber, h, isMotionAllowed, reportErrors, scrollWithin, whyButton } from "./dom.js";
import { likeThis } from "./puzzles.js";
import { bestScore, countStars, fewestOf, recordFewest, recordOwnFewest, recordWin, STARS_HELP } from "./statistics.js";
import { createStars, showStars } from "./stars.js";
import { bestCounts, endingKey, load, save } from "./user_data.js";
import { loadWonLevel } from "./won_level.js";

const AREA = "sessionStorage";
const SECONDS = 10; // of the search for the fewest moves
const progressKey = ({ level, done }) => `${level} ${done}`;

export class WinSheet {
  constructor(play) {
    this.play = play;
    this.key = endingKey(play.id);
    this.overlay = null;
    this.last = null; // the shown result, until it is dismissed
    this.dismissedFor = null;
    this.jobs = new JobRunner();
  }

  get isOpen() {
    return Boolean(this.overlay);
  }

  /** Report that a level is won or lost; another one may have followed. */
  async report({ kind, text, because, own }, message, before, moved) {
    const { play } = this;
    const change = (message.changes ?? []).findLast(({ won }) => won);
    const { key, helped } = before;
    const [won, actions] = [kind === "won", countActions(before, message)];
    if (!won && !moved && !play.now.done) return; // a level that is over from the start: nobody has lost it
    const counts = won && Boolean(key) && play.state.plays && !before.race && own !== 0;
    const best = counts ? recordWin({ key, game: play.state.game, actions: own ?? actions, helped }) : undefined;
    if (counts) play.sidebar.update(play.pending?.now ?? play.now); // which has the own best
    await play.board.playing;
    this.#show({ title: text, because, key, level: change?.level ?? play.now.level, won, counts, moved, actions, own, helped, best, fireworks: won });
  }

  /** Show the result again after a reload or a reconnect, if it was not dismissed. */
  restore({ now, levels }) {
    const stored = load(this.key, AREA);
    const before = this.last ?? (stored?.moved ? stored : null);
    const followed = (before?.won || before?.moved) && !now.done && now.level !== before.level && levels[before.level - 1]?.done;
    const { end, level, key, done, helped } = now;
    if (followed && (before.next ?? level) === level) this.recalled = this.#recall(before, levels[before.level - 1].title);
    else if (end && done && this.dismissedFor !== progressKey(now)) {
      const same = this.last ?? stored;
      const known = same?.key === key && same.actions === done && !same.moved ? same : {}; // who played is known only there
      const [won, { text: title, because, own }] = [end.kind === "won", end];
      this.#show({ title, because, key, level, won, counts: won && this.play.state.plays && own !== 0, own, actions: done, helped, ...known, moved: false });
    } else this.#clear();
  }

  /** Show the result of a level that the player has chosen, if it stands at its end. */
  choose({ levels }, now) {
    this.dismissedFor = null;
    this.restore({ now, levels });
  }

  /** Show the result of a level that was left, with its board; where that is not known, with its title. */
  async #recall(before, title) {
    const { play } = this;
    const shown = progressKey(play.now);
    const left = await loadWonLevel(play, before.level).catch(() => null);
    if (progressKey(play.now) !== shown || play.pending || play.replay) return; // the game has gone on meanwhile
    if (left) play.recall(left, { ...before, title });
    this.#show({ ...before, moved: true, of: left ? undefined : title });
  }

  #show(result) {
    this.suspend();
    const { play } = this;
    const about = result.about ?? play.pending?.about;
    this.last = { ...result, about, next: result.moved ? play.now.level : null, game: play.sidebar.moves.game, fireworks: false };
    this.dismissedFor = null;
    save(this.key, this.last, AREA);
    const isLostRace = !result.won && Boolean(result.because);
    this.graph = !isLostRace && play.state.distances && play.state.owner && play.connection.open ? new DistanceGraph(play, result.level) : null;
    play.sidebar.showGraph(this.graph);
    this.overlay = createSheet(play, result, this.#createScore(result));
    play.sidebar.showSheet(this.overlay);
    if (result.fireworks) play.stage.scrollIntoView({ block: "nearest" }); // on a phone it may be scrolled away
    if (result.fireworks && isMotionAllowed()) play.stage.append(h("div", { className: "sparks", "aria-hidden": "true", onanimationend: ({ target }) => target.remove() }));
    (this.overlay.querySelector(".main") ?? this.overlay.querySelector("button"))?.focus({ preventScroll: true });
    scrollWithin(play.sidebar.element, this.overlay);
  }

  /** The moves beside the fewest, with stars; what is not known yet is looked for. */
  #createScore(result) {
    const { play } = this;
    const { won, counts, helped, key, actions, own, best } = result;
    if ("score" in play.now && !result.moved) return h("p", { className: "score" }, scoreText(play.now, helped, play.state.word));
    if (isOfOthers(result)) return h("p", { className: "score" }, formatCount(actions, play.state.word));
    if (!won) return h("p", { className: "score muted" }, `After ${formatCount(actions, play.state.word)}`);
    const stars = createStars();
    const why = whyButton("What the stars mean", STARS_HELP);
    const words = h("span", {});
    const show = (fewest, note = "") => {
      const count = fewest === undefined || helped ? 0 : countStars(own ?? actions, fewest);
      showStars(stars, count);
      stars.hidden = helped || !counts || (fewest === undefined && !note.endsWith("…"));
      why.hidden = stars.hidden;
      words.textContent = `${countText(result, play.state.word)}${fewest === undefined ? note : `; the fewest ${own === undefined ? "is" : "alone is"} ${fewest} (proved)`}`;
    };
    const ownBest = counts && h("span", { className: "own" }, bestText(helped, best, own ?? actions, bestCounts(key)?.actions, play.state.word));
    this.#findFewest(result, show);
    return h("p", { className: "score" }, stars, why, words, ownBest);
  }

  /** Show the proved fewest moves of the level: known ones at once, others after a search; of a race those of the player's own win. */
  async #findFewest({ key, level, fireworks, own }, show) {
    const { play } = this;
    if (own !== undefined) {
      const alone = play.ownFewest?.key === key ? play.ownFewest.number : this.last.alone; // a reload forgets the first
      if (alone !== undefined) recordOwnFewest(key, alone);
      this.last.alone = alone;
      save(this.key, this.last, AREA);
      return show(alone);
    }
    const known = play.fewest?.key === key ? play.fewest.number : fewestOf(key);
    const tell = (fewest) => {
      recordFewest(key, fewest);
      show(fewest);
      if (fireworks) announce(`The fewest is ${fewest}, proved.`);
    };
    if (known !== undefined) return tell(known);
    if (!play.state.owner || !play.connection.open || !key) return show(undefined);
    show(undefined, "; looking for the fewest …");
    const shown = this.last;
    const start = (await this.graph?.measured)?.[0];
    if (this.last !== shown || !this.isOpen) return undefined;
    if (start?.fewest) return tell(start.left);
    const text = await request(`sessions/${play.id}/level?level=${level}`).catch(() => null);
    const job = text && (await this.jobs.run("jobs", { text, game: play.state.game, minimise: "actions", seconds: SECONDS }, () => undefined).catch(() => null));
    if (this.last !== shown || !this.isOpen) return undefined;
    if (!job?.result.optimal) return show(undefined);
    return tell(job.result.cost);
  }

  /** Say on the sheet what another player has done meanwhile. */
  tell(text) {
    const result = this.overlay?.querySelector(".result");
    result?.querySelector(".notice")?.remove();
    result?.append(h("p", { className: "notice" }, text));
    announce(text);
  }

  /** Hide the result, and show the level that follows. */
  hide() {
    if (!this.overlay) return;
    this.suspend();
    this.play.showNextLevel();
  }

  /** Show the result again after `suspend`. */
  resume() {
    if (this.last) this.#show(this.last);
  }

  /** Hide the result while the won level is replayed. */
  suspend() {
    const { overlay } = this;
    if (!overlay) return;
    this.overlay = null;
    this.jobs.stop();
    this.graph?.stop();
    this.play.sidebar.showGraph(null);
    overlay.remove();
    this.play.stage.querySelector(".sparks")?.remove();
  }

  /** Close the result after a choice. */
  dismiss() {
    if (!this.isOpen) return;
    this.#clear();
    this.dismissedFor = progressKey(this.play.now);
    this.hide();
  }

  #clear() {
    this.last = null;
    save(this.key, null, AREA);
  }
}

/** Whether others alone have won, such as the programs of a race. */
const isOfOthers = ({ won, own }) => won && own === 0;

/** The player's own actions of an ended level; null if these are all, or if others alone have won. */
export const ownActions = (end) => (end && !isOfOthers({ won: end.kind === "won", ...end }) ? end.own ?? null : null);

/** The sheet at the end of a level, with what one can do next. */
function createSheet(play, { title, because, level, won, own, moved, helped, of }, score) {
  const dismiss = () => play.result.dismiss();
  const goOn = () => {
    dismiss();
    play.connection.send({ type: "onward" }).catch(() => undefined);
  };
  const thenDo = (action) => () => {
    dismiss();
    action();
  };
  const commands = play.now.question.commands.filter((word) => play.offers(word));
  const replay = reportErrors(async () => play.connection.send({ type: "open", trace: await requestText(`sessions/${play.id}/trace?level=${level}`) }));
  const wasWon = play.now.status === "WON" && play.state.actors.length < 2; // before no action was left
  const leadsOn = play.offers("next") && play.state.levels.some(({ done }, place) => !done && place + 1 !== level);
  const goesOn = !moved && (won || wasWon || Boolean(because)) && leadsOn;
  const again = play.state.puzzle && play.state.plays && likeThis(play.state.puzzle, won);
  const isScored = "score" in play.now && play.now.done > 0; // a score counts without a win, too
  const command = moved ? "level" : "restart";
  const isWatched = isOfOthers({ won, own });
  const isRace = Boolean(because) && !isWatched && (!won || own !== undefined || Object.keys(play.now.partners).length > 0); // others have played
  const isAgain = moved || because || (won && !commands.includes("new")); // others begin again by a new game
  const playAgain = isAgain && play.offers(command)
    && button(isWatched ? "Play it yourself" : isRace ? "Race again" : "Play it again", thenDo(() => play.do(moved ? `level ${level}` : command)), { className: (!won || !(moved || again || goesOn)) && "main" });
  const buttons = [
    again && button("New puzzle like this", again, { className: won && "main" }),
    !won && playAgain,
    moved && button("Next level", goOn, { className: !(playAgain && !won) && "main" }),
    !moved && commands.includes("continue") && button("Continue", thenDo(() => play.do("continue")), { className: !again && !goesOn && "main" }),
    goesOn && button("Next level", thenDo(() => play.do("next")), { className: !again && !(playAgain && !won) && "main" }),
    !moved && commands.includes("new") && button(!won && !wasWon ? "Try again" : again ? "Play it again" : "New game", thenDo(() => play.do("new")), { className: !(again && won) && !goesOn && !commands.includes("continue") && "main" }),
    !moved && !won && play.now.done > 0 && play.offers("undo") && button("Take it back", thenDo(() => play.do("undo"))),
    (won || because || isScored) && play.state.owner && button("Replay", replay),
    (won || because || isScored) && button("Share", () => play.open("share", level)),
    won && playAgain,
    ((won && !isWatched) || isScored) && button("High scores", () => play.open("scores", level)),
  ].filter(Boolean);
  const isMain = (one) => one.classList.contains("main");
  return h("div", { className: "overlay", role: "group", "aria-label": "The end of the level" },
    h("div", { className: "result" }, h("div", { className: "row" }, h("h2", {}, of ? `${of}: ${title}` : title), "score" in play.now && helped && h("span", { className: "helped", title: "A hint was shown in this game: it does not count as a best" }, "with hints")), won && because && h("p", {}, because), score, won && play.state.puzzle?.of_the_day && otherDailies(play.state.game)),
    h("div", { className: "row" }, buttons.sort((one, other) => isMain(other) - isMain(one))),
    (moved || !commands.includes("continue")) && button("×", ({ target }) => (moved ? fold(target.closest(".overlay")) : dismiss()), { className: "quiet corner", "aria-label": "Close", title: "Hide this and look at the board" }));
}

/** Links to the puzzles of the day of other games that are not solved yet. */
function otherDailies(own) {
  const line = h("p", { className: "small others" }, "Also today: …");
  request("daily").then(({ puzzles }) => {
    const links = puzzles.filter(({ game, key }) => game !== own && !(key && bestCounts(key)))
      .map(({ address, game_title: title }, place) => [place > 0 && " · ", h("a", { href: address }, title)]);
    line.replaceChildren(...(links.length ? ["Also today: ", ...links.flat().filter(Boolean)] : ["All puzzles of the day are solved."]));
  }).catch(() => line.remove());
  return line;
}

/** Leave only what leads on: the board and the moves are in sight. */
function fold(overlay) {
  overlay.classList.add("folded");
  overlay.querySelector(".main").focus({ preventScroll: true });
}

/** The actions of a win; the player's own ones too, if others have acted. */
const countText = ({ actions, own }, word) => (own === undefined ? formatCount(actions, word) : `${formatCount(own, word)} of yours, ${actions} in all`);

/** The best of the player, in words: before this win, and with it. */
function bestText(helped, before, actions, best, word) {
  if (helped) return best === undefined ? "no stars for a win with hints" : `your best without hints is ${formatCount(best, word)}`;
  if (before === undefined) return best === undefined || best === actions ? "" : `your best is ${formatCount(best, word)}`;
  return actions < before ? `your best, ${before - actions} fewer than before` : `your best is ${formatCount(Math.min(before, best ?? before), word)}`;
}

/** The score of a game that keeps one, with the player's best. */
function scoreText(now, helped, word) {
  const { score, done, key } = now;
  const best = Math.max(bestScore(key), helped ? 0 : score);
  const own = best ? `your best${helped ? " without hints" : ""} is ${formatNumber(best)}` : "with hints, it is no best";
  return `Score ${formatNumber(score)} after ${formatCount(done, word)}; ${own}`;
}

/** Count the actions of a won level. */
function countActions(before, message) {
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
export function wonState(now, { counts, seen_counts }, own) {
  return { ...now, ...(counts && { counts, seen_counts }), own_done: own, actions: [], done: 0, undone: 0 };
}
