/** The kinds of database that are implemented. Nothing else lists them. */

import type { SourceKind } from "../catalog/model.ts";
import type { Dialect } from "./dialect.ts";
import { postgres } from "./postgres/introspect.ts";

export const dialects: readonly Dialect[] = [postgres];

/** The dialect of a kind of source; `undefined` if this build has none, which is a diagnostic of that source. */
export function dialectOf(kind: SourceKind): Dialect | undefined {
  return dialects.find((dialect) => dialect.kind === kind);
}
