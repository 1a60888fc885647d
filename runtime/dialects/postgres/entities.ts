/** Rows of Apollo federation in PostgreSQL. */
import type { EntityDialect } from "../../definitions/dialect.ts";
import { joinSql, sql, verbatim } from "../../definitions/sql.ts";
import { fieldSeparator, rowSeparator } from "../placed-texts.ts";

const escaped = (character: string) => verbatim(`E'\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}'`);

export const entities: EntityDialect = {
  rowsOfTexts(lists, alias) {
    const values = lists.map((list) => sql`${list.values}::text[]`);
    const names = lists.map(({ name }) => name);
    return sql`unnest(${joinSql(values, ", ")}) as ${alias}(${joinSql(names, ", ")})`;
  },
  operand: (text, type) => type.operand(text),
  position: (text) => sql`${text}::int4`,
  placedTexts: (position, json) =>
    sql`string_agg(${position} || ${escaped(fieldSeparator)} || coalesce(${json}::text, 'null'), ${escaped(rowSeparator)})`,
};
