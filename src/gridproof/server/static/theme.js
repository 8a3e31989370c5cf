// Set the theme and the motion before the first paint; "auto" is the system's theme.
"use strict";
try {
  const { theme = "auto", motion = "on" } = JSON.parse(localStorage.getItem("gridproof.settings")) ?? {};
  Object.assign(document.documentElement.dataset, { theme, motion });
} catch {
  // no storage
}
