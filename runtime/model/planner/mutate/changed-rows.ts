/** Plans inserts that return existing rows, and the rows before and after a write. */

import { invariant } from "../../../values/errors.ts";
import type { ChangeDialect, FindDialect, FindOrInsertParts, KeyValue } from "../../definitions/changed-rows.ts";
import type { Alias, Column } from "../../definitions/column.ts";
import type { InsertParts } from "../../definitions/dialect.ts";
import { allOf, type Sql } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { BuildContext } from "../select/context.ts";
import type { OnConflict } from "./on-conflict.ts";

/** The row before and after a write, in RETURNING. */
export interface Change {
  /** `replaced`: the value `old` shows it. */
  readonly inserted: boolean | "replaced";
  /** Absent if there is no row. */
  readonly old?: Sql;
  readonly new?: Sql;
  /** The statement, if it differs from that of a request without changes. */
  readonly statement?: (returning: readonly Sql[], inOrder: boolean) => Sql;
}

interface RowOfWrite {
  readonly view: TableView;
  readonly row: Alias;
}

export function changesOf({ dialect }: BuildContext): ChangeDialect {
  invariant(dialect.writes.changes, "only databases that provide previous rows have changes in their schema");
  return dialect.writes.changes;
}

export function findsOf({ dialect }: BuildContext): FindDialect {
  invariant(dialect.writes.finds, "only databases that find existing rows have the argument for them");
  return dialect.writes.finds;
}

export function insertChange({ view, row }: RowOfWrite, context: BuildContext): Change {
  return { inserted: true, new: changesOf(context).rowText(row, view.table) };
}

/** @param insert returns the statement with a conflict clause */
export function upsertChange(
  { view, row }: RowOfWrite,
  clause: NonNullable<InsertParts["onConflict"]>,
  insert: (parts: Pick<InsertParts, "onConflict" | "where">) => NonNullable<Change["statement"]>,
  context: BuildContext,
): Change {
  const changes = changesOf(context);
  const { update } = clause;
  invariant(update, "an upsert updates rows");
  const where = allOf([update.where, changes.keepReplaced(visibleText({ view, row }, context))]);
  return {
    inserted: "replaced",
    old: changes.replaced,
    new: changes.rowText(row, view.table),
    statement: insert({ onConflict: { ...clause, update: { ...update, where } }, where: changes.beforeRow }),
  };
}

export function deleteChange(of: RowOfWrite, context: BuildContext): Change {
  return { inserted: false, old: visibleText(of, context) };
}

/** Returns the change of a row that is only locked. */
export function lockChange(of: RowOfWrite, context: BuildContext): Change {
  const { row, view } = of;
  return { inserted: false, old: visibleText(of, context), new: changesOf(context).rowText(row, view.table) };
}

/** @param update returns the statement with a value of the row before it */
export function updateChange(
  of: RowOfWrite,
  update: (previous: Sql) => NonNullable<Change["statement"]>,
  context: BuildContext,
): Change {
  const changes = changesOf(context);
  return {
    inserted: false,
    old: changes.previous,
    new: changes.rowText(of.row, of.view.table),
    statement: update(visibleText(of, context)),
  };
}

/** Returns the text of a row, or NULL if the role may not read the row. */
function visibleText({ view, row }: RowOfWrite, context: BuildContext): Sql {
  const text = changesOf(context).rowText(row, view.table);
  const visible = view.visible?.(row, context.session);
  return visible ? context.dialect.jsonWhere(visible, text) : text;
}

interface Finding extends Pick<FindOrInsertParts, "row" | "columns" | "rows" | "user" | "check"> {
  readonly view: TableView;
  readonly onConflict: OnConflict;
}

/** Returns the statement that inserts rows or finds existing ones. */
export function findStatement({ view, onConflict, ...parts }: Finding, context: BuildContext): Sql {
  const { table } = view;
  const known = knownColumns(view);
  const values = new Map(parts.columns.map(({ name, value }) => [name, value]));
  const key = (onConflict.returned?.key ?? []).map((name): KeyValue | undefined => {
    const value = values.get(name);
    return value && { name, type: known.get(name)?.type, value };
  });
  const present = key.filter((each) => each !== undefined);
  return findsOf(context).findOrInsert({
    ...parts,
    table,
    constraint: onConflict.constraint,
    key: present.length > 0 && present.length === key.length ? present : undefined,
    anyColumn: columnOutsideKeys(view, known, context),
    visible: (row) => view.visible?.(row, context.session),
    alias: context.alias,
  });
}

/** Returns the columns with names in the schema, by quoted name. */
function knownColumns({ table, columns, insert }: TableView): ReadonlyMap<string, Column> {
  return new Map([...table.primaryKey, ...columns, ...(insert?.columns ?? [])].map((column) => [column.sql, column]));
}

/** Returns a column of no key, if one is known: locks for an update of others conflict with foreign keys to the row. */
function columnOutsideKeys(
  { table }: TableView,
  known: ReadonlyMap<string, Column>,
  { dialect }: BuildContext,
): string {
  const keys = table.constraints.flatMap(({ columns }) => columns.map(dialect.quoteIdentifier));
  const other = [...known.keys()].find((name) => !keys.includes(name)) ?? keys[0];
  invariant(other !== undefined, "a table with conflicts has columns");
  return other;
}
