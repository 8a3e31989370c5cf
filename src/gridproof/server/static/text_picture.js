// Pictures of levels that only the browser has: packs of its own, and collections in the editor.

import { request } from "./api.js";
import { h } from "./dom.js";

const MOST_PICTURES = 300; // that are kept
const drawn = new Map(); // what was asked for -> the promise of its address

/** A picture of a level of a text: {text, game, level}. It is requested once it comes into sight, and vanishes if there is none. */
export function textPicture(what, width) {
  const image = h("img", { alt: "", width, height: width * 3 / 4, className: "waiting" });
  new IntersectionObserver((entries, observer) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    address({ ...what, width }).then((source) => {
      image.src = source;
    }, () => image.remove());
  }).observe(image);
  return image;
}

function address(body) {
  const key = JSON.stringify(body);
  if (!drawn.has(key)) drawn.set(key, request("pictures", body).then((svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`));
  if (drawn.size > MOST_PICTURES) drawn.delete(drawn.keys().next().value);
  drawn.get(key).catch(() => drawn.delete(key));
  return drawn.get(key);
}
