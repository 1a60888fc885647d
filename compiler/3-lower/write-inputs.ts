/** The parts of the Analysis that the write permissions of one role on one table depend on. */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type {
  AnalyzedColumn,
  AnalyzedDelete,
  AnalyzedInsert,
  AnalyzedRelationship,
  AnalyzedTable,
  AnalyzedUpdate,
  Predicate,
} from "../2-analyze/analyzed-table.ts";
import type { QualifiedName } from "../catalog/model.ts";
import { adminRole } from "./admin-role.ts";

export interface WriteInputs {
  /** Absent if the role has no permission or the table does not support the operation. */
  readonly insert?: InsertInputs;
  readonly update?: UpdateInputs;
  readonly delete?: DeleteInputs;
}

export interface InsertInputs {
  readonly columns: readonly AnalyzedColumn[];
  /** `undefined` for `admin`. */
  readonly permission: AnalyzedInsert | undefined;
  /** Relationships to tables that the role may insert into. */
  readonly nested: readonly { readonly relationship: AnalyzedRelationship; readonly target: QualifiedName }[];
}

export interface UpdateInputs {
  readonly columns: readonly AnalyzedColumn[];
  readonly permission: AnalyzedUpdate | undefined;
}

export interface DeleteInputs {
  readonly permission: AnalyzedDelete | undefined;
}

/** The part of `WriteInputs` that root fields depend on. */
export interface WriteRootInputs {
  readonly insert?: Pick<InsertInputs, "permission">;
  readonly update?: Pick<UpdateInputs, "permission">;
  readonly delete?: DeleteInputs;
}

export function writeRootInputs(table: AnalyzedTable, role: string): WriteRootInputs {
  return {
    ...(table.shape.insertable && mayInsert(table, role) && { insert: { permission: table.insert.get(role) } }),
    ...(mayUpdate(table, role) && { update: { permission: table.update.get(role) } }),
    ...(mayDelete(table, role) && { delete: { permission: table.delete.get(role) } }),
  };
}

/** Returns true if a write permission of a role on a table is for backends only. */
export function hasBackendOnly(table: AnalyzedTable, role: string): boolean {
  return Object.values(writeRootInputs(table, role)).some(isBackendOnly);
}

export function isBackendOnly({ permission }: NonNullable<WriteRootInputs[keyof WriteRootInputs]>): boolean {
  return permission?.permission.permission.backend_only ?? false;
}

export function writeInputs(source: AnalyzedSource, table: AnalyzedTable, role: string): WriteInputs {
  const insert = table.insert.get(role);
  const update = table.update.get(role);
  const writable = (): AnalyzedColumn[] => table.columns.filter(isWritable);
  return {
    ...(mayInsert(table, role)
      ? {
          insert: {
            columns: insert?.columns ?? writable(),
            permission: insert,
            nested: nestedInserts(source, table, role),
          },
        }
      : {}),
    ...(mayUpdate(table, role) ? { update: { columns: update?.columns ?? writable(), permission: update } } : {}),
    ...(mayDelete(table, role) ? { delete: { permission: table.delete.get(role) } } : {}),
  };
}

/** Returns true if a role has any write permission on a table. */
export function isWritableBy(table: AnalyzedTable, role: string): boolean {
  return mayInsert(table, role) || mayUpdate(table, role) || mayDelete(table, role);
}

/**
 * Returns true if a role has an insert permission, even on a view that is not insertable: the database then rejects
 * nested inserts.
 */
function mayInsert({ insert }: AnalyzedTable, role: string): boolean {
  return role === adminRole || insert.has(role);
}

function mayUpdate({ shape, update }: AnalyzedTable, role: string): boolean {
  return shape.updatable && (role === adminRole || update.has(role));
}

/** Returns true if a role may delete rows, which also requires an insertable table. */
function mayDelete({ shape, delete: permissions }: AnalyzedTable, role: string): boolean {
  return shape.insertable && shape.deletable && (role === adminRole || permissions.has(role));
}

function isWritable({ shape: { generated, identity } }: AnalyzedColumn): boolean {
  return !generated && identity !== "always";
}

function nestedInserts(
  source: AnalyzedSource,
  table: AnalyzedTable,
  role: string,
): { readonly relationship: AnalyzedRelationship; readonly target: QualifiedName }[] {
  return [...table.relationships.values()].flatMap((relationship) => {
    const target = source.tables.get(relationship.target);
    if (!target || target.graphqlName === null || !mayInsert(target, role)) return [];
    return [{ relationship, target: target.table.table }];
  });
}

export function writePredicates({ insert, update, delete: remove }: WriteInputs): readonly Predicate[] {
  return [
    insert?.permission?.check,
    update?.permission?.filter,
    update?.permission?.check,
    remove?.permission?.filter,
  ].filter((predicate) => predicate !== undefined);
}
