/**
 * Statements that write: one batch that stores the written rows in a temporary table, checks them there, and selects the
 * result from it. OUTPUT without INTO is not allowed on tables with triggers.
 */

import { EngineError, invariant } from "../../../values/errors.ts";
import type { ChangeParts } from "../../definitions/changed-rows.ts";
import type { DeleteParts, InsertParts, UpdateParts, WriteDialect, WrittenParts } from "../../definitions/dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { WrittenTable } from "../../definitions/written-table.ts";
import { changes } from "./changed-rows.ts";
import {
  aroundDelete,
  columnsOf,
  completion,
  computedBefore,
  copiedValue,
  emptyCopy,
  heldName,
  keptRows,
  output,
  rowNumber,
  valuesBefore,
  visibleName,
} from "./kept-rows.ts";
import { comparableText, rowsOfLists } from "./lists.ts";
import { rowsAsText, rowsFromText } from "./row-texts.ts";
import { textOfValue } from "./scalars.ts";

/** Error number of a failed check; user errors start at 50000. */
export const checkFailedNumber = 50403;

const throwing = verbatim(
  `begin throw ${checkFailedNumber}, N'check constraint of an insert/update permission has failed', 1; end`,
);

/** Error number of an upsert that would update a row twice, like error 8672 of MERGE. */
const updatedTwiceNumber = 50672;

const throwingUpdatedTwice = verbatim(
  `begin throw ${updatedTwiceNumber}, N'two of the rows to insert match the same row, which can be updated only once', 1; end`,
);

export const writes: WriteDialect = {
  keptRows,
  insert,
  update,
  delete: deleteRows,
  lock: (parts) => copyOf(parts, sql``, sql`${verbatim(parts.table.sql)} ${parts.row} with (updlock, holdlock)`),
  find: (parts) => copyOf(parts, sql`top (2) `, sql`${parts.from ?? verbatim(parts.table.sql)} ${parts.row}`),
  written,
  heldBefore: (row, index) => sql`${row}.${heldName(index)} = 1`,
  failUnless: unsupported,
  wholeRow: unsupported,
  countRows: (rows) => sql`(select count(*) from ${rows})`,
  rowsAsText,
  valuesAsText,
  rowsFromText,
  // As an assigned value, `default` is the column's default, or NULL (Transact-SQL, UPDATE).
  proposed: (column, isGiven) => (isGiven ? sql`v.${verbatim(column)}` : sql`default`),
  textList: (texts) => JSON.stringify(texts),
  changes,
  listTexts: (list) => (JSON.parse(list) as readonly { readonly v: string | null }[]).map(({ v }) => v),
};

/** Throws, instead of functions that only databases that read rows while writing them need. */
function unsupported(): never {
  throw new EngineError("unexpected", "$", "SQL Server reads rows after they are written", { status: 500 });
}

function insert({ table, row, columns, rows, each, onConflict, inOrder, changes: kept }: InsertParts): Sql {
  // A row without values matches no existing row.
  if (columns.length === 0) return insertDefaults({ table, rows, inOrder, changes: kept });
  if (onConflict)
    return upsert({ table, row, columns, rows, ...(each && { each }), onConflict, inOrder, changes: kept });
  const names = joinSql(
    columns.map(({ name }) => verbatim(name)),
    ", ",
  );
  const source = sql`r`;
  const values = joinSql(
    columns.map(({ value }) => value(source)),
    ", ",
  );
  const write = (number: Sql | undefined, from: Sql): Sql =>
    sql`insert into ${verbatim(table.sql)} (${names}) ${output("inserted", table, { number, changes: kept && [] })} select ${values} from ${from} r${crossJoin(each)}`;
  if (!inOrder) return sql`${write(undefined, sql`(${valueRows(rows)})`)} order by r.n`;
  const given = sql`#engine_given`;
  return joinSql(
    [
      sql`select r.* into ${given} from (${valueRows(rows)}) r`,
      inLoop(rows, sql`${write(counter, given)} where r.n = ${counter}`),
      sql`drop table ${given}`,
    ],
    ";\n",
  );
}

const counter = verbatim("@i");

/**
 * Returns a loop with one statement for each row: the server does not guarantee the order in which one statement writes
 * rows.
 * @param one statement for the row whose number is in the counter
 */
function inLoop([list]: InsertParts["rows"], one: Sql): Sql {
  invariant(list, "an insert has at least one list of values");
  return sql`declare @i int = 0, @n int = (select count(*) from openjson(${list.values})); while @i < @n begin ${one}; set @i = @i + 1; end`;
}

/**
 * Returns an UPDATE of existing rows and an INSERT of the other rows, instead of a MERGE, which has race conditions.
 * Range locks on the searched keys prevent concurrent inserts.
 */
function upsert(
  parts: Pick<InsertParts, "table" | "row" | "columns" | "rows" | "each" | "inOrder" | "changes"> &
    Required<Pick<InsertParts, "onConflict">>,
): Sql {
  const { table, row, columns, rows, each, onConflict, inOrder, changes: kept } = parts;
  invariant(onConflict && "columns" in onConflict.constraint, "SQL Server finds rows by columns");
  const key = onConflict.constraint.columns;
  const source = sql`r`;
  const proposals = columns.map(({ name, value }) => sql`${value(source)} as ${verbatim(name)}`);
  const given = new Set(columns.map(({ name }) => name));
  // A row without match columns, or without a value for one of them, is new.
  const canMatch = key.length > 0 && key.every((column) => given.has(column));
  const types = new Map(columnsOf(table).map(({ sql: name, type }) => [name, type]));
  const same = (other: Sql, proposal = sql`v`): Sql => {
    if (!canMatch) return sql`1 = 0`;
    const conditions = key.map((column) => {
      const type = types.get(column);
      const value = sql`${proposal}.${verbatim(column)}`;
      return equalTo(sql`${other}.${verbatim(column)}`, type, value);
    });
    return joinSql(conditions, " and ");
  };
  const from = verbatim(table.sql);
  const names = joinSql(
    columns.map(({ name }) => verbatim(name)),
    ", ",
  );
  const values = joinSql(
    columns.map(({ name }) => verbatim(`v.${name}`)),
    ", ",
  );
  // Each row is proposed for several rows of `each`.
  const number = each ? sql`row_number() over (order by r.n)` : sql`r.n`;
  const { update: change } = onConflict;
  const insertNew = (number: Sql | undefined): Sql =>
    sql`insert into ${from} (${names}) ${output("inserted", table, { number, changes: kept && [] })} select ${values} from #engine_proposed v`;
  const isNew = sql`v.${rowNumber} not in (select m.${rowNumber} from #engine_matched m)`;
  return joinSql(
    [
      sql`select ${joinSql([sql`${number} as ${rowNumber}`, ...proposals], ", ")} into #engine_proposed from (${valueRows(rows)}) r${crossJoin(each)}`,
      sql`select v.${rowNumber} into #engine_matched from #engine_proposed v where exists (select 1 from ${from} m with (updlock, holdlock) where ${same(sql`m`)})`,
      ...(change && change.set.length > 0
        ? [
            ...(canMatch ? [refuseTwice({ from, row, same, where: change.where })] : []),
            updateRead({
              table,
              row,
              set: change.set,
              from: sql`join #engine_proposed v on ${same(row)}`,
              where: change.where,
              number: inOrder ? sql`v.${rowNumber}` : undefined,
              changes: kept,
            }),
          ]
        : []),
      inOrder
        ? inLoop(rows, sql`${insertNew(counter)} where ${isNew} and v.${rowNumber} = ${counter}`)
        : sql`${insertNew(undefined)} where ${isNew} order by v.${rowNumber}`,
      sql`drop table #engine_proposed, #engine_matched`,
    ],
    ";\n",
  );
}

/** Returns the condition that a column equals a value of a proposed row, whose texts have no cast. */
function equalTo(column: Sql, type: ScalarType | undefined, value: Sql): Sql {
  if (type?.graphql !== "String") return sql`${column} = ${value}`;
  const text = comparableText(type, value);
  return text.isWhole ? sql`${column} = ${text.value} and ${text.isWhole}` : sql`${column} = ${text.value}`;
}

/**
 * Raises an error if two proposed rows would update the same row, in which case the server would choose one of them
 * arbitrarily.
 */
function refuseTwice({
  from,
  row,
  same,
  where,
}: {
  readonly from: Sql;
  readonly row: Sql;
  readonly same: (row: Sql, proposal?: Sql) => Sql;
  readonly where: Sql | undefined;
}): Sql {
  const another = sql`join #engine_proposed d on ${same(row, sql`d`)} and d.${rowNumber} > v.${rowNumber}`;
  return sql`if exists (select 1 from ${from} ${row} join #engine_proposed v on ${same(row)} ${another}${whereClause(where)}) ${throwingUpdatedTwice}`;
}

const crossJoin = (each: Sql | undefined): Sql => (each ? sql` cross join ${each}` : sql``);

/** Copies rows to the table of written rows. */
function copyOf(
  { table, row, where, inOrder, changes }: Parameters<WriteDialect["lock"]>[0],
  top: Sql,
  from: Sql,
): Sql {
  const columns = columnsOf(table)
    .filter(({ readsData }) => !readsData)
    .map(({ sql: name, type }) => ({ name: verbatim(name), value: copiedValue(row, name, type) }));
  const copied = [
    ...(inOrder ? [{ name: rowNumber, value: sql`row_number() over (order by (select null))` }] : []),
    ...columns,
    ...(changes?.visible ? [{ name: visibleName, value: truth(changes.visible) }] : []),
  ];
  const names = joinSql(
    copied.map(({ name }) => name),
    ", ",
  );
  const values = joinSql(
    copied.map(({ value }) => value),
    ", ",
  );
  return sql`insert into ${keptRows} (${names}) select ${top}${values} from ${from}${whereClause(where)}`;
}

const valueRows = (rows: InsertParts["rows"]): Sql =>
  rowsOfLists(rows.map(({ name, values }) => ({ name: verbatim(name), values })));

/** Returns the insert of rows without values, whose statement writes one row. */
function insertDefaults({
  table,
  rows,
  inOrder,
  changes: kept,
}: Pick<InsertParts, "table" | "rows" | "inOrder" | "changes">): Sql {
  const list = output("inserted", table, { number: inOrder ? counter : undefined, changes: kept && [] });
  const one = sql`insert into ${verbatim(table.sql)} ${list} default values`;
  return inLoop(rows, one);
}

function update(parts: UpdateParts): Sql {
  const { table, row, set, where, before, changes: kept } = parts;
  return updateRead({ table, row, set, where, before, changes: kept });
}

interface ReadUpdate extends Pick<UpdateParts, "table" | "row" | "set" | "where" | "changes"> {
  readonly before?: UpdateParts["before"] | undefined;
  /** Joins of the rows. */
  readonly from?: Sql;
  /** The row number, if the copy has one. */
  readonly number?: Sql | undefined;
}

/** Returns an update. If values of the rows before it are needed that OUTPUT does not support, reads them first. */
function updateRead(parts: ReadUpdate): Sql {
  const { table, row, set, where, before = [], from = sql``, number, changes: kept } = parts;
  const joined = sql`${verbatim(table.sql)} ${row}${from.parts.length === 0 ? sql`` : sql` ${from}`}`;
  const copied = {
    number,
    held: before.map((_, i) => heldName(i)),
    changes: kept && [...visibleValue(kept), ...valuesBefore(table, sql`b`)],
  };
  const write = (rows: Sql): Sql =>
    sql`update ${row} set ${assignments(set)} ${output("inserted", table, copied)} from ${rows}`;
  const read = [
    ...before.map((condition, i) => sql`${truth(condition)} as ${heldName(i)}`),
    ...(kept ? [...visibleColumn(kept), ...computedBefore(table, row)] : []),
  ];
  if (read.length === 0) return sql`${write(joined)}${whereClause(where)}`;
  return withRowsBefore({ table, row, from, where, read }, (rows) => write(sql`${joined} ${rows}`));
}

const truth = (condition: Sql): Sql => sql`case when ${condition} then 1 else 0 end`;

const visibleColumn = ({ visible }: ChangeParts): readonly Sql[] =>
  visible ? [sql`${truth(visible)} as ${visibleName}`] : [];

const visibleValue = ({ visible }: ChangeParts) =>
  visible ? [{ name: visibleName, value: sql`b.${visibleName}` }] : [];

interface RowsBefore {
  readonly table: WrittenTable;
  readonly row: Sql;
  /** Joins of the rows. */
  readonly from: Sql;
  readonly where: Sql | undefined;
  readonly read: readonly Sql[];
}

/**
 * Returns statements that first read values of the rows, with locks that prevent changes, into `#engine_before`.
 * @param write returns the statement for the rows joined with `b`
 */
function withRowsBefore({ table, row, from, where, read }: RowsBefore, write: (join: Sql) => Sql): Sql {
  const { primaryKey: key = [] } = table;
  const keyName = (index: number) => verbatim(`[key ${index + 1}]`);
  const columns = [...key.map(({ sql: name }, i) => sql`${row}.${verbatim(name)} as ${keyName(i)}`), ...read];
  const same = key.map(({ sql: name }, i) => sql`${row}.${verbatim(name)} = b.${keyName(i)}`);
  const joins = from.parts.length === 0 ? sql`` : sql` ${from}`;
  return joinSql(
    [
      sql`select ${joinSql(columns, ", ")} into #engine_before from ${verbatim(table.sql)} ${row} with (updlock, holdlock)${joins}${whereClause(where)}`,
      write(sql`join #engine_before b on ${joinSql(same, " and ")}`),
      sql`drop table #engine_before`,
    ],
    ";\n",
  );
}

function assignments(set: UpdateParts["set"]): Sql {
  return joinSql(
    set.map(({ name, value }) => sql`${verbatim(name)} = ${value}`),
    ", ",
  );
}

function deleteRows({ table, row, where, changes: kept }: DeleteParts): Sql {
  const from = verbatim(table.sql);
  const list = output("deleted", table, { changes: kept && visibleValue(kept) });
  const write = (rows: Sql): Sql => sql`delete ${row} ${list} from ${from} ${row}${rows}`;
  const statement = kept?.visible
    ? withRowsBefore({ table, row, from: sql``, where, read: visibleColumn(kept) }, (join) => write(sql` ${join}`))
    : write(whereClause(where));
  return joinSql(
    aroundDelete(statement, { table, row, rows: sql`${from} ${row} with (updlock, holdlock)${whereClause(where)}` }),
    ";\n",
  );
}

const whereClause = (condition: Sql | undefined): Sql => (condition ? sql` where ${condition}` : sql``);

function written({ table, write, check, outputs, inOrder, kind, before, changes: kept }: WrittenParts): Sql {
  const failed =
    check &&
    sql`if exists (select 1 from ${keptRows} ${check.row} where case when ${check.condition} then 1 else 0 end = 0) ${throwing}`;
  const statements = [
    sql`set nocount on`,
    emptyCopy(table, {
      inOrder,
      held: Array.from({ length: before }, (_, i) => heldName(i)),
      changes: kept && { updates: kind === "update" || kind === "upsert" },
    }),
    write,
    ...(kind === "delete" ? [] : completion(table, check ? [check.condition, ...outputs] : outputs)),
    ...(failed ? [failed] : []),
    sql`select ${joinSql(outputs, ", ")}`,
    sql`drop table ${keptRows}`,
  ];
  return joinSql(statements, ";\n");
}

function valuesAsText(column: string, rows: Sql, table: WrittenTable): Sql {
  const found = columnsOf(table).find(({ sql: name }) => name === column);
  invariant(found, `a written table has the column ${column}`);
  const text = textOfValue(found.type, verbatim(column));
  return sql`isnull((select ${text} as [v] from ${rows} order by ${rowNumber} for json path, include_null_values), N'[]')`;
}
