// The statistics screen: what this browser's player has solved; and the link that takes the results along.

import { request } from "../api.js";
import { ask, button, formatNumber, h, reportErrors, showToast } from "../dom.js";
import { copy, decodeFragment, encodeFragment } from "../share.js";
import { mergeProfile, profile, STARS_RULE, streaks, summary } from "../statistics.js";

const PREFIX = "#profile=";

/** The screen at "/statistics". */
export async function statistics() {
  const { games } = await request("games");
  const titles = new Map(games.map(({ name, title }) => [name, title]));
  const { games: rows, all, best } = summary();
  const { current, longest } = streaks();
  const share = reportErrors(async () => copy(`${location.origin}/${PREFIX}${await encodeFragment(profile())}`, "The link to your profile"));
  return {
    title: "Statistics",
    breadcrumbs: [h("a", { href: "/" }, "Games"), " › Statistics"],
    content: [
      h("div", { className: "head" },
        h("div", {}, h("h1", {}, "Statistics"), h("p", {}, "Your results on this device. No account, nothing is sent.")),
        h("div", { className: "row" }, button("Copy the link to your profile", share, { className: "main", title: "Open it in another browser to add your results there" }))),
      h("dl", { className: "figures" },
        figure("solved without hints", String(all.solved)),
        all.proved > 0 && figure("stars", `${all.stars} of ${3 * all.proved}`, STARS_RULE),
        figure(current === 1 ? "day in a row" : "days in a row", String(current), `The most: ${longest}`),
        all.proved > 0 && figure("above the fewest, on average", average(all), "Moves, shifts or requests, over the levels whose fewest are proved"),
        Object.entries(best).map(([game, score]) => figure(`best score in ${titles.get(game) ?? game}`, formatNumber(score), "Without hints")),
        figure("time", duration(all.seconds))),
      rows.size
        ? h("div", { className: "scroll-x short", tabindex: "0", role: "group", "aria-label": "Results by game" }, table(rows, titles))
        : h("p", { className: "empty" }, "Solve a level to see your results here."),
    ],
  };
}

const figure = (word, value, title) => h("div", { title }, h("dt", {}, word), h("dd", {}, value));

const table = (rows, titles) => h("table", {},
  h("thead", {}, h("tr", {}, ["Game", "Solved without hints", "Only with hints", "Stars", "Above the fewest", "Time"].map((word) => h("th", { scope: "col" }, word)))),
  h("tbody", {}, [...rows].map(([game, row]) => h("tr", {},
    h("th", { scope: "row" }, titles.get(game) ?? game), [row.solved, row.helped, row.stars, average(row), duration(row.seconds)].map((value) => h("td", {}, String(value)))))));

function average({ over, proved }) {
  const extra = (over / proved).toFixed(1);
  return !proved ? "–" : Number(extra) ? `+${extra}` : "0";
}

function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Ask whether the profile in the page's address shall be added. */
export async function offerProfile() {
  const text = location.hash.slice(PREFIX.length);
  history.replaceState(null, "", location.pathname);
  let given;
  try {
    given = await decodeFragment(text);
    if (typeof given?.statistics !== "object") throw new Error("This link holds no profile.");
  } catch (error) {
    showToast(error.message, 8);
    return;
  }
  const count = Object.keys(given.statistics.levels ?? {}).length;
  const add = () => {
    mergeProfile(given);
    showToast("The results are added.");
    document.dispatchEvent(new CustomEvent("gridproof:go", { detail: { address: "/statistics", replace: true } }));
  };
  ask("Add these results?", `The link brings the results of ${count} solved ${count === 1 ? "level" : "levels"}. They are added to those of this browser; the better result of each level stays.`,
    ["Add them", add], "Leave them out");
}
