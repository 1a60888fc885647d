/** Fields of the search index, for its creation and for its use in the browser. */
export const searchOptions = {
  fields: ["heading", "page", "text"],
  // Finds the plural by the singular, and the singular by the plural.
  processTerm: (term) => term.toLowerCase().replace(/(?<=\w{3}[^s])s$/, ""),
  searchOptions: {
    combineWith: "AND",
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { heading: 4, page: 3 },
  },
};
