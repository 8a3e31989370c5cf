// A report as sections: plots, tables, pictures, and claims with a button that shows each on the board.

import { button, h } from "./dom.js";

/** A picture that the server has drawn. */
function picture(svg, className) {
  const element = h("div", { className });
  element.innerHTML = svg;
  return element;
}

/** A box for content that may be wider than the window: it scrolls sideways, also by keys. */
const scrollable = (label, className, ...content) => h("div", { className: `scroll-x ${className}`, tabindex: "0", role: "group", "aria-label": label }, ...content);

/** A button with a longer label for screen readers. */
const labelled = (words, what, onclick) => button(words, onclick, { "aria-label": `${words}: ${what}` });

/** A button for each level or position that can never be won: it requests a certificate. */
const certificates = (never, what, certify) =>
  never.map((one, number) => labelled(never.length > 1 ? `Certificate ${number + 1}` : "Certificate", what, ({ target }) => certify(one, what, target)));

function card(part, { show, certify }) {
  const claim = h("div", { className: "row" }, part.trace !== undefined && labelled("Show it", part.title, () => show(part)), certificates(part.never ?? [], part.title, certify));
  return h("article", { className: part.svg ? "claim with-picture" : "claim", dataset: typeof part.at === "number" ? { at: part.at } : part.drawn ? { drawn: "yes" } : {} }, h("h3", {}, part.title),
    part.svg && picture(part.svg, "drawing"), part.proved.map((words) => h("p", { className: "small" }, words)), claim.hasChildNodes() && claim);
}

function table({ head, rows, traces, never }, label, { show, certify, link }) {
  const shows = traces.some((trace) => trace !== null) || never.some((row) => row.length);
  const cell = (text, place, row) => {
    const address = place === 0 && link(row);
    const words = address ? h("a", { href: address }, text) : text;
    return place === 0 ? h("th", { scope: "row" }, words) : h("td", {}, words);
  };
  const buttons = (row, number) => [traces[number] !== null && labelled("Show it", row[0], () => show({ title: row[0], trace: traces[number] })), certificates(never[number], row[0], certify)];
  const isNarrow = shows && head.length === 2; // then the buttons stand in the last cell, and a phone has room for the words
  const line = (row, number) => h("tr", {}, row.map((text, place) => (isNarrow && place ? h("td", {}, h("div", { className: "shown" }, h("span", {}, text), buttons(row, number))) : cell(text, place, row))),
    shows && !isNarrow && h("td", { className: "trace-cell" }, buttons(row, number)));
  return scrollable(label, "table", h("table", {}, h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)), shows && !isNarrow && h("th", { scope: "col" }, "shown"))),
    h("tbody", {}, rows.map(line))));
}

/**
 * A report as sections; `show({title, trace, at})` shows a trace by its number, `certify(never, title, button)` requests
 * a certificate, `link(row)` is the address of a row of a table.
 */
export function renderReport({ parts }, { show, certify, link = () => null }) {
  const elements = [];
  let section = null;
  for (const part of parts) {
    if (part.kind === "section") {
      const id = `section-${elements.length}`;
      section = h("section", { className: "panel", "aria-labelledby": id }, h("h2", { id }, part.title), part.text && h("p", {}, part.text));
      elements.push(section);
    } else if (!section) elements.push(h("p", { className: "muted" }, part.text));
    else if (part.kind === "paragraph") section.append(h("p", {}, part.text));
    else if (part.kind === "plots") section.append(h("div", { className: "plots" }, part.drawn.map((svg, number) => scrollable(`Plot ${number + 1}`, "plot", picture(svg, "drawing")))));
    else if (part.kind === "table") section.append(table(part, section.firstChild.textContent, { show, certify, link }));
    else {
      if (!section.lastElementChild.matches(".claims")) section.append(h("div", { className: "claims" }));
      section.lastElementChild.append(card(part, { show, certify }));
    }
  }
  return elements;
}
