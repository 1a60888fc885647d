/** `GET /v1/version`. */

import type { Handler } from "../ports/request.ts";
import { anonymous, jsonResponse } from "./responses.ts";

/** @param version of the package, without a `v` in front */
export function versionHandler(version: string): Handler {
  const response = jsonResponse(200, JSON.stringify({ version: `v${version}` }), anonymous);
  return () => Promise.resolve(response);
}
