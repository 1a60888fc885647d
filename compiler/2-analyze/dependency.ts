import type { ObjectId } from "./object-id.ts";

/** `object` cannot be without `on`. */
export interface Dependency {
  readonly object: ObjectId;
  readonly on: ObjectId;
  /** A static value depends on the type of a column: it cannot change. */
  readonly onType?: true;
}
