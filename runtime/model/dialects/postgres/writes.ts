/**
 * Statements that write: a data-modifying CTE, and a SELECT from the written rows. A failed check raises an error inside
 * the statement, so the result need not be inspected before committing.
 */
import type {
  DeleteParts,
  InsertParts,
  KeyColumn,
  UpdateParts,
  WriteDialect,
  WrittenParts,
} from "../../definitions/dialect.ts";
import { compared } from "../../definitions/scalar-type.ts";
import { allOf, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { WrittenTable } from "../../definitions/written-table.ts";
import {
  beforeProposedRow,
  deleteChange,
  insertChange,
  keepReplaced,
  lockChange,
  updateChange,
  upsertChange,
  visibleText,
} from "./changed-rows.ts";

/** Text in the server's error for a failed check, in any language: the statement casts it to a number. */
export const checkFailedMark = "engine: check of a permission has failed";

export const writes: WriteDialect = {
  insert,
  update,
  delete: deleteRows,
  lock: ({ table, row, where, returning, changes }) => {
    const list = withChange(returning, changes && lockChange({ row, table, changes }));
    return sql`select ${list} from ${verbatim(table.sql)} as ${row}${whereClause([where])} for no key update of ${row}`;
  },
  find: ({ table, row, from = verbatim(table.sql), where, returning }) =>
    sql`select ${joinSql(returning, ", ")} from ${from} as ${row}${whereClause([where])} limit 2`,
  written,
  heldBefore: (_, index) => sql`${rowsBefore}.${verbatim(heldName(index))}`,
  failUnless: (check) =>
    sql`case when not ((${check}) is true) then (${verbatim(`'${checkFailedMark} ' || random()`)})::int4 end`,
  wholeRow: (row, table) => sql`(${row}.*)::${verbatim(table.sql)}`,
  countRows: () => sql`count(*)::text`,
  rowsAsText: (row) => sql`coalesce(array_agg(${row})::text, '{}')`,
  rowsFromText: (texts, table) => {
    const arrays = texts.map((text) => sql`${text}::${verbatim(table.sql)}[]`);
    return sql`unnest(${joinSql(arrays, " || ")})`;
  },
  valuesAsText: (column, rows) => sql`coalesce(array_agg(${rows}.${verbatim(column)}::text)::text, '{}')`,
  proposed: (column) => sql`excluded.${verbatim(column)}`,
  wasInserted,
  textList,
  listTexts,
};

/** Returns the RETURNING list, with the change of the row if it is read. */
const withChange = (returning: readonly Sql[], change: Sql | undefined): Sql =>
  joinSql([...returning, ...(change ? [change] : [])], ", ");

function insert({ table, row, columns, rows, each, user, onConflict, returning, changes }: InsertParts): Sql {
  const written = changes && { row, table, changes };
  const updated = onConflict?.update && written;
  const source = sql`r`;
  const names =
    columns.length === 0
      ? sql``
      : sql` (${joinSql(
          columns.map(({ name }) => verbatim(name)),
          ", ",
        )})`;
  const lists = rows.map(({ name, values }) => ({ name: verbatim(name), values: sql`${values}::text[]` }));
  const from = sql`unnest(${joinSql(
    lists.map(({ values }) => values),
    ", ",
  )}) as ${source}(${joinSql(
    lists.map(({ name }) => name),
    ", ",
  )})`;
  const selected = joinSql(
    columns.map(({ value }) => value(source)),
    ", ",
  );
  const of = each ? sql` cross join ${each}` : sql``;
  const clauses = [
    sql`insert into ${verbatim(table.sql)} as ${row}${names}`,
    sql`select ${selected} from ${from}${of}${whereClause([user && settingUser(user), updated && beforeProposedRow])}`,
    ...(onConflict ? [conflictClause(onConflict, updated && keepReplaced(updated))] : []),
    sql`returning ${withChange(returning, updated ? upsertChange(updated) : written && insertChange(written))}`,
  ];
  return joinSql(clauses, " ");
}

/** @param kept condition on the rows to update, evaluated last */
function conflictClause(
  { constraint, update: change }: NonNullable<InsertParts["onConflict"]>,
  kept: Sql | undefined,
): Sql {
  const target = conflictTarget(constraint);
  if (change === undefined) return sql`${target} do nothing`;
  return sql`${target} do update set ${assignments(change.set)}${whereClause([change.where, kept])}`;
}

export function conflictTarget(constraint: NonNullable<InsertParts["onConflict"]>["constraint"]): Sql {
  if ("name" in constraint) return sql`on conflict on constraint ${verbatim(constraint.name)}`;
  const { columns, condition } = constraint;
  if (columns.length === 0) return sql`on conflict`;
  const where = condition === undefined ? sql`` : sql` where ${verbatim(condition)}`;
  return sql`on conflict (${joinSql(columns.map(verbatim), ", ")})${where}`;
}

function assignments(set: UpdateParts["set"]): Sql {
  return joinSql(
    set.map(({ name, value }) => sql`${verbatim(name)} = ${value}`),
    ", ",
  );
}

function update(parts: UpdateParts): Sql {
  const { table, row, set, user, where, returning, before, changes } = parts;
  if (before || changes) return updateAfterReading(parts);
  const condition = whereClause([user && settingUser(user), where]);
  return sql`update ${verbatim(table.sql)} as ${row} set ${assignments(set)}${condition} returning ${joinSql(returning, ", ")}`;
}

/** Name of the rows as they were before an update. */
const rowsBefore = verbatim("b");

const heldName = (index: number): string => `held_${index + 1}`;

/**
 * Returns an update that reads conditions and values of the rows before the update from the rows that it has locked:
 * RETURNING does not provide previous rows, and in the statement's snapshot they may be out of date.
 */
function updateAfterReading({ table, row, set, user, where, returning, before = [], changes }: UpdateParts): Sql {
  const written = changes && { row, table, changes };
  const { primaryKey: key = [] } = table;
  const read = [
    sql`${row}.tableoid as ${tableKey}`,
    ...key.map(({ sql: name }, i) => sql`${row}.${verbatim(name)} as ${verbatim(keyName(i))}`),
    ...before.map((condition, i) => sql`(${condition}) is true as ${verbatim(heldName(i))}`),
    ...(written ? [sql`${visibleText(written)} as previous`] : []),
  ];
  const same = [
    // Tables that inherit from this one have keys of their own. When the server evaluates the conditions again for a
    // row that changed concurrently, before it runs a trigger, the row has no table.
    sql`${row}.tableoid in (${rowsBefore}.${tableKey}, 0)`,
    ...key.map(({ sql: name, type }, i) =>
      compared(sql`${row}.${verbatim(name)}`, "=", sql`${rowsBefore}.${verbatim(keyName(i))}`, type),
    ),
  ];
  const from = verbatim(table.sql);
  const clauses = [
    sql`with ${rowsBefore} as (select ${joinSql(read, ", ")} from ${from} as ${row}${whereClause([where])} for no key update)`,
    sql`update ${from} as ${row} set ${assignments(set)} from ${rowsBefore}${whereClause([user && settingUser(user), ...same, where])}`,
    sql`returning ${withChange(returning, written && updateChange(written, sql`${rowsBefore}.previous`))}`,
  ];
  return joinSql(clauses, " ");
}

const tableKey = verbatim("table_key");
const keyName = (index: number): string => `key_${index + 1}`;

function deleteRows({ table, row, user, where, returning, changes }: DeleteParts): Sql {
  const condition = whereClause([user && settingUser(user), where]);
  const list = withChange(returning, changes && deleteChange({ row, table, changes }));
  return sql`delete from ${verbatim(table.sql)} as ${row}${condition} returning ${list}`;
}

export function whereClause(conditions: readonly (Sql | undefined)[]): Sql {
  const condition = allOf(conditions);
  return condition ? sql` where ${condition}` : sql``;
}

/**
 * Returns a condition that sets the session variables for triggers. It is true and is evaluated once, before all rows:
 * the planner orders conditions without columns first.
 */
export function settingUser(user: Sql): Sql {
  return sql`(select set_config('engine.user', ${user}, true)) is not null`;
}

function written({ name, write, check, outputs }: WrittenParts): Sql {
  const guard = check ? [failUnlessAll(check.returned)] : [];
  return sql`with ${name} as (${write}) select ${joinSql([...outputs, ...guard], ", ")} from ${name}`;
}

/** Returns NULL if the check holds for every row. The cast text depends on the rows, so it is not evaluated early. */
export function failUnlessAll(check: Sql): Sql {
  const text = verbatim(`'${checkFailedMark} (' || count(*) || ' rows)'`);
  return sql`case when not bool_and(${check}) then (${text})::int4 end`;
}

/**
 * Returns the condition that a row was inserted rather than updated. Only updated rows have `xmax` set. Partitioned
 * tables do not expose it: there a row was inserted if the statement's snapshot does not contain its key.
 */
function wasInserted(row: Sql, { sql: table, partitioned }: WrittenTable, key: readonly KeyColumn[]): Sql {
  if (!partitioned) return sql`${row}.xmax = 0`;
  const same = key.map(({ sql: name, type }) => {
    const [own, other] = [sql`k.${verbatim(name)}`, sql`${row}.${verbatim(name)}`];
    return type === undefined ? sql`${own} = ${other}` : compared(own, "=", other, type);
  });
  return sql`not exists (select 1 from ${verbatim(table)} k where ${joinSql(same, " and ")})`;
}

/** Encodes an array of texts as one parameter. If no text is null, joining with quotes is faster than quoting each text. */
export function textList(texts: readonly (string | null)[]): string {
  if (texts.length === 0) return "{}";
  if (areAllTexts(texts)) return `{"${texts.map(escaped).join('","')}"}`;
  return `{${texts.map((text) => (text === null ? "NULL" : `"${escaped(text)}"`)).join(",")}}`;
}

const areAllTexts = (texts: readonly (string | null)[]): texts is readonly string[] => !texts.includes(null);

/** Escapes a text; testing first is faster, because most texts need no escaping. */
const escaped = (text: string): string => (/[\\"]/.test(text) ? text.replace(/[\\"]/g, "\\$&") : text);

const item = /[{,](?:"((?:[^"\\]|\\.)*)"|([^",{}\\]+))/gs;

/** Parses an array of texts in the server's output format. */
function listTexts(list: string): (string | null)[] {
  return [...list.matchAll(item)].map(([, quoted, plain = ""]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
    return plain === "NULL" ? null : plain;
  });
}
