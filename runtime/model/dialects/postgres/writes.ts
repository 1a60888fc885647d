/**
 * Statements that write (`sql-generation.md` 11): a data-modifying CTE, and a SELECT over the rows that it wrote. A
 * check that fails raises an error inside the statement, so that nothing has to be looked at before committing.
 */
import type {
  DeleteParts,
  InsertParts,
  KeyColumn,
  UpdateParts,
  WriteDialect,
  WrittenParts,
  WrittenTable,
} from "../../definitions/dialect.ts";
import { compared } from "../../definitions/scalar-type.ts";
import { allOf, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";

/** What the server says of a failed check, in any language: the text that it could not read as a number. */
export const checkFailedMark = "engine: check of a permission has failed";

export const writes: WriteDialect = {
  insert,
  update,
  delete: deleteRows,
  written,
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

function insert({ table, row, columns, rows, user, onConflict, returning }: InsertParts): Sql {
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
  const clauses = [
    sql`insert into ${verbatim(table.sql)} as ${row}${names}`,
    sql`select ${selected} from ${from}${whereClause([user && settingUser(user)])}`,
    ...(onConflict ? [conflictClause(onConflict)] : []),
    sql`returning ${joinSql(returning, ", ")}`,
  ];
  return joinSql(clauses, " ");
}

function conflictClause({ constraint, update: change }: NonNullable<InsertParts["onConflict"]>): Sql {
  const target = conflictTarget(constraint);
  if (change === undefined) return sql`${target} do nothing`;
  const where = change.where ? sql` where ${change.where}` : sql``;
  return sql`${target} do update set ${assignments(change.set)}${where}`;
}

function conflictTarget(constraint: NonNullable<InsertParts["onConflict"]>["constraint"]): Sql {
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

function update({ table, row, set, user, where, returning }: UpdateParts): Sql {
  const condition = whereClause([user && settingUser(user), where]);
  return sql`update ${verbatim(table.sql)} as ${row} set ${assignments(set)}${condition} returning ${joinSql(returning, ", ")}`;
}

function deleteRows({ table, row, user, where, returning }: DeleteParts): Sql {
  const condition = whereClause([user && settingUser(user), where]);
  return sql`delete from ${verbatim(table.sql)} as ${row}${condition} returning ${joinSql(returning, ", ")}`;
}

function whereClause(conditions: readonly (Sql | undefined)[]): Sql {
  const condition = allOf(conditions);
  return condition ? sql` where ${condition}` : sql``;
}

/** True, and evaluated once before all rows: the planner puts conditions without columns first. */
function settingUser(user: Sql): Sql {
  return sql`(select set_config('engine.user', ${user}, true)) is not null`;
}

function written({ name, write, check, outputs }: WrittenParts): Sql {
  const guard = check ? [failUnlessAll(check.returned)] : [];
  return sql`with ${name} as (${write}) select ${joinSql([...outputs, ...guard], ", ")} from ${name}`;
}

/** NULL when the check holds for every row. The text depends on the rows, so that it is not read as a number before. */
function failUnlessAll(check: Sql): Sql {
  const text = verbatim(`'${checkFailedMark} (' || count(*) || ' rows)'`);
  return sql`case when not bool_and(${check}) then (${text})::int4 end`;
}

/**
 * Only a row that an update replaced carries the number of a transaction that did so. A partitioned table does not
 * show it: there a row was inserted if the statement does not see its key, which is not yet the case while it runs.
 */
function wasInserted(row: Sql, { sql: table, partitioned }: WrittenTable, key: readonly KeyColumn[]): Sql {
  if (!partitioned) return sql`${row}.xmax = 0`;
  const same = key.map(({ sql: name, type }) => {
    const [own, other] = [sql`k.${verbatim(name)}`, sql`${row}.${verbatim(name)}`];
    return type === undefined ? sql`${own} = ${other}` : compared(own, "=", other, type);
  });
  return sql`not exists (select 1 from ${verbatim(table)} k where ${joinSql(same, " and ")})`;
}

/** An array of texts as one parameter. Quotes go between the texts, where all have some: around each, they take longer. */
export function textList(texts: readonly (string | null)[]): string {
  if (texts.length === 0) return "{}";
  if (areAllTexts(texts)) return `{"${texts.map(escaped).join('","')}"}`;
  return `{${texts.map((text) => (text === null ? "NULL" : `"${escaped(text)}"`)).join(",")}}`;
}

const areAllTexts = (texts: readonly (string | null)[]): texts is readonly string[] => !texts.includes(null);

/** Most texts have nothing to escape: to look is cheaper than to replace. */
const escaped = (text: string): string => (/[\\"]/.test(text) ? text.replace(/[\\"]/g, "\\$&") : text);

const item = /[{,](?:"((?:[^"\\]|\\.)*)"|([^",{}\\]+))/gs;

/** The elements of an array of texts as the server writes it. */
function listTexts(list: string): (string | null)[] {
  return [...list.matchAll(item)].map(([, quoted, plain = ""]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
    return plain === "NULL" ? null : plain;
  });
}
