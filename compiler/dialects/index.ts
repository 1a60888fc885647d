/** Registry of the implemented database kinds. */

import type { SourceKind } from "../catalog/model.ts";
import type { Dialect } from "./dialect.ts";
import { mssql } from "./mssql/introspect.ts";
import { postgres } from "./postgres/introspect.ts";

const dialects: Readonly<Record<SourceKind, Dialect>> = { mssql, postgres };

export const allDialects: readonly Dialect[] = Object.values(dialects);

export function dialectOf(kind: SourceKind): Dialect {
  return dialects[kind];
}
