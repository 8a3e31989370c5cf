// The action by which a player begins a featured level: it is done as soon as the new session is shown.

let first = null;

/** Keep what is to be done first in a session: the text of an action, or a place that was pointed at. */
export const keepFirstAction = (id, what) => {
  first = { id, what };
};

/** The first action of a session, once; undefined without any. */
export function takeFirstAction(id) {
  const { what } = first?.id === id ? first : {};
  first = null;
  return what;
}
