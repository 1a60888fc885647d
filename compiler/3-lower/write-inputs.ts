/** What the write permissions of one role on one table come from; part of the inputs of the role's module. */
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
  /** Absent: the role may not, or the database does not let anybody. */
  readonly insert?: InsertInputs;
  readonly update?: UpdateInputs;
  readonly delete?: DeleteInputs;
}

export interface InsertInputs {
  readonly columns: readonly AnalyzedColumn[];
  /** `undefined` for `admin`. */
  readonly permission: AnalyzedInsert | undefined;
  /** To tables that the role may insert into. */
  readonly nested: readonly { readonly relationship: AnalyzedRelationship; readonly target: QualifiedName }[];
}

export interface UpdateInputs {
  readonly columns: readonly AnalyzedColumn[];
  readonly permission: AnalyzedUpdate | undefined;
}

export interface DeleteInputs {
  readonly permission: AnalyzedDelete | undefined;
}

/** What of them decides about root fields. */
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

/** Whether some of a role's permissions are for backends only, so that its schema has two variants. */
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

/** Whether a role may write to a table at all. */
export function isWritableBy(table: AnalyzedTable, role: string): boolean {
  return mayInsert(table, role) || mayUpdate(table, role) || mayDelete(table, role);
}

/** A view that takes no rows is offered below other tables all the same, and the database refuses what is given. */
function mayInsert({ insert }: AnalyzedTable, role: string): boolean {
  return role === adminRole || insert.has(role);
}

function mayUpdate({ shape, update }: AnalyzedTable, role: string): boolean {
  return shape.updatable && (role === adminRole || update.has(role));
}

/** Offered where rows can be inserted, too (`graphql-api.md` 2.3). */
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

/** The conditions of write permissions. */
export function writePredicates({ insert, update, delete: remove }: WriteInputs): readonly Predicate[] {
  return [
    insert?.permission?.check,
    update?.permission?.filter,
    update?.permission?.check,
    remove?.permission?.filter,
  ].filter((predicate) => predicate !== undefined);
}
