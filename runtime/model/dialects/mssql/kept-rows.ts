/**
 * The temporary table that stores the written rows of a statement, and the OUTPUT clause that fills it. Columns that OUTPUT does not support
 * (error 4186) are read by primary key: from the table after an insert or update, and before a delete.
 */

import { EngineError, invariant } from "../../../values/errors.ts";
import type { Column } from "../../definitions/column.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, mentions, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { WrittenTable } from "../../definitions/written-table.ts";

/**
 * Temporary table, dropped when the batch ends. Triggers that the batch fires may create temporary tables too, and if
 * two have the same name, it is undefined which one a statement uses: all names begin with `engine_`.
 */
export const keptRows = verbatim("#engine_written");

/** Name of the row number, which no table column has. */
export const rowNumber = verbatim("[number of the row]");

export function columnsOf({ columns }: WrittenTable): readonly Column[] {
  invariant(columns && columns.length > 0, "a written table has a list of its columns");
  return columns;
}

/** A further column of the copy. */
interface CopiedValue {
  readonly name: Sql;
  readonly value: Sql;
}

const returned = (table: WrittenTable): readonly Column[] => columnsOf(table).filter(({ readsData }) => !readsData);
const computed = (table: WrittenTable): readonly Column[] => columnsOf(table).filter(({ readsData }) => readsData);

/** Returns the name of a column with the truth of a condition on the row before an update, which no table column has. */
export const heldName = (index: number): Sql => verbatim(`[held ${index + 1} before]`);

/** Returns the value of a column in a form that its column in the copy accepts. @param row alias of the row */
export function copiedValue(row: Sql, column: string, { cast }: ScalarType): Sql {
  const value = sql`${row}.${verbatim(column)}`;
  return cast === "xml" ? sql`cast(${value} as xml)` : value;
}

/** Name of the column with the truth of the condition that the role may read the row before the write. */
export const visibleName = verbatim("[visible before]");

/** Returns the name of the column with the value of a column before an update, which no table column has. */
export const nameBefore = (index: number): Sql => verbatim(`[column ${index + 1} before]`);

/**
 * Returns the values of the row before an update, in OUTPUT.
 * @param read alias of rows that contain the columns that OUTPUT does not support
 */
export function valuesBefore(table: WrittenTable, read: Sql): readonly CopiedValue[] {
  return columnsOf(table).map(({ sql: column, type, readsData }, i) => {
    const name = nameBefore(i);
    return { name, value: readsData ? sql`${read}.${name}` : copiedValue(verbatim("deleted"), column, type) };
  });
}

/** Returns the columns of a row before an update that OUTPUT does not support, as columns of a SELECT. */
export function computedBefore(table: WrittenTable, row: Sql): readonly Sql[] {
  return columnsOf(table).flatMap(({ sql: column, readsData }, i) =>
    readsData ? [sql`${row}.${verbatim(column)} as ${nameBefore(i)}`] : [],
  );
}

/**
 * Returns the OUTPUT clause that copies the written rows.
 * @param more the row number, if the copy has one, the columns of `heldName` in the rows `b`, and values for changes
 */
export function output(
  rows: "inserted" | "deleted",
  table: WrittenTable,
  {
    number,
    held = [],
    changes,
  }: {
    readonly number?: Sql | undefined;
    readonly held?: readonly Sql[];
    readonly changes?: readonly CopiedValue[] | undefined;
  } = {},
): Sql {
  const columns = returned(table).map(({ sql: name, type }) => ({
    name: verbatim(name),
    value: copiedValue(verbatim(rows), name, type),
  }));
  const copied: readonly CopiedValue[] = [
    ...(number ? [{ name: rowNumber, value: number }] : []),
    ...columns,
    ...held.map((name) => ({ name, value: sql`b.${name}` })),
    ...(changes ?? []),
  ];
  const list = joinSql(
    copied.map(({ value }) => value),
    ", ",
  );
  if (computed(table).length === 0 && !changes) return sql`output ${list} into ${keptRows}`;
  const names = joinSql(
    copied.map(({ name }) => name),
    ", ",
  );
  return sql`output ${list} into ${keptRows} (${names})`;
}

interface CopyParts {
  readonly inOrder: boolean;
  readonly held: readonly Sql[];
  /** Set if changes are read. `updates`: the copy also has the rows before an update. */
  readonly changes?: { readonly updates: boolean } | undefined;
}

/**
 * Types of copied columns, where SELECT … INTO cannot create the column's type: a row version cannot be written, and a
 * table of another database cannot refer to the collection of schemas of a typed `xml` column (error 458).
 */
const copyCasts: ReadonlyMap<string, string> = new Map([
  ["timestamp", "binary(8)"],
  ["xml", "xml"],
]);

/** Creates an empty copy. The union removes the identity property, which would prevent inserts. */
export function emptyCopy(table: WrittenTable, { inOrder, held, changes }: CopyParts): Sql {
  const emptyValue = ({ sql: name, type }: Column): string => {
    const cast = copyCasts.get(type.cast);
    return cast ? `cast(${name} as ${cast})` : name;
  };
  const nullable = (value: string): Sql => verbatim(`case when 1 = 0 then ${value} end`);
  const columns = columnsOf(table).map((column) => {
    const { sql: name, readsData } = column;
    // NULL until the column is read.
    if (readsData) return sql`${nullable(name)} as ${verbatim(name)}`;
    const value = emptyValue(column);
    return verbatim(value === name ? name : `${value} as ${name}`);
  });
  const before = changes?.updates ? columnsOf(table).map(emptyValue) : [];
  const list = joinSql(
    [
      ...(inOrder ? [sql`0 as ${rowNumber}`] : []),
      ...columns,
      ...held.map((name) => sql`0 as ${name}`),
      ...(changes ? [sql`${nullable("0")} as ${visibleName}`] : []),
      // NULL for inserted rows.
      ...before.map((value, i) => sql`${nullable(value)} as ${nameBefore(i)}`),
    ],
    ", ",
  );
  const from = verbatim(table.sql);
  return sql`select ${list} into ${keptRows} from ${from} where 1 = 0 union all select ${list} from ${from} where 1 = 0`;
}

/**
 * Returns the statements that read, from the rows in the table, the columns that OUTPUT does not support.
 * @param readers expressions that read the copy
 * @throws EngineError `not-supported` for a table without a primary key
 */
export function completion(table: WrittenTable, readers: readonly Sql[]): readonly Sql[] {
  const used = computed(table).filter(({ sql: name }) => readers.some((reader) => mentions(reader, name)));
  const [first] = used;
  if (first === undefined) return [];
  if (!hasKey(table)) {
    const message = `SQL Server cannot return the computed column "${first.field}" of written rows, and "${table.sql}" has no primary key to read it by: omit the column, and query it afterwards`;
    throw new EngineError("not-supported", "$", message);
  }
  return [fill(table, used, verbatim(table.sql))];
}

interface DeletedRows {
  readonly table: WrittenTable;
  /** Alias of a row. */
  readonly row: Sql;
  /** FROM item of the deleted rows, with locks that prevent changes. */
  readonly rows: Sql;
}

/** Returns statements that delete rows, after reading the columns that OUTPUT does not support. */
export function aroundDelete(write: Sql, { table, row, rows }: DeletedRows): readonly Sql[] {
  const columnsToRead = computed(table);
  if (columnsToRead.length === 0 || !hasKey(table)) return [write];
  const columns = [...(table.primaryKey ?? []), ...columnsToRead].map(({ sql: name }) => sql`${row}.${verbatim(name)}`);
  const before = verbatim("#engine_computed");
  return [
    sql`select ${joinSql(columns, ", ")} into ${before} from ${rows}`,
    write,
    fill(table, columnsToRead, before),
    sql`drop table ${before}`,
  ];
}

function fill(table: WrittenTable, columns: readonly Column[], from: Sql): Sql {
  const set = columns.map(({ sql: name }) => verbatim(`${name} = c.${name}`));
  const same = (table.primaryKey ?? []).map(({ sql: name }) => verbatim(`c.${name} = w.${name}`));
  return sql`update w set ${joinSql(set, ", ")} from ${keptRows} w join ${from} c on ${joinSql(same, " and ")}`;
}

/** Returns true if OUTPUT supports all columns of the primary key. */
const hasKey = ({ primaryKey = [] }: WrittenTable): boolean =>
  primaryKey.length > 0 && primaryKey.every(({ readsData }) => !readsData);
