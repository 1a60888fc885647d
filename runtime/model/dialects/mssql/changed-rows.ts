/**
 * Rows before and after a write, from the table of written rows: it also has the columns of the rows before an update,
 * and whether the role could read these rows, because OUTPUT contains no conditions on other tables.
 */
import type { ChangeDialect, WriteKind } from "../../definitions/changed-rows.ts";
import { allOf, joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import type { WrittenTable } from "../../definitions/written-table.ts";
import { columnsOf, nameBefore, visibleName } from "./kept-rows.ts";
import { member, rowsOfJson } from "./row-texts.ts";
import { textOfValue } from "./scalars.ts";

const noRow = sql`cast(null as nvarchar(max))`;

export const changes: ChangeDialect = {
  asText(kind, { visible }, rows, table) {
    const row = sql`w`;
    const { inserted, isOld, old, added } = statesOf(kind, row, table);
    const shown = allOf([isOld, visible && sql`${row}.${visibleName} = 1`]);
    const before = old && (shown ? sql`json_query(case when ${shown} then ${old} end)` : sql`json_query(${old})`);
    const after = added && sql`json_query(${added})`;
    const values = sql`cast(${inserted} as bit) as [inserted], ${before ?? noRow} as [old], ${after ?? noRow} as [new]`;
    return sql`isnull((select ${values} from ${rows} ${row} for json path, include_null_values), N'[]')`;
  },
  fromText: (text) =>
    sql`(select j.* from openjson(${text}) with ([inserted] bit '$.inserted', [old] nvarchar(max) '$.old' as json, [new] nvarchar(max) '$.new' as json) j)`,
  rowFromText: (text, table) => sql`(${rowsOfJson(text, table)})`,
};

interface States {
  readonly inserted: Sql;
  /** Condition that the row existed before; absent: it did. */
  readonly isOld?: Sql;
  /** JSON objects. */
  readonly old?: Sql;
  readonly added?: Sql;
}

function statesOf(kind: WriteKind, row: Sql, table: WrittenTable): States {
  const kept = jsonOf(table, (_, name) => sql`${row}.${name}`);
  const before = jsonOf(table, (index) => sql`${row}.${nameBefore(index)}`);
  switch (kind) {
    case "insert":
      return { inserted: sql`1`, added: kept };
    case "update":
      return { inserted: sql`0`, old: before, added: kept };
    case "upsert": {
      const key = sql`${row}.${nameBefore(keyIndex(table))}`;
      return {
        inserted: sql`case when ${key} is null then 1 else 0 end`,
        isOld: sql`${key} is not null`,
        old: before,
        added: kept,
      };
    }
    case "delete":
      return { inserted: sql`0`, old: kept };
    case "lock":
      return { inserted: sql`0`, old: kept, added: kept };
  }
}

/** Returns the index of a column that is NULL in no row. */
function keyIndex(table: WrittenTable): number {
  const [key] = table.primaryKey ?? [];
  return columnsOf(table).findIndex(({ sql: name }) => name === key?.sql);
}

/** Returns the JSON object of a row, with its values as texts. */
function jsonOf(table: WrittenTable, value: (index: number, name: Sql) => Sql): Sql {
  const columns = columnsOf(table).map(({ sql: column, type }, i) => {
    return sql`${textOfValue(type, value(i, verbatim(column)))} as ${member(i)}`;
  });
  return sql`(select ${joinSql(columns, ", ")} for json path, include_null_values, without_array_wrapper)`;
}
