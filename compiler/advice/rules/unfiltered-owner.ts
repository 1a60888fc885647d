/** Finds roles that read all rows of a table whose rows seem to belong to users. */
import type { AnalyzedSelect, AnalyzedTable, Predicate } from "../../2-analyze/analyzed-table.ts";
import { adminRole } from "../../3-lower/admin-role.ts";
import { type AdviceInput, type Finding, pathOf, type Rule } from "../model.ts";
import { looksLikeOwner } from "../name-words.ts";
import { dependsOnSession, isAlways, permissionId, placeIn, publicReads, tablesOf } from "../tables.ts";

export const unfilteredOwner: Rule = {
  id: "unfiltered-owner",
  title: "All rows of a table with owners",
  about: "A role reads all rows of a table whose rows seem to belong to users.",
  severity: "warning",
  *find(input) {
    const personal = personalRoles(input.analysis);
    for (const [, table] of tablesOf(input)) {
      yield undefined;
      const isPublic = new Set(publicReads(input, table));
      for (const select of table.select.values()) {
        if (select.role === adminRole || !isAlways(select.filter)) continue;
        const found = findingOf(table, select, personal.has(select.role) || isPublic.has(select));
        if (found)
          yield { ...found, path: `${pathOf(input, permissionId(table, "select", select.role))}.permission.filter` };
      }
    }
  },
};

/** Roles whose permissions depend on the session. Roles of staff usually have no row filters. */
function personalRoles({ sources }: Pick<AdviceInput["analysis"], "sources">): ReadonlySet<string> {
  const roles = new Set<string>();
  for (const { tables } of sources.values()) {
    for (const { select, insert, update, delete: remove } of tables.values()) {
      const filters = [...select.values(), ...update.values(), ...remove.values()];
      for (const { role, filter } of filters) if (dependsOnSession(filter)) roles.add(role);
      for (const { role, check } of insert.values()) if (dependsOnSession(check)) roles.add(role);
    }
  }
  return roles;
}

/** @param isPersonal true for a role that should not read the rows of other users */
function findingOf(
  table: AnalyzedTable,
  { role }: AnalyzedSelect,
  isPersonal: boolean,
): Omit<Finding, "path"> | undefined {
  const compared = isPersonal ? ownerByFilter(table) : undefined;
  const column = compared?.column ?? table.columns.find(({ name }) => looksLikeOwner(name))?.name;
  if (column === undefined) return undefined;
  const evidence = compared
    ? `the select permission of ${compared.role} compares ${column} with a session variable`
    : `the column ${column} seems to name the owner of a row`;
  return {
    rule: unfilteredOwner.id,
    severity: isPersonal ? "warning" : "note",
    place: placeIn(table, "select", role),
    reason: `role ${role} reads all rows of ${table.displayName}, because its filter is empty, and ${evidence}`,
    fix: `filter the rows of ${role}, for example by ${JSON.stringify({ [column]: { _eq: "X-Engine-User-Id" } })}, or add an exception if all rows are meant for it`,
  };
}

/** Returns the column that the select filter of another role compares with a session variable. */
function ownerByFilter({
  select,
  primaryKey,
}: AnalyzedTable): { readonly column: string; readonly role: string } | undefined {
  const key = primaryKey.length === 1 ? primaryKey[0]?.name : undefined;
  for (const { role, filter } of select.values()) {
    for (const part of comparisonsOfRow(filter)) {
      // Rows with the identifier of the user are users, whose profiles are often public.
      if (part.column.computed === undefined && part.column.name !== key) return { column: part.column.name, role };
    }
  }
  return undefined;
}

/** Yields comparisons of columns of the row itself with session variables. */
function* comparisonsOfRow(filter: Predicate): Iterable<Extract<Predicate, { kind: "compare" }>> {
  if (filter.kind === "and" || filter.kind === "or") for (const item of filter.items) yield* comparisonsOfRow(item);
  else if (filter.kind === "compare" && filter.operator === "_eq" && filter.operand.kind === "session") yield filter;
}
