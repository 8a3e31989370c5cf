// Set the theme before the first paint: the chosen one, else that of the system.
"use strict";
(() => {
  let settings = null;
  try {
    settings = JSON.parse(localStorage.getItem("gridproof.settings") ?? "{}");
  } catch {
    settings = null;
  }
  const root = document.documentElement;
  if (settings?.theme === "light" || settings?.theme === "dark") root.dataset.theme = settings.theme;
  if (settings?.motion === "off") root.dataset.motion = "off";
})();
