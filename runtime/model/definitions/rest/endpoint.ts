/** REST endpoints as their generated modules declare them. */
import type { SavedOperation } from "../saved/operation.ts";

export const restMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type RestMethod = (typeof restMethods)[number];

export interface RestEndpoint {
  readonly name: string;
  /** Below `/api/rest/`; segments that begin with `:` stand for variables. */
  readonly path: string;
  readonly methods: readonly RestMethod[];
  readonly operation: SavedOperation;
}

export function restEndpoint(endpoint: RestEndpoint): RestEndpoint {
  return endpoint;
}

/** Without the slash that a path may be written with. */
export function pathSegments(path: string): readonly string[] {
  return path.replace(/^\//, "").split("/");
}

/** The name of the variable that a segment stands for; `undefined`: it stands for itself. */
export function pathVariable(segment: string): string | undefined {
  return segment.startsWith(":") ? segment.slice(1) : undefined;
}
