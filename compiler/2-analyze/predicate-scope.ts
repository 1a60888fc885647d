/** Where a boolean expression stands: what its names can mean, and who keeps the record of what it needs. */
import type { SourceContext } from "./source-context.ts";
import type { TableFields, TablesByKey } from "./table-fields.ts";
import type { Uses } from "./uses.ts";

export interface PredicateScope {
  readonly context: SourceContext;
  readonly tables: TablesByKey;
  /** The table that the permission is of: what `$` means. */
  readonly root: TableFields;
  /** The table whose row the expression is about. */
  readonly row: TableFields;
  readonly uses: Uses;
}
