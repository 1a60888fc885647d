/** Rows of Apollo Federation in SQL Server. */
import type { EntityDialect } from "../../definitions/dialect.ts";
import { isFloat, wholeRange } from "../../definitions/join-key-types.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { fieldSeparator, rowSeparator } from "../placed-texts.ts";
import { equatedText, rowsOfLists } from "./lists.ts";

const character = (text: string) => verbatim(`nchar(${text.charCodeAt(0)})`);

/** Converts a join key to the type that it is compared with; keys of that type need only a cast. */
function joinOperand(json: Sql, type: ScalarType, from: ScalarType | undefined): Sql {
  const range = wholeRange(type, from);
  if (range === undefined || from === undefined) return entities.operand(json, type);
  const target = verbatim(type.cast);
  if (!range.hasFractions) return sql`try_cast(${json} as ${target})`;
  // 28 digits before and 10 after the decimal point represent every integer and every fraction close to one.
  const value = isFloat(from) ? sql`try_cast(${json} as float)` : sql`try_cast(${json} as decimal(38, 10))`;
  return sql`case when ${value} = floor(${value}) then try_cast(${value} as ${target}) end`;
}

export const entities: EntityDialect = {
  rowsOfTexts: (lists, alias) => sql`(${rowsOfLists(lists)}) ${alias}`,
  numberedRowsOfTexts: (lists, alias) => sql`(select l.*, l.n as i from (${rowsOfLists(lists)}) l) ${alias}`,
  operand: (text, type) => (type.graphql === "String" ? equatedText(type, text) : type.operand(text)),
  joinOperand,
  position: (text) => sql`cast(${text} as int)`,
  placedTexts: (position, json) =>
    sql`string_agg(concat(${position}, ${character(fieldSeparator)}, cast(isnull(${json}, N'null') as nvarchar(max))), ${character(rowSeparator)})`,
};
