/** Reads tables and permissions for the rules of advice. */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import { escapePart } from "../2-analyze/analysis.ts";
import type { AnalyzedSelect, AnalyzedTable, Operand, Predicate } from "../2-analyze/analyzed-table.ts";
import { readingPermissions } from "../2-analyze/inherited-permissions.ts";
import type { ObjectId } from "../2-analyze/object-id.ts";
import { partsOf } from "../2-analyze/predicate-parts.ts";
import { accessKey } from "../access/table-access.ts";
import type { PermissionKind } from "../catalog/model.ts";
import type { AdviceInput } from "./model.ts";

/** Yields all tables of all sources. */
export function* tablesOf({ analysis }: AdviceInput): Iterable<readonly [AnalyzedSource, AnalyzedTable]> {
  for (const source of analysis.sources.values()) {
    for (const table of source.tables.values()) yield [source, table];
  }
}

/** Returns the names of a table and of a part of it, separated by dots. */
export function placeIn({ source, table: { table } }: AnalyzedTable, ...parts: readonly string[]): string {
  return [accessKey(source, table), ...parts.map(escapePart)].join(".");
}

export function permissionId(
  { source, table: { table } }: AnalyzedTable,
  permission: PermissionKind,
  role: string,
): ObjectId {
  return { kind: "permission", source, table, permission, role };
}

/** Returns the select permissions that apply to requests without credentials. */
export function publicReads(
  { analysis, unauthorizedRole }: AdviceInput,
  table: AnalyzedTable,
): readonly AnalyzedSelect[] {
  if (unauthorizedRole == null) return [];
  const grants = { permissions: table.select, declared: table.table.select_permissions };
  return readingPermissions(grants, unauthorizedRole, analysis.inheritedRoles);
}

/** Returns true if the predicate holds for every row. */
export function isAlways(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case "and":
      return predicate.items.every(isAlways);
    case "or":
      return predicate.items.some(isAlways);
    default:
      return false;
  }
}

/** Returns true if the rows depend on a session variable. */
export function dependsOnSession(predicate: Predicate): boolean {
  for (const part of partsOf(predicate)) {
    if (sessionVariables(part).length > 0) return true;
    if (part.kind === "computed_rows" && part.computed.sessionArgument !== undefined) return true;
  }
  return false;
}

/** Returns the session variables that a comparison uses. */
function sessionVariables(predicate: Predicate): readonly string[] {
  const operands: readonly (Operand | undefined)[] =
    predicate.kind === "compare"
      ? [predicate.operand]
      : predicate.kind === "compare_structured"
        ? predicate.operands
        : [];
  return operands.flatMap((operand) => (operand?.kind === "session" ? [operand.variable] : []));
}
