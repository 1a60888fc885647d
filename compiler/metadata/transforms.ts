/**
 * Transforms of a new object. The compiler does not parse templates: a change lists them for its caller to validate.
 */

import type { JsonObject } from "../catalog/model.ts";
import type { Endpoint } from "./endpoint.ts";

export interface Transforms {
  readonly request_transform?: JsonObject;
  readonly response_transform?: JsonObject;
}

/** Returns the transforms to validate. `/v1/query` stores them without validation. */
export function transformsOf(
  { endpoint }: { readonly endpoint: Endpoint },
  { request_transform, response_transform }: Transforms,
): { readonly transforms?: readonly Transforms[] } {
  if (endpoint !== "/v1/metadata") return {};
  return {
    transforms: [
      {
        ...(request_transform !== undefined && { request_transform }),
        ...(response_transform !== undefined && { response_transform }),
      },
    ],
  };
}
