import type { ObjectId } from "./object-id.ts";

/** `object` requires `on`. */
export interface Dependency {
  readonly object: ObjectId;
  readonly on: ObjectId;
  /** A static value depends on the column's type, which therefore must not change. */
  readonly onType?: true;
}
