/** Plans statements that update and delete rows. */

import type { Alias, Column } from "../../definitions/column.ts";
import type { UpdateParts } from "../../definitions/dialect.ts";
import { anyFilterOf } from "../../definitions/merged-permissions.ts";
import { allOf, inParentheses, joinSql, renderWith, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { DeletePermission, UpdatePermission } from "../../definitions/write.ts";
import type { BuildContext } from "../select/context.ts";
import { placeOfTable } from "../select/places.ts";
import { userOf } from "./insert.ts";
import { permissionsOf } from "./permitted-columns.ts";
import type { Write } from "./written.ts";

/** The new value of a column. */
export interface Assignment {
  readonly column: Column;
  /** @param row the row before the change */
  readonly value: (row: Alias) => Sql;
}

export interface UpdateInput {
  readonly view: TableView;
  readonly permission: UpdatePermission;
  readonly assignments: readonly Assignment[];
  /** The request's filter. */
  readonly where: (row: Alias) => Sql | undefined;
  /** Path for errors. */
  readonly path: string;
}

/** Returns an update, or `undefined` if no column changes. */
export function updateWrite(input: UpdateInput, context: BuildContext): Write | undefined {
  const { view, permission } = input;
  const { writes } = context.dialect;
  const row = context.alias();
  context.places.set(row, placeOfTable(view));
  const set: UpdateParts["set"] = [
    ...input.assignments.map(({ column, value }) => ({ name: column.sql, value: value(row) })),
    ...permission.presets.map(({ column, value }) => ({ name: column, value: value(context.session) })),
  ];
  if (set.length === 0) return undefined;
  const written = input.assignments.map(({ column }) => column);
  const permissions = permissionsOf(permission, written, "update", input.path);
  const filter = anyFilterOf(permissions)?.(row, context.session);
  const where = rowsToWrite(view, row, filter, input.where(row), context);
  const user = userOf(view, context);
  const { check, before } = checkAfter(permissions, row, context);
  const parts = { table: view.table, row, set, user, where, ...(before && { before }) };
  return {
    view,
    row,
    setsUser: user !== undefined,
    check,
    ...(before && { before: before.length }),
    kind: "update",
    statement: (returning, _, changes) => writes.update({ ...parts, returning, changes }),
  };
}

/**
 * Returns the check of the changed rows. If the permissions have different checks, a row must pass the check of one whose
 * filter admits the row before the update, so the statement also determines the truth of the filters for that row.
 */
function checkAfter(
  permissions: readonly UpdatePermission[],
  row: Alias,
  { dialect, session }: BuildContext,
): { readonly check: Sql | undefined; readonly before?: readonly Sql[] } {
  const [first] = permissions;
  const isShared = permissions.every(({ check }) => check === first?.check);
  if (isShared) return { check: first?.check?.(row, session) };
  if (permissions.some(({ filter, check }) => filter === undefined && check === undefined)) return { check: undefined };
  const before: Sql[] = [];
  const conditions = permissions.map(({ filter, check }) => {
    const wasAdmitted = filter && dialect.writes.heldBefore(row, before.push(filter(row, session)) - 1);
    return inParentheses(allOf([wasAdmitted, check?.(row, session)]) ?? dialect.always);
  });
  return { check: joinSql(conditions, " or "), before };
}

/** Returns the condition on the rows to write: the filter of the permission, and that of the request. */
function rowsToWrite(
  { table: { distribution } }: TableView,
  row: Alias,
  filter: Sql | undefined,
  wanted: Sql | undefined,
  { dialect: { distributed } }: BuildContext,
): Sql | undefined {
  const column = distribution?.kind === "distributed" ? distribution.column : undefined;
  const isChosen = column !== undefined && wanted && textOf(wanted).includes(textOf(sql`${row}.${verbatim(column)} =`));
  return allOf([filter && distributed && isChosen ? distributed.everywhere(filter) : filter, wanted]);
}

const textOf = (fragment: Sql): string => renderWith(fragment, () => "?").text;

export interface DeleteInput {
  readonly view: TableView;
  readonly permission: DeletePermission;
  readonly where: (row: Alias) => Sql | undefined;
}

export function deleteWrite({ view, permission, where: wanted }: DeleteInput, context: BuildContext): Write {
  const { writes } = context.dialect;
  const row = context.alias();
  context.places.set(row, placeOfTable(view));
  const where = rowsToWrite(view, row, permission.filter?.(row, context.session), wanted(row), context);
  const user = userOf(view, context);
  return {
    view,
    row,
    setsUser: user !== undefined,
    kind: "delete",
    statement: (returning, _, changes) => writes.delete({ table: view.table, row, user, where, returning, changes }),
  };
}
