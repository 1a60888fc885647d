/** REST endpoints in generated modules. */
import type { SavedOperation } from "../saved/operation.ts";

export const restMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type RestMethod = (typeof restMethods)[number];

export interface RestEndpoint {
  readonly name: string;
  /** Path below `/api/rest/`; segments with a leading `:` are variables. */
  readonly path: string;
  readonly methods: readonly RestMethod[];
  readonly comment?: string;
  readonly operation: SavedOperation;
}

export function restEndpoint(endpoint: RestEndpoint): RestEndpoint {
  return endpoint;
}

/** Splits a path, with or without a leading slash. */
export function pathSegments(path: string): readonly string[] {
  return path.replace(/^\//, "").split("/");
}

/** Returns the name of a variable segment; `undefined` for a literal. */
export function pathVariable(segment: string): string | undefined {
  return segment.startsWith(":") ? segment.slice(1) : undefined;
}
