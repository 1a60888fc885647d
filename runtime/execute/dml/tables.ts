/** Finds tables and columns by their database names, as data operations do. */

import type { Column } from "../../model/definitions/column.ts";
import type { TablesByName } from "../../model/definitions/roots.ts";
import type { TableView } from "../../model/definitions/view.ts";
import type { RoleSchema } from "../../model/schema/role-schema.ts";
import type { DataOperation } from "../../values/data-operation.ts";
import { EngineError, pathTo } from "../../values/errors.ts";

export interface DataContext {
  readonly role: string;
  readonly schema: RoleSchema;
  /** The schema of `admin`, which has all tables. */
  readonly adminSchema: RoleSchema;
  /** Path of the operation's arguments. */
  readonly path: string;
}

/** The permission that an operation needs. */
export type Verb = "insert" | "select" | "update" | "delete";

/** The required permission by type of operation, and a hint for the message if the permission is missing. */
const requirements: Readonly<Record<DataOperation["type"], { readonly verb: Verb; readonly hint: string }>> = {
  select: { verb: "select", hint: "" },
  count: { verb: "select", hint: '; "count" is only allowed if the role has "select" permissions on the table' },
  insert: { verb: "insert", hint: "" },
  update: { verb: "update", hint: "" },
  update_rows: { verb: "update", hint: "" },
  delete: { verb: "delete", hint: "" },
};

/**
 * Returns the role's view of the table, if the role may run the operation.
 * @throws EngineError `not-exists`, `permission-denied`
 */
export function findTable(context: DataContext, operation: DataOperation): TableView {
  const { role, schema, adminSchema, path } = context;
  const adminView = named(adminSchema.tables, operation);
  if (!adminView) {
    const message = `table "${operation.table.displayName}" does not exist`;
    throw new EngineError("not-exists", pathTo(path, "table"), message);
  }
  const { verb, hint } = requirements[operation.type];
  const denied = (reason: string) => {
    const message = `${verb} on "${adminView().table.displayName}" for role "${role}" is not allowed. ${reason}`;
    return new EngineError("permission-denied", path, message);
  };
  const view = named(schema.tables, operation)?.();
  if (!view || !isAllowed(view, verb, schema)) throw denied(hint);
  const hidden = hiddenRoot(view, operation);
  if (hidden !== undefined) throw denied(hidden);
  return view;
}

function isAllowed(view: TableView, verb: Verb, { types }: RoleSchema): boolean {
  return verb === "select" ? view.readable : types.allows(view[verb]);
}

/** Returns the reason why GraphQL has no root field for the operation; `undefined` if it has one. */
function hiddenRoot({ aggregations, queryRoots }: TableView, { type }: DataOperation): string | undefined {
  if (type !== "select" && type !== "count") return undefined;
  if (type === "count" && !aggregations) return '; "count" is only allowed if the permission allows aggregations';
  const root = type === "count" ? "select_aggregate" : "select";
  if (queryRoots === undefined || queryRoots.includes(root)) return undefined;
  return `; "${root}" is not in the query_root_fields of the permission`;
}

function named(
  tables: TablesByName,
  { source, table: { schema, name } }: DataOperation,
): (() => TableView) | undefined {
  return member(member(member(tables, source), schema), name);
}

/** Returns an own member; inherited ones are excluded, because keys come from requests. */
function member<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

export function columnNamed(view: TableView, columns: readonly Column[], name: string): Column | undefined {
  const quoted = view.table.source.dialect.quoteIdentifier(name);
  return columns.find((column) => column.sql === quoted);
}

/**
 * Returns the columns with these database names.
 * @throws EngineError `permission-denied` for an unknown name
 */
export function columnsNamed(
  { role, path }: DataContext,
  view: TableView,
  names: readonly string[],
  { columns, verb, at }: { readonly columns: readonly Column[]; readonly verb: Verb; readonly at: readonly string[] },
): readonly Column[] {
  return names.map((name, i) => {
    const column = columnNamed(view, columns, name);
    if (column) return column;
    throw new EngineError("permission-denied", pathTo(path, ...at, i), missingColumnMessage(role, verb, name));
  });
}

/**
 * Returns the message for a missing column. Admins get "no such column"; for other roles, the message is the same as
 * for a denied column.
 */
export function missingColumnMessage(role: string, verb: Verb, name: string): string {
  if (role === "admin") return `no such column exists: "${name}"`;
  return `role "${role}" does not have permission to ${verb} column "${name}"`;
}
