/** Opaque texts and pages of the Relay API in PostgreSQL. */
import type { RelayDialect } from "../../definitions/dialect.ts";
import { joinSql, sql, verbatim } from "../../definitions/sql.ts";

export const relay: RelayDialect = {
  // The server breaks base64 into lines of 76 characters.
  base64: (json) => sql`translate(encode(convert_to((${json})::text, 'UTF8'), 'base64'), ${verbatim("E'\\n'")}, '')`,
  jsonList: (items) => sql`json_build_array(${joinSql(items, ", ")})`,
  keepsValue: ({ element, json, numeric, comparable, graphql }) =>
    element === undefined && !json && !isComposite(graphql) && (numeric || comparable || graphql === "Boolean"),
  // Without OFFSET the planner would put the expression in every place that names it.
  evaluatedOnce: (value, alias) => ({
    join: sql`cross join lateral (select ${value} as v offset 0) ${alias}`,
    value: sql`${alias}.v`,
  }),
  firstValue: (value, orderBy, filter) =>
    filter === undefined
      ? sql`(array_agg(${value} order by ${orderBy}))[1]`
      : sql`(array_agg(${value} order by ${orderBy}) filter (where ${filter}))[1]`,
};

/** Composite values are objects in JSON; their scalars, and no others, are called so (`graphql-api.md` 3.1). */
function isComposite(scalar: string): boolean {
  return scalar.endsWith("_scalar");
}
