/** Finds the tables that a change of metadata replaced, comparing both lists by identity and position. */
import type { Table } from "./model.ts";

export interface ReplacedTable {
  readonly before: Table;
  readonly after: Table;
}

/** Returns the replaced tables; `undefined` unless both lists name the same tables in the same order. */
export function replacedTables(
  before: readonly Table[],
  after: readonly Table[],
): readonly ReplacedTable[] | undefined {
  if (before.length !== after.length) return undefined;
  const replaced: ReplacedTable[] = [];
  for (let i = 0; i < after.length; i++) {
    const [known, table] = [before[i], after[i]];
    if (known === table || known === undefined || table === undefined) continue;
    if (known.table.name !== table.table.name || known.table.schema !== table.table.schema) return undefined;
    replaced.push({ before: known, after: table });
  }
  return replaced;
}
