// Any action or command by its name, as in a terminal: what can be done is offered, and what is refused stands under the field.

import { dialog, h } from "./dom.js";

/** Whether a key asks for that. */
export const asksToType = (key) => key === ":" || key === "/";

export function typing(play) {
  const { now, state } = play;
  const offers = h("datalist", { id: "typing-offers" },
    now.actions.map(({ text, words }) => h("option", { value: text }, words)),
    state.commands.map(({ word, meaning }) => h("option", { value: word }, meaning)));
  const field = h("input", {
    type: "text", list: "typing-offers", maxlength: 2000, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-describedby": "typing-fault",
    oninput: () => wrong(""),
  });
  const fault = h("p", { className: "error", id: "typing-fault", role: "alert" });
  const wrong = (text) => {
    fault.textContent = text;
    field.setAttribute("aria-invalid", String(Boolean(text)));
  };
  const submit = async (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    try {
      const { type, text, told = [] } = await play.connection.send({ type: "typed", text: field.value });
      wrong(type === "error" ? text : told.filter(({ kind }) => kind === "refusal").map((one) => one.text).join("; "));
    } catch (error) {
      wrong(error.message);
    }
    if (!fault.textContent) shown.close();
  };
  const shown = dialog("Type an action or a command",
    h("form", { onsubmit: submit },
      h("label", { className: "field" }, "By name, several with spaces between them", field), offers, fault,
      h("div", { className: "row" }, h("button", { type: "submit", className: "main" }, "Do it"))));
  field.focus();
}
