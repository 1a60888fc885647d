/** Rows of Apollo Federation in PostgreSQL. */
import type { EntityDialect } from "../../definitions/dialect.ts";
import { isFloat, wholeRange } from "../../definitions/join-key-types.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { fieldSeparator, rowSeparator } from "../placed-texts.ts";

const escaped = (character: string) => verbatim(`E'\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}'`);

type Lists = Parameters<EntityDialect["rowsOfTexts"]>[0];

const unnested = (lists: Lists): Sql =>
  sql`unnest(${joinSql(
    lists.map(({ values }) => sql`${values}::text[]`),
    ", ",
  )})`;

const namesOf = (lists: Lists): Sql =>
  joinSql(
    lists.map(({ name }) => name),
    ", ",
  );

/** Converts a JSON list to an array; the array's type parses the text of each element. */
const listOperand = (json: Sql, type: ScalarType): Sql =>
  type.operand(sql`array(select l.value from json_array_elements_text(${json}::json) as l(value))`);

/** Converts a join key to the type that it is compared with; keys of that type need only a cast. */
function joinOperand(json: Sql, type: ScalarType, from: ScalarType | undefined): Sql {
  if (type.element) return listOperand(json, type);
  const range = wholeRange(type, from);
  if (range !== undefined && from !== undefined) {
    const value = isFloat(from) ? sql`${json}::float8` : sql`${json}::numeric`;
    const isWhole = range.hasFractions ? sql`${value} = trunc(${value}) and ` : sql``;
    const isHeld = sql`${isWhole}${value} >= ${verbatim(String(range.min))} and ${value} < ${verbatim(String(range.end))}`;
    return sql`case when ${isHeld} then ${type.operand(value)} end`;
  }
  // SQL Server returns UUIDs in upper case.
  const isUpper = from?.graphql === "uniqueidentifier" && type.graphql !== "uuid";
  return type.operand(isUpper ? sql`lower(${json})` : json);
}

export const entities: EntityDialect = {
  rowsOfTexts: (lists, alias) => sql`${unnested(lists)} as ${alias}(${namesOf(lists)})`,
  numberedRowsOfTexts(lists, alias) {
    const numbered = sql`select *, (n - 1)::int4 as i from ${unnested(lists)} with ordinality as l(${namesOf(lists)}, n)`;
    return sql`(${numbered}) ${alias}`;
  },
  operand: (text, type) => type.operand(text),
  joinOperand,
  position: (text) => sql`${text}::int4`,
  placedTexts: (position, json) =>
    sql`string_agg(${position} || ${escaped(fieldSeparator)} || coalesce(${json}::text, 'null'), ${escaped(rowSeparator)})`,
};
