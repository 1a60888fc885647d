/** Which tables a change of metadata replaced: told by identity, place by place, without a look into the others. */
import type { Table } from "./model.ts";

export interface ReplacedTable {
  readonly before: Table;
  readonly after: Table;
}

/** The tables that are other objects; `undefined` unless both lists name the same tables in the same order. */
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
