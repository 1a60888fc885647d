/** Computes the terms of the metadata that explanations use, for artifacts, which contain no metadata. */
import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import type { PlannedProgram } from "../5-plan/planned-program.ts";
import type { PermissionKind } from "../catalog/model.ts";
import { filtersOf } from "./explain-table.ts";
import type { ExplainedPart } from "./explanation.ts";
import type { AccessTerms, PermissionTerms, TableTerms } from "./model.ts";
import { rootOwners } from "./root-owner.ts";
import { accessKey } from "./table-access.ts";
import { factsOfTable } from "./table-facts.ts";

const operations = ["select", "insert", "update", "delete"] as const satisfies readonly PermissionKind[];

/** @param roles roles of the program; `admin` has no permissions */
export function termsOf(analysis: Analysis, planned: PlannedProgram, roles: readonly string[]): AccessTerms {
  const tables = [...analysis.sources.values()].flatMap((source) =>
    [...source.tables.values()].map((table) => {
      const key = accessKey(source.name, table.table.table);
      return [key, tableTerms(analysis, source, table, roles)] as const;
    }),
  );
  const roots = planned.readAdmin((schema) => [...rootOwners(schema)]);
  const parents = [...analysis.inheritedRoles].map(([role, { role_set }]) => [role, role_set] as const);
  return {
    parents: Object.fromEntries(parents),
    tables: Object.fromEntries(tables),
    roots: Object.fromEntries(roots),
  };
}

function tableTerms(
  analysis: Analysis,
  source: AnalyzedSource,
  table: AnalyzedTable,
  roles: readonly string[],
): TableTerms {
  const factsOf = (role: string, operation: PermissionKind) =>
    factsOfTable(analysis, source, table, { role, operation });
  const { displayName, names, key } = factsOf("admin", "select");
  const permissions = roles.flatMap((role) => {
    const granted = operations.flatMap((operation) => {
      const terms = permissionTerms(analysis, source, table, role, operation);
      return terms ? [[operation, terms] as const] : [];
    });
    return granted.length === 0 ? [] : [[role, Object.fromEntries(granted)] as const];
  });
  return {
    displayName,
    source: source.name,
    type: table.graphqlName,
    names,
    key,
    supports: operations.filter((operation) => factsOf("admin", operation).isSupported),
    permissions: Object.fromEntries(permissions),
  };
}

function permissionTerms(
  analysis: Analysis,
  source: AnalyzedSource,
  table: AnalyzedTable,
  role: string,
  operation: PermissionKind,
): PermissionTerms | undefined {
  const { permission } = factsOfTable(analysis, source, table, { role, operation });
  if (permission === "every" || "missing" in permission) return undefined;
  const { rows, check } = filtersOf(analysis, source, table, { role, operation });
  const { queryRootFields = null, subscriptionRootFields = null } = permission.select ?? {};
  return {
    owners: permission.owners,
    ...(rows && { rows: shown(rows) }),
    ...(check && { check: shown(check) }),
    ...(queryRootFields && { queryRootFields }),
    ...(subscriptionRootFields && { subscriptionRootFields }),
  };
}

/** Returns a part without the condition that evaluates it. */
function shown({ expression, role, permission, parts = [] }: ExplainedPart): ExplainedPart {
  return {
    expression,
    ...(role !== undefined && { role }),
    ...(permission !== undefined && { permission }),
    ...(parts.length > 0 && { parts: parts.map(shown) }),
  };
}
