// Generated: change the metadata, not this file.
// From   REST endpoint Renew
// Slice  sha256:bf0e9354

import { restEndpoint } from "engine/support";
import { operation } from "../operations/desk.renew.js";

/** PATCH /api/rest/loans/:loan: query renew of collection desk. */
export const endpoint = restEndpoint({
  name: "Renew",
  path: "loans/:loan",
  methods: ["PATCH"],
  operation,
});
