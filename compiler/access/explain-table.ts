/** Explains what a role may do with a table: the checks that a request passes, each with its reason. */
import { didYouMean } from "../../runtime/values/nearest-name.ts";
import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedInsert, AnalyzedTable, Predicate } from "../2-analyze/analyzed-table.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import type { PermissionKind } from "../catalog/model.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectOf } from "../dialects/index.ts";
import { failed, passed, type Step, unknown } from "./explanation.ts";
import { type FilterPart, filterParts, mergedParts } from "./filter-parts.ts";
import {
  type AnyPermission,
  factsOfTable,
  isSelect,
  type MissingPermission,
  namesOf,
  type PermissionFacts,
  permissionOf,
  type RoleFacts,
  type SelectFacts,
  type TableAction,
  type TableFacts,
} from "./table-facts.ts";

export interface TableExplanation {
  readonly steps: readonly Step[];
  /** Row filter of a select, update or delete permission; absent without a permission. */
  readonly rows?: FilterPart;
  /** Check of an insert or update permission. */
  readonly check?: FilterPart;
  /** Parents that grant a column or computed field, for those that not all parents grant. */
  readonly cells?: SelectFacts["cells"];
  /** Columns that the permission sets. */
  readonly presets?: AnalyzedInsert["presets"];
}

/** Explains an operation on a table, up to the checks that depend on rows. */
export function explainTable(
  analysis: Analysis,
  source: AnalyzedSource,
  table: AnalyzedTable,
  action: TableAction,
): TableExplanation {
  const facts = factsOfTable(analysis, source, table, action);
  const cells = typeof facts.permission === "object" && "select" in facts.permission && facts.permission.select?.cells;
  return {
    steps: tableSteps(facts, action),
    ...filtersOf(analysis, source, table, action),
    ...(cells && { cells }),
  };
}

/** Returns the row filter and the check of a permission in parts, and its column presets. */
export function filtersOf(
  analysis: Analysis,
  source: AnalyzedSource,
  table: AnalyzedTable,
  action: Pick<TableAction, "role" | "operation"> & Partial<Pick<TableAction, "columns">>,
): Pick<TableExplanation, "rows" | "check" | "presets"> {
  const permission = action.role === adminRole ? undefined : permissionOf(analysis, source, table, action);
  if (permission === undefined) return {};
  const dialect = dialectOf(source.source.kind);
  const parts = partsOf(permission, action.columns ?? []);
  const rows = conditionOf("filter", permission, parts, dialect);
  const check = conditionOf("check", permission, parts, dialect);
  return {
    ...(rows && { rows }),
    ...(check && { check }),
    ...("presets" in permission && { presets: permission.presets }),
  };
}

/** Returns the permissions that a merged one consists of, of those that list all columns to set; else the permission. */
function partsOf(permission: AnyPermission, columns: readonly string[]): readonly AnyPermission[] {
  const parents: readonly AnyPermission[] | undefined = permission.parents;
  if (parents === undefined || isSelect(permission)) return parents ?? [permission];
  const listing = parents.filter((parent) => listsAll(namesOf(parent), columns));
  return listing.length > 0 ? listing : parents;
}

const listsAll = (listed: readonly string[], names: readonly string[]): boolean =>
  names.every((name) => listed.includes(name));

/** Returns the filter or check of a permission. */
function conditionOf(
  member: "filter" | "check",
  permission: AnyPermission,
  parts: readonly AnyPermission[],
  dialect: Dialect,
): FilterPart | undefined {
  const of = (part: Partial<Record<typeof member, Predicate>>): Predicate | undefined => part[member];
  const own = of(permission);
  if (own === undefined || permission.parents === undefined) return own && filterParts(own, dialect);
  const conditions = parts.map((part) => ({ role: part.role, condition: of(part) ?? own }));
  return mergedParts(conditions, dialect);
}

/** Explains an operation on a table from its facts. */
export function tableSteps(facts: TableFacts, action: TableAction): readonly Step[] {
  const { displayName, permission } = facts;
  const supported = facts.isSupported
    ? []
    : [failed("permission", `the database does not support ${action.operation} on ${displayName}`)];
  if (permission === "every") {
    const granted = passed("permission", `role admin has every permission on ${displayName}`);
    return [granted, ...supported, ...action.columns.flatMap((name) => unknownColumn(facts, name) ?? [])];
  }
  const byRole = roleSteps(facts.role, action.role);
  if ("missing" in permission) return [...byRole, missingPermission(displayName, permission, action)];
  return [
    ...byRole,
    grantedBy(displayName, permission, action),
    ...supported,
    ...backendSteps(permission, action),
    ...(permission.select
      ? readSteps(facts, permission, permission.select, action)
      : writeSteps(facts, permission, action)),
  ];
}

/** Fails for a role that the metadata does not name; lists the parents of an inherited role. */
export function roleSteps({ known, parents }: RoleFacts, role: string): readonly Step[] {
  if (parents) return [passed("role", `role ${role} inherits from ${parents.join(", ")}`)];
  if (known.includes(role)) return [];
  return [failed("role", `the metadata does not name role ${role}`, didYouMean(role, known))];
}

function missingPermission(displayName: string, found: MissingPermission, { role, operation }: TableAction): Step {
  switch (found.missing) {
    case "inconsistent": {
      const reason = `the ${operation} permission of role ${role} on ${displayName} is inconsistent`;
      return failed("permission", reason, "see get_inconsistent_metadata");
    }
    case "conflict": {
      const parents = found.parents.join(", ");
      const reason = `the ${operation} permissions of the parent roles ${parents} on ${displayName} differ, so role ${role} inherits none`;
      const own = `declare the ${operation} permission for role ${role} itself`;
      const { why } = found;
      return why === undefined
        ? failed("permission", reason, `${own}, or set merge of the inherited role`)
        : failed("permission", `${reason}: ${why}`, own);
    }
    case "reference": {
      const { parents, why } = found;
      const reason = `role ${role} inherits no ${operation} permission on ${displayName} from ${parents.join(", ")}: ${why}`;
      return failed("permission", reason, `declare the ${operation} permission for role ${role} itself`);
    }
    case "undeclared": {
      const { others } = found;
      const hint = others.length === 0 ? undefined : `roles with this permission: ${others.join(", ")}`;
      return failed("permission", `role ${role} has no ${operation} permission on ${displayName}`, hint);
    }
  }
}

function grantedBy(displayName: string, { owners }: PermissionFacts, { role, operation }: TableAction): Step {
  const inherited = owners.length === 1 && owners[0] === role ? "" : `, inherited by role ${role}`;
  const subject = owners.length === 1 ? `permission of role ${owners[0]}` : `permissions of roles ${owners.join(", ")}`;
  return passed("permission", `${operation} ${subject} on ${displayName}${inherited}`);
}

function backendSteps({ backendOnly }: PermissionFacts, { operation, variant }: TableAction): readonly Step[] {
  if (!backendOnly) return [];
  const reason = `the ${operation} permission is for backends only (backend_only)`;
  if (variant === "backend") return [passed("backend_only", reason)];
  return [failed("backend_only", reason, "send the admin secret and x-engine-use-backend-only-permissions: true")];
}

function readSteps(
  facts: TableFacts,
  permission: PermissionFacts,
  select: SelectFacts,
  { columns, role }: TableAction,
): readonly Step[] {
  const { limit } = select;
  return [
    ...columns.map((name) => readStep(facts, permission, select, role, name)),
    ...(limit === undefined ? [] : [passed("limit", `a query returns at most ${limit} rows`)]),
  ];
}

/** Explains a column, computed field or relationship. */
function readStep(
  facts: TableFacts,
  { columns = [] }: PermissionFacts,
  { cells, target }: SelectFacts,
  role: string,
  name: string,
): Step {
  if (columns.includes(name)) {
    const roles = cells.get(name);
    if (roles === undefined) return passed("columns", `${name} is a column of the permission`);
    const reason = `${name} is a column of the permission of ${roles.join(", ")}, and null in rows of other parents`;
    return passed("columns", reason);
  }
  const relationship = target(name) ? name : aggregatedBy(name);
  const related = target(relationship);
  if (related === undefined || (relationship !== name && related.kind === "object")) {
    return missingColumn(facts, columns, "select", name);
  }
  const place = `relationship ${relationship} leads to ${related.displayName}`;
  if (!related.isReadable) return failed("columns", `${place}, on which role ${role} has no select permission`);
  if (relationship === name) return passed("columns", `${place}, which role ${role} can select`);
  if (related.aggregations) return passed("columns", `${place}, which role ${role} can aggregate`);
  return failed("columns", `${place}, on which the select permission does not allow aggregations (allow_aggregations)`);
}

/** Returns the relationship whose rows a field aggregates or groups; other names unchanged. */
export const aggregatedBy = (field: string): string => field.replace(/(?:_(?:aggregate|group)|Aggregate|Group)$/, "");

function writeSteps(
  facts: TableFacts,
  permission: PermissionFacts,
  { operation, columns }: TableAction,
): readonly Step[] {
  return [
    ...columns.map((name) => writeStep(facts, permission, operation, name)),
    ...togetherSteps(permission, operation, columns),
    ...(permission.validated ? [unknown("validation", "the webhook of validate_input must accept the input")] : []),
  ];
}

/** Explains columns of a merged permission: one of the merged permissions must list all of them. */
function togetherSteps(
  { columns = [], merged }: PermissionFacts,
  operation: PermissionKind,
  names: readonly string[],
): readonly Step[] {
  if (merged === undefined || names.length === 0 || !listsAll(columns, names)) return [];
  const roles = [...merged].filter(([, listed]) => listsAll(listed, names)).map(([role]) => role);
  if (roles.length > 0) return [passed("columns", `the permission of ${roles.join(", ")} lists all of the columns`)];
  const listing = [...merged].map(([role, listed]) => {
    const own = names.filter((name) => listed.includes(name));
    return `${role}: ${own.length === 0 ? "none" : own.join(", ")}`;
  });
  const reason = `no single ${operation} permission that the role inherits lists ${names.join(", ")} together`;
  return [failed("columns", reason, `write them in separate statements; ${listing.join("; ")}`)];
}

function writeStep(
  facts: TableFacts,
  { columns, presets }: PermissionFacts,
  operation: PermissionKind,
  name: string,
): Step {
  if (columns === undefined) return failed("columns", `a delete sets no columns, but ${name} is given`);
  if (columns.includes(name)) return passed("columns", `${name} is a column of the permission`);
  if (presets.includes(name)) {
    return failed("columns", `${name} is set by a column preset, so a request cannot set it`);
  }
  return missingColumn(facts, columns, operation, name);
}

function missingColumn(facts: TableFacts, permitted: readonly string[], operation: PermissionKind, name: string): Step {
  const existing = unknownColumn(facts, name);
  if (existing) return existing;
  const reason = `${name} is not a column of the ${operation} permission`;
  return failed(
    "columns",
    reason,
    permitted.length === 0 ? "it has no columns" : `its columns: ${permitted.join(", ")}`,
  );
}

function unknownColumn({ displayName, names }: TableFacts, name: string): Step | undefined {
  if (names.includes(name)) return undefined;
  return failed("columns", `${displayName} has no column ${name}`, didYouMean(name, names));
}
