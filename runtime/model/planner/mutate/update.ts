/** Plans statements that update and delete rows. */

import type { Alias, Column } from "../../definitions/column.ts";
import type { UpdateParts } from "../../definitions/dialect.ts";
import { allOf, type Sql } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { DeletePermission, UpdatePermission } from "../../definitions/write.ts";
import type { BuildContext } from "../select/context.ts";
import { userOf } from "./insert.ts";
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
}

/** Returns an update, or `undefined` if no column changes. */
export function updateWrite(input: UpdateInput, context: BuildContext): Write | undefined {
  const { view, permission } = input;
  const { writes } = context.dialect;
  const row = context.alias();
  const set: UpdateParts["set"] = [
    ...input.assignments.map(({ column, value }) => ({ name: column.sql, value: value(row) })),
    ...permission.presets.map(({ column, value }) => ({ name: column, value: value(context.session) })),
  ];
  if (set.length === 0) return undefined;
  const where = allOf([permission.filter?.(row, context.session), input.where(row)]);
  const user = userOf(view, context);
  return {
    view,
    row,
    setsUser: user !== undefined,
    check: permission.check?.(row, context.session),
    statement: (returning) => writes.update({ table: view.table, row, set, user, where, returning }),
  };
}

export interface DeleteInput {
  readonly view: TableView;
  readonly permission: DeletePermission;
  readonly where: (row: Alias) => Sql | undefined;
}

export function deleteWrite({ view, permission, where: wanted }: DeleteInput, context: BuildContext): Write {
  const { writes } = context.dialect;
  const row = context.alias();
  const where = allOf([permission.filter?.(row, context.session), wanted(row)]);
  const user = userOf(view, context);
  return {
    view,
    row,
    setsUser: user !== undefined,
    deletes: true,
    statement: (returning) => writes.delete({ table: view.table, row, user, where, returning }),
  };
}
