// Generated: change the metadata, not this file.
// From   REST endpoint Search
// Slice  sha256:e2e870b7

import { restEndpoint } from "engine/support";
import { operation } from "../operations/desk.search.js";

/** POST /api/rest/search: query search of collection desk. */
export const endpoint = restEndpoint({
  name: "Search",
  path: "search",
  methods: ["POST"],
  operation,
});
