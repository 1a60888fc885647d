/** Ids, cursors and pages of the Relay API in PostgreSQL. */
import type { RelayDialect, RelayValue } from "../../definitions/dialect.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { joinSql, type Sql, sql, verbatim } from "../../definitions/sql.ts";
import { textLiteral } from "./quote.ts";

export const relay: RelayDialect = {
  // PostgreSQL breaks base64 into lines of 76 characters.
  base64: (json) => sql`translate(encode(convert_to((${json})::text, 'UTF8'), 'base64'), ${verbatim("E'\\n'")}, '')`,
  nodeId(version, names, key) {
    const items = [
      verbatim(String(version)),
      ...names.map((name) => verbatim(textLiteral(name))),
      ...key.map(keptValue),
    ];
    return sql`json_build_array(${joinSql(items, ", ")})`;
  },
  keepsValue,
  textOf: ({ value }) => sql`${value}::text`,
  operand: (parameter, { cast }) => sql`${parameter}${verbatim(`::${cast}`)}`,
  compared: ({ value, type }) => type.comparedAs?.(value) ?? value,
  // `is null` is also true for rows with only NULL values.
  isNull: (value) => sql`${value} is not distinct from null`,
  isNotNull: (value) => sql`${value} is distinct from null`,
  comparesRows: true,
  truth: (condition) => condition,
  // Without OFFSET the planner would inline the expression at each use.
  evaluatedOnce: (value, alias) => ({
    join: sql`cross join lateral (select ${value} as v offset 0) ${alias}`,
    value: sql`${alias}.v`,
  }),
  textAt(end, text, number, filter) {
    const order = end === "first" ? number : sql`${number} desc`;
    return filter === undefined
      ? sql`(array_agg(${text} order by ${order}))[1]`
      : sql`(array_agg(${text} order by ${order}) filter (where ${filter}))[1]`;
  },
};

function keepsValue({ element, json, numeric, comparable, graphql }: ScalarType): boolean {
  return element === undefined && !json && !isComposite(graphql) && (numeric || comparable || graphql === "Boolean");
}

const keptValue = (key: RelayValue): Sql => (keepsValue(key.type) ? key.value : relay.textOf(key));

/** Returns true for composite types, which become JSON objects; only their scalars have this suffix. */
function isComposite(scalar: string): boolean {
  return scalar.endsWith("_scalar");
}
