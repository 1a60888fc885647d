/** Rows of Apollo federation in SQL Server. */
import type { EntityDialect } from "../../definitions/dialect.ts";
import { sql, verbatim } from "../../definitions/sql.ts";
import { fieldSeparator, rowSeparator } from "../placed-texts.ts";
import { equatedText, rowsOfLists } from "./lists.ts";

const character = (text: string) => verbatim(`nchar(${text.charCodeAt(0)})`);

export const entities: EntityDialect = {
  rowsOfTexts: (lists, alias) => sql`(${rowsOfLists(lists)}) ${alias}`,
  numberedRowsOfTexts: (lists, alias) => sql`(select l.*, l.n as i from (${rowsOfLists(lists)}) l) ${alias}`,
  operand: (text, type) => (type.graphql === "String" ? equatedText(type, text) : type.operand(text)),
  joinOperand: (json, type) => entities.operand(json, type),
  position: (text) => sql`cast(${text} as int)`,
  placedTexts: (position, json) =>
    sql`string_agg(concat(${position}, ${character(fieldSeparator)}, cast(isnull(${json}, N'null') as nvarchar(max))), ${character(rowSeparator)})`,
};
