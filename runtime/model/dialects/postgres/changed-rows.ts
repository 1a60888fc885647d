/**
 * Rows before and after a write. RETURNING does not provide the row before it. The condition of ON CONFLICT reads that
 * row once it is locked, and keeps it in a setting of the transaction; an update reads it from the rows that it has
 * locked.
 */
import type { ChangeDialect, ChangeParts } from "../../definitions/changed-rows.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { WrittenTable } from "../../definitions/written-table.ts";

export const changes: ChangeDialect = {
  asText: (_, { name }, rows) => sql`coalesce(json_agg(${rows}.${name})::text, '[]')`,
  fromWritten: ({ name }, rows) => changesIn(sql`${rows}.${name}`, rows),
  fromText: (text) => changesIn(sql`c`, sql`json_array_elements(${text}::json) c`),
  rowFromText: (text, table) =>
    sql`unnest(case when ${text} is not null then array[${text}::${verbatim(table.sql)}] end)`,
};

const changesIn = (change: Sql, from: Sql): Sql =>
  sql`(select (${change}->>0)::bool as inserted, ${change}->>1 as old, ${change}->>2 as new from ${from})`;

/** A written row. */
export interface ChangedRow {
  readonly row: Sql;
  readonly table: Pick<WrittenTable, "sql">;
  readonly changes: ChangeParts;
}

export const rowText = (row: Sql, table: Pick<WrittenTable, "sql">): Sql =>
  sql`(${row}.*)::${verbatim(table.sql)}::text`;

/** Returns the text of the row, or NULL if the role may not read it. */
export function visibleText({ row, table, changes: { visible } }: ChangedRow): Sql {
  const text = rowText(row, table);
  return visible ? sql`case when ${visible} then ${text} end` : text;
}

/** Returns the change of a row in RETURNING; `old` and `new` are texts. */
function change({ changes: { name } }: ChangedRow, inserted: Sql, old: Sql, added: Sql): Sql {
  return sql`json_build_array(${inserted}, ${old}, ${added}) as ${name}`;
}

const noRow = sql`null::text`;

export const insertChange = (of: ChangedRow): Sql => change(of, sql`true`, noRow, rowText(of.row, of.table));

export const deleteChange = (of: ChangedRow): Sql => change(of, sql`false`, visibleText(of), noRow);

export const lockChange = (of: ChangedRow): Sql => change(of, sql`false`, visibleText(of), rowText(of.row, of.table));

/** @param previous text of the row before the update */
export const updateChange = (of: ChangedRow, previous: Sql): Sql =>
  change(of, sql`false`, previous, rowText(of.row, of.table));

/** Setting with the row that an upsert replaces: its text, which starts with a parenthesis, or `-` if it is not visible. */
const replaced = "engine.replaced";

export const setting = (name: string): Sql => verbatim(`current_setting('${name}', true)`);

/**
 * Condition of the proposed rows of an upsert, which holds for every row. It empties the setting before each row, because
 * a trigger can prevent an update, after which nothing reads the setting.
 */
export const beforeProposedRow = verbatim(`set_config('${replaced}', '', true) is not null`);

/** Returns the condition of ON CONFLICT that keeps the row before its update. It holds for every row. */
export function keepReplaced(of: ChangedRow): Sql {
  return sql`set_config('engine.replaced', coalesce(${visibleText(of)}, '-'), true) is not null`;
}

export function upsertChange(of: ChangedRow): Sql {
  const text = setting(replaced);
  return change(of, sql`${text} = ''`, sql`case when ${text} like '(%' then ${text} end`, rowText(of.row, of.table));
}
