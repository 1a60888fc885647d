/** What calling a stored procedure needs of types and names: values go in through variables, rows into a table. */

import { typeNames } from "../../../runtime/model/dialects/mssql/scalars.ts";
import type { TypeRef } from "../../shape/shape.ts";
import type { ProcedureDialect } from "../dialect.ts";

/** Types that variables or tables cannot have as they stand, or that stand for something shorter without a length. */
const withoutLength: Readonly<Record<string, string>> = {
  char: "varchar(max)",
  varchar: "varchar(max)",
  text: "varchar(max)",
  nchar: "nvarchar(max)",
  nvarchar: "nvarchar(max)",
  ntext: "nvarchar(max)",
  binary: "varbinary(max)",
  varbinary: "varbinary(max)",
  image: "varbinary(max)",
  // A row version cannot be written; its value can.
  timestamp: "binary(8)",
  // By itself it would round to whole numbers.
  decimal: "decimal(38, 10)",
  numeric: "numeric(38, 10)",
};

/** One or two numbers, or `max`, in parentheses. */
const length = /^\((?:\s*max\s*|\s*\d{1,4}\s*(?:,\s*\d{1,2}\s*)?)\)$/;

/** `undefined`: no type of the system. */
function declaredType({ name, sql }: TypeRef): string | undefined {
  if (!typeNames.includes(name)) return undefined;
  const suffix = sql.slice(name.length).trim();
  if (suffix === "") return withoutLength[name] ?? name;
  return sql.startsWith(name) && length.test(suffix) ? `${name}${suffix}` : undefined;
}

/** What follows the `@` of a parameter: a regular identifier, of 128 characters together with it. */
const argumentName = /^[\p{L}_][\p{L}\p{Nd}@$#_]{0,126}$/u;

export const procedures: ProcedureDialect = {
  declaredType,
  isArgumentName: (name) => argumentName.test(name),
};
