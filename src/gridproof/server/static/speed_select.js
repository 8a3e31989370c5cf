// A select for the speed of a replay; the server lists the speeds.

import { h } from "./dom.js";

/** A select of speeds; `onChange(speed)` is called on a change. */
export const speedSelect = (speeds, value, onChange = () => undefined, properties = {}) =>
  h("select", { "aria-label": "Steps a second", ...properties, onchange: (event) => onChange(Number(event.target.value)) },
    speeds.map((speed) => h("option", { value: speed, selected: speed === value }, `${speed} a second`)));
