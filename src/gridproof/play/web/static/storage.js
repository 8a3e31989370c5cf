// What this browser keeps, as JSON. What a full or forbidden storage does not take is kept as long as the page is there.

const unstored = new Map();

/** What is kept under a key; null where there is nothing. */
export function read(key) {
  if (unstored.has(key)) return unstored.get(key);
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Keep a value under a key; null is kept nowhere. */
export function write(key, value) {
  unstored.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    unstored.set(key, structuredClone(value));
  }
}

/** The keys that begin so, of what is stored. */
export function keysFrom(start) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(start));
  } catch {
    return [];
  }
}
