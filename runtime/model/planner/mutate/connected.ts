/** Existing rows that become related rows: statements that find them, or that set their joined columns. */

import { EngineError, invariant } from "../../../values/errors.ts";
import type { Alias, Column } from "../../definitions/column.ts";
import { isJoinedAfter, type RelatedConnects } from "../../definitions/related-writes.ts";
import { allOf, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { ColumnCopy, JoinInsert } from "../../definitions/table.ts";
import type { TableView } from "../../definitions/view.ts";
import type { Input, ObjectInput } from "../request/input.ts";
import type { BuildContext } from "../select/context.ts";
import { whereOf } from "./arguments.ts";
import { conflictArgument, memberOf } from "./on-conflict.ts";
import { type Assignment, updateWrite } from "./update.ts";
import type { Write } from "./written.ts";
import { rowsOf, type WrittenRows } from "./written-rows.ts";

/** The existing rows that become related rows of an inserted row by one relationship. */
export interface ConnectedRows {
  readonly name: string;
  readonly connects: RelatedConnects;
  readonly join: JoinInsert;
  /** At least one; one for object relationships. */
  readonly items: readonly ConnectItem[];
  readonly path: string;
}

export interface ConnectItem {
  /** Condition on the existing rows. */
  readonly where: Input | undefined;
  /** The row to insert if no row matches. */
  readonly created?: CreatedRow;
  readonly path: string;
}

export interface CreatedRow {
  readonly data: Extract<Input, { kind: "rows" }>;
  readonly onConflict: Input | undefined;
}

/**
 * Returns the rows that `_related` of an inserted row connects.
 * @throws EngineError `validation-failed` for an object relationship with two rows
 */
export function connectedOf({ members }: ObjectInput): readonly ConnectedRows[] {
  const related = members.find(({ meta }) => meta.kind === "connects")?.value;
  if (related?.kind !== "object") return [];
  return related.members.flatMap(({ name, meta, value }): readonly ConnectedRows[] => {
    invariant(meta.kind === "connect", `${name} is a relationship`);
    const { connects } = meta;
    const { relationship } = connects;
    const items = itemsOf(value, relationship.target());
    if (relationship.kind === "object" && items.length > 1) {
      const message = `the object relationship "${name}" has one row: use either "connect" or "connect_or_create"`;
      throw new EngineError("validation-failed", value.path, message);
    }
    const join = relationship.join.insert;
    invariant(join, `relationship ${name} defines how its rows are joined`);
    return items.length === 0 ? [] : [{ name, connects, join, items, path: value.path }];
  });
}

function itemsOf(value: Input, { table }: TableView): readonly ConnectItem[] {
  const connected = listOf(memberOf(value, "connect")).map((item): ConnectItem => {
    return { where: memberOf(item, "where"), path: item.path };
  });
  const created = listOf(memberOf(value, table.source.naming.field("connect_or_create"))).flatMap(
    (item): readonly ConnectItem[] => {
      const data = memberOf(item, "data");
      invariant(data?.kind === "rows", "the type requires a row");
      const onConflict = memberOf(item, conflictArgument(table.source));
      return [{ where: memberOf(item, "where"), created: { data, onConflict }, path: item.path }];
    },
  );
  return [...connected, ...created];
}

/** Returns the items of a list, or of a single value. */
export function listOf(input: Input | undefined): readonly Input[] {
  if (input === undefined) return [];
  return input.kind === "list" ? input.items : [input];
}

/** Returns true if the connected rows will reference the inserted row. */
export const isConnectedAfter = ({ connects }: ConnectedRows): boolean => isJoinedAfter(connects.relationship.join);

/** Returns the message for an object relationship without exactly one row. */
export const notOneRow = (name: string, { table }: TableView): string =>
  `cannot connect object relationship "${name}": the condition must match exactly one row of table "${table.displayName}"`;

/**
 * Returns the statement that selects existing rows whose key other rows copy. The role must be permitted to read them.
 * @param rows given rows of the table; absent: all rows
 */
export function findWrite(
  view: TableView,
  { copies }: JoinInsert,
  rows: { readonly where: Input | undefined } | { readonly from: WrittenRows["rows"] },
  context: BuildContext,
): Write {
  const { table } = view;
  const row = context.alias();
  const parts =
    "from" in rows
      ? { from: rowsOf(rows.from, view, context) }
      : {
          where: allOf([
            view.visible?.(row, context.session),
            ...copies.map(({ from }) => sql`${row}.${verbatim(from)} is not null`),
            whereOf(rows.where, context)(row),
          ]),
        };
  return {
    view,
    row,
    setsUser: false,
    kind: "lock",
    statement: (returning, inOrder) => context.dialect.writes.find({ table, row, returning, inOrder, ...parts }),
  };
}

/** Returns the value of a column of the only row; NULL without rows. */
export function onlyValue(column: string, rows: WrittenRows["rows"], view: TableView, context: BuildContext): Sql {
  const alias = context.alias();
  return sql`(select ${alias}.${verbatim(column)} from ${rowsOf(rows, view, context)} ${alias})`;
}

/** Returns the update of existing rows to rows of the only parent row. Without values to join there are no such rows. */
export function connectWrite(
  view: TableView,
  join: JoinInsert,
  parent: { readonly rows: WrittenRows["rows"]; readonly view: TableView },
  { where, path }: Pick<JoinedRows, "where" | "path">,
  context: BuildContext,
): Write {
  const value = (from: string): Sql => onlyValue(from, parent.rows, parent.view, context);
  return joinWrite(
    view,
    join,
    {
      value: (_, { from }) => value(from),
      where: (row) => allOf([...join.copies.map(({ from }) => sql`${value(from)} is not null`), where(row)]),
      path,
    },
    context,
  );
}

interface JoinedRows {
  readonly value: (column: Column, copy: ColumnCopy) => Sql;
  readonly where: (row: Alias) => Sql | undefined;
  /** Path for errors. */
  readonly path: string;
}

/** Returns an update of the joined columns. */
export function joinWrite(
  view: TableView,
  { copies }: JoinInsert,
  { value, where, path }: JoinedRows,
  context: BuildContext,
): Write {
  const { update: permission } = view;
  invariant(permission, "the update permission has been found");
  const assignments = columnsBySql(permission.columns, copies).map((column, i): Assignment => {
    const copy = copies[i];
    invariant(copy, "there is a joined column for each value");
    return { column, value: () => value(column, copy) };
  });
  const write = updateWrite({ view, permission, assignments, where, path }, context);
  invariant(write, "the joined columns are set");
  return write;
}

/** Returns the columns that receive the copies. */
export function columnsBySql(columns: readonly Column[] = [], copies: readonly ColumnCopy[]): readonly Column[] {
  return copies.flatMap(({ to }) => columns.find((column) => column.sql === to) ?? []);
}
