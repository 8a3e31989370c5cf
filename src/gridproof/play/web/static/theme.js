// Before the first paint: the theme that was chosen here, else what the surroundings ask for.
"use strict";
(() => {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem("gridproof.settings") ?? "{}");
  } catch {
    kept = null;
  }
  const root = document.documentElement;
  if (kept?.theme === "light" || kept?.theme === "dark") root.dataset.theme = kept.theme;
  if (kept?.motion === "off") root.dataset.motion = "off";
})();
