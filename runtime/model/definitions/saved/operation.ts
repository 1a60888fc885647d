/** Operations of query collections as their generated modules declare them. */
import type { SavedVariable } from "./variable.ts";

export interface SavedOperation {
  readonly collection: string;
  readonly name: string;
  /** What its document calls it. */
  readonly operationName?: string;
  readonly kind: "query" | "mutation" | "subscription";
  /** As it is stored. */
  readonly text: string;
  readonly variables: Readonly<Record<string, SavedVariable>>;
}

export function savedOperation(operation: SavedOperation): SavedOperation {
  return operation;
}
