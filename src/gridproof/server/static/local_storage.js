// Values in this browser's storage, as JSON. Where that is full or forbidden, they last as long as the page.

const memory = new Map();

/** The value of a key; null where there is none. An `area` is "localStorage", or "sessionStorage" for this tab alone. */
export function load(key, area = "localStorage") {
  if (memory.has(key)) return memory.get(key);
  try {
    return JSON.parse(globalThis[area].getItem(key));
  } catch {
    return null;
  }
}

/** Store a value under a key; null deletes it. */
export function save(key, value, area = "localStorage") {
  memory.delete(key);
  try {
    if (value === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, JSON.stringify(value));
  } catch {
    memory.set(key, structuredClone(value));
  }
}
