/**
 * Rows that exist already. A conflicting row may be newer than the snapshot of the statement, which therefore cannot
 * select it. It is available to the condition of ON CONFLICT, on the locked row, which keeps it in a setting of the
 * transaction.
 */
import type { FindDialect, FindOrInsertParts, FoundOutputs, KeyValue } from "../../definitions/changed-rows.ts";
import { compared } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { rowText, setting } from "./changed-rows.ts";
import { conflictTarget, failUnlessAll, settingUser, whereClause } from "./writes.ts";

/** Setting with an array of the existing rows that a statement has met. */
const existing = "engine.existing";

export const finds: FindDialect = {
  findOrInsert,
  findAndRead,
  rowsWhere: (text, row, condition, table) =>
    sql`array(select (${row}.*)::${verbatim(table.sql)} from unnest(${text}::${verbatim(table.sql)}[]) ${row} where ${condition})`,
  changesOf(rows, row, inserted, table) {
    const text = rowText(row, table);
    const old = inserted ? sql`null::text` : text;
    return sql`(select ${verbatim(String(inserted))} as inserted, ${old} as old, ${text} as new from ${rows} ${row})`;
  },
};

/** Returns an INSERT with the inserted rows, the existing rows, and the rows that it has met, as one text each. */
function findOrInsert(parts: FindOrInsertParts): Sql {
  const { tables, found, written } = findTables(parts, (row) => [
    sql`(${row}.*)::${verbatim(parts.table.sql)} as existing`,
  ]);
  const shown = parts.visible(parts.row) === undefined ? sql`` : sql` filter (where ${found}.shown)`;
  const outputs = [
    sql`count(*)::text`,
    sql`coalesce(array_agg(${written}.existing)::text, '{}')`,
    parts.key
      ? sql`(select coalesce((array_agg(${found}.existing order by ${found}.n)${shown})::text, '{}') from ${found})`
      : sql`'{}'`,
    sql`coalesce(${rowsMet}, '{}')`,
    ...guardOf(parts, written),
  ];
  return sql`with ${joinSql(tables, ", ")} select ${joinSql(outputs, ", ")} from ${written}`;
}

/** Returns an INSERT that computes the outputs from the inserted rows, the existing rows and the rows that it has met. */
function findAndRead(parts: FindOrInsertParts, { columns, change, outputs }: FoundOutputs): Sql {
  const { table, key, visible, alias } = parts;
  const values = (row: Sql): readonly Sql[] => [
    ...columns.map((column) => sql`${row}.${verbatim(column)}`),
    ...(change ? [rowText(row, table)] : []),
  ];
  // Columns of the table may have the names of the statement's own columns.
  const renamed = (row: Sql): readonly Sql[] => values(row).map((value, i) => sql`${value} as ${ownName(i)}`);
  const { tables, found, written } = findTables(parts, renamed);
  const [met, rows] = [alias(), alias()];
  const list = (own: readonly Sql[], isInserted: boolean): Sql =>
    listOf([...own, ...(change ? [verbatim(String(isInserted))] : [])]);
  const ownOf = (name: Sql): readonly Sql[] => values(name).map((_, i) => sql`${name}.${ownName(i)}`);
  const condition = visible(met);
  const shown = whereClause([condition && sql`${found}.shown`]);
  const ofSetting = sql`unnest((select ${rowsMet} from ${written})::${verbatim(table.sql)}[])`;
  const all = [
    sql`select ${list(ownOf(written), true)} from ${written}`,
    ...(key ? [sql`(select ${list(ownOf(found), false)} from ${found}${shown} order by ${found}.n)`] : []),
    sql`select ${list(values(met), false)} from ${ofSetting} ${met}${whereClause([condition])}`,
  ];
  const names = [...columns.map(verbatim), ...(change ? [change.text, change.inserted] : [])];
  const named = names.length === 0 ? rows : sql`${rows}(${joinSql(names, ", ")})`;
  const union = sql`${named} as (${joinSql(all, " union all ")})`;
  const guard = guardOf(parts, written).map((check) => sql`(select ${check} from ${written})`);
  return sql`with ${joinSql([...tables, union], ", ")} select ${joinSql([...outputs(rows, written), ...guard], ", ")}`;
}

const ownName = (index: number): Sql => verbatim(`v${index + 1}`);

/** Returns the columns of the rows, with names. */
type ReadColumns = (row: Sql) => readonly Sql[];

const listOf = (columns: readonly Sql[]): Sql => (columns.length === 0 ? sql`1` : joinSql(columns, ", "));

/** Array of the rows that a statement has met. It is read after the count of the written rows, thus after all writes. */
const rowsMet = sql`case when count(*) >= 0 then nullif(${setting(existing)}, '') end`;

const guardOf = ({ check }: FindOrInsertParts, written: Sql): readonly Sql[] =>
  check ? [failUnlessAll(sql`${written}.ok`)] : [];

/**
 * Returns an INSERT whose conflicts lock the existing row and leave it unchanged: the condition of DO UPDATE keeps the
 * row and is false. Rows that the snapshot contains are selected instead, which needs no lock and no value of a sequence.
 */
function findTables(parts: FindOrInsertParts, read: ReadColumns) {
  const { table, row, columns, user, constraint, key, anyColumn, check, alias } = parts;
  const [proposed, found, written] = [alias(), alias(), alias()];
  const names = joinSql(
    columns.map(({ name }) => verbatim(name)),
    ", ",
  );
  const selected = joinSql(
    columns.map(({ value }) => value(proposed)),
    ", ",
  );
  const isNew = key && sql`not exists (select 1 from ${found} where ${found}.n = ${proposed}.n)`;
  const returning = listOf([...read(row), ...(check ? [sql`(${check}) is true as ok`] : [])]);
  const insert = joinSql(
    [
      sql`insert into ${verbatim(table.sql)} as ${row}${columns.length === 0 ? sql`` : sql` (${names})`}`,
      sql`select ${selected} from ${proposed}${whereClause([user && settingUser(user), clearing(existing), isNew])} order by ${proposed}.n`,
      sql`${conflictTarget(constraint)} do update set ${verbatim(anyColumn)} = default where ${keepExisting(row, table)}`,
      sql`returning ${returning}`,
    ],
    " ",
  );
  const tables = [
    sql`${proposed} as (${proposals(parts)})`,
    ...(key ? [sql`${found} as (${selectFound(parts, key, proposed, read)})`] : []),
    sql`${written} as (${insert})`,
  ];
  return { tables, found, written };
}

/** Returns the rows to insert with their number. Of rows with the same key, only the first is inserted. */
function proposals({ rows, key, alias }: FindOrInsertParts): Sql {
  const given = alias();
  const lists = joinSql(
    rows.map(({ values }) => sql`${values}::text[]`),
    ", ",
  );
  const names = joinSql([...rows.map(({ name }) => verbatim(name)), sql`n`], ", ");
  const from = sql`unnest(${lists}) with ordinality as ${given}(${names})`;
  if (!key) return sql`select * from ${from}`;
  const values = key.map(({ value }) => value(given));
  const place = sql`row_number() over (partition by ${joinSql(values, ", ")} order by ${given}.n) as place`;
  const distinct = joinSql([sql`place = 1`, ...values.map((value) => sql`${value} is null`)], " or ");
  return sql`select * from (select ${given}.*, ${place} from ${from}) ${given} where ${distinct}`;
}

/** Returns the rows of the table that have the keys of proposed rows. */
function selectFound(
  { table, visible, alias }: FindOrInsertParts,
  key: readonly KeyValue[],
  proposed: Sql,
  read: ReadColumns,
): Sql {
  const row = alias();
  const same = key.map(({ name, type, value }) => {
    const [own, other] = [sql`${row}.${verbatim(name)}`, value(proposed)];
    return type === undefined ? sql`${own} = ${other}` : compared(own, "=", other, type);
  });
  const condition = visible(row);
  const list = [sql`${proposed}.n`, ...read(row), ...(condition ? [sql`(${condition}) is true as shown`] : [])];
  return sql`select ${joinSql(list, ", ")} from ${proposed} join ${verbatim(table.sql)} ${row} on ${joinSql(same, " and ")}`;
}

/** Returns a condition that empties a setting. It is true and is evaluated once, before all rows. */
const clearing = (name: string): Sql => verbatim(`(select set_config('${name}', '', true)) is not null`);

/** Returns a condition that adds a row to the existing rows. It is false. */
function keepExisting(row: Sql, table: { readonly sql: string }): Sql {
  const type = verbatim(table.sql);
  const all = sql`array_append(nullif(${setting(existing)}, '')::${type}[], (${row}.*)::${type})`;
  return sql`set_config('engine.existing', ${all}::text, true) is null`;
}
