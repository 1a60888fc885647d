/** Where a boolean expression stands: what its names can mean, and who keeps the record of what it needs. */
import type { SourceContext } from "./source-context.ts";
import type { TableFields, TablesByKey } from "./table-fields.ts";
import type { Uses } from "./uses.ts";

export interface PredicateScope {
  readonly context: SourceContext;
  readonly tables: TablesByKey;
  /** The table that the permission is of: what `$` means; `null` among rows of another source. */
  readonly root: TableFields | null;
  /** The table whose row the expression is about. */
  readonly row: TableFields;
  readonly uses: Uses;
  readonly others: OtherSources;
}

/** What relationships lead to that leave the source. */
export interface OtherSources {
  /** `undefined`: there is none of that name, or it cannot be served. */
  named(name: string): OtherSource | undefined;
  /** Whether it is not the same as in the previous Analysis, or was not there, or is not there any more. */
  hasChanged(name: string): boolean;
  anyHasChanged(besides: string): boolean;
}

export interface OtherSource {
  readonly context: SourceContext;
  readonly tables: TablesByKey;
}
