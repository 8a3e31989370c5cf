// Labels of counts.

/** The label of a count: the best ones are those of all players on the server. */
export const countLabel = (word) => (/^(best|high) /.test(word) ? `${word} on this server` : word);
