/** Rows of Apollo federation in PostgreSQL. */
import type { EntityDialect } from "../../definitions/dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { fieldSeparator, rowSeparator } from "../placed-texts.ts";

const escaped = (character: string) => verbatim(`E'\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}'`);

/** A list of JSON as an array, each of its elements as text that the type of the array reads. */
const listOperand = (json: Sql, type: ScalarType): Sql =>
  type.operand(sql`array(select l.value from json_array_elements_text(${json}::json) as l(value))`);

export const entities: EntityDialect = {
  rowsOfTexts(lists, alias) {
    const values = lists.map((list) => sql`${list.values}::text[]`);
    const names = lists.map(({ name }) => name);
    return sql`unnest(${joinSql(values, ", ")}) as ${alias}(${joinSql(names, ", ")})`;
  },
  operand: (text, type) => type.operand(text),
  joinOperand: (json, type) => (type.element ? listOperand(json, type) : type.operand(json)),
  position: (text) => sql`${text}::int4`,
  placedTexts: (position, json) =>
    sql`string_agg(${position} || ${escaped(fieldSeparator)} || coalesce(${json}::text, 'null'), ${escaped(rowSeparator)})`,
};
