// Generated: change the metadata, not this file.
// From   REST endpoint Lend
// Slice  sha256:68af5cee

import { restEndpoint } from "engine/support";
import { operation } from "../operations/desk.lend.js";

/** POST /api/rest/loans: query lend of collection desk. */
export const endpoint = restEndpoint({ name: "Lend", path: "loans", methods: ["POST"], operation });
