// This tab among all tabs of this browser: what is done in it is kept under its name, which it has again after a reload.

const NAME = "gridproof.tab";
const LOCK = `${NAME}.`;
const RELOAD = 10000; // milliseconds in which the page before a reload has let go of the name
const [WHO, HERE] = ["who", "here"]; // what tabs of one name say to each other
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
async function held(name) {
  if (!navigator.locks) return true;
  const others = new BroadcastChannel(LOCK + name);
  const waiting = new AbortController();
  const giveUp = () => waiting.abort();
  const timer = setTimeout(giveUp, RELOAD);
  others.onmessage = ({ data }) => data === HERE && giveUp(); // a page that only loads again says nothing any more
  others.postMessage(WHO);
  const given = new Promise((resolve) => {
    navigator.locks.request(LOCK + name, { signal: waiting.signal }, () => {
      resolve(true);
      return new Promise(() => undefined); // until the page ends
    }).catch(() => resolve(false));
  });
  const mine = await given;
  clearTimeout(timer);
  if (mine) others.onmessage = ({ data }) => data === WHO && others.postMessage(HERE);
  else others.close();
  return mine;
}

/** The names of all tabs that are open. */
export async function openTabs() {
  const all = await navigator.locks?.query().catch(() => null);
  return new Set((all?.held ?? []).map(({ name }) => name.slice(LOCK.length)));
}
