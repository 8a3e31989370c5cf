// Dialogs of the play screen: help and keys, actions by name, levels, sharing, best counts, races.

import { request, requestText } from "./api.js";
import { sortByNumber } from "./action_order.js";
import { actionWords, deviceWords } from "./words.js";
import { ask, button, dialog, formatNumber, h, navigate, reportErrors, sentenceCase, showToast } from "./dom.js";
import { fromGame } from "./game_link.js";
import { bindKey, cursorWords, hasOwnBindings, keyLabel, keyName, resetBindings } from "./keys.js";
import { speedSelect } from "./replay.js";
import { copy, createLink, download, encodeFragment } from "./share.js";
import { playerSelect } from "./sidebar.js";
import { bestStars } from "./stars.js";
import { STARS_HELP } from "./statistics.js";
import { bestCounts, packOf, saveSetting, settings, solvedKeys, solvedMark } from "./user_data.js";

const MAIN = { className: "main" };
const row = (...content) => h("div", { className: "row" }, ...content);

const table = (head, rows) =>
  h("table", {}, h("thead", {}, h("tr", {}, head.map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, rows));

/** Close the dialog of a button, then do something. */
const closing = (action) => ({ target }) => {
  target.closest("dialog").close();
  action();
};

// -- help

export function help(play) {
  const { state } = play;
  const keysOf = (text) => Object.entries(play.keys).filter(([, meant]) => meant === text).map(([key]) => key);
  const bound = new Set(Object.values(play.keys));
  const listed = Object.entries(state.meanings).filter(([text]) => bound.has(text)).map(([text, words]) => ({ text, words }));
  const actions = (play.board.numbers ? sortByNumber(listed) : listed).map(({ text }) => text);
  const line = (text, words, meaning, typed) => {
    const keys = h("td", {}, keysOf(text).map((key) => [h("kbd", {}, keyLabel(key)), " "]));
    const change = button("Change", () => rebind(play, text, words, change, keys), { className: "quiet", "aria-label": `Another key for ${words}` });
    return h("tr", {}, h("th", { scope: "row" }, meaning ? [sentenceCase(meaning), h("span", { className: "meaning" }, `typed: ${typed}`)] : words), keys, h("td", {}, change));
  };
  const reset = () => {
    resetBindings();
    play.bindKeys();
    showToast("All keys are reset.");
  };
  const { gestures } = state.words;
  dialog("Help",
    h("p", {}, state.words.welcome),
    h("p", {}, `${deviceWords(gestures)} Hold Undo to go back quickly.`),
    !("score" in play.now) && h("p", {}, STARS_HELP),
    h("h3", { className: "keyboard" }, "Keys"),
    h("p", { className: "small muted keyboard" }, [keysInWords(play), "The keys , and . step through the moves; so do the arrows in the list of moves."].filter(Boolean).join(" ")),
    state.plays && button("Type an action or a command (:)", closing(() => openTextInput(play)), { className: "keyboard" }),
    h("div", { className: "inside keyboard" },
      actions.length > 0 && table(["Action", "Keys", "Another key"], actions.map((text) => line(text, play.actionWords(text)))),
      table(["Command", "Keys", "Another key"], state.commands.map(({ word, meaning, argument }) => line(word, word, meaning, `${word} ${argument}`))),
      hasOwnBindings() && button("Reset all keys", reset)));
}

/** What arrows and letters do on boards where arrows do not act, or not for all. */
function keysInWords(play) {
  const actors = Object.keys(play.state.keys_of ?? {});
  if (actors.length > 1) return `The keys ${actors.map((actor) => play.keyActor.keyOf(actor)).join(", ")} choose whom the arrows move.`;
  const words = cursorWords(play.keys, play.board);
  return words && `${words}.`;
}

function rebind(play, text, words, change, cell) {
  change.textContent = "Press a key";
  const listener = (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    document.removeEventListener("keydown", listener, true);
    change.textContent = "Change";
    if (event.key === "Escape" || event.key === "Tab") return;
    const key = keyName(event);
    bindKey(play.state, key, text);
    play.bindKeys();
    cell.append(h("kbd", {}, keyLabel(key)), " ");
    showToast(`${keyLabel(key)} now means ${words}.`);
  };
  document.addEventListener("keydown", listener, true);
}

// -- levels

export function levels(play) {
  const { now, state } = play;
  const pack = packOf(play.id);
  const solved = solvedKeys();
  const isCurrent = (place) => place + 1 === now.level;
  const select = (place) => closing(() => play.do(`level ${place + 1}`));
  const others = state.levels.map((_, index) => (now.level + index) % state.levels.length).slice(0, -1); // places, from the next level on
  const next = others.find((place) => !solved.has(state.levels[place].key));
  dialog("Levels",
    h("ol", { className: "plain level-list" }, state.levels.map(({ title, key, difficulty }, place) => h("li", {},
      button([`${place + 1}${title ? `. ${title}` : ""}${difficulty ? ` · ${difficulty}` : ""}`, solved.has(key) && ` ${solvedMark(bestCounts(key))}`, bestStars(key)], select(place), { className: isCurrent(place) && "main", "aria-current": isCurrent(place) && "true" })))),
    row(next !== undefined && button("Next unsolved", select(next)),
      pack && h("a", { className: "button", href: `/levels/${pack}`, onclick: closing(() => undefined) }, "The levels with pictures")));
}

/** Start a new random game; giving up a started one that is not over needs a confirmation. */
export function newGame(play) {
  if (!play.now.done || play.now.end) play.do("new");
  else ask("Start a new game?", "The game on the board ends here.", ["Start a new game", () => play.do("new")], "Keep playing");
}

export function players(play) {
  const { players: all, player_meanings: meanings, levels: listed } = play.state;
  const { unsuited } = listed[play.now.level - 1];
  const names = all.filter((name) => !unsuited.includes(name));
  dialog("Watch", h("p", { className: "small muted" }, "All begin at the level's start, except the solver, which goes on from your position."), h("div", { className: "players-list" }, names.map((name) =>
    button([h("b", {}, name), meanings[name] && h("span", { className: "muted" }, meanings[name])], closing(() => play.do(name === "solver" ? "watch" : `watch ${name}`))))));
}

// -- sharing

export function share(play, level = play.pending?.now.level) {
  const of = `sessions/${play.id}`;
  const at = level ? `?level=${level}` : "";
  const { game, puzzle, races, owner } = play.state; // guests see only what their access allows
  const actors = races && !play.pending ? play.state.actors : []; // those of the level that is shown
  const levelText = () => request(`${of}/level${at}`);
  const traceText = () => requestText(`${of}/trace${at}`);
  const item = (words, action) => button(words, reportErrors(action));
  const invite = (actor, plays) => async () => {
    const { id } = await request(`${of}/invitations`, { actor, plays });
    await copy(`${location.origin}/play/${id}`, plays ? `The link for whoever plays ${actor}` : "The link for viewers");
  };
  const openIn = (page) => async () => {
    const address = `/${page}#${await encodeFragment({ text: await levelText(), game })}`;
    box.close();
    navigate(address);
  };
  const box = dialog("Share",
    h("h3", {}, "By a link"),
    row(puzzle ? item("Link to this puzzle", async () => copy(`${location.origin}/new/${puzzle.id}`, "The link to the puzzle"))
      : item("Link to this level", async () => copy(await createLink({ text: await levelText() }), "The link to the level")),
    h("span", { className: "small muted" }, puzzle ? `Others play the same puzzle, ${puzzle.id}, from its start.` : "Others play this level from its start.")),
    owner && row(item("Link to what was played", async () => copy(await createLink({ trace: await traceText() }), "The link to what was played")),
      h("span", { className: "small muted" }, "Others watch your moves, and can go on themselves.")),
    h("h3", {}, "Level and position"),
    row(item("Copy the level", async () => copy(await levelText(), "The level")),
      item("Edit the level", openIn("edit")),
      owner && item("Analyse", closing(() => navigate(fromGame("/analyse", play.id, level)))),
      owner && item("Prove a claim", openIn("formulas")),
      item("Copy the position", async () => copy(await request(`${of}/position${at}`), "The position")),
      owner && item("Save what was played", async () => download(await traceText(), "trace.json", "application/json"))),
    owner && h("h3", {}, "Together"),
    owner && row(item("Invite viewers", invite(null, false)), actors.map((actor) => item(`Invite someone to play ${actor}`, invite(actor, true)))),
    h("p", { className: "small muted" }, `Links to a level or to what was played contain everything. Links for ${actors.length ? "players and viewers" : "viewers"} open this game on this server: anyone who has one can use it.`));
}

// -- best counts

export async function scores(play, level) {
  const { key, helped: isHelped } = level ? play.result.last : play.now;
  const body = h("div", {});
  const wordOf = (name) => (name === "actions" ? play.state.word : name);
  const measure = ({ name, scores: entries }) => entries.length > 0 && h("section", {}, h("h3", {}, sentenceCase(wordOf(name))),
    table(["Place", "Name", sentenceCase(wordOf(name))], entries.map((entry) => h("tr", {}, h("td", {}, `${entry.rank}.`), h("th", { scope: "row" }, entry.name === settings.name ? `${entry.name} (your name)` : entry.name), h("td", {}, formatNumber(entry.value))))));
  const show = async () => {
    try {
      const sections = (await request(`scores/${key}`)).measures.map(measure).filter(Boolean);
      body.replaceChildren(...(sections.length ? sections : [h("p", { className: "muted" }, "No scores yet.")]));
    } catch (error) {
      body.replaceChildren(h("p", { className: "error" }, error.message));
    }
  };
  const input = h("input", { id: "score-name", value: settings.name, maxlength: 40, required: true, autocomplete: "nickname" });
  const send = reportErrors(async () => {
    const name = input.value.trim();
    saveSetting("name", name);
    const { ranks } = await request("scores", { name, session: play.id, level });
    await show();
    const place = h("p", { tabindex: "-1" }, `Your rank: ${Object.entries(ranks).map(([what, rank]) => `${rank}. by ${wordOf(what)}`).join(", ")}.`);
    form.replaceWith(place);
    place.focus(); // keys stay with the dialog
  });
  const submit = (event) => {
    event.preventDefault();
    send();
  };
  const helped = isHelped && h("p", { className: "muted" }, "A win with hints does not enter the high scores.");
  const form = h("form", { className: "inside", onsubmit: submit }, h("label", { for: "score-name" }, "Your name. The server replays your game first."),
    row(input, h("button", { type: "submit", ...MAIN }, "Add my score")));
  dialog("High scores on this server", body, level && play.state.plays && (helped || form));
  await show();
}

// -- races

/** Ask which programs race, at first fair ones, which know no more than a player; all who look at the game see the race. */
export async function race(play) {
  if (play.pending) await play.do(`level ${play.pending.now.level}`); // the race is on the level that is shown
  const { actors, strategies, player_meanings: meanings, speeds } = play.state;
  const chosen = Object.fromEntries(actors.map((actor) => [actor, play.now.partners[actor] ?? strategies[0]]));
  const speed = speedSelect(speeds, 4, undefined, { id: "race-speed", "aria-label": null });
  const send = (createMessage) => reportErrors(async () => {
    const answer = await play.connection.send(createMessage());
    if (!(answer.told ?? []).some(({ kind }) => kind === "refusal")) box.close();
  });
  const options = () => ({ strategies: Object.entries(chosen).map((pair) => pair.join("=")).join(",") });
  const live = button("Start the race", send(() => ({ type: "race", options: options(), speed: Number(speed.value) })), { ...MAIN, title: "In this game: all who look at it see the race" });
  const alone = button("Watch a replay", send(() => ({ type: "race", options: options(), watch: true })), { title: "For you alone: your game waits" });
  const player = (actor) => playerSelect(actor, strategies, meanings, chosen[actor], (name) => {
    chosen[actor] = name;
  });
  const box = dialog("Race", h("p", { className: "small muted" }, "Programs play all from the start of the level, and you watch. To take part, close this and choose whom you play at “Play as”."),
    ...actors.map(player), h("label", { className: "field" }, "Steps a second", speed), row(live, alone));
}

/** Whether a key opens the input. */
export const isTextInputKey = (key) => key === ":" || key === "/";

export function openTextInput(play) {
  const { now, state } = play;
  const suggestions = h("datalist", { id: "typing-suggestions" },
    now.actions.map((action) => h("option", { value: action.text }, actionWords(action))),
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
