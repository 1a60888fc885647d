/** Row filters that test related rows by the role's view of their table. */
import type { TableView } from "./reachable.ts";
import type { RowFilter } from "./row-filter.ts";
import { type Sql, sql, verbatim } from "./sql.ts";
import type { Join } from "./table.ts";

/**
 * Returns the rows with a related row that the role may read.
 * @param target the view of the related table; its row limit does not apply
 */
export function whereReadable(join: Join, target: () => TableView): RowFilter {
  return (row, session) => {
    const { table, visible } = target();
    const related = verbatim(aliasWithin(row));
    const joined = join.on(row, related);
    const condition = visible ? sql`${joined} and (${visible(related, session)})` : joined;
    return sql`exists (select 1 from ${verbatim(table.sql)} ${related} where ${condition})`;
  };
}

const alias = /^r(\d+)$/;

/**
 * Returns an alias that differs from the row's. Aliases of row filters end with an underscore and a number, those of
 * statements begin with another letter. A filter refers only to its own row, so deeper filters may reuse an alias.
 */
function aliasWithin({ parts: [row] }: Sql): string {
  const number = typeof row === "string" ? alias.exec(row)?.[1] : undefined;
  return `r${Number(number ?? 0) + 1}`;
}
