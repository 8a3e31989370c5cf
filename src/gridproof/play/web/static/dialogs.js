// What is asked and told in dialogs: help and keys, sharing, best counts, races.

import { ask, askText } from "./api.js";
import { keyName } from "./controls.js";
import { dialog, h, note } from "./dom.js";
import { packOf, set, settings } from "./kept.js";
import { bind, bound, keyCap, keysOn, unbind } from "./keys.js";
import { BY_HAND, playerChoice } from "./players.js";
import { copy, download, linkOf, packed } from "./share.js";
import { speedChoice } from "./speeds.js";
import { typing } from "./typing.js";

const table = (head, rows) =>
  h("table", {}, h("thead", {}, h("tr", {}, head.map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, rows));

// -- help

export function help(play) {
  const { state } = play;
  const keysOf = (text) => Object.entries(play.keys).filter(([, meant]) => meant === text).map(([key]) => key);
  const actions = [...new Set(Object.values(play.keys))].filter((text) => text in state.meanings);
  const row = (text, words, meaning) => {
    const keys = h("td", {}, keysOf(text).map((key) => [h("kbd", {}, keyCap(key)), " "]));
    const change = h("button", { type: "button", className: "quiet", "aria-label": `Another key for ${words}`, onclick: () => rebind(play, text, words, change, keys) }, "Change");
    return h("tr", {}, h("th", { scope: "row" }, words, meaning && h("span", { className: "meaning" }, meaning)), keys, h("td", {}, change));
  };
  const shown = dialog("Help",
    h("p", {}, state.words.welcome),
    h("p", { className: "small soft" }, "Tap where to go or what to push, drag it there, or swipe the way to go. Hold Undo to go back quickly."),
    state.plays && button("Type an action or a command (:)", () => {
      shown.close();
      typing(play);
    }),
    actions.length > 0 && table(["Action", "Keys", "Another"], actions.map((text) => row(text, state.meanings[text]))),
    table(["Command", "Keys", "Another"], state.commands.map(({ word, meaning }) => row(word, word, meaning))),
    bound() && h("button", { type: "button", onclick: () => {
      unbind();
      play.keys = keysOn(state);
      note("All keys are as at first.");
    } }, "All keys as at first"));
}

function rebind(play, text, words, button, cell) {
  button.textContent = "Press a key";
  const heard = (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    document.removeEventListener("keydown", heard, true);
    button.textContent = "Change";
    if (event.key === "Escape" || event.key === "Tab") return;
    const key = keyName(event);
    bind(play.state, key, text);
    play.keys = keysOn(play.state);
    cell.append(h("kbd", {}, keyCap(key)), " ");
    note(`${keyCap(key)} now means ${words}.`);
  };
  document.addEventListener("keydown", heard, true);
}

// -- levels

export function levels(play) {
  const { now, state } = play;
  const pack = packOf(play.id);
  const item = ({ title, done }, place) => h("li", {}, h("button", { type: "button", className: place + 1 === now.level && "main", "aria-current": place + 1 === now.level && "true", onclick: () => {
    shown.close();
    play.do(`level ${place + 1}`);
  } }, `${place + 1}${title ? `. ${title}` : ""}${done ? " ✓" : ""}`));
  const shown = dialog("Levels", h("ol", { className: "plain row" }, state.levels.map(item)),
    h("div", { className: "row" },
      state.levels.some(({ done }, place) => !done && place + 1 !== now.level) && button("Next unsolved", () => {
        shown.close();
        play.do("next");
      }),
      pack && h("a", { className: "button", href: `/levels/${pack}`, onclick: () => shown.close() }, "With pictures and difficulty")));
}

/** A new game of chance, once it is sure that the one that was begun is given up. */
export function newGame(play) {
  if (!play.now.done) {
    play.do("new");
    return;
  }
  const shown = dialog("New game", h("p", {}, "What was played is given up for a new game."),
    h("div", { className: "row" }, button("New game", () => {
      shown.close();
      play.do("new");
    }, "main")));
}

// -- watching

const WORDS = { solver: "a way to the win", random: "somebody who plays at random" };

export function players(play) {
  const { players: names } = play.state;
  const watch = (name) => {
    shown.close();
    play.do(name === "solver" ? "watch" : `watch ${name}`);
  };
  const shown = dialog("Watch", h("div", { className: "row" },
    names.map((name) => h("button", { type: "button", onclick: () => watch(name) }, WORDS[name] ?? name))));
}

// -- sharing

export function share(play, level) {
  const of = `sessions/${play.id}`;
  const at = level ? `?level=${level}` : "";
  const tried = (deed) => async () => {
    try {
      await deed();
    } catch (error) {
      note(error.message, 8);
    }
  };
  const button = (words, deed) => h("button", { type: "button", onclick: tried(deed) }, words);
  const { actors, races, plays, bound } = play.state;
  const whole = plays && !bound; // guests are shown no more than what they may see
  const invite = (actor, may) => async () => {
    const { id } = await ask(`${of}/invitations`, { actor, plays: may });
    await copy(`${location.origin}/play/${id}`, may ? `The link for whoever plays ${actor}` : "The link for viewers");
  };
  const go = (address) => {
    shown.close();
    document.dispatchEvent(new CustomEvent("gridproof:go", { detail: { address } }));
  };
  const edit = async (text) => go(`/edit#${await packed({ text, game: play.state.game })}`);
  const shown = dialog("Share",
    h("h3", {}, "By a link"),
    h("div", { className: "row" },
      button("Link to this level", async () => copy(await linkOf({ text: await ask(`${of}/level${at}`) }), "The link to the level")),
      whole && button("Link to what was played", async () => copy(await linkOf({ trace: await askText(`${of}/trace${at}`) }), "The link to what was played"))),
    h("h3", {}, "Level and position"),
    h("div", { className: "row" },
      button("Copy the level", async () => copy(await ask(`${of}/level${at}`), "The level")),
      button("Edit the level", async () => edit(await ask(`${of}/level${at}`))),
      whole && button("Analyse", async () => go(`/analyse#${await packed({ text: await ask(`${of}/level${at}`), game: play.state.game })}`)),
      whole && button("Ask a formula", async () => go(`/formulas#${await packed({ text: await ask(`${of}/level${at}`) })}`)),
      button("Copy the position", async () => copy(await ask(`${of}/position`), "The position")),
      whole && button("Save what was played", async () => download(await askText(`${of}/trace${at}`), "trace.json", "application/json"))),
    whole && h("h3", {}, "Together"),
    whole && h("div", { className: "row" }, button("Invite viewers", invite(null, false)),
      races && actors.map((actor) => button(`Invite someone to play ${actor}`, invite(actor, true)))),
    h("p", { className: "small soft" }, "The links to a level and to what was played hold all of it themselves. Links for players and viewers lead to this game on this server: whoever has one may use it."));
  return shown;
}

// -- best counts

export async function scores(play, level) {
  const key = level ? play.wonKey : play.now.key;
  const body = h("div", {});
  const show = async () => {
    try {
      const found = await ask(`scores/${key}`);
      body.replaceChildren(...found.measures.map(measure), ...(found.measures.some((one) => one.scores.length) ? [] : [h("p", { className: "soft" }, "Nobody has put a name here yet.")]));
    } catch (error) {
      body.replaceChildren(h("p", { className: "error" }, error.message));
    }
  };
  const measure = ({ name, scores: entries }) => entries.length > 0 && h("section", {}, h("h3", {}, name),
    table(["Place", "Name", name], entries.map((entry) => h("tr", {}, h("td", {}, `${entry.rank}.`), h("th", { scope: "row" }, entry.name), h("td", {}, String(entry.value))))));
  const name = h("input", { id: "score-name", value: settings.name, maxlength: 40, required: true, autocomplete: "nickname" });
  const send = async (event) => {
    event.preventDefault();
    try {
      set("name", name.value.trim());
      const { ranks } = await ask("scores", { name: name.value.trim(), session: play.id, level });
      note(`You are there: ${Object.entries(ranks).map(([what, rank]) => `${rank}. by ${what}`).join(", ")}.`);
      await show();
    } catch (error) {
      note(error.message, 8);
    }
  };
  dialog("Best counts", body,
    level && play.state.plays && h("form", { className: "inside", onsubmit: send }, h("label", { for: "score-name" }, "Your name, to stand here; what you played is replayed by the server first."),
      h("div", { className: "row" }, name, h("button", { type: "submit", className: "main" }, "Put me there"))));
  await show();
}

// -- races

/** Who plays each robot; if nobody does by hand, it is a race. */
export function race(play) {
  const { actors, strategies, speeds } = play.state;
  const { partners } = play.now;
  const mixedNow = Object.keys(partners).length > 0;
  const chosen = Object.fromEntries(actors.map((actor) => [actor, partners[actor] ?? (mixedNow ? BY_HAND : strategies[0])]));
  const speed = speedChoice(speeds, 4, undefined, { id: "race-speed", "aria-label": null });
  const send = async (...messages) => {
    try {
      for (const message of messages) {
        const answer = await play.connection.send(message);
        if ((answer.told ?? []).some(({ kind }) => kind === "refusal")) return;
      }
      shown.close();
    } catch (error) {
      note(error.message);
    }
  };
  const options = () => ({ strategies: Object.entries(chosen).map((pair) => pair.join("=")).join(",") });
  const live = button("Race here, live for all", () => send({ type: "race", options: options(), speed: Number(speed.value) }), "main");
  const alone = button("Watch one alone", () => send({ type: "race", options: options(), watch: true }));
  const mixed = button("Play", () => send(...Object.entries(chosen).map(([actor, name]) => ({ type: "do", text: `let ${actor} ${name}` }))), "main");
  const told = h("p", { className: "small soft" });
  const tell = () => {
    const byHand = actors.filter((actor) => chosen[actor] === BY_HAND);
    for (const one of [live, alone, speed.parentElement]) one.hidden = byHand.length > 0;
    mixed.hidden = !byHand.length;
    told.textContent = !byHand.length ? "A race from the start of the level."
      : byHand.length === actors.length ? "You play all of them." : `You play ${byHand.join(" and ")}; the others ask after each of your actions.`;
  };
  const who = (actor) => playerChoice(actor, [BY_HAND, ...strategies], chosen[actor], (name) => {
    chosen[actor] = name;
    tell();
  });
  const shown = dialog("Race", ...actors.map(who), h("label", { className: "field" }, "Steps a second", speed), told,
    h("div", { className: "row" }, live, alone, mixed));
  tell();
}

const button = (words, onclick, className = "") => h("button", { type: "button", className, onclick }, words);
