/**
 * The templates of a new object. That they can be read is found out by whoever can read templates, which is no part of
 * the compiler: a change only says which there are. Input: the object; output: a part of the change.
 */

import type { JsonObject } from "../catalog/model.ts";
import type { Endpoint } from "./endpoint.ts";

export interface Transforms {
  readonly request_transform?: JsonObject;
  readonly response_transform?: JsonObject;
}

/** `/v1/query` stores templates as they are (`metadata-api.md` 3.1). */
export function transformsOf(
  { endpoint }: { readonly endpoint: Endpoint },
  { request_transform, response_transform }: Transforms,
): { readonly transforms?: Transforms } {
  if (endpoint !== "/v1/metadata") return {};
  return {
    transforms: {
      ...(request_transform !== undefined && { request_transform }),
      ...(response_transform !== undefined && { response_transform }),
    },
  };
}
