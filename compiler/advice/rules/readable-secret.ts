/** Finds roles that read columns named like secrets, in rows that do not belong to the user. */
import type { AnalyzedSelect, AnalyzedTable } from "../../2-analyze/analyzed-table.ts";
import { adminRole } from "../../3-lower/admin-role.ts";
import { type AdviceInput, type Finding, pathOf, type Rule } from "../model.ts";
import { looksSecret } from "../name-words.ts";
import { dependsOnSession, permissionId, placeIn, publicReads, tablesOf } from "../tables.ts";

export const readableSecret: Rule = {
  id: "readable-secret",
  title: "Readable secret",
  about: "A role reads a column that seems to contain a password, a token, a key or a hash, in rows of all users.",
  severity: "error",
  *find(input) {
    for (const [, table] of tablesOf(input)) {
      yield undefined;
      const isPublic = new Set(publicReads(input, table));
      for (const select of table.select.values()) {
        // Users may read their own secrets.
        if (select.role === adminRole || (!isPublic.has(select) && dependsOnSession(select.filter))) continue;
        for (const { name, ...column } of select.columns) {
          if (!looksSecret({ name, ...column })) continue;
          const path = columnPath(input, table, select, name);
          yield { ...findingOf(table, select, name, isPublic.has(select)), path };
        }
      }
    }
  },
};

/** Returns the path of the column in the permission. */
function columnPath(input: AdviceInput, table: AnalyzedTable, select: AnalyzedSelect, column: string): string {
  const { columns } = select.permission.permission;
  const index = columns === "*" ? -1 : columns.indexOf(column);
  const path = `${pathOf(input, permissionId(table, "select", select.role))}.permission.columns`;
  return index < 0 ? path : `${path}[${index}]`;
}

function findingOf(
  table: AnalyzedTable,
  { role }: AnalyzedSelect,
  column: string,
  isPublic: boolean,
): Omit<Finding, "path"> {
  const readers = isPublic ? `role ${role}, whose permissions apply without credentials,` : `role ${role}`;
  return {
    rule: readableSecret.id,
    severity: isPublic ? "error" : "warning",
    place: placeIn(table, "select", role, column),
    reason: `${readers} reads the column ${column} of ${table.displayName}, which seems to contain a secret`,
    fix: `remove ${column} from the columns of the select permission of ${role}`,
  };
}
