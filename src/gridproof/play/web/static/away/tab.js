// This tab among all tabs of this browser: what is done in it is kept under its name, which it has again after a reload.

const NAME = "gridproof.tab";
const LOCK = `${NAME}.`;
const RELOAD = 500; // milliseconds in which the page before a reload has let go of the name
let naming;

/** The name of this tab. No other page that is open has it: one that was duplicated gets a name of its own. */
export const tab = () => (naming ??= named());

async function named() {
  const before = kept();
  if (before && (await held(before))) return before;
  const name = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
  await held(name);
  try {
    sessionStorage.setItem(NAME, name);
  } catch {
    // forbidden: after a reload it is another tab
  }
  return name;
}

function kept() {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

// Only pages that came over HTTPS or from this machine have locks; elsewhere every other tab counts as closed.
const held = (name) =>
  new Promise((resolve) => {
    if (!navigator.locks) resolve(true);
    else navigator.locks.request(LOCK + name, { signal: AbortSignal.timeout(RELOAD) }, () => {
      resolve(true);
      return new Promise(() => undefined); // until the page ends
    }).catch(() => resolve(false));
  });

/** The names of all tabs that are open. */
export async function openTabs() {
  const all = await navigator.locks?.query().catch(() => null);
  return new Set((all?.held ?? []).map(({ name }) => name.slice(LOCK.length)));
}
