/** Ids, cursors and pages of the Relay API in SQL Server. */
import type { RelayDialect, RelayValue } from "../../definitions/dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { withoutCollation } from "./lists.ts";
import { textLiteral } from "./quote.ts";
import { comparableValue, textOfValue } from "./scalars.ts";

/** Number of digits of a row number. */
const digits = 10;
const zeros = verbatim(textLiteral("0".repeat(digits)));
const width = verbatim(String(digits));

export const relay: RelayDialect = {
  // FOR XML encodes binary values in base64 without line breaks; the collation determines the encoding UTF-8.
  base64: (json) =>
    sql`(select convert(varbinary(max), convert(varchar(max), ${json} collate Latin1_General_100_CI_AS_SC_UTF8)) as [*] for xml path(''), binary base64)`,
  nodeId(version, names, key) {
    const start = verbatim(textLiteral(JSON.stringify([version, ...names]).slice(0, -1)));
    const isAlone = key.filter(({ type }) => type.graphql === "String").length < 2;
    const items = key.map((each) => sql`N',', ${jsonOf(each, isAlone)}`);
    return sql`concat(${start}, ${joinSql(items, ", ")}, N']')`;
  },
  keepsValue,
  textOf: ({ value, type }) => textOfValue(type, value),
  operand: (parameter, type) => type.operand(parameter),
  compared: ({ value, type }) => comparableValue(type, value),
  isNull: (value) => sql`${value} is null`,
  isNotNull: (value) => sql`${value} is not null`,
  comparesRows: false,
  truth: (condition) => sql`cast(iif(${condition}, 1, 0) as bit)`,
  evaluatedOnce: (value, alias) => ({
    join: sql`cross apply (select ${value} as v) ${alias}`,
    value: sql`${alias}.v`,
  }),
  // Two text aggregates cannot have different orders (error 8711): the number is prepended to the text, then removed.
  textAt(end, text, number, filter) {
    const numbered = sql`concat(right(concat(${zeros}, ${number}), ${width}), ${text})`;
    const item = filter === undefined ? numbered : sql`case when ${filter} then ${numbered} end`;
    return sql`stuff(${verbatim(end === "first" ? "min" : "max")}(${item}), 1, ${width}, N'')`;
  },
};

/** Returns true if FOR JSON preserves values: it truncates floating point numbers and changes the format of other types. */
function keepsValue({ cast, numeric, comparable, graphql, output }: ScalarType): boolean {
  if (cast === "float" || cast === "real" || output !== undefined) return false;
  return numeric || graphql === "Boolean" || graphql === "String" || (comparable && dates.has(cast));
}

const dates: ReadonlySet<string> = new Set([
  "date",
  "time",
  "datetime",
  "smalldatetime",
  "datetime2",
  "datetimeoffset",
]);

/**
 * Returns the JSON text of a key value, which is never NULL.
 * @param isAlone false if the key has several texts, whose collations may differ
 */
function jsonOf({ value, type }: RelayValue, isAlone: boolean): Sql {
  const own = textOfValue(type, value);
  const text = isAlone || type.graphql !== "String" ? own : withoutCollation(own);
  if (type.numeric && keepsValue(type)) return text;
  if (type.graphql === "Boolean") return sql`iif(${value} = 1, N'true', N'false')`;
  return sql`N'"', string_escape(${text}, N'json'), N'"'`;
}
