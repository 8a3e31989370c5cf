// Open levels from a text, and levels or traces from a link.

import { dialog, h } from "../dom.js";
import { readLink } from "../share.js";
import { beginSession } from "./start.js";

/** The screen at "/open": opens the fragment's content, or shows an input for a text. */
export async function open() {
  const value = await readLink();
  if (value) {
    await beginSession(value, true); // going back to this address would create another session
    return { content: [] };
  }
  return { title: "Open a level", content: [h("div", { className: "head" }, h("h1", {}, "Open a level")), form()] };
}

export function openDialog() {
  const box = dialog("Open a level", form(() => box.close()));
}

/** Create a session from a text: a trace, else levels. */
export async function openText(text) {
  let trace = null;
  try {
    trace = JSON.parse(text);
  } catch {
    trace = null; // no trace: levels
  }
  await beginSession(trace && typeof trace === "object" && !Array.isArray(trace) ? { trace: text } : { text });
}

function form(done = () => undefined) {
  const text = h("textarea", { id: "level-text", spellcheck: "false", required: true });
  const error = h("p", { className: "error", role: "alert" });
  const send = async (event) => {
    event.preventDefault();
    error.textContent = "";
    try {
      await openText(text.value);
      done();
    } catch (refused) {
      error.textContent = refused.message;
    }
  };
  const file = h("input", { type: "file", id: "level-file", onchange: async () => {
    text.value = (await file.files[0]?.text()) ?? text.value;
  } });
  return h("form", { className: "panel", onsubmit: send },
    h("label", { for: "level-text" }, "Paste levels in any format, or a saved game (a trace)."), text,
    h("label", { for: "level-file" }, "Or choose a file. You can also drop it on any page."), file, error,
    h("div", { className: "row" }, h("button", { className: "main", type: "submit" }, "Play")));
}
