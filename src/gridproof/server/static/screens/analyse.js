// What designers ask of a level or a pack: counts and claims, each with what shows it on the board.

import { ask } from "../api.js";
import { Board } from "../board.js";
import { LevelChoice } from "../choice.js";
import { claims } from "../claims.js";
import { listenToKeys } from "../controls.js";
import { announce, h, note } from "../dom.js";
import { Work } from "../jobs.js";
import { bytesOf, copy, download, linked, linkOf, packed } from "../share.js";
import { showTrace } from "../shown.js";
import { begin } from "./start.js";

/** The screen at "/analyse", "/analyse/GAME/PACK" for a pack as a whole, and "/analyse/GAME/PACK/NUMBER". */
export async function analyse(game, pack, number) {
  if (pack && !number) return new PackAnalysis(await ask(`packs/${game}/${pack}`));
  const { games } = await ask("games");
  const screen = new LevelAnalysis(games);
  await screen.choice.open(pack ? { pack: `${game}/${pack}`, level: Number(number) } : await linked());
  return screen;
}

/** What is said while the server works, with a button that ends it. */
class Progress {
  constructor(stopped) {
    this.words = h("p", {});
    this.button = h("button", { type: "button", hidden: true, onclick: stopped }, "Stop");
    this.element = h("div", { className: "work" }, this.words, this.button);
  }

  /** Say something, aloud too. */
  say(words, working = false, wrong = false) {
    this.show(words, working, wrong);
    announce(words);
  }

  /** Show how far it is, which is not read aloud. */
  show(words, working, wrong) {
    this.words.textContent = words;
    this.words.className = wrong ? "error" : "";
    this.button.hidden = !working;
  }
}

class LevelAnalysis {
  constructor(games) {
    this.title = "Analyse a level";
    this.trail = [h("a", { href: "/" }, "Games"), " › Analysis"];
    this.work = new Work();
    this.certifying = new Work();
    this.choice = new LevelChoice(games, "analysis", (text, game) => this.#begin(text, game));
    this.board = new Board();
    this.stage = h("div", { className: "stage", tabindex: "0", role: "img", "aria-label": "The level" }, this.board.element);
    this.player = h("div", { className: "panel", hidden: true });
    this.side = h("div", { className: "side" }, this.stage, this.player);
    this.progress = new Progress(() => this.#stop());
    this.found = h("div", { className: "found" });
    this.whole = h("a", { className: "button", href: "/analyse" }, "The whole pack");
    this.again = h("button", { type: "button", hidden: true, onclick: () => this.#ask() }, "Analyse again");
    const button = (words, deed) => h("button", { type: "button", onclick: deed }, words);
    const about = h("section", { className: "panel", "aria-label": "The level" }, h("h1", {}, "Analyse a level"), this.choice.element,
      h("div", { className: "row" }, this.whole, button("Play it", () => begin({ text: this.level.text, game: this.level.game })),
        button("Edit it", async () => this.#go(`/edit#${await packed(this.level)}`)), button("Share", () => this.#share()), this.again),
      this.progress.element);
    this.content = [h("div", { className: "analysis" }, this.side, h("div", { className: "results rail" }, about, this.found))];
    this.unlisten = listenToKeys((name) => Boolean(this.replay?.pressed(name)));
  }

  leave() {
    this.work.stop();
    this.certifying.stop();
    this.replay?.stop();
    this.unlisten();
  }

  /** A file that was dropped on the page. */
  opened(text) {
    return this.choice.take(text);
  }

  #go(address) {
    document.dispatchEvent(new CustomEvent("gridproof:go", { detail: { address } }));
  }

  // -- the level

  async #begin(text, game) {
    this.#forget();
    const words = await ask("vocabularies", { text, ...(game && { game }) });
    this.level = { text, game: words.game };
    this.start = words;
    this.#show();
    const { source } = this.choice;
    const pack = source?.pack;
    this.whole.hidden = !pack;
    if (pack) {
      this.whole.href = `/analyse/${pack}`;
      history.replaceState(null, "", `/analyse/${pack}/${source.level}`);
    }
    this.#ask(); // the page need not wait for it
    return words;
  }

  #show() {
    this.board.begin(this.start.pieces);
    this.board.show(this.start.board);
    this.stage.setAttribute("aria-label", `The level ${this.start.title || ""}, at its start`);
  }

  #forget() {
    this.work.stop();
    this.certifying.stop();
    this.#endReplay();
    this.found.replaceChildren();
  }

  #stop() {
    this.work.stop();
    this.progress.say("Stopped.");
    this.again.hidden = false;
  }

  async #ask() {
    this.again.hidden = true;
    this.progress.say("Analysing …", true);
    try {
      const job = await this.work.begin("analyses", this.level, (positions) => this.progress.show(`Analysing: ${positions} positions …`, true));
      if (job) this.#told(job);
    } catch (error) {
      this.#failed(error.message);
    }
  }

  #failed(words) {
    this.progress.say(words, false, true);
    this.again.hidden = false;
  }

  #told({ result, error }) {
    if (!result) {
      this.#failed(error ?? "There was no answer.");
      return;
    }
    const { report } = result;
    this.traces = report.traces;
    this.progress.say(report.lead);
    this.found.replaceChildren(...claims(report, { show: (claim) => this.#play(claim), certify: (...what) => this.#certify(...what) }),
      h("p", { className: "small soft" }, "What is impossible has no trace: a certificate lists all that can be reached, and gridproof verify FILE checks it by the rules alone."));
  }

  // -- what shows a claim

  /** Have a certificate written, and save it. */
  async #certify(never, title, button) {
    const { textContent: words } = button;
    button.disabled = true;
    announce("Writing the certificate.");
    try {
      const job = await this.certifying.begin("certificates", never, (positions) => {
        button.textContent = `${positions} positions …`;
      });
      if (!job) return;
      if (!job.result?.certificate) throw new Error(job.error ?? "The certificate took too long.");
      download(bytesOf(job.result.certificate), `${title.replaceAll(/[^\w]+/g, "-")}.gz`, "application/gzip");
      announce("The certificate is saved.");
    } catch (error) {
      note(error.message, 8);
    } finally {
      button.textContent = words;
      button.disabled = false;
      if (document.activeElement === document.body) button.focus({ preventScroll: true }); // which a button loses that is disabled
    }
  }

  async #play({ title, trace, at }) {
    this.#endReplay();
    const showing = await showTrace(this.board, this.traces[trace].trace, { title, at: at ?? undefined, back: "Back to the level", ended: () => {
      this.#endReplay();
      this.#show();
    } });
    this.replay = showing;
    this.player.replaceChildren(showing.element);
    this.player.hidden = false;
    this.side.classList.add("showing");
    this.side.scrollIntoView({ block: "nearest" });
    showing.toggle.focus({ preventScroll: true });
  }

  #endReplay() {
    this.replay?.stop();
    this.replay = null;
    this.player.hidden = true;
    this.side.classList.remove("showing");
  }

  async #share() {
    const { source } = this.choice;
    const link = source.pack ? `${location.origin}/analyse/${source.pack}/${source.level}` : await linkOf(source, "/analyse");
    await copy(link, "The link to the analysis");
  }
}

class PackAnalysis {
  constructor(pack) {
    this.pack = pack;
    this.title = `Analysis of ${pack.title}`;
    this.trail = [h("a", { href: "/" }, "Games"), " › ", h("a", { href: `/levels/${pack.pack}` }, pack.title), " › Analysis"];
    this.work = new Work();
    this.progress = new Progress(() => {
      this.work.stop();
      this.progress.say(`Stopped after ${this.done} of ${pack.levels.length} levels.`);
    });
    this.done = 0;
    this.found = h("div", { className: "found" });
    this.content = [h("div", { className: "analysis whole" }, h("div", { className: "results rail" },
      h("section", { className: "panel", "aria-label": "The pack" }, h("h1", {}, this.title), this.progress.element), this.found))];
    this.#ask();
  }

  leave() {
    this.work.stop();
  }

  async #ask() {
    this.progress.say("Analysing …", true);
    try {
      const job = await this.work.begin("analyses/packs", { pack: this.pack.pack }, (_, part) => part && this.#show(part, true));
      if (!job) return;
      if (!job.result) throw new Error(job.error);
      this.#show(job.result, false);
    } catch (error) {
      this.progress.say(error.message, false, true);
    }
  }

  #show({ done, levels, report }, working) {
    if (working) this.progress.show(`Analysing: ${done} of ${levels} levels …`, true);
    else this.progress.say(`The analysis is done. ${report.lead}`);
    if (done === this.done) return;
    this.done = done;
    this.found.replaceChildren(...claims(report, { link: ([number]) => `/analyse/${this.pack.pack}/${number}` }));
  }
}
