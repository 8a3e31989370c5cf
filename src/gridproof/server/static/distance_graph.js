// The distance to the win over a game, as a graph: a column for each position, which can be looked at.

import { JobRunner, requestText } from "./api.js";
import { formatCount, h, s } from "./dom.js";

const [WIDTH, HEIGHT, TOP] = [320, 64, 4];

export class DistanceGraph {
  constructor(play, level) {
    this.play = play;
    this.level = level;
    this.jobs = new JobRunner();
    this.distances = [];
    this.at = null;
    this.caption = h("p", { className: "small muted" }, "Measuring the distance to the win …");
    this.legend = h("p", { className: "small muted", hidden: true }, "Pale columns: fewer may be possible.");
    this.columns = s("g", {});
    this.pointer = s("rect", { className: "here", y: 0, height: HEIGHT, width: 0 });
    this.picture = s("svg", { className: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", tabindex: "0", role: "slider",
      "aria-label": "Position to look at", "aria-valuemin": 0, "aria-valuenow": 0, onclick: (event) => this.#go(this.#placeOf(event)),
      onpointermove: (event) => this.#point(this.#placeOf(event)), onkeydown: (event) => this.#onKey(event) },
    s("defs", {}, s("pattern", { id: "dead-stripes", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("rect", { className: "ground", width: 6, height: 6 }), s("rect", { className: "stripe", width: 3, height: 6 }))), this.columns, this.pointer);
    this.element = h("section", { className: "panel distances", "aria-label": "Distance to the win" }, h("h2", {}, "Distance to the win"), this.picture, this.caption, this.legend);
    this.measured = this.#measure(); // resolves to the distances, or to undefined
  }

  async #measure() {
    try {
      const job = await this.jobs.run(`sessions/${this.play.id}/distances?level=${this.level}`, {}, () => undefined);
      if (!job) return undefined;
      this.#show(job.result.distances);
      return job.result.distances;
    } catch {
      this.element.remove(); // this game has no distances, or the server is away
      return undefined;
    }
  }

  stop() {
    this.jobs.stop();
  }

  #show(distances) {
    this.distances = distances;
    const most = Math.max(1, ...distances.map(({ left }) => left ?? 0));
    const width = WIDTH / distances.length;
    this.columns.replaceChildren(...distances.map(({ left, fewest, dead }, place) => {
      const height = dead ? HEIGHT : left === null ? 0 : Math.max(2, ((HEIGHT - TOP) * left) / most);
      return s("rect", { className: dead ? "dead" : fewest ? "fewest" : "most", x: place * width, y: HEIGHT - height, width: Math.max(width - 1, 0.6 * width), height });
    }));
    this.legend.hidden = distances.every(({ fewest, dead }) => fewest || dead);
    this.picture.setAttribute("aria-valuemax", distances.length - 1);
    this.#point(this.at ?? distances.length - 1);
  }

  #placeOf({ clientX }) {
    const { left, width } = this.picture.getBoundingClientRect();
    return Math.floor(((clientX - left) / width) * this.distances.length);
  }

  /** Point at a position, and say how far the win is from there. */
  #point(place) {
    if (!this.distances.length) return;
    this.at = Math.max(0, Math.min(this.distances.length - 1, place));
    const width = WIDTH / this.distances.length;
    this.pointer.setAttribute("x", this.at * width);
    this.pointer.setAttribute("width", width);
    const text = `${this.at ? `After ${this.at}` : "At the start"}: ${this.#words(this.distances[this.at])}`;
    this.picture.setAttribute("aria-valuenow", this.at);
    this.picture.setAttribute("aria-valuetext", text);
    this.caption.textContent = text;
  }

  #words({ left, fewest, dead }) {
    const { word } = this.play.state;
    if (dead) return "dead";
    if (left === null) return "not proved";
    if (!left) return "won";
    const words = formatCount(left, word);
    return fewest ? `the fewest to the win is ${words} (proved)` : `at most ${words} to the win`;
  }

  #onKey(event) {
    const { key } = event;
    const steps = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.distances.length - 1 };
    if (key === "Enter" || key === " ") this.#go(this.at);
    else if (key in steps) this.#point(steps[key]);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the arrows point here, and do not play
  }

  /** Go to a position: the game goes back there, unless its level is won or left; then it is shown. */
  async #go(place) {
    if (!this.distances.length) return;
    this.#point(place);
    const { play } = this;
    if (this.level === play.now.level && !play.pending && play.now.status !== "WON") {
      play.result.dismiss();
      await play.do(`goto ${this.at}`);
      return;
    }
    const trace = await requestText(`sessions/${play.id}/trace?level=${this.level}`);
    play.watchFrom = this.at;
    await play.connection.send({ type: "open", trace });
  }
}
