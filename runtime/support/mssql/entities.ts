/** Rows of Apollo federation in SQL Server. */
import type { EntityDialect } from "../dialect.ts";
import { fieldSeparator, rowSeparator } from "../federation/placed-texts.ts";
import { sql, verbatim } from "../sql.ts";
import { rowsOfLists } from "./lists.ts";

const character = (text: string) => verbatim(`nchar(${text.charCodeAt(0)})`);

export const entities: EntityDialect = {
  rowsOfTexts: (lists, alias) => sql`(${rowsOfLists(lists)}) ${alias}`,
  position: (text) => sql`cast(${text} as int)`,
  placedTexts: (position, json) =>
    sql`string_agg(concat(${position}, ${character(fieldSeparator)}, cast(isnull(${json}, N'null') as nvarchar(max))), ${character(rowSeparator)})`,
};
