// Generated: change the metadata, not this file.
// From   REST endpoint My loans
// Slice  sha256:1525c77b

import { restEndpoint } from "engine/support";
import { operation } from "../operations/desk.my_loans.js";

/** GET /api/rest/my/loans: query my_loans of collection desk. */
export const endpoint = restEndpoint({
  name: "My loans",
  path: "my/loans",
  methods: ["GET"],
  operation,
});
