/** Plans inserts that return existing rows. */

import { invariant } from "../../../values/errors.ts";
import type {
  ChangeDialect,
  FindDialect,
  FindOrInsertParts,
  FoundOutputs,
  KeyValue,
} from "../../definitions/changed-rows.ts";
import type { Column } from "../../definitions/column.ts";
import { readsRowAlone } from "../../definitions/row-filter.ts";
import type { Sql } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { BuildContext } from "../select/context.ts";
import type { OnConflict } from "./on-conflict.ts";

export function changesOf({ dialect }: BuildContext): ChangeDialect {
  invariant(dialect.writes.changes, "only databases that provide previous rows have changes in their schema");
  return dialect.writes.changes;
}

export function findsOf({ dialect }: BuildContext): FindDialect {
  invariant(dialect.writes.finds, "only databases that find existing rows have the argument for them");
  return dialect.writes.finds;
}

/** An insert that returns existing rows. */
interface Finding extends Pick<FindOrInsertParts, "row" | "columns" | "rows" | "user" | "check"> {
  readonly view: TableView;
  readonly onConflict: OnConflict;
}

/** Statements that insert rows or find existing ones. */
export interface FindStatements {
  /** Returns the statement whose rows other statements read. */
  readonly rows: () => Sql;
  /**
   * Returns the statement that reads its rows itself. Absent if the row filter may depend on other tables: existing rows
   * may be newer than the snapshot of the statement, which therefore cannot see the rows that they relate to.
   */
  readonly read?: (outputs: FoundOutputs) => Sql;
}

export function findStatements(finding: Finding, context: BuildContext): FindStatements {
  const { view } = finding;
  const filter = view.visible?.(finding.row, context.session);
  const finds = findsOf(context);
  return {
    rows: () => finds.findOrInsert(findParts(finding, context)),
    ...((filter === undefined || readsRowAlone(filter)) && {
      read: (outputs) => finds.findAndRead(findParts(finding, context), outputs),
    }),
  };
}

function findParts({ view, onConflict, ...parts }: Finding, context: BuildContext): FindOrInsertParts {
  const { table } = view;
  const known = knownColumns(view);
  const values = new Map(parts.columns.map(({ name, value }) => [name, value]));
  const key = (onConflict.returned?.key ?? []).map((name): KeyValue | undefined => {
    const value = values.get(name);
    return value && { name, type: known.get(name)?.type, value };
  });
  const present = key.filter((each) => each !== undefined);
  return {
    ...parts,
    table,
    constraint: onConflict.constraint,
    key: present.length > 0 && present.length === key.length ? present : undefined,
    anyColumn: columnOutsideKeys(view, known, context),
    visible: (row) => view.visible?.(row, context.session),
    alias: context.alias,
  };
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
