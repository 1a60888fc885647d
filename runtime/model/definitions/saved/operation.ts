/** Saved operations of query collections in generated modules. */
import type { SavedVariable } from "./variable.ts";

export interface SavedOperation {
  readonly collection: string;
  readonly name: string;
  /** Name in the document. */
  readonly operationName?: string;
  readonly kind: "query" | "mutation" | "subscription";
  /** The stored text. */
  readonly text: string;
  readonly variables: Readonly<Record<string, SavedVariable>>;
}

export function savedOperation(operation: SavedOperation): SavedOperation {
  return operation;
}
