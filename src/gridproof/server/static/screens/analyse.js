// Analyse a level or a pack: counts and claims, each with a trace that shows it.

import { JobRunner, request } from "../api.js";
import { announce, button, formatCount, h, navigate, showToast } from "../dom.js";
import { difficultySteps } from "../difficulty.js";
import { crumbs, fromGame } from "../game_link.js";
import { LevelScreen } from "../level_screen.js";
import { renderReport } from "../report.js";
import { beginSession } from "./start.js";
import { textPicture } from "../text_picture.js";
import { copy, createLink, decodeBase64, download, encodeFragment, readLink } from "../share.js";

const START_WIDTH = 280; // pixels of the picture of a level's start

/** The screen at "/analyse", "/analyse/GAME/PACK" for a pack as a whole, and "/analyse/GAME/PACK/NUMBER". */
export async function analyse(game, pack, number) {
  if (pack && !number) return new PackAnalysis(await request(`packs/${game}/${pack}`));
  const { games } = await request("games");
  const screen = new LevelAnalysis(games);
  await screen.openLink(pack ? { pack: `${game}/${pack}`, level: Number(number) } : await readLink());
  return screen;
}

/** The progress of a job, with a button that stops it. */
class Progress {
  constructor(stopped) {
    this.words = h("p", {});
    this.button = button("Stop", stopped, { hidden: true });
    this.element = h("div", { className: "job" }, this.words, this.button);
  }

  /** Show a text, and announce it. */
  say(words, working = false, wrong = false) {
    this.show(words, working, wrong);
    announce(words);
  }

  /** Show the progress, which is not announced. */
  show(words, working, wrong) {
    this.words.textContent = words;
    this.words.className = wrong ? "error" : "";
    this.button.hidden = !working;
  }
}

class LevelAnalysis extends LevelScreen {
  constructor(games) {
    super(games, "analysis");
    this.title = "Analyse a level";
    this.showsMoves = true;
    this.breadcrumbs = crumbs("Analysis");
    this.certifying = new JobRunner();
    this.side = h("div", { className: "side" }, this.stage, this.player);
    this.progress = new Progress(() => this.#stop());
    this.found.className = "report";
    this.difficulty = h("p", { className: "difficulty", hidden: true });
    this.here = h("p", { className: "here", hidden: true });
    this.hereJobs = new JobRunner();
    this.whole = h("a", { className: "button", href: "/analyse" }, "The whole pack");
    this.again = button("Analyse again", () => this.#analyse(), { hidden: true });
    this.start = h("section", { className: "panel level-start", "aria-label": "The level, from its start", hidden: true });
    this.about = h("section", { className: "panel", "aria-label": "The level" }, h("h1", {}, "Analyse a level"), this.picker,
      h("div", { className: "row" }, this.whole, button("Play it", () => beginSession({ text: this.level.text, game: this.level.game })),
        button("Edit it", async () => navigate(`${fromGame("/edit")}#${await encodeFragment(this.level)}`)), button("Share", () => this.#share()), this.again),
      this.difficulty, this.here, this.progress.element);
    this.content = [h("div", { className: "analysis" }, this.side, h("div", { className: "results sidebar" }, this.about, this.start, this.found))];
  }

  opened() {
    const { pack, level } = this.source;
    this.whole.hidden = !pack;
    if (pack) {
      this.whole.href = `/analyse/${pack}`;
      history.replaceState(null, "", fromGame(`/analyse/${pack}/${level}`));
    }
    this.#place();
    this.#analyse(); // not awaited
    if (this.position) this.#measureHere();
  }

  /** Beside a position, show the level's start with all that is about it. */
  #place() {
    this.start.hidden = !this.position;
    this.start.replaceChildren(h("h2", {}, "The level, from its start"),
      h("p", { className: "small muted" }, "All that follows is about this board, not about your position."),
      ...(this.position ? [textPicture({ ...this.level, level: 1 }, START_WIDTH)] : []));
    (this.position ? this.start : this.about).append(this.difficulty, this.progress.element);
  }

  clear() {
    super.clear();
    this.certifying.stop();
    this.hereJobs.stop();
    this.difficulty.hidden = this.here.hidden = true;
  }

  #stop() {
    this.jobs.stop();
    this.progress.say("Stopped.");
    this.again.hidden = false;
  }

  async #analyse() {
    this.again.hidden = true;
    this.progress.say("Analysing …", true);
    try {
      const job = await this.jobs.run("analyses", this.level, (positions) => this.progress.show(`Analysing: ${positions} ${positions === "1" ? "position" : "positions"} …`, true));
      if (job) this.#showResult(job.result);
    } catch (error) {
      this.progress.say(error.message, false, true);
      this.again.hidden = false;
    }
  }

  #showResult({ report, analysis, difficulties, difficulty_words: words, standard }) {
    this.traces = report.traces;
    this.#showDifficulty(words, difficultySteps(difficulties, analysis.difficulty_word), standard);
    this.progress.say(report.lead);
    this.found.replaceChildren(...renderReport(report, { show: (claim) => this.#show(claim), certify: (...what) => this.#certify(...what) }));
    this.#cover();
    this.#fold();
  }

  /** Show a claim; that a win is lost is no part of a solution. */
  #show(claim) {
    return claim.never?.length ? this.#play(claim) : this.spoil(() => this.#play(claim));
  }

  /** Hide what tells a solution until it is asked for: the actions of decisive positions, and the squares of solutions. */
  #cover() {
    if (!this.isSpoiler) return;
    for (const [selector, words, what, about] of [["[data-at]", "Show them", "decisive positions", ""], ["[data-drawn]", "Show it", "squares", "Which squares are never used, and which on no shortest solution"]]) {
      const claims = this.found.querySelector(`.claims:has(${selector})`);
      const open = button(words, () => this.spoil(() => open.parentElement.replaceWith(claims)), { "aria-label": `${words}: ${what}` });
      claims?.replaceWith(h("div", { className: "row" }, about && h("p", { className: "small" }, `${about}: `), open));
    }
  }

  /** Fold what only designers of levels ask for: the table of measures, at the end, and how to check a certificate. */
  #fold() {
    const table = this.found.lastElementChild?.querySelector(":scope > .table");
    if (!table) return;
    const folded = h("details", { className: "designers" }, h("summary", {}, "All measures, for designers"));
    table.replaceWith(folded);
    folded.append(table, h("p", { className: "small muted" }, "What is impossible has no trace. A certificate lists all reachable positions; the command “gridproof verify FILE” checks it."));
  }

  /** The difficulty in one of five words. */
  #showDifficulty(words, steps, standard) {
    this.difficulty.hidden = false;
    this.difficulty.replaceChildren(...(words ? [`Difficulty${standard && ` ${standard}`}: `, h("b", {}, words), steps] : ["Difficulty: not known for this level."]));
    announce(this.difficulty.textContent);
  }

  /** How far the position of the player's game is from the win. */
  async #measureHere() {
    const say = (words, ...more) => this.here.replaceChildren(h("b", {}, "Your position: "), words, ...more);
    this.here.hidden = false;
    say("looking for the shortest way to the win …");
    const job = await this.hereJobs.run("jobs", { text: this.level.text, game: this.level.game, position: this.position }, () => undefined).catch((error) => ({ error }));
    if (!job) return;
    if (job.error) return say(job.error.message);
    const { found, cost, optimal, trace, word, luck } = job.result;
    if (found === null) return say("no answer within the time limit.");
    if (!found) return say("it cannot be won any more: that is proved.");
    const show = trace && button("Show it", () => this.spoil(() => this.#playTrace(trace)), { "aria-label": "Show it: the way from your position" });
    return say(`${optimal ? "The fewest to the win is " : ""}${formatCount(cost, word)}${optimal ? "" : " to the win"}${luck ? ", with luck" : ""}${optimal ? " (proved). " : "; fewer may be possible. "}`, show);
  }

  #playTrace(trace) {
    return this.playTrace(trace, { title: "From your position" });
  }

  // -- traces and certificates of claims

  /** Request a certificate, and save it. */
  async #certify(never, title, button) {
    const { textContent: words } = button;
    button.disabled = true;
    announce("Writing the certificate.");
    try {
      const job = await this.certifying.run("certificates", never, (positions) => {
        button.textContent = `${positions} positions …`;
      });
      if (!job) return;
      if (!job.result.certificate) throw new Error("The certificate took too long.");
      download(decodeBase64(job.result.certificate), `${title.replaceAll(/[^\w]+/g, "-")}.gz`, "application/gzip");
      announce("The certificate is saved.");
    } catch (error) {
      showToast(error.message, 8);
    } finally {
      button.textContent = words;
      button.disabled = false;
      if (document.activeElement === document.body) button.focus({ preventScroll: true }); // a disabled button loses the focus
    }
  }

  async #play({ title, trace, at }) {
    await this.playTrace(this.traces[trace].trace, { title, at: at ?? undefined });
    this.side.scrollIntoView({ block: "nearest" });
    this.replay.toggle.focus({ preventScroll: true });
  }

  async #share() {
    const { source } = this;
    const link = source.pack ? `${location.origin}/analyse/${source.pack}/${source.level}` : await createLink(source, "/analyse");
    await copy(link, "The link to the analysis");
  }
}

class PackAnalysis {
  constructor(pack) {
    this.pack = pack;
    this.title = `Analysis of ${pack.title}`;
    this.breadcrumbs = [h("a", { href: "/" }, "Games"), " › ", h("a", { href: `/levels/${pack.pack}` }, pack.title), " › Analysis"];
    this.jobs = new JobRunner();
    this.progress = new Progress(() => {
      this.jobs.stop();
      this.progress.say(`Stopped after ${this.done} of ${pack.levels.length} levels.`);
    });
    this.done = 0;
    this.found = h("div", { className: "report" });
    this.content = [h("div", { className: "analysis whole" }, h("div", { className: "results sidebar" },
      h("section", { className: "panel", "aria-label": "The pack" }, h("h1", {}, this.title), this.progress.element), this.found))];
    this.#analyse();
  }

  leave() {
    this.jobs.stop();
  }

  async #analyse() {
    this.progress.say("Analysing …", true);
    try {
      const job = await this.jobs.run("analyses/packs", { pack: this.pack.pack }, (_, part) => part && this.#show(part, true));
      if (job) this.#show(job.result, false);
    } catch (error) {
      this.progress.say(error.message, false, true);
    }
  }

  #show({ done, levels, report }, working) {
    if (working) this.progress.show(`Analysing: ${done} of ${levels} levels …`, true);
    else this.progress.say(`The analysis is done. ${report.lead}`);
    if (done === this.done) return;
    this.done = done;
    this.found.replaceChildren(...renderReport(report, { link: ([number]) => `/analyse/${this.pack.pack}/${number}` }));
  }
}
