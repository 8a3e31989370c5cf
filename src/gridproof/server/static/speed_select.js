// How fast something is watched: one list of speeds, from the server.

import { h } from "./dom.js";

/** A choice among speeds; `chosen(speed)` is called when another one is taken. */
export const speedChoice = (speeds, value, chosen = () => undefined, properties = {}) =>
  h("select", { "aria-label": "Steps a second", ...properties, onchange: (event) => chosen(Number(event.target.value)) },
    speeds.map((speed) => h("option", { value: speed, selected: speed === value }, `${speed} a second`)));
