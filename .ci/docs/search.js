// The search index. Loaded by the first search, from a `script` element, because pages of the file system cannot fetch.
import MiniSearch from "minisearch";
import { partsOf, searchOptions } from "./search-options.mjs";

const maxResults = 20;

/* global searchIndexText: defined by the build */
const { index, sections } = JSON.parse(searchIndexText);
/** Pages precede their sections. */
const boostDocument = (id) => (sections[id][2] === "" ? 1.5 : 1);
const mini = MiniSearch.loadJS(index, searchOptions);

/**
 * Finds sections.
 * @returns the number of found sections, and the first ones with the terms that match
 */
globalThis.searchDocs = (query) => {
  const whole = mini.search(query, { boostDocument });
  const found = whole.length > 0 ? whole : mini.search(query, { boostDocument, tokenize: partsOf });
  return {
    count: found.length,
    results: found.slice(0, maxResults).map(({ id, terms }) => {
      const [path, page, heading, kind, excerpt] = sections[id];
      return { path, page, heading, kind, excerpt, terms };
    }),
  };
};
dispatchEvent(new Event("search-ready"));
