/** Tables and columns as data operations name them: as the database does. */

import type { DataTable } from "../../support/data-operation.ts";
import { EngineError, pathTo } from "../../support/errors.ts";
import type { TablesByName } from "../../support/roots.ts";
import type { RoleSchema } from "../../support/schema/role-schema.ts";
import type { Column } from "../../support/table.ts";
import type { TableView } from "../../support/view.ts";

export interface DataContext {
  readonly role: string;
  readonly schema: RoleSchema;
  /** What `admin` sees: everything there is. */
  readonly everything: RoleSchema;
  /** The request may use backend-only permissions. */
  readonly backendOnly: boolean;
  /** Path of the operation's arguments. */
  readonly path: string;
}

/** The permission that an operation needs. */
export type Verb = "insert" | "select" | "update" | "delete";

interface Target {
  readonly source: string;
  readonly table: DataTable;
}

/**
 * The table as the role sees it.
 * @param hint what follows in the message about a missing permission
 * @throws EngineError `not-exists`, `permission-denied`
 */
export function findTable(context: DataContext, target: Target, verb: Verb, hint = ""): TableView {
  const { role, schema, everything, path } = context;
  const known = named(everything.tables, target);
  if (!known) {
    const message = `table "${target.table.displayName}" does not exist`;
    throw new EngineError("not-exists", pathTo(path, "table"), message);
  }
  const view = named(schema.tables, target)?.();
  if (view && isAllowed(view, verb, context)) return view;
  const { displayName } = known().table;
  const message = `${verb} on "${displayName}" for role "${role}" is not allowed. ${hint}`;
  throw new EngineError("permission-denied", path, message);
}

function isAllowed(view: TableView, verb: Verb, { backendOnly }: DataContext): boolean {
  if (verb === "select") return view.readable;
  const permission = view[verb];
  return permission !== undefined && (backendOnly || !permission.backendOnly);
}

function named(tables: TablesByName, { source, table: { schema, name } }: Target): (() => TableView) | undefined {
  return member(member(member(tables, source), schema), name);
}

/** Names come from requests. */
function member<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The column with this name in the database. */
export function columnNamed(view: TableView, columns: readonly Column[], name: string): Column | undefined {
  const quoted = view.table.source.dialect.quoteIdentifier(name);
  return columns.find((column) => column.sql === quoted);
}

/** The columns with these names; others are refused as the operation does. */
export function columnsNamed(
  { role, path }: DataContext,
  view: TableView,
  names: readonly string[],
  { columns, verb, at }: { readonly columns: readonly Column[]; readonly verb: Verb; readonly at: readonly string[] },
): readonly Column[] {
  return names.map((name, i) => {
    const column = columnNamed(view, columns, name);
    if (column) return column;
    throw new EngineError("permission-denied", pathTo(path, ...at, i), noColumn(role, verb, name));
  });
}

/** Who may do everything is told that there is no such column. */
export function noColumn(role: string, verb: Verb, name: string): string {
  if (role === "admin") return `no such column exists: "${name}"`;
  return `role "${role}" does not have permission to ${verb} column "${name}"`;
}
