/**
 * Resolves inherited roles: returns a view of the Analysis in which one inherited role has its parents' permissions as
 * if they were its own. Other parts of lowering handle inheritance only where a select permission is merged from
 * several.
 */
import { compareText } from "../../runtime/values/text-order.ts";
import type { Analysis, AnalyzedModel, AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedSelect, AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import {
  Conflict,
  ofGroupAndInheritedRole,
  readingPermissions,
  writingPermission,
} from "../2-analyze/inherited-permissions.ts";
import { hasReferences, resolveInherited } from "../2-analyze/inherited-references.ts";
import { type Grants, type WriteKind, writeKinds } from "../2-analyze/write-kinds.ts";
import type { Action } from "../catalog/outside-sources.ts";

/** The parts of an Analysis that the modules of a role are lowered from. */
export type RoleAnalysis = Pick<
  Analysis,
  | "sources"
  | "actions"
  | "customTypes"
  | "remoteSchemas"
  | "remoteRelationships"
  | "inheritedRoles"
  | "inheritedClashes"
  | "options"
  | "leftOutGroups"
>;

/** Adds the inherited permissions of a role; returns the same object unless it is an inherited role. */
export function withInheritance(analysis: RoleAnalysis, role: string | null): RoleAnalysis {
  if (role === null || !analysis.inheritedRoles.has(role)) return analysis;
  const { inheritedRoles, inheritedClashes, customTypes, remoteSchemas, remoteRelationships, options, leftOutGroups } =
    analysis;
  return {
    leftOutGroups,
    inheritedRoles,
    inheritedClashes,
    customTypes,
    remoteSchemas,
    remoteRelationships,
    options,
    sources: mapValues(analysis.sources, (source) => inheritingSource(source, role, analysis)),
    actions: mapValues(analysis.actions, (action) => inheritingAction(action, role, analysis)),
  };
}

type Roles = Pick<Analysis, "inheritedRoles">;

function inheritingSource(source: AnalyzedSource, role: string, roles: Roles): AnalyzedSource {
  const declaredOf = new Map(source.source.logical_models.map((model) => [model.name, model.select_permissions]));
  const ofModel = (model: AnalyzedModel): AnalyzedModel => {
    const grants = { permissions: model.select, declared: declaredOf.get(model.name) ?? [] };
    return { ...model, select: withSelect(grants, role, roles) };
  };
  const tables = source.tables.mapGroups(inheritingGroup(role, roles.inheritedRoles));
  return {
    ...source,
    tables: hasReferences(source) ? resolveInherited(tables, role, roles.inheritedRoles) : tables,
    logicalModels: mapValues(source.logicalModels, ofModel),
    nativeQueries: mapValues(source.nativeQueries, (native) => {
      const { returns } = native.query;
      if (typeof returns === "string") return { ...native, model: ofModel(native.model) };
      const grants = { permissions: native.model.select, declared: returns.select_permissions };
      return { ...native, model: { ...native.model, select: withSelect(grants, role, roles) } };
    }),
    storedProcedures: mapValues(source.storedProcedures, (procedure) => ({
      ...procedure,
      model: ofModel(procedure.model),
    })),
  };
}

const inheritingGroup = ofGroupAndInheritedRole((group, role, inheritedRoles) =>
  group.map((table) => inheritingTable(table, role, { inheritedRoles })),
);

function inheritingTable(table: AnalyzedTable, role: string, roles: Roles): AnalyzedTable {
  return {
    ...table,
    select: withSelect({ permissions: table.select, declared: table.table.select_permissions }, role, roles),
    insert: withWrite(table, writeKinds.insert, role, roles),
    update: withWrite(table, writeKinds.update, role, roles),
    delete: withWrite(table, writeKinds.delete, role, roles),
  };
}

function withSelect(
  grants: Grants<AnalyzedSelect>,
  role: string,
  { inheritedRoles }: Roles,
): ReadonlyMap<string, AnalyzedSelect> {
  const { permissions } = grants;
  const parents = permissions.has(role) ? [] : readingPermissions(grants, role, inheritedRoles);
  const merged = mergeSelects(role, parents);
  return merged ? new Map(permissions).set(role, merged) : permissions;
}

function withWrite<T extends { readonly role: string }>(
  table: AnalyzedTable,
  kind: WriteKind<T>,
  role: string,
  { inheritedRoles }: Roles,
): ReadonlyMap<string, T> {
  const grants = kind.grants(table);
  const permission = writingPermission(grants, role, inheritedRoles, kind.combination(table));
  if (permission === undefined || permission instanceof Conflict) return grants.permissions;
  return new Map(grants.permissions).set(role, permission);
}

/**
 * Merges permissions. The role sees the rows and columns of all parents; a cell is visible if a parent that grants its
 * column also permits the row.
 */
function mergeSelects(role: string, parents: readonly AnalyzedSelect[]): AnalyzedSelect | undefined {
  const [first] = parents;
  if (first === undefined) return undefined;
  const limits = parents.flatMap(({ limit }) => limit ?? []);
  const columns = unionOf(parents, (parent) => parent.columns);
  return {
    role,
    permission: {
      role,
      permission: {
        columns: columns.map(({ name }) => name),
        filter: { _or: parents.map(({ permission }) => permission.permission.filter) },
      },
    },
    // The columns of each parent are in table order, which the union must keep.
    columns: columns.sort((a, b) => a.shape.position - b.shape.position),
    computedFields: unionOf(parents, (parent) => parent.computedFields).sort((a, b) => compareText(a.name, b.name)),
    filter: { kind: "or", items: parents.map(({ filter }) => filter) },
    limit: limits.length === 0 ? undefined : Math.max(...limits),
    aggregations: parents.some(({ aggregations }) => aggregations),
    queryRootFields: rootFieldsOf(parents.map((parent) => parent.queryRootFields)),
    subscriptionRootFields: rootFieldsOf(parents.map((parent) => parent.subscriptionRootFields)),
    parents,
  };
}

function unionOf<T extends { readonly name: string }>(
  parents: readonly AnalyzedSelect[],
  of: (parent: AnalyzedSelect) => readonly T[],
): T[] {
  return [...new Map(parents.flatMap((parent) => of(parent).map((item) => [item.name, item] as const))).values()];
}

/** Returns the union of the lists; `null`, meaning all, if a parent has all. */
function rootFieldsOf<T extends string>(lists: readonly (readonly T[] | null)[]): readonly T[] | null {
  const found = new Set<T>();
  for (const list of lists) {
    if (list === null) return null;
    for (const field of list) found.add(field);
  }
  return [...found].sort();
}

/** Permits the role to call an action if a direct or indirect parent may call it. */
function inheritingAction(action: Action, role: string, { inheritedRoles }: Roles): Action {
  const { permissions } = action;
  const isPermitted = (name: string): boolean =>
    permissions.some((permission) => permission.role === name) ||
    inheritedRoles.get(name)?.role_set.some(isPermitted) === true;
  const isOwn = permissions.some((permission) => permission.role === role);
  return isOwn || !isPermitted(role) ? action : { ...action, permissions: [...permissions, { role }] };
}

function mapValues<T>(map: ReadonlyMap<string, T>, change: (value: T) => T): ReadonlyMap<string, T> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
