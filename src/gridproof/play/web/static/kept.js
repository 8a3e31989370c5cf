// What this browser keeps: settings, the games that were begun, and what was solved with which counts.

function read(name, otherwise) {
  try {
    return { ...otherwise, ...JSON.parse(localStorage.getItem(`gridproof.${name}`) ?? "{}") };
  } catch {
    return { ...otherwise };
  }
}

function write(name, value) {
  try {
    localStorage.setItem(`gridproof.${name}`, JSON.stringify(value));
  } catch {
    // a full or forbidden storage: the game goes on without
  }
}

export const settings = read("settings", { theme: "auto", motion: "on", keys: {}, name: "", badge: "request" });

export function set(name, value) {
  settings[name] = value;
  write("settings", settings);
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  if (settings.motion === "off") root.dataset.motion = "off";
  else delete root.dataset.motion;
}

const MOST = 40;

/** The ids of the games that were begun here, the latest first. */
export const begun = () => Object.entries(read("sessions", {})).sort((a, b) => b[1] - a[1]).map(([id]) => id);

export function keep(id) {
  const all = { ...read("sessions", {}), [id]: Date.now() };
  const latest = Object.entries(all).sort((a, b) => b[1] - a[1]).slice(0, MOST);
  write("sessions", Object.fromEntries(latest));
}

export function forget(id) {
  const all = read("sessions", {});
  delete all[id];
  write("sessions", all);
}

/** Counts that a level was solved with here: {moves: 12}; undefined when it was not. */
export const solved = (key) => read("solved", {})[key];

/** Keep the least of each count; of a level without counts, that it was solved. */
export function keepSolved(key, counts) {
  const all = read("solved", {});
  const best = { ...all[key] };
  for (const [name, value] of Object.entries(counts)) best[name] = Math.min(best[name] ?? Infinity, value);
  write("solved", { ...all, [key]: best });
}
