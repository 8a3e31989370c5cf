// Type any action or command by its name; the game's are suggested.

import { dialog, h } from "./dom.js";

/** Whether a key opens the input. */
export const isTextInputKey = (key) => key === ":" || key === "/";

export function openTextInput(play) {
  const { now, state } = play;
  const suggestions = h("datalist", { id: "typing-suggestions" },
    now.actions.map(({ text, words }) => h("option", { value: text }, words)),
    state.commands.map(({ word, meaning }) => h("option", { value: word }, meaning)));
  const field = h("input", {
    type: "text", list: "typing-suggestions", maxlength: 2000, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "text-input-error",
    oninput: () => showError(""),
  });
  const error = h("p", { className: "error", id: "text-input-error", role: "alert" });
  const showError = (text) => {
    error.textContent = text;
    field.setAttribute("aria-invalid", String(Boolean(text)));
  };
  const submit = async (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    try {
      const { type, text, told = [] } = await play.connection.send({ type: "typed", text: field.value });
      showError(type === "error" ? text : told.filter(({ kind }) => kind === "refusal").map((one) => one.text).join("; "));
    } catch (error) {
      showError(error.message);
    }
    if (!error.textContent) box.close();
  };
  const box = dialog("Type an action or a command",
    h("form", { onsubmit: submit },
      h("label", { className: "field" }, "By name, several with spaces between them", field), suggestions, error,
      h("div", { className: "row" }, h("button", { type: "submit", className: "main" }, "Do it"))));
  field.focus();
}
