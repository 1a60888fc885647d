/** The facts that decide an operation of a role on a table, read from an analysis. */
import type { SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import type {
  AnalyzedDelete,
  AnalyzedInsert,
  AnalyzedSelect,
  AnalyzedTable,
  AnalyzedUpdate,
} from "../2-analyze/analyzed-table.ts";
import { Conflict, writePermission } from "../2-analyze/inherited-permissions.ts";
import { hasReferences, referenceFaults } from "../2-analyze/inherited-references.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import { withInheritance } from "../3-lower/inherited-roles.ts";
import { isVisible } from "../3-lower/role-tables.ts";
import type { PermissionKind, SelectRootField, SubscriptionRootField } from "../catalog/model.ts";

/** An operation of a role on a table. */
export interface TableAction {
  readonly role: string;
  readonly operation: PermissionKind;
  /** Names of columns; for inserts and updates, the columns to set. */
  readonly columns: readonly string[];
  readonly variant: SchemaVariant;
}

/** The facts that decide an operation. An access file has the same facts (`access-facts.ts`). */
export interface TableFacts {
  readonly displayName: string;
  /** Columns, computed fields and relationships of the table. */
  readonly names: readonly string[];
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** True if the database supports the operation. */
  readonly isSupported: boolean;
  readonly role: RoleFacts;
  /** `"every"`: role admin. */
  readonly permission: PermissionFacts | MissingPermission | "every";
}

export interface RoleFacts {
  /** Roles that the metadata names. */
  readonly known: readonly string[];
  /** Roles from which the role inherits; absent for other roles. */
  readonly parents?: readonly string[];
}

export interface PermissionFacts {
  /** Roles whose permissions apply. */
  readonly owners: readonly string[];
  /** Columns that may be read or set, and computed fields; absent for a delete. */
  readonly columns?: readonly string[];
  readonly backendOnly: boolean;
  /** True if a webhook validates the input. */
  readonly validated: boolean;
  /** Columns that the permission sets. */
  readonly presets: readonly string[];
  /**
   * Columns that each of the merged permissions lists, by role: one of them must list all columns of a write. Absent: the
   * permission is not merged.
   */
  readonly merged?: ReadonlyMap<string, readonly string[]>;
  /** Present for a select permission. */
  readonly select?: SelectFacts;
}

export interface SelectFacts {
  readonly limit: number | undefined;
  readonly aggregations: boolean;
  /** `null` allows all. */
  readonly queryRootFields: readonly SelectRootField[] | null;
  readonly subscriptionRootFields: readonly SubscriptionRootField[] | null;
  /** Parents that grant a column or computed field, for those that not all parents grant. */
  readonly cells: ReadonlyMap<string, readonly string[]>;
  /** Returns the target of a relationship; `undefined` for other names. */
  readonly target: (name: string) => RelatedFacts | undefined;
}

/** The rows that a relationship leads to. */
interface RelatedFacts {
  readonly kind: "object" | "array";
  readonly displayName: string;
  readonly isReadable: boolean;
  readonly aggregations: boolean;
}

export type MissingPermission =
  | { readonly missing: "inconsistent" }
  /** The permissions of these parents differ. @param why reason why they cannot be merged, for a role with `merge` */
  | { readonly missing: "conflict"; readonly parents: readonly string[]; readonly why?: string }
  /** The permissions of these parents refer to other permissions, which cannot be resolved for the inherited role. */
  | { readonly missing: "reference"; readonly parents: readonly string[]; readonly why: string }
  /** @param others roles that have the permission */
  | { readonly missing: "undeclared"; readonly others: readonly string[] };

/** A table as a role may use it. */
export interface TableReader {
  facts(operation: PermissionKind): TableFacts;
  /** Returns the table that a relationship leads to. */
  related(relationship: string): TableReader | undefined;
  /** Returns the column of a field; `undefined` for other fields. */
  columnOf(field: string): string | undefined;
  /** Returns the columns that rows written through a relationship get from the row above. */
  determinedBy(relationship: string): readonly string[];
}

export type AnyPermission = AnalyzedSelect | AnalyzedInsert | AnalyzedUpdate | AnalyzedDelete;

/** Returns the permission of a role with inheritance; `undefined` without one, and for `admin`. */
export function permissionOf(
  analysis: Analysis,
  source: AnalyzedSource,
  table: AnalyzedTable,
  { role, operation }: Pick<TableAction, "role" | "operation">,
): AnyPermission | undefined {
  const inheriting = withInheritance(analysis, role).sources.get(source.name)?.tables.get(table.key) ?? table;
  return inheriting[operation].get(role);
}

export function factsOfTable(
  analysis: Analysis,
  source: AnalyzedSource,
  table: AnalyzedTable,
  action: Pick<TableAction, "role" | "operation">,
): TableFacts {
  const { role, operation } = action;
  const permission = role === adminRole ? undefined : permissionOf(analysis, source, table, action);
  const read = (): PermissionFacts | MissingPermission =>
    permission ? permissionFacts(analysis, source, table, permission, role) : missing(analysis, table, action);
  return {
    displayName: table.displayName,
    names: namesIn(table),
    key: table.primaryKey.map(({ name }) => name),
    isSupported: isSupported(table, operation),
    role: roleFacts(analysis, role),
    permission: role === adminRole ? "every" : read(),
  };
}

export function roleFacts({ inheritedRoles, roles }: Analysis, role: string): RoleFacts {
  const parents = inheritedRoles.get(role)?.role_set;
  return { known: [adminRole, ...roles], ...(parents && { parents }) };
}

function namesIn(table: AnalyzedTable): readonly string[] {
  return [
    ...table.columns.map((column) => column.name),
    ...table.computedFields.keys(),
    ...table.relationships.keys(),
    ...table.remoteRelationships.keys(),
  ];
}

function isSupported({ shape }: AnalyzedTable, operation: PermissionKind): boolean {
  return {
    select: true,
    insert: shape.insertable,
    update: shape.updatable,
    // As in the schema: deletion also requires an insertable table.
    delete: shape.insertable && shape.deletable,
  }[operation];
}

function permissionFacts(
  analysis: Analysis,
  source: AnalyzedSource,
  table: AnalyzedTable,
  permission: AnyPermission,
  role: string,
): PermissionFacts {
  const parents: readonly AnyPermission[] = permission.parents ?? [permission];
  const declared = permission.permission.permission;
  const computed = isSelect(permission) ? permission.computedFields : [];
  return {
    owners: parents.map((parent) => parent.role),
    ...("columns" in permission && { columns: [...permission.columns, ...computed].map(({ name }) => name) }),
    backendOnly: "backend_only" in declared && declared.backend_only === true,
    validated: "validate_input" in declared && declared.validate_input != null,
    presets: "presets" in permission ? permission.presets.map(({ column }) => column.name) : [],
    ...(isSelect(permission)
      ? { select: selectFacts(analysis, source, table, permission, role) }
      : permission.parents && { merged: new Map(permission.parents.map((parent) => [parent.role, namesOf(parent)])) }),
  };
}

/** Returns the columns that a permission lists; none for a delete. */
export const namesOf = (permission: AnyPermission): readonly string[] =>
  "columns" in permission ? permission.columns.map(({ name }) => name) : [];

function selectFacts(
  analysis: Analysis,
  source: AnalyzedSource,
  table: AnalyzedTable,
  permission: AnalyzedSelect,
  role: string,
): SelectFacts {
  const { limit, aggregations, queryRootFields, subscriptionRootFields } = permission;
  const target: SelectFacts["target"] = (name) => {
    const relationship = table.relationships.get(name);
    if (relationship === undefined) return undefined;
    const found = withInheritance(analysis, role).sources.get(source.name)?.tables.get(relationship.target);
    return {
      kind: relationship.kind,
      displayName: found?.displayName ?? relationship.target,
      isReadable: found !== undefined && isVisible(found, role),
      aggregations: found?.select.get(role)?.aggregations === true,
    };
  };
  return { limit, aggregations, queryRootFields, subscriptionRootFields, cells: cellsOf(permission), target };
}

const grants = ({ columns, computedFields }: AnalyzedSelect, name: string): boolean =>
  [...columns, ...computedFields].some((each) => each.name === name);

function cellsOf({ columns, computedFields, parents = [] }: AnalyzedSelect): ReadonlyMap<string, readonly string[]> {
  const cells = [...columns, ...computedFields].map(({ name }) => {
    const roles = parents.filter((parent) => grants(parent, name)).map(({ role }) => role);
    return [name, roles] as const;
  });
  return new Map(cells.filter(([, roles]) => roles.length < parents.length));
}

function missing(
  analysis: Analysis,
  table: AnalyzedTable,
  { role, operation }: Pick<TableAction, "role" | "operation">,
): MissingPermission {
  const declared = table.table[`${operation}_permissions`];
  if (declared.some((permission) => permission.role === role)) return { missing: "inconsistent" };
  const conflict = operation !== "select" && writePermission(table, operation, role, analysis.inheritedRoles);
  const fault = referenceFault(analysis, table, { role, operation });
  if (fault !== undefined) return fault;
  if (conflict instanceof Conflict) {
    const { why } = conflict;
    const parents = (analysis.inheritedRoles.get(role)?.role_set ?? []).filter((parent) =>
      table[operation].has(parent),
    );
    return { missing: "conflict", parents, ...(why !== undefined && { why }) };
  }
  return { missing: "undeclared", others: [...table[operation].keys()] };
}

/** Returns the reason why an inherited role does not get a permission with a reference to another one. */
function referenceFault(
  { sources, inheritedRoles }: Analysis,
  { source, key, table }: AnalyzedTable,
  { role, operation }: Pick<TableAction, "role" | "operation">,
): MissingPermission | undefined {
  const inherited = inheritedRoles.get(role);
  const own = sources.get(source);
  if (inherited === undefined || own === undefined || !hasReferences(own)) return undefined;
  const faults = referenceFaults(own, role, inheritedRoles);
  const found = faults.find((fault) => fault.table.key === key && fault.kind === operation);
  if (found === undefined) return undefined;
  const declaring = new Set(table[`${operation}_permissions`].map((permission) => permission.role));
  return {
    missing: "reference",
    parents: inherited.role_set.filter((parent) => declaring.has(parent)),
    why: found.why,
  };
}

// Select permissions alone have a limit.
export const isSelect = (permission: AnyPermission): permission is AnalyzedSelect => "aggregations" in permission;
