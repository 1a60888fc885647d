/**
 * The temporary table in which a statement keeps the rows that it wrote. OUTPUT fills it; what OUTPUT cannot have
 * (error 4186) is read by the primary key: from the table after an insert or update, and before a delete.
 */

import { EngineError, invariant } from "../../../values/errors.ts";
import type { Column } from "../../definitions/column.ts";
import type { WrittenTable } from "../../definitions/dialect.ts";
import { joinSql, mentions, type Sql, sql, verbatim } from "../../definitions/sql.ts";

/** It goes when the batch ends. */
export const keptRows = verbatim("#w");

/** No column of a table is called so. */
export const rowNumber = verbatim("[number of the row]");

export function columnsOf({ columns }: WrittenTable): readonly Column[] {
  invariant(columns && columns.length > 0, "a table that is written names its columns");
  return columns;
}

const returned = (table: WrittenTable): readonly Column[] => columnsOf(table).filter(({ readsData }) => !readsData);
const computed = (table: WrittenTable): readonly Column[] => columnsOf(table).filter(({ readsData }) => readsData);

/** @param number of the row, where the copy has it */
export function output(rows: "inserted" | "deleted", table: WrittenTable, number?: Sql): Sql {
  const columns = returned(table).map(({ sql: name }) => verbatim(name));
  const values = columns.map((column) => sql`${verbatim(rows)}.${column}`);
  const list = joinSql(number ? [number, ...values] : values, ", ");
  if (computed(table).length === 0) return sql`output ${list} into ${keptRows}`;
  const names = joinSql(number ? [rowNumber, ...columns] : columns, ", ");
  return sql`output ${list} into ${keptRows} (${names})`;
}

/** The union takes the identity property from the copy, which could not be written otherwise. */
export function emptyCopy(table: WrittenTable, { inOrder }: { readonly inOrder: boolean }): Sql {
  const columns = columnsOf(table).map(({ sql: name, type, readsData }) => {
    // NULL until it is read.
    if (readsData) return verbatim(`case when 1 = 0 then ${name} end as ${name}`);
    // A row version cannot be written; its value can.
    return type.cast === "timestamp" ? verbatim(`cast(${name} as binary(8)) as ${name}`) : verbatim(name);
  });
  const list = joinSql(inOrder ? [sql`0 as ${rowNumber}`, ...columns] : columns, ", ");
  const from = verbatim(table.sql);
  return sql`select ${list} into ${keptRows} from ${from} where 1 = 0 union all select ${list} from ${from} where 1 = 0`;
}

/**
 * Reads what OUTPUT left out of rows that are in the table.
 * @param readers what is read of the copy
 * @throws EngineError `not-supported` for a table without a primary key
 */
export function completion(table: WrittenTable, readers: readonly Sql[]): readonly Sql[] {
  const asked = computed(table).filter(({ sql: name }) => readers.some((reader) => mentions(reader, name)));
  const [first] = asked;
  if (first === undefined) return [];
  if (!hasKey(table)) {
    const message = `SQL Server cannot return column "${first.field}" of rows that it writes, which a function computes, and "${table.sql}" has no primary key to read it by: leave it out, and query it afterwards`;
    throw new EngineError("not-supported", "$", message);
  }
  return [fill(table, asked, verbatim(table.sql))];
}

interface DeletedRows {
  readonly table: WrittenTable;
  /** What a row is called. */
  readonly row: Sql;
  /** The rows that are deleted, as they stand after FROM, under locks that keep them the same. */
  readonly rows: Sql;
}

/** Statements that delete rows, and read before what OUTPUT leaves out of them. */
export function aroundDelete(write: Sql, { table, row, rows }: DeletedRows): readonly Sql[] {
  const left = computed(table);
  if (left.length === 0 || !hasKey(table)) return [write];
  const columns = [...(table.primaryKey ?? []), ...left].map(({ sql: name }) => sql`${row}.${verbatim(name)}`);
  const before = verbatim("#c");
  return [
    sql`select ${joinSql(columns, ", ")} into ${before} from ${rows}`,
    write,
    fill(table, left, before),
    sql`drop table ${before}`,
  ];
}

function fill(table: WrittenTable, columns: readonly Column[], from: Sql): Sql {
  const set = columns.map(({ sql: name }) => verbatim(`${name} = c.${name}`));
  const same = (table.primaryKey ?? []).map(({ sql: name }) => verbatim(`c.${name} = w.${name}`));
  return sql`update w set ${joinSql(set, ", ")} from ${keptRows} w join ${from} c on ${joinSql(same, " and ")}`;
}

/** A key that OUTPUT gives. */
const hasKey = ({ primaryKey = [] }: WrittenTable): boolean =>
  primaryKey.length > 0 && primaryKey.every(({ readsData }) => !readsData);
