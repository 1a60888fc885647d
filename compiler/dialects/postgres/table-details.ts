/** Indexes, constraints and the query of one relation, in one statement that reads `pg_catalog` alone. */

import { invariant } from "../../../runtime/values/errors.ts";
import type { TableShape } from "../../shape/shape.ts";
import type { ConstraintDetails, IndexDetails, TableDetails } from "../../shape/table-details.ts";
import type { Query } from "../dialect.ts";

const constraintTypes: Readonly<Record<string, ConstraintDetails["type"]>> = { c: "check", x: "exclusion" };

/** Unlike introspection it prints definitions through the server: they are for people, whatever the `search_path`. */
function tableDetailsStatement(oid: number): string {
  invariant(Number.isSafeInteger(oid), "an oid is a number");
  return `SELECT 'index', i.relname::text, pg_catalog.pg_get_indexdef(x.indexrelid), x.indisunique::text, x.indisprimary::text
FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
WHERE x.indrelid = ${oid}
UNION ALL
SELECT 'constraint', k.conname::text, pg_catalog.pg_get_constraintdef(k.oid, true), k.contype::text, NULL
FROM pg_catalog.pg_constraint k
WHERE k.conrelid = ${oid} AND k.contype IN ('c', 'x')
UNION ALL
SELECT 'view', NULL, pg_catalog.pg_get_viewdef(c.oid, true), NULL, NULL
FROM pg_catalog.pg_class c
WHERE c.oid = ${oid} AND c.relkind IN ('v', 'm')
ORDER BY 1, 2`;
}

export async function readTableDetails(query: Query, { id }: TableShape): Promise<TableDetails> {
  const indexes: IndexDetails[] = [];
  const constraints: ConstraintDetails[] = [];
  let viewDefinition: string | null = null;
  for (const [section, name, definition, first, second] of await query(tableDetailsStatement(id))) {
    // Dropped since the statement began.
    if (typeof definition !== "string") continue;
    if (section === "view") viewDefinition = definition;
    else if (section === "index") {
      indexes.push({ name: name ?? "", unique: first === "true", primary: second === "true", definition });
    } else {
      constraints.push({ name: name ?? "", type: constraintTypes[first ?? ""] ?? "check", definition });
    }
  }
  return { indexes, constraints, viewDefinition };
}
