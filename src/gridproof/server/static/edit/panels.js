// Panels of the editor: tools, problems, properties, and whether it can be won.

import { JobRunner } from "../api.js";
import { announce, button, formatCount, formatNumber, h, s, sentence } from "../dom.js";
import { markEdges } from "../scroll_edges.js";

/** A piece as a small picture: its pile in one cell. */
function picture(pieces, pile) {
  const drawing = s("svg", { viewBox: "-4 -4 108 108", className: "tool-picture", "aria-hidden": "true" });
  drawing.innerHTML = pile.map((id) => pieces[id].svg).join("");
  return drawing;
}

/** The tools that paint a cell. */
export function palette(answer, edit) {
  const { tools, parts, pieces } = answer;
  const toolButton = (tool, place) => button([picture(pieces, tool.pile), h("span", {}, tool.name)], () => edit.choose(tool.name), { "aria-pressed": String(tool.name === edit.tool), dataset: { tool: tool.name }, title: place < 9 ? `${tool.name} (${place + 1})` : tool.name });
  const part = parts.length > 0 && h("label", { className: "field" }, "Colours go on",
    h("select", { id: "edit-part", onchange: (event) => (edit.part = event.target.value) },
      [["", "the whole tile"], ["pointed", "the side that is pointed at"], ...parts.map((name) => [name, `the side ${name}`])]
        .map(([value, words]) => h("option", { value, selected: value === edit.part }, words))));
  const list = h("div", { className: "palette", role: "group", "aria-label": "Tools" }, tools.map(toolButton));
  markEdges(list);
  return [h("h2", {}, "Put on the board"), part, list].filter(Boolean);
}

/** Every broken clause; each leads to its cell. */
export function problems(answer, edit) {
  const item = ({ code, text, cells }) => {
    return h("li", { title: code }, cells.length ? button(text, () => edit.goTo(cells[0]), { className: "quiet" }) : h("span", {}, text));
  };
  const found = answer.problems;
  const count = found.reduce((sum, { more = 1 }) => sum + more, 0); // the last one stands for those that are not listed
  const title = count ? `${formatNumber(count)} ${count === 1 ? "thing is" : "things are"} wrong` : "A valid level";
  return [h("h2", { className: found.length ? "bad" : "good" }, title), found.length > 0 && h("ul", { className: "plain problems" }, found.map(item))].filter(Boolean);
}

/** The first problem in a line, for a phone, where the list of all of them is below the fold; the other buttons wait for it. */
export function firstProblem({ problems: [first, ...others] }) {
  if (!first) return "";
  return `Fix first: ${first.text}${others.length ? `, and ${others.length} more` : ""}.`;
}

const SIDES = { left: "at the left", right: "at the right", top: "at the top", bottom: "at the bottom" };
const isColumn = (side) => side === "left" || side === "right";

export class Properties {
  constructor(edit) {
    this.edit = edit;
    this.size = h("h2", {});
    this.steppers = Object.keys(SIDES).map((side) => this.#stepper(side));
    this.fields = h("div", { className: "fields" });
    this.named = ["title", "author"].map((name) => [name, this.#listen(h("input", { maxlength: 200, dataset: { about: name } }), (value) => ({ about: { [name]: value } }))]);
    this.element = h("section", { className: "panel", "aria-label": "Size and properties" }, this.size,
      h("div", { className: "steppers" }, this.steppers.map(({ element }) => element)), this.fields,
      this.named.map(([name, input]) => h("label", { className: "field" }, name, input)));
  }

  /** Show a draft that has changed. */
  show({ draft, fields, largest, least }) {
    const [width, height] = [draft.cells[0].length, draft.cells.length];
    this.size.textContent = `Size: ${width} × ${height}`;
    for (const { side, shrink, grow } of this.steppers) {
      const [size, axis] = isColumn(side) ? [width, 0] : [height, 1];
      shrink.disabled = size <= least[axis];
      grow.disabled = size >= largest[axis];
    }
    this.#setFields(fields);
    for (const { name, value } of fields) this.#setValue(this.inputs.get(name), value);
    for (const [name, input] of this.named) this.#setValue(input, draft[name]);
  }

  /** Add or remove a line of cells at a side. */
  #stepper(side) {
    const resize = (verb, does, sign) => button(sign, () => this.edit.history.do({ [verb]: side }), { dataset: { [verb]: side }, "aria-label": `${does} a ${isColumn(side) ? "column" : "row"} ${SIDES[side]}` });
    const [shrink, grow] = [resize("shrink", "Remove", "−"), resize("grow", "Add", "+")];
    return { side, shrink, grow, element: h("div", { className: "stepper" }, h("span", {}, side), shrink, grow) };
  }

  /** Inputs for the game's own fields; they stay while the fields are the same. */
  #setFields(fields) {
    const shape = JSON.stringify(fields.map(({ value, ...rest }) => rest));
    if (shape === this.shape) return;
    this.shape = shape;
    this.inputs = new Map(fields.map((field) => [field.name, this.#field(field)]));
    this.fields.replaceChildren(...fields.map(({ name, label }) => h("label", { className: "field" }, label, this.inputs.get(name))));
  }

  #field({ name, choices, words, least, most }) {
    const properties = { dataset: { field: name } };
    const input = choices ? h("select", properties, choices.map((value, place) => h("option", { value }, words[place]))) : h("input", { ...properties, type: "number", min: least, max: most });
    return this.#listen(input, (value) => ({ field: name, value }));
  }

  /** Send the value of an input when it was changed; it keeps what is typed until the answer. */
  #listen(input, change) {
    input.addEventListener("change", async () => {
      const { value } = input;
      await this.edit.history.do(change(value));
      if (input.value === value) input.dataset.saved = value; // it takes the answer's value, even another one
      this.show(this.edit.answer);
    });
    return input;
  }

  #setValue(input, value) {
    if (input.value === (input.dataset.saved ?? input.value)) input.value = value;
    input.dataset.saved = value ?? "";
  }
}

const DELAY = 500; // milliseconds after a change until a draft is checked
const TIME_LIMIT = 20; // seconds

/** Says whether the current draft can be won, and why not; `watch(trace)` shows the found solution, `mark(cells)` the cells of a reason, `draw()` the drawing board. */
export class Solvability {
  constructor({ watch, mark, draw }) {
    this.jobs = new JobRunner();
    this.on = true;
    this.mark = mark;
    this.draw = draw;
    this.line = h("p", { className: "verdict" });
    this.why = h("p", { className: "why-not small", hidden: true });
    this.remedies = h("ul", { className: "plain remedies small" });
    this.way = button("Watch it", () => watch(this.trace), { hidden: true });
    const toggle = h("input", { type: "checkbox", checked: true, onchange: () => {
      this.on = toggle.checked;
      this.check(this.answer);
    } });
    this.element = h("section", { className: "panel", "aria-label": "Proof" }, h("h2", {}, "Can it be won?"), this.line, this.why, this.remedies,
      h("div", { className: "row" }, this.way, h("label", { className: "checkbox" }, toggle, "Check after each change")));
  }

  #show(words, kind = "") {
    this.line.textContent = words;
    this.line.dataset.verdict = kind;
    if (kind) announce(words); // but not the progress
  }

  /** Check a draft; stop an earlier check. */
  check(answer) {
    this.stop();
    this.answer = answer;
    this.way.hidden = this.why.hidden = true;
    this.remedies.replaceChildren();
    this.mark([]);
    if (!this.on) this.#show("Off.");
    else if (answer.problems.length) this.#show("Fix the problems first.");
    else {
      this.#show("Checking …");
      this.timer = setTimeout(() => this.#ask(answer), DELAY);
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.answer = null;
    this.jobs.stop();
  }

  async #ask(answer) {
    const body = { text: answer.text, game: answer.game, seconds: TIME_LIMIT };
    try {
      const job = await this.jobs.run("jobs", body, (positions) => this.#show(`Looking: ${positions} positions …`));
      if (!job) return;
      this.#showResult(job);
      if (job.result.found === false) await this.#explain(body).catch((error) => answer === this.answer && this.#showReason(error.message));
    } catch (error) {
      if (answer === this.answer) this.#show(sentence(error.message), "unknown");
    }
  }

  #showResult({ result, positions }) {
    if (result.found === null) this.#show(`Unknown: the time limit of ${TIME_LIMIT} seconds was reached after ${formatNumber(positions)} positions.`, "unknown");
    else if (!result.found) this.#show("It cannot be won: that is proved.", "no");
    else {
      const { cost, word, luck } = result;
      const answer = `It can be won${luck ? " with luck" : ""}`;
      this.#show(result.optimal ? `${answer}: in ${formatCount(cost, word)}${cost > 1 ? ", and not in fewer" : ""}.` : `${answer}.`, "yes");
      this.trace = result.trace;
      this.way.hidden = !result.trace;
    }
  }

  /** Say why it cannot be won, and without which pieces it could; their cells are marked. */
  async #explain(body) {
    this.#showReason("Looking for the reason …");
    const job = await this.jobs.run("explanations", body, () => undefined);
    if (!job) return;
    const { why, cells, remedies } = job.result;
    this.#showReason(why || "No reason was found in time.");
    announce(why);
    this.mark(cells);
    this.remedies.replaceChildren(...remedies.map((one) => h("li", {}, one.cells.length
      ? button(`It can be won ${one.condition}.`, () => this.#markPiece(one), { className: "quiet", title: "Mark it on the board" })
      : sentence(`it can be won ${one.condition}`))));
  }

  #markPiece({ cells }) {
    this.draw();
    this.mark(cells);
  }

  #showReason(words) {
    this.why.hidden = false;
    this.why.textContent = words;
  }
}
