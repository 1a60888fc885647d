const wordsOf = (text) => text.split(/[^\p{L}\p{N}_]+/u).map((word) => word.replace(/^_+|_+$/g, ""));

/** Splits names such as `on_conflict` into their parts. */
export const partsOf = (text) => wordsOf(text).flatMap((word) => word.split("_"));

const maxTermLength = 40;

/** Fields of the search index, for its creation and for its use in the browser. */
export const searchOptions = {
  fields: ["heading", "page", "text"],
  // Names are found as a whole and by their parts.
  tokenize: (text) => wordsOf(text).flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word])),
  // Finds the plural by the singular, and the singular by the plural. Long terms are encoded data.
  processTerm: (term) =>
    term === "" || term.length > maxTermLength ? null : term.toLowerCase().replace(/(?<=\w{3}[^s])s$/, ""),
  searchOptions: {
    tokenize: wordsOf,
    combineWith: "AND",
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { heading: 4, page: 3 },
  },
};
